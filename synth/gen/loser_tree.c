// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/loser_tree.h"

#include <stdlib.h>
#include <string.h>

static size_t loser_tree_place_of(const struct agenda *agenda, size_t source)
{
	return source << agenda->place_bits | (agenda->places ? agenda->places[source] : 0);
}

static int64_t loser_tree_time_of(const struct agenda *agenda, size_t source)
{
	return source < agenda->count ? agenda->ticks[loser_tree_place_of(agenda, source)]
				      : INT64_MAX;
}

// The winner at this node while the tree is filled: loser nodes hold winners then.
static uint64_t winner(const struct agenda *agenda, size_t at)
{
	if (at < agenda->leaves)
		return agenda->losers[at];
	const size_t source = at - agenda->leaves;

	return agenda_key(agenda, loser_tree_place_of(agenda, source),
			  loser_tree_time_of(agenda, source));
}

static void loser_tree_fill(struct agenda *agenda)
{
	uint64_t first;

	for (size_t at = agenda->leaves - 1; at > 0; at--) {
		const uint64_t a = winner(agenda, 2 * at), b = winner(agenda, 2 * at + 1);

		agenda->losers[at] = a < b ? a : b;
	}
	first = winner(agenda, 1);
	for (size_t at = 1; at < agenda->leaves;
	     at++) { // top down, so that the children still hold winners
		const uint64_t a = winner(agenda, 2 * at), b = winner(agenda, 2 * at + 1);

		agenda->losers[at] = a < b ? b : a;
	}
	agenda->next = agenda_place(agenda, first);
	agenda->next_ticks = loser_tree_time_of(agenda, agenda->next >> agenda->place_bits);
}

static void take_base(struct agenda *agenda)
{
	agenda->base_ticks = INT64_MAX;
	for (size_t i = 0; i < agenda->count; i++)
		if (loser_tree_time_of(agenda, i) < agenda->base_ticks)
			agenda->base_ticks = loser_tree_time_of(agenda, i);
	loser_tree_fill(agenda);
}

static void keep_place(struct agenda *agenda, uint64_t key)
{
	const size_t place = agenda_place(agenda, key), source = place >> agenda->place_bits;

	agenda->places[source] = (uint8_t)(place - (source << agenda->place_bits));
}

void agenda_rebase(struct agenda *agenda, uint64_t key)
{
	if (agenda->places) { // each source is in the tree, or was just taken out
		keep_place(agenda, key);
		for (size_t at = 1; at < agenda->leaves; at++)
			keep_place(agenda, agenda->losers[at]);
	}
	take_base(agenda);
}

static bool make_tree(struct agenda *agenda, size_t count, unsigned place_bits)
{
	*agenda = (struct agenda){
		.leaves = 1, .count = count, .place_bits = place_bits, .bits = place_bits};
	while (agenda->leaves < count) {
		agenda->leaves *= 2;
		agenda->bits++;
	}
	agenda->most = (uint64_t)1 << (63 - agenda->bits);
	agenda->losers = malloc(agenda->leaves * sizeof(*agenda->losers));
	return agenda->losers;
}

bool agenda_open(struct agenda *agenda, const int64_t *first_ticks, size_t count)
{
	if (!make_tree(agenda, count, 0) ||
	    !(agenda->own_ticks = malloc(agenda->leaves * sizeof(*agenda->own_ticks))))
		return false;
	memcpy(agenda->own_ticks, first_ticks, count * sizeof(*first_ticks));
	agenda->ticks = agenda->own_ticks;
	take_base(agenda);
	return true;
}

bool agenda_open_places(struct agenda *agenda, const int64_t *ticks, size_t count,
			unsigned place_bits)
{
	if (!make_tree(agenda, count, place_bits) ||
	    !(agenda->places = calloc(agenda->leaves, sizeof(*agenda->places))))
		return false;
	agenda->ticks = ticks;
	take_base(agenda);
	return true;
}

void agenda_close(struct agenda *agenda)
{
	free(agenda->own_ticks);
	free(agenda->losers);
	free(agenda->places);
	*agenda = (struct agenda){0};
}
