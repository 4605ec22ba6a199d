// SPDX-License-Identifier: GPL-3.0-or-later
// Fractional noise as a family: the counts of the whole network (gen/noise_fit.h), whatever the others separate.
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/fit/packet_sizes.h"
#include "gen/noise_fit.h"
#include "stat/interval.h"

static void put(struct model *text, const struct noise_model *noise, const struct noise_fitted *found, double level)
{
	const struct interval packets = interval_above((struct interval){found->packets[0], found->packets[1]}, 0);
	char of_packets[MODEL_INTERVAL_BYTES], of_hurst[MODEL_INTERVAL_BYTES];

	noise_model_put(text, noise, model_interval(MODEL_REAL, packets.lo, packets.hi, level, of_packets),
			model_interval(MODEL_REAL, found->hurst[0], found->hurst[1], level, of_hurst));
}

static enum tr_status family_fit(const struct family *family, const struct packet_sample *sample,
				 const struct fit_options *options, struct model *text, struct fit_notes *notes,
				 struct tr_error *err)
{
	const struct arrival_times times = {sample->ticks, sample->count, sample->begin_ticks, sample->end_ticks,
					    sample->bin_ticks};
	struct noise_model noise = {.nodes = sample->people.senders, .duration_s = packet_sample_seconds(sample)};
	struct noise_fitted found;
	enum tr_status status;

	(void)family;
	status = noise_fit(&noise, &times, sample->ticks_per_s, options->pulse.level, &found, err);
	if (status == TR_OK)
		status = packet_sizes(sample, NULL, sample->count, &noise.bins, &noise.bin_count, &noise.header_B, err);
	if (status == TR_OK) {
		put(text, &noise, &found, options->pulse.level);
		notes->freedom = 3;
		if (noise.hurst <= NOISE_FIT_HURST_LEAST || noise.hurst >= NOISE_FIT_HURST_MOST)
			(void)snprintf(notes->bound, sizeof(notes->bound), "hurst stands at its bound, %g", noise.hurst);
		(void)snprintf(notes->method, sizeof(notes->method),
			       "by Whittle's likelihood of the counts (H) and by moments; noise suits with probability %.2g",
			       found.suits);
	}
	noise_model_clear(&noise);
	return status;
}

const struct family_fit fractional_noise_fit = {
	.by = FIT_BY_ANY,
	.always = "network",
	.fit = family_fit,
};
