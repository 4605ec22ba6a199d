// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/svg.h"

#include <math.h>

#include "net/engine.h"
#include "trace/utf8.h"

#define MARGIN 24.0
// How far a bow goes out: between two rows, more the more it spans; between two columns.
#define BOW_LEAST 22.0
#define BOW_MOST 50.0
#define BOW_SHARE 0.05
#define BOW_BESIDE 16.0
#define PORT_INSET 9.0

static const char style[] =
	"svg{--paper:#fff;--ink:#1b1f24;--soft:#59616b;--rule:#8b95a1;--wash:#eef1f4}\n"
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

// As XML takes it: what is no UTF-8 becomes U+FFFD, control characters but newlines blanks.
static void write_text(const char *text, FILE *out)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at != '\0') {
		const int length = tr_utf8_length(at);

		if (length == 0)
			(void)fputs("\xef\xbf\xbd", out);
		else if (*at == '<' || *at == '>' || *at == '&')
			(void)fputs(*at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;", out);
		else if (*at < ' ' && *at != '\n')
			(void)fputc(' ', out);
		else
			(void)fwrite(at, 1, (size_t)length, out);
		at += length != 0 ? length : 1;
	}
}

static void write_name(const struct net_topology *topology, uint32_t node, FILE *out)
{
	char name[DRAW_NAME_ROOM];

	net_topology_name(topology, node, name, sizeof(name));
	write_text(name, out);
}

// How far a bowed wire goes out of the line between its ends.
static double bow(const struct draw_wire *wire)
{
	if (wire->ends[0].side != DRAW_TOP)
		return BOW_BESIDE;
	return fmin(BOW_MOST, BOW_LEAST + BOW_SHARE * fabs(wire->ends[1].x - wire->ends[0].x));
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

		include(&box, card->x - card->width / 2, card->y - card->height / 2,
			card->x + card->width / 2, card->y + card->height / 2);
	}
	for (size_t i = 0; i < picture->wire_count; i++) {
		const struct draw_wire *wire = &picture->wires[i];
		const struct draw_end *end = &wire->ends[0];

		if (!wire->bowed)
			continue;
		if (end->side == DRAW_TOP)
			include(&box, end->x, end->y - bow(wire), end->x, end->y);
		else
			include(&box, end->x, end->y, end->x + bow(wire), end->y);
	}
	return box;
}

static void write_wire(const struct draw_picture *picture, const struct draw_wire *wire, FILE *out)
{
	const struct draw_end *a = &wire->ends[0];
	const struct draw_end *b = &wire->ends[1];
	const struct net_cable *cable = &picture->topology->cables[wire->cable];
	char text[NET_LINK_NAME_MAX];
	const double out_by = 4.0 / 3.0 * bow(wire); // of the control points: the curve gets 3/4 as far

	(void)fprintf(out, "<path class=\"w\" d=\"M%.1f %.1f", a->x, a->y);
	if (!wire->bowed)
		(void)fprintf(out, "L%.1f %.1f", b->x, b->y);
	else if (a->side == DRAW_TOP)
		(void)fprintf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", a->x, a->y - out_by, b->x,
			      b->y - out_by, b->x, b->y);
	else
		(void)fprintf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", a->x + out_by, a->y, b->x + out_by,
			      b->y, b->x, b->y);
	(void)fputs("\"><title>", out);
	net_link_name(picture->topology, 2 * (uint32_t)wire->cable, text, sizeof(text));
	write_text(text, out);
	if (cable->length_m.den != 0)
		(void)fprintf(out, ", %s", num_format(cable->length_m, NUM_LENGTH, text, sizeof(text)));
	if (cable->rate_bps.den != 0)
		(void)fprintf(out, ", %s", num_format(cable->rate_bps, NUM_RATE, text, sizeof(text)));
	(void)fputs("</title></path>\n", out);
}

// The port's number, inside the card's edge.
static void write_port(const struct draw_end *end, FILE *out)
{
	static const double inset_x[] = {[DRAW_TOP] = 0, [DRAW_RIGHT] = -PORT_INSET, [DRAW_BOTTOM] = 0,
					 [DRAW_LEFT] = PORT_INSET};
	static const double inset_y[] = {[DRAW_TOP] = PORT_INSET + 1, [DRAW_RIGHT] = 3,
					 [DRAW_BOTTOM] = -4, [DRAW_LEFT] = 3};

	(void)fprintf(out, "<text class=\"p\" x=\"%.1f\" y=\"%.1f\">%u</text>\n",
		      end->x + inset_x[end->side], end->y + inset_y[end->side], end->port);
}

static void write_chips(const struct draw_picture *picture, const struct draw_card *card, FILE *out)
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
			      x + 1.5, y, card->chip_width - 3, DRAW_CHIP - 3, x + 5, y + 9.5,
			      host->port);
		write_name(picture->topology, host->node, out);
		(void)fputs("</text>\n", out);
	}
}

static void write_card(const struct draw_picture *picture, const struct draw_card *card, FILE *out)
{
	const double top = card->y - card->height / 2;

	(void)fprintf(out,
		      "<rect class=\"s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		      "rx=\"6\"/><text class=\"n\" x=\"%.1f\" y=\"%.1f\">",
		      card->x - card->width / 2, top, card->width, card->height, card->x,
		      top + DRAW_EDGE + 9);
	write_name(picture->topology, card->node, out);
	(void)fputs("</text>\n", out);
	if (card->host_count > 0 && picture->chips)
		write_chips(picture, card, out);
	else if (card->host_count > 0)
		(void)fprintf(out, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">%u hosts</text>\n", card->x,
			      top + DRAW_EDGE + DRAW_TITLE + 9, card->host_count);
}

void draw_svg(const struct draw_picture *picture, const char *title, const char *comments, FILE *out)
{
	const struct box box = find_box(picture);
	const double width = box.right - box.left + 2 * MARGIN;
	const double height = box.bottom - box.top + 2 * MARGIN;

	(void)fprintf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
		      "viewBox=\"%.1f %.1f %.1f %.1f\">\n<title>",
		      width, height, box.left - MARGIN, box.top - MARGIN, width, height);
	write_text(title, out);
	(void)fputs("</title>\n<desc>", out);
	write_text(comments, out);
	(void)fprintf(out, "</desc>\n<style>\n%s</style>\n", style);
	for (size_t i = 0; i < picture->wire_count; i++)
		write_wire(picture, &picture->wires[i], out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		write_card(picture, &picture->cards[i], out);
	for (size_t i = 0; i < picture->wire_count; i++)
		for (size_t e = 0; e < 2; e++)
			if (picture->wires[i].ends[e].card < picture->topology->switches)
				write_port(&picture->wires[i].ends[e], out);
	(void)fputs("</svg>\n", out);
}
