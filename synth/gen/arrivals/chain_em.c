// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_em.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/dense.h"

#define STEP 1e-3 // of a logarithm, for differences: the third derivative adds a millionth
// Rates (1/s) that texts of models take: of a move without a packet, whose state is held 1 ns to 1e9 s, and of a packet.
#define LEAST_RATE 1.1e-9
#define MOST_MOVES 0.9e9
#define MOST_PACKETS 5e11
#define PACKETS_A_TICK 20 // more are not told from these, and packets of one tick would be likelier without an end

// The rate of a cell as close to what is asked for as it may be.
static double allowed(const struct chain_pass *pass, const struct chain *chain, unsigned cell, double rate)
{
	const bool sends = cell >= chain->states * chain->states;
	const double most = sends ? fmin(MOST_PACKETS, PACKETS_A_TICK * pass->sample->ticks_per_s) : MOST_MOVES / chain->states;

	return fmin(fmax(rate, LEAST_RATE), most);
}

// The rates of cells that are free; d1 stands behind d0.
static void maximise(const struct chain_pass *pass, struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const unsigned cell = i * n + j;

			if (i != j && chain->d0[cell] > 0)
				chain->d0[cell] = allowed(pass, chain, cell, pass->silent[cell] / pass->time_s[i]);
			if (chain->d1[cell] > 0)
				chain->d1[cell] = allowed(pass, chain, n * n + cell, pass->sends[cell] / pass->time_s[i]);
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

// The way from the first over the second to the third, drawn out.
static void extrapolate(const struct chain_pass *pass, struct chain *chain, const unsigned *cells, unsigned count,
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
		// No rate by more than a hundredfold at once: far extrapolations are refused anyway.
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

// From a chain whose results pass holds to a better one whose results it then holds.
static enum tr_status round_of(struct chain_pass *pass, struct chain *chain, const unsigned *cells, unsigned count,
			       double *logs, struct tr_error *err)
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
	extrapolate(pass, chain, cells, count, (const double *const[]){at[0], at[1], at[2]});
	const enum tr_status further = chain_pass_run(pass, chain, &why);

	if (further == TR_OK && pass->log_likelihood >= reached)
		return TR_OK;
	if (further != TR_OK && why.breakdown)
		return tr_fail_for(err, &why, "%s", why.text);
	put_logs(chain, cells, count, at[2]);
	return chain_pass_run(pass, chain, err);
}

enum tr_status chain_em(struct chain_pass *pass, struct chain *chain, unsigned rounds, double enough, struct tr_error *err)
{
	const size_t most = 2 * (size_t)chain->states * chain->states;
	unsigned *cells = malloc(most * sizeof(*cells));
	double *logs = malloc(3 * most * sizeof(*logs)), before = -INFINITY;
	enum tr_status status = cells && logs ? chain_pass_run(pass, chain, err) : tr_no_memory(err, "the fit");

	for (unsigned i = 0; i < rounds && status == TR_OK && pass->log_likelihood - before >= enough; i++) {
		before = pass->log_likelihood;
		status = round_of(pass, chain, cells, chain_free_cells(chain, cells), logs, err);
	}
	if (status == TR_OK && !isfinite(pass->log_likelihood))
		status = tr_fail(err, "the times have no likelihood under such a chain");
	free(cells);
	free(logs);
	return status;
}

void chain_em_prune(const struct chain_pass *pass, struct chain *chain)
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

// Derivative of the log likelihood by the logarithm of each free rate (Fisher's identity): moves less those expected.
static void take_score(const struct chain_pass *pass, const struct chain *chain, const unsigned *cells, unsigned count,
		       double *score)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < count; i++) {
		const unsigned cell = cells[i] % (n * n);
		const double *moves = cells[i] < n * n ? pass->silent : pass->sends;

		score[i] = moves[cell] - chain->d0[cells[i]] * pass->time_s[cell / n];
	}
}

// One row of the information.
static enum tr_status differ(struct chain_pass *pass, struct chain *moved, const unsigned *cells, unsigned count,
			     unsigned which, double *row, double *scratch, struct tr_error *err)
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

static enum tr_status invert_information(unsigned count, double *information, double *work, struct tr_error *err)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < i; j++)
			information[i * count + j] = information[j * count + i] = (information[i * count + j] +
										   information[j * count + i]) /
										  2;
	if (!dense_invert(count, information, work))
		return tr_fail(err, "a rate is not determined by the sample");
	for (unsigned i = 0; i < count; i++)
		if (!(information[i * count + i] > 0))
			return tr_fail(err, "a rate is not determined by the sample");
	return TR_OK;
}

enum tr_status chain_covariance(struct chain_pass *pass, const struct chain *chain, const unsigned *cells, unsigned count,
				double *covariance, struct tr_error *err)
{
	double *work = malloc((size_t)count * count * sizeof(*work));
	struct chain moved;
	enum tr_status status = chain_new(&moved, chain->states, err);

	if (status == TR_OK && !work)
		status = tr_no_memory(err, "%u parameters", count);
	if (status == TR_OK)
		chain_copy(&moved, chain);
	for (unsigned i = 0; i < count && status == TR_OK; i++)
		status = differ(pass, &moved, cells, count, i, covariance + (size_t)i * count, work, err);
	if (status == TR_OK)
		status = invert_information(count, covariance, work, err);
	chain_clear(&moved);
	free(work);
	return status;
}
