// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_seek.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/chain_em.h"
#include "gen/arrivals/gaps.h"
#include "gen/arrivals/stretches.h"

#define PACKETS_LEAST 50u
#define PACKETS_TRIED ((size_t)1 << 13) // the number of states and the best start are sought with these
#define ROUNDS_TRIED 5u
#define ROUNDS_SOUGHT 40u
#define ROUNDS 60u
#define ENOUGH_SOUGHT 0.05 // of log likelihood in a round
#define ENOUGH 5e-3

// Mean time from packet to packet, over all realisations.
static double mean_gap_ticks(const struct arrival_sample *sample)
{
	const struct arrival_total total = arrival_total_of(sample);

	return total.ticks / total.packets;
}

// The best of few rounds from each start. TR_END: none could be made.
static enum tr_status try_starts(const struct chain_family *family, struct chain_pass *pass, struct chain *best,
				 struct tr_error *err)
{
	const double gap_ticks = mean_gap_ticks(pass->sample);
	double reached = -INFINITY;
	struct chain chain;
	struct tr_error why;
	enum tr_status status = chain_new(&chain, best->states, err);

	for (unsigned i = 0; i < family->starts && status != TR_ERROR; i++) {
		status = family->start(&chain, pass->sample, gap_ticks, i, err);
		if (status != TR_OK)
			continue;
		if (chain_em(pass, &chain, ROUNDS_TRIED, ENOUGH_SOUGHT, &why) != TR_OK) {
			if (why.breakdown)
				status = tr_fail_for(err, &why, "%s", why.text);
			continue;
		}
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
static enum tr_status seek(const struct chain_family *family, const struct arrival_sample *sample, unsigned states,
			   struct chain *out, double *criterion, struct tr_error *err)
{
	struct chain_pass pass = {0};
	enum tr_status status = chain_new(out, states, err);

	if (status == TR_OK)
		status = chain_pass_new(&pass, states, sample, err);
	if (status == TR_OK && states == 1)
		out->d1[0] = sample->ticks_per_s / mean_gap_ticks(sample);
	if (status == TR_OK && states > 1)
		status = try_starts(family, &pass, out, err);
	if (status == TR_OK) {
		chain_balance(out);
		status = chain_em(&pass, out, ROUNDS_SOUGHT, ENOUGH_SOUGHT, err);
	}
	if (status == TR_OK)
		*criterion = states * states * log((double)stretches_packets(sample)) - 2 * pass.log_likelihood;
	chain_pass_clear(&pass);
	if (status != TR_OK)
		chain_clear(out);
	return status;
}

// More states as long as the criterion gains by them.
static enum tr_status seek_states(const struct chain_family *family, const struct arrival_sample *sample, struct chain *out,
				  struct tr_error *err)
{
	double best, criterion;
	struct chain next;
	enum tr_status status = seek(family, sample, 1, out, &best, err);

	for (unsigned states = 2; states <= family->states_max && status == TR_OK; states++) {
		status = seek(family, sample, states, &next, &criterion, err);
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

static enum tr_status refine(struct chain *chain, const struct arrival_sample *sample, struct tr_error *err)
{
	struct chain_pass pass = {0};
	enum tr_status status = chain_pass_new(&pass, chain->states, sample, err);

	if (status == TR_OK)
		status = chain_em(&pass, chain, ROUNDS, ENOUGH, err);
	if (status == TR_OK)
		chain_em_prune(&pass, chain);
	chain_pass_clear(&pass);
	return status;
}

enum tr_status chain_seek(const struct chain_family *family, const struct arrival_sample *sample, struct chain *out,
			  struct tr_error *err)
{
	struct arrival_sample few = {0}, many = {0};
	enum tr_status status;

	*out = (struct chain){0};
	if (stretches_packets(sample) < PACKETS_LEAST)
		return tr_fail(err, "%zu packets are too few for a chain of states: %u are needed", stretches_packets(sample),
			       PACKETS_LEAST);
	status = stretches_take(&few, sample, PACKETS_TRIED, err);
	if (status == TR_OK)
		status = stretches_take(&many, sample, CHAIN_SOUGHT_PACKETS, err);
	if (status == TR_OK)
		status = seek_states(family, &few, out, err);
	if (status == TR_OK)
		status = refine(out, &many, err);
	free((void *)few.each);
	free((void *)many.each);
	if (status != TR_OK)
		chain_clear(out);
	return status;
}

static void set_interval(double value, double variance, double z, double out[2])
{
	out[0] = value * exp(-z * sqrt(variance));
	out[1] = value * exp(z * sqrt(variance));
}

// From the covariance of logarithms; a stay is one over the sum of silent rates.
static void set_intervals(const struct chain *chain, const unsigned *cells, unsigned count, const double *covariance, double z,
			  double (*rates)[2], double (*stays_s)[2])
{
	const unsigned n = chain->states;

	for (unsigned a = 0; a < count; a++)
		set_interval(chain->d0[cells[a]], covariance[a * count + a], z, rates[cells[a]]);
	for (unsigned i = 0; i < n && stays_s && n > 1; i++) {
		double variance = 0;

		for (unsigned a = 0; a < count; a++)
			for (unsigned b = 0; b < count; b++)
				if (cells[a] < n * n && cells[b] < n * n && cells[a] / n == i && cells[b] / n == i)
					variance += chain->d0[cells[a]] * chain->d0[cells[b]] * covariance[a * count + b];
		set_interval(chain_stay(chain, i), variance * pow(chain_stay(chain, i), 2), z, stays_s[i]);
	}
}

enum tr_status chain_intervals(const struct chain *chain, const struct arrival_sample *sample, double (*rates)[2],
			       double (*stays_s)[2], struct tr_error *err)
{
	const unsigned most = 2 * chain->states * chain->states;
	unsigned cells[2 * CHAIN_STATES_MAX * CHAIN_STATES_MAX];
	const unsigned count = chain_free_cells(chain, cells);
	double *covariance = calloc((size_t)count * count, sizeof(*covariance));
	struct arrival_sample many = {0};
	struct chain_pass pass = {0};
	struct tr_error why;
	enum tr_status status = covariance ? TR_OK : tr_no_memory(err, "%u parameters", count);

	memset(rates, 0, most * sizeof(*rates));
	if (stays_s)
		memset(stays_s, 0, chain->states * sizeof(*stays_s));
	if (status == TR_OK)
		status = stretches_take(&many, sample, CHAIN_SOUGHT_PACKETS, err);
	if (status == TR_OK)
		status = chain_pass_new(&pass, chain->states, &many, err);
	// Where the likelihood has no peak there are no intervals.
	if (status == TR_OK && chain_covariance(&pass, chain, cells, count, covariance, &why) == TR_OK)
		set_intervals(chain, cells, count, covariance, gsl_cdf_ugaussian_Pinv(0.5 + sample->level / 2), rates, stays_s);
	else if (status == TR_OK && why.breakdown)
		status = tr_fail_for(err, &why, "%s", why.text);
	chain_pass_clear(&pass);
	free((void *)many.each);
	free(covariance);
	return status;
}

void chain_seek_note(const struct chain *found, const struct arrival_sample *sample, char out[ARRIVAL_NOTE_BYTES])
{
	const size_t packets = stretches_packets(sample);

	(void)snprintf(out, ARRIVAL_NOTE_BYTES,
		       "by likelihood (EM) of the times of %zu packets; %u state%s by the Bayesian information criterion",
		       packets < CHAIN_SOUGHT_PACKETS ? packets : CHAIN_SOUGHT_PACKETS, found->states,
		       found->states == 1 ? "" : "s");
}
