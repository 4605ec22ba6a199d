// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/acyclic.h"

#include <stdlib.h>
#include <string.h>

enum tr_status net_acyclic_open(struct net_acyclic *acyclic, const struct net_channels *channels,
				struct tr_error *err)
{
	const size_t turns = net_channels_turns(channels) + 1;
	const size_t count = (size_t)channels->count + 1;

	*acyclic = (struct net_acyclic){.channels = channels};
	acyclic->used = calloc(turns, 1);
	acyclic->barred = calloc(turns, 1);
	acyclic->place = calloc(count, sizeof(*acyclic->place));
	acyclic->at = calloc(count, sizeof(*acyclic->at));
	acyclic->seen = calloc(count, sizeof(*acyclic->seen));
	acyclic->ahead = calloc(count, sizeof(*acyclic->ahead));
	acyclic->behind = calloc(count, sizeof(*acyclic->behind));
	acyclic->moved = calloc(count, sizeof(*acyclic->moved));
	if (!acyclic->used || !acyclic->barred || !acyclic->place || !acyclic->at ||
	    !acyclic->seen || !acyclic->ahead || !acyclic->behind || !acyclic->moved)
		return tr_no_memory(err, "the dependencies of channels");
	for (uint32_t c = 0; c < channels->count; c++)
		acyclic->place[c] = acyclic->at[c] = c;
	return TR_OK;
}

void net_acyclic_close(struct net_acyclic *acyclic)
{
	free(acyclic->used);
	free(acyclic->barred);
	free(acyclic->place);
	free(acyclic->at);
	free(acyclic->seen);
	free(acyclic->ahead);
	free(acyclic->behind);
	free(acyclic->moved);
	*acyclic = (struct net_acyclic){0};
}

// Two searches at once, each of which marks what it meets with its own number.
struct acyclic_side {
	uint32_t *stack;
	uint32_t top;
	uint32_t mark;
};

static void acyclic_meet(struct net_acyclic *acyclic, struct acyclic_side *side, uint32_t channel)
{
	acyclic->seen[channel] = side->mark;
	side->stack[side->top++] = channel;
}

// Meets the channels to which turns lead from one that ahead has met, up to a place. True if behind
// has met one.
static bool step_ahead(struct net_acyclic *acyclic, struct acyclic_side *ahead,
		       const struct acyclic_side *behind, uint32_t limit)
{
	const struct net_channels *channels = acyclic->channels;
	const uint32_t c = ahead->stack[--ahead->top];
	const uint8_t *used = acyclic->used + channels->turn[c];
	const uint32_t first = channels->first[channels->all[c].to];
	const uint32_t last = channels->first[channels->all[c].to + 1];

	for (uint32_t next = first; next < last; next++) {
		if (used[next - first] == 0 || acyclic->seen[next] == ahead->mark)
			continue;
		if (acyclic->seen[next] == behind->mark)
			return true;
		if (acyclic->place[next] < limit)
			acyclic_meet(acyclic, ahead, next);
	}
	return false;
}

// The same against the turns, down to a place.
static bool step_behind(struct net_acyclic *acyclic, struct acyclic_side *behind,
			const struct acyclic_side *ahead, uint32_t limit)
{
	const struct net_channels *channels = acyclic->channels;
	const uint32_t c = behind->stack[--behind->top];
	const uint32_t at = channels->all[c].from;
	const uint32_t slot = c - channels->first[at];

	for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++) {
		const uint32_t before = channels->all[out].back;

		if (acyclic->used[channels->turn[before] + slot] == 0 ||
		    acyclic->seen[before] == behind->mark)
			continue;
		if (acyclic->seen[before] == ahead->mark)
			return true;
		if (acyclic->place[before] > limit)
			acyclic_meet(acyclic, behind, before);
	}
	return false;
}

// Moves what a side has met among the places from first to last to their end, or to their
// beginning, and keeps the order of the others.
static void acyclic_move(struct net_acyclic *acyclic, uint32_t mark, bool to_end, uint32_t first,
			 uint32_t last)
{
	uint32_t moved = 0;
	uint32_t next = first;

	for (uint32_t place = first; place <= last; place++) {
		const uint32_t c = acyclic->at[place];

		if ((acyclic->seen[c] == mark) == to_end)
			acyclic->moved[moved++] = c;
		else
			acyclic->at[next++] = c;
	}
	memcpy(acyclic->at + next, acyclic->moved, moved * sizeof(*acyclic->at));
	for (uint32_t place = first; place <= last; place++)
		acyclic->place[acyclic->at[place]] = place;
}

// Gives from a smaller place than to; false if a way leads from to to from. Whichever search ends
// first has all that must be moved.
static bool put_before(struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	const uint32_t first = acyclic->place[to];
	const uint32_t last = acyclic->place[from];
	struct acyclic_side ahead = {acyclic->ahead, 0, ++acyclic->search};
	struct acyclic_side behind = {acyclic->behind, 0, ++acyclic->search};

	acyclic_meet(acyclic, &ahead, to);
	acyclic_meet(acyclic, &behind, from);
	while (ahead.top > 0 && behind.top > 0)
		if (step_ahead(acyclic, &ahead, &behind, last) ||
		    step_behind(acyclic, &behind, &ahead, first))
			return false;
	acyclic_move(acyclic, ahead.top == 0 ? ahead.mark : behind.mark, ahead.top == 0, first,
		     last);
	return true;
}

bool net_acyclic_try(struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	const size_t turn = net_channels_turn(acyclic->channels, from, to);

	if (acyclic->used[turn] != 0)
		return true;
	if (acyclic->barred[turn] != 0 || from == to)
		return false;
	if (acyclic->place[from] > acyclic->place[to] && !put_before(acyclic, from, to))
		return false;
	acyclic->used[turn] = 1;
	return true;
}

bool net_acyclic_add(struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	if (net_acyclic_try(acyclic, from, to))
		return true;
	acyclic->barred[net_channels_turn(acyclic->channels, from, to)] = 1;
	return false;
}

void net_acyclic_remove(struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	acyclic->used[net_channels_turn(acyclic->channels, from, to)] = 0;
}

#define ON_TRIAL 2u

bool net_acyclic_add_way(struct net_acyclic *acyclic, const uint32_t *way, uint32_t count)
{
	const struct net_channels *channels = acyclic->channels;
	uint32_t on_trial = 0;
	uint32_t i;

	for (i = 0; i + 1 < count; i++)
		if (acyclic->barred[net_channels_turn(channels, way[i], way[i + 1])] != 0)
			return false;
	for (i = 0; i + 1 < count; i++) {
		const size_t turn = net_channels_turn(channels, way[i], way[i + 1]);

		if (acyclic->used[turn] != 0)
			continue;
		if (!(on_trial == 0 ? net_acyclic_add : net_acyclic_try)(acyclic, way[i],
									 way[i + 1]))
			break;
		acyclic->used[turn] = ON_TRIAL;
		on_trial++;
	}
	for (uint32_t n = 0; n < i && on_trial > 0; n++) {
		uint8_t *used = &acyclic->used[net_channels_turn(channels, way[n], way[n + 1])];

		if (*used == ON_TRIAL)
			*used = i + 1 >= count;
	}
	return i + 1 >= count;
}
