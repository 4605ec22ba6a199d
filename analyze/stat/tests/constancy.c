// SPDX-License-Identifier: GPL-3.0-or-later
// Veitch and Abry, A statistical test for the time constancy of scaling exponents, IEEE
// Transactions on Signal Processing 49 (2001) 2325-2334: sum of (h_i - mean)^2 / var_i.
#include "stat/tests/constancy.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "stat/hurst/estimators.h"
#include "stat/intervals/ranks.h"

// Beyond these the diagram's line is not due to memory: not even increments of such noise would be
// stationary.
#define H_LEAST (-0.5)
#define H_MOST 1.5
#define BLOCK_GOOD 2048
#define BLOCKS_OWN 16
#define DETAILS_MIN 8
#define TAPS 6
#define OCTAVES_MIN 3
#define OCTAVES_GOOD 4

size_t constancy_workspace(size_t n)
{
	return 2 * n + logscale_daubechies.workspace(n);
}

// The last octave with enough details in a block.
static unsigned last_octave(size_t length)
{
	unsigned octaves = 0;

	for (length = length >= TAPS ? (length - TAPS) / 2 + 1 : 0; length >= DETAILS_MIN;
	     octaves++)
		length = length >= TAPS ? (length - TAPS) / 2 + 1 : 0;
	return octaves;
}

// The most blocks that leave enough octaves from the first on.
static size_t choose_blocks(size_t n, unsigned first)
{
	size_t blocks = n / BLOCK_GOOD < BLOCKS_OWN ? n / BLOCK_GOOD : BLOCKS_OWN;

	while (blocks > 2 && last_octave(n / blocks) + 1 < first + OCTAVES_GOOD)
		blocks--;
	return blocks < 2 ? 2 : blocks;
}

// Chooses the octaves of all blocks, and the number of blocks if not given. TR_ERROR if there are
// too few octaves.
static enum tr_status choose_scales(const double *x, size_t n, double *workspace,
				    struct constancy *out, struct tr_error *err)
{
	const struct estimate_options own = {.level = 0.95};
	struct estimate whole;
	unsigned first, last;

	if (logscale_daubechies.run(&(struct series_parts){.x = x, .n = n}, &own, workspace, &whole,
				    err) != TR_OK)
		return TR_ERROR;
	first = (unsigned)lround(log2(whole.scale_min));
	if (out->blocks == 0)
		out->blocks = choose_blocks(n, first);
	out->length = n / out->blocks;
	last = last_octave(out->length);
	if (last + 1 < first + OCTAVES_MIN)
		return tr_fail(err,
			       "blocks of %zu points have fewer than %d octaves from octave %u on",
			       out->length, OCTAVES_MIN, first);
	out->scale_min = ldexp(1, (int)first);
	out->scale_max = ldexp(1, (int)last);
	return TR_OK;
}

// Power of the chi-squared test at VERDICT_LEVEL if half of the blocks are half of the change above
// the mean, and half below: the noncentral law is a Poisson mixture of central ones (Fisher 1928).
static double constancy_power_of(const struct constancy *out)
{
	const double degrees = (double)(out->blocks - 1),
		     threshold = gsl_cdf_chisq_Qinv(VERDICT_LEVEL, degrees);
	double half = 0, weight, power = 0; // half of the noncentrality

	for (size_t i = 0; i < out->blocks; i++)
		half += CONSTANCY_CHANGE * CONSTANCY_CHANGE / (8 * out->se[i] * out->se[i]);
	weight = exp(-half);
	for (int k = 0; k < 20 + 4 * half && k < 2000; k++) {
		power += weight * gsl_sf_gamma_inc_Q(degrees / 2 + k, threshold / 2);
		weight *= half / (k + 1);
	}
	return half > 500 ? 1 : power;
}

static void constancy_compare(struct constancy *out)
{
	double weights = 0, sum = 0;

	for (size_t i = 0; i < out->blocks; i++) {
		weights += 1 / (out->se[i] * out->se[i]);
		sum += out->h[i] / (out->se[i] * out->se[i]);
	}
	out->mean = sum / weights;
	out->se_mean = 1 / sqrt(weights);
	out->statistic = 0;
	for (size_t i = 0; i < out->blocks; i++)
		out->statistic += (out->h[i] - out->mean) * (out->h[i] - out->mean) /
				  (out->se[i] * out->se[i]);
	out->p = gsl_sf_gamma_inc_Q((double)(out->blocks - 1) / 2, out->statistic / 2);
	out->power = constancy_power_of(out);
}

enum tr_status constancy_test(const double *x, size_t n, size_t blocks, double *workspace,
			      struct constancy *out, struct tr_error *err)
{
	struct estimate_options options = {.level = 0.95};
	struct estimate estimate;

	*out = (struct constancy){.blocks = blocks};
	if (n < logscale_daubechies.n_min)
		return tr_fail(err, "needs %zu points, but there are %zu",
			       logscale_daubechies.n_min, n);
	out->scored = scores_if_heavy(x, n, workspace) != x;
	x = out->scored ? workspace : x;
	workspace += 2 * n;
	if (choose_scales(x, n, workspace, out, err) != TR_OK)
		return TR_ERROR;
	options.scale_min = out->scale_min;
	options.scale_max = out->scale_max;
	for (size_t i = 0; i < out->blocks; i++) {
		const struct series_parts block = {.x = x + i * out->length, .n = out->length};

		if (logscale_daubechies.run(&block, &options, workspace, &estimate, err) != TR_OK)
			return TR_ERROR;
		out->h[i] = estimate.h;
		out->se[i] = estimate.se;
	}
	constancy_compare(out);
	return TR_OK;
}

struct method_result constancy_decide(const struct constancy *constancy, size_t n, const char *why)
{
	struct method_result result = method_result_make("veitch-abry", n);
	const char *of = !why && constancy->scored ? " of normal scores" : "";
	double least = INFINITY, most = -INFINITY;

	if (why) {
		method_result_say(&result, "%s", why);
		return result;
	}
	for (size_t i = 0; i < constancy->blocks; i++) {
		least = fmin(least, constancy->h[i]);
		most = fmax(most, constancy->h[i]);
	}
	result.statistic = constancy->statistic;
	result.p = constancy->p;
	result.verdict = verdict_by_p(result.p, VERDICT_LEVEL);
	if (result.verdict == VERDICT_YES &&
	    !(constancy->mean > H_LEAST && constancy->mean < H_MOST)) {
		result.verdict = VERDICT_UNKNOWN;
		method_result_say(
			&result,
			"the common H, %.3f, is not valid: a period or short-range dependence",
			constancy->mean);
	} else if (result.verdict == VERDICT_YES) {
		if (constancy->power < CONSTANCY_POWER_MIN)
			result.verdict = VERDICT_UNKNOWN;
		method_result_say(&result,
				  "a constant H, %.3f +- %.3f%s, is not rejected at 5 %% over %zu "
				  "blocks of %zu points; power %.2f for a change of %.1f",
				  constancy->mean, 1.96 * constancy->se_mean, of, constancy->blocks,
				  constancy->length, constancy->power, CONSTANCY_CHANGE);
	} else {
		method_result_say(&result,
				  "H%s varies between %.3f and %.3f over %zu blocks of %zu points",
				  of, least, most, constancy->blocks, constancy->length);
	}
	return result;
}
