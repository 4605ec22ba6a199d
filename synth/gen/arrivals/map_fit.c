// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "gen/arrivals/chain_seek.h"
#include "gen/arrivals/chain_start.h"
#include "gen/arrivals/map.h"

#define DIGITS 6
#define WINDOWS 4u

// The two canonical forms of two states: rates l1 and l2 (of the mean rate), and the probabilities a and b that decide on
// the state after. In the first the gaps' correlations fall as (a b)^k, in the second as (-a b)^k.
struct canonical_start {
	int form;
	double l1, l2, a, b;
};

static const struct canonical_start canonical[] = {
	{1, 0.2, 5, 0.9, 0.9}, {1, 0.2, 5, 0.99, 0.99}, {1, 0.5, 2, 0.5, 0.5}, {1, 0.05, 3, 0.5, 0.99}, {1, 0.1, 50, 0.5, 0.9},
	{1, 1, 2, 0.1, 0.1},   {2, 0.2, 5, 0.5, 0.5},	{2, 1, 3, 0.9, 0.9},   {2, 1.5, 3, 0.2, 0.2},	{2, 0.5, 20, 0.2, 0.8}};

static void set_canonical(struct chain *out, const struct canonical_start *start, double rate)
{
	const double l1 = start->l1 * rate, l2 = start->l2 * rate;

	for (unsigned i = 0; i < 8; i++)
		out->d0[i] = 0;
	out->d0[1] = (1 - start->a) * l1;
	out->d1[start->form == 1 ? 0 : 1] = start->a * l1;
	out->d1[start->form == 1 ? 2 : 3] = (1 - start->b) * l2;
	out->d1[start->form == 1 ? 3 : 2] = start->b * l2;
	chain_balance(out);
}

// Stages one after the other, the last of which sends: gaps more even than a Poisson process'. Every other move has a
// small share.
static void set_stages(struct chain *out, double rate)
{
	const unsigned n = out->states;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const double some = 0.02 * (1 + (i + 2 * j) % 3) * rate;

			out->d0[i * n + j] = some + (j == i + 1 ? n * rate : 0);
			out->d1[i * n + j] = some + (i == n - 1 && j == 0 ? n * rate : 0);
		}
	chain_balance(out);
}

// Levels of the counts in windows, with a small share of each other move.
static enum tr_status set_levels(struct chain *out, const struct arrival_sample *sample, double window_ticks,
				 struct tr_error *err)
{
	const unsigned n = out->states;
	enum tr_status status = chain_start(out, sample, window_ticks, err);

	for (unsigned i = 0; i < n && status == TR_OK; i++)
		for (unsigned j = 0; j < n; j++)
			if (i != j)
				out->d1[i * n + j] = 0.02 * (1 + (i + 2 * j) % 3) * out->d1[i * n + i];
	chain_balance(out);
	return status;
}

static enum tr_status start(struct chain *out, const struct arrival_sample *sample, double gap_ticks, unsigned which,
			    struct tr_error *err)
{
	const double rate = sample->ticks_per_s / gap_ticks;

	if (out->states == 2) {
		set_canonical(out, &canonical[which], rate);
		return TR_OK;
	}
	if (which > WINDOWS)
		return TR_END;
	if (which < WINDOWS)
		return set_levels(out, sample, gap_ticks * (double)(4u << 3 * which), err);
	set_stages(out, rate);
	return TR_OK;
}

static const struct chain_family family = {MAP_FITTED_STATES, sizeof(canonical) / sizeof(*canonical), start};

static void settle(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < 2 * n * n; i++)
		chain->d0[i] = model_settle(MODEL_REAL, chain->d0[i], DIGITS);
	chain_balance(chain);
}

enum tr_status map_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes, struct tr_error *err)
{
	struct map *map = parameters;
	enum tr_status status = TR_OK;

	*map = (struct map){.level = sample->level};
	if (chain_seek(&family, sample, &map->chain, err) != TR_OK)
		return TR_ERROR;
	settle(&map->chain);
	if (map->chain.states <= 2) {
		map->intervals = calloc(2 * (size_t)map->chain.states * map->chain.states, sizeof(*map->intervals));
		status = map->intervals ? chain_intervals(&map->chain, sample, map->intervals, NULL, err)
					: tr_no_memory(err, "the intervals");
	}
	if (status != TR_OK || map_ready(map, err) != TR_OK) {
		map_clear(map);
		return TR_ERROR;
	}
	chain_seek_note(&map->chain, sample, notes->method);
	return TR_OK;
}
