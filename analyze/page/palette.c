// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/palette.h"

#include <stddef.h>

struct palette_colour {
	unsigned light; // 0xrrggbb; also for gnuplot
	unsigned dark;
};

static const struct palette_colour curves[PALETTE_CURVES] = {
	{PALETTE_TEXT, 0},    // black, which becomes the page's text colour
	{0x0072b2, 0x56b4e9}, // blue; sky blue
	{0xd55e00, 0xe69f00}, // vermilion; orange
	{0x009e73, 0x2fd3a4}, // bluish green
	{0xcc79a7, 0xe6a5c8}, // reddish purple
	{0xe69f00, 0xf0e442}, // orange; yellow
};

static const struct palette_colour grid = {PALETTE_GRID, 0x3c4043};

// On a dark page one hue by opacity: the first level is faint but visible, the last is solid.
#define HEAT_DARK 0x8fd0ffu
#define HEAT_FAINT 0.06

unsigned palette_curve(unsigned colour)
{
	return curves[colour % PALETTE_CURVES].light;
}

// From nearly white to dark blue in whole steps, which gnuplot interpolates without rounding.
unsigned palette_heat(unsigned level)
{
	return 0xf0f4f7u - level * 0x100c08u;
}

// A rule for one attribute of elements to which gnuplot gave the colour.
static void begin_rule(FILE *out, const char *name, unsigned rgb)
{
	(void)fprintf(out, ".plot [%s=\"rgb(%u,%u,%u)\"]{%s:", name, rgb >> 16, rgb >> 8 & 255,
		      rgb & 255, name);
}

static void write_rules(FILE *out, const char *const *names, const struct palette_colour *colour)
{
	for (; *names; names++) {
		begin_rule(out, *names, colour->light);
		(void)fprintf(out, "#%06x}", colour->dark);
	}
}

void palette_write_rules(FILE *out)
{
	(void)fputs(".plot [color=\"black\"],.plot [color=\"rgb(0,0,0)\"]{color:inherit}"
		    ".plot [stroke=\"black\"],.plot [stroke=\"rgb(0,0,0)\"]{stroke:currentColor}"
		    ".plot [fill=\"black\"],.plot [fill=\"rgb(0,0,0)\"]{fill:currentColor}\n",
		    out);
}

void palette_write_dark_rules(FILE *out)
{
	static const char *const all[] = {"stroke", "fill", "color", NULL}, *const lines[] = {
										    "stroke", NULL};

	write_rules(out, lines, &grid);
	for (unsigned i = 1; i < PALETTE_CURVES; i++)
		write_rules(out, all, &curves[i]);
	for (unsigned i = 0; i < PALETTE_HEAT_LEVELS; i++) {
		begin_rule(out, "fill", palette_heat(i));
		(void)fprintf(out, "#%06x;fill-opacity:%.3f}", HEAT_DARK,
			      HEAT_FAINT + (1 - HEAT_FAINT) * i / (PALETTE_HEAT_LEVELS - 1));
	}
}

unsigned palette_stream(size_t stream)
{
	static const unsigned colours[] = {1, 2, 3, 5};

	return colours[stream % (sizeof(colours) / sizeof(*colours))];
}
