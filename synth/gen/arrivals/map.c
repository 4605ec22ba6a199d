// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/map.h"

#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/chain_em.h"
#include "gen/arrivals/chain_expectation.h"
#include "gen/arrivals/chain_measures.h"
#include "gen/families/family.h"

static const struct model_field fields[] = {{"d0", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"d1", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

enum tr_status map_ready(struct map *map, struct tr_error *err)
{
	return chain_moves_make(&map->moves, &map->chain, err);
}

void map_clear(void *parameters)
{
	struct map *map = parameters;

	chain_clear(&map->chain);
	chain_moves_clear(&map->moves);
	free(map->intervals);
	*map = (struct map){0};
}

static double map_rate(const void *parameters)
{
	return chain_rate(&((const struct map *)parameters)->chain);
}

static double map_dispersion(const void *parameters)
{
	const double forever = INFINITY;
	double dispersion;

	if (chain_dispersion(&((const struct map *)parameters)->chain, &forever, 1, &dispersion, NULL) != TR_OK)
		return NAN;
	return dispersion;
}

static void map_explain(const void *parameters, FILE *out)
{
	const struct map *map = parameters;
	double share[CHAIN_STATES_MAX];

	chain_stationary(&map->chain, share);
	fprintf(out, "A chain of %u state%s, some of whose moves send a packet:\n", map->chain.states,
		map->chain.states == 1 ? "" : "s");
	for (unsigned i = 0; i < map->chain.states; i++)
		fprintf(out, "    state %u is left at %.6g/s, and holds %.3g %% of the time\n", i + 1,
			-map->chain.d0[i * map->chain.states + i], 100 * share[i]);
	chain_explain(&map->chain, out);
}

static enum tr_status map_start(void *state, const void *parameters, const struct arrival_settings *settings,
				struct tr_random *random, struct tr_error *err)
{
	(void)err;
	chain_walk_start(state, &((const struct map *)parameters)->moves, settings, random);
	return TR_OK;
}

static double map_next(void *state, struct tr_random *random)
{
	return chain_walk_next(state, random);
}

static enum tr_status map_log_likelihood(const void *parameters, const struct arrival_sample *sample, double *out,
					 struct tr_error *err)
{
	return chain_log_likelihood(&((const struct map *)parameters)->chain, sample, out, err);
}

// A process of n states has n^2 parameters, whatever its 2 n^2 - n rates (Telek and Horvath, A minimal representation of
// Markov arrival processes and a moments matching method, Performance Evaluation 64 (2007) 1153-1168).
static unsigned map_freedom(const void *parameters)
{
	const struct chain *chain = &((const struct map *)parameters)->chain;
	const unsigned cells = chain_free_cells(chain, NULL), most = chain->states * chain->states;

	return cells < most ? cells : most;
}

const struct arrival_process map_process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct map),
	.get = map_get,
	.put = map_put,
	.clear = map_clear,
	.rate = map_rate,
	.dispersion = map_dispersion,
	.explain = map_explain,
	.state_bytes = sizeof(struct chain_walk),
	.start = map_start,
	.next = map_next,
};

static const struct arrival_fit by_likelihood = {map_fit, map_log_likelihood, map_freedom};
static const struct arrival_fit by_phases = {phases_fit, map_log_likelihood, map_freedom};
static const struct arrival_fit by_moments = {moments_fit, map_log_likelihood, map_freedom};

const struct family map_family = {
	.name = "map",
	.summary = "Markovian arrival process of any matrices",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &map_process,
	.arrival_fit = &by_likelihood,
};

const struct family er_hmm_family = {
	.name = "er-hmm",
	.text = "map",
	.summary = "Markovian arrival process of Erlang branches",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &map_process,
	.arrival_fit = &by_phases,
};

const struct family map_moments_family = {
	.name = "map-moments",
	.text = "map",
	.summary = "Markovian arrival process by moments and autocorrelations",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &map_process,
	.arrival_fit = &by_moments,
};
