// SPDX-License-Identifier: GPL-3.0-or-later
// The levels of a tree whose switches have no positions.
#include "draw/picture.h"

#include <stdlib.h>

#define LEVELS_MAX 16u // of a tree; more are no tree
#define NO_LEVEL UINT32_MAX
#define FINE 16u // columns for each card of the widest level

struct leveled {
	uint32_t card;
	uint32_t below; // cables to the level below
	double wish;	// mean column of the cards there
};

// How far each card is from one with hosts. Returns the number of levels, 0 if a cable joins cards
// of one level or there are more than a tree has.
static uint32_t tree_levels_find_levels(const struct draw_picture *picture, uint32_t *levels)
{
	uint32_t count = 0;
	bool moved = true;

	for (uint32_t i = 0; i < picture->card_count; i++)
		levels[i] = picture->cards[i].host_count > 0 ? 0 : NO_LEVEL;
	for (uint32_t round = 0; moved && round <= LEVELS_MAX; round++) {
		moved = false;
		for (size_t i = 0; i < picture->wire_count; i++)
			for (size_t e = 0; e < 2; e++) {
				const uint32_t from = levels[picture->wires[i].ends[e].card];
				uint32_t *to = &levels[picture->wires[i].ends[1 - e].card];

				if (from != round || *to <= from + 1)
					continue;
				*to = from + 1;
				moved = true;
			}
	}
	for (uint32_t i = 0; i < picture->card_count; i++) {
		if (levels[i] == NO_LEVEL)
			return 0;
		count = levels[i] + 1 > count ? levels[i] + 1 : count;
	}
	for (size_t i = 0; i < picture->wire_count; i++)
		if (levels[picture->wires[i].ends[0].card] ==
		    levels[picture->wires[i].ends[1].card])
			return 0;
	return moved ? 0 : count;
}

static int compare_leveled(const void *one, const void *other)
{
	const struct leveled *a = one, *b = other;

	if (a->wish != b->wish)
		return a->wish < b->wish ? -1 : 1;
	return (a->card > b->card) - (a->card < b->card);
}

// The cards of a level, each with the mean column of those below; the lowest in the order of their
// numbers. Returns their number.
static uint32_t take_level(const struct draw_picture *picture, const uint32_t *levels,
			   uint32_t level, struct leveled *order, uint32_t *places)
{
	uint32_t own = 0;

	for (uint32_t i = 0; i < picture->card_count; i++)
		if (levels[i] == level) {
			places[i] = own;
			order[own++] = (struct leveled){.card = i, .wish = level == 0 ? i : 0};
		}
	for (size_t i = 0; i < picture->wire_count; i++)
		for (size_t e = 0; e < 2; e++) {
			const uint32_t card = picture->wires[i].ends[e].card,
				       below = picture->wires[i].ends[1 - e].card;

			if (levels[card] != level || levels[below] > level)
				continue;
			order[places[card]].wish += picture->places[below].column;
			order[places[card]].below++;
		}
	for (uint32_t i = 0; i < own; i++)
		if (order[i].below > 0)
			order[i].wish /= order[i].below;
	qsort(order, own, sizeof(*order), compare_leveled);
	return own;
}

// Spreads each level over the width of the widest one, in the order of what is below.
static void place_levels(struct draw_picture *picture, const uint32_t *levels,
			 struct leveled *order, uint32_t *places, uint32_t count)
{
	uint32_t widest = 0;

	for (uint32_t level = 0; level < count; level++) {
		uint32_t own = 0;

		for (uint32_t i = 0; i < picture->card_count; i++)
			own += levels[i] == level;
		widest = own > widest ? own : widest;
	}
	for (uint32_t level = 0; level < count; level++) {
		const uint32_t own = take_level(picture, levels, level, order, places);

		for (uint32_t i = 0; i < own; i++)
			picture->places[order[i].card] = (struct net_place){
				.column = (int32_t)((uint64_t)(2 * i + 1) * widest * FINE /
						    (2 * (uint64_t)own)),
				.row = (int32_t)(count - 1 - level)};
	}
}

bool draw_layers_find(struct draw_picture *picture, struct tr_error *err)
{
	const size_t cards = (size_t)picture->card_count + 1;
	uint32_t *levels = calloc(cards, sizeof(*levels)), *places = calloc(cards, sizeof(*places)),
		 count = 0;
	struct leveled *order = calloc(cards, sizeof(*order));

	if (!levels || !places || !order)
		(void)tr_no_memory(err, "a drawing");
	else
		count = tree_levels_find_levels(picture, levels);
	if (count > 1) {
		picture->places = calloc(cards, sizeof(*picture->places));
		if (picture->places)
			place_levels(picture, levels, order, places, count);
		else
			(void)tr_no_memory(err, "a drawing");
	}
	free(levels);
	free(places);
	free(order);
	return picture->places;
}
