// SPDX-License-Identifier: GPL-3.0-or-later
// Erramilli, Narayan and Willinger, IEEE/ACM Transactions on Networking 4 (1996) 209-223, section III; tests by rank:
// Barnard's of Monte Carlo, Journal of the Royal Statistical Society B 25 (1963) 294.
#include "stat/shuffled_control.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "stat/aggregated_variance.h"
#include "stat/estimation.h"
#include "stat/logscale.h"
#include "stat/phase_surrogate.h"
#include "stat/shuffle.h"

#define POINTS_MIN 1024
#define BLOCKS_MIN 16
#define BLOCK_MIN 8

static const struct estimator *const estimators_used[SHUFFLED_METHODS] = {&logscale_haar, &aggregated_variance};

const char *shuffled_kind_name(enum shuffled_kind kind)
{
	static const char *const names[] = {"full", "external", "internal", "phase"};

	return names[kind];
}

size_t shuffled_control_workspace(size_t n)
{
	return n + phase_surrogate_workspace(n);
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

static double inside_statistic(const double *x, size_t n)
{
	return correlations(x, n, 1, 4);
}

// means is room for n / block.
static double across_statistic(const double *x, size_t n, size_t block, double *means)
{
	for (size_t b = 0; b < n / block; b++) {
		means[b] = 0;
		for (size_t i = 0; i < block; i++)
			means[b] += x[b * block + i];
	}
	return correlations(means, n / block, 2, 5);
}

// NaN where the series has none. TR_ERROR without memory.
static enum tr_status find_h(const double *x, size_t n, const struct shuffled_control *control, size_t method, double *h,
			     struct tr_error *err)
{
	const struct estimate_options options = {.scale_min = control->scale_min, .scale_max = control->scale_max,
						 .level = 0.95};
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
static void add(struct shuffled_h *to, double h)
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
			      struct tr_random *random, double *workspace, double *y, struct tr_error *err)
{
	switch (kind) {
	case SHUFFLED_EXTERNAL:
		shuffle_external(x, n, block, random, y);
		break;
	case SHUFFLED_INTERNAL:
		shuffle_internal(x, n, block, random, y);
		break;
	case SHUFFLED_PHASE:
		return phase_surrogate(x, n, random, workspace, y, err);
	default:
		shuffle_all(x, n, random, y);
	}
	return TR_OK;
}

// All controls of one kind. *above_inside, *above_across: how many have statistics not below those of the series.
static enum tr_status run_kind(const double *x, size_t n, enum shuffled_kind kind, uint64_t seed, double *workspace,
			       struct shuffled_control *out, struct tr_error *err)
{
	double *y = workspace, *room = workspace + n;
	size_t above = 0;

	for (size_t r = 0; r < out->controls; r++) {
		struct tr_random random;
		char name[64];
		double h;

		(void)snprintf(name, sizeof name, "shuffle/%s/%zu", shuffled_kind_name(kind), r);
		tr_random_open(&random, seed, name);
		if (shuffle(kind, x, n, out->block, &random, room, y, err) != TR_OK)
			return TR_ERROR;
		for (size_t m = 0; m < SHUFFLED_METHODS; m++) {
			if (find_h(y, n, out, m, &h, err) != TR_OK)
				return TR_ERROR;
			add(&out->by_kind[kind][m], h);
		}
		if (kind == SHUFFLED_INTERNAL)
			above += inside_statistic(y, n) >= out->inside.statistic;
		if (kind == SHUFFLED_EXTERNAL)
			above += across_statistic(y, n, out->block, room) >= out->across.statistic;
	}
	for (size_t m = 0; m < SHUFFLED_METHODS; m++)
		add_end(&out->by_kind[kind][m]);
	if (kind == SHUFFLED_INTERNAL)
		out->inside.p = (double)(above + 1) / (double)(out->controls + 1);
	if (kind == SHUFFLED_EXTERNAL)
		out->across.p = (double)(above + 1) / (double)(out->controls + 1);
	return TR_OK;
}

// The controls either lack what is tested, which is then there where they rarely reach it.
static enum verdict found_by(double p)
{
	return p <= VERDICT_LEVEL ? VERDICT_YES : VERDICT_NO;
}

static const char *words(const struct shuffled_control *out)
{
	const bool inside = out->inside.verdict == VERDICT_YES, across = out->across.verdict == VERDICT_YES;

	if (inside && across)
		return "dependence inside blocks and across them: it is long-range, or the level moves";
	if (inside)
		return "dependence inside blocks only: it ends within them";
	return across ? "dependence across blocks, and none inside" : "no dependence, neither inside blocks nor across";
}

static void judge(struct shuffled_control *out)
{
	struct method_result said = method_result_make("", 0);

	out->inside.verdict = found_by(out->inside.p);
	out->across.verdict = found_by(out->across.p);
	method_result_say(&out->inside, "H %.3f is %.3f after shuffling inside blocks of %zu points", out->h[0],
			  out->by_kind[SHUFFLED_INTERNAL][0].mean, out->block);
	method_result_say(&out->across, "H %.3f is %.3f after shuffling blocks of %zu points", out->h[0],
			  out->by_kind[SHUFFLED_EXTERNAL][0].mean, out->block);
	out->answer = out->across.verdict;
	method_result_say(&said, "%s (%zu points)", words(out), out->block);
	memcpy(out->sentence, said.sentence, sizeof out->sentence);
}

static void choose(struct shuffled_control *out, size_t n, const struct shuffled_options *options)
{
	size_t block = 1;

	while (4 * block * block <= n)
		block *= 2;
	memset(out, 0, sizeof *out);
	out->block = options->block > 0 ? options->block : block;
	out->controls = options->controls > 0 ? options->controls : SHUFFLED_CONTROLS;
	out->blocks = n / out->block;
	out->scale_min = fmax(2, (double)out->block / 16);
	out->scale_max = fmin(16 * (double)out->block, (double)n / 8);
	out->inside = method_result_make("internal", n);
	out->across = method_result_make("external", out->blocks);
	for (size_t m = 0; m < SHUFFLED_METHODS; m++) {
		out->methods[m] = estimators_used[m]->name;
		out->h[m] = NAN;
	}
}

enum tr_status shuffled_control_test(const double *x, size_t n, const struct shuffled_options *options,
				     double *workspace, struct shuffled_control *out, struct tr_error *err)
{
	struct method_result said = method_result_make("", 0);
	size_t i;

	choose(out, n, options);
	if (n < POINTS_MIN || out->blocks < BLOCKS_MIN || out->block < BLOCK_MIN) {
		method_result_say(&said, "needs %d points and %d blocks of %d points and more", POINTS_MIN, BLOCKS_MIN,
				  BLOCK_MIN);
		memcpy(out->sentence, said.sentence, sizeof out->sentence);
		return TR_OK;
	}
	for (i = 1; i < n && x[i] == x[0]; i++)
		;
	if (i == n)
		return tr_fail(err, "the series is constant");
	out->inside.statistic = inside_statistic(x, n);
	out->across.statistic = across_statistic(x, n, out->block, workspace);
	for (size_t m = 0; m < SHUFFLED_METHODS; m++)
		if (find_h(x, n, out, m, &out->h[m], err) != TR_OK)
			return TR_ERROR;
	for (int kind = 0; kind < SHUFFLED_KINDS; kind++)
		if (run_kind(x, n, (enum shuffled_kind)kind, options->seed, workspace, out, err) != TR_OK)
			return TR_ERROR;
	judge(out);
	return TR_OK;
}
