// SPDX-License-Identifier: GPL-3.0-or-later
// Step 3: other routes for pairs of switches that use busy channels.
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define PATHS_MAX 256u // looked at for a pair
#define EVENER 0.01    // of the sum of eighth powers: routes are not made longer for less
#define CYCLE_WEIGHT 5 // looking for a cycle takes as long as weighing so many moves of nodes

struct rerouting {
	struct plan *plan;
	uint8_t *distance; // between switches, in cables
	uint32_t *first;   // of a switch: its channels in leaving; switches + 1
	uint32_t *leaving;
	uint32_t chain; // as long as one of channels that wait may be
	struct tr_error *err;
	// of the pair at work
	uint32_t from, to, busy;
	uint64_t amount;
	uint32_t paths;
	uint32_t path[PLAN_STEPS_MAX];
	bool *met; // switches on the path
	// the best so far
	struct plan_score best;
	uint32_t found[PLAN_STEPS_MAX];
	uint32_t found_count;
	bool failed;
};

static void find_distances(struct rerouting *r)
{
	const uint32_t s = r->plan->switches;

	memset(r->distance, UINT8_MAX, (size_t)s * s);
	for (uint32_t i = 0; i < s; i++)
		r->distance[(size_t)i * s + i] = 0;
	for (bool more = true; more;) { // as many rounds as the network is wide
		more = false;
		for (uint32_t k = 0; k < plan_channels(r->plan); k++) {
			const uint8_t *far = r->distance + (size_t)plan_channel_to(r->plan, k) * s;
			uint8_t *near = r->distance + (size_t)plan_channel_from(r->plan, k) * s;

			for (uint32_t t = 0; t < s; t++)
				if (far[t] < UINT8_MAX - 1 && far[t] + 1 < near[t]) {
					near[t] = (uint8_t)(far[t] + 1);
					more = true;
				}
		}
	}
}

static enum tr_status open_rerouting(struct rerouting *r, struct plan *plan, struct tr_error *err)
{
	const uint32_t s = plan->switches, channels = plan_channels(plan);

	*r = (struct rerouting){.plan = plan, .err = err};
	r->distance = malloc((size_t)s * s + 1);
	r->first = calloc((size_t)s + 2, sizeof(*r->first));
	r->leaving = calloc((size_t)channels + 1, sizeof(*r->leaving));
	r->met = calloc((size_t)s + 1, sizeof(*r->met));
	if (!r->distance || !r->first || !r->leaving || !r->met)
		return tr_no_memory(err, "other routes");
	for (uint32_t k = 0; k < channels; k++)
		r->first[plan_channel_from(plan, k) + 1]++;
	for (uint32_t i = 0; i < s; i++)
		r->first[i + 1] += r->first[i];
	for (uint32_t k = 0; k < channels; k++)
		r->leaving[r->first[plan_channel_from(plan, k)]++] = k;
	for (uint32_t i = s; i > 0; i--)
		r->first[i] = r->first[i - 1];
	r->first[0] = 0;
	find_distances(r);
	return plan_routes_chain(plan, &plan->routes, &r->chain, err);
}

static void close_rerouting(struct rerouting *r)
{
	free(r->distance);
	free(r->first);
	free(r->leaving);
	free(r->met);
}

static void set_route(struct plan *plan, uint32_t from, uint32_t to, const uint32_t *steps,
		      uint32_t count)
{
	const size_t pair = (size_t)from * plan->switches + to;

	memcpy(plan->routes.steps + pair * PLAN_STEPS_MAX, steps, count * sizeof(*steps));
	plan->routes.counts[pair] = (uint8_t)count;
}

static bool plan_reroute_is_better(const struct plan_score *score, const struct plan_score *than)
{
	return score->most < than->most * (1 - 1e-9) ||
	       (plan_not_above(score->most, than->most) &&
		score->uneven < than->uneven * (1 - EVENER));
}

// A whole path that keeps the conditions: is it the best so far? The pair's own flow is not on any
// channel meanwhile.
static void consider(struct rerouting *r, uint32_t count, double busiest)
{
	struct plan *plan = r->plan;
	struct plan_score score;
	uint32_t chain = 0;
	bool better;

	r->paths++;
	plan->left--;
	for (uint32_t i = 0; i < count; i++)
		if (plan_utilisation(plan, r->path[i]) +
			    (double)r->amount * plan->weight[r->path[i]] >
		    busiest * (1 - 1e-12))
			return;
	set_route(plan, r->from, r->to, r->path, count);
	plan_put(plan, r->from, r->to, r->amount);
	score = plan_score(plan);
	better = plan_reroute_is_better(&score, &r->best);
	if (better) {
		plan->left -= CYCLE_WEIGHT;
		r->failed = plan_routes_chain(plan, &plan->routes, &chain, r->err) != TR_OK;
	}
	plan_put(plan, r->from, r->to, 0 - r->amount);
	if (!better || r->failed || chain > r->chain)
		return;
	r->best = score;
	r->found_count = count;
	memcpy(r->found, r->path, count * sizeof(*r->path));
}

// Lengthens the path, which is at a switch, to exactly length channels.
static void plan_reroute_lengthen(struct rerouting *r, uint32_t at, uint32_t count, uint32_t length,
				  double busiest)
{
	const uint32_t s = r->plan->switches;

	if (at == r->to) {
		if (count == length)
			consider(r, count, busiest);
		return;
	}
	for (uint32_t i = r->first[at]; i < r->first[at + 1] && r->paths < PATHS_MAX && !r->failed;
	     i++) {
		const uint32_t k = r->leaving[i], next = plan_channel_to(r->plan, k);

		if (k == r->busy || r->met[next] ||
		    count + 1 + r->distance[(size_t)next * s + r->to] > length)
			continue;
		r->met[next] = true;
		r->path[count] = k;
		plan_reroute_lengthen(r, next, count + 1, length, busiest);
		r->met[next] = false;
	}
}

static enum tr_status plan_reroute_note(struct plan *plan, uint32_t from, uint32_t to,
					const uint32_t *old, uint32_t old_count,
					const struct plan_score *before, struct tr_error *err)
{
	char words[2][260], name[NET_NAME_MAX + 16], name_to[NET_NAME_MAX + 16];
	uint32_t count;
	const uint32_t *now = plan_route(plan, from, to, &count);

	for (int i = 0; i < 2; i++) {
		const uint32_t n = i ? count : old_count;
		size_t used = 0;

		*words[i] = '\0';
		if (n == 1)
			used = (size_t)snprintf(words[i], sizeof(words[i]), " directly");
		for (uint32_t j = 0; j + 1 < n && used < sizeof(words[i]); j++)
			used += (size_t)snprintf(
				words[i] + used, sizeof(words[i]) - used, "%s%s",
				j ? ", " : " over ",
				plan_switch_name(plan, plan_channel_to(plan, (i ? now : old)[j]),
						 name, sizeof(name)));
	}
	return plan_note(plan, 3, "relieves a busy channel", before->most, err,
			 "route %s to %s%s, not%s",
			 plan_switch_name(plan, from, name, sizeof(name)),
			 plan_switch_name(plan, to, name_to, sizeof(name_to)), words[1], words[0]);
}

// Another route for a pair that uses the busy channel.
static enum tr_status try_pair(struct rerouting *r, const struct plan_score *now, bool *done)
{
	struct plan *plan = r->plan;
	const double busiest = plan_utilisation(plan, r->busy);
	uint32_t old[PLAN_STEPS_MAX], old_count;
	const uint32_t *steps = plan_route(plan, r->from, r->to, &old_count);
	const uint32_t longest = old_count + 2 < PLAN_STEPS_MAX ? old_count + 2 : PLAN_STEPS_MAX;

	memcpy(old, steps, old_count * sizeof(*old));
	r->best = *now;
	r->found_count = 0;
	r->paths = 0;
	plan_put(plan, r->from, r->to, 0 - r->amount);
	r->met[r->from] = true;
	for (uint32_t length = r->distance[(size_t)r->from * plan->switches + r->to];
	     length <= longest; length++)
		plan_reroute_lengthen(r, r->from, 0, length, busiest);
	r->met[r->from] = false;
	set_route(plan, r->from, r->to, r->found_count > 0 ? r->found : old,
		  r->found_count > 0 ? r->found_count : old_count);
	plan_put(plan, r->from, r->to, r->amount);
	*done = r->found_count > 0;
	if (r->failed)
		return TR_ERROR;
	return *done ? plan_reroute_note(plan, r->from, r->to, old, old_count, now, r->err) : TR_OK;
}

// The pairs that use a channel, one after the other until one finds another route.
static enum tr_status plan_reroute_relieve(struct rerouting *r, bool *done)
{
	struct plan *plan = r->plan;
	const struct plan_score now = plan_score(plan);

	*done = false;
	for (uint32_t i = 0; i < plan->switches; i++)
		for (uint32_t j = 0; j < plan->switches; j++) {
			r->amount = plan->between[(size_t)i * plan->switches + j];
			r->from = i;
			r->to = j;
			if (i == j || r->amount == 0 || !plan_uses(plan, i, j, r->busy))
				continue;
			if (try_pair(r, &now, done) != TR_OK)
				return TR_ERROR;
			if (*done)
				return TR_OK;
		}
	return TR_OK;
}

enum tr_status plan_reroute(struct plan *plan, double delta, uint32_t *changed,
			    struct tr_error *err)
{
	bool *tried = calloc((size_t)plan_channels(plan) + 1, sizeof(*tried));
	struct rerouting r;
	enum tr_status status = open_rerouting(&r, plan, err);

	*changed = 0;
	if (!tried)
		status = tr_no_memory(err, "busy channels");
	while (status == TR_OK && plan->left > 0 &&
	       (r.busy = plan_next_busy(plan, tried, delta)) != NET_NOBODY) {
		bool done = false;

		status = plan_reroute_relieve(&r, &done);
		if (done)
			memset(tried, 0, plan_channels(plan) * sizeof(*tried));
		else
			tried[r.busy] = true;
		*changed += done;
	}
	free(tried);
	close_rerouting(&r);
	return status;
}
