// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder's files (man/flit-mpi.5) as events: each rank's is read twice, for the communicators
// of all ranks first.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/foreign.h"
#include "foreign/mpi_communicators.h"
#include "foreign/mpi_record.h"

struct mpi_events_reading {
	const struct foreign_input *input;
	struct events *events;
	uint32_t ranks;
	uint64_t run;
	int64_t origin_ns; // of tick 0, from the epoch
	struct mpi_communicators communicators;
	size_t *order;	  // of files, by rank, where all are given
	uint64_t *counts; // of one collective operation, a member each
};

// ---- files

// Opens the file of a rank: that given, or the one whose name differs from the first's in the
// number at its end.
static enum tr_status open_rank(const struct mpi_events_reading *reading, uint32_t rank,
				struct tr_source **out, struct tr_error *err)
{
	const struct foreign_input *input = reading->input;
	const char *first = input->paths[0], *dot = strrchr(first, '.');
	char path[PATH_MAX];

	if (rank == 0 && reading->ranks == 0)
		return input->open(input->context, NULL, first, out, err);
	if (input->count > 1)
		return input->open(input->context, NULL, input->paths[reading->order[rank]], out,
				   err);
	if (reading->ranks == 1)
		return input->open(input->context, NULL, first, out, err);
	if (!dot || dot[1] == '\0' || dot[1 + strspn(dot + 1, "0123456789")] != '\0')
		return tr_fail(
			err,
			"%s: one of %" PRIu32
			" ranks: expected all files, or a name that ends with the rank, as run.0",
			first, reading->ranks);
	if (snprintf(path, sizeof(path), "%.*s.%" PRIu32, (int)(dot - first), first, rank) >=
	    (int)sizeof(path))
		return tr_fail(err, "%s: the name is too long", first);
	return input->open(input->context, NULL, path, out, err);
}

static enum tr_status mpi_events_read_file(struct mpi_record *record, struct tr_source *source,
					   struct tr_error *err)
{
	enum tr_status status = mpi_record_read(record, source, err);

	tr_source_close(source);
	return status;
}

static enum tr_status mpi_events_read_rank(const struct mpi_events_reading *reading, uint32_t rank,
					   struct mpi_record *record, struct tr_error *err)
{
	struct tr_source *source;

	if (open_rank(reading, rank, &source, err) != TR_OK ||
	    mpi_events_read_file(record, source, err) != TR_OK)
		return TR_ERROR;
	if (record->run != reading->run || record->ranks != reading->ranks || record->rank != rank)
		return tr_fail(err,
			       "%s: expected rank %" PRIu32 " of %" PRIu32 ", of run %016" PRIx64
			       "; found rank %" PRIu32 " of %" PRIu32 ", of run %016" PRIx64,
			       record->name, rank, reading->ranks, reading->run, record->rank,
			       record->ranks, record->run);
	return TR_OK;
}

// Finds out which of the files is which rank's.
static enum tr_status order_files(struct mpi_events_reading *reading, struct tr_error *err)
{
	const struct foreign_input *input = reading->input;
	enum tr_status status = TR_OK;

	if (input->count != reading->ranks)
		return tr_fail(err, "%s: expected the files of %" PRIu32 " ranks, found %zu",
			       input->paths[0], reading->ranks, input->count);
	reading->order = calloc(reading->ranks, sizeof(*reading->order));
	if (!reading->order)
		return tr_no_memory(err, "the order of files");
	for (size_t i = 0; i < input->count && status == TR_OK; i++) {
		struct mpi_record record = {0};
		struct tr_source *source;

		status = input->open(input->context, NULL, input->paths[i], &source, err);
		if (status == TR_OK)
			status = mpi_events_read_file(&record, source, err);
		if (status == TR_OK && record.rank < reading->ranks)
			reading->order[record.rank] = i;
		mpi_record_clear(&record);
	}
	return status;
}

// ---- communicators, and the first time

static enum tr_status mpi_events_collect(struct mpi_events_reading *reading,
					 const struct mpi_record *record, struct tr_error *err)
{
	for (uint64_t i = 0; i < record->slots; i++) {
		const struct rec_slot slot = mpi_record_slot(record, i);

		if (slot.kind == REC_COMMUNICATOR &&
		    mpi_communicators_add(&reading->communicators, record, i, &slot, err) != TR_OK)
			return TR_ERROR;
		if (slot.kind >= REC_SEND && slot.begin_ns > 0) {
			const int64_t begin_ns = mpi_record_time(record, slot.begin_ns);

			if (begin_ns < reading->origin_ns)
				reading->origin_ns = begin_ns;
		}
	}
	return TR_OK;
}

// ---- events of one rank

struct rank_reading {
	struct mpi_events_reading *reading;
	const struct mpi_record *record;
	uint32_t rank;
	int64_t last_ns; // the end of the call before
	uint64_t *first; // by slot of a wait: 1 + the first operation that it ended
	uint64_t *next;	 // by operation: 1 + the next of the same wait
};

static enum tr_status mpi_events_put(struct rank_reading *r, struct event event, int64_t begin_ns,
				     int64_t end_ns, uint64_t number, struct tr_error *err)
{
	struct mpi_events_reading *reading = r->reading;
	struct tr_error why;

	event.begin_ticks = mpi_record_time(r->record, begin_ns) - reading->origin_ns;
	event.end_ticks = mpi_record_time(r->record, end_ns) - reading->origin_ns;
	r->last_ns = end_ns;
	if (events_add(reading->events, r->rank, &event, number, &why) == TR_OK)
		return TR_OK;
	return mpi_record_fail(r->record, number, why.text, err);
}

// A process that was killed within a call has no end of it.
static int64_t mpi_events_end_of(const struct rec_slot *slot)
{
	return slot->return_ns > 0 ? slot->return_ns : slot->begin_ns;
}

// Calls that left no slot are one call before this one.
static enum tr_status put_others(struct rank_reading *r, const struct rec_slot *slot,
				 uint64_t number, struct tr_error *err)
{
	int64_t begin_ns = slot->begin_ns - (int64_t)slot->other_ns;

	if (slot->other_ns == 0 || slot->begin_ns <= r->last_ns)
		return TR_OK;
	if (begin_ns < r->last_ns)
		begin_ns = r->last_ns;
	return mpi_events_put(r, (struct event){.kind = EVENT_CALL}, begin_ns, slot->begin_ns,
			      number, err);
}

static enum tr_status mpi_events_put_wait(struct rank_reading *r, uint64_t number, int64_t begin_ns,
					  int64_t end_ns, struct tr_error *err)
{
	return mpi_events_put(r,
			      (struct event){.kind = EVENT_WAIT,
					     .peer = EVENT_ANY,
					     .tag = EVENT_ANY_TAG,
					     .bytes = UINT64_MAX},
			      begin_ns, end_ns, number, err);
}

// The rank's own number of a communicator, and what to add to a peer of the other group; false: it
// is not known.
static bool mpi_events_communicator_of(const struct rank_reading *r, uint32_t number, uint32_t *own,
				       uint32_t *add, bool *groups)
{
	const struct mpi_communicator *c = mpi_communicators_find(&r->reading->communicators,
								  number);

	*own = EVENT_WORLD;
	*add = 0;
	*groups = false;
	if (number == 0)
		return true;
	if (!c)
		return false;
	*own = c->own;
	*groups = c->first_group > 0;
	for (uint32_t i = 0; i < c->first_group; i++)
		if (c->members[i] == r->rank)
			*add = c->first_group;
	return *own != EVENT_NOBODY;
}

// What it was, in its own words. A receive that never got a message, from any source, may have been
// for any.
static struct event point_event(const struct rank_reading *r, const struct rec_slot *slot,
				bool later)
{
	const bool send = slot->kind == REC_SEND || slot->kind == REC_ISEND;
	struct event event = {.kind = EVENT_CALL};
	uint32_t own, add;
	bool groups;

	if (slot->state & REC_FAILED || slot->peer < 0 ||
	    !mpi_events_communicator_of(r, slot->communicator, &own, &add, &groups))
		return event;
	event.kind = send ? (later ? EVENT_ISEND : EVENT_SEND) : later ? EVENT_IRECV : EVENT_RECV;
	event.bytes = send ? slot->sent_bytes : slot->received_bytes;
	event.peer = (uint32_t)slot->peer + add;
	event.tag = slot->tag == EVENT_ANY_TAG ? EVENT_ANY_TAG + 1 : slot->tag;
	event.communicator = own;
	return event;
}

static const uint8_t collectives[][2] = {
	{REC_BARRIER, COLLECTIVE_BARRIER},
	{REC_BCAST, COLLECTIVE_BCAST},
	{REC_REDUCE, COLLECTIVE_REDUCE},
	{REC_ALLREDUCE, COLLECTIVE_ALLREDUCE},
	{REC_SCAN, COLLECTIVE_SCAN},
	{REC_EXSCAN, COLLECTIVE_EXSCAN},
	{REC_REDUCE_SCATTER, COLLECTIVE_REDUCE_SCATTER},
	{REC_GATHER, COLLECTIVE_GATHER},
	{REC_ALLGATHER, COLLECTIVE_ALLGATHER},
	{REC_SCATTER, COLLECTIVE_SCATTER},
	{REC_ALLTOALL, COLLECTIVE_ALLTOALL},
	{REC_ALLTOALLV, COLLECTIVE_ALLTOALL},
};

// What a collective event counts as its bytes (rank_events.h), of what the rank gave and got.
static uint64_t collective_bytes(const struct rec_slot *slot, uint32_t members)
{
	switch (slot->kind) {
	case REC_BCAST: return slot->sent_bytes + slot->received_bytes; // one of them is 0
	case REC_SCATTER: return slot->received_bytes;
	case REC_ALLTOALL: return slot->sent_bytes / members;
	default: return slot->sent_bytes;
	}
}

static enum tr_status mpi_events_counts_of(struct rank_reading *r, uint64_t number,
					   const struct rec_slot *slot, uint32_t members,
					   struct event *event, struct tr_error *err)
{
	if ((uint64_t)slot->data * REC_DATA_U64 < members)
		return mpi_record_fail(r->record, number,
				       "expected a count for each member, found fewer", err);
	for (uint32_t i = 0; i < members; i++)
		r->reading->counts[i] = mpi_record_u64(r->record, number, i);
	return events_add_counts(r->reading->events, r->reading->counts, members, &event->counts,
				 err);
}

// Between two groups a collective operation is another one on each side: it is left out.
static enum tr_status mpi_events_put_collective(struct rank_reading *r, uint64_t number,
						const struct rec_slot *slot, struct tr_error *err)
{
	struct event event = {.kind = EVENT_CALL};
	uint32_t own, add, members = r->reading->ranks;
	bool groups;
	const bool known = mpi_events_communicator_of(r, slot->communicator, &own, &add, &groups);

	r->reading->events->between += known && groups;
	if (known && !groups && !(slot->state & REC_FAILED)) {
		if (slot->communicator != 0)
			members = mpi_communicators_find(&r->reading->communicators,
							 slot->communicator)
					  ->count;
		event.kind = EVENT_COLLECTIVE;
		event.communicator = own;
		event.peer = slot->peer >= 0 ? (uint32_t)slot->peer : EVENT_NOBODY;
		event.pending = slot->state & REC_NONBLOCKING;
		event.bytes = collective_bytes(slot, members);
		for (size_t i = 0; i < sizeof(collectives) / sizeof(*collectives); i++)
			if (collectives[i][0] == slot->kind)
				event.collective = collectives[i][1];
		if (slot->kind == REC_SCATTER &&
		    slot->sent_bytes != slot->received_bytes * members && slot->sent_bytes > 0 &&
		    events_add_counts(r->reading->events, &slot->sent_bytes, 1, &event.counts,
				      err) != TR_OK)
			return TR_ERROR;
		if (slot->kind == REC_ALLTOALLV &&
		    mpi_events_counts_of(r, number, slot, members, &event, err) != TR_OK)
			return TR_ERROR;
	}
	return mpi_events_put(r, event, slot->begin_ns, mpi_events_end_of(slot), number, err);
}

// A send and a receive of one call: both are begun, then waited for. Returns the last slot in
// *number.
static enum tr_status put_joined(struct rank_reading *r, uint64_t *number, struct tr_error *err)
{
	const uint64_t first = *number;
	struct rec_slot slot = mpi_record_slot(r->record, first);
	int64_t begin_ns = slot.begin_ns, end_ns = mpi_events_end_of(&slot);
	uint64_t last = first;

	for (;; last++) {
		const struct event event = point_event(r, &slot, true);
		const bool more = slot.state & REC_JOINED && last + 1 < r->record->slots;

		if (mpi_events_put(r, event, begin_ns,
				   !more && slot.state & REC_NONBLOCKING ? end_ns : begin_ns, last,
				   err) != TR_OK)
			return TR_ERROR;
		if (!more)
			break;
		slot = mpi_record_slot(r->record, last + 1);
		if (slot.kind < REC_SEND || slot.kind > REC_IRECV)
			break;
	}
	*number = last;
	for (uint64_t i = first; i <= last && !(slot.state & REC_NONBLOCKING); i++) {
		if (mpi_events_put_wait(r, i, begin_ns, end_ns, err) != TR_OK)
			return TR_ERROR;
		begin_ns = end_ns;
	}
	return TR_OK;
}

static enum tr_status mpi_events_put_waits(struct rank_reading *r, uint64_t number,
					   const struct rec_slot *slot, struct tr_error *err)
{
	int64_t begin_ns = slot->begin_ns;
	const int64_t end_ns = mpi_events_end_of(slot);

	if (r->first[number] == 0)
		return mpi_events_put(r, (struct event){.kind = EVENT_CALL}, begin_ns, end_ns,
				      number, err);
	for (uint64_t op = r->first[number]; op > 0; op = r->next[op - 1]) {
		if (mpi_events_put_wait(r, op - 1, begin_ns, end_ns, err) != TR_OK)
			return TR_ERROR;
		begin_ns = end_ns;
	}
	return TR_OK;
}

static enum tr_status put_slot(struct rank_reading *r, uint64_t *number, struct tr_error *err)
{
	const struct rec_slot slot = mpi_record_slot(r->record, *number);

	if (slot.kind < REC_SEND)
		return TR_OK;
	if (put_others(r, &slot, *number, err) != TR_OK)
		return TR_ERROR;
	if (slot.kind == REC_WAIT)
		return mpi_events_put_waits(r, *number, &slot, err);
	if (slot.kind >= REC_BARRIER)
		return mpi_events_put_collective(r, *number, &slot, err);
	if (slot.state & REC_JOINED)
		return put_joined(r, number, err);
	return mpi_events_put(r, point_event(r, &slot, slot.state & REC_NONBLOCKING), slot.begin_ns,
			      mpi_events_end_of(&slot), *number, err);
}

// Lists the operations that each wait ended, in the order in which they were begun.
static void list_waits(struct rank_reading *r)
{
	for (uint64_t i = r->record->slots; i-- > 0;) {
		const struct rec_slot slot = mpi_record_slot(r->record, i);

		if (slot.kind >= REC_SEND && slot.kind != REC_WAIT && slot.ended_by > i &&
		    slot.ended_by < r->record->slots &&
		    mpi_record_slot(r->record, slot.ended_by).kind == REC_WAIT) {
			r->next[i] = r->first[slot.ended_by];
			r->first[slot.ended_by] = i + 1;
		}
	}
}

static enum tr_status mpi_events_put_rank(struct mpi_events_reading *reading,
					  const struct mpi_record *record, struct tr_error *err)
{
	struct rank_reading r = {.reading = reading, .record = record, .rank = record->rank};
	enum tr_status status = TR_OK;

	r.first = calloc(record->slots + 1, sizeof(*r.first));
	r.next = calloc(record->slots + 1, sizeof(*r.next));
	if (!r.first || !r.next)
		status = tr_no_memory(err, "the waits of rank %" PRIu32, record->rank);
	else
		list_waits(&r);
	for (uint64_t i = 0; i < record->slots && status == TR_OK; i++)
		status = put_slot(&r, &i, err);
	free(r.first);
	free(r.next);
	return status;
}

// ---- the whole trace

// Calls each for the record of every rank, in their order.
static enum tr_status for_ranks(struct mpi_events_reading *reading,
				enum tr_status (*each)(struct mpi_events_reading *reading,
						       const struct mpi_record *record,
						       struct tr_error *err),
				struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t rank = 0; rank < reading->ranks && status == TR_OK; rank++) {
		struct mpi_record record = {0};

		status = mpi_events_read_rank(reading, rank, &record, err);
		if (status == TR_OK)
			status = each(reading, &record, err);
		mpi_record_clear(&record);
	}
	return status;
}

static enum tr_status put_one(struct mpi_events_reading *reading, const struct mpi_record *record,
			      struct tr_error *err)
{
	if (mpi_communicators_give(&reading->communicators, reading->events, record->rank, err) !=
	    TR_OK)
		return TR_ERROR;
	return mpi_events_put_rank(reading, record, err);
}

static enum tr_status read_ranks(struct mpi_events_reading *reading, struct tr_error *err)
{
	if (reading->input->count > 1 && order_files(reading, err) != TR_OK)
		return TR_ERROR;
	reading->origin_ns = INT64_MAX;
	if (for_ranks(reading, mpi_events_collect, err) != TR_OK)
		return TR_ERROR;
	mpi_communicators_sort(&reading->communicators);
	reading->counts = calloc(reading->ranks, sizeof(*reading->counts));
	if (!reading->counts)
		return tr_no_memory(err, "communicators");
	reading->events->origin_s = reading->origin_ns == INT64_MAX
					    ? 0
					    : reading->origin_ns / 1000000000;
	reading->origin_ns = reading->events->origin_s * 1000000000;
	if (for_ranks(reading, put_one, err) != TR_OK)
		return TR_ERROR;
	return events_finish(reading->events, err);
}

static enum tr_status mpi_events_read_record(const struct foreign_input *input,
					     struct events *events, struct tr_error *err)
{
	struct mpi_events_reading reading = {.input = input, .events = events};
	struct mpi_record first = {0};
	struct tr_source *source;
	enum tr_status status = open_rank(&reading, 0, &source, err);

	*events = (struct events){0};
	if (status == TR_OK)
		status = mpi_events_read_file(&first, source, err);
	reading.ranks = first.ranks;
	reading.run = first.run;
	if (status == TR_OK)
		status = events_open(events, reading.ranks, 1000000000, err);
	if (status == TR_OK)
		(void)snprintf(events->library, sizeof(events->library), "%.63s", first.library);
	mpi_record_clear(&first);
	if (status == TR_OK)
		status = read_ranks(&reading, err);
	mpi_communicators_clear(&reading.communicators);
	free(reading.order);
	free(reading.counts);
	return status;
}

const struct foreign_format foreign_mpi = {
	.name = "mpi",
	.summary = "records of flitmpi: the file of rank 0 next to those of the others, or all of "
		   "them",
	.claims = mpi_record_claims,
	.read = mpi_events_read_record,
};
