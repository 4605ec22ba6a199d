// SPDX-License-Identifier: GPL-3.0-or-later
// The distribution of the packets in a bin, at up to four widths: Wasserstein's distance (the mean
// difference of the sorted counts, equally many for both), in shares of the data's mean count. 0:
// the same; 1: half of all packets would have to move to another bin; about 2: one is all in a
// single bin, the other even.
//
// Known value: counts {0, 2} against {1, 1} are 1 apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/judge/criterion.h"

#define WIDTHS 4u
#define STEP 3u // levels from one width to the next

static unsigned marginals_level_of(const struct judge_scales *scales, unsigned width)
{
	return scales->levels - STEP * width;
}

static unsigned marginals_widths_of(const struct judge_scales *scales)
{
	unsigned widths = 1;

	while (widths < WIDTHS && scales->levels >= JUDGE_LEVELS_MIN + STEP * widths)
		widths++;
	return widths;
}

static size_t marginals_length(const struct judge_scales *scales)
{
	size_t length = 0;

	for (unsigned w = 0; w < marginals_widths_of(scales); w++)
		length += (size_t)1 << marginals_level_of(scales, w);
	return length;
}

// Sorts the counts of a level into curve, by counting each value.
static enum tr_status sort_counts(const struct judge_view *view, unsigned level, double *curve,
				  struct tr_error *err)
{
	size_t bins = (size_t)1 << level, n = 0;
	uint64_t most = 0;
	uint32_t *times;

	for (size_t i = 0; i < bins; i++) {
		uint64_t count = judge_sum(view->scales, view->counts, level, i);

		most = count > most ? count : most;
	}
	times = calloc(most + 1, sizeof(*times));
	if (!times)
		return tr_no_memory(err, "counts up to %llu", (unsigned long long)most);
	for (size_t i = 0; i < bins; i++)
		times[judge_sum(view->scales, view->counts, level, i)]++;
	for (uint64_t value = 0; value <= most; value++)
		for (uint32_t k = 0; k < times[value]; k++)
			curve[n++] = (double)value;
	free(times);
	return TR_OK;
}

static enum tr_status marginals_measure(const struct judge_view *view, double *curve,
					struct tr_error *err)
{
	for (unsigned w = 0; w < marginals_widths_of(view->scales); w++) {
		if (sort_counts(view, marginals_level_of(view->scales, w), curve, err) != TR_OK)
			return TR_ERROR;
		curve += (size_t)1 << marginals_level_of(view->scales, w);
	}
	return TR_OK;
}

static struct judge_distance marginals_distance(const struct judge_scales *scales,
						const double *of_data, const double *of_model)
{
	struct judge_distance out = judge_same();
	unsigned widths = marginals_widths_of(scales);

	for (unsigned w = 0; w < widths; w++) {
		size_t bins = (size_t)1 << marginals_level_of(scales, w);
		double sum = 0;
		bool fuller;

		for (size_t i = 0; i < bins; i++)
			sum += fabs(of_model[i] - of_data[i]);
		sum /= scales->packets;
		out.value += sum / widths;
		// The fullest bins show which of the two is more uneven.
		fuller = of_model[bins - 1 - bins / 64] > of_data[bins - 1 - bins / 64];
		judge_keep_most(&out, judge_width(scales, marginals_level_of(scales, w)),
				fuller ? sum : -sum);
		of_data += bins;
		of_model += bins;
	}
	return out;
}

static void marginals_tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	char time[24];

	(void)snprintf(out, JUDGE_WORDS_BYTES, "full bins too %s at %s",
		       distance->above ? "full" : "empty", judge_time(distance->at, time));
}

// The share of bins with more packets than a count, at 200 shares evenly spaced in logarithm.
static bool marginals_draw(const struct judge_scales *scales, const double *curve, unsigned number,
			   struct judge_plot *out)
{
	const unsigned points = 200;
	size_t bins;
	char time[24];

	if (number >= marginals_widths_of(scales))
		return false;
	for (unsigned w = 0; w < number; w++)
		curve += (size_t)1 << marginals_level_of(scales, w);
	bins = (size_t)1 << marginals_level_of(scales, number);
	*out = (struct judge_plot){.x_label = "packets",
				   .y_label = "share of bins with more",
				   .x_log = true,
				   .y_log = true};
	(void)snprintf(out->title, sizeof(out->title), "Packets in bins of %s",
		       judge_time(judge_width(scales, marginals_level_of(scales, number)), time));
	for (unsigned i = 0; i <= points; i++) {
		size_t above = (size_t)llround(pow((double)bins, 1 - (double)i / points));

		judge_plot_add(out, curve[bins - above], (double)above / (double)bins);
	}
	return true;
}

const struct judge_criterion judge_marginals = {
	.name = "marginals",
	.title = "distribution of counts",
	.least = 0.02,
	.length = marginals_length,
	.measure = marginals_measure,
	.distance = marginals_distance,
	.tell = marginals_tell,
	.draw = marginals_draw,
};
