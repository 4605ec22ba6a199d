// SPDX-License-Identifier: GPL-3.0-or-later
// Step 1: assigns nodes to switches.
#include <stdlib.h>

#include "plan.h"
#include "value/random.h"

static void plan_place_shuffle(uint32_t *list, uint32_t count, struct tr_random *random)
{
	for (uint32_t i = count; i > 1; i--) {
		const uint32_t j = (uint32_t)tr_random_below(random, i), kept = list[i - 1];

		list[i - 1] = list[j];
		list[j] = kept;
	}
}

// Numbers 0 .. count - 1 in random order, for the caller to free.
static uint32_t *random_order(uint32_t count, struct tr_random *random)
{
	uint32_t *order = calloc((size_t)count + 1, sizeof(*order));

	for (uint32_t i = 0; order && i < count; i++)
		order[i] = i;
	if (order)
		plan_place_shuffle(order, count, random);
	return order;
}

static uint32_t place_servers(struct plan *plan, const uint32_t *order)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < plan->nodes; i++)
		if (plan_is_server(plan, i)) {
			while (plan->held[order[next % plan->switches]] >=
			       plan->room[order[next % plan->switches]])
				next++;
			plan->at[i] = order[next++ % plan->switches];
			plan->held[plan->at[i]]++;
			plan->served[plan->at[i]]++;
		}
	return next;
}

enum tr_status plan_place_random(struct plan *plan, uint64_t seed, struct tr_error *err)
{
	struct tr_random random;
	uint32_t *switches, *nodes, next = 0;

	tr_random_open(&random, seed, "plan/place");
	switches = random_order(plan->switches, &random);
	nodes = random_order(plan->nodes, &random);
	if (switches && nodes) {
		for (uint32_t s = 0; s < plan->switches; s++)
			plan->held[s] = plan->served[s] = 0;
		(void)place_servers(plan, switches);
		for (uint32_t i = 0; i < plan->nodes; i++) {
			if (plan_is_server(plan, nodes[i]))
				continue;
			// The least full of the switches, the next of equal ones.
			uint32_t best = NET_NOBODY;

			for (uint32_t j = 0; j < plan->switches; j++) {
				const uint32_t s = switches[(next + j) % plan->switches];

				if (plan->held[s] < plan->room[s] &&
				    (best == NET_NOBODY || plan->held[s] < plan->held[best]))
					best = s;
			}
			plan->at[nodes[i]] = best;
			plan->held[best]++;
			next++;
		}
		plan_count(plan);
	}
	if (!switches || !nodes)
		(void)tr_no_memory(err, "a placement");
	free(switches);
	free(nodes);
	return switches && nodes ? TR_OK : TR_ERROR;
}

void plan_place_at(struct plan *plan, const uint32_t *at)
{
	for (uint32_t s = 0; s < plan->switches; s++)
		plan->held[s] = plan->served[s] = 0;
	for (uint32_t i = 0; i < plan->nodes; i++) {
		plan->at[i] = at[i];
		plan->held[at[i]]++;
		plan->served[at[i]] += plan_is_server(plan, i);
	}
	plan_count(plan);
}

// --- the search

struct plan_place_search {
	struct plan *plan;
	double delta;
	struct tr_random random;
	struct plan_score now;
	uint32_t *order;
	struct tr_error *err;
};

static enum tr_status plan_place_keep(struct plan_place_search *search, struct plan_shift shift,
				      uint64_t local_before)
{
	const struct plan_score before = search->now;
	const struct plan_shift back = {shift.node, shift.other, search->plan->at[shift.node]};

	plan_shift_keep(search->plan, shift);
	search->now = plan_score(search->plan);
	return plan_shift_note(search->plan, 1, back, &before, local_before, search->err);
}

// Which change of those of a node is the best, and by how much.
struct plan_place_best {
	struct plan_shift shift;
	int64_t hops;
	double uneven;
	bool found;
};

#define TRIES 6u

// Puts a shift into a short list in order of R.
static void plan_place_enlist(struct plan_place_best list[TRIES], uint32_t *count,
			      struct plan_shift shift, int64_t hops)
{
	uint32_t at = *count;

	if (*count == TRIES && hops >= list[TRIES - 1].hops)
		return;
	if (*count == TRIES)
		at--;
	else
		(*count)++;
	for (; at > 0 && list[at - 1].hops > hops; at--)
		list[at] = list[at - 1];
	list[at] = (struct plan_place_best){shift, hops, 0, true};
}

// The shift that lowers R most of the node's, if the busiest channel does not get busier by it; of
// the next best else.
static enum tr_status shorten(struct plan_place_search *search, uint32_t node, bool evenly,
			      bool *done)
{
	struct plan *plan = search->plan;
	const uint64_t local = plan->local;
	struct plan_place_best list[TRIES];
	uint32_t count = 0;

	for (uint32_t other = 0; other < plan->nodes; other++) {
		const struct plan_shift shift = {node, other, plan->at[other]};
		int64_t hops;

		if (plan_shift_allowed(plan, shift) && (hops = plan_shift_hops(plan, shift)) < 0)
			plan_place_enlist(list, &count, shift, hops);
	}
	for (uint32_t to = 0; to < plan->switches; to++) {
		const struct plan_shift shift = {node, NET_NOBODY, to};
		int64_t hops;

		if (plan_shift_allowed(plan, shift) && (hops = plan_shift_hops(plan, shift)) < 0)
			plan_place_enlist(list, &count, shift, hops);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct plan_score score;

		plan->left--;
		plan_shift_try(plan, list[i].shift);
		score = plan_score(plan);
		if (plan_not_above(score.most, search->now.most) &&
		    (!evenly || score.uneven <= search->now.uneven)) {
			*done = true;
			return plan_place_keep(search, list[i].shift, local);
		}
		plan_shift_back(plan, list[i].shift);
	}
	return TR_OK;
}

static void plan_place_weigh(struct plan_place_search *search, struct plan_shift shift,
			     struct plan_place_best *best)
{
	struct plan *plan = search->plan;
	struct plan_score score;

	if (!plan_shift_allowed(plan, shift))
		return;
	plan->left--;
	plan_shift_try(plan, shift);
	score = plan_score(plan);
	plan_shift_back(plan, shift);
	if (plan_not_above(score.most, search->now.most) && score.uneven < best->uneven)
		*best = (struct plan_place_best){shift, 0, score.uneven, true};
}

// The shift that evens the channels most of the node's.
static enum tr_status even_out(struct plan_place_search *search, uint32_t node, bool *done)
{
	struct plan *plan = search->plan;
	struct plan_place_best best = {.uneven = search->now.uneven * (1 - 1e-9)};
	const uint64_t local = plan->local;

	for (uint32_t i = 0; i < plan->nodes && i < PLAN_PARTNERS; i++) {
		const uint32_t other = plan->nodes > PLAN_PARTNERS
					       ? (uint32_t)tr_random_below(&search->random,
									   plan->nodes)
					       : i;

		plan_place_weigh(search, (struct plan_shift){node, other, plan->at[other]}, &best);
	}
	for (uint32_t to = 0; to < plan->switches; to++)
		plan_place_weigh(search, (struct plan_shift){node, NET_NOBODY, to}, &best);
	if (!best.found)
		return TR_OK;
	*done = true;
	plan_shift_try(plan, best.shift);
	return plan_place_keep(search, best.shift, local);
}

// Passes over all nodes until none finds anything.
static enum tr_status plan_place_pass(struct plan_place_search *search,
				      enum tr_status (*improve)(struct plan_place_search *search,
								uint32_t node, bool *done),
				      bool *any)
{
	bool done = true;

	while (done && search->now.most > search->delta && search->plan->left > 0) {
		done = false;
		plan_place_shuffle(search->order, search->plan->nodes, &search->random);
		for (uint32_t i = 0; i < search->plan->nodes && search->now.most > search->delta &&
				     search->plan->left > 0;
		     i++)
			if (improve(search, search->order[i], &done) != TR_OK)
				return TR_ERROR;
		*any = *any || done;
	}
	return TR_OK;
}

static enum tr_status shorten_first(struct plan_place_search *search, uint32_t node, bool *done)
{
	return shorten(search, node, false, done);
}

static enum tr_status shorten_evenly(struct plan_place_search *search, uint32_t node, bool *done)
{
	return shorten(search, node, true, done);
}

enum tr_status plan_place(struct plan *plan, double delta, uint64_t seed, struct tr_error *err)
{
	plan_begin(plan);
	return plan_place_on(plan, delta, seed, err);
}

enum tr_status plan_place_on(struct plan *plan, double delta, uint64_t seed, struct tr_error *err)
{
	struct plan_place_search search = {
		.plan = plan, .delta = delta, .now = plan_score(plan), .err = err};
	enum tr_status status;
	bool any = true;

	tr_random_open(&search.random, seed, "plan/search");
	search.order = random_order(plan->nodes, &search.random);
	status = search.order ? plan_place_pass(&search, shorten_first, &any)
			      : tr_no_memory(err, "the search");
	while (status == TR_OK && any) {
		any = false;
		status = plan_place_pass(&search, even_out, &any);
		if (status == TR_OK && any)
			status = plan_place_pass(&search, shorten_evenly, &any);
	}
	free(search.order);
	return status;
}
