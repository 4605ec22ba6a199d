// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a Poisson process with a long-range dependent rate, by the likelihood of the spectrum
// of its counts.
#include <fftw3.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/replicas.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"

#define COUNTS_LEAST 256.0
#define COUNTS_MOST 32768.0
#define RATES_LEAST 32 // bins of the rate in a realisation
#define EVIDENCE 6.0   // gain of log likelihood that a varying rate must have over a constant one
#define HURST_MOST 0.99
#define NEAR 64
#define KEPT 16u // trials
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
	double *shares; // k/n at k
	fftw_plan plan; // of folded, in place
	double width_s; // of a count
};

// The transform's real part (which: 0) or imaginary part at a frequency.
static double part_at(const struct spectrum *spectrum, size_t j, int which)
{
	return spectrum->folded[2 * j + (size_t)which];
}

static void add_realisation(struct spectrum *spectrum, const struct arrival_times *times,
			    double width_ticks)
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
		spectrum->seen[j] += (pow(part_at(spectrum, j, 0), 2) +
				      pow(part_at(spectrum, j, 1), 2)) /
				     (double)n / (double)spectrum->realisations;
}

// A point of the search, and the loss there.
struct trial {
	double at[SOUGHT], loss;
};

// The fit for rates of m counts each.
struct search {
	const struct spectrum *spectrum;
	double *rates;	// their covariances at lags 0 .. n + 1
	double *counts; // those of the counts at lags 0 .. n - 1, and room for m more
	double *within; // r/m at r
	size_t m;
	struct trial last[KEPT]; // the latest of this m
	size_t tried;
};

// Covariances of the rates at lags up to last; far ones interpolated between every NEAR-th lag,
// where they are smooth.
static void fill_rates(const struct fractional_rate *rate, double square, size_t last, double *out)
{
	for (size_t q = 0, next; q <= last; q = next) {
		const size_t step = q < 2 * NEAR ? 1 : q / NEAR;

		next = q + step;
		if (q == 0)
			out[0] = square * fractional_rate_covariance(rate, 0);
		const double begin = out[q],
			     rise = square * fractional_rate_covariance(rate, (double)next) - begin;
		const int steps = (int)(next <= last ? step : last - q);

		for (int k = 1; k <= steps; k++)
			out[q + (size_t)k] = begin + rise * k / (double)step;
	}
}

// Covariances of the counts: at lag q m + r a fraction r/m of pairs is q + 1 rates apart, the
// others q.
static void fill_counts(const struct search *search)
{
	const double *rates = search->rates, *within = search->within;
	const size_t n = search->spectrum->n, m = search->m;

	for (size_t q = 0; q * m < n; q++) {
		double *counts = search->counts + q * m;
		const double near = rates[q], far = rates[q + 1];

		for (size_t r = 0; r < m; r++)
			counts[r] = (1 - within[r]) * near + within[r] * far;
	}
}

// Computes the periodogram's expectation in the transform.
static void expect(const struct search *search, const struct fractional_rate *rate)
{
	const struct spectrum *spectrum = search->spectrum;
	const size_t n = spectrum->n;
	const double square = spectrum->mean * spectrum->mean, *counts = search->counts,
		     *shares = spectrum->shares;
	double *folded = spectrum->folded;

	fill_rates(rate, square, n / search->m + 1, search->rates);
	fill_counts(search);
	folded[0] = spectrum->mean + search->rates[0];
	for (size_t k = 1; k < n; k++)
		folded[k] = (1 - shares[k]) * counts[k] + shares[k] * counts[n - k];
	fftw_execute(spectrum->plan);
}

static void set_length(struct search *search, size_t m)
{
	search->m = m;
	search->tried = 0;
	for (size_t r = 0; r < m; r++)
		search->within[r] = (double)r / (double)m;
}

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

	expect(search, &rate);
	for (size_t j = 1; j < spectrum->n / 2; j++) {
		const double mean = fmax(part_at(spectrum, j, 0), 1e-3 * spectrum->mean);

		sum += log(mean) + spectrum->seen[j] / mean;
	}
	return sum * (double)spectrum->realisations;
}

// The loss, from an earlier trial where there is one: a quarter of the steps lead back to the point
// before, or fail again.
static double loss_kept(struct search *search, const double at[SOUGHT])
{
	for (size_t i = 0; i < search->tried && i < KEPT; i++)
		if (memcmp(search->last[i].at, at, sizeof(search->last[i].at)) == 0)
			return search->last[i].loss;
	struct trial *trial = &search->last[search->tried++ % KEPT];

	*trial = (struct trial){{at[OF_SIGMA], at[OF_HURST]}, loss(search, at)};
	return trial->loss;
}

static double loss_of_poisson(const struct spectrum *spectrum)
{
	double sum = 0;

	for (size_t j = 1; j < spectrum->n / 2; j++)
		sum += log(spectrum->mean) + spectrum->seen[j] / spectrum->mean;
	return sum * (double)spectrum->realisations;
}

// Pattern search: steps along each axis, halved when none is better (Hooke and Jeeves).
static double descend(struct search *search, double at[SOUGHT], double first_step,
		      double least_step)
{
	double step = first_step, best = loss_kept(search, at);

	while (step > least_step) {
		bool better = false;

		for (int k = 0; k < 2 * SOUGHT; k++) {
			const double by = (k % 2 ? -step : step) * (k / 2 == OF_HURST ? 0.3 : 1);
			double trial[SOUGHT] = {at[OF_SIGMA], at[OF_HURST]}, value;

			trial[k / 2] = fmin(fmax(at[k / 2] + by, lows[k / 2]), highs[k / 2]);
			if (trial[k / 2] == at[k / 2])
				continue;
			value = loss_kept(search, trial);
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
		set_length(search, m);
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
	set_length(search, best_m);
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

// Intervals of H and sigma from replicas: the periodogram of such counts scatters more than that of
// a Gaussian series.
static enum tr_status find_intervals(const struct fractional_rate *rate,
				     const struct arrival_sample *sample,
				     struct arrival_notes *notes, struct tr_error *err)
{
	double ends[SOUGHT][2] = {{NAN, NAN}, {NAN, NAN}};

	if (replicas_intervals(&fractional_rate_family, rate, sample, values, ends, err) != TR_OK)
		return TR_ERROR;
	(void)model_interval(MODEL_REAL, fmax(exp(ends[OF_HURST][0]), 0.5),
			     fmin(exp(ends[OF_HURST][1]), 1), sample->level,
			     notes->field[FIELD_HURST]);
	(void)model_interval(MODEL_REAL, exp(ends[OF_SIGMA][0]), exp(ends[OF_SIGMA][1]),
			     sample->level, notes->field[FIELD_SIGMA]);
	return TR_OK;
}

static void note(const struct search *search, const double at[SOUGHT], double level,
		 struct arrival_notes *notes)
{
	const struct spectrum *spectrum = search->spectrum;
	const struct fractional_rate rate = rate_at(search, at);
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
	const double counts = (double)spectrum->n * (double)spectrum->realisations;

	(void)snprintf(notes->method, sizeof(notes->method),
		       "by Whittle's likelihood of %zu counts in %.4g s above the floor of Poisson "
		       "packets",
		       (size_t)counts, spectrum->width_s);
	if (at[OF_HURST] > HURST_MOST - 1e-3)
		(void)snprintf(notes->bound, sizeof(notes->bound), "hurst is at its bound, %g",
			       HURST_MOST);
	else if (at[OF_SIGMA] > highs[OF_SIGMA] - 1e-3)
		(void)snprintf(notes->bound, sizeof(notes->bound), "sigma is at its bound, %.3g",
			       exp(highs[OF_SIGMA]));
	if (!(level > 0))
		return;
	expect(search, &rate);
	const double of_mean = z * sqrt(part_at(spectrum, 0, 0) / counts) / spectrum->mean;

	(void)model_interval(MODEL_TIME, rate.gap_s * exp(-of_mean), rate.gap_s * exp(of_mean),
			     level, notes->field[FIELD_GAP]);
}

// 1, 2 or 5 times a power of ten of a second, at least least_s.
static double round_up(double least_s)
{
	const double decade = pow(10, floor(log10(least_s)));
	const double digits = least_s / decade * (1 - 1e-9);

	return decade * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

static enum tr_status spectrum_make(struct spectrum *out, const struct arrival_sample *sample,
				    struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double length_s = total.ticks / (double)sample->count / sample->ticks_per_s;
	const double least_s = fmax(total.ticks / total.packets,
				    fmax((double)sample->each[0].bin_ticks, 1)) /
			       sample->ticks_per_s;
	const double width_s = round_up(fmax(least_s, length_s / COUNTS_MOST)),
		     n = floor(length_s / width_s / 16) * 16;

	*out = (struct spectrum){.realisations = sample->count, .width_s = width_s};
	if (!(n >= COUNTS_LEAST))
		return tr_fail(err, "%.0f packets are too few to estimate changes of their rate",
			       total.packets);
	out->n = (size_t)n;
	out->seen = calloc(out->n / 2 + 1, sizeof(*out->seen));
	out->shares = calloc(out->n, sizeof(*out->shares));
	out->folded = fftw_alloc_real(out->n + 2);
	if (!out->seen || !out->shares || !out->folded)
		return tr_no_memory(err, "%zu counts", out->n);
	for (size_t k = 0; k < out->n; k++)
		out->shares[k] = (double)k / (double)out->n;
	out->plan = fftw_plan_dft_r2c_1d((int)out->n, out->folded,
					 (fftw_complex *)(void *)out->folded, FFTW_ESTIMATE);
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
	free(spectrum->shares);
	free(spectrum->seen);
}

// Fits by Whittle's likelihood of counts, with the exact expectation of the periodogram (Sykulski,
// Olhede, Guillaumin, Lilly and Early, The debiased Whittle likelihood, Biometrika 106 (2019)
// 251-266): that of the rates plus the Poisson floor, the mean count. All realisations have equal
// length.
static enum tr_status fractional_rate_fit(void *parameters, const struct arrival_sample *sample,
					  struct arrival_notes *notes, struct tr_error *err)
{
	struct spectrum spectrum;
	struct search search = {.spectrum = &spectrum};
	enum tr_status status = spectrum_make(&spectrum, sample, err);
	double at[SOUGHT];

	if (status == TR_OK && !(search.rates = calloc(4 * spectrum.n + 2, sizeof(*search.rates))))
		status = tr_no_memory(err, "%zu covariances", spectrum.n);
	if (status == TR_OK) {
		search.counts = search.rates + spectrum.n + 2;
		search.within = search.counts + 2 * spectrum.n;
	}
	if (status == TR_OK && !(loss_of_poisson(&spectrum) - seek(&search, at) > EVIDENCE))
		status = tr_fail(err,
				 "counts vary as in a Poisson process: the rate does not change");
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

const struct arrival_fit fractional_rate_fitting = {
	.fit = fractional_rate_fit,
};
