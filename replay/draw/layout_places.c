// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "draw/layout.h"

#define GAP_ACROSS 38.0
#define GAP_DOWN 64.0
#define GAP_DOWN_MORE 110.0 // at most, where many wires run between two rows
#define WIRES_MANY 64.0

static struct net_place place_of(const struct draw_picture *picture, uint32_t card)
{
	const uint32_t hosts = picture->topology->hosts;
	const uint32_t node = picture->cards[card].node;

	// Hosts joined to hosts stand in the row of their number.
	return node >= hosts ? picture->topology->places[node - hosts] : (struct net_place){.column = (int32_t)node, .row = 0};
}

static bool between(int32_t value, int32_t one, int32_t other)
{
	return value > (one < other ? one : other) && value < (one < other ? other : one);
}

// Whether a card stands between two of one row or one column.
static bool is_blocked(const struct draw_picture *picture, struct net_place one, struct net_place other)
{
	for (uint32_t i = 0; i < picture->card_count; i++) {
		const struct net_place place = place_of(picture, i);

		if (one.row == other.row ? place.row == one.row && between(place.column, one.column, other.column)
					 : place.column == one.column && between(place.row, one.row, other.row))
			return true;
	}
	return false;
}

static void choose_sides(const struct draw_picture *picture, struct draw_wire *wire)
{
	const struct net_place from = place_of(picture, wire->ends[0].card);
	const struct net_place to = place_of(picture, wire->ends[1].card);
	const bool straight = from.row != to.row && from.column != to.column;
	enum draw_side *one = &wire->ends[0].side;
	enum draw_side *other = &wire->ends[1].side;

	wire->bowed = !straight && is_blocked(picture, from, to);
	if (wire->bowed || wire->ends[0].card == wire->ends[1].card) {
		wire->bowed = true;
		*one = *other = from.row == to.row ? DRAW_TOP : DRAW_RIGHT;
	} else if (from.row == to.row) {
		*one = from.column <= to.column ? DRAW_RIGHT : DRAW_LEFT;
		*other = from.column <= to.column ? DRAW_LEFT : DRAW_RIGHT;
	} else {
		*one = from.row < to.row ? DRAW_BOTTOM : DRAW_TOP;
		*other = from.row < to.row ? DRAW_TOP : DRAW_BOTTOM;
	}
}

// Makes the cards large enough for the ports of each side.
static void fit_cards(struct draw_picture *picture, uint32_t (*ports)[DRAW_SIDES])
{
	for (size_t i = 0; i < picture->wire_count; i++)
		for (size_t e = 0; e < 2; e++)
			ports[picture->wires[i].ends[e].card][picture->wires[i].ends[e].side]++;
	for (uint32_t i = 0; i < picture->card_count; i++)
		draw_card_fit(&picture->cards[i],
			      ports[i][DRAW_TOP] > ports[i][DRAW_BOTTOM] ? ports[i][DRAW_TOP] : ports[i][DRAW_BOTTOM],
			      ports[i][DRAW_LEFT] > ports[i][DRAW_RIGHT] ? ports[i][DRAW_LEFT] : ports[i][DRAW_RIGHT]);
}

struct placed {
	struct net_place place;
	struct draw_card *card;
};

static int by_row(const void *one, const void *other)
{
	const struct net_place a = ((const struct placed *)one)->place;
	const struct net_place b = ((const struct placed *)other)->place;

	if (a.row != b.row)
		return a.row < b.row ? -1 : 1;
	return (a.column > b.column) - (a.column < b.column);
}

// Pixels a column, so that no card touches the next one of its row.
static double find_pitch(const struct placed *order, uint32_t count)
{
	double pitch = 1;

	for (uint32_t i = 1; i < count; i++) {
		const struct placed *before = &order[i - 1];
		const double columns = (double)order[i].place.column - before->place.column;
		const double need = (before->card->width + order[i].card->width) / 2 + GAP_ACROSS;

		if (before->place.row == order[i].place.row && columns > 0)
			pitch = fmax(pitch, need / columns);
	}
	return pitch;
}

static void set_positions(const struct placed *order, uint32_t count)
{
	const double pitch = find_pitch(order, count);
	double top = 0;

	for (uint32_t first = 0; first < count;) {
		double height = 0;
		uint32_t end = first;
		uint32_t wires = 0;

		for (; end < count && order[end].place.row == order[first].place.row; end++) {
			height = fmax(height, order[end].card->height);
			wires += order[end].card->wires;
		}
		for (uint32_t i = first; i < end; i++) {
			order[i].card->x = pitch * order[i].place.column;
			order[i].card->y = top + height / 2;
		}
		top += height + GAP_DOWN + (GAP_DOWN_MORE - GAP_DOWN) * fmin(1, (double)wires / WIRES_MANY);
		first = end;
	}
}

enum tr_status draw_layout_places(struct draw_picture *picture, struct tr_error *err)
{
	const size_t cards = (size_t)picture->card_count + 1;
	uint32_t(*ports)[DRAW_SIDES] = calloc(cards, sizeof(*ports));
	struct placed *order = calloc(cards, sizeof(*order));
	const bool ready = ports && order;

	for (size_t i = 0; i < picture->wire_count; i++)
		choose_sides(picture, &picture->wires[i]);
	if (ready) {
		fit_cards(picture, ports);
		for (uint32_t i = 0; i < picture->card_count; i++)
			order[i] = (struct placed){place_of(picture, i), &picture->cards[i]};
		qsort(order, picture->card_count, sizeof(*order), by_row);
		set_positions(order, picture->card_count);
	}
	free(ports);
	free(order);
	return ready ? TR_OK : tr_no_memory(err, "a drawing");
}
