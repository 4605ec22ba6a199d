// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/cascade.h"
#include "gen/families/family.h"

#include <math.h>
#include <string.h>

#define SHAPE_MIN 0.01
#define SHAPE_MAX 1e6

static const struct model_field fields[] = {{"finest", MODEL_TIME, offsetof(struct cascade, finest_s), true, 1e-9, 1e6, NULL},
					    {"packets", MODEL_REAL, offsetof(struct cascade, packets), true, 1e-9, 1e9, NULL},
					    {"spread", MODEL_REAL, offsetof(struct cascade, spread), false, 0, 1000, NULL},
					    {"split", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

// A source: the way from a segment down to the bin under way.
struct cascade_source {
	const struct cascade *cascade;
	const struct draw_tables *tables;
	double mean[CASCADE_OCTAVES_MAX + 1];  // of the node at each depth
	double other[CASCADE_OCTAVES_MAX + 1]; // of its sibling to the right, while it is the left one
	uint64_t bin;			       // in the segment
	double bin_ticks, at, stop;	       // at: from the bin's begin, ticks
};

static enum tr_status get(void *parameters, const struct model *model, const char *section, struct tr_error *err)
{
	struct cascade *cascade = parameters;
	const struct model_entry *entry = NULL;

	while ((entry = model_next(model, section, "split", entry))) {
		struct tr_error why = {""};
		double shape;

		if (cascade->octaves == CASCADE_OCTAVES_MAX)
			return model_fail(model, entry, err, "split: there are more than %u octaves", CASCADE_OCTAVES_MAX);
		if (model_value(MODEL_REAL, entry->value, &shape, &why) != TR_OK)
			return model_fail(model, entry, err, "split: %s", why.text);
		if (!(shape >= SHAPE_MIN && shape <= SHAPE_MAX))
			return model_fail(model, entry, err, "split: %s is outside %g .. %g", entry->value, SHAPE_MIN,
					  SHAPE_MAX);
		cascade->shape[cascade->octaves++] = shape;
	}
	return TR_OK;
}

static void put(const void *parameters, struct model *model)
{
	const struct cascade *cascade = parameters;
	char shape[MODEL_NUMBER_BYTES], width[MODEL_NUMBER_BYTES], ends[MODEL_INTERVAL_BYTES];
	char note[MODEL_NUMBER_BYTES + MODEL_INTERVAL_BYTES];

	for (unsigned i = 0; i < cascade->octaves; i++) {
		const double of_s = ldexp(cascade->finest_s, (int)(cascade->octaves - i));

		model_format(MODEL_TIME, model_settle(MODEL_TIME, of_s, 4), width);
		if (cascade->ends[i][1] > 0)
			(void)snprintf(
				note, sizeof(note), "%s; %s", width,
				model_interval(MODEL_REAL, cascade->ends[i][0], cascade->ends[i][1], cascade->level, ends));
		model_key(model, "split", model_format(MODEL_REAL, cascade->shape[i], shape),
			  cascade->ends[i][1] > 0 ? note : width);
	}
}

static double rate(const void *parameters)
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
	double square = 1 + cascade->spread; // of the node over its mean

	for (unsigned i = 0; i < cascade->octaves - octave; i++)
		square *= 1 + split_variance(cascade->shape[i]);
	return 1 + mean * (square - 1);
}

// Segments are independent of one another.
static double dispersion(const void *parameters)
{
	const struct cascade *cascade = parameters;

	return cascade_dispersion(cascade, cascade->octaves);
}

static void explain(const void *parameters, FILE *out)
{
	const struct cascade *cascade = parameters;
	char finest[MODEL_NUMBER_BYTES], longest[MODEL_NUMBER_BYTES];

	fprintf(out,
		"A cascade: the traffic of each %s is split in halves %u times, down to bins of %s with %.6g packets\n"
		"    on average, a Poisson number. It varies by %.4g of its mean's square; a bin's counts have %.4g times the variance\n"
		"    of a Poisson number, a segment's %.4g times. Nothing is remembered from one segment to the next.\n",
		model_format(MODEL_TIME, ldexp(cascade->finest_s, (int)cascade->octaves), longest), cascade->octaves,
		model_format(MODEL_TIME, cascade->finest_s, finest), cascade->packets, cascade->spread,
		cascade_dispersion(cascade, 0), cascade_dispersion(cascade, cascade->octaves));
}

// The left half's share.
static double draw_share(const struct cascade_source *s, double shape, struct tr_random *random)
{
	const double left = draw_gamma(s->tables, shape, random), right = draw_gamma(s->tables, shape, random);

	if (left + right > 0)
		return left / (left + right);
	return tr_random_u32(random) & 1 ? 1 : 0; // both were less than any double
}

// From the node at depth, which is set, down along left halves.
static void go_down(struct cascade_source *s, unsigned depth, struct tr_random *random)
{
	for (; depth < s->cascade->octaves; depth++) {
		const double left = s->mean[depth] * draw_share(s, s->cascade->shape[depth], random);

		s->other[depth + 1] = s->mean[depth] - left;
		s->mean[depth + 1] = left;
	}
}

static void begin_segment(struct cascade_source *s, struct tr_random *random)
{
	const double mean = ldexp(s->cascade->packets, (int)s->cascade->octaves), spread = s->cascade->spread;

	s->mean[0] = spread > 0 ? mean * spread * draw_gamma(s->tables, 1 / spread, random) : mean;
	s->bin = 0;
	go_down(s, 0, random);
}

// The next bin: up to where it is the left one, over to the right, and down.
static void next_bin(struct cascade_source *s, struct tr_random *random)
{
	const unsigned octaves = s->cascade->octaves;

	s->bin++;
	if (s->bin >> octaves) {
		begin_segment(s, random);
		return;
	}
	const unsigned depth = octaves - (unsigned)__builtin_ctzll(s->bin);

	s->mean[depth] = s->other[depth];
	go_down(s, depth, random);
}

static enum tr_status start(void *state, const void *parameters, const struct arrival_settings *settings,
			    struct tr_random *random, struct tr_error *err)
{
	struct cascade_source *s = state;

	(void)err;
	*s = (struct cascade_source){.cascade = parameters, .tables = settings->tables, .stop = (double)settings->end_ticks};
	s->bin_ticks = s->cascade->finest_s * settings->ticks_per_s;
	begin_segment(s, random);
	return TR_OK;
}

static double next(void *state, struct tr_random *random)
{
	struct cascade_source *s = state;
	double needed = draw_exponential(s->tables, random), passed = 0; // mean packets, and ticks

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

static unsigned freedom(const void *parameters)
{
	return 3 + ((const struct cascade *)parameters)->octaves;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct cascade),
	.get = get,
	.put = put,
	.rate = rate,
	.dispersion = dispersion,
	.explain = explain,
	.state_bytes = sizeof(struct cascade_source),
	.start = start,
	.next = next,
};

static const struct arrival_fit fitting = {
	.fit = cascade_fit,
	.freedom = freedom,
};

const struct family cascade_family = {
	.name = "cascade",
	.summary = "multifractal wavelet cascade",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
