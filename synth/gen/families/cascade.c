// SPDX-License-Identifier: GPL-3.0-or-later
// The multifractal wavelet model (Riedi, Crouse, Ribeiro and Baraniuk 1999, see processes.h): its
// text, its packets and its fit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/replicas.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"
#include "value/grow.h"

#define SHAPE_MIN 0.01
#define SHAPE_MAX 1e6

static const struct model_field fields[] = {
	{"finest", MODEL_TIME, offsetof(struct cascade, finest_s), true, 1e-9, 1e6, NULL},
	{"packets", MODEL_REAL, offsetof(struct cascade, packets), true, 1e-9, 1e9, NULL},
	{"spread", MODEL_REAL, offsetof(struct cascade, spread), false, 0, 1000, NULL},
	{"split", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

// A source: the path in the tree from a segment down to the current bin.
struct cascade_source {
	const struct cascade *cascade;
	const struct draw_tables *tables;
	double mean[CASCADE_OCTAVES_MAX + 1];  // of the node at each depth
	double other[CASCADE_OCTAVES_MAX + 1]; // of its right sibling, while it is the left one
	uint64_t bin;			       // in the segment
	double bin_ticks, at, stop;	       // at: ticks since the bin's begin
};

static enum tr_status cascade_get(void *parameters, const struct model *model, const char *section,
				  struct tr_error *err)
{
	struct cascade *cascade = parameters;
	const struct model_entry *entry = NULL;

	while ((entry = model_next(model, section, "split", entry))) {
		struct tr_error why = {""};
		double shape;

		if (cascade->octaves == CASCADE_OCTAVES_MAX)
			return model_fail(model, entry, err,
					  "split: there are more than %u octaves",
					  CASCADE_OCTAVES_MAX);
		if (model_value(MODEL_REAL, entry->value, &shape, &why) != TR_OK)
			return model_fail(model, entry, err, "split: %s", why.text);
		if (!(shape >= SHAPE_MIN && shape <= SHAPE_MAX))
			return model_fail(model, entry, err, "split: %s is outside %g .. %g",
					  entry->value, SHAPE_MIN, SHAPE_MAX);
		cascade->shape[cascade->octaves++] = shape;
	}
	return TR_OK;
}

static void cascade_put(const void *parameters, struct model *model)
{
	const struct cascade *cascade = parameters;
	char shape[MODEL_NUMBER_BYTES], width[MODEL_NUMBER_BYTES], ends[MODEL_INTERVAL_BYTES];
	char note[MODEL_NUMBER_BYTES + MODEL_INTERVAL_BYTES];

	for (unsigned i = 0; i < cascade->octaves; i++) {
		const double of_s = ldexp(cascade->finest_s, (int)(cascade->octaves - i));

		model_format(MODEL_TIME, model_settle(MODEL_TIME, of_s, 4), width);
		if (cascade->ends[i][1] > 0)
			(void)snprintf(note, sizeof(note), "%s; %s", width,
				       model_interval(MODEL_REAL, cascade->ends[i][0],
						      cascade->ends[i][1], cascade->level, ends));
		model_key(model, "split", model_format(MODEL_REAL, cascade->shape[i], shape),
			  cascade->ends[i][1] > 0 ? note : width);
	}
}

static double cascade_rate(const void *parameters)
{
	const struct cascade *cascade = parameters;

	return cascade->packets / cascade->finest_s;
}

// Variance of a multiplier in (-1, 1).
static double split_variance(double shape)
{
	return 1 / (2 * shape + 1);
}

double cascade_dispersion(const struct cascade *cascade, unsigned octave)
{
	const double mean = ldexp(cascade->packets, (int)octave);
	double square = 1 + cascade->spread; // of the node relative to its mean

	for (unsigned i = 0; i < cascade->octaves - octave; i++)
		square *= 1 + split_variance(cascade->shape[i]);
	return 1 + mean * (square - 1);
}

// Segments are independent of one another.
static double dispersion_cascade(const void *parameters)
{
	const struct cascade *cascade = parameters;

	return cascade_dispersion(cascade, cascade->octaves);
}

static void cascade_explain(const void *parameters, FILE *out)
{
	const struct cascade *cascade = parameters;
	char finest[MODEL_NUMBER_BYTES], longest[MODEL_NUMBER_BYTES];

	fprintf(out,
		"A cascade: the traffic of each segment of %s is halved %u times, down to bins of "
		"%s with a Poisson number of packets,\n    %.6g on average. The variance of a "
		"segment's traffic is %.4g of its squared mean. The variance-to-mean ratio\n    is "
		"%.4g for bins and %.4g for segments. Segments are independent.\n",
		model_format(MODEL_TIME, ldexp(cascade->finest_s, (int)cascade->octaves), longest),
		cascade->octaves, model_format(MODEL_TIME, cascade->finest_s, finest),
		cascade->packets, cascade->spread, cascade_dispersion(cascade, 0),
		cascade_dispersion(cascade, cascade->octaves));
}

// The left half's share.
static double draw_share(const struct cascade_source *s, double shape, struct tr_random *random)
{
	const double left = draw_gamma(s->tables, shape, random),
		     right = draw_gamma(s->tables, shape, random);

	if (left + right > 0)
		return left / (left + right);
	return tr_random_u32(random) & 1 ? 1 : 0; // both gamma values underflowed
}

// Draws from the node at depth, which is set, down along left halves.
static void go_down(struct cascade_source *s, unsigned depth, struct tr_random *random)
{
	for (; depth < s->cascade->octaves; depth++) {
		const double left = s->mean[depth] *
				    draw_share(s, s->cascade->shape[depth], random);

		s->other[depth + 1] = s->mean[depth] - left;
		s->mean[depth + 1] = left;
	}
}

static void cascade_begin_segment(struct cascade_source *s, struct tr_random *random)
{
	const double mean = ldexp(s->cascade->packets, (int)s->cascade->octaves),
		     spread = s->cascade->spread;

	s->mean[0] = spread > 0 ? mean * spread * draw_gamma(s->tables, 1 / spread, random) : mean;
	s->bin = 0;
	go_down(s, 0, random);
}

// Moves to the next bin: up while it is the right one, over to the right, and down.
static void next_bin(struct cascade_source *s, struct tr_random *random)
{
	const unsigned octaves = s->cascade->octaves;

	s->bin++;
	if (s->bin >> octaves) {
		cascade_begin_segment(s, random);
		return;
	}
	const unsigned depth = octaves - (unsigned)__builtin_ctzll(s->bin);

	s->mean[depth] = s->other[depth];
	go_down(s, depth, random);
}

static enum tr_status cascade_start(void *state, const void *parameters,
				    const struct arrival_settings *settings,
				    struct tr_random *random, struct tr_error *err)
{
	struct cascade_source *s = state;

	(void)err;
	*s = (struct cascade_source){.cascade = parameters,
				     .tables = settings->tables,
				     .stop = (double)settings->end_ticks};
	s->bin_ticks = s->cascade->finest_s * settings->ticks_per_s;
	cascade_begin_segment(s, random);
	return TR_OK;
}

static double cascade_next(void *state, struct tr_random *random)
{
	struct cascade_source *s = state;
	double needed = draw_exponential(s->tables, random),
	       passed = 0; // expected packets, and ticks

	while (passed < s->stop) {
		const double mean = s->mean[s->cascade->octaves], left = s->bin_ticks - s->at;

		if (needed * s->bin_ticks < mean * left) {
			const double on = needed * s->bin_ticks / mean;

			s->at += on;
			s->stop -= passed + on;
			return passed + on;
		}
		needed -= mean * left / s->bin_ticks;
		passed += left;
		s->at = 0;
		next_bin(s, random);
	}
	return INFINITY;
}

static unsigned cascade_freedom(const void *parameters)
{
	return 3 + ((const struct cascade *)parameters)->octaves;
}

#define PACKETS_LEAST 0.5 // per finest bin, on average
#define BINS_MOST 0x1p24  // of the whole sample
#define SEGMENTS_LEAST 16 // of the whole sample
#define SHAPE_FITTED_MAX 1e4
#define DIGITS 6

// Sums over the nodes of one octave: counts, their squares and the squared differences of the
// halves.
struct octave {
	double nodes, sum, squares, differences;
};

struct octaves {
	struct octave each[CASCADE_OCTAVES_MAX + 1]; // of 2^i finest bins
	unsigned count;
};

// The counts of a realisation's whole bins, on the grid of multiples from tick 0; *first is the
// first bin's number.
static size_t cascade_count_bins(const struct arrival_times *times, double bin_ticks,
				 double *counts, uint64_t *first)
{
	const double begin = ceil((double)times->begin_ticks / bin_ticks),
		     end = floor((double)times->end_ticks / bin_ticks);
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

static void cascade_add_octave(const double *counts, size_t bins, struct octave *octave)
{
	octave->nodes += (double)bins;
	for (size_t i = 0; i < bins; i++) {
		octave->sum += counts[i];
		octave->squares += counts[i] * counts[i];
	}
}

// Adds a realisation's octaves; counts is overwritten. Nodes with an even number begin a pair.
static void add_octaves(double *counts, size_t bins, uint64_t first, struct octaves *out)
{
	cascade_add_octave(counts, bins, &out->each[0]);
	for (unsigned i = 1; i <= CASCADE_OCTAVES_MAX && bins > 1; i++) {
		const size_t skipped = first & 1, pairs = (bins - skipped) / 2;

		for (size_t p = 0; p < pairs; p++) {
			const double left = counts[skipped + 2 * p],
				     right = counts[skipped + 2 * p + 1];

			out->each[i].differences += (left - right) * (left - right);
			counts[p] = left + right;
		}
		cascade_add_octave(counts, pairs, &out->each[i]);
		first = (first + skipped) / 2;
		bins = pairs;
	}
	while (out->count < CASCADE_OCTAVES_MAX &&
	       out->each[out->count + 1].nodes >= SEGMENTS_LEAST)
		out->count++;
}

static double finest_width_s(const struct arrival_sample *sample)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double least_ticks = fmax(PACKETS_LEAST * total.ticks / total.packets,
					total.ticks / BINS_MOST);
	const double least_s = fmax(least_ticks, (double)sample->each[0].bin_ticks) /
			       sample->ticks_per_s;

	return pow(10, ceil(log10(least_s) - 1e-9));
}

// The traffic's variance is that of the counts beyond Poisson's: its mean square is that of the
// counts less the mean; the variance of the halves' difference is that of the multiplier times it.
static void set_cascade(const struct octaves *octaves, struct cascade *out)
{
	const struct octave *top = &octaves->each[octaves->count];
	const double mean = top->sum / top->nodes;

	out->packets = model_settle(MODEL_REAL, octaves->each[0].sum / octaves->each[0].nodes,
				    DIGITS);
	out->spread = model_settle(MODEL_REAL,
				   fmax((top->squares / top->nodes - mean) / (mean * mean) - 1, 0),
				   DIGITS);
	out->octaves = octaves->count;
	for (unsigned i = 0; i < octaves->count; i++) {
		const struct octave *octave = &octaves->each[octaves->count - i];
		const double variance = (octave->differences - octave->sum) /
					(octave->squares - octave->sum);
		const double shape = variance > 0 ? (1 / variance - 1) / 2 : SHAPE_FITTED_MAX;

		out->shape[i] = model_settle(
			MODEL_REAL, fmin(fmax(shape, SHAPE_MIN), SHAPE_FITTED_MAX), DIGITS);
	}
}

#define OF_PACKETS 1 // index of the field in the kind's table

// The mean, and the shapes from the finest octave up, as a replica may have one octave more or
// less.
static unsigned cascade_values(const void *parameters, double out[REPLICAS_VALUES_MAX])
{
	const struct cascade *cascade = parameters;

	out[0] = log(cascade->packets);
	for (unsigned i = 0; i < cascade->octaves; i++)
		out[cascade->octaves - i] = cascade->shape[i] < SHAPE_FITTED_MAX
						    ? log(cascade->shape[i])
						    : NAN;
	return 1 + cascade->octaves;
}

static enum tr_status cascade_find_intervals(struct cascade *cascade,
					     const struct arrival_sample *sample,
					     struct arrival_notes *notes, struct tr_error *err)
{
	double ends[REPLICAS_VALUES_MAX][2];

	for (unsigned i = 0; i < REPLICAS_VALUES_MAX; i++)
		ends[i][0] = ends[i][1] = NAN;
	if (replicas_intervals(&cascade_family, cascade, sample, cascade_values, ends, err) !=
	    TR_OK)
		return TR_ERROR;
	cascade->level = sample->level;
	(void)model_interval(MODEL_REAL, exp(ends[0][0]), exp(ends[0][1]), sample->level,
			     notes->field[OF_PACKETS]);
	for (unsigned i = 0; i < cascade->octaves; i++)
		for (int end = 0; end < 2; end++)
			cascade->ends[i][end] = isfinite(ends[cascade->octaves - i][end])
							? exp(ends[cascade->octaves - i][end])
							: 0;
	return TR_OK;
}

// Fits by the variances of the Haar coefficients of counts in each octave, less those of Poisson
// counts. The finest bin is a power of ten of a second. Intervals are from replicas (replicas.h).
static enum tr_status cascade_fit(void *parameters, const struct arrival_sample *sample,
				  struct arrival_notes *notes, struct tr_error *err)
{
	const double finest_s = finest_width_s(sample), bin_ticks = finest_s * sample->ticks_per_s;
	struct cascade *out = parameters;
	struct octaves octaves = {.count = 0};
	double *counts = NULL;
	size_t room = 0;

	*out = (struct cascade){.finest_s = finest_s};
	for (size_t r = 0; r < sample->count; r++) {
		const struct arrival_times *times = &sample->each[r];
		const size_t most = (size_t)((double)(times->end_ticks - times->begin_ticks) /
					     bin_ticks) +
				    1;
		uint64_t first;

		if (!GROW_TO(counts, room, most)) {
			free(counts);
			return tr_no_memory(err, "%zu bins", most);
		}
		const size_t bins = cascade_count_bins(times, bin_ticks, counts, &first);

		add_octaves(counts, bins, first, &octaves);
	}
	free(counts);
	if (octaves.count < 2 || octaves.each[octaves.count].sum == 0) {
		*out = (struct cascade){0};
		return tr_fail(err, "too few packets for a cascade: %u octaves have %u segments",
			       octaves.count, SEGMENTS_LEAST);
	}
	set_cascade(&octaves, out);
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by moments: variances of the Haar coefficients in %u octaves, minus those "
		       "of Poisson counts",
		       octaves.count);
	if (sample->level > 0 && cascade_find_intervals(out, sample, notes, err) != TR_OK) {
		*out = (struct cascade){0};
		return TR_ERROR;
	}
	return TR_OK;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct cascade),
	.get = cascade_get,
	.put = cascade_put,
	.rate = cascade_rate,
	.dispersion = dispersion_cascade,
	.explain = cascade_explain,
	.state_bytes = sizeof(struct cascade_source),
	.start = cascade_start,
	.next = cascade_next,
};

static const struct arrival_fit fitting = {
	.fit = cascade_fit,
	.freedom = cascade_freedom,
};

const struct family cascade_family = {
	.name = "cascade",
	.summary = "multifractal wavelet cascade",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
