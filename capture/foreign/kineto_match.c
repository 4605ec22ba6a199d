// SPDX-License-Identifier: GPL-3.0-or-later
// Process groups and their members, and which calls of the ranks are one operation.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/kineto.h"
#include "value/grow.h"
#include "value/order.h"

// ---- groups

static bool kineto_is_group(const struct kineto_group *group, const char *name,
			    const uint64_t *members, uint32_t count)
{
	if (group->count != count || !group->members != !members || strcmp(group->name, name) != 0)
		return false;
	for (uint32_t i = 0; members && i < count; i++)
		if (group->members[i] != members[i])
			return false;
	return true;
}

enum tr_status kineto_group_find(struct kineto_trace *trace, const char *name,
				 const uint64_t *members, uint32_t count, uint32_t *out,
				 struct tr_error *err)
{
	struct kineto_group *group;

	for (*out = 0; *out < trace->group_count; ++*out)
		if (kineto_is_group(&trace->groups[*out], name, members, count))
			return TR_OK;
	if (!GROW(trace->groups, trace->group_room, trace->group_count))
		return tr_no_memory(err, "process groups");
	group = &trace->groups[trace->group_count];
	*group = (struct kineto_group){.count = count};
	(void)snprintf(group->name, sizeof(group->name), "%s", name);
	if (members) {
		group->members = calloc((size_t)count + 1, sizeof(*group->members));
		if (!group->members)
			return tr_no_memory(err, "process groups");
		for (uint32_t i = 0; i < count; i++)
			group->members[i] = (uint32_t)(members[i] < UINT32_MAX ? members[i]
									       : UINT32_MAX);
	}
	trace->group_count++;
	return TR_OK;
}

uint32_t kineto_place(const struct kineto_group *group, uint32_t rank)
{
	for (uint32_t i = 0; group->members && i < group->count; i++)
		if (group->members[i] == rank)
			return i;
	return EVENT_NOBODY;
}

// The call's group with its members, which another event, another file or pg_config has, or which
// are all ranks.
static enum tr_status kineto_know_group(struct kineto_trace *trace, struct kineto_call *call,
					struct tr_error *err)
{
	const struct kineto_group unknown = trace->groups[call->group];
	struct rank_list all = {0};
	enum tr_status status = TR_OK;

	if (kineto_place(&unknown, call->rank) != EVENT_NOBODY)
		return TR_OK;
	for (uint32_t i = 0; !unknown.members && i < trace->group_count; i++) {
		const struct kineto_group *group = &trace->groups[i];

		if (group->members && strcmp(group->name, unknown.name) == 0 &&
		    (unknown.count == 0 || group->count == unknown.count) &&
		    kineto_place(group, call->rank) != EVENT_NOBODY) {
			call->group = i;
			return TR_OK;
		}
	}
	if (unknown.members || unknown.count != trace->world)
		return tr_fail(err,
			       "rank %" PRIu32 ": process group \"%s\": expected its members, of "
			       "which it is one, found %s",
			       call->rank, unknown.name,
			       unknown.members ? "others" : "none in any event or pg_config");
	for (uint32_t rank = 0; rank < trace->world && status == TR_OK; rank++)
		status = rank_list_push(&all, rank, err);
	if (status == TR_OK)
		status = kineto_group_find(trace, unknown.name, all.items, all.count, &call->group,
					   err);
	free(all.items);
	return status;
}

enum tr_status kineto_know_groups(struct kineto_trace *trace, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t i = 0; i < trace->calls.count && status == TR_OK; i++) {
		struct kineto_call *call = &trace->calls.items[i];

		if (call->kind == EVENT_CALL)
			continue;
		status = kineto_know_group(trace, call, err);
		trace->groups[call->group].used = true;
	}
	return status;
}

// ---- which calls are one operation

static int kineto_by_operation(const void *a, const void *b)
{
	const struct kineto_call *x = a, *y = b;

	ORDER_BY(x->kind != EVENT_COLLECTIVE, y->kind != EVENT_COLLECTIVE);
	ORDER_BY(x->group, y->group);
	ORDER_BY(x->sequence, y->sequence);
	ORDER_BY(x->nth, y->nth);
	return ORDER(x->rank, y->rank);
}

int kineto_by_time(const void *a, const void *b)
{
	const struct kineto_call *x = a, *y = b;

	ORDER_BY(x->rank, y->rank);
	ORDER_BY(x->begin_ns, y->begin_ns);
	ORDER_BY(x->host_ns, y->host_ns);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->id, y->id);
}

// Numbers the collective calls of each rank and group, those of one sequence number if they have
// one, by which they must be in order.
static enum tr_status kineto_number_calls(struct kineto_trace *trace, struct tr_error *err)
{
	struct kineto_last {
		int64_t sequence;
		uint64_t count;
		uint32_t rank;
	} *last = calloc((size_t)trace->group_count + 1, sizeof(*last));
	enum tr_status status = last ? TR_OK : tr_no_memory(err, "process groups");

	for (uint32_t i = 0; i < trace->calls.count && status == TR_OK; i++) {
		struct kineto_call *call = &trace->calls.items[i];
		struct kineto_last *of = &last[call->group];

		if (call->kind != EVENT_COLLECTIVE)
			continue;
		if (of->rank != call->rank || of->count == 0)
			*of = (struct kineto_last){.sequence = -1, .rank = call->rank};
		if (call->sequence >= 0 && call->sequence < of->sequence)
			status = tr_fail(err,
					 "rank %" PRIu32 ": process group \"%s\": Seq %" PRId64
					 " begins after Seq %" PRId64,
					 call->rank, trace->groups[call->group].name,
					 call->sequence, of->sequence);
		if (call->sequence > of->sequence)
			*of = (struct kineto_last){.sequence = call->sequence, .rank = call->rank};
		call->nth = of->count++;
		trace->groups[call->group].sequenced |= call->sequence >= 0;
	}
	for (uint32_t i = 0; i < trace->group_count && last; i++)
		trace->doubts[KINETO_UNORDERED] += last[i].count > 0 && !trace->groups[i].sequenced;
	free(last);
	return status;
}

// Whether two are of the same operation.
static bool kineto_is_same(const struct kineto_call *x, const struct kineto_call *y)
{
	return x->kind == y->kind && x->group == y->group && x->sequence == y->sequence &&
	       x->nth == y->nth;
}

// Operations of which all members have the same bytes.
static bool kineto_is_even(uint8_t collective)
{
	return collective == COLLECTIVE_BCAST || collective == COLLECTIVE_REDUCE ||
	       collective == COLLECTIVE_ALLREDUCE || collective == COLLECTIVE_REDUCE_SCATTER;
}

// Calls of one operation. By sequence numbers it is known who lacks one: those of the edges of a
// trace are left out. The root is that which all who say one say; older versions say each its own
// rank.
static enum tr_status kineto_match_operation(struct kineto_trace *trace, struct kineto_call *calls,
					     uint32_t count, const bool *present,
					     struct tr_error *err)
{
	const struct kineto_group *group = &trace->groups[calls->group];
	uint32_t expected = 0, root = EVENT_NOBODY;

	for (uint32_t i = 0; i < group->count && group->sequenced; i++)
		expected += group->members[i] < trace->world && present[group->members[i]];
	for (uint32_t i = 0; i < count; i++) {
		calls[i].outside = count < expected || (group->sequenced && calls[i].sequence < 0);
		trace->doubts[KINETO_OUTSIDE] += calls[i].outside;
		if (!calls[i].outside &&
		    (calls[i].collective != calls->collective ||
		     (kineto_is_even(calls->collective) && calls[i].bytes != calls->bytes)))
			return tr_fail(err,
				       "process group \"%s\": expected %s of %" PRIu64
				       " B at rank %" PRIu32 " as at rank %" PRIu32
				       ", found %s of %" PRIu64 " B (%s %" PRIu64 ")",
				       group->name, event_collective_word(calls->collective),
				       calls->bytes, calls[i].rank, calls->rank,
				       event_collective_word(calls[i].collective), calls[i].bytes,
				       group->sequenced ? "Seq" : "without Seq, call",
				       group->sequenced ? (uint64_t)calls->sequence
							: calls->nth + 1);
		if (calls[i].place != EVENT_NOBODY) // of no member: they differ
			root = root == EVENT_NOBODY || root == calls[i].place ? calls[i].place
									      : group->count;
	}
	if (event_collective_is_rooted(calls->collective) && !calls->outside &&
	    root >= group->count) {
		trace->doubts[KINETO_ROOTLESS]++;
		root = 0;
	}
	for (uint32_t i = 0; i < count; i++)
		calls[i].place = event_collective_is_rooted(calls->collective) ? root
									       : EVENT_NOBODY;
	return TR_OK;
}

enum tr_status kineto_match_operations(struct kineto_trace *trace, const bool *present,
				       struct tr_error *err)
{
	struct kineto_call *calls = trace->calls.items;
	enum tr_status status;

	qsort(calls, trace->calls.count, sizeof(*calls), kineto_by_time);
	status = kineto_number_calls(trace, err);
	qsort(calls, trace->calls.count, sizeof(*calls), kineto_by_operation);
	for (uint32_t i = 0, end; i < trace->calls.count && status == TR_OK; i = end) {
		if (calls[i].kind != EVENT_COLLECTIVE)
			break;
		for (end = i + 1;
		     end < trace->calls.count && kineto_is_same(&calls[i], &calls[end]);)
			end++;
		status = kineto_match_operation(trace, &calls[i], end - i, present, err);
	}
	qsort(calls, trace->calls.count, sizeof(*calls), kineto_by_time);
	return status;
}
