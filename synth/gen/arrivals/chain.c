// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/dense.h"

enum tr_status chain_new(struct chain *out, unsigned states, struct tr_error *err)
{
	const size_t cells = (size_t)states * states;

	*out = (struct chain){.states = states, .d0 = calloc(2 * cells, sizeof(*out->d0))};
	if (!out->d0) {
		out->states = 0;
		return tr_no_memory(err, "%u states", states);
	}
	out->d1 = out->d0 + cells;
	return TR_OK;
}

void chain_clear(struct chain *chain)
{
	free(chain->d0);
	*chain = (struct chain){0};
}

void chain_copy(struct chain *to, const struct chain *from)
{
	memcpy(to->d0, from->d0, sizeof(*to->d0) * 2 * from->states * from->states);
}

void chain_balance(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n; i++) {
		double leaves = 0;

		for (unsigned j = 0; j < n; j++)
			leaves += chain->d1[i * n + j] + (j != i ? chain->d0[i * n + j] : 0);
		chain->d0[i * n + i] = -leaves;
	}
}

// The states reachable from state 0, by transitions forward or backwards; a bit for each.
static uint64_t chain_reach(const struct chain *chain, bool backwards)
{
	const unsigned n = chain->states;
	uint64_t reached = 1, before = 0;

	while (reached != before) {
		before = reached;
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n; j++) {
				const unsigned cell = backwards ? j * n + i : i * n + j;

				if (i != j && reached >> i & 1 &&
				    chain->d0[cell] + chain->d1[cell] > 0)
					reached |= UINT64_C(1) << j;
			}
	}
	return reached;
}

enum tr_status chain_check(const struct chain *chain, struct tr_error *err)
{
	const unsigned n = chain->states;
	const uint64_t all = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
	const uint64_t missed = all & ~(chain_reach(chain, false) & chain_reach(chain, true));
	double sends = 0;

	for (unsigned i = 0; i < n; i++)
		if (missed >> i & 1)
			return tr_fail(err, "states 1 and %u do not reach each other", i + 1);
	for (unsigned i = 0; i < n * n; i++)
		sends += chain->d1[i];
	return sends > 0 ? TR_OK : tr_fail(err, "no state sends a packet");
}

void chain_stationary(const struct chain *chain, double *row)
{
	const unsigned n = chain->states;
	double q[CHAIN_STATES_MAX * CHAIN_STATES_MAX];

	for (unsigned i = 0; i < n * n; i++)
		q[i] = chain->d0[i] + chain->d1[i];
	dense_stationary(n, q, row);
}

void chain_after_packet(const struct chain *chain, double *row)
{
	double scratch[CHAIN_STATES_MAX], sum = 0;

	chain_stationary(chain, row);
	dense_row(chain->states, row, chain->d1, scratch);
	for (unsigned i = 0; i < chain->states; i++)
		sum += row[i];
	for (unsigned i = 0; i < chain->states; i++)
		row[i] /= sum;
}

double chain_stay(const struct chain *chain, unsigned state)
{
	const unsigned n = chain->states;
	double leaves = 0;

	for (unsigned j = 0; j < n; j++)
		leaves += j != state ? chain->d0[state * n + j] : 0;
	return 1 / leaves;
}

double chain_rate(const struct chain *chain)
{
	double row[CHAIN_STATES_MAX], rate = 0;

	chain_stationary(chain, row);
	for (unsigned i = 0; i < chain->states; i++)
		for (unsigned j = 0; j < chain->states; j++)
			rate += row[i] * chain->d1[i * chain->states + j];
	return rate;
}

// The variance of the counts is rate t + 2 t (first - rate^2) - 2 sends (I - exp(d t)) twice, where
// z is the inverse of (1 stationary - d), first is (stationary d1) z (d1 1) and twice is z z (d1
// 1).
struct count_parts {
	double rate, first;
	double sends[CHAIN_STATES_MAX]; // stationary d1
	double twice[CHAIN_STATES_MAX];
};

// d of n x n is overwritten, work of n x n.
static bool take_parts(const struct chain *chain, double *d, double *work, struct count_parts *out)
{
	const unsigned n = chain->states;
	double pi[CHAIN_STATES_MAX], scratch[CHAIN_STATES_MAX];

	chain_stationary(chain, pi);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			d[i * n + j] = pi[j] - chain->d0[i * n + j] - chain->d1[i * n + j];
	if (!dense_invert(n, d, work))
		return false;
	memcpy(out->sends, pi, sizeof(pi));
	dense_row(n, out->sends, chain->d1, scratch);
	out->rate = 0;
	for (unsigned i = 0; i < n; i++) {
		out->rate += out->sends[i];
		out->twice[i] = 0;
		for (unsigned j = 0; j < n; j++)
			out->twice[i] += chain->d1[i * n + j];
	}
	dense_column(n, d, out->twice, scratch);
	out->first = dense_dot(n, out->sends, out->twice);
	dense_column(n, d, out->twice, scratch);
	return true;
}

enum tr_status chain_dispersion(const struct chain *chain, const double *t_s, size_t count,
				double *out, struct tr_error *err)
{
	const unsigned n = chain->states;
	const size_t cells = (size_t)n * n;
	double *d = malloc(4 * cells * sizeof(*d));
	struct count_parts parts;

	if (!d || !take_parts(chain, d, d + cells, &parts)) {
		const bool memory = d;

		free(d);
		return memory ? tr_fail(err, "the rates of %u states have no inverse", n)
			      : tr_no_memory(err, "%u states", n);
	}
	for (size_t i = 0; i < cells; i++)
		d[i] = chain->d0[i] + chain->d1[i];
	for (size_t i = 0; i < count; i++) {
		double bounded = 0, column[CHAIN_STATES_MAX], scratch[CHAIN_STATES_MAX];

		memcpy(column, parts.twice, sizeof(column));
		if (isfinite(t_s[i])) {
			dense_exponential(n, d, t_s[i], d + cells, d + 2 * cells);
			dense_column(n, d + cells, column, scratch);
			for (unsigned k = 0; k < n; k++)
				bounded += parts.sends[k] * (parts.twice[k] - column[k]);
			bounded /= t_s[i];
		}
		out[i] = 1 + 2 * (parts.first - parts.rate * parts.rate - bounded) / parts.rate;
	}
	free(d);
	return TR_OK;
}

// mean: of the time spent in each state until the next packet.
DENSE_FEW void gaps_of(unsigned n, const struct chain *chain, const double *mean,
		       double moments[CHAIN_MOMENTS], unsigned lags, double *correlation)
{
	double phase[CHAIN_STATES_MAX], ones[CHAIN_STATES_MAX], left[CHAIN_STATES_MAX],
		scratch[CHAIN_STATES_MAX];

	chain_after_packet(chain, phase);
	memcpy(left, phase, n * sizeof(*left));
	for (unsigned k = 0, factorial = 1; k < CHAIN_MOMENTS; k++) {
		factorial *= k + 1;
		dense_row(n, left, mean, scratch);
		moments[k] = 0;
		for (unsigned i = 0; i < n; i++)
			moments[k] += factorial * left[i];
	}
	for (unsigned i = 0; i < n; i++)
		ones[i] = 1;
	dense_column(n, mean, ones, scratch);
	dense_row(n, phase, mean, scratch);
	for (unsigned k = 0; k < lags; k++) {
		dense_row(n, phase, mean, scratch);
		dense_row(n, phase, chain->d1, scratch);
		correlation[k] = (dense_dot(n, phase, ones) - moments[0] * moments[0]) /
				 (moments[1] - moments[0] * moments[0]);
	}
}

enum tr_status chain_gaps(const struct chain *chain, double moments[CHAIN_MOMENTS], unsigned lags,
			  double *correlation, struct tr_error *err)
{
	const unsigned n = chain->states;
	const size_t cells = (size_t)n * n;
	double *mean = malloc(2 * cells * sizeof(*mean));

	for (size_t i = 0; mean && i < cells; i++)
		mean[i] = -chain->d0[i];
	if (!mean || !dense_invert(n, mean, mean + cells)) {
		const bool memory = mean;

		free(mean);
		return memory ? tr_fail(err, "the rates of %u states have no inverse", n)
			      : tr_no_memory(err, "%u states", n);
	}
	switch (n) {
	case 2: gaps_of(2, chain, mean, moments, lags, correlation); break;
	case 4: gaps_of(4, chain, mean, moments, lags, correlation); break;
	default: gaps_of(n, chain, mean, moments, lags, correlation);
	}
	free(mean);
	return TR_OK;
}

void chain_explain(const struct chain *chain, FILE *out)
{
	double moments[CHAIN_MOMENTS], correlation = 0, times_s[3] = {0, 0, INFINITY},
				       dispersion[3];
	const double rate = chain_rate(chain);

	times_s[0] = 10 / rate;
	times_s[1] = 1000 / rate;
	fprintf(out, "    %.6g packets/s in total", rate);
	if (chain_gaps(chain, moments, 1, &correlation, NULL) == TR_OK)
		fprintf(out,
			"; the variance of gaps is %.4g times that of a Poisson process, their "
			"lag-1 correlation %.3g",
			moments[1] / (moments[0] * moments[0]) - 1, correlation);
	if (chain_dispersion(chain, times_s, 3, dispersion, NULL) == TR_OK)
		fprintf(out,
			";\n    the variance of counts is %.4g times that of a Poisson process "
			"over the time of 10 packets, %.4g over 1000, %.4g in the limit",
			dispersion[0], dispersion[1], dispersion[2]);
	fprintf(out, ".\n");
}

static void cumulate(double *row, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		row[i] += row[i - 1];
	for (unsigned i = 0; i < count; i++)
		row[i] /= row[count - 1];
}

enum tr_status chain_moves_make(struct chain_moves *out, const struct chain *chain,
				struct tr_error *err)
{
	const unsigned n = chain->states;
	double *all = calloc(2 * (size_t)n * n + 2 * n, sizeof(*all));

	*out = (struct chain_moves){0};
	if (!all)
		return tr_no_memory(err, "%u states", n);
	*out = (struct chain_moves){
		.states = n, .stay_s = all, .stationary = all + n, .cumulated = all + 2 * n};
	for (unsigned i = 0; i < n; i++) {
		double *row = out->cumulated + 2 * i * n;

		for (unsigned j = 0; j < n; j++) {
			row[j] = j != i ? chain->d0[i * n + j] : 0;
			row[n + j] = chain->d1[i * n + j];
		}
		cumulate(row, 2 * n);
		out->stay_s[i] = -1 / chain->d0[i * n + i];
	}
	chain_stationary(chain, out->stationary);
	cumulate(out->stationary, n);
	return TR_OK;
}

void chain_moves_clear(struct chain_moves *moves)
{
	free(moves->stay_s);
	*moves = (struct chain_moves){0};
}

// The first of count cumulative shares above u in (0, 1).
static unsigned pick(const double *cumulated, unsigned count, double u)
{
	unsigned low = 0;

	while (count > 0) {
		const unsigned half = count / 2;

		if (cumulated[low + half] <= u) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

void chain_walk_start(struct chain_walk *walk, const struct chain_moves *moves,
		      const struct arrival_settings *settings, struct tr_random *random)
{
	*walk = (struct chain_walk){.moves = moves,
				    .tables = settings->tables,
				    .ticks_per_s = settings->ticks_per_s,
				    .left_ticks = (double)settings->end_ticks};
	walk->state = pick(moves->stationary, moves->states, tr_random_unit(random));
}

double chain_walk_next(struct chain_walk *walk, struct tr_random *random)
{
	const struct chain_moves *moves = walk->moves;
	const unsigned n = moves->states;
	double gap_ticks = 0;

	while (gap_ticks < walk->left_ticks) {
		gap_ticks += moves->stay_s[walk->state] * walk->ticks_per_s *
			     draw_exponential(walk->tables, random);
		const unsigned move = pick(moves->cumulated + 2 * (size_t)walk->state * n, 2 * n,
					   tr_random_unit(random));

		walk->state = move < n ? move : move - n;
		if (move >= n) {
			walk->left_ticks -= gap_ticks;
			return gap_ticks;
		}
	}
	return INFINITY;
}
