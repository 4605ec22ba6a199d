// SPDX-License-Identifier: GPL-3.0-or-later
// The autocorrelation of the counts at up to three widths and lags of 1 to 16 bins: root mean
// square of the differences.
//
// Known value: alternating counts 0 2 0 2 ... have -1 at odd lags and 1 at even ones (except for
// the ends).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/judge/criterion.h"

#define WIDTHS 3u
#define LAGS 16u
#define FINEST 1u // levels below the finest: two packets a bin
#define STEP 3u
#define BINS_MIN_LEVEL 6u // four times as many bins as lags

static unsigned autocorrelation_level_of(const struct judge_scales *scales, unsigned width)
{
	unsigned level = scales->levels > FINEST + STEP * width
				 ? scales->levels - FINEST - STEP * width
				 : 0;

	return level < BINS_MIN_LEVEL && width == 0 ? scales->levels : level;
}

static unsigned autocorrelation_widths_of(const struct judge_scales *scales)
{
	unsigned widths = 1;

	while (widths < WIDTHS && autocorrelation_level_of(scales, widths) >= BINS_MIN_LEVEL)
		widths++;
	return widths;
}

static size_t autocorrelation_length(const struct judge_scales *scales)
{
	return (size_t)autocorrelation_widths_of(scales) * LAGS;
}

static void autocorrelation_correlate(const double *apart, size_t bins, double *curve)
{
	double variance = 0;

	for (size_t i = 0; i < bins; i++)
		variance += apart[i] * apart[i];
	for (size_t lag = 1; lag <= LAGS; lag++) {
		double sum = 0;

		for (size_t i = lag; i < bins; i++)
			sum += apart[i] * apart[i - lag];
		curve[lag - 1] = variance > 0 ? sum / variance : 0;
	}
}

static enum tr_status autocorrelation_measure(const struct judge_view *view, double *curve,
					      struct tr_error *err)
{
	double *apart = calloc((size_t)1 << view->scales->levels, sizeof(*apart));

	if (!apart)
		return tr_no_memory(err, "2^%u bins", view->scales->levels);
	for (unsigned w = 0; w < autocorrelation_widths_of(view->scales); w++) {
		unsigned level = autocorrelation_level_of(view->scales, w);
		size_t bins = (size_t)1 << level;
		double mean = (double)view->packets->count / (double)bins;

		for (size_t i = 0; i < bins; i++)
			apart[i] = (double)judge_sum(view->scales, view->counts, level, i) - mean;
		autocorrelation_correlate(apart, bins, curve + (size_t)w * LAGS);
	}
	free(apart);
	return TR_OK;
}

static struct judge_distance autocorrelation_distance(const struct judge_scales *scales,
						      const double *of_data, const double *of_model)
{
	struct judge_distance out = judge_same();

	for (size_t i = 0; i < autocorrelation_length(scales); i++) {
		double apart = of_model[i] - of_data[i];

		out.value += apart * apart / (double)autocorrelation_length(scales);
		judge_keep_most(&out,
				judge_width(scales, autocorrelation_level_of(
							    scales, (unsigned)(i / LAGS))) *
					(double)(i % LAGS + 1),
				apart);
	}
	out.value = sqrt(out.value);
	return out;
}

static void autocorrelation_tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	char time[24];

	(void)snprintf(out, JUDGE_WORDS_BYTES, "too %s correlation at lag %s",
		       distance->above ? "much" : "little", judge_time(distance->at, time));
}

static bool autocorrelation_draw(const struct judge_scales *scales, const double *curve,
				 unsigned number, struct judge_plot *out)
{
	double width_s = judge_width(scales, autocorrelation_level_of(scales, number));
	char time[24];

	if (number >= autocorrelation_widths_of(scales))
		return false;
	*out = (struct judge_plot){.x_label = "lag (bins)", .y_label = "autocorrelation"};
	(void)snprintf(out->title, sizeof(out->title), "Correlation of counts in %s",
		       judge_time(width_s, time));
	for (size_t lag = 1; lag <= LAGS; lag++)
		judge_plot_add(out, (double)lag, curve[number * LAGS + lag - 1]);
	return true;
}

const struct judge_criterion judge_autocorrelation = {
	.name = "acf",
	.title = "autocorrelation of counts",
	.least = 0.02,
	.length = autocorrelation_length,
	.measure = autocorrelation_measure,
	.distance = autocorrelation_distance,
	.tell = autocorrelation_tell,
	.draw = autocorrelation_draw,
};
