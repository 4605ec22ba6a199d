// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>

#include "gen/judge/criterion.h"

const struct judge_criterion *const judge_criteria[JUDGE_CRITERIA] = {
	&judge_marginals, &judge_dispersion, &judge_logscale, &judge_autocorrelation, &judge_gaps, &judge_sizes, &judge_queue,
};

void judge_plot_add(struct judge_plot *plot, double x, double y)
{
	if (plot->count == JUDGE_POINTS || !isfinite(x) || !isfinite(y) || (plot->x_log && !(x > 0)) ||
	    (plot->y_log && !(y > 0)))
		return;
	plot->x[plot->count] = x;
	plot->y[plot->count++] = y;
}

const char *judge_time(double seconds, char out[24])
{
	static const struct {
		double least, unit;
		const char *name;
	} units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0, 1e-9, "ns"}};
	size_t i = 0;

	while (seconds < units[i].least)
		i++;
	(void)snprintf(out, 24, "%.3g %s", seconds / units[i].unit, units[i].name);
	return out;
}
