// SPDX-License-Identifier: GPL-3.0-or-later
// Erramilli, Narayan and Willinger, IEEE/ACM Transactions on Networking 4 (1996) 209-223; tests by
// rank: Barnard's of Monte Carlo, Journal of the Royal Statistical Society B 25 (1963) 294. A block
// of prime length is not a multiple of a period, which shuffling blocks would keep.
#include "stat/tests/shuffled_control.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "stat/hurst/estimation.h"
#include "stat/hurst/estimators.h"
#include "stat/hurst/power_law.h"
#include "stat/spectra/spectrum.h"
#include "stat/spectra/surrogate_series.h"

#define POINTS_MIN 1024
#define BLOCKS_MIN 16
#define BLOCK_MIN 8

static const struct estimator *const estimators_used[SHUFFLED_METHODS] = {&logscale_haar,
									  &aggregated_variance};

const char *shuffled_kind_name(enum shuffled_kind kind)
{
	static const char *const names[] = {"full", "external", "internal", "phase"};

	return names[kind];
}

size_t shuffled_control_workspace(size_t n)
{
	const size_t surrogate = phase_surrogate_workspace(n), spectrum = spectrum_workspace(n);

	return 2 * n + 2 + (surrogate > spectrum ? surrogate : spectrum);
}

// Sum of the autocorrelations at lags first to last.
static double correlations(const double *x, size_t n, size_t first, size_t last)
{
	double mean = 0, squares = 0, products = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		for (size_t lag = first; lag <= last && lag <= i; lag++)
			products += (x[i] - mean) * (x[i - lag] - mean);
	}
	return products / squares;
}

// means is workspace for n / block values.
static double means_correlation(const double *x, size_t n, size_t block, double *means)
{
	for (size_t b = 0; b < n / block; b++) {
		means[b] = 0;
		for (size_t i = 0; i < block; i++)
			means[b] += x[b * block + i];
	}
	return correlations(means, n / block, 2, 5);
}

// The ranked statistics: correlations, and the highest power from a frequency on.
enum { CORRELATION, PEAK, STATISTICS };

// first: the lowest frequency of the peak. *at: where the peak is. workspace of
// spectrum_workspace(n) and n / 2 + 1 doubles.
static enum tr_status find_peak(const double *x, size_t n, size_t first, double *workspace,
				double *peak, size_t *at, struct tr_error *err)
{
	struct spectrum spectrum;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	*at = first;
	for (size_t j = first; j <= spectrum.count; j++)
		if (spectrum.power[j] > spectrum.power[*at])
			*at = j;
	*peak = spectrum.power[*at];
	return TR_OK;
}

static enum tr_status find_statistics(const double *x, size_t n, enum shuffled_kind kind,
				      const struct shuffled_control *control, double *workspace,
				      double statistics[STATISTICS], struct tr_error *err)
{
	const bool inside = kind == SHUFFLED_INTERNAL;
	size_t at;

	statistics[CORRELATION] = inside ? correlations(x, n, 1, 4)
					 : means_correlation(x, n, control->block, workspace);
	return find_peak(x, n, inside ? control->blocks : 1, workspace, &statistics[PEAK], &at,
			 err);
}

// ---- ranks

struct shuffled_control_rank {
	double statistic;
	size_t above; // controls not below it
	size_t count;
	double mean, squares; // of the controls, by Welford's recurrence
};

static void rank_add(struct shuffled_control_rank *rank, double control)
{
	const double off = control - rank->mean;

	rank->above += control >= rank->statistic;
	rank->mean += off / (double)++rank->count;
	rank->squares += off * (control - rank->mean);
}

// The probability by rank; if no control reaches the series, that of a law with the controls' mean
// and deviation.
static double rank_p(const struct shuffled_control_rank *rank, int statistic)
{
	const double p = (double)(rank->above + 1) / (double)(rank->count + 1);
	const double deviation = sqrt(rank->squares / (double)(rank->count - 1));
	const double z = (rank->statistic - rank->mean) / deviation;

	if (rank->above > 0 || !(deviation > 0))
		return p;
	// Gumbel's for the greatest of many.
	return fmin(p, statistic == CORRELATION
			       ? gsl_cdf_ugaussian_P(-z)
			       : -expm1(-exp(-(z * M_PI / sqrt(6) + 0.5772156649015329))));
}

// Shares of the level.
static const double shares[2][STATISTICS] = {{0.5, 0.5}, {0.8, 0.2}};

static double shuffled_control_joint_p(const struct shuffled_control_rank ranks[STATISTICS],
				       bool across)
{
	double p = 1;

	for (int s = 0; s < STATISTICS; s++)
		p = fmin(p, rank_p(&ranks[s], s) / shares[across][s]);
	return p;
}

// ---- H
// NaN where the series has none. TR_ERROR if out of memory.
static enum tr_status find_h(const double *x, size_t n, const struct shuffled_control *control,
			     size_t method, double *h, struct tr_error *err)
{
	const struct estimate_options options = {
		.scale_min = control->scale_min, .scale_max = control->scale_max, .level = 0.95};
	struct estimate estimate;
	struct tr_error why;

	*h = NAN;
	if (estimation_make(estimators_used[method], x, n, &options, &estimate, &why) == TR_OK)
		*h = estimate.h;
	else if (why.breakdown)
		return tr_fail_for(err, &why, "%s", why.text);
	return TR_OK;
}

// Adds an estimate by Welford's recurrence; sd holds the sum of squares until add_end.
static void shuffled_control_add(struct shuffled_h *to, double h)
{
	const double off = h - to->mean;

	if (isnan(h))
		return;
	if (to->count++ == 0) {
		*to = (struct shuffled_h){h, 0, h, h, 1};
		return;
	}
	to->mean += off / (double)to->count;
	to->sd += off * (h - to->mean);
	to->least = fmin(to->least, h);
	to->most = fmax(to->most, h);
}

static void add_end(struct shuffled_h *to)
{
	to->sd = to->count > 1 ? sqrt(to->sd / (double)(to->count - 1)) : NAN;
	if (to->count == 0)
		to->mean = to->least = to->most = NAN;
}

static enum tr_status shuffle(enum shuffled_kind kind, const double *x, size_t n, size_t block,
			      struct tr_random *random, double *workspace, double *y,
			      struct tr_error *err)
{
	switch (kind) {
	case SHUFFLED_EXTERNAL: shuffle_external(x, n, block, random, y); break;
	case SHUFFLED_INTERNAL: shuffle_internal(x, n, block, random, y); break;
	case SHUFFLED_PHASE: return phase_surrogate(x, n, random, workspace, y, err);
	default: shuffle_all(x, n, random, y);
	}
	return TR_OK;
}

// All controls of one kind: their H, and for ranked ones the rank of the series among them.
static enum tr_status run_kind(const double *x, size_t n, enum shuffled_kind kind, uint64_t seed,
			       double *workspace, struct shuffled_control *out,
			       struct tr_error *err)
{
	const bool ranked = kind == SHUFFLED_EXTERNAL || kind == SHUFFLED_INTERNAL;
	const size_t estimates = out->controls < SHUFFLED_ESTIMATES ? out->controls
								    : SHUFFLED_ESTIMATES;
	double *y = workspace, *room = workspace + n, statistics[STATISTICS];
	struct method_result *result = kind == SHUFFLED_INTERNAL ? &out->inside : &out->across;
	struct shuffled_control_rank ranks[STATISTICS] = {{.count = 0}};

	if (ranked && find_statistics(x, n, kind, out, room, statistics, err) != TR_OK)
		return TR_ERROR;
	for (int s = 0; ranked && s < STATISTICS; s++)
		ranks[s].statistic = statistics[s];
	for (size_t r = 0; r < (ranked ? out->controls : estimates); r++) {
		struct tr_random random;
		char name[64];
		double h;

		(void)snprintf(name, sizeof(name), "shuffle/%s/%zu", shuffled_kind_name(kind), r);
		tr_random_open(&random, seed, name);
		if (shuffle(kind, x, n, out->block, &random, room, y, err) != TR_OK)
			return TR_ERROR;
		for (size_t m = 0; r < estimates && m < SHUFFLED_METHODS; m++) {
			if (find_h(y, n, out, m, &h, err) != TR_OK)
				return TR_ERROR;
			shuffled_control_add(&out->by_kind[kind][m], h);
		}
		if (ranked && find_statistics(y, n, kind, out, room, statistics, err) != TR_OK)
			return TR_ERROR;
		for (int s = 0; ranked && s < STATISTICS; s++)
			rank_add(&ranks[s], statistics[s]);
	}
	for (size_t m = 0; m < SHUFFLED_METHODS; m++)
		add_end(&out->by_kind[kind][m]);
	if (ranked) {
		result->statistic = ranks[CORRELATION].statistic;
		result->p = shuffled_control_joint_p(ranks, kind == SHUFFLED_EXTERNAL);
	}
	return TR_OK;
}

// ---- the bound and the power if nothing is found
// A smooth spectrum has a peak this high above its surroundings in about 1 of 1000 series.
#define PEAK_CHANCE 1e-3
#define PEAK_MARGIN 1.5
#define AROUND 16
#define BESIDE 2

static bool stands_out(const struct spectrum *spectrum, size_t at)
{
	const double margin = PEAK_MARGIN * log((double)spectrum->count / PEAK_CHANCE);
	double around = 0, count = 0;

	if (spectrum->power[at] < spectrum->power[at - 1] ||
	    spectrum->power[at] < spectrum->power[at + 1])
		return false;
	for (size_t j = at - AROUND; j <= at + AROUND && j <= spectrum->count; j++)
		if (j + BESIDE < at || j > at + BESIDE) {
			around += spectrum->power[j];
			count++;
		}
	return spectrum->power[at] * count > margin * around;
}

// The lowest peak, as others may be its harmonics; not among the lowest frequencies, which are
// those of levels, trends and memory.
static void shuffled_control_find_period(const struct spectrum *spectrum,
					 struct shuffled_control *out)
{
	for (size_t j = AROUND + 1; j < spectrum->count; j++)
		if (stands_out(spectrum, j)) {
			out->period = (double)spectrum->n / (double)j;
			return;
		}
}

// The bound by local Whittle over the frequencies of a block and longer (Robinson 1995).
static enum tr_status bound_h(const double *x, size_t n, double *workspace,
			      struct shuffled_control *out, struct tr_error *err)
{
	double *log_frequency = workspace + spectrum_workspace(n),
	       *room = log_frequency + out->blocks;
	struct spectrum spectrum;
	struct power_law law;
	size_t count;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	shuffled_control_find_period(&spectrum, out);
	count = out->blocks < spectrum.count ? out->blocks : spectrum.count;
	law = power_law_fit_band(&spectrum, (struct band){1, count}, log_frequency, room);
	out->h_upper = law.d + 0.5 + VERDICT_ONE_SIDED / sqrt(law.information);
	return TR_OK;
}

// Measured by tests/property/stat_power_test.c: 4000 series of as many block means for each.
static double power_for(size_t blocks)
{
	static const double powers[] = {0.117, 0.285, 0.537, 0.806, 0.979, 1};
	const double at = log2((double)blocks) - 4;
	const size_t last = sizeof(powers) / sizeof(*powers) - 1;
	const size_t i = at < (double)last - 1 ? (size_t)at : last - 1;

	return at >= (double)last ? powers[last]
				  : powers[i] + (at - (double)i) * (powers[i + 1] - powers[i]);
}

// ---- words

static void shuffled_control_say(struct method_result *said, const struct shuffled_control *out)
{
	const bool inside = out->inside.verdict == VERDICT_YES,
		   across = out->across.verdict == VERDICT_YES;

	if (across && !isnan(out->period))
		method_result_say(said,
				  "dependence across blocks of %zu points: a period of %.4g points",
				  out->block, out->period);
	else if (across)
		method_result_say(said,
				  "dependence across blocks of %zu points: memory longer than a "
				  "block, a period, or a moving level",
				  out->block);
	else if (out->across.verdict == VERDICT_NO)
		method_result_say(
			said, "%s blocks of %zu points: across them H is below %.3f at 95 %%",
			inside ? "dependence only within" : "no dependence found within or across",
			out->block, out->h_upper);
	else
		method_result_say(
			said,
			"%s; none found across blocks of %zu points at 5 %%, power %.2f for H = .8",
			inside ? "dependence within blocks" : "no dependence found within blocks",
			out->block, out->power);
}

static void shuffled_control_decide(struct shuffled_control *out)
{
	struct method_result said = method_result_make("", 0);

	out->power = power_for(out->blocks);
	out->inside.verdict = out->inside.p <= VERDICT_LEVEL ? VERDICT_YES : VERDICT_UNKNOWN;
	out->across.verdict = out->across.p <= VERDICT_LEVEL	? VERDICT_YES
			      : out->h_upper < SHUFFLED_H_LEAST ? VERDICT_NO
								: VERDICT_UNKNOWN;
	method_result_say(&out->inside,
			  "H %.3f becomes %.3f after shuffling within blocks of %zu points",
			  out->h[0], out->by_kind[SHUFFLED_INTERNAL][0].mean, out->block);
	method_result_say(&out->across, "H %.3f becomes %.3f after shuffling blocks of %zu points",
			  out->h[0], out->by_kind[SHUFFLED_EXTERNAL][0].mean, out->block);
	out->answer = out->across.verdict;
	shuffled_control_say(&said, out);
	memcpy(out->sentence, said.sentence, sizeof(out->sentence));
}

static bool is_prime(size_t number)
{
	for (size_t i = 2; i * i <= number; i++)
		if (number % i == 0)
			return false;
	return number > 1;
}

static void shuffled_control_choose(struct shuffled_control *out, size_t n,
				    const struct shuffled_options *options)
{
	size_t power = 1, block;

	while (4 * power * power <= n)
		power *= 2;
	for (block = power; block > 2 && !is_prime(block); block--)
		;
	memset(out, 0, sizeof(*out));
	out->block = options->block > 0 ? options->block : block;
	out->controls = options->controls > 0 ? options->controls : SHUFFLED_CONTROLS;
	out->blocks = n / out->block;
	out->scale_min = fmax(2, (double)(options->block > 0 ? out->block : power) / 16);
	out->scale_max = fmin(16 * (double)(options->block > 0 ? out->block : power),
			      (double)n / 8);
	out->period = out->h_upper = out->power = NAN;
	out->inside = method_result_make("internal", n);
	out->across = method_result_make("external", out->blocks);
	for (size_t m = 0; m < SHUFFLED_METHODS; m++) {
		out->methods[m] = estimators_used[m]->name;
		out->h[m] = NAN;
	}
}

enum tr_status shuffled_control_test(const double *x, size_t n,
				     const struct shuffled_options *options, double *workspace,
				     struct shuffled_control *out, struct tr_error *err)
{
	struct method_result said = method_result_make("", 0);
	size_t i;

	shuffled_control_choose(out, n, options);
	if (n < POINTS_MIN || out->blocks < BLOCKS_MIN || out->block < BLOCK_MIN) {
		method_result_say(&said, "needs at least %d points and %d blocks of %d points",
				  POINTS_MIN, BLOCKS_MIN, BLOCK_MIN);
		memcpy(out->sentence, said.sentence, sizeof(out->sentence));
		return TR_OK;
	}
	for (i = 1; i < n && x[i] == x[0]; i++)
		;
	if (i == n)
		return tr_fail(err, "the series is constant");
	if (bound_h(x, n, workspace, out, err) != TR_OK)
		return TR_ERROR;
	for (size_t m = 0; m < SHUFFLED_METHODS; m++)
		if (find_h(x, n, out, m, &out->h[m], err) != TR_OK)
			return TR_ERROR;
	for (int kind = 0; kind < SHUFFLED_KINDS; kind++)
		if (run_kind(x, n, (enum shuffled_kind)kind, options->seed, workspace, out, err) !=
		    TR_OK)
			return TR_ERROR;
	shuffled_control_decide(out);
	return TR_OK;
}
