// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/long_memory.h"

#include <math.h>
#include <string.h>

#define LAGS_SHARE 5 // more of the points than one in so many cannot all be lags

static void judge_range(struct long_memory *out, size_t most)
{
	struct method_result *result = &out->methods[0];

	result->statistic = out->test.statistic;
	result->threshold = LO_RESCALED_RANGE_HIGH_95;
	result->p = out->test.p;
	if (isnan(result->statistic))
		return;
	if (out->test.lags > most) {
		method_result_say(result, "%zu lags: so much that none of the points is left to tell long memory from short",
				  out->test.lags);
		return;
	}
	result->verdict = result->statistic > LO_RESCALED_RANGE_HIGH_95 ? VERDICT_YES : VERDICT_NO;
	method_result_say(result, "%zu lags: V %.3g is %s %.3g to %.3g, what short memory gives", out->test.lags,
			  result->statistic,
			  result->verdict == VERDICT_YES ? "above" :
			  result->statistic < LO_RESCALED_RANGE_LOW_95 ? "below" : "within",
			  LO_RESCALED_RANGE_LOW_95, LO_RESCALED_RANGE_HIGH_95);
}

static void judge_variance(struct long_memory *out, size_t most)
{
	struct method_result *result = &out->methods[1];

	result->statistic = out->test.rescaled_variance;
	result->p = out->test.p_variance;
	if (isnan(result->statistic) || out->test.lags > most)
		return;
	result->verdict = result->p < VERDICT_LEVEL ? VERDICT_YES : VERDICT_NO;
	method_result_say(result, "%zu lags: V/S %.3g is %s", out->test.lags, result->statistic,
			  result->verdict == VERDICT_YES ? "more than short memory gives" : "what short memory gives");
}

static const char *words(const struct long_memory *out)
{
	if (out->methods[0].sentence[0] && out->methods[0].verdict == VERDICT_UNKNOWN)
		return out->methods[0].sentence;
	if (out->methods[0].verdict == VERDICT_UNKNOWN)
		return "too few points, or all the same";
	if (out->answer == VERDICT_YES)
		return "more memory than lags explain: long memory, or a level that is not stationary";
	if (out->answer == VERDICT_NO)
		return "short memory explains the partial sums";
	return "the range and the variance of the partial sums disagree";
}

void long_memory_judge(const double *x, size_t n, size_t lags, struct long_memory *out)
{
	const char *sentence;

	memset(out, 0, sizeof *out);
	out->methods[0] = method_result_make("lo", n);
	out->methods[1] = method_result_make("rescaled-variance", n);
	if (n >= LONG_MEMORY_POINTS_MIN) {
		out->test = lo_rescaled_range_test(x, n, lags);
		judge_range(out, n / LAGS_SHARE);
		judge_variance(out, n / LAGS_SHARE);
		if (out->methods[0].verdict == out->methods[1].verdict)
			out->answer = out->methods[0].verdict;
	}
	sentence = words(out);
	memcpy(out->sentence, sentence, strlen(sentence) + 1);
}
