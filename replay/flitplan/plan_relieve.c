// SPDX-License-Identifier: GPL-3.0-or-later
// Step 4: other switches for nodes whose traffic uses busy channels.
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "value/random.h"

#define NODES_TRIED 16u // of those that use a channel, the ones that use it most

struct relief {
	struct plan *plan;
	uint32_t busy;
	uint64_t *uses;		 // bytes that each node sends or gets over the busy channel
	struct tr_random random; // of partners
	struct tr_error *err;
};

// A switch may hold a tenth more than an equal share, as far as its ports go.
static void plan_relieve_widen(struct plan *plan)
{
	const uint32_t wide = (uint32_t)((uint64_t)plan->nodes * 11 /
					 (10 * (uint64_t)plan->switches));

	for (uint32_t s = 0; s < plan->switches; s++)
		plan->room[s] = plan->ports[s];
	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			plan->room[plan->cables[c].ends[end].node]--;
	for (uint32_t s = 0; s < plan->switches; s++) {
		const uint32_t most = wide > plan->share[s] ? wide : plan->share[s];

		if (plan->room[s] > most)
			plan->room[s] = most;
	}
}

static void find_users(struct relief *relief)
{
	const struct plan *plan = relief->plan;
	const size_t s = plan->switches;

	memset(relief->uses, 0, plan->nodes * sizeof(*relief->uses));
	for (uint32_t i = 0; i < s; i++)
		for (uint32_t j = 0; j < s; j++) {
			if (plan->between[i * s + j] == 0 || !plan_uses(plan, i, j, relief->busy))
				continue;
			for (uint32_t node = 0; node < plan->nodes; node++) {
				if (plan->at[node] == i)
					relief->uses[node] += plan->out[node * s + j];
				if (plan->at[node] == j)
					relief->uses[node] += plan->in[node * s + i];
			}
		}
}

// The node that uses the channel most, which it is then taken from; NET_NOBODY.
static uint32_t take_user(struct relief *relief)
{
	uint32_t best = NET_NOBODY;

	for (uint32_t node = 0; node < relief->plan->nodes; node++)
		if (relief->uses[node] > 0 &&
		    (best == NET_NOBODY || relief->uses[node] > relief->uses[best]))
			best = node;
	if (best != NET_NOBODY)
		relief->uses[best] = 0;
	return best;
}

// Whether no channel but the busy one, which is relieved, is left above what that was, beside those
// that were.
static bool keeps_others(const struct plan *plan, uint32_t busy, double busiest,
			 const double *before)
{
	if (!(plan_utilisation(plan, busy) < busiest * (1 - 1e-12)))
		return false;
	for (uint32_t k = 0; k < plan_channels(plan); k++)
		if (plan_utilisation(plan, k) > busiest && plan_utilisation(plan, k) > before[k])
			return false;
	return true;
}

struct plan_relieve_best {
	struct plan_shift shift;
	struct plan_score score;
	bool found;
};

static void plan_relieve_weigh(struct relief *relief, struct plan_shift shift, const double *before,
			       struct plan_relieve_best *best)
{
	struct plan *plan = relief->plan;
	struct plan_score score;

	if (!plan_shift_allowed(plan, shift))
		return;
	plan->left--;
	plan_shift_try(plan, shift);
	score = plan_score(plan);
	if ((score.most < best->score.most * (1 - 1e-9) ||
	     (plan_not_above(score.most, best->score.most) &&
	      score.uneven < best->score.uneven * (1 - 1e-6))) &&
	    keeps_others(plan, relief->busy, before[relief->busy], before))
		*best = (struct plan_relieve_best){shift, score, true};
	plan_shift_back(plan, shift);
}

// The best place for a node, or partner of an exchange.
static enum tr_status try_node(struct relief *relief, uint32_t node, const double *before,
			       bool *done)
{
	struct plan *plan = relief->plan;
	const struct plan_score now = plan_score(plan);
	const uint64_t local = plan->local;
	struct plan_relieve_best best = {.score = now};

	for (uint32_t i = 0; i < plan->nodes && i < PLAN_PARTNERS; i++) {
		const uint32_t other = plan->nodes > PLAN_PARTNERS
					       ? (uint32_t)tr_random_below(&relief->random,
									   plan->nodes)
					       : i;

		plan_relieve_weigh(relief, (struct plan_shift){node, other, plan->at[other]},
				   before, &best);
	}
	for (uint32_t to = 0; to < plan->switches; to++)
		plan_relieve_weigh(relief, (struct plan_shift){node, NET_NOBODY, to}, before,
				   &best);
	*done = best.found;
	if (!best.found)
		return TR_OK;
	const struct plan_shift back = {node, best.shift.other, plan->at[node]};

	plan_shift_try(plan, best.shift);
	plan_shift_keep(plan, best.shift);
	return plan_shift_note(plan, 4, back, &now, local, relief->err);
}

static enum tr_status relieve(struct relief *relief, double *before, bool *done)
{
	struct plan *plan = relief->plan;

	*done = false;
	for (uint32_t k = 0; k < plan_channels(plan); k++)
		before[k] = plan_utilisation(plan, k);
	find_users(relief);
	for (uint32_t i = 0; i < NODES_TRIED && !*done; i++) {
		const uint32_t node = take_user(relief);

		if (node == NET_NOBODY)
			return TR_OK;
		if (try_node(relief, node, before, done) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status plan_relieve(struct plan *plan, double delta, uint32_t *changed,
			    struct tr_error *err)
{
	const size_t channels = (size_t)plan_channels(plan) + 1;
	struct relief relief = {.plan = plan,
				.uses = calloc((size_t)plan->nodes + 1, sizeof(*relief.uses)),
				.err = err};
	double *before = calloc(channels, sizeof(*before));
	bool *tried = calloc(channels, sizeof(*tried));
	enum tr_status status = relief.uses && before && tried ? TR_OK
							       : tr_no_memory(err, "busy channels");

	tr_random_open(&relief.random, 1, "plan/relief");
	plan_relieve_widen(plan);
	*changed = 0;
	while (status == TR_OK && plan->left > 0 &&
	       (relief.busy = plan_next_busy(plan, tried, delta)) != NET_NOBODY) {
		bool done = false;

		status = relieve(&relief, before, &done);
		if (done)
			memset(tried, 0, channels * sizeof(*tried));
		else
			tried[relief.busy] = true;
		*changed += done;
	}
	free(relief.uses);
	free(before);
	free(tried);
	return status;
}
