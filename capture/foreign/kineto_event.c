// SPDX-License-Identifier: GPL-3.0-or-later
// What one event of a trace says of an operation.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/kineto.h"
#include "value/grow.h"
#include "value/num.h"

#define KINETO_KEY(word, key) key,
static const char *const kineto_keys[] = {KINETO_MEMBERS(KINETO_KEY)};

const char *kineto_field(const struct kineto_event *event, enum kineto_field field)
{
	return event->at[field] ? event->texts + event->at[field] - 1 : "";
}

enum tr_status kineto_keep(struct kineto_event *event, enum kineto_field first,
			   enum kineto_field end, const struct json_value *value,
			   struct tr_error *err)
{
	const char *key = value->keys[value->depth - 1];
	enum kineto_field field = first;

	if (value->kind != JSON_TEXT && value->kind != JSON_NUMBER)
		return TR_OK;
	while (field < end && strcmp(kineto_keys[field], key) != 0)
		field++;
	if (field == end)
		return TR_OK;
	if (!GROW_TO(event->texts, event->texts_room, event->used + value->bytes + 1))
		return tr_no_memory(err, "an event");
	memcpy(event->texts + event->used, value->text, value->bytes);
	event->texts[event->used + value->bytes] = '\0';
	event->at[field] = event->used + 1;
	event->used += value->bytes + 1;
	return TR_OK;
}

// A count of the event; TR_END: it is not there.
static enum tr_status kineto_count(const struct kineto_event *event, enum kineto_field field,
				   uint64_t most, uint64_t *out, struct tr_error *err)
{
	if (!event->at[field])
		return TR_END;
	if (num_parse_count(kineto_field(event, field), 0, most, out, err) == TR_OK)
		return TR_OK;
	return tr_fail_in(err, "%s", kineto_keys[field]);
}

enum tr_status kineto_time(const struct kineto_event *event, enum kineto_field field,
			   int64_t *out_ns, uint64_t *cut, struct tr_error *err)
{
	struct num_ratio us;
	__int128 ns;

	if (num_parse(kineto_field(event, field), NUM_PLAIN, &us, err) != TR_OK)
		return tr_fail_in(err, "%s", kineto_keys[field]);
	ns = (__int128)us.num * 1000;
	*cut += ns % us.den != 0;
	ns /= us.den;
	if (ns < -(INT64_MAX / 4) || ns > INT64_MAX / 4)
		return tr_fail(err, "%s: expected a time within 73 years of the others",
			       kineto_keys[field]);
	*out_ns = (int64_t)ns;
	return TR_OK;
}

// ---- calls

// Names between blanks, without what is no letter.
static const struct {
	const char *names;
	uint8_t kind; // EVENT_CALL: it moves nothing
	uint8_t collective;
} kineto_kinds[] = {
	{" allreduce allreducecoalesced ", EVENT_COLLECTIVE, COLLECTIVE_ALLREDUCE},
	{" allgather allgatherbase allgathercoalesced allgatherintotensorcoalesced ",
	 EVENT_COLLECTIVE, COLLECTIVE_ALLGATHER},
	{" reducescatter reducescatterbase reducescattertensorcoalesced ", EVENT_COLLECTIVE,
	 COLLECTIVE_REDUCE_SCATTER},
	{" alltoall alltoallv alltoallbase ", EVENT_COLLECTIVE, COLLECTIVE_ALLTOALL},
	{" broadcast broadcastoop ", EVENT_COLLECTIVE, COLLECTIVE_BCAST},
	{" reduce reduceoop ", EVENT_COLLECTIVE, COLLECTIVE_REDUCE},
	{" gather ", EVENT_COLLECTIVE, COLLECTIVE_GATHER},
	{" scatter ", EVENT_COLLECTIVE, COLLECTIVE_SCATTER},
	{" barrier ", EVENT_COLLECTIVE, COLLECTIVE_BARRIER},
	{" send ", EVENT_ISEND, 0},
	{" recv ", EVENT_IRECV, 0},
	{" wait init ", EVENT_CALL, 0},
};

// By the bytes of an element.
static const struct {
	const char *names;
	uint8_t bytes;
} kineto_types[] = {
	{" Byte Char Bool Float8_e5m2 Float8_e4m3fn Float8_e5m2fnuz Float8_e4m3fnuz Float8_e8m0fnu "
	 "QInt8 QUInt8 ",
	 1},
	{" Short UInt16 Half BFloat16 ", 2},
	{" Int UInt32 Float ComplexHalf QInt32 ", 4},
	{" Long UInt64 Double ComplexFloat ", 8},
	{" ComplexDouble ", 16},
};

static bool kineto_is_among(const char *names, const char *name)
{
	char word[KINETO_NAME_BYTES];

	return *name && !strchr(name, ' ') &&
	       snprintf(word, sizeof(word), " %s ", name) < (int)sizeof(word) &&
	       strstr(names, word);
}

// Bytes of an element; 0: an unknown type.
static uint8_t kineto_type_bytes(const char *type)
{
	for (size_t i = 0; i < sizeof(kineto_types) / sizeof(*kineto_types); i++)
		if (kineto_is_among(kineto_types[i].names, type))
			return kineto_types[i].bytes;
	return 0;
}

// The row of the call's kind; sizeof(kineto_kinds) / sizeof(*kineto_kinds): none.
static size_t kineto_kind_of(const char *name)
{
	char letters[KINETO_NAME_BYTES];
	size_t used = 0, row = 0;

	for (; *name && used + 1 < sizeof(letters); name++)
		if (*name >= 'a' && *name <= 'z')
			letters[used++] = *name;
	letters[used] = '\0';
	while (row < sizeof(kineto_kinds) / sizeof(*kineto_kinds) &&
	       !kineto_is_among(kineto_kinds[row].names, letters))
		row++;
	return row;
}

// The members, where the event says them: as a list, or by their number, first and stride.
static enum tr_status kineto_take_group(struct kineto_trace *trace, struct kineto_event *event,
					struct kineto_call *call, struct tr_error *err)
{
	const char *name = kineto_field(event, KINETO_GROUP);
	uint64_t size = 0, first, stride;
	const uint64_t *members = NULL;
	struct kineto_group *group;

	if (strlen(name) >= KINETO_NAME_BYTES)
		return tr_fail(err, "%s: '%.40s': expected fewer than %u characters",
			       kineto_keys[KINETO_GROUP], name, KINETO_NAME_BYTES);
	if (rank_list_read(&event->list, kineto_field(event, KINETO_RANKS), err) != TR_OK)
		return tr_fail_in(err, "%s", kineto_keys[KINETO_RANKS]);
	if (kineto_count(event, KINETO_SIZE, EVENTS_RANKS_MAX, &size, err) == TR_ERROR)
		return TR_ERROR;
	if ((event->list.cut || event->list.count == 0) && size > 0 &&
	    kineto_count(event, KINETO_START, EVENTS_RANKS_MAX, &first, &(struct tr_error){""}) ==
		    TR_OK &&
	    kineto_count(event, KINETO_STRIDE, EVENTS_RANKS_MAX, &stride, &(struct tr_error){""}) ==
		    TR_OK &&
	    stride > 0) {
		event->list.cut = false;
		event->list.count = 0;
		for (uint64_t i = 0; i < size; i++)
			if (rank_list_push(&event->list, first + i * stride, err) != TR_OK)
				return TR_ERROR;
	}
	if (!event->list.cut && event->list.count > 0) {
		if (size > 0 && event->list.count != size)
			return tr_fail(err, "%s: expected %" PRIu64 " ranks, found %" PRIu32,
				       kineto_keys[KINETO_RANKS], size, event->list.count);
		members = event->list.items;
		size = event->list.count;
	}
	if (kineto_group_find(trace, name, members, (uint32_t)size, &call->group, err) != TR_OK)
		return TR_ERROR;
	group = &trace->groups[call->group];
	if (!*group->description)
		(void)snprintf(group->description, sizeof(group->description), "%s",
			       kineto_field(event, KINETO_DESCRIPTION));
	return TR_OK;
}

// What each member of an all-to-all gets: parts of the first dimension, of all elements.
static enum tr_status kineto_take_splits(struct kineto_trace *trace, struct kineto_event *event,
					 struct kineto_call *call, uint64_t elements,
					 uint64_t type_bytes, struct tr_error *err)
{
	struct rank_list *list = &event->list;
	const uint32_t members = trace->groups[call->group].count;
	uint64_t sum = 0;

	if (rank_list_read(list, kineto_field(event, KINETO_SPLITS), err) != TR_OK)
		return tr_fail_in(err, "%s", kineto_keys[KINETO_SPLITS]);
	call->cut = list->cut;
	if (members == 0 || list->cut || list->count == 0) {
		const uint64_t parts = members ? members : 1;

		call->rounded = elements % parts != 0;
		call->bytes = (elements / parts + (elements % parts != 0)) * type_bytes;
		return TR_OK;
	}
	if (list->count != members)
		return tr_fail(err, "%s: expected %" PRIu32 " numbers, found %" PRIu32,
			       kineto_keys[KINETO_SPLITS], members, list->count);
	for (uint32_t i = 0; i < list->count; i++)
		sum += list->items[i];
	if (sum > 0 ? elements % sum != 0 : elements > 0)
		return tr_fail(err, "%s: %" PRIu64 " elements in %" PRIu64 " parts",
			       kineto_keys[KINETO_SPLITS], elements, sum);
	for (uint32_t i = 0; i < list->count; i++)
		list->items[i] *= sum ? elements / sum * type_bytes : 0;
	call->bytes = 0;
	return events_add_counts(&trace->kept, list->items, list->count, &call->counts, err);
}

static enum tr_status kineto_take_bytes(struct kineto_trace *trace, struct kineto_event *event,
					struct kineto_call *call, struct tr_error *err)
{
	const char *type = kineto_field(event, KINETO_TYPE);
	const uint8_t type_bytes = kineto_type_bytes(type);
	uint64_t in = 0, out = 0;

	if (kineto_count(event, KINETO_IN, RANK_LIST_MAX, &in, err) == TR_ERROR ||
	    kineto_count(event, KINETO_OUT, RANK_LIST_MAX, &out, err) == TR_ERROR)
		return TR_ERROR;
	if (call->collective == COLLECTIVE_BARRIER && call->kind == EVENT_COLLECTIVE)
		return TR_OK;
	if (!event->at[KINETO_IN])
		return tr_fail(err, "a call of %.40s without %s",
			       kineto_field(event, KINETO_COLLECTIVE), kineto_keys[KINETO_IN]);
	if (type_bytes == 0)
		return tr_fail(err, "dtype: expected a type such as Float, found '%.40s'", type);
	if (call->collective == COLLECTIVE_SCATTER && call->kind == EVENT_COLLECTIVE && out < in)
		in = out;
	call->bytes = in * type_bytes;
	if (call->collective == COLLECTIVE_ALLTOALL && call->kind == EVENT_COLLECTIVE)
		return kineto_take_splits(trace, event, call, in, type_bytes, err);
	return TR_OK;
}

enum tr_status kineto_take_call(struct kineto_trace *trace, struct kineto_event *event,
				struct kineto_call *call, struct tr_error *err)
{
	const char *name = kineto_field(event, KINETO_COLLECTIVE);
	const size_t row = kineto_kind_of(name);
	uint64_t number;

	call->kind = EVENT_KINDS;
	if (row == sizeof(kineto_kinds) / sizeof(*kineto_kinds))
		return TR_END;
	call->kind = kineto_kinds[row].kind;
	call->collective = kineto_kinds[row].collective;
	if (call->kind == EVENT_CALL)
		return TR_END;
	if (kineto_take_group(trace, event, call, err) != TR_OK ||
	    kineto_take_bytes(trace, event, call, err) != TR_OK)
		return TR_ERROR;
	if (kineto_count(event, KINETO_SEQUENCE, INT64_MAX, &number, err) == TR_OK)
		call->sequence = call->kind == EVENT_COLLECTIVE ? (int64_t)number : -1;
	if (kineto_count(event, KINETO_PLACE, EVENTS_RANKS_MAX, &number, &(struct tr_error){""}) ==
	    TR_OK)
		call->place = (uint32_t)number; // -1: not said
	return TR_OK;
}
