// SPDX-License-Identifier: GPL-3.0-or-later
// A Poisson process with a long-range dependent rate (Moller, Syversveen and Waagepetersen 1998, see processes.h): its packets
// and its fit.
#include <fftw3.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/families/processes.h"
#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/replicas.h"
#include "gen/families/family.h"
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

static double dispersion(const void *parameters)
{
	const struct fractional_rate *rate = parameters;

	if (rate->hurst > 0.5 && rate->sigma > 0)
		return INFINITY;
	return 1 + rate->bin_s / rate->gap_s * fractional_rate_covariance(rate, 0);
}

static double hurst(const void *parameters)
{
	return ((const struct fractional_rate *)parameters)->hurst;
}

static void explain(const void *parameters, FILE *out)
{
	const struct fractional_rate *rate = parameters;
	char gap[MODEL_NUMBER_BYTES], bin[MODEL_NUMBER_BYTES];

	fprintf(out,
		"A Poisson process with a mean gap of %s, whose rate changes every %s: its logarithm is fractional\n    Gaussian noise with H = %.4g and a deviation of %.4g, so two rates in three are within a factor of %.3g\n    of the median.\n",
		model_format(MODEL_TIME, rate->gap_s, gap), model_format(MODEL_TIME, rate->bin_s, bin), rate->hurst,
		rate->sigma, exp(rate->sigma));
}

static void enter_bin(struct rate_source *source)
{
	source->rate = source->mean * exp(source->sigma * (source->noise[source->bin] - source->sigma / 2));
}

static enum tr_status start(void *state, const void *parameters, const struct arrival_settings *settings,
			    struct tr_random *random, struct tr_error *err)
{
	const struct fractional_rate *rate = parameters;
	const double bin_ticks = rate->bin_s * settings->ticks_per_s, bins = ceil((double)settings->end_ticks / bin_ticks);
	struct rate_source *source = state;

	if (!(bins <= (double)FRACTIONAL_RATE_BINS_MAX))
		return tr_fail(err,
			       "a source would have %.3g rates, more than %zu: use a shorter duration or a longer rate-every",
			       bins, FRACTIONAL_RATE_BINS_MAX);
	*source = (struct rate_source){.tables = settings->tables,
				       .bins = bins > 1 ? (size_t)bins : 1,
				       .bin_ticks = bin_ticks,
				       .mean = 1 / (rate->gap_s * settings->ticks_per_s),
				       .sigma = rate->sigma};
	source->noise = malloc(source->bins * sizeof(*source->noise));
	if (!source->noise)
		return tr_no_memory(err, "%zu rates", source->bins);
	if (fractional_noise(source->noise, source->bins, FRACTIONAL_GAUSSIAN, rate->hurst, settings->tables, random, err) !=
	    TR_OK)
		return TR_ERROR;
	enter_bin(source);
	return TR_OK;
}

// The next packet comes once the expected number of packets reaches an exponential draw.
static double next(void *state, struct tr_random *random)
{
	struct rate_source *source = state;
	const double before = source->now;
	double expected = draw_exponential(source->tables, random);

	while (source->bin < source->bins) {
		const double end = (double)(source->bin + 1) * source->bin_ticks, room = (end - source->now) * source->rate;

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

static void stop(void *state)
{
	free(((struct rate_source *)state)->noise);
}

#define COUNTS_LEAST 256.0
#define COUNTS_MOST 32768.0
#define RATES_LEAST 32 // bins of the rate in a realisation
#define EVIDENCE 6.0   // gain of log likelihood that a varying rate must have over a constant one
#define HURST_MOST 0.99
#define NEAR 64
#define STEP_LEAST 1e-4
#define STEP_SCAN 2e-3 // until the duration of a rate is chosen

// Dimensions of the search, and its bounds.
enum { OF_SIGMA, OF_HURST, SOUGHT }; // the logarithm of sigma, and H
static const double lows[SOUGHT] = {-6.9, 0.5}, highs[SOUGHT] = {1.1, HURST_MOST};

// Mean periodogram of the counts of all realisations, and its expectation.
struct spectrum {
	size_t n, realisations;
	double mean;	// of a count
	double *seen;	// ordinates 0 .. n/2
	double *folded; // n covariances and room for their transform
	fftw_plan plan; // of folded, in place
	double width_s; // of a count
};

// The transform's real part (which: 0) or imaginary part at a frequency.
static double part_at(const struct spectrum *spectrum, size_t j, int which)
{
	return spectrum->folded[2 * j + (size_t)which];
}

static void add_realisation(struct spectrum *spectrum, const struct arrival_times *times, double width_ticks)
{
	double *counts = spectrum->folded;
	const size_t n = spectrum->n;

	for (size_t i = 0; i < n; i++)
		counts[i] = 0;
	for (size_t i = 0; i < times->count; i++) {
		const double at = (double)(times->ticks[i] - times->begin_ticks) / width_ticks;

		if (at < (double)n)
			counts[(size_t)at]++;
	}
	for (size_t i = 0; i < n; i++)
		spectrum->mean += counts[i] / (double)n / (double)spectrum->realisations;
	fftw_execute(spectrum->plan);
	for (size_t j = 0; j <= n / 2; j++)
		spectrum->seen[j] += (pow(part_at(spectrum, j, 0), 2) + pow(part_at(spectrum, j, 1), 2)) / (double)n /
				     (double)spectrum->realisations;
}

// Covariance over squared mean of counts at lag k, for rates that last m counts: for k = q m + r a fraction r/m of pairs is q +
// 1 rates apart.
static double count_covariance(const double *of_rates, size_t m, size_t k)
{
	const size_t q = k / m;
	const double share = (double)(k % m) / (double)m;

	return (1 - share) * of_rates[q] + share * of_rates[q + 1];
}

// Covariances of the rates at lags up to last; far ones interpolated between every NEAR-th lag, where they are smooth.
static void fill_covariances(const struct fractional_rate *rate, double square, size_t last, double *out)
{
	for (size_t q = 0, next; q <= last; q = next) {
		const size_t step = q < 2 * NEAR ? 1 : q / NEAR;

		next = q + step;
		if (q == 0)
			out[0] = square * fractional_rate_covariance(rate, 0);
		const double end = square * fractional_rate_covariance(rate, (double)next);

		for (size_t k = 1; k <= step && q + k <= last; k++)
			out[q + k] = out[q] + (end - out[q]) * (double)k / (double)step;
	}
}

// Computes the periodogram's expectation in the transform. rates has n + 2 values.
static void expect(const struct spectrum *spectrum, const struct fractional_rate *rate, size_t m, double *rates)
{
	const size_t n = spectrum->n;
	const double square = spectrum->mean * spectrum->mean;
	double *folded = spectrum->folded;

	fill_covariances(rate, square, n / m + 1, rates);
	folded[0] = spectrum->mean + rates[0];
	for (size_t k = 1; k < n; k++) {
		const double share = (double)k / (double)n;

		folded[k] = (1 - share) * count_covariance(rates, m, k) + share * count_covariance(rates, m, n - k);
	}
	fftw_execute(spectrum->plan);
}

// The fit for rates of m counts each.
struct search {
	const struct spectrum *spectrum;
	double *rates;
	size_t m;
};

static struct fractional_rate rate_at(const struct search *search, const double at[SOUGHT])
{
	const struct spectrum *spectrum = search->spectrum;

	return (struct fractional_rate){.gap_s = spectrum->width_s / spectrum->mean,
					.bin_s = (double)search->m * spectrum->width_s,
					.sigma = exp(at[OF_SIGMA]),
					.hurst = at[OF_HURST]};
}

// Minus the log likelihood of exponential ordinates with these means.
static double loss(const struct search *search, const double at[SOUGHT])
{
	const struct spectrum *spectrum = search->spectrum;
	const struct fractional_rate rate = rate_at(search, at);
	double sum = 0;

	expect(spectrum, &rate, search->m, search->rates);
	for (size_t j = 1; j < spectrum->n / 2; j++) {
		const double mean = fmax(part_at(spectrum, j, 0), 1e-3 * spectrum->mean);

		sum += log(mean) + spectrum->seen[j] / mean;
	}
	return sum * (double)spectrum->realisations;
}

static double loss_of_poisson(const struct spectrum *spectrum)
{
	double sum = 0;

	for (size_t j = 1; j < spectrum->n / 2; j++)
		sum += log(spectrum->mean) + spectrum->seen[j] / spectrum->mean;
	return sum * (double)spectrum->realisations;
}

// Pattern search: steps along each axis, halved when none is better (Hooke and Jeeves).
static double descend(const struct search *search, double at[SOUGHT], double first_step, double least_step)
{
	double step = first_step, best = loss(search, at);

	while (step > least_step) {
		bool better = false;

		for (int k = 0; k < 2 * SOUGHT; k++) {
			const double by = (k % 2 ? -step : step) * (k / 2 == OF_HURST ? 0.3 : 1);
			double trial[SOUGHT] = {at[OF_SIGMA], at[OF_HURST]}, value;

			trial[k / 2] = fmin(fmax(at[k / 2] + by, lows[k / 2]), highs[k / 2]);
			if (trial[k / 2] == at[k / 2])
				continue;
			value = loss(search, trial);
			if (value >= best)
				continue;
			best = value;
			at[k / 2] = trial[k / 2];
			better = true;
		}
		if (!better)
			step /= 3;
	}
	return best;
}

// The next number of counts per rate: all up to 6, then about five per octave.
static size_t next_length(size_t m)
{
	return m < 6 ? m + 1 : m + (m + 3) / 6;
}

// The likeliest duration of a rate and its law; returns its loss, INFINITY if none fits.
static double seek(struct search *search, double at[SOUGHT])
{
	double best = INFINITY, here[SOUGHT] = {log(0.5), 0.75}, step = 0.5;
	size_t best_m = 1;

	for (size_t m = 1; search->spectrum->n / m >= RATES_LEAST; m = next_length(m)) {
		search->m = m;
		const double reached = descend(search, here, step, STEP_SCAN);

		step = 0.06; // the next optimum is near
		if (reached < best) {
			best = reached;
			best_m = m;
			at[OF_SIGMA] = here[OF_SIGMA];
			at[OF_HURST] = here[OF_HURST];
		} else if (reached > best + 50)
			break;
	}
	search->m = best_m;
	return isfinite(best) ? descend(search, at, STEP_SCAN, STEP_LEAST) : best;
}

enum { FIELD_GAP, FIELD_BIN, FIELD_HURST, FIELD_SIGMA }; // as in the kind's table

static unsigned values(const void *parameters, double out[REPLICAS_VALUES_MAX])
{
	const struct fractional_rate *rate = parameters;

	out[OF_SIGMA] = log(rate->sigma);
	out[OF_HURST] = log(rate->hurst);
	return SOUGHT;
}

// Intervals of H and sigma from replicas: the periodogram of such counts scatters more than that of a Gaussian series.
static enum tr_status find_intervals(const struct fractional_rate *rate, const struct arrival_sample *sample,
				     struct arrival_notes *notes, struct tr_error *err)
{
	double ends[SOUGHT][2] = {{NAN, NAN}, {NAN, NAN}};

	if (replicas_intervals(&fractional_rate_family, rate, sample, values, ends, err) != TR_OK)
		return TR_ERROR;
	(void)model_interval(MODEL_REAL, fmax(exp(ends[OF_HURST][0]), 0.5), fmin(exp(ends[OF_HURST][1]), 1), sample->level,
			     notes->field[FIELD_HURST]);
	(void)model_interval(MODEL_REAL, exp(ends[OF_SIGMA][0]), exp(ends[OF_SIGMA][1]), sample->level,
			     notes->field[FIELD_SIGMA]);
	return TR_OK;
}

static void note(const struct search *search, const double at[SOUGHT], double level, struct arrival_notes *notes)
{
	const struct spectrum *spectrum = search->spectrum;
	const struct fractional_rate rate = rate_at(search, at);
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
	const double counts = (double)spectrum->n * (double)spectrum->realisations;

	(void)snprintf(notes->method, sizeof(notes->method),
		       "by Whittle's likelihood of %zu counts in %.4g s above the floor of Poisson packets", (size_t)counts,
		       spectrum->width_s);
	if (at[OF_HURST] > HURST_MOST - 1e-3)
		(void)snprintf(notes->bound, sizeof(notes->bound), "hurst is at its bound, %g", HURST_MOST);
	else if (at[OF_SIGMA] > highs[OF_SIGMA] - 1e-3)
		(void)snprintf(notes->bound, sizeof(notes->bound), "sigma is at its bound, %.3g", exp(highs[OF_SIGMA]));
	if (!(level > 0))
		return;
	expect(spectrum, &rate, search->m, search->rates);
	const double of_mean = z * sqrt(part_at(spectrum, 0, 0) / counts) / spectrum->mean;

	(void)model_interval(MODEL_TIME, rate.gap_s * exp(-of_mean), rate.gap_s * exp(of_mean), level, notes->field[FIELD_GAP]);
}

// 1, 2 or 5 times a power of ten of a second, at least least_s.
static double round_up(double least_s)
{
	const double decade = pow(10, floor(log10(least_s)));
	const double digits = least_s / decade * (1 - 1e-9);

	return decade * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

static enum tr_status spectrum_make(struct spectrum *out, const struct arrival_sample *sample, struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double length_s = total.ticks / (double)sample->count / sample->ticks_per_s;
	const double least_s = fmax(total.ticks / total.packets, fmax((double)sample->each[0].bin_ticks, 1)) /
			       sample->ticks_per_s;
	const double width_s = round_up(fmax(least_s, length_s / COUNTS_MOST)), n = floor(length_s / width_s / 16) * 16;

	*out = (struct spectrum){.realisations = sample->count, .width_s = width_s};
	if (!(n >= COUNTS_LEAST))
		return tr_fail(err, "%.0f packets are too few to estimate changes of their rate", total.packets);
	out->n = (size_t)n;
	out->seen = calloc(out->n / 2 + 1, sizeof(*out->seen));
	out->folded = fftw_alloc_real(out->n + 2);
	if (!out->seen || !out->folded)
		return tr_no_memory(err, "%zu counts", out->n);
	out->plan = fftw_plan_dft_r2c_1d((int)out->n, out->folded, (fftw_complex *)(void *)out->folded, FFTW_ESTIMATE);
	if (!out->plan)
		return tr_fail(err, "no plan for a transform of %zu counts", out->n);
	for (size_t r = 0; r < sample->count; r++)
		add_realisation(out, &sample->each[r], width_s * sample->ticks_per_s);
	return TR_OK;
}

static void spectrum_clear(struct spectrum *spectrum)
{
	fftw_destroy_plan(spectrum->plan);
	fftw_free(spectrum->folded);
	free(spectrum->seen);
}

// Fits by Whittle's likelihood of counts, with the exact expectation of the periodogram (Sykulski, Olhede, Guillaumin, Lilly
// and Early, The debiased Whittle likelihood, Biometrika 106 (2019) 251-266): that of the rates plus the Poisson floor, the
// mean count. All realisations have equal length.
static enum tr_status fractional_rate_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
					  struct tr_error *err)
{
	struct spectrum spectrum;
	struct search search = {.spectrum = &spectrum};
	enum tr_status status = spectrum_make(&spectrum, sample, err);
	double at[SOUGHT];

	if (status == TR_OK && !(search.rates = calloc(spectrum.n + 2, sizeof(*search.rates))))
		status = tr_no_memory(err, "%zu covariances", spectrum.n);
	if (status == TR_OK && !(loss_of_poisson(&spectrum) - seek(&search, at) > EVIDENCE))
		status = tr_fail(err, "counts vary as in a Poisson process: the rate does not change");
	if (status == TR_OK) {
		*(struct fractional_rate *)parameters = rate_at(&search, at);
		note(&search, at, sample->level, notes);
	}
	free(search.rates);
	spectrum_clear(&spectrum);
	if (status == TR_OK && sample->level > 0 && !*notes->bound)
		status = find_intervals(parameters, sample, notes, err);
	return status;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct fractional_rate),
	.rate = mean_rate,
	.dispersion = dispersion,
	.hurst = hurst,
	.explain = explain,
	.state_bytes = sizeof(struct rate_source),
	.start = start,
	.next = next,
	.stop = stop,
};

static const struct arrival_fit fitting = {
	.fit = fractional_rate_fit,
};

const struct family fractional_rate_family = {
	.name = "fractional-rate",
	.summary = "Poisson process with a long-range dependent rate",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
