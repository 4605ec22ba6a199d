// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_measures.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/dense.h"

// Variance of the counts is rate t + 2 t (first - rate^2) - 2 sends (I - exp(d t)) twice, where z is the inverse of
// (1 stationary - d), first is (stationary d1) z (d1 1) and twice z z (d1 1).
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

enum tr_status chain_dispersion(const struct chain *chain, const double *t_s, size_t count, double *out, struct tr_error *err)
{
	const unsigned n = chain->states;
	const size_t cells = (size_t)n * n;
	double *d = malloc(4 * cells * sizeof(*d));
	struct count_parts parts;

	if (!d || !take_parts(chain, d, d + cells, &parts)) {
		const bool memory = d;

		free(d);
		return memory ? tr_fail(err, "the rates of %u states have no inverse", n) : tr_no_memory(err, "%u states", n);
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

enum tr_status chain_gaps(const struct chain *chain, double moments[CHAIN_MOMENTS], unsigned lags, double *correlation,
			  struct tr_error *err)
{
	const unsigned n = chain->states;
	const size_t cells = (size_t)n * n;
	double *mean = malloc(2 * cells * sizeof(*mean)); // time spent in each state until the next packet
	double phase[CHAIN_STATES_MAX], ones[CHAIN_STATES_MAX], left[CHAIN_STATES_MAX], scratch[CHAIN_STATES_MAX];

	for (size_t i = 0; mean && i < cells; i++)
		mean[i] = -chain->d0[i];
	if (!mean || !dense_invert(n, mean, mean + cells)) {
		const bool memory = mean;

		free(mean);
		return memory ? tr_fail(err, "the rates of %u states have no inverse", n) : tr_no_memory(err, "%u states", n);
	}
	chain_after_packet(chain, phase);
	memcpy(left, phase, sizeof(left));
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
		correlation[k] = (dense_dot(n, phase, ones) - moments[0] * moments[0]) / (moments[1] - moments[0] * moments[0]);
	}
	free(mean);
	return TR_OK;
}

void chain_explain(const struct chain *chain, FILE *out)
{
	double moments[CHAIN_MOMENTS], correlation = 0, times_s[3] = {0, 0, INFINITY}, dispersion[3];
	const double rate = chain_rate(chain);

	times_s[0] = 10 / rate;
	times_s[1] = 1000 / rate;
	fprintf(out, "    %.6g packets/s in all", rate);
	if (chain_gaps(chain, moments, 1, &correlation, NULL) == TR_OK)
		fprintf(out,
			"; gaps with %.4g times the variance of a Poisson process and a correlation of %.3g from one "
			"to the next",
			moments[1] / (moments[0] * moments[0]) - 1, correlation);
	if (chain_dispersion(chain, times_s, 3, dispersion, NULL) == TR_OK)
		fprintf(out,
			";\n    counts with %.4g times its variance over 10 packets' time, %.4g over 1000, %.4g over the "
			"longest",
			dispersion[0], dispersion[1], dispersion[2]);
	fprintf(out, ".\n");
}
