// SPDX-License-Identifier: GPL-3.0-or-later
// Archives written here by libotf2, as Score-P writes them: what a rank gives to each collective
// operation, with and without MPI_IN_PLACE (the rank's own share is left out then); messages that
// were received before they were sent.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <otf2/otf2.h>

#include "foreign/event_messages.h"
#include "foreign/foreign.h"
#include "foreign/match.h"

enum { RANKS = 4, ROOT = 1, NO_ROOT = -1 };

static char folder[] = "/tmp/foreign_otf2_test.XXXXXX";

// ---- an archive

struct archive {
	OTF2_Archive *archive;
	OTF2_EvtWriter *writer;
	uint64_t events[RANKS];
	unsigned rank;
};

static OTF2_FlushType flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
			    void *caller, bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static void archive_open(struct archive *a, const char *name)
{
	static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = flush};

	memset(a, 0, sizeof(*a));
	a->archive = OTF2_Archive_Open(folder, name, OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
				       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	assert_non_null(a->archive);
	OTF2_Archive_SetFlushCallbacks(a->archive, &flushing, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(a->archive);
	OTF2_Archive_OpenEvtFiles(a->archive);
}

static void archive_close(struct archive *a)
{
	uint64_t members[RANKS] = {0, 1, 2, 3};
	OTF2_GlobalDefWriter *writer;

	OTF2_Archive_CloseEvtFiles(a->archive);
	writer = OTF2_Archive_GetGlobalDefWriter(a->archive);
	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000, 0, 1000, OTF2_UNDEFINED_TIMESTAMP);
	OTF2_GlobalDefWriter_WriteString(writer, 0, "");
	OTF2_GlobalDefWriter_WriteRegion(writer, 0, 1, 1, 0, OTF2_REGION_ROLE_COLL_OTHER,
					 OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
	OTF2_GlobalDefWriter_WriteString(writer, 1, "MPI_Neighbor_alltoall");
	OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (unsigned rank = 0; rank < RANKS; rank++) {
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, rank, 0,
							OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(writer, rank, 0, OTF2_LOCATION_TYPE_CPU_THREAD,
						   a->events[rank], rank);
	}
	OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, members);
	OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
					OTF2_GROUP_FLAG_NONE, RANKS, members);
	OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_Archive_CloseGlobalDefWriter(a->archive, writer);
	assert_int_equal(OTF2_Archive_Close(a->archive), OTF2_SUCCESS);
}

static void archive_rank(struct archive *a, unsigned rank)
{
	a->rank = rank;
	a->writer = OTF2_Archive_GetEvtWriter(a->archive, rank);
	assert_non_null(a->writer);
}

static void archive_read(const char *name, struct events *events)
{
	char path[256];
	const char *paths[] = {path};
	const struct foreign_input input = {.paths = paths, .count = 1};
	struct tr_error err = {""};

	snprintf(path, sizeof(path), "%s/%s.otf2", folder, name);
	if (foreign_otf2.read(&input, events, &err) != TR_OK)
		fail_msg("%s", err.text);
}

// ---- collective operations

// By the rules of Score-P 8 (src/adapters/mpi/scorep_mpi_coll.inc.c), on 4 ranks with the arguments
// of tests/cli/flitread/calls, and what each rank gives.
static const struct row {
	const char *call;
	OTF2_CollectiveOp op;
	int root;
	uint64_t sent[RANKS], received[RANKS], given[RANKS];
} rows[] = {
	{"Barrier", OTF2_COLLECTIVE_OP_BARRIER, NO_ROOT, {0}, {0}, {0}},
	{"Bcast", OTF2_COLLECTIVE_OP_BCAST, ROOT, {0, 80, 0, 0}, {20, 20, 20, 20}, {0, 20, 0, 0}},
	{"Reduce",
	 OTF2_COLLECTIVE_OP_REDUCE,
	 ROOT,
	 {20, 20, 20, 20},
	 {0, 80, 0, 0},
	 {20, 20, 20, 20}},
	{"Reduce in place",
	 OTF2_COLLECTIVE_OP_REDUCE,
	 ROOT,
	 {20, 0, 20, 20},
	 {0, 60, 0, 0},
	 {20, 20, 20, 20}},
	{"Allreduce",
	 OTF2_COLLECTIVE_OP_ALLREDUCE,
	 NO_ROOT,
	 {80, 80, 80, 80},
	 {80, 80, 80, 80},
	 {20, 20, 20, 20}},
	{"Allreduce in place",
	 OTF2_COLLECTIVE_OP_ALLREDUCE,
	 NO_ROOT,
	 {60, 60, 60, 60},
	 {60, 60, 60, 60},
	 {20, 20, 20, 20}},
	{"Scan",
	 OTF2_COLLECTIVE_OP_SCAN,
	 NO_ROOT,
	 {80, 60, 40, 20},
	 {20, 40, 60, 80},
	 {20, 20, 20, 20}},
	{"Scan in place",
	 OTF2_COLLECTIVE_OP_SCAN,
	 NO_ROOT,
	 {60, 40, 20, 0},
	 {0, 20, 40, 60},
	 {20, 20, 20, 20}},
	{"Exscan",
	 OTF2_COLLECTIVE_OP_EXSCAN,
	 NO_ROOT,
	 {60, 40, 20, 0},
	 {0, 20, 40, 60},
	 {20, 20, 20, 20}},
	{"Reduce_scatter",
	 OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
	 NO_ROOT,
	 {40, 40, 40, 40},
	 {16, 32, 48, 64},
	 {40, 40, 40, 40}},
	{"Reduce_scatter_block",
	 OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
	 NO_ROOT,
	 {32, 32, 32, 32},
	 {32, 32, 32, 32},
	 {32, 32, 32, 32}},
	{"Reduce_scatter_block in place",
	 OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
	 NO_ROOT,
	 {30, 30, 30, 30},
	 {30, 30, 30, 30},
	 {40, 40, 40, 40}},
	{"Gather",
	 OTF2_COLLECTIVE_OP_GATHER,
	 ROOT,
	 {12, 12, 12, 12},
	 {0, 48, 0, 0},
	 {12, 12, 12, 12}},
	{"Gather in place",
	 OTF2_COLLECTIVE_OP_GATHER,
	 ROOT,
	 {12, 0, 12, 12},
	 {0, 36, 0, 0},
	 {12, 12, 12, 12}},
	{"Gatherv",
	 OTF2_COLLECTIVE_OP_GATHERV,
	 ROOT,
	 {4, 8, 12, 16},
	 {0, 40, 0, 0},
	 {4, 8, 12, 16}},
	{"Scatter",
	 OTF2_COLLECTIVE_OP_SCATTER,
	 ROOT,
	 {0, 48, 0, 0},
	 {12, 12, 12, 12},
	 {0, 48, 0, 0}},
	{"Scatter in place",
	 OTF2_COLLECTIVE_OP_SCATTER,
	 ROOT,
	 {0, 36, 0, 0},
	 {12, 0, 12, 12},
	 {0, 48, 0, 0}},
	{"Scatterv",
	 OTF2_COLLECTIVE_OP_SCATTERV,
	 ROOT,
	 {0, 40, 0, 0},
	 {4, 8, 12, 16},
	 {0, 40, 0, 0}},
	{"Allgather",
	 OTF2_COLLECTIVE_OP_ALLGATHER,
	 NO_ROOT,
	 {48, 48, 48, 48},
	 {48, 48, 48, 48},
	 {12, 12, 12, 12}},
	{"Allgather in place",
	 OTF2_COLLECTIVE_OP_ALLGATHER,
	 NO_ROOT,
	 {36, 36, 36, 36},
	 {36, 36, 36, 36},
	 {12, 12, 12, 12}},
	{"Allgatherv",
	 OTF2_COLLECTIVE_OP_ALLGATHERV,
	 NO_ROOT,
	 {16, 32, 48, 64},
	 {40, 40, 40, 40},
	 {4, 8, 12, 16}},
	{"Allgatherv in place",
	 OTF2_COLLECTIVE_OP_ALLGATHERV,
	 NO_ROOT,
	 {12, 24, 36, 48},
	 {36, 32, 28, 24},
	 {4, 8, 12, 12}},
	{"Alltoall",
	 OTF2_COLLECTIVE_OP_ALLTOALL,
	 NO_ROOT,
	 {48, 48, 48, 48},
	 {48, 48, 48, 48},
	 {48, 48, 48, 48}},
	{"Alltoallv",
	 OTF2_COLLECTIVE_OP_ALLTOALLV,
	 NO_ROOT,
	 {41, 56, 73, 90},
	 {40, 56, 72, 92},
	 {41, 56, 73, 90}},
	{"Alltoallw",
	 OTF2_COLLECTIVE_OP_ALLTOALLW,
	 NO_ROOT,
	 {64, 80, 112, 128},
	 {64, 80, 112, 128},
	 {64, 80, 112, 128}},
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static void put_row(struct archive *a, const struct row *row, uint64_t time, bool nonblocking)
{
	const uint32_t root = row->root == NO_ROOT ? OTF2_COLLECTIVE_ROOT_NONE
						   : (uint32_t)row->root;

	if (nonblocking) {
		OTF2_EvtWriter_NonBlockingCollectiveRequest(a->writer, NULL, time, time);
		OTF2_EvtWriter_NonBlockingCollectiveComplete(a->writer, NULL, time, row->op, 0,
							     root, row->sent[a->rank],
							     row->received[a->rank], time);
	} else {
		OTF2_EvtWriter_MpiCollectiveBegin(a->writer, NULL, time);
		OTF2_EvtWriter_MpiCollectiveEnd(a->writer, NULL, time, row->op, 0, root,
						row->sent[a->rank], row->received[a->rank]);
	}
	a->events[a->rank] += 2;
}

static void check_collectives(const char *name, bool nonblocking)
{
	struct archive a;
	struct events events;

	archive_open(&a, name);
	for (unsigned rank = 0; rank < RANKS; rank++) {
		archive_rank(&a, rank);
		for (size_t i = 0; i < ROWS; i++)
			put_row(&a, &rows[i], i + 1, nonblocking);
		OTF2_Archive_CloseEvtWriter(a.archive, a.writer);
	}
	archive_close(&a);
	archive_read(name, &events);
	for (unsigned rank = 0; rank < RANKS; rank++) {
		size_t row = 0;

		for (uint32_t i = 0; i < events.by_rank[rank].count; i++) {
			const struct event *event = &events.by_rank[rank].events[i];

			if (event->kind != EVENT_COLLECTIVE)
				continue;
			if (events_given(&events, rank, event) != rows[row].given[rank])
				fail_msg("%s: rank %u gives %llu B", rows[row].call, rank,
					 (unsigned long long)events_given(&events, rank, event));
			row++;
		}
		assert_int_equal(row, ROWS);
	}
	// Of whole elements of 4 bytes, n blocks or n - 1: allgather in place, and allgatherv in
	// place of ranks 0 to 2 and 3.
	assert_true(events.in_place > 0);
	events_clear(&events);
}

static void test_collectives(void **state)
{
	(void)state;
	check_collectives("blocking", false);
	check_collectives("nonblocking", true);
}

// ---- clocks that differ

static enum tr_status take(void *context, const struct tr_message *message, struct tr_error *err)
{
	uint64_t *no_length = context;

	(void)err;
	*no_length += message->end_ticks == message->begin_ticks;
	return TR_OK;
}

// Rank 0 sends at 100 and 200; rank 1 receives at 150 and, by its clock, 150.
static void test_early(void **state)
{
	static const uint64_t sent[] = {100, 200}, received[] = {150, 150};
	uint64_t no_length = 0, early;
	const struct message_sink sink = {take, &no_length};
	struct match_counts counts;
	struct tr_error err = {""};
	struct archive a;
	struct events events;

	(void)state;
	archive_open(&a, "early");
	for (unsigned rank = 0; rank < RANKS; rank++) {
		archive_rank(&a, rank);
		for (unsigned i = 0; rank < 2 && i < 2; i++, a.events[rank]++)
			if (rank == 0)
				OTF2_EvtWriter_MpiSend(a.writer, NULL, sent[i], 1, 0, 7, 10);
			else
				OTF2_EvtWriter_MpiRecv(a.writer, NULL, received[i], 0, 0, 7, 10);
		OTF2_Archive_CloseEvtWriter(a.archive, a.writer);
	}
	archive_close(&a);
	archive_read("early", &events);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	assert_int_equal(counts.messages, 2);
	assert_int_equal(events_messages(&events, &sink, &early, &err), TR_OK);
	assert_int_equal(early, 1);
	assert_int_equal(no_length, 1);
	events_clear(&events);
}

// A neighbourhood collective, of which an archive has only the region, and a broadcast and a
// message between two groups.
static void test_left_out(void **state)
{
	struct archive a;
	struct events events;

	(void)state;
	archive_open(&a, "left-out");
	for (unsigned rank = 0; rank < RANKS; rank++) {
		archive_rank(&a, rank);
		OTF2_EvtWriter_Enter(a.writer, NULL, 100, 0);
		OTF2_EvtWriter_Leave(a.writer, NULL, 110, 0);
		OTF2_EvtWriter_MpiCollectiveBegin(a.writer, NULL, 200);
		OTF2_EvtWriter_MpiCollectiveEnd(a.writer, NULL, 210, OTF2_COLLECTIVE_OP_BCAST, 9, 0,
						10, 10);
		OTF2_EvtWriter_MpiSend(a.writer, NULL, 300, 1, 9, 7, 10);
		a.events[rank] += 5;
		OTF2_Archive_CloseEvtWriter(a.archive, a.writer);
	}
	archive_close(&a);
	archive_read("left-out", &events);
	assert_int_equal(events.unsaid, RANKS);
	assert_int_equal(events.unknown_members, 2 * RANKS);
	events_clear(&events);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_left_out),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
