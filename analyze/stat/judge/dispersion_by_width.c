// SPDX-License-Identifier: GPL-3.0-or-later
// The index of dispersion (variance over mean of the counts) at dyadic widths: root mean square of
// the log2 ratios.
//
// Known value: 1 at each width for Poisson traffic.
#include <math.h>
#include <stdio.h>

#include "stat/judge/criterion.h"

#define FLOOR 0.01 // below it counts are practically constant

static size_t dispersion_by_width_length(const struct judge_scales *scales)
{
	return scales->levels - JUDGE_COARSEST + 1;
}

static double index_at(const struct judge_view *view, unsigned level)
{
	size_t bins = (size_t)1 << level;
	double mean = (double)view->packets->count / (double)bins, sum = 0;

	for (size_t i = 0; i < bins; i++) {
		double apart = (double)judge_sum(view->scales, view->counts, level, i) - mean;

		sum += apart * apart;
	}
	return mean > 0 ? sum / (double)(bins - 1) / mean : 0;
}

static enum tr_status dispersion_by_width_measure(const struct judge_view *view, double *curve,
						  struct tr_error *err)
{
	(void)err;
	for (size_t i = 0; i < dispersion_by_width_length(view->scales); i++)
		curve[i] = index_at(view, JUDGE_COARSEST + (unsigned)i);
	return TR_OK;
}

static struct judge_distance dispersion_by_width_distance(const struct judge_scales *scales,
							  const double *of_data,
							  const double *of_model)
{
	struct judge_distance out = judge_octaves_apart(of_data, of_model,
							dispersion_by_width_length(scales), FLOOR);

	out.at = judge_width(scales, JUDGE_COARSEST + (unsigned)out.at);
	return out;
}

static void dispersion_by_width_tell(const struct judge_distance *distance,
				     char out[JUDGE_WORDS_BYTES])
{
	char time[24];

	(void)snprintf(out, JUDGE_WORDS_BYTES, "too %s dispersion at %s",
		       distance->above ? "much" : "little", judge_time(distance->at, time));
}

static bool dispersion_by_width_draw(const struct judge_scales *scales, const double *curve,
				     unsigned number, struct judge_plot *out)
{
	*out = (struct judge_plot){.title = "Index of dispersion",
				   .x_label = "bin width",
				   .y_label = "variance-to-mean ratio of counts",
				   .x_log = true,
				   .y_log = true,
				   .x_times = true};
	for (size_t i = 0; i < dispersion_by_width_length(scales); i++)
		judge_plot_add(out, judge_width(scales, JUDGE_COARSEST + (unsigned)i), curve[i]);
	return number == 0;
}

const struct judge_criterion judge_dispersion = {
	.name = "dispersion_oct",
	.title = "dispersion of counts",
	.least = 0.1,
	.length = dispersion_by_width_length,
	.measure = dispersion_by_width_measure,
	.distance = dispersion_by_width_distance,
	.tell = dispersion_by_width_tell,
	.draw = dispersion_by_width_draw,
};
