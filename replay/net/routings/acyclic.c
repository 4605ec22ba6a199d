// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/acyclic.h"

#include <stdlib.h>
#include <string.h>

enum tr_status net_acyclic_open(struct net_acyclic *acyclic, const struct net_channels *channels, struct tr_error *err)
{
	const size_t turns = net_channels_turns(channels) + 1;
	const size_t count = (size_t)channels->count + 1;

	*acyclic = (struct net_acyclic){.channels = channels};
	acyclic->used = calloc(turns, 1);
	acyclic->barred = calloc(turns, 1);
	acyclic->place = calloc(count, sizeof(*acyclic->place));
	acyclic->at = calloc(count, sizeof(*acyclic->at));
	acyclic->seen = calloc(count, sizeof(*acyclic->seen));
	acyclic->stack = calloc(count, sizeof(*acyclic->stack));
	acyclic->ahead = calloc(count, sizeof(*acyclic->ahead));
	acyclic->behind = calloc(count, sizeof(*acyclic->behind));
	acyclic->places = calloc(count, sizeof(*acyclic->places));
	if (!acyclic->used || !acyclic->barred || !acyclic->place || !acyclic->at || !acyclic->seen || !acyclic->stack ||
	    !acyclic->ahead || !acyclic->behind || !acyclic->places)
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
	free(acyclic->stack);
	free(acyclic->ahead);
	free(acyclic->behind);
	free(acyclic->places);
	*acyclic = (struct net_acyclic){0};
}

// Meets all channels to which turns lead from start, up to the goal's place; returns how many, 0 if the goal is one.
static uint32_t look_ahead(struct net_acyclic *acyclic, uint32_t start, uint32_t goal)
{
	const struct net_channels *channels = acyclic->channels;
	const uint32_t limit = acyclic->place[goal];
	uint32_t top = 0;
	uint32_t count = 0;

	acyclic->seen[start] = acyclic->search;
	acyclic->stack[top++] = start;
	while (top > 0) {
		const uint32_t c = acyclic->stack[--top];
		const uint8_t *used = acyclic->used + channels->turn[c];
		const uint32_t first = channels->first[channels->all[c].to];
		const uint32_t last = channels->first[channels->all[c].to + 1];

		acyclic->ahead[count++] = c;
		for (uint32_t next = first; next < last; next++) {
			if (used[next - first] == 0 || acyclic->seen[next] == acyclic->search || acyclic->place[next] > limit)
				continue;
			if (next == goal)
				return 0;
			acyclic->seen[next] = acyclic->search;
			acyclic->stack[top++] = next;
		}
	}
	return count;
}

// The same against the turns, down to a place, which no channel here has.
static uint32_t look_behind(struct net_acyclic *acyclic, uint32_t start, uint32_t limit)
{
	const struct net_channels *channels = acyclic->channels;
	uint32_t top = 0;
	uint32_t count = 0;

	acyclic->seen[start] = acyclic->search;
	acyclic->stack[top++] = start;
	while (top > 0) {
		const uint32_t c = acyclic->stack[--top];
		const uint32_t at = channels->all[c].from;
		const uint32_t slot = c - channels->first[at];

		acyclic->behind[count++] = c;
		for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++) {
			const uint32_t before = channels->all[out].back;

			if (acyclic->place[before] < limit || acyclic->used[channels->turn[before] + slot] == 0 ||
			    acyclic->seen[before] == acyclic->search)
				continue;
			acyclic->seen[before] = acyclic->search;
			acyclic->stack[top++] = before;
		}
	}
	return count;
}

static int compare(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a;
	const uint32_t other = *(const uint32_t *)b;

	return one < other ? -1 : one > other;
}

// Turns a list of channels into one in the order of their places, which are added to places.
static void sort(const struct net_acyclic *acyclic, uint32_t *list, uint32_t count, uint32_t *places)
{
	for (uint32_t i = 0; i < count; i++)
		places[i] = acyclic->place[list[i]];
	qsort(places, count, sizeof(*places), compare);
	for (uint32_t i = 0; i < count; i++)
		list[i] = acyclic->at[places[i]];
}

// Gives what is behind the new turn the smaller of the places that both sides have.
static void reorder(struct net_acyclic *acyclic, uint32_t behind, uint32_t ahead)
{
	uint32_t next = 0;

	sort(acyclic, acyclic->behind, behind, acyclic->places);
	sort(acyclic, acyclic->ahead, ahead, acyclic->places + behind);
	qsort(acyclic->places, behind + ahead, sizeof(*acyclic->places), compare);
	for (uint32_t i = 0; i < behind; i++)
		acyclic->place[acyclic->behind[i]] = acyclic->places[next++];
	for (uint32_t i = 0; i < ahead; i++)
		acyclic->place[acyclic->ahead[i]] = acyclic->places[next++];
	for (uint32_t i = 0; i < behind; i++)
		acyclic->at[acyclic->place[acyclic->behind[i]]] = acyclic->behind[i];
	for (uint32_t i = 0; i < ahead; i++)
		acyclic->at[acyclic->place[acyclic->ahead[i]]] = acyclic->ahead[i];
}

bool net_acyclic_try(struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	const size_t turn = net_channels_turn(acyclic->channels, from, to);

	if (acyclic->used[turn] != 0)
		return true;
	if (acyclic->barred[turn] != 0 || from == to)
		return false;
	if (acyclic->place[from] > acyclic->place[to]) {
		uint32_t ahead;

		acyclic->search++;
		ahead = look_ahead(acyclic, to, from);
		if (ahead == 0)
			return false;
		acyclic->search++;
		reorder(acyclic, look_behind(acyclic, from, acyclic->place[to]), ahead);
	}
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
		if (!(on_trial == 0 ? net_acyclic_add : net_acyclic_try)(acyclic, way[i], way[i + 1]))
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
