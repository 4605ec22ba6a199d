// SPDX-License-Identifier: GPL-3.0-or-later
// The gaps between one packet of the network and the next, whoever sends it: the mean difference of
// their sorted logarithms (Wasserstein's distance in octaves), at 1,024 shares. Gaps below a
// thousandth of the data's mean count as that long.
//
// Known value: gaps all twice as long are 1 octave apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/intervals/ranks.h"
#include "stat/judge/criterion.h"

#define SHARES 1024u
#define SHORTEST 1e-3 // of the mean gap

static size_t gap_shares_length(const struct judge_scales *scales)
{
	(void)scales;
	return SHARES;
}

static enum tr_status gap_shares_measure(const struct judge_view *view, double *curve,
					 struct tr_error *err)
{
	const struct packet_sample *packets = view->packets;
	size_t n = packets->count > 1 ? packets->count - 1 : 0;
	uint64_t *gaps = calloc(n + 1, sizeof(*gaps));

	if (!gaps)
		return tr_no_memory(err, "%zu gaps", n);
	for (size_t i = 0; i < n; i++)
		gaps[i] = (uint64_t)(packets->ticks[i + 1] - packets->ticks[i]);
	rising_sort_whole(gaps, n);
	for (size_t i = 0; i < SHARES; i++) {
		size_t at = (size_t)((double)n * ((double)i + 0.5) / SHARES);
		double gap_s = n ? (double)gaps[at < n ? at : n - 1] / packets->ticks_per_s
				 : view->scales->seconds;

		curve[i] = log2(fmax(gap_s / view->scales->gap_s, SHORTEST));
	}
	free(gaps);
	return TR_OK;
}

static struct judge_distance gap_shares_distance(const struct judge_scales *scales,
						 const double *of_data, const double *of_model)
{
	struct judge_distance out = judge_same();

	for (size_t i = 0; i < SHARES; i++) {
		double octaves = of_model[i] - of_data[i];

		out.value += fabs(octaves) / SHARES;
		judge_keep_most(&out, of_data[i], octaves);
	}
	out.at = exp2(out.at) * scales->gap_s;
	return out;
}

static void gap_shares_tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	char time[24];

	(void)snprintf(out, JUDGE_WORDS_BYTES, "gaps near %s are too %s",
		       judge_time(distance->at, time), distance->above ? "long" : "short");
}

static bool gap_shares_draw(const struct judge_scales *scales, const double *curve, unsigned number,
			    struct judge_plot *out)
{
	*out = (struct judge_plot){.title = "Gaps between packets",
				   .x_label = "gap",
				   .y_label = "share of longer gaps",
				   .x_log = true,
				   .y_log = true,
				   .x_times = true};
	for (size_t i = 0; i < SHARES; i += i + 100 < SHARES ? 8 : 1)
		judge_plot_add(out, exp2(curve[i]) * scales->gap_s, 1 - ((double)i + 0.5) / SHARES);
	return number == 0;
}

const struct judge_criterion judge_gaps = {
	.name = "gaps_oct",
	.title = "gaps between packets",
	.least = 0.05,
	.length = gap_shares_length,
	.measure = gap_shares_measure,
	.distance = gap_shares_distance,
	.tell = gap_shares_tell,
	.draw = gap_shares_draw,
};
