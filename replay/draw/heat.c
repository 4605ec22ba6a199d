// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/heat.h"

#include <math.h>

#define BOX 12.0
#define STEP 94.0
#define IDLE "var(--rule,#8b95a1)"

// From cold to hot, each readable on white and on black.
static const struct {
	const char *colour;
	double width; // of a wire
} classes[DRAW_HEATS + 1] = {{IDLE, 1.2},      {"#4a90c2", 1.8}, {"#2aa198", 2.2}, {"#8fae1b", 2.6},
			     {"#e0a100", 3.0}, {"#ea6a1e", 3.4}, {"#d81e4a", 4.0}};

struct draw_heat draw_heat_of(const double *shares, size_t links)
{
	struct draw_heat heat = {.shares = shares};

	for (size_t i = 0; shares && i < links; i++)
		heat.most = fmax(heat.most, shares[i]);
	return heat;
}

unsigned draw_heat_class(const struct draw_heat *heat, size_t link)
{
	double place;

	if (!heat->shares || heat->shares[link] <= 0)
		return 0;
	place = ceil(DRAW_HEATS * heat->shares[link] / heat->most);
	return place >= DRAW_HEATS ? DRAW_HEATS : (unsigned)place;
}

void draw_heat_style(FILE *out)
{
	for (unsigned i = 0; i <= DRAW_HEATS; i++)
		(void)fprintf(out, ".w%u{stroke:%s;stroke-width:%.1f}.f%u{fill:%s}\n", i, classes[i].colour, classes[i].width,
			      i, classes[i].colour);
}

void draw_heat_legend(const struct draw_heat *heat, double x, double y, FILE *out)
{
	for (unsigned i = 0; i <= DRAW_HEATS; i++) {
		const double left = x + STEP * i;

		(void)fprintf(out,
			      "<rect class=\"f%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"/>"
			      "<text class=\"h\" x=\"%.1f\" y=\"%.1f\">",
			      i, left, y, BOX, BOX, left + BOX + 4, y + BOX - 2);
		if (i == 0)
			(void)fputs("idle</text>\n", out);
		else
			(void)fprintf(out, "&#8804; %.3g %%</text>\n", 100 * heat->most * i / DRAW_HEATS);
	}
}
