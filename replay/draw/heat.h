// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for how busy links were: classes of equal width from 0 to the busiest link's share.
#ifndef REPLAY_DRAW_HEAT_H
#define REPLAY_DRAW_HEAT_H

#include <stddef.h>
#include <stdio.h>

#define DRAW_HEATS 6u

// shares are lent; NULL where nothing is coloured.
struct draw_heat {
	const double *shares; // by link
	double most;
};

struct draw_heat draw_heat_of(const double *shares, size_t links);

// Class of a link: 0 for one that was never busy, else 1 .. DRAW_HEATS.
unsigned draw_heat_class(const struct draw_heat *heat, size_t link);

// The rules of the classes, ".w0" on for strokes and ".f0" on for fills.
void draw_heat_style(FILE *out);

// What the colours mean, in a row of boxes that begins at (x, y) and is as high as the second and as wide as the first.
#define DRAW_LEGEND_WIDTH 650.0
#define DRAW_LEGEND_HEIGHT 18.0
void draw_heat_legend(const struct draw_heat *heat, double x, double y, FILE *out);

#endif
