// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/palette.h"

#include <stddef.h>

struct palette_colour {
	const char *variable; // of CSS; NULL: the text's colour
	unsigned light;	      // 0xrrggbb; also for gnuplot
	unsigned dark;
};

static const struct palette_colour curves[PALETTE_CURVES] = {
	{NULL, PALETTE_TEXT, 0},      // black
	{"--c1", 0x0072b2, 0x56b4e9}, // blue; sky blue
	{"--c2", 0xd55e00, 0xe69f00}, // vermilion; orange
	{"--c3", 0x009e73, 0x2fd3a4}, // bluish green
	{"--c4", 0xcc79a7, 0xe6a5c8}, // reddish purple
	{"--c5", 0xe69f00, 0xf0e442}, // orange; yellow
};

static const struct palette_colour grid = {"--grid", PALETTE_GRID, 0x3c4043};
static const struct palette_colour heat = {"--heat", 0x08407a, 0x8fd0ff};

#define HEAT_STEP (240 / (PALETTE_HEAT_LEVELS - 1)) // white is not reached

unsigned palette_curve(unsigned colour)
{
	return curves[colour % PALETTE_CURVES].light;
}

// Red and blue 255 carry the level in green: no other colour of the palette looks so.
unsigned palette_heat(unsigned level)
{
	return 0xff00ffu | level * HEAT_STEP << 8;
}

static const struct palette_colour *find(unsigned rgb)
{
	if (rgb == PALETTE_GRID)
		return &grid;
	for (unsigned i = 0; i < PALETTE_CURVES; i++)
		if (curves[i].light == rgb)
			return &curves[i];
	return NULL;
}

static int is_heat(unsigned rgb)
{
	return (rgb & 0xff00ffu) == 0xff00ffu && (rgb >> 8 & 0xff) <= 240;
}

// The first level is faint but visible, the last is solid.
static double heat_opacity(unsigned rgb)
{
	double share = (double)(rgb >> 8 & 0xff) / 240;

	return 0.06 + 0.94 * share;
}

void palette_write_attribute(FILE *out, const char *name, unsigned rgb)
{
	const struct palette_colour *colour = find(rgb);

	if (is_heat(rgb))
		(void)fprintf(out, " %s=\"var(%s,#%06x)\" %s-opacity=\"%.3f\"", name, heat.variable, heat.light, name,
			      heat_opacity(rgb));
	else if (!colour)
		(void)fprintf(out, " %s=\"#%06x\"", name, rgb);
	else if (!colour->variable)
		(void)fprintf(out, " %s=\"currentColor\"", name);
	else
		(void)fprintf(out, " %s=\"var(%s,#%06x)\"", name, colour->variable, colour->light);
}

static void write_variable(FILE *out, const struct palette_colour *colour, int dark)
{
	(void)fprintf(out, "%s:#%06x;", colour->variable, dark ? colour->dark : colour->light);
}

void palette_write_variables(FILE *out, int dark)
{
	for (unsigned i = 1; i < PALETTE_CURVES; i++)
		write_variable(out, &curves[i], dark);
	write_variable(out, &grid, dark);
	write_variable(out, &heat, dark);
}

unsigned palette_stream(size_t stream)
{
	static const unsigned colours[] = {1, 2, 3, 5};

	return colours[stream % (sizeof(colours) / sizeof(*colours))];
}
