// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/dumpi_collectives.h"

#include <stdlib.h>

#define DUMPI_DATATYPE_NULL 1

// The bytes of each count of a list, to be freed: each of the type of its own, or all of one.
static enum tr_status list_bytes(const struct dumpi_types *types, struct events *events,
				 const struct dumpi_call *call, const char *meanings,
				 uint64_t **out, uint32_t *count, struct tr_error *err)
{
	uint32_t own_count;
	const int32_t *numbers = dumpi_numbers(call, meanings[0], count);
	const int32_t *own = dumpi_numbers(call, meanings[2], &own_count);
	enum tr_status status = TR_OK;

	*out = reallocarray(NULL, (size_t)*count + 1, sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "counts");
	for (uint32_t i = 0; status == TR_OK && i < *count; i++)
		status = dumpi_types_count(types, events, numbers[i],
					   i < own_count ? own[i]
							 : dumpi_given(call, meanings[1])->value,
					   &(*out)[i], err);
	return status;
}

static uint64_t dumpi_collectives_sum_of(const uint64_t *bytes, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += bytes[i];
	return sum;
}

// What is sent is what is received where a list or type of what is sent means nothing: in place.
static bool alltoall_in_place(const struct dumpi_call *call)
{
	uint32_t count, types;
	const int32_t *own_types = dumpi_numbers(call, 'l', &types);

	(void)dumpi_numbers(call, 'v', &count);
	if (count == 0 ||
	    (dumpi_given(call, 't')->given && dumpi_given(call, 't')->value <= DUMPI_DATATYPE_NULL))
		return true;
	if (dumpi_given(call, 't')->given)
		return false;
	for (uint32_t i = 0; i < types; i++)
		if (own_types[i] > DUMPI_DATATYPE_NULL)
			return false;
	return true;
}

// Where the bytes of a call's blocks are: a count and its type, or a list of counts, their type and
// their own types.
static const char *dumpi_collectives_block_of(const struct dumpi_call *call, int kind, bool root)
{
	switch (kind) {
	case COLLECTIVE_BARRIER: return "";
	case COLLECTIVE_ALLGATHER: return dumpi_given(call, 'V')->given ? "VTw" : "CT";
	case COLLECTIVE_GATHER: return !root ? "ct" : dumpi_given(call, 'V')->given ? "VTw" : "CT";
	case COLLECTIVE_SCATTER: return !root ? "CT" : dumpi_given(call, 'v')->given ? "vtl" : "ct";
	case COLLECTIVE_ALLTOALL:
		if (!dumpi_given(call, 'V')->given)
			return "CT";
		return alltoall_in_place(call) ? "VTw" : "vtl";
	case COLLECTIVE_REDUCE_SCATTER: return "Vtl";
	default: return "ct";
	}
}

// Counts for each member: the rank's own block, and what the operation keeps of them.
static enum tr_status take_list(const struct dumpi_types *types, struct events *events,
				uint32_t rank, const struct dumpi_call *call, const char *meanings,
				struct event *event, struct tr_error *err)
{
	const uint32_t known = events_place(events, rank, event->communicator);
	const uint32_t place = dumpi_given(call, 'R')->given
				       ? (uint32_t)dumpi_given(call, 'R')->value
				       : known;
	uint64_t *bytes = NULL, sum;
	uint32_t count;
	enum tr_status status = list_bytes(types, events, call, meanings, &bytes, &count, err);

	if (status == TR_OK) {
		sum = dumpi_collectives_sum_of(bytes, count);
		event->bytes = place < count ? bytes[place] : 0;
		if (event->collective == COLLECTIVE_REDUCE_SCATTER)
			event->bytes = sum;
		else if (event->collective == COLLECTIVE_SCATTER)
			status = events_add_counts(events, &sum, 1, &event->counts, err);
		else if (event->collective == COLLECTIVE_ALLTOALL || place == EVENT_NOBODY)
			status = count > 0 ? events_add_counts(events, bytes, count, &event->counts,
							       err)
					   : TR_OK;
	}
	free(bytes);
	return status;
}

enum tr_status dumpi_collective_bytes(const struct dumpi_types *types, struct events *events,
				      uint32_t rank, const struct dumpi_call *call,
				      struct event *event, struct tr_error *err)
{
	const bool root = dumpi_given(call, 'R')->given &&
			  dumpi_given(call, 'R')->value == dumpi_given(call, 'o')->value;
	const char *block = dumpi_collectives_block_of(call, event->collective, root);

	if (!*block)
		return TR_OK;
	if (block[2])
		return take_list(types, events, rank, call, block, event, err);
	return dumpi_types_count(types, events, dumpi_given(call, block[0])->value,
				 dumpi_given(call, block[1])->value, &event->bytes, err);
}
