// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/mmpp.h"

#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/chain_em.h"
#include "gen/arrivals/chain_expectation.h"
#include "gen/arrivals/chain_measures.h"
#include "gen/families/family.h"

static const struct model_field fields[] = {{"state", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"jump", MODEL_REPEATED, 0, false, 0, 0, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

enum tr_status mmpp_ready(struct mmpp *mmpp, struct tr_error *err)
{
	return chain_moves_make(&mmpp->moves, &mmpp->chain, err);
}

void mmpp_clear(void *parameters)
{
	struct mmpp *mmpp = parameters;

	chain_clear(&mmpp->chain);
	chain_moves_clear(&mmpp->moves);
	free(mmpp->intervals);
	*mmpp = (struct mmpp){0};
}

static double mmpp_rate(const void *parameters)
{
	return chain_rate(&((const struct mmpp *)parameters)->chain);
}

static double mmpp_dispersion(const void *parameters)
{
	const double forever = INFINITY;
	double dispersion;

	if (chain_dispersion(&((const struct mmpp *)parameters)->chain, &forever, 1, &dispersion, NULL) != TR_OK)
		return NAN;
	return dispersion;
}

static void mmpp_explain(const void *parameters, FILE *out)
{
	const struct mmpp *mmpp = parameters;
	const unsigned n = mmpp->chain.states;
	double share[CHAIN_STATES_MAX];
	char stay[MODEL_NUMBER_BYTES];

	chain_stationary(&mmpp->chain, share);
	fprintf(out, "A Poisson process whose rate has %u level%s:\n", n, n == 1 ? "" : "s");
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "    %.6g packets/s", mmpp->chain.d1[i * n + i]);
		if (n > 1)
			fprintf(out, " for %s on average, %.3g %% of the time",
				model_format(MODEL_TIME, model_settle(MODEL_TIME, chain_stay(&mmpp->chain, i), 4), stay),
				100 * share[i]);
		fprintf(out, "\n");
	}
	chain_explain(&mmpp->chain, out);
}

static enum tr_status mmpp_start(void *state, const void *parameters, const struct arrival_settings *settings,
				 struct tr_random *random, struct tr_error *err)
{
	(void)err;
	chain_walk_start(state, &((const struct mmpp *)parameters)->moves, settings, random);
	return TR_OK;
}

static double mmpp_next(void *state, struct tr_random *random)
{
	return chain_walk_next(state, random);
}

static enum tr_status mmpp_log_likelihood(const void *parameters, const struct arrival_sample *sample, double *out,
					  struct tr_error *err)
{
	return chain_log_likelihood(&((const struct mmpp *)parameters)->chain, sample, out, err);
}

static unsigned mmpp_freedom(const void *parameters)
{
	const struct chain *chain = &((const struct mmpp *)parameters)->chain;

	return chain_free_cells(chain, NULL);
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct mmpp),
	.get = mmpp_get,
	.put = mmpp_put,
	.clear = mmpp_clear,
	.rate = mmpp_rate,
	.dispersion = mmpp_dispersion,
	.explain = mmpp_explain,
	.state_bytes = sizeof(struct chain_walk),
	.start = mmpp_start,
	.next = mmpp_next,
};

static const struct arrival_fit fitting = {
	.fit = mmpp_fit,
	.log_likelihood = mmpp_log_likelihood,
	.freedom = mmpp_freedom,
};

const struct family mmpp_family = {
	.name = "mmpp",
	.summary = "Markov-modulated Poisson process of any number of states",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
