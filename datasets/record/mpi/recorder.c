// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHUNK_OPERATIONS = 16384, BUCKETS = 4096 };

struct chunk {
	struct chunk *next;
	int count;
	struct operation operations[CHUNK_OPERATIONS];
};

struct pending {
	struct pending *next;
	uint64_t key; // the bits of a request or message: a pointer in Open MPI, an int in MPICH
	struct operation op;
	bool receive, persistent, active;
};

static struct {
	const char *file;
	int rank, ranks;
	bool recording, threads;
	pthread_mutex_t lock;
	int keyval; // of the attribute of a communicator that holds its members
	uint64_t begun, lost;
	struct chunk *first, *last;
	struct pending *bucket[BUCKETS], *unused;
	struct members *world;
	struct group { // how many communicators with the same members there have been
		struct group *next;
		uint32_t hash, seen;
	} * groups;
} recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void enter(void)
{
	if (recorder.threads)
		pthread_mutex_lock(&recorder.lock);
}

static void leave(void)
{
	if (recorder.threads)
		pthread_mutex_unlock(&recorder.lock);
}

int64_t recorder_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static struct chunk *chunk_add(void)
{
	struct chunk *chunk = malloc(sizeof(*chunk));

	if (!chunk)
		return NULL;
	memset(chunk, 0, sizeof(*chunk)); // its pages are there before they are needed
	if (recorder.last)
		recorder.last->next = chunk;
	else
		recorder.first = chunk;
	return recorder.last = chunk;
}

void recorder_put(struct operation *op)
{
	struct chunk *chunk;

	if (!recorder.recording || !op->name)
		return;
	op->end_ns = recorder_now();
	enter();
	chunk = recorder.last;
	if (!chunk || chunk->count == CHUNK_OPERATIONS)
		chunk = chunk_add();
	if (chunk)
		chunk->operations[chunk->count++] = *op;
	else
		recorder.lost++;
	leave();
}

// FNV-1a (Fowler, Noll, Vo) of the members' ranks. Between two groups the sum of both, the same seen from either side.
static uint32_t group_hash(MPI_Group group, MPI_Group world, int count, int32_t *ranks)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < count; i++) {
		PMPI_Group_translate_ranks(group, 1, &i, world, &ranks[i]);
		if (ranks[i] == MPI_UNDEFINED)
			ranks[i] = -1;
		hash = (hash ^ (uint32_t)ranks[i]) * 16777619u;
	}
	return hash;
}

static uint32_t remote_hash(MPI_Comm comm, MPI_Group world)
{
	MPI_Group group;
	int32_t *ranks;
	uint32_t hash = 0;
	int count;

	PMPI_Comm_group(comm, &group);
	PMPI_Group_size(group, &count);
	ranks = calloc((size_t)count, sizeof(*ranks));
	if (ranks)
		hash = group_hash(group, world, count, ranks);
	free(ranks);
	PMPI_Group_free(&group);
	return hash;
}

// How many communicators of this hash there were before.
static uint32_t seen_before(uint32_t hash)
{
	struct group *g = recorder.groups;

	while (g && g->hash != hash)
		g = g->next;
	if (g)
		return g->seen++;
	g = malloc(sizeof(*g));
	if (g)
		*g = (struct group){.next = recorder.groups, .hash = hash, .seen = 1};
	recorder.groups = g ? g : recorder.groups;
	return 0;
}

// The number needs no communication: ranks make communicators of the same members in the same order.
static struct members *members_make(MPI_Comm comm)
{
	MPI_Group group, world;
	struct members *m;
	uint32_t hash;
	int inter, count;

	PMPI_Comm_test_inter(comm, &inter);
	if (inter)
		PMPI_Comm_remote_group(comm, &group);
	else
		PMPI_Comm_group(comm, &group);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_size(group, &count);
	m = calloc(1, sizeof(*m) + (size_t)count * sizeof(*m->world));
	if (m) {
		m->count = count;
		hash = group_hash(group, world, count, m->world) + (inter ? remote_hash(comm, world) : 0);
		m->number = comm == MPI_COMM_WORLD ? 0 : (hash ^ seen_before(hash)) * 2654435761u | 1;
	}
	PMPI_Group_free(&group);
	PMPI_Group_free(&world);
	return m;
}

const struct members *recorder_members(MPI_Comm comm)
{
	struct members *m;
	int found = 0;

	if (!recorder.recording || comm == MPI_COMM_WORLD)
		return recorder.world;
	PMPI_Comm_get_attr(comm, recorder.keyval, &m, &found);
	if (found)
		return m;
	enter();
	m = members_make(comm);
	leave();
	if (m)
		PMPI_Comm_set_attr(comm, recorder.keyval, m);
	return m;
}

void recorder_new(MPI_Comm comm)
{
	if (recorder.recording && comm != MPI_COMM_NULL)
		recorder_members(comm);
}

void recorder_begin(bool threads)
{
	recorder.file = getenv("FLIT_MPI_RECORD");
	if (!recorder.file || !*recorder.file)
		return;
	recorder.threads = threads;
	PMPI_Comm_rank(MPI_COMM_WORLD, &recorder.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &recorder.ranks);
	PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &recorder.keyval, NULL);
	recorder.world = members_make(MPI_COMM_WORLD);
	recorder.recording = recorder.world && chunk_add();
	if (!recorder.recording)
		fprintf(stderr, "MPI record: rank %d: no memory\n", recorder.rank);
}

static bool operations_write(FILE *out)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	uint64_t count = 0;
	int length;

	PMPI_Get_library_version(version, &length);
	version[strcspn(version, "\r\n\t")] = '\0';
	fprintf(out, "# MPI record 1\n# rank %d of %d\n# library %s\n", recorder.rank, recorder.ranks, version);
	fprintf(out, "# number begin end operation source destination tag communicator bytes\n");
	for (const struct chunk *chunk = recorder.first; chunk; chunk = chunk->next)
		for (int i = 0; i < chunk->count; i++, count++) {
			const struct operation *op = &chunk->operations[i];

			fprintf(out,
				"%" PRIu64 "\t%" PRId64 ".%09" PRId64 "\t%" PRId64 ".%09" PRId64 "\t%s\t%d\t%d\t%d\t%" PRIu32
				"\t%" PRIu64 "\n",
				op->number, op->begin_ns / 1000000000, op->begin_ns % 1000000000, op->end_ns / 1000000000,
				op->end_ns % 1000000000, op->name, op->src, op->dst, op->tag,
				op->members ? op->members->number : 0, op->bytes);
		}
	fprintf(out, "# lost %" PRIu64 "\n# end %" PRIu64 "\n", recorder.lost, count);
	return !ferror(out);
}

void recorder_end(void)
{
	char name[4096];
	FILE *out;
	bool written;

	if (!recorder.recording)
		return;
	recorder.recording = false;
	snprintf(name, sizeof(name), "%s.%d", recorder.file, recorder.rank);
	out = fopen(name, "we");
	written = out && operations_write(out);
	if (out && fclose(out) != 0)
		written = false;
	if (!written)
		fprintf(stderr, "MPI record: %s: %s\n", name, strerror(errno));
}

static __attribute__((destructor)) void at_exit(void)
{
	recorder_end();
}

int64_t recorder_size(int64_t count, MPI_Datatype type)
{
	MPI_Count size = 0;

	PMPI_Type_size_x(type, &size);
	return size > 0 ? count * size : 0;
}

static struct operation begin(const char *name)
{
	enter();
	struct operation op = {.number = recorder.begun++, .begin_ns = recorder_now(), .name = name, .src = -1, .dst = -1};

	leave();
	return op;
}

static int32_t world_rank(const struct members *m, int rank)
{
	return m && rank >= 0 && rank < m->count ? m->world[rank] : -1;
}

// An operation without a name is not kept.
struct operation recorder_send(const char *name, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
	const struct members *m;
	struct operation op;

	if (!recorder.recording || peer == MPI_PROC_NULL)
		return (struct operation){0};
	m = recorder_members(comm);
	op = begin(name);
	op.bytes = (uint64_t)recorder_size(count, type);
	op.src = recorder.rank;
	op.dst = world_rank(m, peer);
	op.tag = tag;
	op.members = m;
	return op;
}

struct operation recorder_recv(const char *name, MPI_Comm comm)
{
	const struct members *m;
	struct operation op;

	if (!recorder.recording)
		return (struct operation){0};
	m = recorder_members(comm);
	op = begin(name);
	op.dst = recorder.rank;
	op.members = m;
	return op;
}

struct operation recorder_collective(const char *name, int64_t bytes, int root, MPI_Comm comm)
{
	struct operation op = recorder_recv(name, comm);

	if (!op.name)
		return op;
	op.bytes = (uint64_t)bytes;
	op.src = recorder.rank;
	if (root >= 0)
		op.dst = world_rank(op.members, root);
	return op;
}

void recorder_put_recv(struct operation *op, MPI_Status *status)
{
	MPI_Count bytes = 0;
	int cancelled = 0;

	if (!op->name || status->MPI_SOURCE == MPI_PROC_NULL)
		return;
	PMPI_Test_cancelled(status, &cancelled);
	if (cancelled)
		return;
	PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
	op->bytes = (uint64_t)bytes;
	op->src = world_rank(op->members, status->MPI_SOURCE);
	op->tag = status->MPI_TAG;
	recorder_put(op);
}

static uint64_t key_of(const void *handle, size_t size)
{
	uint64_t key = 0;

	memcpy(&key, handle, size);
	return key;
}

// The place that holds the first pending operation of a key, or the end of its bucket's list.
static struct pending **find(uint64_t key)
{
	struct pending **p = &recorder.bucket[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 52];

	while (*p && (*p)->key != key)
		p = &(*p)->next;
	return p;
}

static void pending_add(uint64_t key, const struct operation *op, bool receive, bool persistent)
{
	struct pending *p, **end;

	enter();
	p = recorder.unused;
	if (p)
		recorder.unused = p->next;
	else
		p = malloc(sizeof(*p));
	if (p) {
		*p = (struct pending){
			.key = key, .op = *op, .receive = receive, .persistent = persistent, .active = !persistent};
		for (end = find(key); *end; end = &(*end)->next)
			;
		*end = p;
	} else {
		recorder.lost++;
	}
	leave();
}

void recorder_pending(MPI_Request request, const struct operation *op, bool receive, bool persistent)
{
	if (op->name && request != MPI_REQUEST_NULL)
		pending_add(key_of(&request, sizeof(request)), op, receive, persistent);
}

static void drop(struct pending **place)
{
	struct pending *p = *place;

	*place = p->next;
	p->next = recorder.unused;
	recorder.unused = p;
}

void recorder_started(MPI_Request request)
{
	struct operation begun = begin("");
	struct pending *p;

	enter();
	p = *find(key_of(&request, sizeof(request)));
	if (p) {
		p->op.number = begun.number;
		p->op.begin_ns = begun.begin_ns;
		p->active = true;
	}
	leave();
}

void recorder_ended(MPI_Request request, MPI_Status *status)
{
	struct pending **place, p;
	bool ended;

	if (!recorder.recording || request == MPI_REQUEST_NULL)
		return;
	enter();
	place = find(key_of(&request, sizeof(request)));
	ended = *place && (*place)->active;
	if (ended) {
		p = **place;
		if (p.persistent)
			(*place)->active = false;
		else
			drop(place);
	}
	leave();
	if (!ended)
		return;
	if (p.receive)
		recorder_put_recv(&p.op, status);
	else
		recorder_put(&p.op);
}

// A send whose request is freed goes on; a receive is not heard of again.
void recorder_freed(MPI_Request request)
{
	struct pending **place, p = {.receive = true};

	if (!recorder.recording || request == MPI_REQUEST_NULL)
		return;
	enter();
	place = find(key_of(&request, sizeof(request)));
	if (*place) {
		p = **place;
		drop(place);
	}
	leave();
	if (!p.receive && p.active)
		recorder_put(&p.op);
}

void recorder_probed(MPI_Message message, MPI_Comm comm)
{
	struct operation op = recorder_recv("recv", comm);

	if (op.name && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
		pending_add(key_of(&message, sizeof(message)), &op, true, false);
}

struct operation recorder_probed_take(MPI_Message message, const char *name)
{
	struct pending **place;
	struct operation op = {0};

	enter();
	place = find(key_of(&message, sizeof(message)));
	if (*place) {
		op = (*place)->op;
		op.name = name;
		drop(place);
	}
	leave();
	return op;
}
