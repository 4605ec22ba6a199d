// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rank_file.h"

REAL(Comm_rank)
REAL(Comm_size)
REAL(Get_library_version)
REAL(Get_elements_x)
REAL(Test_cancelled)
REAL(Type_size_x)

static struct {
	char path[4096];
	int rank, ranks;
	pid_t process; // a child of it records nothing
	_Atomic bool recording, told;
	_Atomic uint16_t threads;
} recorder;

// Of each thread. A preloaded library is there from the start, so its variables need no call to be
// found.
static _Thread_local struct {
	unsigned depth;	 // calls under way, one within another
	uint16_t number; // from 1
	int64_t other_ns;
} here __attribute__((tls_model("initial-exec")));

int64_t recorder_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void recorder_tell(const char *what)
{
	if (!atomic_exchange(&recorder.told, true))
		fprintf(stderr, "flitmpi: rank %d: %s: %s\n", recorder.rank, recorder.path, what);
}

static bool recorder_open_file(void)
{
	char header[REC_HEADER_BYTES], version[MPI_MAX_LIBRARY_VERSION_STRING], host[256] = "";
	int length;

	gethostname(host, sizeof(host) - 1);
	real_Get_library_version(version, &length);
	version[strcspn(version, "\r\n\t,")] = '\0';
	snprintf(header, sizeof(header),
		 REC_MAGIC "slot %d\nrun %016llx\nrank %d\nranks %d\nhost %s\nlibrary %.200s\n",
		 REC_SLOT_BYTES, (unsigned long long)clock_meet(), recorder.rank, recorder.ranks,
		 host, version);
	return rank_file_open(recorder.path, header);
}

void recorder_start(void)
{
	const char *file = getenv("FLIT_MPI_RECORD");

	if (!file || *file == '\0')
		return;
	real_Comm_rank(MPI_COMM_WORLD, &recorder.rank);
	real_Comm_size(MPI_COMM_WORLD, &recorder.ranks);
	recorder.process = getpid();
	snprintf(recorder.path, sizeof(recorder.path), "%s.%d", file, recorder.rank);
	if (!recorder_open_file()) {
		recorder_tell(strerror(errno));
		return;
	}
	communicators_start();
	clock_compare(true);
	recorder.recording = true;
}

static void stop(bool finalized)
{
	if (recorder.process != getpid() || !atomic_exchange(&recorder.recording, false))
		return;
	if (finalized)
		clock_compare(false);
	rank_file_end(finalized);
	if (rank_file_lost())
		fprintf(stderr, "flitmpi: rank %d: %llu calls are not recorded\n", recorder.rank,
			(unsigned long long)rank_file_lost());
}

void recorder_stop(void)
{
	stop(true);
}

static __attribute__((destructor)) void at_exit(void)
{
	stop(false);
}

// ---- calls

struct call call_begin(void)
{
	struct call call = {
		.recorded = here.depth++ == 0 &&
			    atomic_load_explicit(&recorder.recording, memory_order_relaxed)};

	if (call.recorded)
		call.begin_ns = recorder_now();
	return call;
}

void call_return(struct call *call, int result)
{
	here.depth--;
	call->failed = result != MPI_SUCCESS;
	if (call->recorded)
		call->return_ns = recorder_now();
}

void call_unrecorded(const struct call *call)
{
	here.other_ns += call->return_ns - call->begin_ns;
}

// ---- operations

// Takes this many consecutive slots for one call.
static struct operation recorder_take(const struct call *call, unsigned slots)
{
	struct operation op = {.slots = slots};

	if (!call->recorded || slots == 0)
		return (struct operation){0};
	if (!rank_file_take(slots, &op.number)) {
		recorder_tell(strerror(errno));
		rank_file_lose();
		return (struct operation){0};
	}
	if (here.number == 0)
		here.number = ++recorder.threads;
	return op;
}

static uint32_t other_take(void)
{
	const int64_t ns = here.other_ns;

	here.other_ns = 0;
	return ns < 0 ? 0 : ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

// Writes an operation into a slot. Until it is published, ended_by holds its kind.
static struct rec_slot *lay(const struct call *call, uint64_t number, enum rec_kind kind,
			    const struct members *members)
{
	struct rec_slot *slot = rank_file_slot(number);

	slot->thread = (uint16_t)(here.number - 1);
	slot->communicator = members ? members->number : 0;
	slot->begin_ns = call->begin_ns;
	slot->ended_by = kind;
	slot->peer = REC_PEER_NONE;
	slot->other_ns = other_take();
	return slot;
}

static void lay_send(const struct call *call, uint64_t number, int state, int64_t bytes, int peer,
		     int tag, const struct members *members)
{
	struct rec_slot *slot = lay(call, number, state & REC_NONBLOCKING ? REC_ISEND : REC_SEND,
				    members);

	slot->state = (uint8_t)state;
	slot->sent_bytes = (uint64_t)bytes;
	slot->peer = peer;
	slot->tag = tag;
}

static void lay_recv(const struct call *call, uint64_t number, int state, int peer, int tag,
		     const struct members *members)
{
	struct rec_slot *slot = lay(call, number, state & REC_NONBLOCKING ? REC_IRECV : REC_RECV,
				    members);

	slot->state = (uint8_t)state;
	slot->peer = peer == MPI_ANY_SOURCE ? REC_PEER_ANY : peer;
	slot->tag = tag;
}

struct operation operation_send(const struct call *call, int state, int64_t bytes, int peer,
				int tag, MPI_Comm comm)
{
	const struct members *members = call->recorded ? members_of(comm) : NULL;
	struct operation op = recorder_take(call, peer != MPI_PROC_NULL);

	if (op.slots)
		lay_send(call, op.number, state, bytes, peer, tag, members);
	return op;
}

struct operation operation_recv(const struct call *call, int state, int peer, int tag,
				MPI_Comm comm)
{
	const struct members *members = call->recorded ? members_of(comm) : NULL;
	struct operation op = recorder_take(call, peer != MPI_PROC_NULL);

	if (op.slots)
		lay_recv(call, op.number, state, peer, tag, members);
	return op;
}

struct operation operation_sendrecv(const struct call *call, int state, int64_t bytes, int to,
				    int out_tag, int from, int in_tag, MPI_Comm comm)
{
	const unsigned sends = to != MPI_PROC_NULL, recvs = from != MPI_PROC_NULL;
	const struct members *members = call->recorded ? members_of(comm) : NULL;
	struct operation op = recorder_take(call, sends + recvs);

	if (op.slots && sends)
		lay_send(call, op.number, state | (recvs ? REC_JOINED : 0), bytes, to, out_tag,
			 members);
	if (op.slots && recvs)
		lay_recv(call, op.number + sends, state, from, in_tag, members);
	return op;
}

// Leaves out those that are nobody.
static void neighbours_close_ranks(struct neighbours *near)
{
	const unsigned all = near->out + near->in, out = near->out;
	unsigned kept = 0;

	near->out = near->in = 0;
	for (unsigned i = 0; i < all; i++) {
		if (near->rank[i] == MPI_PROC_NULL)
			continue;
		near->rank[kept] = near->rank[i];
		near->bytes[kept++] = near->bytes[i];
		if (i < out)
			near->out++;
		else
			near->in++;
	}
}

struct operation operation_neighbours(const struct call *call, int state, struct neighbours *near,
				      MPI_Comm comm)
{
	const struct members *members = call->recorded ? members_of(comm) : NULL;
	struct operation op;

	neighbours_close_ranks(near);
	op = recorder_take(call, near->out + near->in);
	for (unsigned i = 0; i < op.slots; i++) {
		const int joined = state | (i + 1 < op.slots ? REC_JOINED : 0);

		if (i < near->out)
			lay_send(call, op.number + i, joined, near->bytes[i], near->rank[i],
				 REC_TAG_NEIGHBOUR, members);
		else
			lay_recv(call, op.number + i, joined, near->rank[i], REC_TAG_NEIGHBOUR,
				 members);
		if (i >= near->out)
			rank_file_slot(op.number + i)->received_bytes = (uint64_t)near->bytes[i];
	}
	free(near->bytes);
	return op;
}

struct operation operation_collective(const struct call *call, enum rec_kind kind, int state,
				      int root, MPI_Comm comm, unsigned numbers)
{
	const unsigned data = (numbers + REC_DATA_U64 - 1) / REC_DATA_U64;
	const struct members *members = call->recorded ? members_of(comm) : NULL;
	struct operation op = recorder_take(call, 1 + data);
	struct rec_slot *slot;

	if (!op.slots)
		return op;
	slot = lay(call, op.number, kind, members);
	slot->state = (uint8_t)state;
	slot->data = data;
	if (root >= 0)
		slot->peer = root;
	for (unsigned i = 1; i < op.slots; i++)
		rank_file_slot(op.number + i)->kind = REC_DATA;
	return op;
}

void operation_bytes(struct operation op, int64_t sent, int64_t received)
{
	struct rec_slot *slot = op.slots ? rank_file_slot(op.number) : NULL;

	if (slot) {
		slot->sent_bytes = (uint64_t)sent;
		slot->received_bytes = (uint64_t)received;
	}
}

void operation_set(struct operation op, unsigned index, uint64_t number)
{
	if (op.slots)
		memcpy((char *)rank_file_slot(op.number + 1 + index / REC_DATA_U64) + 8 +
			       index % REC_DATA_U64 * sizeof(number),
		       &number, sizeof(number));
}

struct operation operation_wait(const struct call *call)
{
	struct operation op = recorder_take(call, 1);

	if (op.slots)
		lay(call, op.number, REC_WAIT, NULL);
	operation_publish(op);
	return op;
}

// Consecutive slots of operations: calls what for each that is not data.
#define EACH_SLOT(op, slot) \
	for (uint64_t at = (op).number; at < (op).number + (op).slots; at++) \
		if ((slot = rank_file_slot(at))->kind != REC_DATA)

void operation_publish(struct operation op)
{
	struct rec_slot *slot;

	EACH_SLOT(op, slot)
	{
		const uint8_t kind = (uint8_t)slot->ended_by;

		slot->ended_by = 0;
		__atomic_store_n(&slot->kind, kind, __ATOMIC_RELEASE);
	}
}

struct operation operation_again(const struct call *call, uint64_t number, unsigned slots)
{
	struct operation op = recorder_take(call, slots);

	for (unsigned i = 0; i < op.slots; i++) {
		struct rec_slot *slot = rank_file_slot(op.number + i),
				*first = rank_file_slot(number + i);

		*slot = *first;
		if (slot->kind == REC_DATA)
			continue;
		slot->thread = (uint16_t)(here.number - 1);
		slot->begin_ns = call->begin_ns;
		slot->other_ns = other_take();
	}
	operation_publish(op);
	return op;
}

static void mark(struct rec_slot *slot, int state)
{
	__atomic_store_n(&slot->state, (uint8_t)(slot->state | state), __ATOMIC_RELEASE);
}

void operation_returned(struct operation op, const struct call *call)
{
	struct rec_slot *slot;

	EACH_SLOT(op, slot)
	{
		slot->return_ns = call->return_ns;
		mark(slot, REC_RETURNED | (call->failed ? REC_FAILED : 0));
	}
}

// What a receive got. What it asked for is taken as it was asked: MPICH 4.0.2 leaves source and tag
// of MPI_Isendrecv's status open.
static int recorder_take_status(struct rec_slot *slot, const MPI_Status *status)
{
	MPI_Count bytes = 0;
	int cancelled = 0;

	if (slot->tag == REC_TAG_NEIGHBOUR)
		return 0;
	if (real_Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled)
		return REC_FAILED;
	if (status->MPI_SOURCE == MPI_PROC_NULL)
		return REC_FAILED;
	real_Get_elements_x(status, MPI_BYTE, &bytes);
	slot->received_bytes = (uint64_t)bytes;
	if (slot->tag == MPI_ANY_TAG)
		slot->tag = status->MPI_TAG;
	if (slot->peer == REC_PEER_ANY)
		slot->peer = status->MPI_SOURCE;
	return 0;
}

void operation_finish(struct operation op, uint64_t ended_by, const MPI_Status *status)
{
	struct rec_slot *slot;

	EACH_SLOT(op, slot)
	{
		const uint8_t kind = slot->kind;
		const bool receive = kind == REC_RECV || kind == REC_IRECV;
		const int failed = status && receive ? recorder_take_status(slot, status) : 0;

		slot->ended_by = ended_by;
		mark(slot, REC_DONE | failed);
	}
}

void operation_ended(struct operation op, const struct call *call, const MPI_Status *status)
{
	operation_returned(op, call);
	if (!call->failed)
		operation_finish(op, 0, status);
}

int64_t type_bytes(int64_t count, MPI_Datatype type)
{
	MPI_Count size = 0;

	real_Type_size_x(type, &size);
	return size > 0 ? count * size : 0;
}
