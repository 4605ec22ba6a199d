// SPDX-License-Identifier: GPL-3.0-or-later
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/chain_fit.h"
#include "gen/arrivals/dense.h"

#define STEP 1e-3 // of a logarithm, for differences: the third derivative adds a millionth
// Range of rates (1/s) in model texts: of a silent transition, whose state lasts 1 ns to 1e9 s, and
// of a packet.
#define LEAST_RATE 1.1e-9
#define MOST_MOVES 0.9e9
#define MOST_PACKETS 5e11
#define PACKETS_A_TICK \
	20 // higher rates are indistinguishable, and the likelihood of packets in one tick would be
	   // unbounded

// The allowed rate of a cell nearest to the given one.
static double allowed(const struct chain_pass *pass, const struct chain *chain, unsigned cell,
		      double rate)
{
	const bool sends = cell >= chain->states * chain->states;
	const double most = sends ? fmin(MOST_PACKETS, PACKETS_A_TICK * pass->sample->ticks_per_s)
				  : MOST_MOVES / chain->states;

	return fmin(fmax(rate, LEAST_RATE), most);
}

// M step: the rates of the free cells; d1 follows d0.
static void maximise(const struct chain_pass *pass, struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const unsigned cell = i * n + j;

			if (i != j && chain->d0[cell] > 0)
				chain->d0[cell] = allowed(pass, chain, cell,
							  pass->silent[cell] / pass->time_s[i]);
			if (chain->d1[cell] > 0)
				chain->d1[cell] = allowed(pass, chain, n * n + cell,
							  pass->sends[cell] / pass->time_s[i]);
		}
	chain_balance(chain);
}

unsigned chain_free_cells(const struct chain *chain, unsigned *cells)
{
	const unsigned n = chain->states;
	unsigned count = 0;

	for (unsigned cell = 0; cell < 2 * n * n; cell++) {
		if (!(chain->d0[cell] > 0))
			continue;
		if (cells)
			cells[count] = cell;
		count++;
	}
	return count;
}

static void take_logs(const struct chain *chain, const unsigned *cells, unsigned count, double *out)
{
	for (unsigned i = 0; i < count; i++)
		out[i] = log(chain->d0[cells[i]]);
}

// Extrapolates from the first chain over the second to the third.
static void chain_fit_extrapolate(const struct chain_pass *pass, struct chain *chain,
				  const unsigned *cells, unsigned count,
				  const double *const logs[3])
{
	double first = 0, bend = 0;

	for (unsigned i = 0; i < count; i++) {
		const double r = logs[1][i] - logs[0][i], v = logs[2][i] - logs[1][i] - r;

		first += r * r;
		bend += v * v;
	}
	const double alpha = bend > 0 ? fmin(-1, -sqrt(first / bend)) : -1;

	for (unsigned i = 0; i < count; i++) {
		const double r = logs[1][i] - logs[0][i], v = logs[2][i] - logs[1][i] - r;
		// No rate changes by more than a factor of 100 at once: far extrapolations are
		// rejected anyway.
		const double step = fmax(-4.6, fmin(4.6, -2 * alpha * r + alpha * alpha * v));

		chain->d0[cells[i]] = allowed(pass, chain, cells[i], exp(logs[0][i] + step));
	}
	chain_balance(chain);
}

static void put_logs(struct chain *chain, const unsigned *cells, unsigned count, const double *logs)
{
	for (unsigned i = 0; i < count; i++)
		chain->d0[cells[i]] = exp(logs[i]);
	chain_balance(chain);
}

// Replaces a chain, whose results pass holds, by a better one, and its results.
static enum tr_status round_of(struct chain_pass *pass, struct chain *chain, const unsigned *cells,
			       unsigned count, double *logs, struct tr_error *err)
{
	double *const at[3] = {logs, logs + count, logs + 2 * count};
	struct tr_error why;

	take_logs(chain, cells, count, at[0]);
	maximise(pass, chain);
	take_logs(chain, cells, count, at[1]);
	if (chain_pass_run(pass, chain, err) != TR_OK)
		return TR_ERROR;
	const double reached = pass->log_likelihood;

	maximise(pass, chain);
	take_logs(chain, cells, count, at[2]);
	chain_fit_extrapolate(pass, chain, cells, count,
			      (const double *const[]){at[0], at[1], at[2]});
	const enum tr_status further = chain_pass_run(pass, chain, &why);

	if (further == TR_OK && pass->log_likelihood >= reached)
		return TR_OK;
	if (further != TR_OK && why.breakdown)
		return tr_fail_for(err, &why, "%s", why.text);
	put_logs(chain, cells, count, at[2]);
	return chain_pass_run(pass, chain, err);
}

// Improves chain by at most rounds rounds of three passes, or until one gains less than enough in
// log likelihood; pass then holds the results for chain. TR_ERROR if out of memory, or where the
// sample is impossible under such a chain.
static enum tr_status chain_em(struct chain_pass *pass, struct chain *chain, unsigned rounds,
			       double enough, struct tr_error *err)
{
	const size_t most = 2 * (size_t)chain->states * chain->states;
	unsigned *cells = malloc(most * sizeof(*cells));
	double *logs = malloc(3 * most * sizeof(*logs)), before = -INFINITY;
	enum tr_status status = cells && logs ? chain_pass_run(pass, chain, err)
					      : tr_no_memory(err, "the fit");

	for (unsigned i = 0;
	     i < rounds && status == TR_OK && pass->log_likelihood - before >= enough; i++) {
		before = pass->log_likelihood;
		status = round_of(pass, chain, cells, chain_free_cells(chain, cells), logs, err);
	}
	if (status == TR_OK && !isfinite(pass->log_likelihood))
		status = tr_fail(err, "the times have likelihood 0 under every chain tried");
	free(cells);
	free(logs);
	return status;
}

// Sets to 0 the rates of transitions expected less than once in the whole sample, if the chain
// stays irreducible.
static void chain_em_prune(const struct chain_pass *pass, struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned cell = 0; cell < 2 * n * n; cell++) {
		const double rate = chain->d0[cell];
		const double moves = cell < n * n ? pass->silent[cell] : pass->sends[cell - n * n];

		if (rate <= 0 || moves >= 1)
			continue;
		chain->d0[cell] = 0;
		if (chain_check(chain, NULL) != TR_OK)
			chain->d0[cell] = rate;
	}
	chain_balance(chain);
}

// Derivative of the log likelihood by the log of each free rate (Fisher's identity): transitions
// less those expected.
static void take_score(const struct chain_pass *pass, const struct chain *chain,
		       const unsigned *cells, unsigned count, double *score)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < count; i++) {
		const unsigned cell = cells[i] % (n * n);
		const double *moves = cells[i] < n * n ? pass->silent : pass->sends;

		score[i] = moves[cell] - chain->d0[cells[i]] * pass->time_s[cell / n];
	}
}

// One row of the information matrix, by differences.
static enum tr_status chain_fit_differ(struct chain_pass *pass, struct chain *moved,
				       const unsigned *cells, unsigned count, unsigned which,
				       double *row, double *scratch, struct tr_error *err)
{
	const double rate = moved->d0[cells[which]];

	moved->d0[cells[which]] = rate * exp(STEP);
	chain_balance(moved);
	if (chain_pass_run(pass, moved, err) != TR_OK)
		return TR_ERROR;
	take_score(pass, moved, cells, count, scratch);
	moved->d0[cells[which]] = rate * exp(-STEP);
	chain_balance(moved);
	if (chain_pass_run(pass, moved, err) != TR_OK)
		return TR_ERROR;
	take_score(pass, moved, cells, count, row);
	for (unsigned i = 0; i < count; i++)
		row[i] = (row[i] - scratch[i]) / (2 * STEP);
	moved->d0[cells[which]] = rate;
	chain_balance(moved);
	return TR_OK;
}

static enum tr_status invert_information(unsigned count, double *information, double *work,
					 struct tr_error *err)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < i; j++)
			information[i * count + j] = information[j * count + i] =
				(information[i * count + j] + information[j * count + i]) / 2;
	if (!dense_invert(count, information, work))
		return tr_fail(err, "the sample does not determine a rate");
	for (unsigned i = 0; i < count; i++)
		if (!(information[i * count + i] > 0))
			return tr_fail(err, "the sample does not determine a rate");
	return TR_OK;
}

// Covariance of the estimated logarithms of these rates: the inverse of the observed information,
// i.e. of the differenced Fisher score. cells as from chain_free_cells, covariance of count^2.
// TR_ERROR where it is not positive (a rate is not determined) or without memory.
static enum tr_status chain_covariance(struct chain_pass *pass, const struct chain *chain,
				       const unsigned *cells, unsigned count, double *covariance,
				       struct tr_error *err)
{
	double *work = malloc((size_t)count * count * sizeof(*work));
	struct chain moved;
	enum tr_status status = chain_new(&moved, chain->states, err);

	if (status == TR_OK && !work)
		status = tr_no_memory(err, "%u parameters", count);
	if (status == TR_OK)
		chain_copy(&moved, chain);
	for (unsigned i = 0; i < count && status == TR_OK; i++)
		status = chain_fit_differ(pass, &moved, cells, count, i,
					  covariance + (size_t)i * count, work, err);
	if (status == TR_OK)
		status = invert_information(count, covariance, work, err);
	chain_clear(&moved);
	free(work);
	return status;
}

#define PACKETS_LEAST 50u
#define PACKETS_TRIED ((size_t)1 << 13) // to find the number of states and the best start
#define ROUNDS_TRIED 5u
#define ROUNDS_SOUGHT 40u
#define ROUNDS 60u
#define ENOUGH_SOUGHT 0.05 // of log likelihood in a round
#define ENOUGH 5e-3

// Mean gap, over all realisations.
static double mean_gap_ticks(const struct arrival_sample *sample)
{
	const struct arrival_total total = arrival_total_of(sample);

	return total.ticks / total.packets;
}

// The best of a few rounds from each start. TR_END: no start is possible.
static enum tr_status try_starts(const struct chain_family *family, struct chain_pass *pass,
				 struct chain *best, struct tr_error *err)
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

// Fits a chain of this number of states, and its criterion.
static enum tr_status chain_fit_seek(const struct chain_family *family,
				     const struct arrival_sample *sample, unsigned states,
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
		*criterion = states * states * log((double)stretches_packets(sample)) -
			     2 * pass.log_likelihood;
	chain_pass_clear(&pass);
	if (status != TR_OK)
		chain_clear(out);
	return status;
}

// Adds states as long as the criterion improves.
static enum tr_status seek_states(const struct chain_family *family,
				  const struct arrival_sample *sample, struct chain *out,
				  struct tr_error *err)
{
	double best, criterion;
	struct chain next;
	enum tr_status status = chain_fit_seek(family, sample, 1, out, &best, err);

	for (unsigned states = 2; states <= family->states_max && status == TR_OK; states++) {
		status = chain_fit_seek(family, sample, states, &next, &criterion, err);
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

static enum tr_status chain_fit_refine(struct chain *chain, const struct arrival_sample *sample,
				       struct tr_error *err)
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

enum tr_status chain_seek(const struct chain_family *family, const struct arrival_sample *sample,
			  struct chain *out, struct tr_error *err)
{
	struct arrival_sample few = {0}, many = {0};
	enum tr_status status;

	*out = (struct chain){0};
	if (stretches_packets(sample) < PACKETS_LEAST)
		return tr_fail(err, "%zu packets are too few for a chain of states: %u are needed",
			       stretches_packets(sample), PACKETS_LEAST);
	status = stretches_take(&few, sample, PACKETS_TRIED, err);
	if (status == TR_OK)
		status = stretches_take(&many, sample, CHAIN_SOUGHT_PACKETS, err);
	if (status == TR_OK)
		status = seek_states(family, &few, out, err);
	if (status == TR_OK)
		status = chain_fit_refine(out, &many, err);
	free((void *)few.each);
	free((void *)many.each);
	if (status != TR_OK)
		chain_clear(out);
	return status;
}

static void chain_fit_set_interval(double value, double variance, double z, double out[2])
{
	out[0] = value * exp(-z * sqrt(variance));
	out[1] = value * exp(z * sqrt(variance));
}

// From the covariance of logarithms; a stay is the inverse of the sum of silent rates.
static void chain_fit_set_intervals(const struct chain *chain, const unsigned *cells,
				    unsigned count, const double *covariance, double z,
				    double (*rates)[2], double (*stays_s)[2])
{
	const unsigned n = chain->states;

	for (unsigned a = 0; a < count; a++)
		chain_fit_set_interval(chain->d0[cells[a]], covariance[a * count + a], z,
				       rates[cells[a]]);
	for (unsigned i = 0; i < n && stays_s && n > 1; i++) {
		double variance = 0;

		for (unsigned a = 0; a < count; a++)
			for (unsigned b = 0; b < count; b++)
				if (cells[a] < n * n && cells[b] < n * n && cells[a] / n == i &&
				    cells[b] / n == i)
					variance += chain->d0[cells[a]] * chain->d0[cells[b]] *
						    covariance[a * count + b];
		chain_fit_set_interval(chain_stay(chain, i),
				       variance * pow(chain_stay(chain, i), 2), z, stays_s[i]);
	}
}

enum tr_status chain_intervals(const struct chain *chain, const struct arrival_sample *sample,
			       double (*rates)[2], double (*stays_s)[2], struct tr_error *err)
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
	// Without a peak of the likelihood there are no intervals.
	if (status == TR_OK &&
	    chain_covariance(&pass, chain, cells, count, covariance, &why) == TR_OK)
		chain_fit_set_intervals(chain, cells, count, covariance,
					gsl_cdf_ugaussian_Pinv(0.5 + sample->level / 2), rates,
					stays_s);
	else if (status == TR_OK && why.breakdown)
		status = tr_fail_for(err, &why, "%s", why.text);
	chain_pass_clear(&pass);
	free((void *)many.each);
	free(covariance);
	return status;
}

void chain_seek_note(const struct chain *found, const struct arrival_sample *sample,
		     char out[ARRIVAL_NOTE_BYTES])
{
	const size_t packets = stretches_packets(sample);

	(void)snprintf(out, ARRIVAL_NOTE_BYTES,
		       "by likelihood (EM) of the times of %zu packets; %u state%s by the Bayesian "
		       "information criterion",
		       packets < CHAIN_SOUGHT_PACKETS ? packets : CHAIN_SOUGHT_PACKETS,
		       found->states, found->states == 1 ? "" : "s");
}
