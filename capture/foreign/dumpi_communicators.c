// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/dumpi_communicators.h"

#include <string.h>

enum tr_status dumpi_communicators_start(struct dumpi_communicators *communicators, struct events *events, uint32_t rank,
					 struct tr_error *err)
{
	uint32_t self;

	if (events_communicator(events, rank, &rank, 1, &self, err) != TR_OK ||
	    tr_id_set(&communicators->own, DUMPI_COMM_WORLD, EVENT_WORLD, err) != TR_OK)
		return TR_ERROR;
	return tr_id_set(&communicators->own, DUMPI_COMM_SELF, self, err);
}

bool dumpi_communicators_find(const struct dumpi_communicators *communicators, int64_t trace_number, uint32_t *number)
{
	*number = tr_id_get(&communicators->own, (uint32_t)trace_number);
	return *number != UINT32_MAX;
}

void dumpi_communicators_clear(struct dumpi_communicators *communicators)
{
	tr_id_array_clear(&communicators->own);
}

static const int32_t *dimensions(const struct dumpi_call *call, uint32_t *count)
{
	const struct dumpi_argument *argument = dumpi_given(call, 'D');

	*count = argument->given ? argument->count : 0;
	return call->numbers ? call->numbers + argument->first : NULL;
}

// Where the rank is in the last grid, if the call is for a part of it: ranks of the same color keep each other.
static bool place_in_grid(const struct dumpi_communicators *own, const struct dumpi_call *call, uint32_t parent, uint32_t rank,
			  int32_t *color, int32_t *key)
{
	uint32_t factor[2] = {1, 1};
	uint32_t count;
	const int32_t *kept = dimensions(call, &count);

	if (own->grid.sides == 0 || own->grid.communicator != parent || count != own->grid.sides)
		return false;
	*color = *key = 0;
	for (uint32_t i = own->grid.sides; i-- > 0; rank /= own->grid.side[i]) {
		bool keeps = kept[i] != 0;

		*(keeps ? key : color) += (int32_t)(rank % own->grid.side[i] * factor[keeps]);
		factor[keeps] *= own->grid.side[i];
	}
	return true;
}

static void remember_grid(struct dumpi_communicators *own, const struct dumpi_call *call, uint32_t ranks, uint32_t number)
{
	uint32_t count;
	const int32_t *sides = dimensions(call, &count);
	uint64_t product = 1;

	own->grid.sides = 0;
	if (dumpi_given(call, 'm')->value != DUMPI_COMM_WORLD || count > DUMPI_SIDES_MAX)
		return;
	for (uint32_t i = 0; i < count && sides[i] > 0 && product <= ranks; i++) {
		own->grid.side[i] = (uint32_t)sides[i];
		product *= (uint64_t)sides[i];
	}
	if (product != ranks)
		return;
	own->grid.sides = count;
	own->grid.communicator = number;
}

enum tr_status dumpi_communicators_call(struct dumpi_communicators *communicators, struct events *events, uint32_t rank,
					const struct dumpi_call *call, int how, struct tr_error *err)
{
	int64_t made = dumpi_given(call, 'n')->value;
	int32_t color = 0, key = 0;
	uint32_t parent, number;
	bool known = dumpi_communicators_find(communicators, dumpi_given(call, 'm')->value, &parent) &&
		     how != DUMPI_MADE_UNKNOWN;

	if (how == DUMPI_MADE_BY_SPLIT) {
		color = (int32_t)dumpi_given(call, 'k')->value;
		key = (int32_t)dumpi_given(call, 'y')->value;
	}
	if (how == DUMPI_MADE_OF_GRID && known)
		known = place_in_grid(communicators, call, parent, rank, &color, &key);
	if (!known)
		parent = EVENT_WORLD;
	if (made == DUMPI_COMM_NULL || color < 0 || !known)
		color = EVENT_NO_COLOR;
	// Whoever takes part in a call on a known communicator counts it.
	if (known && events_split(events, rank, parent, color, key, &number, err) != TR_OK)
		return TR_ERROR;
	if (known && strcmp(call->function->name, "Cart_create") == 0)
		remember_grid(communicators, call, events->ranks, number);
	if (made <= DUMPI_COMM_SELF || made > INT16_MAX)
		return TR_OK;
	return tr_id_set(&communicators->own, (uint32_t)made, color == EVENT_NO_COLOR ? UINT32_MAX : number, err);
}
