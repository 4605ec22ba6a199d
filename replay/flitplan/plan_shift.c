// SPDX-License-Identifier: GPL-3.0-or-later
// One node to another switch, or two that change places: what that does to all sums, and back.
#include "plan.h"

static uint64_t sends(const struct plan *plan, uint32_t from, uint32_t to)
{
	return plan->traffic[(size_t)from * plan->nodes + to];
}

bool plan_shift_allowed(const struct plan *plan, struct plan_shift shift)
{
	const uint32_t from = plan->at[shift.node];
	const bool server = plan_is_server(plan, shift.node);
	const bool back = shift.other != NET_NOBODY && plan_is_server(plan, shift.other);

	if (from == shift.to)
		return false;
	if (shift.other == NET_NOBODY && plan->held[shift.to] >= plan->room[shift.to])
		return false;
	if (server && !back && plan->served[shift.to] >= plan->servers_most)
		return false;
	return !back || server || plan->served[from] < plan->servers_most;
}

// Takes the node's flows from one switch to another, as its rows of out and in say.
static void plan_shift_carry(struct plan *plan, uint32_t node, uint32_t from, uint32_t to)
{
	const uint64_t *out = plan->out + (size_t)node * plan->switches;
	const uint64_t *in = plan->in + (size_t)node * plan->switches;

	for (uint32_t t = 0; t < plan->switches; t++) {
		if (out[t] > 0) {
			plan_put(plan, from, t, 0 - out[t]);
			plan_put(plan, to, t, out[t]);
		}
		if (in[t] > 0) {
			plan_put(plan, t, from, 0 - in[t]);
			plan_put(plan, t, to, in[t]);
		}
	}
}

// In the rows of one node another one is on the switch to, no longer on from.
static void plan_shift_meet(struct plan *plan, uint32_t node, uint32_t other, uint32_t from,
			    uint32_t to)
{
	uint64_t *out = plan->out + (size_t)node * plan->switches;
	uint64_t *in = plan->in + (size_t)node * plan->switches;

	out[from] -= sends(plan, node, other);
	out[to] += sends(plan, node, other);
	in[from] -= sends(plan, other, node);
	in[to] += sends(plan, other, node);
}

void plan_shift_try(struct plan *plan, struct plan_shift shift)
{
	const uint32_t from = plan->at[shift.node];

	plan_shift_carry(plan, shift.node, from, shift.to);
	if (shift.other == NET_NOBODY)
		return;
	plan_shift_meet(plan, shift.other, shift.node, from, shift.to);
	plan_shift_carry(plan, shift.other, shift.to, from);
	plan_shift_meet(plan, shift.other, shift.node, shift.to, from);
}

void plan_shift_back(struct plan *plan, struct plan_shift shift)
{
	const uint32_t from = plan->at[shift.node];

	if (shift.other != NET_NOBODY) {
		plan_shift_meet(plan, shift.other, shift.node, from, shift.to);
		plan_shift_carry(plan, shift.other, from, shift.to);
		plan_shift_meet(plan, shift.other, shift.node, shift.to, from);
	}
	plan_shift_carry(plan, shift.node, shift.to, from);
}

static void plan_shift_settle(struct plan *plan, uint32_t node, uint32_t to)
{
	const uint32_t from = plan->at[node];

	for (uint32_t i = 0; i < plan->nodes; i++)
		if (i != node)
			plan_shift_meet(plan, i, node, from, to);
	plan->held[from]--;
	plan->held[to]++;
	plan->served[from] -= plan_is_server(plan, node);
	plan->served[to] += plan_is_server(plan, node);
	plan->at[node] = to;
}

void plan_shift_keep(struct plan *plan, struct plan_shift shift)
{
	const uint32_t from = plan->at[shift.node];

	plan_shift_settle(plan, shift.node, shift.to);
	if (shift.other != NET_NOBODY)
		plan_shift_settle(plan, shift.other, from);
}

// Of one node that goes alone.
static int64_t hops_of(const struct plan *plan, uint32_t node, uint32_t from, uint32_t to)
{
	const size_t s = plan->switches;
	const uint64_t *out = plan->out + (size_t)node * s, *in = plan->in + (size_t)node * s;
	const uint8_t *counts = plan->routes.counts;
	uint64_t sum = 0;

	for (size_t t = 0; t < s; t++)
		sum += out[t] * ((uint64_t)counts[to * s + t] - counts[from * s + t]) +
		       in[t] * ((uint64_t)counts[t * s + to] - counts[t * s + from]);
	return (int64_t)sum;
}

int64_t plan_shift_hops(const struct plan *plan, struct plan_shift shift)
{
	const size_t s = plan->switches;
	const uint32_t from = plan->at[shift.node];
	const uint8_t *counts = plan->routes.counts;
	const uint64_t both = (uint64_t)counts[from * s + shift.to] + counts[shift.to * s + from];
	int64_t change = hops_of(plan, shift.node, from, shift.to);

	if (shift.other == NET_NOBODY)
		return change;
	// Each went as if the other stayed, and met it.
	change += hops_of(plan, shift.other, shift.to, from);
	return change + (int64_t)(both * (sends(plan, shift.node, shift.other) +
					  sends(plan, shift.other, shift.node)));
}

enum tr_status plan_shift_note(struct plan *plan, unsigned step, struct plan_shift shift,
			       const struct plan_score *before, uint64_t local_before,
			       struct tr_error *err)
{
	const char *why = "evens the channels";
	char node[NET_NAME_MAX + 16], other[NET_NAME_MAX + 16], a[NET_NAME_MAX + 16],
		b[NET_NAME_MAX + 16];
	const uint32_t now = plan->at[shift.node]; // it has been kept

	(void)net_topology_name(plan->given, shift.node, node, sizeof(node));
	(void)plan_switch_name(plan, now, b, sizeof(b));
	(void)plan_switch_name(plan, shift.to, a,
			       sizeof(a)); // where it was: the caller gives the way back
	if (plan->local > local_before)
		why = "raises locality";
	else if (plan->hops < before->hops)
		why = "shortens routes";
	else if (plan_score(plan).most < before->most)
		why = "relieves the busiest channel";
	if (shift.other == NET_NOBODY)
		return plan_note(plan, step, why, before->most, err, "move %s from %s to %s", node,
				 a, b);
	return plan_note(plan, step, why, before->most, err, "exchange %s on %s and %s on %s", node,
			 a, net_topology_name(plan->given, shift.other, other, sizeof(other)), b);
}
