// SPDX-License-Identifier: GPL-3.0-or-later
// Where cards and ports go in a drawing. Graphviz lays out networks without positions. Two things it cannot do are done here:
// rows as high and columns as wide as their cards need (neato -n takes positions as they are), and ports along a card's edge in
// the order of their wires' other ends (a record's ports keep the order in which they are written).
#include "draw/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/spawn.h"

// Graphviz gets the cards as boxes of their sizes and answers in its plain format, lines "node NAME X Y ..." in inches, y
// upwards.
#define CARDS_FOR_NEATO 400u
#define PIXELS_AN_INCH 72.0
#define GAP_INCHES 0.4
#define LINE_ROOM 512

static void ask(const struct draw_picture *picture, FILE *out)
{
	(void)fputs("graph {\n\tgraph [overlap=false, start=1, sep=\"+18\"];\n"
		    "\tnode [shape=box, fixedsize=true, label=\"\"];\n",
		    out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		(void)fprintf(out, "\t%u [width=%.3f, height=%.3f];\n", i, picture->cards[i].width / PIXELS_AN_INCH,
			      picture->cards[i].height / PIXELS_AN_INCH);
	for (size_t i = 0; i < picture->wire_count; i++)
		(void)fprintf(out, "\t%u -- %u [len=%.3f];\n", picture->wires[i].ends[0].card, picture->wires[i].ends[1].card,
			      GAP_INCHES + (picture->cards[picture->wires[i].ends[0].card].width +
					    picture->cards[picture->wires[i].ends[1].card].width) /
						   4 / PIXELS_AN_INCH);
	(void)fputs("}\n", out);
}

// Reads one line of the answer; only those of nodes matter.
static bool take_line(char *line, struct draw_card *cards, uint32_t card_count, uint32_t *taken)
{
	const char *word = strsep(&line, " ");
	uint64_t card;
	double x;
	double y;

	if (strcmp(word, "node") != 0)
		return true;
	word = strsep(&line, " ");
	if (!word || num_parse_count(word, 0, card_count - 1, &card, NULL) != TR_OK)
		return false;
	word = strsep(&line, " ");
	if (!word || num_parse_real(word, &x, NULL) != TR_OK)
		return false;
	word = strsep(&line, " ");
	if (!word || num_parse_real(word, &y, NULL) != TR_OK)
		return false;
	cards[card].x = x * PIXELS_AN_INCH;
	cards[card].y = -y * PIXELS_AN_INCH;
	++*taken;
	return true;
}

static enum tr_status take_answer(struct draw_picture *picture, FILE *in, struct tr_error *err)
{
	struct draw_card *moved = calloc((size_t)picture->card_count + 1, sizeof(*moved));
	char line[LINE_ROOM];
	uint32_t taken = 0;
	bool good = moved && fseek(in, 0, SEEK_SET) == 0;

	if (good)
		memcpy(moved, picture->cards, picture->card_count * sizeof(*moved));
	while (good && fgets(line, sizeof(line), in))
		good = take_line(line, moved, picture->card_count, &taken);
	good = good && taken == picture->card_count;
	if (good)
		memcpy(picture->cards, moved, picture->card_count * sizeof(*moved));
	free(moved);
	return good ? TR_OK : tr_fail(err, "unexpected output of Graphviz");
}

// Before a layout shows where wires come from, each edge gets room for half of the ports.
static void fit_cards_evenly(struct draw_picture *picture)
{
	for (uint32_t i = 0; i < picture->card_count; i++)
		draw_card_fit(&picture->cards[i], (picture->cards[i].wires + 1) / 2, (picture->cards[i].wires + 3) / 4);
}

static enum tr_status lay_out_by_graphviz(struct draw_picture *picture, struct tr_error *err)
{
	const char *const argv[] = {picture->card_count > CARDS_FOR_NEATO ? "sfdp" : "neato", "-Tplain", NULL};
	struct tr_scratch question = {.file = NULL}, answer = {.file = NULL};
	enum tr_status status;

	fit_cards_evenly(picture);
	status = tr_scratch_open(&question, "a drawing", err);
	if (status == TR_OK)
		status = tr_scratch_open(&answer, "a drawing", err);
	if (status == TR_OK)
		ask(picture, question.file);
	if (status == TR_OK)
		status = tr_scratch_flush(&question, "a drawing", err);
	if (status == TR_OK)
		status = tr_spawn(argv, question.path, answer.path, err);
	if (status == TR_OK)
		status = take_answer(picture, answer.file, err);
	tr_scratch_close(&question);
	tr_scratch_close(&answer);
	return status;
}

#define GAP_ACROSS 38.0
#define GAP_DOWN 64.0
#define GAP_DOWN_MORE 110.0 // at most, if many wires run between two rows
#define WIRES_MANY 64.0

static struct net_place place_of(const struct draw_picture *picture, uint32_t card)
{
	const uint32_t hosts = picture->topology->hosts;
	const uint32_t node = picture->cards[card].node;

	// Hosts cabled to hosts are in the row of their number.
	return node >= hosts ? picture->topology->places[node - hosts] : (struct net_place){.column = (int32_t)node, .row = 0};
}

static bool between(int32_t value, int32_t one, int32_t other)
{
	return value > (one < other ? one : other) && value < (one < other ? other : one);
}

// Whether a card lies between two of one row or one column.
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

// Pixels per column, so that no card touches the next one of its row.
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

static enum tr_status lay_out_by_places(struct draw_picture *picture, struct tr_error *err)
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

// An end: its edge, and the direction from which its wire comes.
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

enum tr_status draw_layout(struct draw_picture *picture, struct tr_error *err)
{
	const bool has_places = picture->topology->places || picture->topology->switches == 0;

	if ((has_places ? lay_out_by_places(picture, err) : lay_out_by_graphviz(picture, err)) != TR_OK)
		return TR_ERROR;
	if (!has_places)
		draw_layout_face(picture);
	return draw_layout_ports(picture, err);
}
