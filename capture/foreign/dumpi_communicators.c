// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/dumpi_communicators.h"

#include <stdlib.h>

#include "foreign/groups.h"
#include "value/grow.h"

#define DUMPI_GROUP_EMPTY 2

enum tr_status dumpi_communicators_start(struct dumpi_communicators *communicators,
					 struct events *events, uint32_t rank, struct tr_error *err)
{
	const struct event_group empty = {.made = EVENT_GROUP_EMPTY};
	uint32_t self, group;

	if (events_communicator(events, rank, &rank, 1, &self, err) != TR_OK ||
	    events_group(events, rank, empty, NULL, &group, err) != TR_OK ||
	    tr_id_set(&communicators->groups, DUMPI_GROUP_EMPTY, group, err) != TR_OK ||
	    tr_id_set(&communicators->own, DUMPI_COMM_WORLD, EVENT_WORLD, err) != TR_OK)
		return TR_ERROR;
	return tr_id_set(&communicators->own, DUMPI_COMM_SELF, self, err);
}

bool dumpi_communicators_find(const struct dumpi_communicators *communicators, int64_t trace_number,
			      uint32_t *number)
{
	*number = tr_id_get(&communicators->own, (uint32_t)trace_number);
	return *number != UINT32_MAX;
}

void dumpi_communicators_clear(struct dumpi_communicators *communicators)
{
	tr_id_array_clear(&communicators->own);
	tr_id_array_clear(&communicators->groups);
	tr_id_array_clear(&communicators->grid);
	free(communicators->grids);
}

// ---- groups

static uint32_t dumpi_group(const struct dumpi_communicators *own, const struct dumpi_call *call,
			    char meaning)
{
	return tr_id_get(&own->groups, (uint32_t)dumpi_given(call, meaning)->value);
}

enum tr_status dumpi_communicators_group(struct dumpi_communicators *communicators,
					 struct events *events, uint32_t rank,
					 const struct dumpi_call *call, int how,
					 struct tr_error *err)
{
	const bool of_communicator = how <= EVENT_GROUP_OF_REMOTE;
	const int64_t made = dumpi_given(call, of_communicator ? 'u' : 'N')->value;
	struct event_group group = {.made = (uint8_t)how};
	const int32_t *numbers = dumpi_numbers(call, 'M', &group.count);
	uint32_t number = UINT32_MAX;
	bool known;

	if (of_communicator) {
		known = dumpi_communicators_find(communicators, dumpi_given(call, 'm')->value,
						 &group.one);
	} else {
		group.one = dumpi_group(communicators, call, 'u');
		group.two = how >= EVENT_GROUP_UNION ? dumpi_group(communicators, call, 'U') : 0;
		known = group.one != UINT32_MAX && group.two != UINT32_MAX;
	}
	if (made <= DUMPI_GROUP_EMPTY || made > INT16_MAX)
		return TR_OK;
	if (known && events_group(events, rank, group, numbers, &number, err) != TR_OK)
		return TR_ERROR;
	return tr_id_set(&communicators->groups, (uint32_t)made, number, err);
}

// ---- grids

static const struct dumpi_grid *dumpi_grid_of(const struct dumpi_communicators *own,
					      const struct dumpi_call *call)
{
	const uint32_t at = tr_id_get(&own->grid, (uint32_t)dumpi_given(call, 'm')->value);

	return at < own->grid_count && own->grids[at].sides > 0 ? &own->grids[at] : NULL;
}

// Keeps the grid of the communicator that the call made, without sides if it made none.
static enum tr_status dumpi_keep_grid(struct dumpi_communicators *own,
				      const struct dumpi_call *call, struct dumpi_grid grid,
				      struct tr_error *err)
{
	const int64_t made = dumpi_given(call, 'n')->value;
	uint32_t at;

	if (made <= DUMPI_COMM_SELF || made > INT16_MAX)
		return TR_OK;
	at = tr_id_get(&own->grid, (uint32_t)made);
	if (at == UINT32_MAX && grid.sides > 0) {
		if (!GROW_BY_COUNT(own->grids, own->grid_count))
			return tr_no_memory(err, "grids");
		at = own->grid_count++;
	}
	if (at == UINT32_MAX)
		return TR_OK;
	own->grids[at] = grid;
	return tr_id_set(&own->grid, (uint32_t)made, at, err);
}

static struct dumpi_grid dumpi_grid_made(const struct dumpi_call *call, uint32_t ranks)
{
	struct dumpi_grid grid = {0};
	uint64_t product = 1;
	uint32_t count;
	const int32_t *sides = dumpi_numbers(call, 'D', &count);

	if (count > DUMPI_SIDES_MAX)
		return grid;
	for (uint32_t i = 0; i < count; i++) {
		grid.side[i] = (uint32_t)sides[i];
		product = sides[i] > 0 && product <= ranks ? product * (uint64_t)sides[i]
							   : (uint64_t)ranks + 1;
	}
	grid.sides = product <= ranks ? count : 0;
	return grid;
}

// A part of a grid is one, of the sides that are kept.
static enum tr_status dumpi_part(struct dumpi_communicators *own, struct events *events,
				 uint32_t rank, const struct dumpi_call *call, uint32_t parent,
				 uint32_t *number, struct tr_error *err)
{
	const struct dumpi_grid *grid = dumpi_grid_of(own, call);
	struct dumpi_grid part = {0};
	uint32_t count, kept = 0;
	const int32_t *keeps = dumpi_numbers(call, 'D', &count);

	for (uint32_t i = 0; i < count && i < grid->sides; i++)
		if (keeps[i]) {
			kept |= 1u << i;
			part.side[part.sides++] = grid->side[i];
		}
	if (events_part(events, rank, parent, grid->side, grid->sides, kept, number, err) != TR_OK)
		return TR_ERROR;
	return dumpi_keep_grid(own, call, part, err);
}

// ---- communicators

static enum tr_status dumpi_between(const struct dumpi_communicators *own, struct events *events,
				    uint32_t rank, const struct dumpi_call *call, uint32_t local,
				    uint32_t *number, struct tr_error *err)
{
	const struct event_leaders leaders = {
		.local = (int32_t)dumpi_given(call, 'o')->value,
		.peers = tr_id_get(&own->own, (uint32_t)dumpi_given(call, 'j')->value),
		.remote = (int32_t)dumpi_given(call, 's')->value,
		.tag = (int32_t)dumpi_given(call, 'g')->value};

	return events_between(events, rank, local, leaders, number, err);
}

static enum tr_status dumpi_make(struct dumpi_communicators *own, struct events *events,
				 uint32_t rank, const struct dumpi_call *call, int how,
				 uint32_t parent, uint32_t *number, struct tr_error *err)
{
	int32_t color = 0, key = 0;

	if (how == DUMPI_MADE_OF_GRID)
		return dumpi_part(own, events, rank, call, parent, number, err);
	if (how == DUMPI_MADE_BETWEEN)
		return dumpi_between(own, events, rank, call, parent, number, err);
	if (how == DUMPI_MADE_BY_MERGE)
		return events_merge(events, rank, parent, dumpi_given(call, 'h')->value != 0,
				    number, err);
	if (how == DUMPI_MADE_OF_GROUP && dumpi_group(own, call, 'u') != UINT32_MAX)
		return events_create(events, rank, parent, dumpi_group(own, call, 'u'), number,
				     err);
	if (how == DUMPI_MADE_BY_SPLIT) {
		color = (int32_t)dumpi_given(call, 'k')->value;
		key = (int32_t)dumpi_given(call, 'y')->value;
	}
	if (dumpi_given(call, 'n')->value == DUMPI_COMM_NULL || color < 0)
		color = EVENT_NO_COLOR;
	return events_split(events, rank, parent, color, key, number, err);
}

// A copy of a grid is none here but where the call says so.
static enum tr_status dumpi_note_grid(struct dumpi_communicators *own, const struct events *events,
				      const struct dumpi_call *call, int how, struct tr_error *err)
{
	const struct dumpi_grid *copied = how == DUMPI_MADE_BY_DUP ? dumpi_grid_of(own, call)
								   : NULL;

	if (how == DUMPI_MADE_OF_GRID)
		return TR_OK;
	if (how == DUMPI_MADE_A_GRID)
		return dumpi_keep_grid(own, call, dumpi_grid_made(call, events->ranks), err);
	return dumpi_keep_grid(own, call, copied ? *copied : (struct dumpi_grid){0}, err);
}

enum tr_status dumpi_communicators_call(struct dumpi_communicators *communicators,
					struct events *events, uint32_t rank,
					const struct dumpi_call *call, int how,
					struct tr_error *err)
{
	const int64_t made = dumpi_given(call, 'n')->value;
	uint32_t parent, number = UINT32_MAX;
	bool known = dumpi_communicators_find(communicators, dumpi_given(call, 'm')->value,
					      &parent) &&
		     how != DUMPI_MADE_UNKNOWN &&
		     (how != DUMPI_MADE_OF_GRID || dumpi_grid_of(communicators, call)) &&
		     (how != DUMPI_MADE_OF_GROUP || made == DUMPI_COMM_NULL ||
		      dumpi_group(communicators, call, 'u') != UINT32_MAX);

	// Whoever takes part in a call on a known communicator counts it.
	if (known &&
	    dumpi_make(communicators, events, rank, call, how, parent, &number, err) != TR_OK)
		return TR_ERROR;
	if (known && dumpi_note_grid(communicators, events, call, how, err) != TR_OK)
		return TR_ERROR;
	if (made <= DUMPI_COMM_SELF || made > INT16_MAX)
		return TR_OK;
	return tr_id_set(&communicators->own, (uint32_t)made, number, err);
}
