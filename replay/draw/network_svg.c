// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/picture.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "net/engine.h"
#include "value/escape.h"

// Colours by utilisation of links: classes of equal width from 0 to the busiest link's.
#define HEATS 6u

// The legend explains the colours, in a row of boxes.
#define LEGEND_WIDTH 650.0
#define LEGEND_HEIGHT 18.0
#define BOX 12.0
#define STEP 94.0

// Colours are attributes, which every viewer has; a style only replaces them on dark pages.
#define PAPER "#fff"
#define INK "#1b1f24"
#define SOFT "#59616b"
#define RULE "#8b95a1"
#define WASH "#eef1f4"

// From cold to hot, each readable on white and on black.
static const struct {
	const char *colour;
	double width; // of a wire
} classes[HEATS + 1] = {{RULE, 1.2},	  {"#4a90c2", 1.8}, {"#2aa198", 2.2}, {"#8fae1b", 2.6},
			{"#e0a100", 3.0}, {"#ea6a1e", 3.4}, {"#d81e4a", 4.0}};

// shares are lent; NULL where nothing is coloured.
struct heat {
	const double *shares; // by link
	double most;
	double width; // of wires, 1 where hosts and ports are shown
};

static struct heat heat_of(const double *shares, size_t links, double width)
{
	struct heat heat = {.shares = shares, .width = width};

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

static void begin_group(const char *class, const char *look, FILE *out)
{
	(void)fprintf(out, "<g class=\"%s\" %s>\n", class, look);
}

static void end_group(FILE *out)
{
	(void)fputs("</g>\n", out);
}

// Writes the legend with its upper left corner at (x, y).
static void network_svg_write_legend(const struct heat *heat, double x, double y, FILE *out)
{
	begin_group("h", "fill=\"" INK "\" font-size=\"10\"", out);
	for (unsigned i = 0; i <= HEATS; i++) {
		const double left = x + STEP * i;

		(void)fprintf(
			out,
			"<rect%s fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"/>"
			"<text x=\"%.1f\" y=\"%.1f\">",
			i == 0 ? " class=\"i\"" : "", classes[i].colour, left, y, BOX, BOX,
			left + BOX + 4, y + BOX - 2);
		if (i == 0)
			(void)fputs("idle</text>\n", out);
		else
			(void)fprintf(out, "&#8804; %.3g %%</text>\n",
				      100 * heat->most * i / HEATS);
	}
	end_group(out);
}

// Height of a bow: between two rows it grows with the span; between two columns.
#define BOW_LEAST 22.0
#define BOW_MOST 50.0
#define BOW_SHARE 0.05
#define BOW_BESIDE 16.0

struct network_svg_point {
	double x;
	double y;
};

// A cubic Bezier curve.
struct network_svg_curve {
	struct network_svg_point at[4];
	bool straight;
};

// How far a bowed wire deviates from the line between its ends.
double draw_bow(const struct draw_wire *wire)
{
	if (wire->ends[0].side != DRAW_TOP)
		return wire->bow * BOW_BESIDE;
	return wire->bow *
	       fmin(BOW_MOST, BOW_LEAST + BOW_SHARE * fabs(wire->ends[1].x - wire->ends[0].x));
}

static struct network_svg_point network_svg_between(struct network_svg_point one,
						    struct network_svg_point other, double share)
{
	return (struct network_svg_point){one.x + (other.x - one.x) * share,
					  one.y + (other.y - one.y) * share};
}

static struct network_svg_curve network_svg_curve_of(const struct draw_wire *wire)
{
	const struct network_svg_point from = {wire->ends[0].x, wire->ends[0].y};
	const struct network_svg_point to = {wire->ends[1].x, wire->ends[1].y};
	const double out_by = 4.0 / 3.0 * draw_bow(wire); // the curve reaches 3/4 of this
	struct network_svg_curve curve = {.at = {from, from, to, to}, .straight = !wire->bowed};

	for (size_t i = 1; i < 3 && wire->bowed; i++) {
		if (wire->ends[0].side == DRAW_TOP)
			curve.at[i].y -= out_by;
		else
			curve.at[i].x += out_by;
	}
	return curve;
}

// The first half of a curve (de Casteljau's construction).
static struct network_svg_curve first_half(const struct network_svg_curve *curve)
{
	const struct network_svg_point *at = curve->at;
	const struct network_svg_point one = network_svg_between(at[0], at[1], 0.5);
	const struct network_svg_point two = network_svg_between(at[1], at[2], 0.5);
	const struct network_svg_point three = network_svg_between(at[2], at[3], 0.5);
	const struct network_svg_point left = network_svg_between(one, two, 0.5);
	const struct network_svg_point right = network_svg_between(two, three, 0.5);

	return (struct network_svg_curve){
		.at = {at[0], one, left, network_svg_between(left, right, 0.5)},
		.straight = curve->straight};
}

static struct network_svg_curve turned(const struct network_svg_curve *curve)
{
	return (struct network_svg_curve){
		.at = {curve->at[3], curve->at[2], curve->at[1], curve->at[0]},
		.straight = curve->straight};
}

static void write_curve(const struct network_svg_curve *curve, FILE *out)
{
	const struct network_svg_point *at = curve->at;

	(void)fprintf(out, "d=\"M%.1f %.1f", at[0].x, at[0].y);
	if (curve->straight)
		(void)fprintf(out, "L%.1f %.1f", at[3].x, at[3].y);
	else
		(void)fprintf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", at[1].x, at[1].y, at[2].x,
			      at[2].y, at[3].x, at[3].y);
	(void)fputs("\"><title>", out);
}

static void network_svg_write_title(const struct net_topology *topology, uint32_t link, FILE *out)
{
	const struct net_cable *cable = &topology->cables[link / 2];
	char text[NET_LINK_NAME_MAX];

	text_write_markup(out, net_link_name(topology, link, text, sizeof(text)));
	if (cable->length_m.den != 0)
		(void)fprintf(out, ", %s",
			      num_format(cable->length_m, NUM_LENGTH, text, sizeof(text)));
	if (cable->rate_bps.den != 0)
		(void)fprintf(out, ", %s",
			      num_format(cable->rate_bps, NUM_RATE, text, sizeof(text)));
}

static void write_half(const struct net_topology *topology, const struct network_svg_curve *curve,
		       uint32_t link, const struct heat *heat, FILE *out)
{
	const struct network_svg_curve half = first_half(curve);
	const unsigned class = heat_class(heat, link);

	(void)fprintf(out, "<path stroke-width=\"%.1f\" ", heat->width * classes[class].width);
	if (class > 0)
		(void)fprintf(out, "stroke=\"%s\" ", classes[class].colour);
	write_curve(&half, out);
	network_svg_write_title(topology, link, out);
	(void)fprintf(out, ", %.3g %%</title></path>\n", 100 * heat->shares[link]);
}

// Writes it as one line, or as two halves with the colours of the links that leave at either end.
static void write_wire(const struct net_topology *topology, const struct draw_wire *wire,
		       const struct heat *heat, FILE *out)
{
	const struct network_svg_curve curve = network_svg_curve_of(wire);
	const struct network_svg_curve back = turned(&curve);
	const uint32_t link = 2 * (uint32_t)wire->cable;

	if (heat->shares) {
		write_half(topology, &curve, link, heat, out);
		write_half(topology, &back, link + 1, heat, out);
		return;
	}
	(void)fputs("<path ", out);
	write_curve(&curve, out);
	network_svg_write_title(topology, link, out);
	(void)fputs("</title></path>\n", out);
}

#define MARGIN 24.0
#define PORT_INSET 9.0
#define BAR 4.0 // of the ends of a chip, which show the utilisation of its host's links

// Wires of a crowd are thin.
static const char *const wire_looks[] = {
	[DRAW_CHIPS] = "fill=\"none\" stroke=\"" RULE "\" stroke-width=\"1.4\"",
	[DRAW_COUNTS] = "fill=\"none\" stroke=\"" RULE "\" stroke-width=\"1.2\"",
	[DRAW_NUMBERS] = "fill=\"none\" stroke=\"" RULE "\" stroke-width=\"0.9\"",
	[DRAW_BOXES] = "fill=\"none\" stroke=\"" RULE
		       "\" stroke-width=\"0.6\" stroke-opacity=\".7\"",
};

// ":root" keeps those away who take what is in @media for rules of their own, such as LibreOffice.
static const char style[] = ".w path:hover{stroke:#d9480f;stroke-width:3}\n"
			    "@media(prefers-color-scheme:dark){:root .n,:root "
			    ".h{fill:#e6e8eb}:root .p,:root .c{fill:#a4acb6}"
			    ":root .s{fill:#15181c;stroke:#a4acb6}:root .b{fill:#262b32}:root "
			    ".w{stroke:#6b7580}:root .i{fill:#6b7580}}\n";

#define BLOCK_PADDING 10.0

// Wires between blocks, behind those inside.
static const char faint[] = "fill=\"none\" stroke=\"" RULE
			    "\" stroke-width=\"0.8\" stroke-opacity=\".6\"";

static void network_svg_write_name(const struct net_topology *topology, uint32_t node, FILE *out)
{
	char name[DRAW_NAME_ROOM];

	net_topology_name(topology, node, name, sizeof(name));
	text_write_markup(out, name);
}

// The digits at the end of a name, or the name.
static void write_number(const struct net_topology *topology, uint32_t node, FILE *out)
{
	char name[DRAW_NAME_ROOM];

	text_write_markup(out, draw_number(topology, node, name));
}

// The port's number, inside the card's edge.
static void write_port(const struct draw_end *end, FILE *out)
{
	static const double inset_x[] = {[DRAW_TOP] = 0,
					 [DRAW_RIGHT] = -PORT_INSET,
					 [DRAW_BOTTOM] = 0,
					 [DRAW_LEFT] = PORT_INSET};
	static const double inset_y[] = {
		[DRAW_TOP] = PORT_INSET + 1, [DRAW_RIGHT] = 3, [DRAW_BOTTOM] = -4, [DRAW_LEFT] = 3};

	(void)fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%u</text>\n", end->x + inset_x[end->side],
		      end->y + inset_y[end->side], end->port);
}

// The utilisation of a host's links, at the ends of its chip.
static void write_bars(const struct heat *heat, uint32_t sends, double left, double right, double y,
		       FILE *out)
{
	const uint32_t links[] = {sends, sends ^ 1u};
	const double places[] = {left, right - BAR};

	for (size_t i = 0; i < 2; i++) {
		const unsigned class = heat_class(heat, links[i]);

		(void)fprintf(
			out,
			"<rect%s fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\">"
			"<title>%s %.3g %%</title></rect>\n",
			class == 0 ? " class=\"i\"" : "", classes[class].colour, places[i], y, BAR,
			DRAW_CHIP - 3, i == 0 ? "sends" : "gets", 100 * heat->shares[links[i]]);
	}
}

// A host's chip, its words, and the utilisation of its links.
static void write_chip(const struct draw_picture *picture, const struct draw_card *card, uint32_t i,
		       const struct heat *heat, FILE *out)
{
	const struct draw_host *host = &picture->hosts[card->first_host + i];
	const double x = card->x + card->chip_width * (i % card->columns - card->columns / 2.0);
	const double y = card->y - card->height / 2 + DRAW_EDGE + DRAW_TITLE +
			 DRAW_CHIP * (i / card->columns);

	(void)fprintf(out,
		      "<rect class=\"b\" fill=\"" WASH
		      "\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"/>"
		      "<text x=\"%.1f\" y=\"%.1f\"><tspan class=\"c\" fill=\"" SOFT
		      "\">%u</tspan> ",
		      x + 1.5, y, card->chip_width - 3, DRAW_CHIP - 3, x + 7, y + 9.5, host->port);
	network_svg_write_name(picture->topology, host->node, out);
	(void)fputs("</text>\n", out);
	if (heat->shares)
		write_bars(heat, host->sends, x + 1.5, x + card->chip_width - 1.5, y, out);
}

static void write_card(const struct draw_picture *picture, const struct draw_card *card, FILE *out)
{
	(void)fprintf(
		out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%d\"><title>",
		card->x - card->width / 2, card->y - card->height / 2, card->width, card->height,
		picture->detail == DRAW_BOXES ? 2 : 6);
	network_svg_write_name(picture->topology, card->node, out);
	if (card->host_count > 0)
		(void)fprintf(out, ", %u host%s", card->host_count,
			      card->host_count == 1 ? "" : "s");
	(void)fputs("</title></rect>\n", out);
}

static void network_svg_write_label(const struct draw_picture *picture,
				    const struct draw_card *card, FILE *out)
{
	const double top = card->y - card->height / 2;

	(void)fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">", card->x,
		      picture->detail == DRAW_NUMBERS ? card->y + 3 : top + DRAW_EDGE + 9);
	if (picture->detail == DRAW_NUMBERS)
		write_number(picture->topology, card->node, out);
	else
		network_svg_write_name(picture->topology, card->node, out);
	(void)fputs("</text>\n", out);
}

static void write_cards(const struct draw_picture *picture, const struct heat *heat, FILE *out)
{
	begin_group("s", "fill=\"" PAPER "\" fill-opacity=\".88\" stroke=\"" SOFT "\"", out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		write_card(picture, &picture->cards[i], out);
	end_group(out);
	if (picture->detail == DRAW_BOXES)
		return;
	begin_group("n",
		    picture->detail == DRAW_NUMBERS
			    ? "fill=\"" INK "\" font-size=\"8.5\" text-anchor=\"middle\""
			    : "fill=\"" INK
			      "\" font-size=\"11\" font-weight=\"bold\" text-anchor=\"middle\"",
		    out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		network_svg_write_label(picture, &picture->cards[i], out);
	end_group(out);
	if (picture->detail != DRAW_CHIPS)
		return;
	begin_group("h", "fill=\"" INK "\" font-size=\"10\"", out);
	for (uint32_t i = 0; i < picture->card_count; i++)
		for (uint32_t h = 0; h < picture->cards[i].host_count; h++)
			write_chip(picture, &picture->cards[i], h, heat, out);
	end_group(out);
}

// The number of hosts of a card that does not show them.
static void write_host_count(const struct draw_card *card, FILE *out)
{
	if (card->host_count > 0)
		(void)fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%u host%s</text>\n", card->x,
			      card->y - card->height / 2 + DRAW_EDGE + DRAW_TITLE + 9,
			      card->host_count, card->host_count == 1 ? "" : "s");
}

// Ports, or how many hosts there are.
static void write_small_words(const struct draw_picture *picture, FILE *out)
{
	if (picture->detail > DRAW_COUNTS)
		return;
	begin_group("p", "fill=\"" SOFT "\" font-size=\"8.5\" text-anchor=\"middle\"", out);
	for (uint32_t i = 0; i < picture->card_count && picture->detail == DRAW_COUNTS; i++)
		write_host_count(&picture->cards[i], out);
	for (size_t i = 0; i < picture->wire_count && picture->detail == DRAW_CHIPS; i++)
		for (size_t e = 0; e < 2; e++)
			if (picture->wires[i].ends[e].card < picture->topology->switches)
				write_port(&picture->wires[i].ends[e], out);
	end_group(out);
}

// The frame, with the legend below the drawing.
static void network_svg_write_head(struct draw_box box, const char *title, const char *comments,
				   FILE *out)
{
	const double width = box.right - box.left + 2 * MARGIN;
	const double height = box.bottom - box.top + 2 * MARGIN;

	(void)fprintf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" "
		      "height=\"%.0f\" "
		      "viewBox=\"%.1f %.1f %.1f %.1f\" font-family=\"DejaVu Sans "
		      "Mono,ui-monospace,monospace\">\n<title>",
		      width, height, box.left - MARGIN, box.top - MARGIN, width, height);
	text_write_markup(out, title);
	(void)fputs("</title>\n<desc>", out);
	text_write_markup_lines(out, comments);
	(void)fprintf(out, "</desc>\n<style>\n%s</style>\n", style);
}

// A panel behind the cards of each block.
static void network_svg_write_blocks(const struct draw_picture *picture, FILE *out)
{
	if (!picture->blocks)
		return;
	begin_group("b", "fill=\"" WASH "\"", out);
	for (uint32_t block = 0; block < picture->block_count; block++) {
		struct draw_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};

		for (uint32_t i = 0; i < picture->card_count; i++)
			if (picture->blocks[i] == block)
				draw_box_include_card(&box, &picture->cards[i]);
		if (box.left <= box.right)
			(void)fprintf(out,
				      "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
				      "height=\"%.1f\" rx=\"8\"/>\n",
				      box.left - BLOCK_PADDING, box.top - BLOCK_PADDING,
				      box.right - box.left + 2 * BLOCK_PADDING,
				      box.bottom - box.top + 2 * BLOCK_PADDING);
	}
	end_group(out);
}

// The wires between blocks, or the others.
static void write_wires(const struct draw_picture *picture, bool between, const char *look,
			const struct heat *heat, FILE *out)
{
	begin_group("w", look, out);
	for (size_t i = 0; i < picture->wire_count; i++)
		if (draw_is_between(picture, &picture->wires[i]) == between)
			write_wire(picture->topology, &picture->wires[i], heat, out);
	end_group(out);
}

void draw_svg(const struct draw_picture *picture, const double *shares, const char *title,
	      const char *comments, FILE *out)
{
	const struct heat heat = heat_of(shares, 2 * picture->topology->cable_count,
					 picture->detail < DRAW_NUMBERS ? 1 : 0.6);
	struct draw_box box = draw_box_of(picture);
	const double foot = box.bottom + MARGIN;

	if (shares)
		draw_box_include(&box, box.left, box.top, box.left + LEGEND_WIDTH,
				 foot + LEGEND_HEIGHT);
	network_svg_write_head(box, title, comments, out);
	network_svg_write_blocks(picture, out);
	if (picture->blocks)
		write_wires(picture, true, shares ? wire_looks[picture->detail] : faint, &heat,
			    out);
	write_wires(picture, false, wire_looks[picture->detail], &heat, out);
	write_cards(picture, &heat, out);
	write_small_words(picture, out);
	if (shares)
		network_svg_write_legend(&heat, box.left, foot, out);
	(void)fputs("</svg>\n", out);
}
