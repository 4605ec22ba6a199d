// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators: Johnson, Kotz and Balakrishnan, Continuous univariate distributions 1, 2nd ed. 1994:
// exponential, Pareto, gamma and Weibull (with large-sample covariances); lognormal with the
// interval of Cox for its mean (Zhou and Gao, Statistics in Medicine 16 (1997) 783-790). Normal
// intervals of positive values are symmetric in the logarithm.
#include "gen/law.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdlib.h>

#include "gen/model_field.h"
#include "stat/intervals/beta_gamma.h"
#include "stat/intervals/ranks.h"

#define ROUNDS 100
#define PRECISE 1e-12
#define LOMAX_PRECISE 1e-7 // of the logarithm of a scale
#define LOMAX_FACTORS 16
#define CHUNKS 64
#define RATIO 1.1 // of a bin's ends, at most
#define BINS_MAX 4096
#define WEIGHT 100     // of a value, relative to 1 for a hole
#define SHAPE_DIGITS 6 // precision of a text
#define BEYOND_MOST 7  // probability .001
#define TAIL_LEAST 16
#define TAIL_MOST 4 // standard deviations

static double two_sided(double level)
{
	return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}

static void mean_within(struct law_fit *out, double relative_error, double level)
{
	const double half = two_sided(level) * relative_error;

	out->mean_low = out->law.mean * exp(-half);
	out->mean_high = out->law.mean * exp(half);
}

static void shape_within(struct law_fit *out, double relative_error, double level)
{
	const double half = two_sided(level) * relative_error;

	out->shape_low = out->law.shape * exp(-half);
	out->shape_high = out->law.shape * exp(half);
}

// n mean / truth has the gamma law of shape n.
static bool fit_exponential(const struct law_sample *sample, double level, struct law_fit *out)
{
	const double n = (double)sample->count;

	out->law.mean = sample->mean;
	out->mean_low = n * sample->mean / gamma_quantile(n, 0.5 + level / 2);
	out->mean_high = n * sample->mean / gamma_quantile(n, 0.5 - level / 2);
	out->freedom = 1;
	return true;
}

// If rounding to whole units explains all differences.
static bool fit_constant(const struct law_sample *sample, double level, struct law_fit *out)
{
	(void)level;
	out->law.mean = sample->mean;
	out->mean_low = sample->mean - 1 / (double)sample->count;
	out->mean_high = sample->mean + 1 / (double)sample->count;
	out->freedom = 1;
	return sample->rising[sample->count - 1] - sample->rising[0] <= 1;
}

// The relative gap between the largest value and the end is bounded by 1 - level^(1/n).
static bool fit_uniform(const struct law_sample *sample, double level, struct law_fit *out)
{
	out->law.mean = sample->rising[sample->count - 1] / 2;
	out->mean_low = out->law.mean;
	out->mean_high = out->law.mean * pow(1 - level, -1 / (double)sample->count);
	out->freedom = 1;
	return true;
}

// n truth / estimate has the gamma law of shape n - 1; the least value is known much better. Values
// that end where as many as BEYOND_MOST should be longer have another tail: their number is
// exponential with mean 1 under this law.
static bool fit_pareto(const struct law_sample *sample, double level, struct law_fit *out)
{
	const double least = sample->rising[0], n = (double)sample->count;
	const double shape = model_settle(MODEL_REAL, 1 / (sample->mean_log - log(least)),
					  SHAPE_DIGITS);

	out->law.shape = shape;
	out->law.mean = least * shape / (shape - 1);
	out->shape_low = shape * gamma_quantile(n - 1, 0.5 - level / 2) / n;
	out->shape_high = shape * gamma_quantile(n - 1, 0.5 + level / 2) / n;
	out->mean_low = least * out->shape_high / (out->shape_high - 1);
	out->mean_high = out->shape_low > 1 ? least * out->shape_low / (out->shape_low - 1)
					    : INFINITY;
	out->freedom = 2;
	return n * pow(least / sample->rising[sample->count - 1], shape) < BEYOND_MOST;
}

// Means of log(1 + x / scale) and x / (scale + x); of LOMAX_FACTORS products the logarithm at once,
// which values within 10^16 of the scale allow.
static void lomax_means(const struct law_sample *sample, double scale, double *log_mean,
			double *share_mean)
{
	double logs = 0, shares = 0;

	for (size_t i = 0; i < sample->count;) {
		const size_t end = sample->count - i < LOMAX_FACTORS ? sample->count
								     : i + LOMAX_FACTORS;
		double product = 1;

		for (; i < end; i++) {
			product *= 1 + sample->rising[i] / scale;
			shares += sample->rising[i] / (scale + sample->rising[i]);
		}
		logs += log(product);
	}
	*log_mean = logs / (double)sample->count;
	*share_mean = shares / (double)sample->count;
}

// Slope of the likelihood by the logarithm of the scale, at the best shape, which is 1 / the mean
// logarithm.
static double lomax_slope(const struct law_sample *sample, double scale, double *shape)
{
	double log_mean, share_mean;

	lomax_means(sample, scale, &log_mean, &share_mean);
	*shape = 1 / log_mean;
	return share_mean * (1 + *shape) - 1;
}

static double lomax_above(double x, double shape, double scale)
{
	return pow(1 + x / scale, -shape);
}

// Whether the tail is the law's: the expected number of values above the k-th largest one has the
// gamma law of shape k if so, and is within TAIL_MOST of its deviations, and of values above the
// largest below BEYOND_MOST.
static bool lomax_tail_fits(const struct law_sample *sample, double shape, double scale)
{
	const double n = (double)sample->count;

	for (size_t k = TAIL_LEAST; k <= sample->count / 8; k *= 2) {
		const double above = n *
				     lomax_above(sample->rising[sample->count - k], shape, scale);

		if (fabs(above - (double)k) > TAIL_MOST * sqrt((double)k))
			return false;
	}
	return n * lomax_above(sample->rising[sample->count - 1], shape, scale) < BEYOND_MOST;
}

// The scale by halving in the logarithm, between a value that is too small for any shape and the
// one at which the law is nearly exponential. The interval is from the information (Johnson, Kotz
// and Balakrishnan, chapter 20: Pareto's second law).
static bool fit_lomax(const struct law_sample *sample, double level, struct law_fit *out)
{
	const double n = (double)sample->count;
	double low = log(sample->mean) - 20,
	       high = log(sample->mean * law_kinds[LAW_LOMAX].shape_max), shape, a, scale;

	if (lomax_slope(sample, exp(high), &shape) >= 0 ||
	    lomax_slope(sample, exp(low), &shape) <= 0)
		return false;
	while (high - low > LOMAX_PRECISE)
		*(lomax_slope(sample, exp((low + high) / 2), &shape) > 0
			  ? &low
			  : &high) = (low + high) / 2;
	scale = exp((low + high) / 2);
	out->law.shape = a = model_settle(MODEL_REAL, shape, SHAPE_DIGITS);
	out->law.mean = scale / (a - 1);
	shape_within(out, (a + 1) / sqrt(n), level);
	mean_within(out,
		    (a + 1) * sqrt(((a + 2) / a + a * a / ((a - 1) * (a - 1)) -
				    2 * a * (a + 2) / ((a - 1) * (a + 1))) /
				   n),
		    level);
	out->freedom = 2;
	return lomax_tail_fits(sample, a, scale);
}

static bool fit_lognormal(const struct law_sample *sample, double level, struct law_fit *out)
{
	const double n = (double)sample->count;
	double variance = 0;

	for (size_t i = 0; i < sample->count; i++)
		variance += (sample->logs[i] - sample->mean_log) *
			    (sample->logs[i] - sample->mean_log) / n;
	out->law.shape = model_settle(MODEL_REAL, sqrt(variance), SHAPE_DIGITS);
	out->law.mean = exp(sample->mean_log + variance / 2);
	out->shape_low = sqrt(n * variance / 2 / gamma_quantile((n - 1) / 2, 0.5 + level / 2));
	out->shape_high = sqrt(n * variance / 2 / gamma_quantile((n - 1) / 2, 0.5 - level / 2));
	mean_within(out, sqrt(variance / n + variance * variance / (2 * n)), level);
	out->freedom = 2;
	return true;
}

// Sums of x^k, x^k log x and x^k (log x)^2, with x over the largest value.
static void power_sums(const struct law_sample *sample, double shape, double sums[3])
{
	const double most = log(sample->rising[sample->count - 1]);

	sums[0] = sums[1] = sums[2] = 0;
	for (size_t i = 0; i < sample->count; i++) {
		const double from_most = sample->logs[i] - most, power = exp(shape * from_most);

		sums[0] += power;
		sums[1] += power * from_most;
		sums[2] += power * from_most * from_most;
	}
}

static double weibull_shape(const struct law_sample *sample)
{
	const double most = log(sample->rising[sample->count - 1]);
	double shape = 1, sums[3];

	for (int round = 0; round < ROUNDS; round++) {
		power_sums(sample, shape, sums);
		const double tilted = sums[1] / sums[0],
			     slope = sums[2] / sums[0] - tilted * tilted + 1 / (shape * shape);
		const double next = shape + (1 / shape + sample->mean_log - most - tilted) / slope;
		const double held = fmin(fmax(next, shape / 3), 3 * shape);
		const bool done = fabs(held - shape) < PRECISE * shape;

		shape = held;
		if (done)
			break;
	}
	return shape;
}

static bool fit_weibull(const struct law_sample *sample, double level, struct law_fit *out)
{
	const double n = (double)sample->count, k = weibull_shape(sample);
	double sums[3];

	if (!(k >= law_kinds[LAW_WEIBULL].shape_min && k <= law_kinds[LAW_WEIBULL].shape_max))
		return false;
	power_sums(sample, k, sums);
	const double scale = sample->rising[sample->count - 1] * pow(sums[0] / n, 1 / k);
	// d(log mean)/dk at a fixed scale; variances of log scale and k, and their covariance,
	// times n.
	const double slope = -gsl_sf_psi(1 + 1 / k) / (k * k);
	const double variance = 1.108665 / (k * k) + slope * slope * 0.607927 * k * k +
				2 * slope * 0.257022;

	out->law.shape = model_settle(MODEL_REAL, k, SHAPE_DIGITS);
	out->law.mean = scale * exp(lgamma(1 + 1 / k));
	shape_within(out, sqrt(0.607927 / n), level);
	mean_within(out, sqrt(variance / n), level);
	out->freedom = 2;
	return true;
}

static double gamma_shape(double log_ratio)
{
	double k = (3 - log_ratio + sqrt((log_ratio - 3) * (log_ratio - 3) + 24 * log_ratio)) /
		   (12 * log_ratio);

	for (int round = 0; round < ROUNDS; round++) {
		const double next = k - (log(k) - gsl_sf_psi(k) - log_ratio) /
						(1 / k - gsl_sf_psi_1(k));
		const double held = fmin(fmax(next, k / 3), 3 * k);
		const bool done = fabs(held - k) < PRECISE * k;

		k = held;
		if (done)
			break;
	}
	return k;
}

static bool fit_gamma(const struct law_sample *sample, double level, struct law_fit *out)
{
	const double n = (double)sample->count, log_ratio = log(sample->mean) - sample->mean_log;

	if (!(log_ratio > 1e-9))
		return false;
	const double k = gamma_shape(log_ratio);

	if (!(k >= law_kinds[LAW_GAMMA].shape_min && k <= law_kinds[LAW_GAMMA].shape_max))
		return false;
	out->law.shape = model_settle(MODEL_REAL, k, SHAPE_DIGITS);
	out->law.mean = sample->mean;
	shape_within(out, 1 / (k * sqrt(n * (gsl_sf_psi_1(k) - 1 / k))), level);
	mean_within(out, 1 / sqrt(k * n), level);
	out->freedom = 2;
	return true;
}

// The end of the chunk that begins at i: up to due values, within RATIO, and never between equal
// ones.
static size_t chunk_end(const struct law_sample *sample, size_t i, size_t due)
{
	const double *x = sample->rising;
	size_t end = i + 1;

	while (end < sample->count && end - i < due && x[end] <= RATIO * x[i])
		end++;
	while (end < sample->count && x[end] == x[end - 1])
		end++;
	return end;
}

// Adds bins in the holes between the bins, below the first and up to twice the last, each with a
// hundredth of a value, so that no value is impossible. bins has room for them.
static void fill_holes(struct law *law)
{
	const size_t count = law->bin_count;
	double from = 0;

	for (size_t i = 0; i <= count; i++) {
		const double to = i < count ? law->bins[i].low : 2 * from;

		if (i < count)
			law->bins[i].count *= WEIGHT;
		if (to > from)
			law->bins[law->bin_count++] = (struct law_bin){from, to, 1};
		if (i < count)
			from = law->bins[i].high;
	}
}

static double mean_of_bins(const struct law *law)
{
	double count = 0, sum = 0;

	for (size_t i = 0; i < law->bin_count; i++) {
		count += law->bins[i].count;
		sum += law->bins[i].count * (law->bins[i].low + law->bins[i].high) / 2;
	}
	return sum / count;
}

// Bins are chunks of a sixty-fourth of the values or of a tenth of their size; equal values have
// their own bin.
static bool fit_empirical(const struct law_sample *sample, double level, struct law_fit *out)
{
	const size_t due = sample->count / CHUNKS + 1;
	const double *x = sample->rising;

	(void)level;
	out->law.bins = calloc(2 * BINS_MAX + 2, sizeof(*out->law.bins));
	for (size_t i = 0, end; out->law.bins && i < sample->count; i = end) {
		const bool full = out->law.bin_count == BINS_MAX - 1;
		struct law_bin *bin = &out->law.bins[out->law.bin_count++];

		end = full ? sample->count : chunk_end(sample, i, due);
		bin->low = x[i];
		bin->high = x[i] == x[end - 1] ? x[i] : x[end - 1] + 1;
		bin->count = (double)(end - i);
	}
	if (out->law.bin_count < 2)
		return false;
	fill_holes(&out->law);
	out->law.mean = mean_of_bins(&out->law);
	out->mean_low = out->mean_high = NAN;
	out->freedom = law_freedom(&out->law);
	return true;
}

unsigned law_freedom(const struct law *law)
{
	unsigned bins = 0;

	if (law->name != LAW_EMPIRICAL)
		return law_kinds[law->name].shape_max > 0 ? 2 : 1;
	for (size_t i = 0; i < law->bin_count; i++)
		bins += law->bins[i].count > 1;
	return 3 * bins;
}

static double likelihood_of(const struct law *law, const struct law_sample *sample)
{
	struct law_plan plan;
	double sum = 0;

	if (law_plan_make(&plan, law, 1, NULL) != TR_OK)
		return -INFINITY;
	for (size_t i = 0; i < sample->count; i++)
		sum += plan.kind->log_density(&plan, sample->rising[i]);
	law_plan_clear(&plan);
	return sum;
}

// Bin by bin: the sum over the density of each value.
static double empirical_likelihood(const struct law *law)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < law->bin_count; i++)
		all += law->bins[i].count;
	for (size_t i = 0; i < law->bin_count; i++) {
		const struct law_bin *bin = &law->bins[i];
		const double width = bin->high > bin->low ? bin->high - bin->low
							  : fmax(2, 2e-5 * bin->low);

		if (bin->count > 1)
			sum += bin->count / WEIGHT * log(bin->count / all / width);
	}
	return sum;
}

// Fits a law, see the head of this file. TR_END: the values cannot be of this law. TR_ERROR: no
// memory. Both zero *out.
static enum tr_status law_fit_make(enum law_name name, const struct law_sample *sample,
				   double level, struct law_fit *out, struct tr_error *err)
{
	static bool (*const fits[LAWS])(const struct law_sample *, double,
					struct law_fit *) = {[LAW_EXPONENTIAL] = fit_exponential,
							     [LAW_CONSTANT] = fit_constant,
							     [LAW_UNIFORM] = fit_uniform,
							     [LAW_PARETO] = fit_pareto,
							     [LAW_LOGNORMAL] = fit_lognormal,
							     [LAW_WEIBULL] = fit_weibull,
							     [LAW_GAMMA] = fit_gamma,
							     [LAW_LOMAX] = fit_lomax,
							     [LAW_EMPIRICAL] = fit_empirical};
	const struct law_kind *kind = &law_kinds[name];
	bool good, memory;

	*out = (struct law_fit){.law = {.name = name}, .shape_low = NAN, .shape_high = NAN};
	good = fits[name] && fits[name](sample, level, out) &&
	       (kind->shape_max == 0 ||
		(out->law.shape >= kind->shape_min && out->law.shape <= kind->shape_max));
	if (good)
		out->log_likelihood = name == LAW_EMPIRICAL ? empirical_likelihood(&out->law)
							    : likelihood_of(&out->law, sample);
	if (good && isfinite(out->log_likelihood))
		return TR_OK;
	memory = name != LAW_EMPIRICAL || out->law.bins;
	law_clear(&out->law);
	*out = (struct law_fit){.log_likelihood = 0};
	return memory ? TR_END : tr_no_memory(err, "the bins of a law");
}

static struct law_sample law_fit_describe(const double *rising, double *logs, size_t count)
{
	struct law_sample sample = {.rising = rising, .logs = logs, .count = count};

	for (size_t i = 0; i < count; i++) {
		logs[i] = log(rising[i]);
		sample.mean += rising[i] / (double)count;
		sample.mean_log += logs[i] / (double)count;
	}
	return sample;
}

enum tr_status law_fit_choose(double *values, size_t count, double level, struct law_fit *out,
			      struct tr_error *err)
{
	double *logs = calloc(count ? count : 1, sizeof(*logs)), best = -INFINITY;
	enum tr_status status = TR_OK;
	struct law_sample sample;

	*out = (struct law_fit){.log_likelihood = 0};
	if (!logs || count < 2) {
		free(logs);
		return count < 2 ? tr_fail(err, "fewer than two values to fit a distribution to")
				 : tr_no_memory(err, "the logarithms");
	}
	rising_sort(values, count);
	sample = law_fit_describe(values, logs, count);
	for (unsigned name = 0; name < LAWS && status != TR_ERROR; name++) {
		struct law_fit fit;

		status = law_fit_make(name, &sample, level, &fit, err);
		if (status != TR_OK)
			continue;
		const double score = fit.log_likelihood - 0.5 * fit.freedom * log((double)count);

		if (score > best) {
			law_clear(&out->law);
			*out = fit;
			best = score;
		} else {
			law_clear(&fit.law);
		}
	}
	free(logs);
	if (status == TR_ERROR) {
		law_clear(&out->law);
		*out = (struct law_fit){.log_likelihood = 0};
		return TR_ERROR;
	}
	return best > -INFINITY ? TR_OK : tr_fail(err, "no distribution fits these values");
}
