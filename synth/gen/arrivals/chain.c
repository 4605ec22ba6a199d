// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain.h"

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

// The states that are reached from state 0, by moves as they are or backwards; a bit for each.
static uint64_t reach(const struct chain *chain, bool backwards)
{
	const unsigned n = chain->states;
	uint64_t reached = 1, before = 0;

	while (reached != before) {
		before = reached;
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n; j++) {
				const unsigned cell = backwards ? j * n + i : i * n + j;

				if (i != j && reached >> i & 1 && chain->d0[cell] + chain->d1[cell] > 0)
					reached |= UINT64_C(1) << j;
			}
	}
	return reached;
}

enum tr_status chain_check(const struct chain *chain, struct tr_error *err)
{
	const unsigned n = chain->states;
	const uint64_t all = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
	const uint64_t missed = all & ~(reach(chain, false) & reach(chain, true));
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
