// SPDX-License-Identifier: GPL-3.0-or-later
// Communicators: their members, as ranks of MPI_COMM_WORLD, and a number that is equal on all their
// ranks. The number needs no message: ranks make communicators of the same members in the same
// order (MPI 4.0, section 7.4), so a hash of the members and of how many there were before is known
// to each.
#include "recorder.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rank_file.h"

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

static struct {
	int keyval; // of the attribute of a communicator that holds its members
	struct members world;
	atomic_flag held; // groups
	struct group {	  // how many communicators with the same members there have been
		struct group *next;
		uint32_t hash, seen;
	} * groups;
} communicators;

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
static uint32_t members_hash_of(const int32_t *ranks, int count)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < count; i++)
		hash = (hash ^ (uint32_t)ranks[i]) * 16777619u;
	return hash;
}

// What all its ranks see alike but for who stands first: its members, and a hash of them.
struct members_group_list {
	int32_t *ranks; // to be freed; NULL: no memory
	int count;
	int local; // of a communicator between two groups, those of this process's group, which are
		   // first; else 0
	uint32_t hash;
};

static struct members_group_list list_of(MPI_Comm comm)
{
	struct members_group_list list = {0};
	MPI_Group group;
	int inter;

	real_Comm_test_inter(comm, &inter);
	real_Comm_group(comm, &group);
	list.ranks = ranks_of(group, &list.count);
	real_Group_free(&group);
	list.hash = list.ranks ? members_hash_of(list.ranks, list.count) : 0;
	if (inter && list.ranks) {
		int32_t *others, *both;
		int more;

		real_Comm_remote_group(comm, &group);
		others = ranks_of(group, &more);
		real_Group_free(&group);
		both = others ? realloc(list.ranks, (size_t)(list.count + more) * sizeof(*both))
			      : NULL;
		if (!both)
			free(list.ranks);
		else
			memcpy(both + list.count, others, (size_t)more * sizeof(*both));
		list.hash += others ? members_hash_of(others, more)
				    : 0; // the same from either side
		list.ranks = both;
		list.local = list.count;
		list.count += more;
		free(others);
	}
	return list;
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

static void members_write_down(const struct members_group_list *list, const struct members *m)
{
	const unsigned data = ((unsigned)list->count + REC_DATA_I32 - 1) / REC_DATA_I32;
	struct rec_slot *slot;
	uint64_t number;

	if (!rank_file_take(1 + data, &number))
		return;
	for (unsigned i = 0; i < (unsigned)list->count; i++) {
		slot = rank_file_slot(number + 1 + i / REC_DATA_I32);
		slot->kind = REC_DATA;
		memcpy((char *)slot + 8 + i % REC_DATA_I32 * sizeof(*list->ranks), &list->ranks[i],
		       sizeof(*list->ranks));
	}
	slot = rank_file_slot(number);
	slot->communicator = m->number;
	slot->begin_ns = slot->return_ns = recorder_now();
	slot->sent_bytes = (uint64_t)list->count;
	slot->received_bytes = (uint64_t)list->local;
	slot->peer = REC_PEER_NONE;
	slot->tag = (int32_t)m->nth;
	slot->data = data;
	__atomic_store_n(&slot->kind, REC_COMMUNICATOR, __ATOMIC_RELEASE);
}

// Numbers it as the nth of its members. The number is never 0, which is MPI_COMM_WORLD's.
static const struct members *members_keep(MPI_Comm comm, const struct members_group_list *list,
					  uint32_t nth)
{
	struct members *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->nth = nth;
	m->number = (list->hash ^ nth * 2246822519u) * 2654435761u | 1;
	m->inter = list->local > 0;
	m->count = m->inter ? list->count - list->local : list->count;
	real_Comm_rank(comm, &m->rank);
	real_Comm_set_attr(comm, communicators.keyval, m);
	members_write_down(list, m);
	return m;
}

const struct members *members_of(MPI_Comm comm)
{
	const struct members *m;
	struct members_group_list list;
	int found = 0;

	if (comm == MPI_COMM_WORLD)
		return &communicators.world;
	real_Comm_get_attr(comm, communicators.keyval, &m, &found);
	if (found)
		return m;
	list = list_of(comm);
	m = list.ranks ? members_keep(comm, &list, seen_before(list.hash)) : NULL;
	free(list.ranks);
	return m;
}

void communicator_new(MPI_Comm comm)
{
	if (comm != MPI_COMM_NULL)
		members_of(comm);
}

uint32_t communicator_next(MPI_Comm comm)
{
	struct members_group_list list = list_of(comm);

	free(list.ranks);
	return seen_before(list.hash);
}

void communicator_numbered(MPI_Comm comm, uint32_t nth)
{
	struct members_group_list list = list_of(comm);

	if (list.ranks)
		members_keep(comm, &list, nth);
	free(list.ranks);
}

// A copy of a communicator is one of its own.
static int not_copied(MPI_Comm comm, int keyval, void *extra, void *value, void *out, int *copied)
{
	(void)comm, (void)keyval, (void)extra, (void)value, (void)out;
	*copied = 0;
	return MPI_SUCCESS;
}

// What an operation knows of its communicator stays: it may outlive it.
static int not_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm, (void)keyval, (void)value, (void)extra;
	return MPI_SUCCESS;
}

void communicators_start(void)
{
	real_Comm_create_keyval(not_copied, not_deleted, &communicators.keyval, NULL);
	real_Comm_size(MPI_COMM_WORLD, &communicators.world.count);
	real_Comm_rank(MPI_COMM_WORLD, &communicators.world.rank);
}
