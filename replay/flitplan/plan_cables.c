// SPDX-License-Identifier: GPL-3.0-or-later
// Step 2: which switches the cables join.
#include <stdlib.h>
#include <string.h>

#include "plan.h"

// A change of cables: two ends that change places, or one that goes to a switch with a free port.
struct recabling {
	uint32_t cables[2]; // the second is NET_NOBODY where an end goes to a free port
	unsigned ends[2];
	struct net_end free;
	uint32_t place; // of a block: the objects here and behind change places; NET_NOBODY
	int64_t gain; // traffic between the switches that are joined, less that of those that were
};

static uint64_t both(const struct plan *plan, uint32_t a, uint32_t b)
{
	return plan->between[(size_t)a * plan->switches + b] +
	       plan->between[(size_t)b * plan->switches + a];
}

// Doing it twice undoes it.
static void apply(struct plan *plan, struct recabling *change)
{
	struct net_end *first = &plan->cables[change->cables[0]].ends[change->ends[0]];
	struct net_end *second = change->cables[1] == NET_NOBODY
					 ? &change->free
					 : &plan->cables[change->cables[1]].ends[change->ends[1]];
	const struct net_end kept = *first;

	*first = *second;
	*second = kept;
	if (change->place != NET_NOBODY) {
		uint32_t *objects = plan->rule.blocks->objects + change->place;
		const uint32_t object = objects[0];

		objects[0] = objects[1];
		objects[1] = object;
	}
}

// Channels' flows and R from Y.
static void reflow(struct plan *plan)
{
	const uint32_t s = plan->switches;

	memset(plan->flow, 0, plan_channels(plan) * sizeof(*plan->flow));
	plan->hops = plan->local = 0;
	for (uint32_t i = 0; i < s; i++)
		for (uint32_t j = 0; j < s; j++) {
			const uint64_t amount = plan->between[(size_t)i * s + j];

			plan->between[(size_t)i * s + j] = 0;
			if (amount > 0)
				plan_put(plan, i, j, amount);
		}
}

// --- what may be changed

#define LISTED 48u // changes looked at in each round, those that gain most

struct changes {
	struct recabling list[LISTED];
	uint32_t count;
	bool gaining; // only changes that gain
};

static void plan_cables_enlist(struct changes *changes, struct recabling change)
{
	uint32_t at = changes->count;

	if ((change.gain <= 0 && changes->gaining) ||
	    (at == LISTED && change.gain <= changes->list[LISTED - 1].gain))
		return;
	if (at == LISTED)
		at--;
	else
		changes->count++;
	for (; at > 0 && changes->list[at - 1].gain < change.gain; at--)
		changes->list[at] = changes->list[at - 1];
	changes->list[at] = change;
}

static unsigned end_at(const struct plan *plan, uint32_t cable, uint32_t node)
{
	return plan->cables[cable].ends[0].node == node ? 0 : 1;
}

// Block (a b c d) may become (a c b d).
static void list_of_blocks(const struct plan *plan, struct changes *changes)
{
	const struct net_blocks *blocks = plan->rule.blocks;

	for (uint32_t block = 0; block < blocks->count; block++)
		for (uint32_t p = blocks->first[block] + 1; p + 2 < blocks->first[block + 1]; p++) {
			const uint32_t *o = blocks->objects + p - 1; // a b c d
			const uint32_t before = plan->rule.cable_of_place[p - 1];
			const uint32_t after = plan->rule.cable_of_place[p + 1];
			const struct recabling change = {
				.cables = {before, after},
				.ends = {end_at(plan, before, o[1]), end_at(plan, after, o[2])},
				.place = p,
				.gain = (int64_t)(both(plan, o[0], o[2]) + both(plan, o[1], o[3]) -
						  both(plan, o[0], o[1]) - both(plan, o[2], o[3])),
			};

			if (!plan_joined(plan, o[0], o[2]) && !plan_joined(plan, o[1], o[3]))
				plan_cables_enlist(changes, change);
		}
}

// Two cables exchange an end each.
static void list_exchanges(const struct plan *plan, uint32_t first, struct changes *changes)
{
	for (uint32_t second = first + 1; second < plan->cable_count; second++)
		for (unsigned end = 0; end < 2; end++) {
			const struct net_end *x = plan->cables[first].ends,
					     *z = plan->cables[second].ends;
			const uint32_t a = x[0].node, b = x[1].node, c = z[end].node,
				       d = z[1 - end].node;
			const struct recabling change = {
				.cables = {first, second},
				.ends = {1, end},
				.place = NET_NOBODY,
				.gain = (int64_t)(both(plan, a, c) + both(plan, b, d) -
						  both(plan, a, b) - both(plan, c, d)),
			};

			if (a != c && b != d && (change.gain > 0 || !changes->gaining) &&
			    !plan_joined(plan, a, c) && !plan_joined(plan, b, d))
				plan_cables_enlist(changes, change);
		}
}

// The highest port without a cable to another switch, if the nodes of the switch leave one;
// NET_NOBODY.
static uint32_t free_port(const struct plan *plan, uint32_t at)
{
	uint32_t trunks = 0, port = plan->ports[at];

	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			trunks += plan->cables[c].ends[end].node == at;
	if (trunks + plan->held[at] >= plan->ports[at])
		return NET_NOBODY;
	for (bool used = true; used;) {
		used = false;
		port--;
		for (uint32_t c = 0; c < plan->cable_count; c++)
			for (int end = 0; end < 2; end++)
				used = used || (plan->cables[c].ends[end].node == at &&
						plan->cables[c].ends[end].port == port);
	}
	return port;
}

static void list_moves(const struct plan *plan, uint32_t to, struct changes *changes)
{
	const uint32_t port = free_port(plan, to);

	for (uint32_t c = 0; port != NET_NOBODY && c < plan->cable_count; c++)
		for (unsigned end = 0; end < 2; end++) {
			const uint32_t stays = plan->cables[c].ends[1 - end].node,
				       was = plan->cables[c].ends[end].node;
			const struct recabling change = {
				.cables = {c, NET_NOBODY},
				.ends = {end, 0},
				.free = {to, port},
				.place = NET_NOBODY,
				.gain = (int64_t)(both(plan, stays, to) - both(plan, stays, was)),
			};

			if (to != stays && to != was && (change.gain > 0 || !changes->gaining) &&
			    !plan_joined(plan, stays, to))
				plan_cables_enlist(changes, change);
		}
}

static void list_changes(const struct plan *plan, struct changes *changes, bool gaining)
{
	changes->count = 0;
	changes->gaining = gaining;
	if (plan->rule.blocks) {
		list_of_blocks(plan, changes);
		return;
	}
	for (uint32_t c = 0; c < plan->cable_count; c++)
		list_exchanges(plan, c, changes);
	for (uint32_t s = 0; s < plan->switches; s++)
		list_moves(plan, s, changes);
}

// --- trying them

#define CHANGE_WEIGHT 20 // routing all again takes as long as weighing so many moves of nodes

static void swap_routes(struct plan *plan, struct plan_routes *spare)
{
	const struct plan_routes kept = plan->routes;

	plan->routes = *spare;
	*spare = kept;
}

static bool plan_cables_is_better(const struct plan_score *score, const struct plan_score *than)
{
	return score->most < than->most * (1 - 1e-12) ||
	       (plan_not_above(score->most, than->most) && score->hops < than->hops);
}

// Does a change. Whether it can be routed as it is to be, and what it gives.
static enum tr_status try_change(struct plan *plan, struct recabling *change,
				 struct plan_routes *spare, bool *routed, struct plan_score *score,
				 struct tr_error *err)
{
	struct tr_error why = {""};
	uint32_t chain = 0;

	plan->left -= CHANGE_WEIGHT;
	apply(plan, change);
	*routed = plan_routes_make(plan, spare, &why) == TR_OK;
	if (!*routed && why.breakdown)
		return tr_fail_for(err, &why, "%s", why.text);
	if (*routed && plan->acyclic && plan_routes_chain(plan, spare, &chain, err) != TR_OK)
		return TR_ERROR;
	*routed = *routed && chain != PLAN_ENDLESS;
	if (!*routed)
		return TR_OK;
	swap_routes(plan, spare);
	reflow(plan);
	*score = plan_score(plan);
	return TR_OK;
}

static void undo(struct plan *plan, struct recabling *change, bool routed,
		 struct plan_routes *spare)
{
	apply(plan, change);
	if (routed) {
		swap_routes(plan, spare);
		reflow(plan);
	}
}

static void find_cable_room(struct plan *plan)
{
	for (uint32_t s = 0; s < plan->switches; s++)
		plan->room[s] = plan->ports[s];
	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			plan->room[plan->cables[c].ends[end].node]--;
	for (uint32_t s = 0; s < plan->switches; s++)
		if (plan->room[s] > plan->share[s])
			plan->room[s] = plan->share[s];
}

static enum tr_status plan_cables_note(struct plan *plan, const struct recabling *change,
				       const struct plan_score *before, struct tr_error *err)
{
	char names[4][NET_NAME_MAX + 16];
	uint32_t at[4];
	const struct net_end *x = plan->cables[change->cables[0]].ends;
	const char *why = plan->hops < before->hops ? "shortens routes"
						    : "relieves the busiest channel";

	// As it is now: a c and b d, where b went from the first cable.
	at[0] = x[1 - change->ends[0]].node;
	at[1] = x[change->ends[0]].node;
	at[2] = change->cables[1] == NET_NOBODY
			? change->free.node
			: plan->cables[change->cables[1]].ends[change->ends[1]].node;
	at[3] = change->cables[1] == NET_NOBODY
			? at[1]
			: plan->cables[change->cables[1]].ends[1 - change->ends[1]].node;
	for (int i = 0; i < 4; i++)
		(void)plan_switch_name(plan, at[i], names[i], sizeof(names[i]));
	if (change->place != NET_NOBODY)
		return plan_note(plan, 2, why, before->most, err,
				 "reorder (%s %s %s %s) to (%s %s %s %s)", names[0], names[2],
				 names[1], names[3], names[0], names[1], names[2], names[3]);
	if (change->cables[1] == NET_NOBODY)
		return plan_note(plan, 2, why, before->most, err,
				 "move the cable %s to %s from %s to %s", names[0], names[2],
				 names[0], names[1]);
	return plan_note(plan, 2, why, before->most, err,
			 "exchange cables %s to %s and %s to %s: now %s to %s and %s to %s",
			 names[0], names[2], names[1], names[3], names[0], names[1], names[2],
			 names[3]);
}

// The best change of a round. *done: there was one.
static enum tr_status change_once(struct plan *plan, struct changes *changes,
				  struct plan_routes *spare, bool *done, struct tr_error *err)
{
	const struct plan_score before = plan_score(plan);
	struct plan_score best = before, score = before;
	struct recabling *found = NULL;
	bool routed;

	list_changes(plan, changes, true);
	for (uint32_t i = 0; i < changes->count; i++) {
		if (try_change(plan, &changes->list[i], spare, &routed, &score, err) != TR_OK)
			return TR_ERROR;
		if (routed && plan_not_above(score.most, before.most) &&
		    plan_cables_is_better(&score, &best)) {
			best = score;
			found = &changes->list[i];
		}
		undo(plan, &changes->list[i], routed, spare);
	}
	*done = found != NULL;
	if (!found)
		return TR_OK;
	if (try_change(plan, found, spare, &routed, &score, err) != TR_OK)
		return TR_ERROR;
	find_cable_room(plan);
	return plan_cables_note(plan, found, &before, err);
}

// --- changes that pay only when nodes follow

#define FOLLOWED 4000u // nodes placed again in a round, at most

// A change, and then step 1. *paid: the busiest channel is less busy by both together; else all is
// as it was.
static enum tr_status change_and_place(struct plan *plan, struct recabling *change,
				       struct plan_routes *spare, const struct plan_follow *follow,
				       bool *paid, struct tr_error *err)
{
	const struct plan_score before = plan_score(plan);
	const size_t moves = plan->move_count;
	uint32_t *at = calloc((size_t)plan->nodes + 1, sizeof(*at));
	struct plan_score score;
	bool routed = false;
	enum tr_status status = at ? TR_OK : tr_no_memory(err, "a placement");

	*paid = false;
	if (status == TR_OK) {
		memcpy(at, plan->at, plan->nodes * sizeof(*at));
		status = try_change(plan, change, spare, &routed, &score, err);
	}
	if (status == TR_OK && routed) {
		find_cable_room(plan);
		status = plan_cables_note(plan, change, &before, err);
		if (status == TR_OK)
			status = plan_place_on(plan, follow->delta, follow->seed, err);
		*paid = plan_score(plan).most < before.most * (1 - 1e-6);
	}
	if (status == TR_OK && !*paid) {
		undo(plan, change, routed, spare);
		find_cable_room(plan);
		plan_forget_moves(plan, moves);
		plan_place_at(plan, at);
	}
	free(at);
	return status;
}

static enum tr_status follow_once(struct plan *plan, struct changes *changes,
				  struct plan_routes *spare, const struct plan_follow *follow,
				  bool *done, struct tr_error *err)
{
	*done = false;
	list_changes(plan, changes, false);
	for (uint32_t i = 0;
	     i < changes->count && !*done && plan->left > 0 && (i + 1) * plan->nodes <= FOLLOWED;
	     i++)
		if (change_and_place(plan, &changes->list[i], spare, follow, done, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status plan_cables(struct plan *plan, const struct plan_follow *follow,
			   struct tr_error *err)
{
	struct changes *changes = malloc(sizeof(*changes));
	struct plan_routes spare = {NULL, NULL};
	enum tr_status status = plan_routes_open(&spare, plan->switches, err);
	bool done = true;

	if (!changes)
		status = tr_no_memory(err, "changes of cables");
	plan_begin(plan);
	while (status == TR_OK && done && plan->left > 0 && plan_score(plan).most > follow->delta) {
		status = change_once(plan, changes, &spare, &done, err);
		if (status == TR_OK && !done)
			status = follow_once(plan, changes, &spare, follow, &done, err);
	}
	plan_routes_close(&spare);
	free(changes);
	return status;
}
