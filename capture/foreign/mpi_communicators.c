// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/mpi_communicators.h"
#include "value/grow.h"

#include <stdlib.h>

struct mpi_communicator *mpi_communicators_find(struct mpi_communicators *set, uint32_t number)
{
	for (size_t i = 0; i < set->count; i++) {
		const size_t at =
			(set->last + i) %
			set->count; // most calls are on the communicator of the call before

		if (set->items[at].number == number) {
			set->last = at;
			return &set->items[at];
		}
	}
	return NULL;
}

enum tr_status mpi_communicators_add(struct mpi_communicators *set, const struct mpi_record *record,
				     uint64_t number, const struct rec_slot *slot,
				     struct tr_error *err)
{
	const uint32_t count = (uint32_t)slot->sent_bytes, local = (uint32_t)slot->received_bytes;
	struct mpi_communicator made = {
		.number = slot->communicator, .nth = (uint32_t)slot->tag, .count = count};
	uint32_t from = 0;

	if (mpi_communicators_find(set, made.number))
		return TR_OK;
	if (slot->sent_bytes == 0 || slot->sent_bytes > (uint64_t)slot->data * REC_DATA_I32 ||
	    slot->received_bytes >= slot->sent_bytes || made.number == 0)
		return mpi_record_fail(record, number,
				       "expected a communicator's members, found fewer or none",
				       err);
	if (!GROW(set->items, set->capacity, set->count))
		return tr_no_memory(err, "communicators");
	made.members = calloc(count, sizeof(*made.members));
	if (!made.members)
		return tr_no_memory(err, "members of communicators");
	if (local > 0) {
		from = mpi_record_i32(record, number, 0) < mpi_record_i32(record, number, local)
			       ? 0
			       : local;
		made.first_group = from == 0 ? local : count - local;
	}
	for (uint32_t i = 0; i < count; i++)
		made.members[i] = (uint32_t)mpi_record_i32(record, number, (from + i) % count);
	set->items[set->count++] = made;
	return TR_OK;
}

static int by_nth(const void *one, const void *other)
{
	const struct mpi_communicator *a = one, *b = other;

	if (a->nth != b->nth)
		return a->nth < b->nth ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void mpi_communicators_sort(struct mpi_communicators *set)
{
	if (set->count > 0)
		qsort(set->items, set->count, sizeof(*set->items), by_nth);
}

enum tr_status mpi_communicators_give(struct mpi_communicators *set, struct events *events,
				      uint32_t rank, struct tr_error *err)
{
	for (size_t i = 0; i < set->count; i++) {
		struct mpi_communicator *c = &set->items[i];
		bool member = false, whole = true;

		for (uint32_t m = 0; m < c->count; m++) {
			member |= c->members[m] == rank;
			whole &= c->members[m] < events->ranks;
		}
		c->own = EVENT_NOBODY;
		if (member && whole &&
		    events_communicator(events, rank, c->members, c->count, &c->own, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

void mpi_communicators_clear(struct mpi_communicators *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->items[i].members);
	free(set->items);
	*set = (struct mpi_communicators){0};
}
