// SPDX-License-Identifier: GPL-3.0-or-later
// Two statistics of partial sums that must both reject short memory, and a bound of H that must
// reject long memory; if neither is rejected, the answer is not decided. Neither answer is given
// against the spectrum: sums reject time constants longer than the lags, and moving levels, as they
// reject long memory.
#include "stat/tests/long_memory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stat/intervals/ranks.h"
#include "stat/tests/self_similarity.h"
#include "stat/tests/short_memory.h"

#define SPECTRUM_LEVEL 0.95
#define LAGS_SHARE 5 // lags are at most one in this many points
#define FILTER_POINTS_MIN 256
#define OWN_LAGS \
	0.88	  // sample lag-1 autocorrelations are biased low, and so are lags chosen by them
#define KNEES 2.0 // as in stat/tests/stationarity.c for the scale of sums
#define LAG1_OF_8 0.5157165665103982 // autocorrelation of fractional Gaussian noise of H .8

size_t long_memory_workspace(size_t n)
{
	const size_t fit = short_memory_workspace(n), scale = memory_scale_workspace(n);

	return 3 * n + (fit > scale ? fit : scale);
}

// Power of both statistics for noise of H .8, which depends only on points over lags + 1; from 1000
// series of 8192 points (tests/property/stat_power_test.c).
static double power_by(double ratio)
{
	static const double rows[][2] = {{12.5, 0},   {16, .006},  {20, .046},	{25, .111},
					 {40, .266},  {64, .446},  {100, .625}, {160, .771},
					 {256, .864}, {400, .948}, {640, .97},	{1024, .992},
					 {4096, 1}};
	const size_t count = sizeof(rows) / sizeof(*rows);
	size_t i = 0;
	double share;

	while (i + 2 < count && rows[i + 1][0] < ratio)
		i++;
	share = log(ratio / rows[i][0]) / log(rows[i + 1][0] / rows[i][0]);
	return rows[i][1] + fmin(1, fmax(0, share)) * (rows[i + 1][1] - rows[i][1]);
}

// With the given lags, or else those by Andrews's rule for such noise or the series.
static double long_memory_power_of(size_t n, size_t lags, bool given)
{
	const double own = cbrt(1.5 * (double)n) *
			   pow(2 * LAG1_OF_8 / (1 - LAG1_OF_8 * LAG1_OF_8), 2.0 / 3);

	if (given)
		return power_by((double)n / (1 + (double)lags));
	return power_by((double)n / (1 + OWN_LAGS * fmax((double)lags, own)));
}

static void judge_range(struct long_memory *out, size_t most)
{
	struct method_result *result = &out->methods[0];

	result->statistic = out->test.statistic;
	result->threshold = LO_RESCALED_RANGE_HIGH_95;
	result->p = out->test.p;
	if (isnan(result->statistic))
		return;
	if (out->test.lags > most) {
		method_result_say(
			result,
			"%zu lags: too many for the series to distinguish long memory from short",
			out->test.lags);
		return;
	}
	if (result->statistic > LO_RESCALED_RANGE_HIGH_95)
		result->verdict = VERDICT_YES;
	method_result_say(result,
			  "%zu lags: V %.3g is %s %.3g to %.3g, the 95 %% region of short memory",
			  out->test.lags, result->statistic,
			  result->verdict == VERDICT_YES		 ? "above"
			  : result->statistic < LO_RESCALED_RANGE_LOW_95 ? "below"
									 : "within",
			  LO_RESCALED_RANGE_LOW_95, LO_RESCALED_RANGE_HIGH_95);
}

static void judge_variance(struct long_memory *out, size_t most)
{
	struct method_result *result = &out->methods[1];

	result->statistic = out->test.rescaled_variance;
	result->p = out->test.p_variance;
	if (isnan(result->statistic) || out->test.lags > most)
		return;
	if (result->p < VERDICT_LEVEL)
		result->verdict = VERDICT_YES;
	method_result_say(result, "%zu lags: V/S %.3g is %s", out->test.lags, result->statistic,
			  result->verdict == VERDICT_YES ? "larger than under short memory"
							 : "not too large for short memory at 5 %");
}

// y is workspace for the series without its short memory. TR_ERROR if out of memory.
static enum tr_status judge_h(const double *x, size_t n, double *y, double *workspace,
			      struct long_memory *out, struct tr_error *err)
{
	struct method_result *result = &out->methods[2];
	struct short_memory filter;
	struct tr_error why = {""};

	if (n < FILTER_POINTS_MIN ||
	    short_memory_fit(x, n, KNEES, workspace, &filter, &why) != TR_OK) {
		method_result_say(result, "needs %d points and power at low frequencies",
				  FILTER_POINTS_MIN);
		return why.breakdown ? tr_fail_for(err, &why, "%s", why.text) : TR_OK;
	}
	short_memory_remove(&filter, x, n, y);
	if (memory_scale_low(y, n, 0, workspace, &out->scale, &why) != TR_OK) {
		out->scale.se = 0;
		method_result_say(result, "%s", why.text);
		return why.breakdown ? tr_fail_for(err, &why, "%s", why.text) : TR_OK;
	}
	out->h_upper = out->scale.h + VERDICT_ONE_SIDED * out->scale.se;
	result->statistic = out->scale.h;
	result->threshold = LONG_MEMORY_H_LEAST;
	result->p = gsl_cdf_ugaussian_P((out->scale.h - LONG_MEMORY_H_LEAST) / out->scale.se);
	if (out->h_upper < LONG_MEMORY_H_LEAST)
		result->verdict = VERDICT_NO;
	method_result_say(result, "%zu frequencies: H is below %.3f at 95 %%, %.1f and more is %s",
			  out->scale.last, out->h_upper, LONG_MEMORY_H_LEAST,
			  result->verdict == VERDICT_NO ? "rejected" : "not rejected");
	return TR_OK;
}

// Takes an answer back that the spectrum of the series x[n] does not give. TR_ERROR if out of
// memory.
static enum tr_status ask_spectrum(const double *x, size_t n, struct long_memory *out,
				   struct tr_error *err)
{
	struct method_result *result = &out->methods[3], said = method_result_make("", 0);
	struct self_similarity spectral;

	if (out->answer == VERDICT_UNKNOWN)
		return TR_OK;
	if (self_similarity_decide_series(x, n, NULL, SPECTRUM_LEVEL, &spectral, err) != TR_OK)
		return TR_ERROR;
	result->verdict = spectral.answer;
	result->statistic = spectral.h;
	method_result_say(result, "%.*s", VERDICT_SENTENCE - 1, spectral.sentence);
	if (out->answer == VERDICT_YES && spectral.answer != VERDICT_YES)
		method_result_say(
			&said,
			"more memory than the lags explain, but by its spectrum long memory is %s",
			spectral.answer == VERDICT_NO
				? "excluded: longer time constants, or a moving level"
				: "not decided: time constants or a moving level may explain it");
	else if (out->answer == VERDICT_NO && spectral.answer == VERDICT_YES)
		method_result_say(&said,
				  "H is below %.3f by the lowest frequencies, but long memory by "
				  "the whole spectrum",
				  out->h_upper);
	else
		return TR_OK;
	out->answer = VERDICT_UNKNOWN;
	memcpy(out->sentence, said.sentence, sizeof(out->sentence));
	return TR_OK;
}

static void long_memory_answer(struct long_memory *out)
{
	const struct method_result *range = &out->methods[0], *variance = &out->methods[1],
				   *h = &out->methods[2];
	struct method_result said = method_result_make("", 0);

	if (isnan(range->statistic))
		method_result_say(&said, "too few points, or a constant series");
	else if (!variance->sentence[0])
		said = *range;
	else if (range->verdict == VERDICT_YES && variance->verdict == VERDICT_YES) {
		out->answer = VERDICT_YES;
		method_result_say(
			&said,
			"more memory than the lags explain: long memory or a nonstationary level");
	} else if (h->verdict == VERDICT_NO) {
		out->answer = VERDICT_NO;
		method_result_say(
			&said, "short memory is not rejected at 5 %%, and H is below %.3f at 95 %%",
			out->h_upper);
	} else
		method_result_say(&said,
				  "short memory is not rejected at 5 %%%s, power %.2f for H = .8",
				  range->verdict != variance->verdict ? " by both statistics" : "",
				  out->power);
	memcpy(out->sentence, said.sentence, sizeof(out->sentence));
}

enum tr_status long_memory_decide(const double *x, size_t n, size_t lags, double *workspace,
				  struct long_memory *out, struct tr_error *err)
{
	const double *scores = x;
	enum tr_status status = TR_OK;

	memset(out, 0, sizeof(*out));
	out->p = out->power = out->h_upper = NAN;
	out->methods[0] = method_result_make("lo", n);
	out->methods[1] = method_result_make("rescaled-variance", n);
	out->methods[2] = method_result_make("local-whittle", n);
	out->methods[3] = method_result_make("spectrum", n);
	out->methods[3].statistic = NAN;
	if (n >= LONG_MEMORY_POINTS_MIN) {
		scores = scores_if_heavy(x, n, workspace);
		out->test = lo_rescaled_range_test(scores, n, lags);
		judge_range(out, n / LAGS_SHARE);
		judge_variance(out, n / LAGS_SHARE);
	} else {
		out->methods[0].statistic = NAN;
	}
	if (out->methods[1].sentence[0]) {
		out->p = fmin(1, fmax(2 * out->test.p_above, out->test.p_variance));
		out->power = long_memory_power_of(n, out->test.lags, lags > 0);
		status = judge_h(scores, n, workspace + 2 * n, workspace + 3 * n, out, err);
	}
	long_memory_answer(out);
	return status == TR_OK ? ask_spectrum(x, n, out, err) : status;
}
