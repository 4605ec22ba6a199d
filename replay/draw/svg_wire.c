// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/svg_wire.h"

#include <math.h>

#include "draw/svg_text.h"
#include "net/engine.h"

// How far a bow goes out: between two rows, more the more it spans; between two columns.
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

double draw_svg_bow(const struct draw_wire *wire)
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
	const double out_by = 4.0 / 3.0 * draw_svg_bow(wire); // the curve gets 3/4 as far
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

	draw_svg_text(net_link_name(topology, link, text, sizeof(text)), out);
	if (cable->length_m.den != 0)
		(void)fprintf(out, ", %s", num_format(cable->length_m, NUM_LENGTH, text, sizeof(text)));
	if (cable->rate_bps.den != 0)
		(void)fprintf(out, ", %s", num_format(cable->rate_bps, NUM_RATE, text, sizeof(text)));
}

static void write_half(const struct net_topology *topology, const struct curve *curve, uint32_t link,
		       const struct draw_heat *heat, FILE *out)
{
	const struct curve half = first_half(curve);

	(void)fprintf(out, "<path class=\"w w%u\" ", draw_heat_class(heat, link));
	write_curve(&half, out);
	write_title(topology, link, out);
	(void)fprintf(out, ", %.3g %%</title></path>\n", 100 * heat->shares[link]);
}

void draw_svg_wire(const struct net_topology *topology, const struct draw_wire *wire, const struct draw_heat *heat, FILE *out)
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
