// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/tests/heavy_tail.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "stat/tests/tail.h"

// ---- Pareto against lognormal
// Malevergne, Pisarenko and Sornette, Testing the Pareto against the lognormal distributions with
// the uniformly most powerful unbiased test applied to the distribution of cities, Physical Review
// E 83 (2011) 036111; del Castillo and Puig, The best test of exponentiality against singly
// truncated normal alternatives, Journal of the American Statistical Association 94 (1999) 529-532.
// For exponential values sqrt(k) (coefficient - 1) tends to the standard normal law.

struct log_variation pareto_against_lognormal(const double *y, size_t k)
{
	double mean = 0, squares = 0;
	struct log_variation out;

	for (size_t i = 0; i < k; i++) {
		const double z = log(y[i]), off = z - mean;

		mean += off / (double)(i + 1);
		squares += off * (z - mean);
	}
	out.coefficient = sqrt(squares / (double)k) / mean;
	out.p = gsl_cdf_ugaussian_P(sqrt((double)k) * (out.coefficient - 1));
	return out;
}

// ---- the verdict

#define PARETO_LEVEL (VERDICT_LEVEL / 2) // of each of the two tests of Pareto's law
#define DISTINCT_MIN 30			 // values of the tail that differ
#define VALUES_MIN ((size_t)HILL_GROUP_MIN * HILL_RANGE_MIN)

size_t heavy_tail_workspace(size_t n)
{
	return n + 1;
}

static double share_of_ties(const struct tail *tail)
{
	size_t ties = 0;

	for (size_t i = 2; i <= tail->k; i++)
		ties += tail_value(tail, i) >= tail_value(tail, i - 1);
	return (double)ties / (double)tail->k;
}

static void judge_stability(struct heavy_tail *out)
{
	struct method_result *result = &out->methods[0];

	*result = method_result_make("hill", out->tail.k);
	out->stability = hill_stability(&out->tail);
	result->statistic = out->stability.statistic;
	result->p = out->stability.p;
	result->verdict = verdict_by_p(result->p, PARETO_LEVEL);
	if (result->verdict == VERDICT_UNKNOWN)
		method_result_say(result, "too few values or too many ties to test Hill's index");
	else if (result->verdict == VERDICT_YES)
		method_result_say(result, "Hill's index, %.3g, is constant over the tail",
				  out->hill.index);
	else
		method_result_say(result,
				  "Hill's index is not constant: %.3g for the %d largest values, "
				  "%.3g at the start of the tail",
				  out->stability.first, HILL_GROUP_MIN, out->stability.last);
}

static void judge_lognormal(struct heavy_tail *out, const double *y)
{
	const struct log_variation variation = pareto_against_lognormal(y, out->tail.k);
	struct method_result *result = &out->methods[1];

	*result = method_result_make("lognormal", out->tail.k);
	result->statistic = variation.coefficient;
	result->p = variation.p;
	result->verdict = verdict_by_p(variation.p, PARETO_LEVEL);
	method_result_say(result,
			  result->verdict == VERDICT_YES
				  ? "the logarithms vary as under a power law (%.3g, expected 1)"
				  : "the logarithms vary less than under a power law (%.3g, "
				    "expected 1), as under a lognormal distribution",
			  variation.coefficient);
}

// The law of one kind with the least AIC. A generalised Pareto law at its edge does not count: it
// is an exponential one, or values equal to the threshold make its likelihood infinite.
static size_t best_of(const struct tail_fit *fits, bool heavy)
{
	size_t best = HEAVY_TAIL_LAWS;

	for (size_t i = 0; i < HEAVY_TAIL_LAWS; i++)
		if (fits[i].law->heavy == heavy && (fits[i].inside || !heavy) &&
		    (best == HEAVY_TAIL_LAWS || fits[i].aic < fits[best].aic))
			best = i;
	return best;
}

static void compare_laws(struct heavy_tail *out, const double *y)
{
	struct method_result *result = &out->methods[3];
	size_t heavy, light;

	for (size_t i = 0; i < HEAVY_TAIL_LAWS; i++)
		out->fits[i] = tail_fit_make(tail_laws[i], y, out->tail.k);
	for (size_t i = 0; i < HEAVY_TAIL_LAWS; i++)
		out->against_pareto[i] = vuong_compare(&out->fits[i], &out->fits[0], y,
						       out->tail.k);
	heavy = best_of(out->fits, true);
	light = best_of(out->fits, false);
	out->best = out->fits[heavy].aic <= out->fits[light].aic ? heavy : light;
	out->heavy_light = vuong_compare(&out->fits[heavy], &out->fits[light], y, out->tail.k);
	*result = method_result_make("laws", out->tail.k);
	result->statistic = out->heavy_light.z;
	result->p = out->heavy_light.p;
	if (result->p < VERDICT_LEVEL)
		result->verdict = result->statistic > 0 ? VERDICT_YES : VERDICT_NO;
	method_result_say(result, "%s fits the tail %s than %s%s", out->fits[out->best].law->name,
			  result->verdict == VERDICT_UNKNOWN ? "hardly better" : "nearer",
			  out->fits[out->best == heavy ? light : heavy].law->name,
			  out->fits[light].inside ? "" : " at its limit, a power law");
}

// Tests the values 1 + g (y - 1) / s, with the threshold's, which the law maps to a power law.
static void judge_bent(struct heavy_tail *out, double *y)
{
	const struct tail_fit *fit = &out->fits[1];
	const double rate = fit->parameters[0] / fit->parameters[1];
	struct method_result *result = &out->methods[2];
	const size_t k = out->tail.k;
	struct tail bent = {y, k + 1, k};

	*result = method_result_make("bent", k);
	for (size_t i = 0; i <= k; i++)
		y[i] = 1 + rate * (out->tail.rising[out->tail.n - k - 1 + i] / out->threshold - 1);
	out->bent = hill_stability(&bent);
	result->statistic = out->bent.statistic;
	result->p = out->bent.p;
	result->verdict = verdict_by_p(result->p, VERDICT_LEVEL);
	if (tail_fit_unbounded(fit)) {
		result->verdict = VERDICT_UNKNOWN;
		method_result_say(result, "too many values equal the threshold to fit a bend");
		return;
	}
	if (!fit->inside || fit->parameters[0] < VERDICT_ONE_SIDED * fit->se[0]) {
		result->verdict = VERDICT_NO;
		method_result_say(result, "with a bend the tail is no heavier than exponential");
		return;
	}
	method_result_say(result, "a power law of index %.3g that bends near the threshold %s",
			  1 / fit->parameters[0],
			  result->verdict == VERDICT_YES ? "fits" : "does not fit");
}

// Whether Pareto's law is nearer to the tail than the exponential one, which a light tail over a
// short range resembles as well.
static bool beats_exponential(const struct heavy_tail *out)
{
	size_t i = 0;

	while (tail_laws[i] != &tail_exponential)
		i++;
	return out->against_pareto[i].z < 0 && out->against_pareto[i].p < VERDICT_LEVEL;
}

static void heavy_tail_answer(struct heavy_tail *out)
{
	const enum verdict stable = out->methods[0].verdict, varied = out->methods[1].verdict;
	const enum verdict bent = out->methods[2].verdict, laws = out->methods[3].verdict;
	const char *variance = out->hill.hi < 2	  ? "its variance is infinite"
			       : out->hill.lo > 2 ? "its variance is finite"
						  : "its variance may be infinite";
	const double distinct = (1 - out->ties) * (double)out->tail.k;
	const bool passes = stable == VERDICT_YES && varied == VERDICT_YES;
	const char *unstable = stable == VERDICT_NO ? "Hill's index is not constant"
						    : "the logarithms vary too little";
	struct method_result words = method_result_make("", 0);

	if (distinct < DISTINCT_MIN) {
		method_result_say(
			&words,
			"the tail has only %.0f different values, too few to tell laws apart",
			distinct);
	} else if (stable == VERDICT_UNKNOWN) {
		method_result_say(&words, "%s", out->methods[0].sentence);
	} else if (passes && !beats_exponential(out)) {
		method_result_say(&words,
				  "a power law of index %.3g (%.3g to %.3g) passes, but the "
				  "exponential distribution fits as well",
				  out->hill.index, out->hill.lo, out->hill.hi);
	} else if (passes) {
		out->answer = VERDICT_YES;
		method_result_say(&words, "a power law of index %.3g (%.3g to %.3g): %s",
				  out->hill.index, out->hill.lo, out->hill.hi, variance);
	} else if (laws == VERDICT_NO) {
		out->answer = VERDICT_NO;
		method_result_say(&words, "no power law: %s, and the %s distribution fits better",
				  unstable, out->fits[out->best].law->name);
	} else if (bent == VERDICT_UNKNOWN) {
		method_result_say(&words, "%s, and %s", unstable, out->methods[2].sentence);
	} else if (bent == VERDICT_NO) {
		out->answer = VERDICT_NO;
		method_result_say(&words,
				  "no power law: %s, and with a bend it does not fit either",
				  unstable);
	} else if (laws == VERDICT_YES) {
		out->answer = VERDICT_YES;
		method_result_say(&words, "%s, and fits better than the other distributions",
				  out->methods[2].sentence);
	} else {
		method_result_say(&words,
				  "%s; it may be a power law with a bend, but the %s distribution "
				  "fits as well",
				  unstable, out->fits[best_of(out->fits, false)].law->name);
	}
	(void)memcpy(out->sentence, words.sentence, sizeof(out->sentence));
}

void heavy_tail_decide(struct heavy_tail *out, const double *rising, size_t n, double share,
		       double level, double *workspace)
{
	static const struct tail_index none = {NAN, NAN, NAN, NAN};
	static const char *const names[HEAVY_TAIL_METHODS] = {"hill", "lognormal", "bent", "laws"};

	*out = (struct heavy_tail){.tail = tail_of_share(rising, n, share),
				   .threshold = NAN,
				   .ties = NAN,
				   .p = NAN,
				   .log_log = none,
				   .hill = none,
				   .moment = none,
				   .heavy_light = {NAN, NAN}};
	for (size_t i = 0; i < HEAVY_TAIL_METHODS; i++)
		out->methods[i] = method_result_make(names[i], out->tail.k);
	if (out->tail.k < VALUES_MIN || !(rising[n - 1] > tail_threshold(&out->tail))) {
		method_result_say(&out->methods[0],
				  out->tail.k < VALUES_MIN ? "the tail has fewer than %zu values"
							   : "all values of the tail are equal",
				  VALUES_MIN);
		(void)memcpy(out->sentence, out->methods[0].sentence, sizeof(out->sentence));
		return;
	}
	out->threshold = tail_threshold(&out->tail);
	out->ties = share_of_ties(&out->tail);
	out->log_log = log_log_tail(&out->tail, level);
	out->hill = hill(&out->tail, level);
	out->moment = moment_estimator(&out->tail, level);
	for (size_t i = 0; i < out->tail.k; i++)
		workspace[i] = tail_value(&out->tail, i + 1) / out->threshold;
	judge_stability(out);
	judge_lognormal(out, workspace);
	compare_laws(out, workspace);
	judge_bent(out, workspace);
	out->p = fmin(1, 2 * fmin(out->methods[0].p, out->methods[1].p));
	heavy_tail_answer(out);
}
