// SPDX-License-Identifier: GPL-3.0-or-later
// The payloads: the mean difference of the sorted sizes (Wasserstein's distance) at 1,024 shares,
// in shares of the data's mean size on the wire.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/intervals/ranks.h"
#include "stat/judge/criterion.h"

#define SHARES 1024u

static size_t size_shares_length(const struct judge_scales *scales)
{
	(void)scales;
	return SHARES;
}

static enum tr_status size_shares_measure(const struct judge_view *view, double *curve,
					  struct tr_error *err)
{
	size_t n = view->packets->count;
	uint64_t *sizes = calloc(n + 1, sizeof(*sizes));

	if (!sizes)
		return tr_no_memory(err, "%zu sizes", n);
	for (size_t i = 0; i < n; i++)
		sizes[i] = view->packets->payload_B[i];
	rising_sort_whole(sizes, n);
	for (size_t i = 0; i < SHARES; i++) {
		size_t at = (size_t)((double)n * ((double)i + 0.5) / SHARES);

		curve[i] = n ? (double)sizes[at < n ? at : n - 1] : 0;
	}
	free(sizes);
	return TR_OK;
}

static struct judge_distance size_shares_distance(const struct judge_scales *scales,
						  const double *of_data, const double *of_model)
{
	struct judge_distance out = judge_same();

	for (size_t i = 0; i < SHARES; i++) {
		double apart = of_model[i] - of_data[i];

		out.value += fabs(apart) / SHARES / scales->wire_B;
		judge_keep_most(&out, of_data[i], apart);
	}
	return out;
}

static void size_shares_tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	(void)snprintf(out, JUDGE_WORDS_BYTES, "packets near %.0f B are too %s", distance->at,
		       distance->above ? "large" : "small");
}

static bool size_shares_draw(const struct judge_scales *scales, const double *curve,
			     unsigned number, struct judge_plot *out)
{
	(void)scales;
	*out = (struct judge_plot){.title = "Sizes of packets",
				   .x_label = "payload (kB)",
				   .y_label = "share of smaller packets"};
	for (size_t i = 0; i < SHARES; i += SHARES / 256)
		judge_plot_add(out, curve[i] / 1000, ((double)i + 0.5) / SHARES);
	return number == 0;
}

const struct judge_criterion judge_sizes = {
	.name = "sizes",
	.title = "sizes of packets",
	.least = 0.02,
	.length = size_shares_length,
	.measure = size_shares_measure,
	.distance = size_shares_distance,
	.tell = size_shares_tell,
	.draw = size_shares_draw,
};
