// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/chain_em.h"
#include "gen/arrivals/chain_start.h"
#include "gen/arrivals/mmpp.h"
#include "gen/arrivals/stretches.h"
#include "stat/normal.h"

#define PACKETS_LEAST 50u
#define PACKETS_SOUGHT ((size_t)1 << 13) // the number of states and the best start are sought with these
#define ROUNDS_TRIED 5u
#define ROUNDS_SOUGHT 40u
#define ROUNDS 60u
#define ENOUGH_SOUGHT 0.05
#define ENOUGH 5e-3
#define DIGITS 6

static const double windows[] = {4, 16, 64, 256, 1024, 4096}; // mean gaps

static double mean_gap_ticks(const struct arrival_sample *sample)
{
	double ticks = 0;

	for (size_t r = 0; r < sample->count; r++)
		ticks += (double)(sample->each[r].end_ticks - sample->each[r].begin_ticks);
	return ticks / (double)stretches_packets(sample);
}

// The best of few rounds from each start. TR_END: none could be made.
static enum tr_status try_starts(struct chain_pass *pass, struct chain *best, struct tr_error *err)
{
	const double gap_ticks = mean_gap_ticks(pass->sample);
	double reached = -INFINITY;
	struct chain chain;
	enum tr_status status = chain_new(&chain, best->states, err);

	for (size_t i = 0; i < sizeof windows / sizeof *windows && status != TR_ERROR; i++) {
		status = chain_start(&chain, pass->sample, windows[i] * gap_ticks, err);
		if (status != TR_OK || chain_em(pass, &chain, ROUNDS_TRIED, ENOUGH_SOUGHT, NULL) != TR_OK)
			continue;
		if (pass->log_likelihood > reached) {
			reached = pass->log_likelihood;
			chain_copy(best, &chain);
		}
	}
	chain_clear(&chain);
	if (status == TR_ERROR)
		return TR_ERROR;
	return isfinite(reached) ? TR_OK : TR_END;
}

// A chain of so many states, and its criterion.
static enum tr_status seek(const struct arrival_sample *sample, unsigned states, struct chain *out, double *criterion,
			   struct tr_error *err)
{
	struct chain_pass pass = {0};
	enum tr_status status = chain_new(out, states, err);

	if (status == TR_OK)
		status = chain_pass_new(&pass, states, sample, err);
	if (status == TR_OK && states == 1)
		out->d1[0] = sample->ticks_per_s / mean_gap_ticks(sample);
	if (status == TR_OK && states > 1)
		status = try_starts(&pass, out, err);
	chain_balance(out);
	if (status == TR_OK)
		status = chain_em(&pass, out, ROUNDS_SOUGHT, ENOUGH_SOUGHT, err);
	if (status == TR_OK)
		*criterion = states * states * log((double)stretches_packets(sample)) - 2 * pass.log_likelihood;
	chain_pass_clear(&pass);
	if (status != TR_OK)
		chain_clear(out);
	return status;
}

// More states as long as the criterion gains by them.
static enum tr_status seek_states(const struct arrival_sample *sample, struct chain *out, struct tr_error *err)
{
	double best, criterion;
	struct chain next;
	enum tr_status status = seek(sample, 1, out, &best, err);

	for (unsigned states = 2; states <= MMPP_FITTED_STATES && status == TR_OK; states++) {
		status = seek(sample, states, &next, &criterion, err);
		if (status == TR_OK && criterion < best) {
			chain_clear(out);
			*out = next;
			best = criterion;
		} else if (status == TR_OK) {
			chain_clear(&next);
			break;
		}
	}
	if (status == TR_ERROR)
		chain_clear(out);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

// Puts the states in falling order of rates.
static void sort_states(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i + 1 < n; i++) {
		unsigned most = i;

		for (unsigned j = i + 1; j < n; j++)
			if (chain->d1[j * n + j] > chain->d1[most * n + most])
				most = j;
		for (unsigned k = 0; k < 2 * n && most != i; k++) { // rows of d0 and d1
			double *row = chain->d0 + k * n, kept = row[i];

			row[i] = row[most];
			row[most] = kept;
		}
		for (unsigned k = 0; k < 2 * n && most != i; k++) {
			double *column = (k < n ? chain->d0 : chain->d1) + k % n, kept = column[i * n];

			column[i * n] = column[most * n];
			column[most * n] = kept;
		}
	}
}

// Rates, stays and shares to few digits, so that the text is what was fitted.
static void settle(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n; i++) {
		const double stay_s = n > 1 ? chain_stay(chain, i) : 0;

		chain->d1[i * n + i] = model_settle(MODEL_REAL, chain->d1[i * n + i], DIGITS);
		for (unsigned j = 0; j < n; j++)
			if (j != i && n > 1)
				chain->d0[i * n + j] *= stay_s / model_settle(MODEL_TIME, stay_s, DIGITS);
	}
	chain_balance(chain);
}

static void set_interval(double value, double variance, double z, double out[2])
{
	out[0] = value * exp(-z * sqrt(variance));
	out[1] = value * exp(z * sqrt(variance));
}

// From the covariance of logarithms; the stay is one over the sum of rates.
static void set_intervals(const struct chain *chain, const unsigned *cells, unsigned count, const double *covariance,
			  double z, struct mmpp_intervals *out)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n; i++) {
		double variance = 0;

		for (unsigned a = 0; a < count; a++) {
			if (cells[a] == n * n + i * n + i)
				set_interval(chain->d1[i * n + i], covariance[a * count + a], z, out[i].rate);
			for (unsigned b = 0; b < count; b++)
				if (cells[a] < n * n && cells[b] < n * n && cells[a] / n == i && cells[b] / n == i)
					variance += chain->d0[cells[a]] * chain->d0[cells[b]] * covariance[a * count + b];
		}
		if (n > 1)
			set_interval(chain_stay(chain, i), variance * pow(chain_stay(chain, i), 2), z, out[i].stay_s);
	}
}

// None is said where the information is not positive.
static enum tr_status find_intervals(struct chain_pass *pass, struct mmpp *mmpp, struct tr_error *err)
{
	const unsigned n = mmpp->chain.states;
	unsigned cells[2 * CHAIN_STATES_MAX * CHAIN_STATES_MAX];
	const unsigned count = chain_free_cells(&mmpp->chain, cells);
	double *covariance = calloc((size_t)count * count, sizeof *covariance);

	mmpp->intervals = calloc(n, sizeof *mmpp->intervals);
	if (!covariance || !mmpp->intervals) {
		free(covariance);
		return tr_fail(err, "no memory for the intervals of %u states", n);
	}
	if (chain_covariance(pass, &mmpp->chain, cells, count, covariance, NULL) == TR_OK)
		set_intervals(&mmpp->chain, cells, count, covariance, normal_quantile(0.5 + mmpp->level / 2),
			      mmpp->intervals);
	free(covariance);
	return TR_OK;
}

static enum tr_status refine(struct mmpp *mmpp, const struct arrival_sample *sample, struct tr_error *err)
{
	struct chain_pass pass = {0};
	enum tr_status status = chain_pass_new(&pass, mmpp->chain.states, sample, err);

	if (status == TR_OK)
		status = chain_em(&pass, &mmpp->chain, ROUNDS, ENOUGH, err);
	if (status == TR_OK) {
		chain_em_prune(&pass, &mmpp->chain);
		sort_states(&mmpp->chain);
		settle(&mmpp->chain);
		status = find_intervals(&pass, mmpp, err);
	}
	chain_pass_clear(&pass);
	return status;
}

enum tr_status mmpp_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			struct tr_error *err)
{
	const size_t packets = stretches_packets(sample);
	struct arrival_sample few = {0}, many = {0};
	struct mmpp *mmpp = parameters;
	enum tr_status status;

	*mmpp = (struct mmpp){.level = sample->level};
	if (packets < PACKETS_LEAST)
		return tr_fail(err, "%zu packets are too few for a Markov-modulated process: %u are needed", packets,
			       PACKETS_LEAST);
	status = stretches_take(&few, sample, PACKETS_SOUGHT, err);
	if (status == TR_OK)
		status = stretches_take(&many, sample, MMPP_FITTED_PACKETS, err);
	if (status == TR_OK)
		status = seek_states(&few, &mmpp->chain, err);
	if (status == TR_OK)
		status = refine(mmpp, &many, err);
	if (status == TR_OK)
		status = mmpp_ready(mmpp, err);
	free((void *)few.each);
	free((void *)many.each);
	if (status != TR_OK) {
		mmpp_clear(mmpp);
		return TR_ERROR;
	}
	(void)snprintf(notes->method, sizeof notes->method,
		       "by likelihood (EM) of %zu packets' times, %u states by the Bayesian information criterion",
		       packets < MMPP_FITTED_PACKETS ? packets : MMPP_FITTED_PACKETS, mmpp->chain.states);
	return TR_OK;
}
