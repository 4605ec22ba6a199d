// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "gen/arrivals/chain_seek.h"
#include "gen/arrivals/chain_start.h"
#include "gen/arrivals/mmpp.h"

#define DIGITS 6

static const double windows[] = {4, 16, 64, 256, 1024, 4096}; // mean gaps

static enum tr_status start(struct chain *out, const struct arrival_sample *sample, double gap_ticks, unsigned which,
			    struct tr_error *err)
{
	return chain_start(out, sample, windows[which] * gap_ticks, err);
}

static const struct chain_family family = {MMPP_FITTED_STATES, sizeof(windows) / sizeof(*windows), start};

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

static enum tr_status find_intervals(struct mmpp *mmpp, const struct arrival_sample *sample, struct tr_error *err)
{
	const unsigned n = mmpp->chain.states;
	double(*rates)[2] = calloc(2 * (size_t)n * n, sizeof(*rates)), (*stays_s)[2] = calloc(n, sizeof(*stays_s));
	enum tr_status status;

	mmpp->intervals = calloc(n, sizeof(*mmpp->intervals));
	if (rates && stays_s && mmpp->intervals)
		status = chain_intervals(&mmpp->chain, sample, rates, stays_s, err);
	else
		status = tr_no_memory(err, "the intervals of %u states", n);
	for (unsigned i = 0; i < n && status == TR_OK; i++)
		for (int end = 0; end < 2; end++) {
			mmpp->intervals[i].rate[end] = rates[n * n + i * n + i][end];
			mmpp->intervals[i].stay_s[end] = stays_s[i][end];
		}
	free(rates);
	free(stays_s);
	return status;
}

enum tr_status mmpp_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			struct tr_error *err)
{
	struct mmpp *mmpp = parameters;

	*mmpp = (struct mmpp){.level = sample->level};
	if (chain_seek(&family, sample, &mmpp->chain, err) != TR_OK)
		return TR_ERROR;
	sort_states(&mmpp->chain);
	settle(&mmpp->chain);
	if (find_intervals(mmpp, sample, err) != TR_OK || mmpp_ready(mmpp, err) != TR_OK) {
		mmpp_clear(mmpp);
		return TR_ERROR;
	}
	chain_seek_note(&mmpp->chain, sample, notes->method);
	return TR_OK;
}
