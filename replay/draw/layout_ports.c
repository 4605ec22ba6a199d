// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "draw/layout.h"

void draw_layout_face(struct draw_picture *picture)
{
	for (size_t i = 0; i < picture->wire_count; i++) {
		struct draw_wire *wire = &picture->wires[i];
		const struct draw_card *from = &picture->cards[wire->ends[0].card];
		const struct draw_card *to = &picture->cards[wire->ends[1].card];
		const double across = to->x - from->x;
		const double down = to->y - from->y;

		if (from == to) {
			wire->bowed = true;
			wire->ends[0].side = wire->ends[1].side = DRAW_TOP;
		} else if (fabs(across) > fabs(down)) {
			wire->ends[0].side = across > 0 ? DRAW_RIGHT : DRAW_LEFT;
			wire->ends[1].side = across > 0 ? DRAW_LEFT : DRAW_RIGHT;
		} else {
			wire->ends[0].side = down > 0 ? DRAW_BOTTOM : DRAW_TOP;
			wire->ends[1].side = down > 0 ? DRAW_TOP : DRAW_BOTTOM;
		}
	}
}

// An end, by the edge that it is on and where along it its wire comes from.
struct landing {
	struct draw_end *end;
	double from;
};

static bool is_upright(enum draw_side side)
{
	return side == DRAW_LEFT || side == DRAW_RIGHT;
}

static int compare(const void *one, const void *other)
{
	const struct landing *a = one;
	const struct landing *b = other;

	if (a->end->card != b->end->card)
		return a->end->card < b->end->card ? -1 : 1;
	if (a->end->side != b->end->side)
		return a->end->side < b->end->side ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->end->port > b->end->port) - (a->end->port < b->end->port);
}

// Spreads the ends of one edge evenly along it.
static void spread(const struct draw_card *card, const struct landing *landings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct draw_end *end = landings[i].end;
		const double share = (double)(i + 1) / (double)(count + 1) - 0.5;

		end->x = card->x + (is_upright(end->side) ? (end->side == DRAW_RIGHT ? 0.5 : -0.5) : share) * card->width;
		end->y = card->y + (is_upright(end->side) ? share : (end->side == DRAW_BOTTOM ? 0.5 : -0.5)) * card->height;
	}
}

enum tr_status draw_layout_ports(struct draw_picture *picture, struct tr_error *err)
{
	const size_t count = 2 * picture->wire_count;
	struct landing *landings = calloc(count + 1, sizeof(*landings));
	size_t end;

	if (!landings)
		return tr_no_memory(err, "a drawing");
	for (size_t i = 0; i < count; i++) {
		struct draw_wire *wire = &picture->wires[i / 2];
		const struct draw_card *far = &picture->cards[wire->ends[1 - i % 2].card];

		landings[i].end = &wire->ends[i % 2];
		landings[i].from = is_upright(landings[i].end->side) ? far->y : far->x;
	}
	qsort(landings, count, sizeof(*landings), compare);
	for (size_t first = 0; first < count; first = end) {
		for (end = first; end < count && landings[end].end->card == landings[first].end->card &&
				  landings[end].end->side == landings[first].end->side;)
			end++;
		spread(&picture->cards[landings[first].end->card], &landings[first], end - first);
	}
	free(landings);
	return TR_OK;
}
