// SPDX-License-Identifier: GPL-3.0-or-later
// Offsets between the hosts' clocks: one rank of each host compares its clock with rank 0's by
// messages there and back. The shortest of all exchanges is used (Cristian, "Probabilistic clock
// synchronization", Distributed Computing 3, 1989): its offset is wrong by at most half of its
// time. In MPI_Init that gives an offset, in MPI_Finalize another, and both together the drift.
// Every second exchange is kept apart: what these say beside the others is the residual.
//
// Ranks under one kernel share its clock, whatever containers they are in, and send nothing.
#include "recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank_file.h"

REAL(Comm_rank)
REAL(Comm_size)
REAL(Comm_dup)
REAL(Allgather)
REAL(Send)
REAL(Recv)

enum { EXCHANGES = 200, EXCHANGES_LEAST = 8, TAG_ASK = 1, TAG_TELL };

#define ENOUGH_NS 20000000 // for one host; the first ranks of the others wait meanwhile

struct clock_comparison {
	int64_t at_ns, offset_ns, round_ns, residual_ns;
};

struct clock_place {
	uint64_t kernel; // that the rank runs under
	int64_t started_ns;
};

static struct {
	int rank, ranks;
	struct clock_place *places;
	bool differ;
	MPI_Comm comm;
} clocks;

// A hash of what Linux draws at random when it boots. Elsewhere 0.
static uint64_t kernel_hash(void)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	uint64_t hash = UINT64_C(14695981039346656037);
	char id[64] = "";

	if (!file)
		return 0;
	if (!fgets(id, sizeof(id), file))
		id[0] = '\0';
	fclose(file);
	for (const char *at = id; *at != '\0'; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
	return hash;
}

uint64_t clock_meet(void)
{
	const char *each = getenv("FLIT_MPI_CLOCKS");
	struct clock_place own = {.kernel = kernel_hash(), .started_ns = recorder_now()};

	real_Comm_rank(MPI_COMM_WORLD, &clocks.rank);
	real_Comm_size(MPI_COMM_WORLD, &clocks.ranks);
	if (own.kernel == 0 || (each && !strcmp(each, "rank")))
		own.kernel += (uint64_t)clocks.rank + 1;
	clocks.places = calloc((size_t)clocks.ranks, sizeof(own));
	if (!clocks.places)
		return 0;
	real_Allgather(&own, sizeof(own), MPI_BYTE, clocks.places, sizeof(own), MPI_BYTE,
		       MPI_COMM_WORLD);
	for (int i = 1; i < clocks.ranks; i++)
		clocks.differ |= clocks.places[i].kernel != clocks.places[0].kernel;
	if (clocks.differ)
		real_Comm_dup(MPI_COMM_WORLD, &clocks.comm);
	return (uint64_t)clocks.places[0].started_ns;
}

// The first rank under the same kernel.
static int first_of(int rank)
{
	int first = 0;

	while (clocks.places[first].kernel != clocks.places[rank].kernel)
		first++;
	return first;
}

static void clock_answer(int rank)
{
	int64_t now;
	char last = 0;

	while (!last) {
		real_Recv(&last, 1, MPI_BYTE, rank, TAG_ASK, clocks.comm, MPI_STATUS_IGNORE);
		now = recorder_now();
		real_Send(&now, sizeof(now), MPI_BYTE, rank, TAG_TELL, clocks.comm);
	}
}

static struct clock_comparison clock_ask(void)
{
	struct clock_comparison best[2] = {{.round_ns = INT64_MAX}, {.round_ns = INT64_MAX}};
	const int64_t begun = recorder_now();
	char last = 0;

	for (int i = 0; !last; i++) {
		const int64_t sent = recorder_now();
		int64_t there, back;

		last = i + 1 >= EXCHANGES || (i + 1 >= EXCHANGES_LEAST && sent - begun > ENOUGH_NS);
		real_Send(&last, 1, MPI_BYTE, 0, TAG_ASK, clocks.comm);
		real_Recv(&there, sizeof(there), MPI_BYTE, 0, TAG_TELL, clocks.comm,
			  MPI_STATUS_IGNORE);
		back = recorder_now();
		if (back - sent < best[i % 2].round_ns)
			best[i % 2] = (struct clock_comparison){
				.at_ns = sent + (back - sent) / 2,
				.offset_ns = there - (sent + (back - sent) / 2),
				.round_ns = back - sent};
	}
	best[0].residual_ns = best[1].offset_ns - best[0].offset_ns;
	return best[0];
}

static void clock_write_down(const struct clock_comparison *c, bool start)
{
	struct rec_slot *slot;
	uint64_t number;

	if (!rank_file_take(1, &number))
		return;
	slot = rank_file_slot(number);
	slot->begin_ns = slot->return_ns = c->at_ns;
	slot->ended_by = (uint64_t)c->offset_ns;
	slot->sent_bytes = (uint64_t)c->round_ns;
	slot->received_bytes = (uint64_t)c->residual_ns;
	slot->peer = REC_PEER_NONE;
	slot->tag = !start;
	__atomic_store_n(&slot->kind, REC_CLOCK, __ATOMIC_RELEASE);
}

// Rank 0 answers the first ranks of the other kernels in order; these tell the others under their
// own.
static struct clock_comparison compare_clock(void)
{
	struct clock_comparison c = {.at_ns = recorder_now()};
	const int own = first_of(clocks.rank);

	for (int i = 1; i < clocks.ranks && clocks.rank == 0; i++)
		if (first_of(i) == i)
			clock_answer(i);
	if (own == 0)
		return c;
	if (own != clocks.rank) {
		real_Recv(&c, sizeof(c), MPI_BYTE, own, TAG_TELL, clocks.comm, MPI_STATUS_IGNORE);
		return c;
	}
	c = clock_ask();
	for (int i = own + 1; i < clocks.ranks; i++)
		if (first_of(i) == own)
			real_Send(&c, sizeof(c), MPI_BYTE, i, TAG_TELL, clocks.comm);
	return c;
}

void clock_compare(bool start)
{
	struct clock_comparison c = {.at_ns = recorder_now()};

	if (!clocks.places)
		return;
	if (clocks.differ)
		c = compare_clock();
	clock_write_down(&c, start);
}
