// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/svg.h"

#include <math.h>

#include "draw/heat.h"
#include "draw/svg_text.h"
#include "draw/svg_wire.h"

#define MARGIN 24.0
#define PORT_INSET 9.0
#define BAR 4.0 // of a chip's ends, which show how busy its host's links were

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
	draw_svg_text(name, out);
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
			include(&box, end->x, end->y - draw_svg_bow(wire), end->x, end->y);
		else
			include(&box, end->x, end->y, end->x + draw_svg_bow(wire), end->y);
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

// How busy the links of a host were, at the ends of its chip.
static void write_bars(const struct draw_heat *heat, uint32_t sends, double left, double right, double y, FILE *out)
{
	const uint32_t links[] = {sends, sends ^ 1u};
	const double places[] = {left, right - BAR};

	for (size_t i = 0; i < 2; i++)
		(void)fprintf(out,
			      "<rect class=\"f%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\">"
			      "<title>%s %.3g %%</title></rect>\n",
			      draw_heat_class(heat, links[i]), places[i], y, BAR, DRAW_CHIP - 3, i == 0 ? "sends" : "gets",
			      100 * heat->shares[links[i]]);
}

static void write_chips(const struct draw_picture *picture, const struct draw_heat *heat, const struct draw_card *card,
			FILE *out)
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

static void write_card(const struct draw_picture *picture, const struct draw_heat *heat, const struct draw_card *card,
		       FILE *out)
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

// The frame, which has the legend below what is drawn.
static void write_head(struct box box, const struct draw_heat *heat, const char *title, const char *comments, FILE *out)
{
	const double width = box.right - box.left + 2 * MARGIN;
	const double height = box.bottom - box.top + 2 * MARGIN;

	(void)fprintf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
		      "viewBox=\"%.1f %.1f %.1f %.1f\">\n<title>",
		      width, height, box.left - MARGIN, box.top - MARGIN, width, height);
	draw_svg_text(title, out);
	(void)fputs("</title>\n<desc>", out);
	draw_svg_text(comments, out);
	(void)fprintf(out, "</desc>\n<style>\n%s", style);
	if (heat->shares)
		draw_heat_style(out);
	(void)fputs("</style>\n", out);
}

void draw_svg(const struct draw_picture *picture, const double *shares, const char *title, const char *comments, FILE *out)
{
	const struct draw_heat heat = draw_heat_of(shares, 2 * picture->topology->cable_count);
	struct box box = find_box(picture);
	const double foot = box.bottom + MARGIN;

	if (shares)
		include(&box, box.left, box.top, box.left + DRAW_LEGEND_WIDTH, foot + DRAW_LEGEND_HEIGHT);
	write_head(box, &heat, title, comments, out);
	for (size_t i = 0; i < picture->wire_count; i++)
		draw_svg_wire(picture->topology, &picture->wires[i], &heat, out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		write_card(picture, &heat, &picture->cards[i], out);
	for (size_t i = 0; i < picture->wire_count; i++)
		for (size_t e = 0; e < 2; e++)
			if (picture->wires[i].ends[e].card < picture->topology->switches)
				write_port(&picture->wires[i].ends[e], out);
	if (shares)
		draw_heat_legend(&heat, box.left, foot, out);
	(void)fputs("</svg>\n", out);
}
