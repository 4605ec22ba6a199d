// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/picture.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "net/engine.h"
#include "trace/escape.h"

// Colours by utilisation of links: classes of equal width from 0 to the busiest link's.
#define HEATS 6u

// The legend explains the colours, in a row of boxes.
#define LEGEND_WIDTH 650.0
#define LEGEND_HEIGHT 18.0
#define BOX 12.0
#define STEP 94.0
#define IDLE "var(--rule,#8b95a1)"

// From cold to hot, each readable on white and on black.
static const struct {
	const char *colour;
	double width; // of a wire
} classes[HEATS + 1] = {{IDLE, 1.2},	  {"#4a90c2", 1.8}, {"#2aa198", 2.2}, {"#8fae1b", 2.6},
			{"#e0a100", 3.0}, {"#ea6a1e", 3.4}, {"#d81e4a", 4.0}};

// shares are lent; NULL where nothing is coloured.
struct heat {
	const double *shares; // by link
	double most;
};

static struct heat heat_of(const double *shares, size_t links)
{
	struct heat heat = {.shares = shares};

	for (size_t i = 0; shares && i < links; i++)
		heat.most = fmax(heat.most, shares[i]);
	return heat;
}

// Class of a link: 0 for one that was never busy, else 1 .. HEATS.
static unsigned heat_class(const struct heat *heat, size_t link)
{
	double place;

	if (!heat->shares || heat->shares[link] <= 0)
		return 0;
	place = ceil(HEATS * heat->shares[link] / heat->most);
	return place >= HEATS ? HEATS : (unsigned)place;
}

// The CSS rules of the classes, from ".w0" for strokes and from ".f0" for fills.
static void write_heat_style(FILE *out)
{
	for (unsigned i = 0; i <= HEATS; i++)
		(void)fprintf(out, ".w%u{stroke:%s;stroke-width:%.1f}.f%u{fill:%s}\n", i, classes[i].colour, classes[i].width,
			      i, classes[i].colour);
}

// Writes the legend with its upper left corner at (x, y).
static void write_legend(const struct heat *heat, double x, double y, FILE *out)
{
	for (unsigned i = 0; i <= HEATS; i++) {
		const double left = x + STEP * i;

		(void)fprintf(out,
			      "<rect class=\"f%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"/>"
			      "<text class=\"h\" x=\"%.1f\" y=\"%.1f\">",
			      i, left, y, BOX, BOX, left + BOX + 4, y + BOX - 2);
		if (i == 0)
			(void)fputs("idle</text>\n", out);
		else
			(void)fprintf(out, "&#8804; %.3g %%</text>\n", 100 * heat->most * i / HEATS);
	}
}

// Height of a bow: between two rows it grows with the span; between two columns.
#define BOW_LEAST 22.0
#define BOW_MOST 50.0
#define BOW_SHARE 0.05
#define BOW_BESIDE 16.0

struct point {
	double x;
	double y;
};

// A cubic Bezier curve.
struct curve {
	struct point at[4];
	bool straight;
};

// How far a bowed wire deviates from the line between its ends.
static double bow_of(const struct draw_wire *wire)
{
	if (wire->ends[0].side != DRAW_TOP)
		return BOW_BESIDE;
	return fmin(BOW_MOST, BOW_LEAST + BOW_SHARE * fabs(wire->ends[1].x - wire->ends[0].x));
}

static struct point between(struct point one, struct point other, double share)
{
	return (struct point){one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share};
}

static struct curve curve_of(const struct draw_wire *wire)
{
	const struct point from = {wire->ends[0].x, wire->ends[0].y};
	const struct point to = {wire->ends[1].x, wire->ends[1].y};
	const double out_by = 4.0 / 3.0 * bow_of(wire); // the curve reaches 3/4 of this
	struct curve curve = {.at = {from, from, to, to}, .straight = !wire->bowed};

	for (size_t i = 1; i < 3 && wire->bowed; i++) {
		if (wire->ends[0].side == DRAW_TOP)
			curve.at[i].y -= out_by;
		else
			curve.at[i].x += out_by;
	}
	return curve;
}

// The first half of a curve (de Casteljau's construction).
static struct curve first_half(const struct curve *curve)
{
	const struct point *at = curve->at;
	const struct point one = between(at[0], at[1], 0.5);
	const struct point two = between(at[1], at[2], 0.5);
	const struct point three = between(at[2], at[3], 0.5);
	const struct point left = between(one, two, 0.5);
	const struct point right = between(two, three, 0.5);

	return (struct curve){.at = {at[0], one, left, between(left, right, 0.5)}, .straight = curve->straight};
}

static struct curve turned(const struct curve *curve)
{
	return (struct curve){.at = {curve->at[3], curve->at[2], curve->at[1], curve->at[0]}, .straight = curve->straight};
}

static void write_curve(const struct curve *curve, FILE *out)
{
	const struct point *at = curve->at;

	(void)fprintf(out, "d=\"M%.1f %.1f", at[0].x, at[0].y);
	if (curve->straight)
		(void)fprintf(out, "L%.1f %.1f", at[3].x, at[3].y);
	else
		(void)fprintf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", at[1].x, at[1].y, at[2].x, at[2].y, at[3].x, at[3].y);
	(void)fputs("\"><title>", out);
}

static void write_title(const struct net_topology *topology, uint32_t link, FILE *out)
{
	const struct net_cable *cable = &topology->cables[link / 2];
	char text[NET_LINK_NAME_MAX];

	text_write_markup(out, net_link_name(topology, link, text, sizeof(text)));
	if (cable->length_m.den != 0)
		(void)fprintf(out, ", %s", num_format(cable->length_m, NUM_LENGTH, text, sizeof(text)));
	if (cable->rate_bps.den != 0)
		(void)fprintf(out, ", %s", num_format(cable->rate_bps, NUM_RATE, text, sizeof(text)));
}

static void write_half(const struct net_topology *topology, const struct curve *curve, uint32_t link, const struct heat *heat,
		       FILE *out)
{
	const struct curve half = first_half(curve);

	(void)fprintf(out, "<path class=\"w w%u\" ", heat_class(heat, link));
	write_curve(&half, out);
	write_title(topology, link, out);
	(void)fprintf(out, ", %.3g %%</title></path>\n", 100 * heat->shares[link]);
}

// Writes it as one line, or as two halves with the colours of the links that leave at either end.
static void write_wire(const struct net_topology *topology, const struct draw_wire *wire, const struct heat *heat, FILE *out)
{
	const struct curve curve = curve_of(wire);
	const struct curve back = turned(&curve);
	const uint32_t link = 2 * (uint32_t)wire->cable;

	if (heat->shares) {
		write_half(topology, &curve, link, heat, out);
		write_half(topology, &back, link + 1, heat, out);
		return;
	}
	(void)fputs("<path class=\"w\" ", out);
	write_curve(&curve, out);
	write_title(topology, link, out);
	(void)fputs("</title></path>\n", out);
}

#define MARGIN 24.0
#define PORT_INSET 9.0
#define BAR 4.0 // of the ends of a chip, which show the utilisation of its host's links

static const char style[] = "svg{--paper:#fff;--ink:#1b1f24;--soft:#59616b;--rule:#8b95a1;--wash:#eef1f4}\n"
			    "@media(prefers-color-scheme:dark){svg{--paper:#15181c;--ink:#e6e8eb;--soft:#a4acb6;--rule:#6b7580;"
			    "--wash:#262b32}}\n"
			    "text{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;fill:var(--ink,#1b1f24)}\n"
			    ".n{font-size:11px;font-weight:bold;text-anchor:middle}\n"
			    ".h{font-size:10px}\n"
			    ".p,.m{font-size:8.5px;text-anchor:middle}\n"
			    ".p,.m,.c{fill:var(--soft,#59616b)}\n"
			    ".s{fill:var(--paper,#fff);fill-opacity:.88;stroke:var(--soft,#59616b)}\n"
			    ".b{fill:var(--wash,#eef1f4)}\n"
			    ".w{fill:none;stroke:var(--rule,#8b95a1);stroke-width:1.4}\n"
			    ".w:hover{stroke:#d9480f;stroke-width:3}\n";

struct box {
	double left, top, right, bottom;
};

static void write_name(const struct net_topology *topology, uint32_t node, FILE *out)
{
	char name[DRAW_NAME_ROOM];

	net_topology_name(topology, node, name, sizeof(name));
	text_write_markup(out, name);
}

static void include(struct box *box, double left, double top, double right, double bottom)
{
	box->left = fmin(box->left, left);
	box->top = fmin(box->top, top);
	box->right = fmax(box->right, right);
	box->bottom = fmax(box->bottom, bottom);
}

static struct box find_box(const struct draw_picture *picture)
{
	struct box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};

	for (uint32_t i = 0; i < picture->card_count; i++) {
		const struct draw_card *card = &picture->cards[i];

		include(&box, card->x - card->width / 2, card->y - card->height / 2, card->x + card->width / 2,
			card->y + card->height / 2);
	}
	for (size_t i = 0; i < picture->wire_count; i++) {
		const struct draw_wire *wire = &picture->wires[i];
		const struct draw_end *end = &wire->ends[0];

		if (!wire->bowed)
			continue;
		if (end->side == DRAW_TOP)
			include(&box, end->x, end->y - bow_of(wire), end->x, end->y);
		else
			include(&box, end->x, end->y, end->x + bow_of(wire), end->y);
	}
	return box;
}

// The port's number, inside the card's edge.
static void write_port(const struct draw_end *end, FILE *out)
{
	static const double inset_x[] = {
		[DRAW_TOP] = 0, [DRAW_RIGHT] = -PORT_INSET, [DRAW_BOTTOM] = 0, [DRAW_LEFT] = PORT_INSET};
	static const double inset_y[] = {[DRAW_TOP] = PORT_INSET + 1, [DRAW_RIGHT] = 3, [DRAW_BOTTOM] = -4, [DRAW_LEFT] = 3};

	(void)fprintf(out, "<text class=\"p\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", end->x + inset_x[end->side],
		      end->y + inset_y[end->side], end->port);
}

// The utilisation of a host's links, at the ends of its chip.
static void write_bars(const struct heat *heat, uint32_t sends, double left, double right, double y, FILE *out)
{
	const uint32_t links[] = {sends, sends ^ 1u};
	const double places[] = {left, right - BAR};

	for (size_t i = 0; i < 2; i++)
		(void)fprintf(out,
			      "<rect class=\"f%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\">"
			      "<title>%s %.3g %%</title></rect>\n",
			      heat_class(heat, links[i]), places[i], y, BAR, DRAW_CHIP - 3, i == 0 ? "sends" : "gets",
			      100 * heat->shares[links[i]]);
}

static void write_chips(const struct draw_picture *picture, const struct heat *heat, const struct draw_card *card, FILE *out)
{
	const double left = card->x - card->columns * card->chip_width / 2;
	const double top = card->y - card->height / 2 + DRAW_EDGE + DRAW_TITLE;

	for (uint32_t i = 0; i < card->host_count; i++) {
		const struct draw_host *host = &picture->hosts[card->first_host + i];
		const double x = left + card->chip_width * (i % card->columns);
		const double y = top + DRAW_CHIP * (i / card->columns);

		(void)fprintf(out,
			      "<rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
			      "rx=\"3\"/><text class=\"h\" x=\"%.1f\" y=\"%.1f\"><tspan "
			      "class=\"c\">%u</tspan> ",
			      x + 1.5, y, card->chip_width - 3, DRAW_CHIP - 3, x + 7, y + 9.5, host->port);
		write_name(picture->topology, host->node, out);
		(void)fputs("</text>\n", out);
		if (heat->shares)
			write_bars(heat, host->sends, x + 1.5, x + card->chip_width - 1.5, y, out);
	}
}

static void write_card(const struct draw_picture *picture, const struct heat *heat, const struct draw_card *card, FILE *out)
{
	const double top = card->y - card->height / 2;

	(void)fprintf(out,
		      "<rect class=\"s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		      "rx=\"6\"/><text class=\"n\" x=\"%.1f\" y=\"%.1f\">",
		      card->x - card->width / 2, top, card->width, card->height, card->x, top + DRAW_EDGE + 9);
	write_name(picture->topology, card->node, out);
	(void)fputs("</text>\n", out);
	if (card->host_count > 0 && picture->chips)
		write_chips(picture, heat, card, out);
	else if (card->host_count > 0)
		(void)fprintf(out, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">%u hosts</text>\n", card->x,
			      top + DRAW_EDGE + DRAW_TITLE + 9, card->host_count);
}

// The frame, with the legend below the drawing.
static void write_head(struct box box, const struct heat *heat, const char *title, const char *comments, FILE *out)
{
	const double width = box.right - box.left + 2 * MARGIN;
	const double height = box.bottom - box.top + 2 * MARGIN;

	(void)fprintf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
		      "viewBox=\"%.1f %.1f %.1f %.1f\">\n<title>",
		      width, height, box.left - MARGIN, box.top - MARGIN, width, height);
	text_write_markup(out, title);
	(void)fputs("</title>\n<desc>", out);
	text_write_markup_lines(out, comments);
	(void)fprintf(out, "</desc>\n<style>\n%s", style);
	if (heat->shares)
		write_heat_style(out);
	(void)fputs("</style>\n", out);
}

void draw_svg(const struct draw_picture *picture, const double *shares, const char *title, const char *comments, FILE *out)
{
	const struct heat heat = heat_of(shares, 2 * picture->topology->cable_count);
	struct box box = find_box(picture);
	const double foot = box.bottom + MARGIN;

	if (shares)
		include(&box, box.left, box.top, box.left + LEGEND_WIDTH, foot + LEGEND_HEIGHT);
	write_head(box, &heat, title, comments, out);
	for (size_t i = 0; i < picture->wire_count; i++)
		write_wire(picture->topology, &picture->wires[i], &heat, out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		write_card(picture, &heat, &picture->cards[i], out);
	for (size_t i = 0; i < picture->wire_count; i++)
		for (size_t e = 0; e < 2; e++)
			if (picture->wires[i].ends[e].card < picture->topology->switches)
				write_port(&picture->wires[i].ends[e], out);
	if (shares)
		write_legend(&heat, box.left, foot, out);
	(void)fputs("</svg>\n", out);
}
