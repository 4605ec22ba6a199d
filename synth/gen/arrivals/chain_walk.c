// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_walk.h"

#include <math.h>
#include <stdlib.h>

static void cumulate(double *row, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		row[i] += row[i - 1];
	for (unsigned i = 0; i < count; i++)
		row[i] /= row[count - 1];
}

enum tr_status chain_moves_make(struct chain_moves *out, const struct chain *chain, struct tr_error *err)
{
	const unsigned n = chain->states;
	double *all = calloc(2 * (size_t)n * n + 2 * n, sizeof(*all));

	*out = (struct chain_moves){0};
	if (!all)
		return tr_no_memory(err, "%u states", n);
	*out = (struct chain_moves){.states = n, .stay_s = all, .stationary = all + n, .cumulated = all + 2 * n};
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

// The first of count cumulated shares above u in (0, 1).
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

void chain_walk_start(struct chain_walk *walk, const struct chain_moves *moves, const struct arrival_settings *settings,
		      struct tr_random *random)
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
		gap_ticks += moves->stay_s[walk->state] * walk->ticks_per_s * draw_exponential(walk->tables, random);
		const unsigned move = pick(moves->cumulated + 2 * (size_t)walk->state * n, 2 * n, tr_random_unit(random));

		walk->state = move < n ? move : move - n;
		if (move >= n) {
			walk->left_ticks -= gap_ticks;
			return gap_ticks;
		}
	}
	return INFINITY;
}
