// SPDX-License-Identifier: GPL-3.0-or-later
// A Markovian arrival process by moments: three moments of the gaps and their autocorrelations at
// lags up to 64, by least squares over processes of two states in canonical form (map.c) and over
// Kronecker compositions of one with another of two states whose d0 is diagonal (Casale, Zhang and
// Smirni, KPC-Toolbox: best recipes for automatic trace fitting using Markovian arrival processes,
// Performance Evaluation 67 (2010) 873-896). The moments of a composition are the products of the
// parts' over k!, which allows slowly decaying correlations; those of two states decay
// geometrically.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/chain.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"

#define GAPS_LEAST 200u
#define LAGS 64u
#define SEEN (sizeof(seen_lags) / sizeof(*seen_lags))
#define SOUGHT 6 // of the first process: ratio of rates, a, b; of the second: ratio of rates, p, q
#define OF_FIRST 3
#define WEIGHT_LAGS \
	20.0	   // of squared differences of correlations; those of log moments have weight 1
#define BETTER 0.5 // fraction of the two-state squares that four states must get below
#define STEP_LEAST 1e-3
#define BOUND 12.0 // of logits and of logarithms of ratios
#define DIGITS 6

static const unsigned seen_lags[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

struct map_moments_target {
	double mean, second,
		third; // of the gaps; second and third as logarithms over powers of the mean
	double lags[LAGS];
};

static double map_moments_share(double logit)
{
	return 1 / (1 + exp(-logit));
}

// Two states in one of the canonical forms; the mean is set later.
static void set_first(int form, const double at[], double d0[4], double d1[4])
{
	const double l1 = 1, l2 = exp(at[0]), a = map_moments_share(at[1]),
		     b = map_moments_share(at[2]);

	memset(d0, 0, 4 * sizeof(*d0));
	memset(d1, 0, 4 * sizeof(*d1));
	d0[0] = -l1;
	d0[1] = (1 - a) * l1;
	d0[3] = -l2;
	d1[form == 1 ? 0 : 1] = a * l1;
	d1[form == 1 ? 2 : 3] = (1 - b) * l2;
	d1[form == 1 ? 3 : 2] = b * l2;
}

// Two states with exponential gaps; each packet chooses the next state.
static void set_second(const double at[], double d0[4], double d1[4])
{
	const double l2 = exp(at[0]), p = map_moments_share(at[1]), q = map_moments_share(at[2]);

	memcpy(d0, (double[]){-1, 0, 0, -l2}, 4 * sizeof(*d0));
	memcpy(d1, (double[]){p, 1 - p, l2 * (1 - q), l2 * q}, 4 * sizeof(*d1));
}

// The chain at a point of the search, with the target's mean gap. False if invalid.
static bool map_moments_set_chain(struct chain *chain, int form, const double at[SOUGHT],
				  const struct map_moments_target *target)
{
	double d0[2][4], d1[2][4], lag, moments[CHAIN_MOMENTS];
	const unsigned n = chain->states;

	set_first(form, at, d0[0], d1[0]);
	set_second(at + OF_FIRST, d0[1], d1[1]);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const unsigned outer = n == 2 ? 2 * i + j : 2 * (i / 2) + j / 2,
				       inner = 2 * (i % 2) + j % 2;

			chain->d0[i * n + j] = n == 2 ? d0[0][outer] : -d0[0][outer] * d0[1][inner];
			chain->d1[i * n + j] = n == 2 ? d1[0][outer] : d1[0][outer] * d1[1][inner];
		}
	chain_balance(chain);
	if (chain_check(chain, NULL) != TR_OK ||
	    chain_gaps(chain, moments, 1, &lag, NULL) != TR_OK || !(moments[0] > 0))
		return false;
	for (unsigned cell = 0; cell < 2 * n * n; cell++)
		chain->d0[cell] *= moments[0] / target->mean;
	return true;
}

static double map_moments_squares(struct chain *chain, int form, const double at[SOUGHT],
				  const struct map_moments_target *target)
{
	double moments[CHAIN_MOMENTS], lags[LAGS], sum;

	if (!map_moments_set_chain(chain, form, at, target) ||
	    chain_gaps(chain, moments, LAGS, lags, NULL) != TR_OK)
		return INFINITY;
	sum = pow(log(moments[1] / pow(moments[0], 2)) - target->second, 2) +
	      pow(log(moments[2] / pow(moments[0], 3)) - target->third, 2) / 4;
	for (size_t i = 0; i < SEEN; i++)
		sum += WEIGHT_LAGS *
		       pow(lags[seen_lags[i] - 1] - target->lags[seen_lags[i] - 1], 2);
	return isnan(sum) ? INFINITY : sum;
}

// Pattern search: steps along each axis, halved when none is better (Hooke and Jeeves).
static double map_moments_descend(struct chain *chain, int form, double at[SOUGHT],
				  const struct map_moments_target *target)
{
	const int sought = chain->states == 2 ? OF_FIRST : SOUGHT;
	double step = 1, best = map_moments_squares(chain, form, at, target);

	for (int round = 0; round < 400 && step > STEP_LEAST; round++) {
		bool better = false;

		for (int k = 0; k < 2 * sought; k++) {
			const double before = at[k / 2];

			at[k / 2] = fmin(fmax(before + (k % 2 ? -step : step), -BOUND), BOUND);
			const double here = map_moments_squares(chain, form, at, target);

			if (here < best) {
				best = here;
				better = true;
			} else
				at[k / 2] = before;
		}
		if (!better)
			step /= 2;
	}
	return best;
}

// Starts of the search: two kinds of gaps that last for few or many packets, for the first and the
// second part.
static const double starts[][SOUGHT] = {
	{3, 2, 2, 2, 2, 2},  {1, 0, 0, 4, 4, 4},     {4, 4, 4, 1, 1, 1},
	{-2, 1, 1, 3, 3, 3}, {0.5, -1, -1, 2, 4, 4}, {2, -1, 3, 3, -2, -2},
};

// The best of all starts and forms; its squares.
static double map_moments_seek(struct chain *chain, const struct map_moments_target *target,
			       int *form, double at[SOUGHT])
{
	double best = INFINITY;

	for (int which = 1; which <= 2; which++)
		for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
			double here[SOUGHT];

			memcpy(here, starts[i], sizeof(here));
			const double reached = map_moments_descend(chain, which, here, target);

			if (reached >= best)
				continue;
			best = reached;
			*form = which;
			memcpy(at, here, sizeof(here));
		}
	return best;
}

static enum tr_status take_target(const struct arrival_sample *sample,
				  struct map_moments_target *out, struct tr_error *err)
{
	size_t count;
	double *gaps = arrival_gaps_of(sample, &count), sums[3] = {0}, variance;

	if (!gaps)
		return tr_no_memory(err, "the gaps");
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			sums[k] += pow(gaps[i] / sample->ticks_per_s, k + 1) / (double)count;
	variance = sums[1] - sums[0] * sums[0];
	if (count < GAPS_LEAST || !(variance > 1e-9 * sums[1])) {
		free(gaps);
		return tr_fail(err,
			       count < GAPS_LEAST
				       ? "%zu gaps are too few for their autocorrelations"
				       : "all %zu gaps are equal",
			       count);
	}
	*out = (struct map_moments_target){.mean = sums[0],
					   .second = log(sums[1] / pow(sums[0], 2)),
					   .third = log(sums[2] / pow(sums[0], 3))};
	// Adjacent gaps of two realisations count as consecutive: one in very many.
	for (unsigned lag = 1; lag <= LAGS; lag++) {
		for (size_t i = lag; i < count; i++)
			out->lags[lag - 1] += (gaps[i] / sample->ticks_per_s - sums[0]) *
					      (gaps[i - lag] / sample->ticks_per_s - sums[0]);
		out->lags[lag - 1] /= variance * (double)count;
	}
	free(gaps);
	return TR_OK;
}

// Two states, or four if they fit much better.
static enum tr_status map_moments_choose(const struct map_moments_target *target, struct chain *out,
					 double *off, struct tr_error *err)
{
	double at[2][SOUGHT], reached[2];
	struct chain chains[2] = {{0}, {0}};
	int form[2] = {0};
	enum tr_status status = TR_OK;

	for (unsigned i = 0; i < 2 && status == TR_OK; i++) {
		status = chain_new(&chains[i], 2 << i, err);
		if (status == TR_OK)
			reached[i] = map_moments_seek(&chains[i], target, &form[i], at[i]);
	}
	if (status == TR_OK && isinf(fmin(reached[0], reached[1])))
		status = tr_fail(err, "no process of two or four states has these moments");
	if (status == TR_OK) {
		const int best = reached[1] < BETTER * reached[0];

		(void)map_moments_set_chain(&chains[best], form[best], at[best], target);
		*out = chains[best];
		chains[best] = (struct chain){0};
		*off = reached[best];
	}
	chain_clear(&chains[0]);
	chain_clear(&chains[1]);
	return status;
}

// Fits by three moments of the gaps and their autocorrelations: two states, or four.
static enum tr_status moments_fit(void *parameters, const struct arrival_sample *sample,
				  struct arrival_notes *notes, struct tr_error *err)
{
	struct map *map = parameters;
	struct map_moments_target target;
	double off = 0;
	enum tr_status status = take_target(sample, &target, err);

	*map = (struct map){.level = sample->level};
	if (status == TR_OK)
		status = map_moments_choose(&target, &map->chain, &off, err);
	for (unsigned cell = 0; status == TR_OK && cell < 2 * map->chain.states * map->chain.states;
	     cell++)
		map->chain.d0[cell] = model_settle(MODEL_REAL, map->chain.d0[cell], DIGITS);
	if (status == TR_OK) {
		chain_balance(&map->chain);
		status = map_ready(map, err);
	}
	if (status != TR_OK) {
		map_clear(map);
		return TR_ERROR;
	}
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by three moments of the gaps and their autocorrelations at lags 1 to %u, "
		       "to a sum of squares of %.2g; %s",
		       LAGS, off,
		       map->chain.states == 2 ? "two states"
					      : "a composition of two times two states");
	return TR_OK;
}

static const struct arrival_fit fitting = {moments_fit, map_log_likelihood, map_freedom};

const struct family map_moments_family = {
	.name = "map-moments",
	.text = "map",
	.summary = "Markovian arrival process by moments and autocorrelations",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &map_process,
	.arrival_fit = &fitting,
};
