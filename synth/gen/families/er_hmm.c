// SPDX-License-Identifier: GPL-3.0-or-later
// A Markovian arrival process of Erlang branches by likelihood of the gaps: a hidden chain moves at
// each packet, and its state draws the gap from its own Erlang distribution (Horvath and Okamura, A
// fast EM algorithm for fitting marked Markovian arrival processes with a new special structure,
// EPEW 2013). The forward and backward passes are those of a hidden Markov model, without matrix
// exponentials.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/arrivals/chain_fit.h"
#include "gen/arrivals/dense.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"
#include "stat/intervals/ranks.h"

#define BRANCHES 3u
#define PHASES_MOST 8u
#define GAPS_LEAST 50u
#define GAPS_TRIED ((size_t)2048) // to search for the orders
#define ROUNDS_TRIED 20
#define ROUNDS 300
#define KEPT 4u	    // orders refined on all gaps
#define ENOUGH 1e-4 // gain of log likelihood in a round
#define RATE_MOST_A_TICK 20
#define DIGITS 6

static const unsigned orders[] = {1, 2, 3, 5};

// The model in ticks.
struct phases {
	unsigned count, order[BRANCHES];
	double rate[BRANCHES], move[BRANCHES][BRANCHES];
	double log_likelihood;
};

struct gaps {
	const double *each;
	size_t count;
	double *logs;	 // of each
	double *forward; // of each gap, BRANCHES values and their scale
	double *density; // likewise, in the gap's own scale
};

// The stationary distribution of the chain, by iteration.
static void stationary(const struct phases *phases, double *out)
{
	for (unsigned i = 0; i < phases->count; i++)
		out[i] = 1.0 / phases->count;
	for (int round = 0; round < 500; round++) {
		double next[BRANCHES] = {0};

		for (unsigned i = 0; i < phases->count; i++)
			for (unsigned j = 0; j < phases->count; j++)
				next[j] += out[i] * (0.5 * phases->move[i][j] +
						     0.5 * (i == j)); // lazy chain: aperiodic
		memcpy(out, next, sizeof(next));
	}
}

// The passes are compiled once for each number of branches.

DENSE_FEW void forward_of(unsigned n, struct phases *phases, const struct gaps *gaps)
{
	double state[BRANCHES], of_rate[BRANCHES], of_order[BRANCHES];

	stationary(phases, state);
	for (unsigned i = 0; i < n; i++) {
		of_rate[i] = phases->order[i] * log(phases->rate[i]);
		of_order[i] = lgamma(phases->order[i]);
	}
	phases->log_likelihood = 0;
	for (size_t k = 0; k < gaps->count; k++) {
		double *density = gaps->density + k * BRANCHES,
		       *forward = gaps->forward + k * (BRANCHES + 1);
		double logs[BRANCHES], most = -INFINITY, sum = 0, next[BRANCHES] = {0};

		for (unsigned i = 0; i < n; i++) {
			logs[i] = of_rate[i] + (phases->order[i] - 1) * gaps->logs[k] -
				  phases->rate[i] * gaps->each[k] - of_order[i];
			most = fmax(most, logs[i]);
		}
		for (unsigned i = 0; i < n; i++) {
			density[i] = logs[i] - most == 0 ? 1 : exp(logs[i] - most);
			forward[i] = state[i] * density[i];
			sum += forward[i];
		}
		sum = fmax(sum, 1e-300);
		for (unsigned i = 0; i < n; i++) {
			forward[i] /= sum;
			for (unsigned j = 0; j < n; j++)
				next[j] += forward[i] * phases->move[i][j];
		}
		forward[BRANCHES] = sum;
		for (unsigned i = 0; i < n; i++)
			state[i] = next[i];
		phases->log_likelihood += log(sum) + most;
	}
}

// Fills in forward and density, and the log likelihood.
static void er_hmm_go_forward(struct phases *phases, const struct gaps *gaps)
{
	switch (phases->count) {
	case 1: forward_of(1, phases, gaps); break;
	case 2: forward_of(2, phases, gaps); break;
	default: forward_of(BRANCHES, phases, gaps);
	}
}

// What the hidden chain did: its time in each branch's gaps, how many these were, and its moves.
struct doings {
	double weight[BRANCHES], time[BRANCHES], moves[BRANCHES][BRANCHES];
};

DENSE_FEW void backward_of(unsigned n, const struct phases *phases, const struct gaps *gaps,
			   struct doings *out)
{
	double back[BRANCHES] = {1, 1, 1};

	for (size_t k = gaps->count; k-- > 0;) {
		const double *forward = gaps->forward + k * (BRANCHES + 1),
			     *density = gaps->density + k * BRANCHES;
		double before[BRANCHES] = {0};

		for (unsigned i = 0; i < n; i++) {
			out->weight[i] += forward[i] * back[i];
			out->time[i] += forward[i] * back[i] * gaps->each[k];
		}
		if (k == 0)
			break;
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n; j++) {
				const double on = phases->move[i][j] * density[j] * back[j] /
						  forward[BRANCHES];

				before[i] += on;
				out->moves[i][j] += gaps->forward[(k - 1) * (BRANCHES + 1) + i] *
						    on;
			}
		for (unsigned i = 0; i < n; i++)
			back[i] = before[i];
	}
}

static struct doings er_hmm_go_backward(const struct phases *phases, const struct gaps *gaps)
{
	struct doings out = {{0}, {0}, {{0}}};

	switch (phases->count) {
	case 1: backward_of(1, phases, gaps, &out); break;
	case 2: backward_of(2, phases, gaps, &out); break;
	default: backward_of(BRANCHES, phases, gaps, &out);
	}
	return out;
}

// One EM round, from the results of go_forward.
static void er_hmm_improve(struct phases *phases, const struct gaps *gaps)
{
	const struct doings did = er_hmm_go_backward(phases, gaps);

	for (unsigned i = 0; i < phases->count; i++) {
		double sum = 0;

		phases->rate[i] = fmin(phases->order[i] * fmax(did.weight[i], 1e-9) /
					       fmax(did.time[i], 1e-9),
				       RATE_MOST_A_TICK);
		for (unsigned j = 0; j < phases->count; j++)
			sum += did.moves[i][j];
		for (unsigned j = 0; j < phases->count; j++)
			phases->move[i][j] = sum > 0 ? fmax(did.moves[i][j] / sum, 1e-12)
						     : 1.0 / phases->count;
	}
}

static void er_hmm_climb(struct phases *phases, const struct gaps *gaps, int rounds)
{
	double before = -INFINITY;

	er_hmm_go_forward(phases, gaps);
	for (int round = 0; round < rounds && phases->log_likelihood - before > ENOUGH; round++) {
		before = phases->log_likelihood;
		er_hmm_improve(phases, gaps);
		er_hmm_go_forward(phases, gaps);
	}
}

// Each branch begins with the mean of its share of the sorted gaps.
static void set_start(struct phases *phases, const double *sorted, size_t count)
{
	for (unsigned i = 0; i < phases->count; i++) {
		const size_t from = count * i / phases->count, to = count * (i + 1) / phases->count;
		double sum = 0;

		for (size_t k = from; k < to; k++)
			sum += sorted[k];
		phases->rate[i] = fmin(phases->order[i] * (double)(to - from) / sum,
				       RATE_MOST_A_TICK);
		for (unsigned j = 0; j < phases->count; j++)
			phases->move[i][j] = ((i == j) + 0.5) / (1 + 0.5 * phases->count);
	}
}

static unsigned er_hmm_freedom(const struct phases *phases)
{
	return phases->count * phases->count; // rates, and moves that sum to 1
}

static double criterion(const struct phases *phases, size_t gaps)
{
	return er_hmm_freedom(phases) * log((double)gaps) - 2 * phases->log_likelihood;
}

// Inserts into the best, sorted by the criterion.
static void er_hmm_keep(struct phases *kept, unsigned *count, const struct phases *phases,
			size_t gaps)
{
	unsigned at = *count;

	while (at > 0 && criterion(phases, gaps) < criterion(&kept[at - 1], gaps))
		at--;
	if (at == KEPT)
		return;
	*count += *count < KEPT;
	memmove(&kept[at + 1], &kept[at], (*count - at - 1) * sizeof(*kept));
	kept[at] = *phases;
}

// Tries all orders of up to BRANCHES branches on some of the gaps; then the best on all.
static struct phases er_hmm_seek(const struct gaps *gaps, const double *sorted, size_t tried)
{
	const unsigned choices = sizeof(orders) / sizeof(*orders);
	const struct gaps few = {gaps->each, tried, gaps->logs, gaps->forward, gaps->density};
	struct phases kept[KEPT + 1], best[KEPT + 1];
	unsigned kept_count = 0, best_count = 0;

	for (unsigned branches = 1; branches <= BRANCHES; branches++)
		for (unsigned which = 0; which < (unsigned)pow(choices, branches); which++) {
			struct phases phases = {.count = branches};
			unsigned rest = which, sum = 0;

			for (unsigned i = 0; i < branches; i++, rest /= choices)
				sum += phases.order[i] = orders[rest % choices];
			if (sum > PHASES_MOST)
				continue;
			set_start(&phases, sorted, tried);
			er_hmm_climb(&phases, &few, ROUNDS_TRIED);
			er_hmm_keep(kept, &kept_count, &phases, tried);
		}
	for (unsigned i = 0; i < kept_count; i++) {
		er_hmm_climb(&kept[i], gaps, ROUNDS);
		er_hmm_keep(best, &best_count, &kept[i], gaps->count);
	}
	return best[0];
}

// The gaps of all realisations, one after the other; a gap of 0 counts as half a tick.
static size_t er_hmm_take_gaps(const struct arrival_sample *sample, double *out)
{
	size_t count = 0;

	for (size_t r = 0; r < sample->count; r++)
		for (size_t i = 1; i < sample->each[r].count && count < CHAIN_SOUGHT_PACKETS; i++)
			out[count++] = fmax(
				(double)(sample->each[r].ticks[i] - sample->each[r].ticks[i - 1]),
				0.5);
	return count;
}

// Each branch is a series of phases; the last sends and continues with a branch's first.
static enum tr_status er_hmm_set_chain(const struct phases *phases, double ticks_per_s,
				       struct chain *out, struct tr_error *err)
{
	unsigned states = 0, first[BRANCHES] = {0};

	for (unsigned i = 0; i < phases->count; i++) {
		first[i] = states;
		states += phases->order[i];
	}
	if (chain_new(out, states, err) != TR_OK)
		return TR_ERROR;
	for (unsigned i = 0; i < phases->count; i++) {
		const double rate = phases->rate[i] * ticks_per_s;
		const unsigned last = first[i] + phases->order[i] - 1;

		for (unsigned state = first[i]; state < last; state++)
			out->d0[state * states + state + 1] = model_settle(MODEL_REAL, rate,
									   DIGITS);
		for (unsigned j = 0; j < phases->count; j++)
			out->d1[last * states + first[j]] =
				phases->move[i][j] > 1e-9
					? model_settle(MODEL_REAL, rate * phases->move[i][j],
						       DIGITS)
					: 0;
	}
	chain_balance(out);
	return chain_check(out, err);
}

static enum tr_status er_hmm_make_room(struct gaps *gaps, struct tr_error *err)
{
	gaps->forward = calloc(gaps->count * (BRANCHES + 1), sizeof(*gaps->forward));
	gaps->density = calloc(gaps->count * BRANCHES, sizeof(*gaps->density));
	gaps->logs = calloc(gaps->count, sizeof(*gaps->logs));
	if (!gaps->forward || !gaps->density || !gaps->logs)
		return tr_no_memory(err, "%zu gaps", gaps->count);
	for (size_t k = 0; k < gaps->count; k++)
		gaps->logs[k] = log(gaps->each[k]);
	return TR_OK;
}

static void free_room(struct gaps *gaps)
{
	free(gaps->forward);
	free(gaps->density);
	free(gaps->logs);
}

double phases_reach(const double *ticks, size_t count, const unsigned *order, unsigned branches)
{
	struct gaps gaps = {.each = ticks, .count = count};
	struct phases phases = {.count = branches};
	double *sorted = calloc(count, sizeof(*sorted));

	phases.log_likelihood = NAN;
	for (unsigned i = 0; i < branches; i++)
		phases.order[i] = order[i];
	if (sorted && er_hmm_make_room(&gaps, NULL) == TR_OK) {
		memcpy(sorted, ticks, count * sizeof(*sorted));
		rising_sort(sorted, count);
		set_start(&phases, sorted, count);
		er_hmm_climb(&phases, &gaps, ROUNDS);
	}
	free(sorted);
	free_room(&gaps);
	return phases.log_likelihood;
}

static enum tr_status fit_gaps(struct gaps *gaps, double *sorted, struct phases *out,
			       struct tr_error *err)
{
	const size_t tried = gaps->count < GAPS_TRIED ? gaps->count : GAPS_TRIED;

	if (gaps->count < GAPS_LEAST)
		return tr_fail(err, "%zu gaps are too few for branches of phases: %u are needed",
			       gaps->count, GAPS_LEAST);
	if (er_hmm_make_room(gaps, err) != TR_OK)
		return TR_ERROR;
	memcpy(sorted, gaps->each, tried * sizeof(*sorted));
	rising_sort(sorted, tried);
	*out = er_hmm_seek(gaps, sorted, tried);
	return isfinite(out->log_likelihood)
		       ? TR_OK
		       : tr_fail(err, "the gaps have no likelihood under branches of phases");
}

// Fits by likelihood of the gaps: up to three Erlang branches among which a chain moves at each
// packet, with their number and orders by the Bayesian information criterion.
static enum tr_status phases_fit(void *parameters, const struct arrival_sample *sample,
				 struct arrival_notes *notes, struct tr_error *err)
{
	const size_t packets = stretches_packets(sample);
	double *each = calloc(packets + 1, sizeof(*each)),
	       *sorted = calloc(GAPS_TRIED, sizeof(*sorted));
	struct gaps gaps = {.each = each};
	struct map *map = parameters;
	struct phases phases = {.count = 0};
	char words[BRANCHES * 12] = "";
	enum tr_status status = each && sorted ? TR_OK : tr_no_memory(err, "%zu gaps", packets);

	*map = (struct map){.level = sample->level};
	if (status == TR_OK) {
		gaps.count = er_hmm_take_gaps(sample, each);
		status = fit_gaps(&gaps, sorted, &phases, err);
	}
	if (status == TR_OK)
		status = er_hmm_set_chain(&phases, sample->ticks_per_s, &map->chain, err);
	if (status == TR_OK)
		status = map_ready(map, err);
	for (unsigned i = 0; status == TR_OK && i < phases.count; i++)
		(void)snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%u",
			       i ? ", " : "", phases.order[i]);
	if (status == TR_OK)
		(void)snprintf(notes->method, sizeof(notes->method),
			       "by likelihood (EM) of %zu gaps, %.3f per gap in seconds; Erlang "
			       "branches of %s phases by the Bayesian information criterion",
			       gaps.count,
			       phases.log_likelihood / (double)gaps.count +
				       log(sample->ticks_per_s),
			       words);
	else
		map_clear(map);
	free_room(&gaps);
	free(each);
	free(sorted);
	return status;
}

static const struct arrival_fit fitting = {phases_fit, map_log_likelihood, map_freedom};

const struct family er_hmm_family = {
	.name = "er-hmm",
	.text = "map",
	.summary = "Markovian arrival process with Erlang branches",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &map_process,
	.arrival_fit = &fitting,
};
