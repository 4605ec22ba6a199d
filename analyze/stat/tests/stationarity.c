// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/tests/stationarity.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stat/hurst/estimation.h"
#include "stat/hurst/estimators.h"
#include "stat/intervals/ranks.h"
#include "stat/intervals/verdict.h"

// ---- aggregated against differenced variance
// Teverovsky and Taqqu, Testing for long-range dependence in the presence of shifting means or a
// slowly declining trend, using a variance-type estimator, Journal of Time Series Analysis 18
// (1997) 279-304. The error is that of two independent estimates, each from
// stat/hurst/hurst_bias.h.

// n >= 256. TR_ERROR if one of them gives no estimate, or out of memory.
static enum tr_status variance_comparison_test(const double *x, size_t n,
					       struct variance_comparison *out,
					       struct tr_error *err)
{
	const struct estimate_options options = {.level = 0.95};
	struct estimation by[2] = {{.estimator = &aggregated_variance},
				   {.estimator = &differenced_variance}};

	if (estimations_make(x, n, NULL, &options, by, 2, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	for (int i = 0; i < 2; i++)
		if (!by[i].made)
			return tr_fail(err, "%s", by[i].why.text);
	out->aggregated = by[0].estimate.h_corrected;
	out->differenced = by[1].estimate.h_corrected;
	out->statistic = (out->aggregated - out->differenced) /
			 hypot(by[0].estimate.se, by[1].estimate.se);
	out->p = gsl_cdf_ugaussian_P(-out->statistic);
	return TR_OK;
}

// ---- all tests together

#define PERIOD 1e-3
// How much memory the filter may treat as short: for the shape of the spectrum, and for the scale
// of sums.
#define KNEES_QU 0.1
#define KNEES_LEVEL 2.0

static const char *const names[STATIONARITY_METHODS] = {
	"kpss", "qu", "shift", "shifts", "variance", "halves", "thirds", "spread",
};

size_t stationarity_workspace(size_t n)
{
	const size_t sizes[] = {short_memory_workspace(n), memory_scale_workspace(n),
				spurious_memory_workspace(n), logscale_daubechies.workspace(n)};
	size_t most = 0;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		most = sizes[i] > most ? sizes[i] : most;
	return 5 * n + most;
}

// The shortest period at which y looks like a power law: where the logscale diagram becomes a line.
static double onset_of(const double *y, size_t n, double *workspace)
{
	const struct estimate_options options = {.level = 0.95};
	struct estimate estimate;

	if (n < logscale_daubechies.n_min ||
	    logscale_daubechies.run(&(struct series_parts){.x = y, .n = n}, &options, workspace,
				    &estimate, NULL) != TR_OK)
		return 0;
	return estimate.scale_min;
}

// What a series remembers: the short memory that was removed from it, and the scale of sums of the
// rest, without the lowest frequencies and with them.
struct level_memory {
	struct short_memory filter;
	struct memory_scale scale, low[2];
};

// Fills y[n] with x without its short memory.
static enum tr_status level_memory_find(const double *x, size_t n, double *y, double *workspace,
					struct level_memory *out, struct tr_error *err)
{
	double onset;

	if (short_memory_fit(x, n, KNEES_LEVEL, workspace, &out->filter, err) != TR_OK)
		return TR_ERROR;
	short_memory_remove(&out->filter, x, n, y);
	onset = onset_of(y, n, workspace);
	if (memory_scale_make(y, n, onset, workspace, &out->scale, err) != TR_OK ||
	    memory_scale_low(y, n, onset, workspace, &out->low[0], err) != TR_OK)
		return TR_ERROR;
	return memory_scale_lowest(y, n, workspace, &out->low[1], err);
}

// Starts the result of a method whose statistic has a p.
static struct method_result *stationarity_set(struct stationarity *out,
					      enum stationarity_method method, double statistic,
					      double p)
{
	struct method_result *result = &out->methods[method];

	result->statistic = statistic;
	result->p = p;
	result->verdict = verdict_by_p(p, VERDICT_LEVEL);
	return result;
}

static void run_kpss(const double *x, size_t n, size_t lags, struct stationarity *out)
{
	const bool remembers = out->low[0].h - VERDICT_ONE_SIDED * out->low[0].se > 0.5 &&
			       out->methods[STATIONARITY_QU].verdict != VERDICT_NO;
	struct method_result *result;

	out->kpss = kpss_test(x, n, lags);
	result = stationarity_set(out, STATIONARITY_KPSS, out->kpss.statistic, out->kpss.p);
	if (result->verdict == VERDICT_NO && remembers) {
		result->verdict = VERDICT_UNKNOWN;
		method_result_say(result,
				  "%zu lags: rejected, but long memory (H %.2f) alone causes that",
				  out->kpss.lags, out->low[0].h);
		return;
	}
	method_result_say(result, "%zu lags: %s", out->kpss.lags,
			  result->verdict == VERDICT_NO
				  ? "the level is not constant"
				  : "a constant level with short memory is not rejected");
}

// Averages of the probability over the error of the scale's h.
static double spread_means(const double *y, size_t n, size_t segments,
			   const struct memory_scale *scale)
{
	struct memory_scale nodes[MEMORY_SCALE_NODES];
	double weights[MEMORY_SCALE_NODES], p = 0;

	memory_scale_spread(scale, nodes, weights);
	for (size_t i = 0; i < MEMORY_SCALE_NODES; i++)
		p += weights[i] * segment_means_test(y, n, segments, &nodes[i]).p;
	return p;
}

// Whether a move of the level may be long memory that only the lowest frequencies show. p_low is
// its probability by those, which then replaces its own.
static bool doubt(struct stationarity *out, struct method_result *result, double p_low)
{
	if (result->verdict != VERDICT_NO || out->methods[STATIONARITY_QU].verdict == VERDICT_NO)
		return false;
	result->p = fmax(result->p, p_low);
	if (p_low < VERDICT_LEVEL / STATIONARITY_METHODS) // jointly, if it is the smallest
		return false;
	result->verdict = VERDICT_UNKNOWN;
	out->doubtful = true;
	return true;
}

// The result of one method: whether the level of y shifts, given its memory. Returns whether that
// of the lowest frequencies explains it.
static bool judge_shift(const double *y, size_t n, const struct memory_scale *scale,
			const struct memory_scale low[2], struct stationarity *out,
			enum stationarity_method method, struct level_shift *shift)
{
	*shift = level_shift_test(y, n, scale);
	shift->p = level_shift_spread_p(shift->greatest, n, scale);
	return doubt(out, stationarity_set(out, method, shift->statistic, shift->p),
		     fmax(level_shift_spread_p(shift->greatest, n, &low[0]),
			  level_shift_spread_p(shift->greatest, n, &low[1])));
}

static void run_shift(const double *x, const double *y, size_t n, struct stationarity *out)
{
	struct level_shift *shift = &out->shift;
	struct method_result *result = &out->methods[STATIONARITY_SHIFT];
	const bool doubted = judge_shift(y, n, &out->scale, out->low, out, STATIONARITY_SHIFT,
					 shift);

	shift->before = shift->after = 0;
	for (size_t i = 0; i < n; i++)
		*(i < shift->at ? &shift->before : &shift->after) += x[i];
	shift->before /= (double)shift->at;
	shift->after /= (double)(n - shift->at);
	if (doubted)
		method_result_say(result, "a level shift after point %zu, or long memory",
				  shift->at);
	else if (result->verdict == VERDICT_NO)
		method_result_say(result, "the level shifts from %.4g to %.4g after point %zu",
				  shift->before, shift->after, shift->at);
	else
		method_result_say(result, "no level shift beyond what memory explains");
}

static void run_shifts(const double *x, const double *y, size_t n, struct stationarity *out)
{
	struct method_result *result;
	struct change_points low[2];

	change_points_find(x, y, n, &out->scale, &out->shifts);
	result = stationarity_set(out, STATIONARITY_SHIFTS, (double)out->shifts.count,
				  out->shifts.p);
	for (size_t i = 0; i < 2; i++)
		change_points_find(x, y, n, &out->low[i], &low[i]);
	if (doubt(out, result, fmax(low[0].p, low[1].p)))
		method_result_say(result, "%zu level shifts, or long memory", out->shifts.count);
	else if (result->verdict == VERDICT_NO)
		method_result_say(result, "the level shifts %zu time%s, first after point %zu",
				  out->shifts.count, out->shifts.count == 1 ? "" : "s",
				  out->shifts.count > 0 ? out->shifts.points[0].at : 0);
	else
		method_result_say(result, "no level shifts beyond what memory explains");
}

static void run_means(const double *y, size_t n, size_t segments, struct stationarity *out)
{
	struct segment_means *means = &out->means[segments - 2];
	struct method_result *result;

	*means = segment_means_test(y, n, segments, &out->scale);
	means->p = spread_means(y, n, segments, &out->scale);
	result = stationarity_set(out, segments == 2 ? STATIONARITY_HALVES : STATIONARITY_THIRDS,
				  means->statistic, means->p);
	method_result_say(result, "the means of the %s %s", segments == 2 ? "halves" : "thirds",
			  doubt(out, result,
				fmax(spread_means(y, n, segments, &out->low[0]),
				     spread_means(y, n, segments, &out->low[1])))
				  ? "differ, but long memory may explain that"
			  : result->verdict == VERDICT_NO ? "differ"
							  : "agree");
}

// Whether the distances of y from its mean shift, given their own memory. z is workspace for twice
// as many.
static enum tr_status run_spread(const double *y, size_t n, double *z, double *workspace,
				 struct stationarity *out, struct tr_error *err)
{
	struct method_result *result = &out->methods[STATIONARITY_SPREAD];
	double mean = 0, *filtered = z + n;
	struct level_memory memory;
	struct tr_error why;

	for (size_t i = 0; i < n; i++)
		mean += y[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		z[i] = fabs(y[i] - mean);
	if (level_memory_find(z, n, filtered, workspace, &memory, &why) != TR_OK) {
		method_result_say(result, "%s", why.text);
		return why.breakdown ? tr_fail_for(err, &why, "%s", why.text) : TR_OK;
	}
	if (judge_shift(filtered, n, &memory.scale, memory.low, out, STATIONARITY_SPREAD,
			&out->spread))
		method_result_say(result,
				  "the variance changes after point %zu, or has long memory",
				  out->spread.at);
	else
		method_result_say(
			result,
			result->verdict == VERDICT_NO
				? "the variance changes after point %zu"
				: "no change of the variance beyond what its memory explains",
			out->spread.at);
	return TR_OK;
}

// y is workspace for the series without its short memory.
static enum tr_status run_qu(const double *x, size_t n, double *y, double *workspace,
			     struct stationarity *out, struct tr_error *err)
{
	struct method_result *result;
	struct short_memory filter;

	if (short_memory_fit(x, n, KNEES_QU, workspace, &filter, err) != TR_OK)
		return TR_ERROR;
	short_memory_remove(&filter, x, n, y);
	if (spurious_memory_test(y, n, onset_of(y, n, workspace), workspace, &out->qu, err) !=
	    TR_OK)
		return TR_ERROR;
	result = stationarity_set(out, STATIONARITY_QU, out->qu.statistic, out->qu.p);
	result->threshold = out->qu.threshold;
	if (result->verdict == VERDICT_NO && out->qu.p_period < PERIOD) {
		result->verdict = VERDICT_UNKNOWN;
		method_result_say(result, "rejected, but a period of %.4g points alone causes that",
				  out->qu.period);
		return TR_OK;
	}
	if (result->verdict == VERDICT_NO && !out->qu.excess) {
		result->verdict = VERDICT_UNKNOWN;
		method_result_say(result, "rejected for too little power at the lowest "
					  "frequencies, which short memory causes");
		return TR_OK;
	}
	method_result_say(result, "%zu frequencies: %s", out->qu.frequencies,
			  result->verdict == VERDICT_NO
				  ? "the memory is spurious: shifts or trends"
				  : "no spurious memory from shifts or trends");
	return TR_OK;
}

static enum tr_status run_variance(const double *x, size_t n, struct stationarity *out,
				   struct tr_error *err)
{
	struct method_result *result = &out->methods[STATIONARITY_VARIANCE];
	struct tr_error why;

	if (variance_comparison_test(x, n, &out->variance, &why) != TR_OK) {
		method_result_say(result, "%s", why.text);
		return why.breakdown ? tr_fail_for(err, &why, "%s", why.text) : TR_OK;
	}
	result = stationarity_set(out, STATIONARITY_VARIANCE, out->variance.statistic,
				  out->variance.p);
	method_result_say(result, "H by aggregated variance %.3f, differenced %.3f%s",
			  out->variance.aggregated, out->variance.differenced,
			  result->verdict == VERDICT_NO ? ": the level shifts" : "");
	return TR_OK;
}

// A method that rejects alone, but not at the joint level, is not decided.
static size_t stationarity_join(struct stationarity *out)
{
	double p[STATIONARITY_METHODS], adjusted[STATIONARITY_METHODS];
	size_t count = 0;

	for (size_t i = 0; i < STATIONARITY_METHODS; i++) {
		p[i] = out->methods[i].verdict == VERDICT_UNKNOWN ? NAN : out->methods[i].p;
		count += isnan(p[i]) ? 0 : 1;
	}
	holm_adjust(p, STATIONARITY_METHODS, adjusted);
	for (size_t i = 0; i < STATIONARITY_METHODS; i++) {
		if (isnan(p[i]))
			continue;
		if (out->strongest == STATIONARITY_METHODS || p[i] < p[out->strongest]) {
			out->strongest = i;
			out->p = adjusted[i];
		}
		if (out->methods[i].verdict == VERDICT_NO && adjusted[i] >= VERDICT_LEVEL) {
			out->methods[i].verdict = VERDICT_UNKNOWN;
			method_result_say(
				&out->methods[i],
				"rejects by itself, but not jointly: p %.2g among %zu tests",
				adjusted[i], count);
		}
	}
	return count;
}

static void stationarity_decide(struct stationarity *out)
{
	struct method_result said = method_result_make("", 0);
	const size_t count = stationarity_join(out);

	if (count == 0)
		return;
	out->answer = verdict_by_p(out->p, VERDICT_LEVEL);
	if (out->answer == VERDICT_YES && out->doubtful)
		out->answer = VERDICT_UNKNOWN;
	if (out->answer == VERDICT_UNKNOWN)
		method_result_say(&said, "the level moves because of a shift or long memory: a "
					 "longer series would decide");
	else if (out->answer == VERDICT_YES)
		method_result_say(&said, "not rejected at the joint level of 5 %% by %zu tests%s",
				  count, out->scored ? " of normal scores" : "");
	else
		method_result_say(&said, "not stationary (%s): %.180s", names[out->strongest],
				  out->methods[out->strongest].sentence);
	memcpy(out->sentence, said.sentence, sizeof(out->sentence));
}

enum tr_status stationarity_test(const double *x, size_t n, size_t lags, double *workspace,
				 struct stationarity *out, struct tr_error *err)
{
	double *y = workspace, *room = workspace + 5 * n;
	struct level_memory memory;
	const double *raw = x;

	memset(out, 0, sizeof(*out));
	out->strongest = STATIONARITY_METHODS;
	out->p = NAN;
	for (size_t i = 0; i < STATIONARITY_METHODS; i++)
		out->methods[i] = method_result_make(names[i], n);
	if (n < STATIONARITY_POINTS_MIN) {
		struct method_result said = method_result_make("", 0);

		method_result_say(&said, "needs %d points", STATIONARITY_POINTS_MIN);
		memcpy(out->sentence, said.sentence, sizeof(out->sentence));
		return TR_OK;
	}
	x = scores_if_heavy(x, n, workspace + n);
	out->scored = x != raw;
	if (run_qu(x, n, y, room, out, err) != TR_OK ||
	    level_memory_find(x, n, y, room, &memory, err) != TR_OK)
		return TR_ERROR;
	out->filter = memory.filter;
	out->scale = memory.scale;
	memcpy(out->low, memory.low, sizeof(out->low));
	run_kpss(x, n, lags, out);
	run_shift(raw, y, n, out);
	run_shifts(raw, y, n, out);
	if (run_variance(x, n, out, err) != TR_OK)
		return TR_ERROR;
	for (size_t segments = 2; segments <= 3; segments++)
		run_means(y, n, segments, out);
	if (run_spread(y, n, workspace + 3 * n, room, out, err) != TR_OK)
		return TR_ERROR;
	stationarity_decide(out);
	return TR_OK;
}
