// SPDX-License-Identifier: GPL-3.0-or-later
// A Poisson process with a long-range dependent rate (Moller, Syversveen and Waagepetersen 1998,
// see processes.h): its text and its packets.
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/families/processes.h"
#include "gen/fractional_noise.h"

static const struct model_field fields[] = {
	{"gap", MODEL_TIME, offsetof(struct fractional_rate, gap_s), true, 1e-12, 1e9, NULL},
	{"rate-every", MODEL_TIME, offsetof(struct fractional_rate, bin_s), true, 1e-9, 1e9, NULL},
	{"hurst", MODEL_REAL, offsetof(struct fractional_rate, hurst), true, 0.5, 0.999, NULL},
	{"sigma", MODEL_REAL, offsetof(struct fractional_rate, sigma), true, 0, 4, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

// A source: the noise of all its bins, and where it is.
struct rate_source {
	const struct draw_tables *tables;
	double *noise;
	size_t bins, bin;
	double bin_ticks, now; // ticks
	double mean, rate;     // packets a tick; rate: in the current bin
	double sigma;
};

double fractional_rate_covariance(const struct fractional_rate *rate, double bins)
{
	const double correlation = bins > 0 ? fractional_gaussian_covariance(rate->hurst, bins) : 1;

	return expm1(rate->sigma * rate->sigma * correlation);
}

static double mean_rate(const void *parameters)
{
	return 1 / ((const struct fractional_rate *)parameters)->gap_s;
}

static double fractional_rate_dispersion(const void *parameters)
{
	const struct fractional_rate *rate = parameters;

	if (rate->hurst > 0.5 && rate->sigma > 0)
		return INFINITY;
	return 1 + rate->bin_s / rate->gap_s * fractional_rate_covariance(rate, 0);
}

static double fractional_rate_hurst(const void *parameters)
{
	return ((const struct fractional_rate *)parameters)->hurst;
}

static void fractional_rate_explain(const void *parameters, FILE *out)
{
	const struct fractional_rate *rate = parameters;
	char gap[MODEL_NUMBER_BYTES], bin[MODEL_NUMBER_BYTES];

	fprintf(out,
		"A Poisson process with a mean gap of %s, whose rate changes every %s: its "
		"logarithm is fractional\n    Gaussian noise with H = %.4g and a deviation of "
		"%.4g, so two rates in three are within a factor of %.3g\n    of the median.\n",
		model_format(MODEL_TIME, rate->gap_s, gap),
		model_format(MODEL_TIME, rate->bin_s, bin), rate->hurst, rate->sigma,
		exp(rate->sigma));
}

static void enter_bin(struct rate_source *source)
{
	source->rate = source->mean *
		       exp(source->sigma * (source->noise[source->bin] - source->sigma / 2));
}

static enum tr_status fractional_rate_start(void *state, const void *parameters,
					    const struct arrival_settings *settings,
					    struct tr_random *random, struct tr_error *err)
{
	const struct fractional_rate *rate = parameters;
	const double bin_ticks = rate->bin_s * settings->ticks_per_s,
		     bins = ceil((double)settings->end_ticks / bin_ticks);
	struct rate_source *source = state;

	if (!(bins <= (double)FRACTIONAL_RATE_BINS_MAX))
		return tr_fail(err,
			       "a source would have %.3g rates, more than %zu: use a shorter "
			       "duration or a longer rate-every",
			       bins, FRACTIONAL_RATE_BINS_MAX);
	*source = (struct rate_source){.tables = settings->tables,
				       .bins = bins > 1 ? (size_t)bins : 1,
				       .bin_ticks = bin_ticks,
				       .mean = 1 / (rate->gap_s * settings->ticks_per_s),
				       .sigma = rate->sigma};
	source->noise = malloc(source->bins * sizeof(*source->noise));
	if (!source->noise)
		return tr_no_memory(err, "%zu rates", source->bins);
	if (fractional_noise(source->noise, source->bins, FRACTIONAL_GAUSSIAN, rate->hurst,
			     settings->tables, random, err) != TR_OK)
		return TR_ERROR;
	enter_bin(source);
	return TR_OK;
}

// The next packet comes once the expected number of packets reaches an exponential draw.
static double fractional_rate_next(void *state, struct tr_random *random)
{
	struct rate_source *source = state;
	const double before = source->now;
	double expected = draw_exponential(source->tables, random);

	while (source->bin < source->bins) {
		const double end = (double)(source->bin + 1) * source->bin_ticks,
			     room = (end - source->now) * source->rate;

		if (expected < room) {
			source->now += expected / source->rate;
			return source->now - before;
		}
		expected -= room;
		source->now = end;
		if (++source->bin < source->bins)
			enter_bin(source);
	}
	return INFINITY;
}

static void fractional_rate_stop(void *state)
{
	free(((struct rate_source *)state)->noise);
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct fractional_rate),
	.rate = mean_rate,
	.dispersion = fractional_rate_dispersion,
	.hurst = fractional_rate_hurst,
	.explain = fractional_rate_explain,
	.state_bytes = sizeof(struct rate_source),
	.start = fractional_rate_start,
	.next = fractional_rate_next,
	.stop = fractional_rate_stop,
};

const struct family fractional_rate_family = {
	.name = "fractional-rate",
	.summary = "Poisson process with a long-range dependent rate",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fractional_rate_fitting,
	.needs_end = true,
};
