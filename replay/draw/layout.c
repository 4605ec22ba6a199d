// SPDX-License-Identifier: GPL-3.0-or-later
// Where cards and ports go in a drawing: rows as high and columns as wide as their cards need, or a
// ring, and ports along a card's edge in the order of their wires' other ends.
#include "draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 24u // switches in a row
#define WIRES_MANY 64.0
#define FLAT 2.0 // times wider than high: rows of a tree move apart
#define FLAT_GRID 4.0
#define DOWN_MOST 500.0
#define DOWN_MOST_GRID 60.0

// Pixels between cards, by detail; rows with many wires between them are further apart. side: of a
// drawing that a large screen shows at once, or after scrolling; a wider one gets less detail, and
// loses its numbers last.
static const struct {
	double across, down, down_more, side;
} gaps[] = {[DRAW_CHIPS] = {38, 64, 110, 3000},
	    [DRAW_COUNTS] = {38, 64, 110, 3000},
	    [DRAW_NUMBERS] = {8, 26, 26, 4500},
	    [DRAW_BOXES] = {5, 14, 14, HUGE_VAL}};

// Large enough for this number of ports along its top or bottom, and its left or right edge.
static void fit_card(const struct draw_picture *picture, struct draw_card *card, uint32_t across,
		     uint32_t down)
{
	if (picture->detail != DRAW_CHIPS)
		return;
	card->width = fmax(card->width, DRAW_SLOT * (across + 1));
	card->height = fmax(card->height, DRAW_SLOT * (down + 1));
}

static struct net_place layout_place_of(const struct draw_picture *picture, uint32_t card)
{
	return picture->places[card];
}

static bool layout_between(int32_t value, int32_t one, int32_t other)
{
	return value > (one < other ? one : other) && value < (one < other ? other : one);
}

// Whether a card lies between two of one row or one column.
static bool is_blocked(const struct draw_picture *picture, struct net_place one,
		       struct net_place other)
{
	for (uint32_t i = 0; i < picture->card_count; i++) {
		const struct net_place place = layout_place_of(picture, i);

		if (one.row == other.row
			    ? place.row == one.row &&
				      layout_between(place.column, one.column, other.column)
			    : place.column == one.column &&
				      layout_between(place.row, one.row, other.row))
			return true;
	}
	return false;
}

static void choose_sides(const struct draw_picture *picture, struct draw_wire *wire)
{
	const struct net_place from = layout_place_of(picture, wire->ends[0].card);
	const struct net_place to = layout_place_of(picture, wire->ends[1].card);
	const bool straight = from.row != to.row && from.column != to.column;
	enum draw_side *one = &wire->ends[0].side;
	enum draw_side *other = &wire->ends[1].side;

	wire->bowed = !straight && !draw_is_between(picture, wire) && is_blocked(picture, from, to);
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
		fit_card(picture, &picture->cards[i],
			 ports[i][DRAW_TOP] > ports[i][DRAW_BOTTOM] ? ports[i][DRAW_TOP]
								    : ports[i][DRAW_BOTTOM],
			 ports[i][DRAW_LEFT] > ports[i][DRAW_RIGHT] ? ports[i][DRAW_LEFT]
								    : ports[i][DRAW_RIGHT]);
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

// Pixels per column, so that no card touches the next one of its row.
static double find_pitch(const struct placed *order, uint32_t count, double across)
{
	double pitch = 0;

	for (uint32_t i = 1; i < count; i++) {
		const struct placed *before = &order[i - 1];
		const double columns = (double)order[i].place.column - before->place.column;
		const double need = (before->card->width + order[i].card->width) / 2 + across;

		if (before->place.row == order[i].place.row && columns > 0)
			pitch = fmax(pitch, need / columns);
	}
	return pitch > 0 ? pitch : 1;
}

// more: pixels between rows beyond what they need.
static void set_positions(const struct draw_picture *picture, const struct placed *order,
			  uint32_t count, double more)
{
	const double pitch = find_pitch(order, count, gaps[picture->detail].across);
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
		top += height + more + gaps[picture->detail].down +
		       (gaps[picture->detail].down_more - gaps[picture->detail].down) *
			       fmin(1, (double)wires / WIRES_MANY);
		if (end < count && order[end].place.row > order[first].place.row + 1)
			top += gaps[picture->detail].down;
		first = end;
	}
}

// Pixels by which the rows of what is wide move apart, so that wires are not flat.
static double find_more(const struct draw_picture *picture, const struct placed *order,
			uint32_t count)
{
	const struct draw_box box = draw_box_of(picture);
	double missing;
	uint32_t rows = 1;
	bool slanted = false;

	for (uint32_t i = 1; i < count; i++)
		rows += order[i].place.row != order[i - 1].place.row;
	for (size_t i = 0; i < picture->wire_count && !slanted; i++) {
		const struct net_place from = layout_place_of(picture,
							      picture->wires[i].ends[0].card);
		const struct net_place to = layout_place_of(picture,
							    picture->wires[i].ends[1].card);

		slanted = from.row != to.row && from.column != to.column;
	}
	missing = (box.right - box.left) / (slanted ? FLAT : FLAT_GRID) - (box.bottom - box.top);
	return rows > 1 ? fmax(0, fmin(slanted ? DOWN_MOST : DOWN_MOST_GRID, missing / (rows - 1)))
			: 0;
}

static enum tr_status lay_out_by_places(struct draw_picture *picture, struct tr_error *err)
{
	const size_t cards = (size_t)picture->card_count + 1;
	uint32_t(*ports)[DRAW_SIDES] = calloc(cards, sizeof(*ports));
	struct placed *order = calloc(cards, sizeof(*order));
	const bool ready = ports && order;

	if (ready) {
		fit_cards(picture, ports);
		for (uint32_t i = 0; i < picture->card_count; i++)
			order[i] = (struct placed){layout_place_of(picture, i), &picture->cards[i]};
		qsort(order, picture->card_count, sizeof(*order), by_row);
		set_positions(picture, order, picture->card_count, 0);
		set_positions(picture, order, picture->card_count,
			      find_more(picture, order, picture->card_count));
	}
	free(ports);
	free(order);
	return ready ? TR_OK : tr_no_memory(err, "a drawing");
}

// Wires between freely placed cards take the sides that face each other most.
static void face(struct draw_picture *picture)
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

// Clockwise from the top, each card with as much of the ring as it needs.
static void place_on_ring(struct draw_picture *picture)
{
	double whole = 0, at = 0;

	for (uint32_t i = 0; i < picture->card_count; i++)
		whole += hypot(picture->cards[i].width, picture->cards[i].height) +
			 gaps[picture->detail].across;
	for (uint32_t i = 0; i < picture->card_count; i++) {
		struct draw_card *card = &picture->cards[i];
		const double half = (hypot(card->width, card->height) +
				     gaps[picture->detail].across) /
				    2;
		const double angle = 2 * M_PI * (at + half) / whole - M_PI / 2;

		card->x = whole / (2 * M_PI) * cos(angle);
		card->y = whole / (2 * M_PI) * sin(angle);
		at += 2 * half;
	}
}

// Again when it is known on which sides wires leave, and so how large cards are.
static enum tr_status lay_out_on_ring(struct draw_picture *picture, struct tr_error *err)
{
	uint32_t(*ports)[DRAW_SIDES] = calloc((size_t)picture->card_count + 1, sizeof(*ports));

	if (!ports)
		return tr_no_memory(err, "a drawing");
	place_on_ring(picture);
	face(picture);
	fit_cards(picture, ports);
	place_on_ring(picture);
	face(picture);
	free(ports);
	return TR_OK;
}

// An end: its edge, and the direction from which its wire comes.
struct landing {
	struct draw_end *end;
	double from;
};

static bool is_upright(enum draw_side side)
{
	return side == DRAW_LEFT || side == DRAW_RIGHT;
}

static int layout_compare(const void *one, const void *other)
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
static void layout_spread(const struct draw_card *card, const struct landing *landings,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct draw_end *end = landings[i].end;
		const double share = (double)(i + 1) / (double)(count + 1) - 0.5;

		end->x = card->x +
			 (is_upright(end->side) ? (end->side == DRAW_RIGHT ? 0.5 : -0.5) : share) *
				 card->width;
		end->y = card->y +
			 (is_upright(end->side) ? share : (end->side == DRAW_BOTTOM ? 0.5 : -0.5)) *
				 card->height;
	}
}

static enum tr_status lay_out_ports(struct draw_picture *picture, struct tr_error *err)
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
	qsort(landings, count, sizeof(*landings), layout_compare);
	for (size_t first = 0; first < count; first = end) {
		for (end = first; end < count &&
				  landings[end].end->card == landings[first].end->card &&
				  landings[end].end->side == landings[first].end->side;)
			end++;
		layout_spread(&picture->cards[landings[first].end->card], &landings[first],
			      end - first);
	}
	free(landings);
	return TR_OK;
}

// The positions that the network has; hosts cabled to hosts are in the row of their number.
static bool take_places(struct draw_picture *picture, struct tr_error *err)
{
	const struct net_topology *topology = picture->topology;

	*err = (struct tr_error){""};
	if (!topology->places && topology->switches > 0)
		return draw_layers_find(picture, err);
	picture->places = calloc((size_t)picture->card_count + 1, sizeof(*picture->places));
	if (!picture->places) {
		(void)tr_no_memory(err, "a drawing");
		return false;
	}
	for (uint32_t i = 0; i < picture->card_count; i++) {
		const uint32_t node = picture->cards[i].node;

		picture->places[i] = node >= topology->hosts
					     ? topology->places[node - topology->hosts]
					     : (struct net_place){.column = (int32_t)node,
								  .row = 0};
	}
	return true;
}

// A long line or ring is drawn as a ring whatever its positions are.
static void forget_line(struct draw_picture *picture)
{
	for (uint32_t i = 0; i < picture->card_count; i++)
		if (picture->cards[i].wires > 2)
			return;
	if (picture->card_count > LINE_MOST) {
		free(picture->places);
		picture->places = NULL;
	}
}

static enum tr_status layout_lay_out(struct draw_picture *picture, struct tr_error *err)
{
	return picture->places ? lay_out_by_places(picture, err) : lay_out_on_ring(picture, err);
}

enum tr_status draw_layout(struct draw_picture *picture, struct tr_error *err)
{
	if (!take_places(picture, err) && *err->text != '\0')
		return TR_ERROR;
	forget_line(picture);
	if (picture->places && draw_blocks_find(picture, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < picture->wire_count && picture->places; i++)
		choose_sides(picture, &picture->wires[i]);
	for (enum draw_detail detail = DRAW_CHIPS; detail <= DRAW_BOXES; detail++) {
		struct draw_box box;

		draw_picture_size(picture, detail);
		if (layout_lay_out(picture, err) != TR_OK)
			return TR_ERROR;
		box = draw_box_of(picture);
		if (fmax(box.right - box.left, box.bottom - box.top) <= gaps[detail].side)
			break;
	}
	return lay_out_ports(picture, err);
}
