// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/distribution.h"

#include <math.h>

#define PLACES 500
#define PLACES_A_DECADE 24

void distribution_below(struct figure *figure, const struct quantile *quantile, double unit, double least)
{
	struct quantile_walk walk = {.of = quantile};
	double reached = 0, share;
	uint64_t last = 0;

	for (int i = 0; i <= PLACES && quantile->n > 0; i++) {
		uint64_t value = quantile_walk_to(&walk, (double)i / PLACES, &share);
		double x = fmax((double)value * unit, least);

		if (i > 0 && value == last)
			continue;
		figure_row(figure, x, reached, 0, 0);
		reached = share;
		figure_row(figure, x, reached, 0, 0);
		last = value;
	}
}

void distribution_above(struct figure *figure, const struct quantile *quantile, double unit, double least)
{
	struct quantile_walk walk = {.of = quantile};
	double left = 1, share;
	uint64_t last = 0;

	for (int i = 0; quantile->n > 0; i++) {
		double above = pow(10, -(double)i / PLACES_A_DECADE);
		uint64_t value = quantile_walk_to(&walk, 1 - above, &share);
		double x = fmax((double)value * unit, least);

		if (above * (double)quantile->n < 0.5)
			break;
		if (i > 0 && value == last)
			continue;
		figure_row(figure, x, left, 0, 0);
		left = 1 - share;
		if (left > 0)
			figure_row(figure, x, left, 0, 0);
		last = value;
	}
}
