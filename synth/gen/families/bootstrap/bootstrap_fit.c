// SPDX-License-Identifier: GPL-3.0-or-later
// The bootstrap as a family: where to cut the trace. If the silences of the whole network fall into
// two kinds, i.e. among the longer half, EPISODES_MIN or more before it, one is SPREAD_MIN times as
// long as the next, the trace has episodes, cut at the geometric mean of the two that are furthest
// apart; otherwise blocks of a BLOCKS-th of its time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/bootstrap/bootstrap.h"
#include "gen/families/family.h"

#define EPISODES_MIN 5u
#define SPREAD_MIN 2.0
#define BLOCKS 20.0
#define BLOCK_LEAST_S 1e-9 // the least that a model text allows
#define DIGITS 4

static int bootstrap_fit_longer_first(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

// The silence in ticks that separates episodes, and their number; 0 if there are none.
static double episode_gap(const double *gaps, size_t count, size_t *episodes)
{
	double best = SPREAD_MIN, at = 0;

	for (size_t i = EPISODES_MIN; i < count / 2; i++)
		if (gaps[i - 1] >= best * fmax(gaps[i], 1)) {
			best = gaps[i - 1] / fmax(gaps[i], 1);
			at = sqrt(gaps[i - 1] * fmax(gaps[i], 1));
			*episodes = i + 1;
		}
	return at;
}

static enum tr_status bootstrap_fit_choose_blocks(const struct packet_sample *sample,
						  struct bootstrap_model *out,
						  struct fit_notes *notes, struct tr_error *err)
{
	const size_t count = sample->count > 1 ? sample->count - 1 : 0;
	double *gaps = count > 0 ? malloc(count * sizeof(*gaps)) : NULL;
	size_t episodes = 0;
	double gap;

	if (count > 0 && sample->ticks[0] == sample->ticks[count]) {
		free(gaps);
		return tr_fail(err, "all packets have the same time");
	}
	if (!gaps)
		return count > 0 ? tr_no_memory(err, "the gaps")
				 : tr_fail(err, "fewer than two packets");
	for (size_t i = 0; i < count; i++)
		gaps[i] = (double)(sample->ticks[i + 1] - sample->ticks[i]);
	qsort(gaps, count, sizeof(*gaps), bootstrap_fit_longer_first);
	gap = episode_gap(gaps, count, &episodes) / sample->ticks_per_s;
	free(gaps);
	if (gap > 0) {
		out->episode_gap_s = model_settle(MODEL_TIME, gap, DIGITS);
		(void)snprintf(notes->method, sizeof(notes->method),
			       "%zu episodes, separated by the long ones of two kinds of silences "
			       "of the network",
			       episodes);
	} else {
		out->block_s = model_settle(
			MODEL_TIME, fmax(packet_sample_seconds(sample) / BLOCKS, BLOCK_LEAST_S),
			DIGITS);
		(void)snprintf(notes->method, sizeof(notes->method),
			       "no two kinds of silences to separate episodes: blocks of a "
			       "twentieth of the duration");
	}
	return TR_OK;
}

static enum tr_status bootstrap_family_fit(const struct family *family,
					   const struct packet_sample *sample,
					   const struct fit_options *options, struct model *text,
					   struct fit_notes *notes, struct tr_error *err)
{
	struct bootstrap_model model = {.trace = NULL};

	(void)family;
	if (!options->trace)
		return tr_fail(err, "the trace must be a file, since the model refers to it");
	if (bootstrap_fit_choose_blocks(sample, &model, notes, err) != TR_OK)
		return TR_ERROR;
	model.trace = strdup(options->trace);
	if (!model.trace)
		return tr_no_memory(err, "the model");
	model.digest = options->digest;
	model.aside = options->aside;
	model.duration_s = model_settle(MODEL_TIME, packet_sample_seconds(sample), 6);
	if (sample->capacity == 0) { // a part of a sample
		model.from_s = fmax(0, (double)sample->begin_ticks / sample->ticks_per_s);
		model.to_s = (double)sample->end_ticks / sample->ticks_per_s;
	}
	notes->freedom = (unsigned)sample->count;
	bootstrap_model_put(text, &model);
	bootstrap_model_clear(&model);
	return TR_OK;
}

const struct family_fit bootstrap_fit = {
	.by = FIT_BY_ANY,
	.copies = true,
	.always = "network",
	.fit = bootstrap_family_fit,
};
