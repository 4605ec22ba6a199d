// SPDX-License-Identifier: GPL-3.0-or-later
// Communicators: their members, as ranks of MPI_COMM_WORLD, and a number that is equal on all their ranks. The number needs no message:
// ranks make communicators of the same members in the same order (MPI 4.0, section 7.4), so a hash of the members and of how many there
// were before is known to each.
#include "recorder.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"

REAL(Comm_rank)
REAL(Comm_size)
REAL(Comm_group)
REAL(Comm_remote_group)
REAL(Comm_test_inter)
REAL(Comm_create_keyval)
REAL(Comm_get_attr)
REAL(Comm_set_attr)
REAL(Group_size)
REAL(Group_free)
REAL(Group_translate_ranks)

enum { BUCKETS = 1024 };

struct entry { // of all communicators that there were, by number
	struct entry *next;
	struct members *members;
};

static struct {
	int keyval; // of the attribute of a communicator that holds its members
	struct members *world;
	_Atomic(struct entry *) numbered[BUCKETS];
	atomic_flag held; // groups
	struct group {	  // how many communicators with the same members there have been
		struct group *next;
		uint32_t hash, seen;
	} * groups;
} communicators;

int32_t members_world(const struct members *m, int rank)
{
	if (!m || rank < 0 || rank >= m->count)
		return REC_PEER_NONE;
	return m->number == 0 ? rank : m->world[rank];
}

// The ranks of a group in MPI_COMM_WORLD. NULL: no memory.
static int32_t *ranks_of(MPI_Group group, int *count)
{
	MPI_Group world;
	int *own, *all;

	real_Group_size(group, count);
	own = calloc((size_t)*count + 1, sizeof(*own));
	all = calloc((size_t)*count + 1, sizeof(*all));
	if (own && all) {
		for (int i = 0; i < *count; i++)
			own[i] = i;
		real_Comm_group(MPI_COMM_WORLD, &world);
		real_Group_translate_ranks(group, *count, own, world, all);
		real_Group_free(&world);
		for (int i = 0; i < *count; i++)
			if (all[i] == MPI_UNDEFINED)
				all[i] = REC_PEER_NONE;
	} else {
		free(all);
		all = NULL;
	}
	free(own);
	return all;
}

// FNV-1a (Fowler, Noll, Vo).
static uint32_t hash_of(const int32_t *ranks, int count)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < count; i++)
		hash = (hash ^ (uint32_t)ranks[i]) * 16777619u;
	return hash;
}

// The members that operations name, and a hash of all: between two groups the sum of both, the same from either side. NULL: no memory.
static struct members *members_read(MPI_Comm comm, uint32_t *hash)
{
	MPI_Group local, remote;
	int32_t *ranks, *others = NULL;
	struct members *m = NULL;
	int inter, count, other_count;

	real_Comm_test_inter(comm, &inter);
	real_Comm_group(comm, &local);
	ranks = ranks_of(local, &count);
	*hash = ranks ? hash_of(ranks, count) : 0;
	if (inter && ranks) {
		real_Comm_remote_group(comm, &remote);
		others = ranks_of(remote, &other_count);
		*hash += others ? hash_of(others, other_count) : 0;
		real_Group_free(&remote);
		free(ranks);
		ranks = others;
		count = other_count;
	}
	real_Group_free(&local);
	if (ranks)
		m = calloc(1, sizeof(*m) + (size_t)count * sizeof(*ranks));
	if (m) {
		m->count = count;
		m->inter = inter;
		memcpy(m->world, ranks, (size_t)count * sizeof(*ranks));
		real_Comm_rank(comm, &m->rank);
	}
	free(ranks);
	return m;
}

// How many communicators of this hash there were before.
static uint32_t seen_before(uint32_t hash)
{
	struct group *g;
	uint32_t seen = 0;

	while (atomic_flag_test_and_set_explicit(&communicators.held, memory_order_acquire))
		;
	for (g = communicators.groups; g && g->hash != hash; g = g->next)
		;
	if (g) {
		seen = g->seen++;
	} else if ((g = malloc(sizeof(*g))) != NULL) {
		*g = (struct group){.next = communicators.groups, .hash = hash, .seen = 1};
		communicators.groups = g;
	}
	atomic_flag_clear_explicit(&communicators.held, memory_order_release);
	return seen;
}

// Never 0, which is MPI_COMM_WORLD.
static uint32_t number_of(uint32_t hash)
{
	return (hash ^ seen_before(hash) * 2246822519u) * 2654435761u | 1;
}

static void write_down(const struct members *m)
{
	const unsigned data = ((unsigned)m->count + REC_DATA_I32 - 1) / REC_DATA_I32;
	struct rec_slot *slot;
	uint64_t number;

	if (!buffer_take(1 + data, &number))
		return;
	for (unsigned i = 0; i < (unsigned)m->count; i++) {
		slot = buffer_slot(number + 1 + i / REC_DATA_I32);
		slot->kind = REC_DATA;
		memcpy((char *)slot + 8 + i % REC_DATA_I32 * sizeof(*m->world), &m->world[i], sizeof(*m->world));
	}
	slot = buffer_slot(number);
	slot->communicator = m->number;
	slot->begin_ns = slot->return_ns = recorder_now();
	slot->sent_bytes = (uint64_t)m->count;
	slot->peer = m->rank;
	slot->tag = m->inter;
	slot->data = data;
	__atomic_store_n(&slot->kind, REC_COMMUNICATOR, __ATOMIC_RELEASE);
}

static void enter_number(struct members *m)
{
	struct entry *e = malloc(sizeof(*e));
	_Atomic(struct entry *) *first = &communicators.numbered[m->number % BUCKETS];

	if (!e)
		return;
	e->members = m;
	e->next = atomic_load(first);
	while (!atomic_compare_exchange_weak(first, &e->next, e))
		;
}

static const struct members *keep(MPI_Comm comm, struct members *m, uint32_t number)
{
	m->number = number;
	real_Comm_set_attr(comm, communicators.keyval, m);
	enter_number(m);
	write_down(m);
	return m;
}

const struct members *members_numbered(uint32_t number)
{
	const struct entry *e;

	if (number == 0)
		return communicators.world;
	e = atomic_load(&communicators.numbered[number % BUCKETS]);
	while (e && e->members->number != number)
		e = e->next;
	return e ? e->members : NULL;
}

const struct members *members_of(MPI_Comm comm)
{
	struct members *m;
	uint32_t hash;
	int found = 0;

	if (comm == MPI_COMM_WORLD)
		return communicators.world;
	real_Comm_get_attr(comm, communicators.keyval, &m, &found);
	if (found)
		return m;
	m = members_read(comm, &hash);
	return m ? keep(comm, m, number_of(hash)) : NULL;
}

void communicator_new(MPI_Comm comm)
{
	if (comm != MPI_COMM_NULL)
		members_of(comm);
}

uint32_t communicator_next(MPI_Comm comm)
{
	uint32_t hash;
	struct members *m = members_read(comm, &hash);

	free(m);
	return number_of(hash);
}

void communicator_numbered(MPI_Comm comm, uint32_t number)
{
	uint32_t hash;
	struct members *m = members_read(comm, &hash);

	if (m)
		keep(comm, m, number);
}

// A copy of a communicator is one of its own.
static int not_copied(MPI_Comm comm, int keyval, void *extra, void *value, void *out, int *copied)
{
	(void)comm, (void)keyval, (void)extra, (void)value, (void)out;
	*copied = 0;
	return MPI_SUCCESS;
}

// An operation may outlive its communicator, and so do the members.
static int not_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm, (void)keyval, (void)value, (void)extra;
	return MPI_SUCCESS;
}

void communicators_start(void)
{
	real_Comm_create_keyval(not_copied, not_deleted, &communicators.keyval, NULL);
	communicators.world = calloc(1, sizeof(*communicators.world));
	if (communicators.world) {
		real_Comm_size(MPI_COMM_WORLD, &communicators.world->count);
		real_Comm_rank(MPI_COMM_WORLD, &communicators.world->rank);
	}
}
