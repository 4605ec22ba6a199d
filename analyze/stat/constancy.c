// SPDX-License-Identifier: GPL-3.0-or-later
// Veitch and Abry, A statistical test for the time constancy of scaling exponents, IEEE Transactions on Signal
// Processing 49 (2001) 2325-2334, equation 8: sum of (h_i - mean)^2 / var_i.
#include "stat/constancy.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "stat/logscale.h"
#include "stat/normal_scores.h"

// Beyond these the diagram's line is not that of a memory: increments of such noise would not be stationary themselves.
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

// Octaves with so many details in a block.
static unsigned last_octave(size_t length)
{
	unsigned octaves = 0;

	for (length = length >= TAPS ? (length - TAPS) / 2 + 1 : 0; length >= DETAILS_MIN; octaves++)
		length = length >= TAPS ? (length - TAPS) / 2 + 1 : 0;
	return octaves;
}

// As many blocks as have so many octaves from the first on.
static size_t choose_blocks(size_t n, unsigned first)
{
	size_t blocks = n / BLOCK_GOOD < BLOCKS_OWN ? n / BLOCK_GOOD : BLOCKS_OWN;

	while (blocks > 2 && last_octave(n / blocks) + 1 < first + OCTAVES_GOOD)
		blocks--;
	return blocks < 2 ? 2 : blocks;
}

// Octaves of all blocks, and how many blocks where that is left open. TR_ERROR where there are too few octaves.
static enum tr_status choose_scales(const double *x, size_t n, double *workspace, struct constancy *out,
				    struct tr_error *err)
{
	const struct estimate_options own = {.level = 0.95};
	struct estimate whole;
	unsigned first, last;

	if (logscale_daubechies.run(&(struct series_parts){.x = x, .n = n}, &own, workspace, &whole, err) != TR_OK)
		return TR_ERROR;
	first = (unsigned)lround(log2(whole.scale_min));
	if (out->blocks == 0)
		out->blocks = choose_blocks(n, first);
	out->length = n / out->blocks;
	last = last_octave(out->length);
	if (last + 1 < first + OCTAVES_MIN)
		return tr_fail(err, "blocks of %zu points have fewer than %d octaves from octave %u on", out->length,
			       OCTAVES_MIN, first);
	out->scale_min = ldexp(1, (int)first);
	out->scale_max = ldexp(1, (int)last);
	return TR_OK;
}

static void compare(struct constancy *out)
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
		out->statistic += (out->h[i] - out->mean) * (out->h[i] - out->mean) / (out->se[i] * out->se[i]);
	out->p = gsl_sf_gamma_inc_Q((double)(out->blocks - 1) / 2, out->statistic / 2);
}

enum tr_status constancy_test(const double *x, size_t n, size_t blocks, double *workspace, struct constancy *out,
			      struct tr_error *err)
{
	struct estimate_options options = {.level = 0.95};
	struct estimate estimate;

	*out = (struct constancy){.blocks = blocks};
	if (n < logscale_daubechies.n_min)
		return tr_fail(err, "needs %zu points, there are %zu", logscale_daubechies.n_min, n);
	x = scores_if_heavy(x, n, workspace);
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
	compare(out);
	return TR_OK;
}

struct method_result constancy_judge(const struct constancy *constancy, size_t n, const char *why)
{
	struct method_result result = method_result_make("veitch-abry", n);
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
	if (result.verdict == VERDICT_YES && !(constancy->mean > H_LEAST && constancy->mean < H_MOST)) {
		result.verdict = VERDICT_UNKNOWN;
		method_result_say(&result, "H %.3f all over, which is none: a period, or dependence over short times",
				  constancy->mean);
	} else if (result.verdict == VERDICT_YES)
		method_result_say(&result, "H %.3f +- %.3f all over %zu blocks of %zu points", constancy->mean,
				  1.96 * constancy->se_mean, constancy->blocks, constancy->length);
	else
		method_result_say(&result, "H moves between %.3f and %.3f over %zu blocks of %zu points", least, most,
				  constancy->blocks, constancy->length);
	return result;
}
