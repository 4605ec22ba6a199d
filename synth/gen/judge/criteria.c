// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>

#include "gen/judge/criterion.h"

const struct judge_criterion *const judge_criteria[JUDGE_CRITERIA] = {
	&judge_marginals, &judge_dispersion, &judge_logscale, &judge_autocorrelation, &judge_gaps, &judge_sizes, &judge_queue,
};

struct judge_distance judge_same(void)
{
	return (struct judge_distance){.most = -1};
}

void judge_keep_most(struct judge_distance *distance, double at, double apart)
{
	if (!(fabs(apart) > distance->most))
		return;
	distance->at = at;
	distance->above = apart > 0;
	distance->most = fabs(apart);
}

double judge_octaves(double of_data, double of_model, double floor)
{
	return log2((of_model + floor) / (of_data + floor));
}

struct judge_distance judge_octaves_apart(const double *of_data, const double *of_model, size_t count, double floor)
{
	struct judge_distance out = judge_same();

	for (size_t i = 0; i < count; i++) {
		const double octaves = judge_octaves(of_data[i], of_model[i], floor);

		out.value += octaves * octaves / (double)count;
		judge_keep_most(&out, (double)i, octaves);
	}
	out.value = sqrt(out.value);
	return out;
}

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
