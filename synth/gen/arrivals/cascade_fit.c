// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/cascade.h"
#include "gen/arrivals/gaps.h"
#include "gen/arrivals/replicas.h"

#define PACKETS_LEAST 0.5 // of a finest bin, on average
#define BINS_MOST 0x1p24  // of the whole sample
#define SEGMENTS_LEAST 16 // of the whole sample
#define SHAPE_MIN 0.01
#define SHAPE_MAX 1e4
#define DIGITS 6

// Sums over the nodes of one octave: counts, their squares and those of the halves' differences.
struct octave {
	double nodes, sum, squares, differences;
};

struct octaves {
	struct octave each[CASCADE_OCTAVES_MAX + 1]; // of 2^i finest bins
	unsigned count;
};

// The counts of a realisation's whole bins, on the grid of multiples from tick 0; *first is the number of the first bin.
static size_t count_bins(const struct arrival_times *times, double bin_ticks, double *counts, uint64_t *first)
{
	const double begin = ceil((double)times->begin_ticks / bin_ticks), end = floor((double)times->end_ticks / bin_ticks);
	const size_t bins = end > begin ? (size_t)(end - begin) : 0;

	*first = (uint64_t)begin;
	memset(counts, 0, bins * sizeof(*counts));
	for (size_t i = 0; i < times->count; i++) {
		const double bin = floor((double)times->ticks[i] / bin_ticks) - begin;

		if (bin >= 0 && bin < (double)bins)
			counts[(size_t)bin]++;
	}
	return bins;
}

static void add_octave(const double *counts, size_t bins, struct octave *octave)
{
	octave->nodes += (double)bins;
	for (size_t i = 0; i < bins; i++) {
		octave->sum += counts[i];
		octave->squares += counts[i] * counts[i];
	}
}

// Adds a realisation's octaves; counts is used up. Nodes whose number is even begin a pair.
static void add_octaves(double *counts, size_t bins, uint64_t first, struct octaves *out)
{
	add_octave(counts, bins, &out->each[0]);
	for (unsigned i = 1; i <= CASCADE_OCTAVES_MAX && bins > 1; i++) {
		const size_t skipped = first & 1, pairs = (bins - skipped) / 2;

		for (size_t p = 0; p < pairs; p++) {
			const double left = counts[skipped + 2 * p], right = counts[skipped + 2 * p + 1];

			out->each[i].differences += (left - right) * (left - right);
			counts[p] = left + right;
		}
		add_octave(counts, pairs, &out->each[i]);
		first = (first + skipped) / 2;
		bins = pairs;
	}
	while (out->count < CASCADE_OCTAVES_MAX && out->each[out->count + 1].nodes >= SEGMENTS_LEAST)
		out->count++;
}

static double finest_width_s(const struct arrival_sample *sample)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double least_ticks = fmax(PACKETS_LEAST * total.ticks / total.packets, total.ticks / BINS_MOST);
	const double least_s = fmax(least_ticks, (double)sample->each[0].bin_ticks) / sample->ticks_per_s;

	return pow(10, ceil(log10(least_s) - 1e-9));
}

// Traffic is what counts have beyond Poisson's variance: its squares are the mean of those of counts less the mean; the
// halves' difference has the variance of the multiplier times that.
static void set_cascade(const struct octaves *octaves, struct cascade *out)
{
	const struct octave *top = &octaves->each[octaves->count];
	const double mean = top->sum / top->nodes;

	out->packets = model_settle(MODEL_REAL, octaves->each[0].sum / octaves->each[0].nodes, DIGITS);
	out->spread = model_settle(MODEL_REAL, fmax((top->squares / top->nodes - mean) / (mean * mean) - 1, 0), DIGITS);
	out->octaves = octaves->count;
	for (unsigned i = 0; i < octaves->count; i++) {
		const struct octave *octave = &octaves->each[octaves->count - i];
		const double variance = (octave->differences - octave->sum) / (octave->squares - octave->sum);
		const double shape = variance > 0 ? (1 / variance - 1) / 2 : SHAPE_MAX;

		out->shape[i] = model_settle(MODEL_REAL, fmin(fmax(shape, SHAPE_MIN), SHAPE_MAX), DIGITS);
	}
}

#define OF_PACKETS 1 // the place of the field in the kind's table

// The mean, and the shapes from the finest octave up: a replica may have one octave more or less.
static unsigned values(const void *parameters, double out[REPLICAS_VALUES_MAX])
{
	const struct cascade *cascade = parameters;

	out[0] = log(cascade->packets);
	for (unsigned i = 0; i < cascade->octaves; i++)
		out[cascade->octaves - i] = cascade->shape[i] < SHAPE_MAX ? log(cascade->shape[i]) : NAN;
	return 1 + cascade->octaves;
}

static enum tr_status find_intervals(struct cascade *cascade, const struct arrival_sample *sample, struct arrival_notes *notes,
				     struct tr_error *err)
{
	double ends[REPLICAS_VALUES_MAX][2];

	for (unsigned i = 0; i < REPLICAS_VALUES_MAX; i++)
		ends[i][0] = ends[i][1] = NAN;
	if (replicas_intervals(&cascade_family, cascade, sample, values, ends, err) != TR_OK)
		return TR_ERROR;
	cascade->level = sample->level;
	(void)model_interval(MODEL_REAL, exp(ends[0][0]), exp(ends[0][1]), sample->level, notes->field[OF_PACKETS]);
	for (unsigned i = 0; i < cascade->octaves; i++)
		for (int end = 0; end < 2; end++)
			cascade->ends[i][end] = isfinite(ends[cascade->octaves - i][end]) ? exp(ends[cascade->octaves - i][end])
											  : 0;
	return TR_OK;
}

enum tr_status cascade_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			   struct tr_error *err)
{
	const double finest_s = finest_width_s(sample), bin_ticks = finest_s * sample->ticks_per_s;
	struct cascade *out = parameters;
	struct octaves octaves = {.count = 0};
	double *counts = NULL;

	*out = (struct cascade){.finest_s = finest_s};
	for (size_t r = 0; r < sample->count; r++) {
		const struct arrival_times *times = &sample->each[r];
		const size_t room = (size_t)((double)(times->end_ticks - times->begin_ticks) / bin_ticks) + 1;
		double *more = realloc(counts, room * sizeof(*more));
		uint64_t first;

		if (!more) {
			free(counts);
			return tr_no_memory(err, "%zu bins", room);
		}
		counts = more;
		const size_t bins = count_bins(times, bin_ticks, counts, &first);

		add_octaves(counts, bins, first, &octaves);
	}
	free(counts);
	if (octaves.count < 2 || octaves.each[octaves.count].sum == 0) {
		*out = (struct cascade){0};
		return tr_fail(err, "too few packets for a cascade: %u octaves have %u nodes", octaves.count, SEGMENTS_LEAST);
	}
	set_cascade(&octaves, out);
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by moments: the variances of Haar's coefficients in %u octaves, less those of Poisson counts",
		       octaves.count);
	if (sample->level > 0 && find_intervals(out, sample, notes, err) != TR_OK) {
		*out = (struct cascade){0};
		return TR_ERROR;
	}
	return TR_OK;
}
