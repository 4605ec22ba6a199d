// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan.h"
#include "value/grow.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum tr_status plan_allocate(struct plan *plan, const struct net_topology *topology,
				    struct tr_error *err)
{
	const size_t nodes = topology->hosts, switches = topology->switches;
	const size_t channels = 2 * topology->cable_count + 2;

	plan->at = calloc(nodes + 1, sizeof(*plan->at));
	plan->held = calloc(switches + 1, sizeof(*plan->held));
	plan->ports = calloc(switches + 1, sizeof(*plan->ports));
	plan->share = calloc(switches + 1, sizeof(*plan->share));
	plan->room = calloc(switches + 1, sizeof(*plan->room));
	plan->served = calloc(switches + 1, sizeof(*plan->served));
	plan->cables = calloc(topology->cable_count + 1, sizeof(*plan->cables));
	plan->out = calloc(nodes * switches + 1, sizeof(*plan->out));
	plan->in = calloc(nodes * switches + 1, sizeof(*plan->in));
	plan->between = calloc(switches * switches + 1, sizeof(*plan->between));
	plan->flow = calloc(channels, sizeof(*plan->flow));
	plan->weight = calloc(channels, sizeof(*plan->weight));
	plan->measured = calloc(channels, sizeof(*plan->measured));
	if (!plan->at || !plan->held || !plan->ports || !plan->share || !plan->room ||
	    !plan->served || !plan->cables || !plan->out || !plan->in || !plan->between ||
	    !plan->flow || !plan->weight || !plan->measured)
		return tr_no_memory(err, "the plan of %zu nodes", nodes);
	return plan_routes_open(&plan->routes, topology->switches, err);
}

static enum tr_status take_cables(struct plan *plan, const struct plan_setup *setup,
				  struct tr_error *err)
{
	const struct net_topology *topology = setup->topology;
	char name[NET_NAME_MAX + 16];

	for (uint32_t i = 0; i < plan->nodes; i++)
		plan->at[i] = NET_NOBODY;
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];
		const double rate_Bps = cable->rate_bps.den != 0 ? num_value(cable->rate_bps) / 8
								 : setup->link_rate_Bps;
		const uint32_t a = cable->ends[0].node, b = cable->ends[1].node;

		if (a < plan->nodes && b >= plan->nodes)
			plan->at[a] = b - plan->nodes;
		else if (b < plan->nodes && a >= plan->nodes)
			plan->at[b] = a - plan->nodes;
		if (a < plan->nodes || b < plan->nodes || a == b)
			continue;
		if (!(rate_Bps > 0))
			return tr_fail(err, "cable %zu: expected a rate above zero", i);
		plan->weight[2 * plan->cable_count] = plan->weight[2 * plan->cable_count + 1] =
			plan->unit_Bps / rate_Bps;
		plan->cables[plan->cable_count++] = (struct plan_cable){
			.ends = {{a - plan->nodes, cable->ends[0].port},
				 {b - plan->nodes, cable->ends[1].port}},
			.rate_Bps = rate_Bps,
			.given = i,
		};
	}
	for (uint32_t i = 0; i < plan->nodes; i++)
		if (plan->at[i] == NET_NOBODY)
			return tr_fail(err, "%s is on no switch",
				       net_topology_name(topology, i, name, sizeof(name)));
	return TR_OK;
}

// Ports that are left for nodes, and shares.
static void plan_find_room(struct plan *plan)
{
	const uint32_t even = (plan->nodes + plan->switches - 1) / plan->switches;
	uint32_t servers = 0;

	for (uint32_t s = 0; s < plan->switches; s++)
		plan->room[s] = plan->ports[s] = plan->given->ports[s];
	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			plan->room[plan->cables[c].ends[end].node]--;
	for (uint32_t i = 0; i < plan->nodes; i++) {
		plan->held[plan->at[i]]++;
		plan->served[plan->at[i]] += plan_is_server(plan, i);
		servers += plan_is_server(plan, i);
	}
	plan->servers_most = (servers + plan->switches - 1) / plan->switches;
	for (uint32_t s = 0; s < plan->switches; s++) {
		plan->share[s] = plan->held[s] > even ? plan->held[s] : even;
		if (plan->share[s] > plan->room[s])
			plan->share[s] = plan->room[s];
		plan->room[s] = plan->share[s];
	}
}

// Each place of the blocks has a cable.
static enum tr_status take_blocks(struct plan *plan, const struct net_blocks *given,
				  struct tr_error *err)
{
	const uint32_t places = given->first[given->count];
	struct net_blocks *blocks = calloc(1, sizeof(*blocks));
	bool *taken = calloc(plan->cable_count + 1, sizeof(*taken));

	plan->rule.blocks = blocks;
	plan->rule.cable_of_place = calloc(places + 1, sizeof(*plan->rule.cable_of_place));
	if (blocks) {
		*blocks = (struct net_blocks){.switches = given->switches, .count = given->count};
		blocks->first = calloc((size_t)given->count + 1, sizeof(*blocks->first));
		blocks->objects = calloc(places + 1, sizeof(*blocks->objects));
	}
	if (!blocks || !taken || !plan->rule.cable_of_place || !blocks->first || !blocks->objects) {
		free(taken);
		return tr_no_memory(err, "the blocks");
	}
	memcpy(blocks->first, given->first, (given->count + 1) * sizeof(*blocks->first));
	memcpy(blocks->objects, given->objects, places * sizeof(*blocks->objects));
	for (uint32_t block = 0; block < given->count; block++)
		for (uint32_t p = given->first[block]; p + 1 < given->first[block + 1]; p++) {
			const uint32_t a = given->objects[p], b = given->objects[p + 1];
			uint32_t c = 0;

			while (c < plan->cable_count &&
			       (taken[c] || !((plan->cables[c].ends[0].node == a &&
					       plan->cables[c].ends[1].node == b) ||
					      (plan->cables[c].ends[0].node == b &&
					       plan->cables[c].ends[1].node == a))))
				c++;
			if (c == plan->cable_count) {
				free(taken);
				return tr_fail(err,
					       "block %u: the network has no cable left between "
					       "switches %u and %u",
					       block, a, b);
			}
			taken[c] = true;
			plan->rule.cable_of_place[p] = c;
		}
	free(taken);
	return TR_OK;
}

// All sums of the traffic must fit, on the longest routes.
static enum tr_status check_traffic(struct plan *plan, struct tr_error *err)
{
	const uint64_t most = UINT64_MAX / (PLAN_STEPS_MAX + 2);

	for (uint32_t i = 0; i < plan->nodes; i++)
		for (uint32_t j = 0; j < plan->nodes; j++) {
			const uint64_t amount = i != j ? plan->traffic[(size_t)i * plan->nodes + j]
						       : 0;

			if (amount > most || plan->offered > most - amount)
				return tr_fail(err, "all traffic together is above %llu bytes",
					       (unsigned long long)most);
			plan->offered += amount;
		}
	return plan->offered > 0 ? TR_OK : tr_fail(err, "no node sends anything to another");
}

enum tr_status plan_open(struct plan *plan, const struct plan_setup *setup, struct tr_error *err)
{
	const struct net_topology *topology = setup->topology;
	uint32_t chain;

	*plan = (struct plan){.given = topology,
			      .nodes = topology->hosts,
			      .switches = topology->switches,
			      .traffic = setup->traffic,
			      .unit_Bps = setup->unit_Bps,
			      .servers = setup->servers,
			      .rule = {.text = setup->rule}};
	if (topology->hosts < 2 || topology->hosts > PLAN_NODES_MAX)
		return tr_fail(err, "expected 2 to %u hosts, found %u", PLAN_NODES_MAX,
			       topology->hosts);
	if (topology->switches == 0 || topology->switches > PLAN_SWITCHES_MAX)
		return tr_fail(err, "expected 1 to %u switches, found %u", PLAN_SWITCHES_MAX,
			       topology->switches);
	if (plan_allocate(plan, topology, err) != TR_OK || take_cables(plan, setup, err) != TR_OK ||
	    check_traffic(plan, err) != TR_OK)
		return TR_ERROR;
	plan_find_room(plan);
	if ((setup->blocks && take_blocks(plan, setup->blocks, err) != TR_OK) ||
	    plan_routes_make(plan, &plan->routes, err) != TR_OK ||
	    plan_routes_chain(plan, &plan->routes, &chain, err) != TR_OK)
		return TR_ERROR;
	plan->acyclic = chain != PLAN_ENDLESS;
	plan_count(plan);
	plan_begin(plan);
	return TR_OK;
}

#define WEIGHED 8000000 // changes, over the switches

void plan_begin(struct plan *plan)
{
	plan->left = WEIGHED / plan->switches;
}

void plan_close(struct plan *plan)
{
	plan_forget_moves(plan, 0);
	free(plan->moves);
	free(plan->at);
	free(plan->held);
	free(plan->ports);
	free(plan->share);
	free(plan->room);
	free(plan->served);
	free(plan->cables);
	free(plan->out);
	free(plan->in);
	free(plan->between);
	free(plan->flow);
	free(plan->weight);
	free(plan->measured);
	free(plan->rule.cable_of_place);
	if (plan->rule.blocks)
		net_blocks_close(plan->rule.blocks);
	free(plan->rule.blocks);
	plan_routes_close(&plan->routes);
	*plan = (struct plan){0};
}

void plan_put(struct plan *plan, uint32_t from, uint32_t to, uint64_t amount)
{
	uint32_t count;
	const uint32_t *steps = plan_route(plan, from, to, &count);

	plan->between[(size_t)from * plan->switches + to] += amount;
	if (from == to)
		plan->local += amount;
	plan->hops += count * amount;
	for (uint32_t i = 0; i < count; i++)
		plan->flow[steps[i]] += amount;
}

void plan_count(struct plan *plan)
{
	const size_t s = plan->switches, n = plan->nodes;

	memset(plan->out, 0, n * s * sizeof(*plan->out));
	memset(plan->in, 0, n * s * sizeof(*plan->in));
	memset(plan->between, 0, s * s * sizeof(*plan->between));
	memset(plan->flow, 0, plan_channels(plan) * sizeof(*plan->flow));
	plan->local = plan->hops = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const uint64_t amount = i != j ? plan->traffic[i * n + j] : 0;

			plan->out[i * s + plan->at[j]] += amount;
			plan->in[j * s + plan->at[i]] += amount;
		}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t t = 0; t < s; t++)
			if (plan->out[i * s + t] > 0)
				plan_put(plan, plan->at[i], t, plan->out[i * s + t]);
}

bool plan_uses(const struct plan *plan, uint32_t from, uint32_t to, uint32_t channel)
{
	uint32_t count;
	const uint32_t *steps = plan_route(plan, from, to, &count);

	for (uint32_t i = 0; i < count; i++)
		if (steps[i] == channel)
			return true;
	return false;
}

struct plan_score plan_score(const struct plan *plan)
{
	struct plan_score score = {.busiest = NET_NOBODY, .hops = plan->hops};
	const uint32_t channels = plan_channels(plan);
	double sum = 0;

	for (uint32_t k = 0; k < channels; k++) {
		const double u = plan_utilisation(plan, k), square = u * u,
			     fourth = square * square;

		if (score.busiest == NET_NOBODY || u > score.most) {
			score.most = u;
			score.busiest = k;
		}
		sum += u;
		score.uneven += fourth * fourth;
	}
	score.mean = channels > 0 ? sum / channels : 0;
	return score;
}

bool plan_not_above(double most, double before)
{
	return most <= before * (1 + 1e-12);
}

const char *plan_switch_name(const struct plan *plan, uint32_t at, char *out, size_t out_bytes)
{
	return net_topology_name(plan->given, plan->nodes + at, out, out_bytes);
}

const char *plan_hop_name(const struct plan *plan, uint32_t from, uint32_t to, char *out,
			  size_t out_bytes)
{
	char names[2][NET_NAME_MAX + 16];

	(void)snprintf(out, out_bytes, "%s>%s",
		       plan_switch_name(plan, from, names[0], sizeof(names[0])),
		       plan_switch_name(plan, to, names[1], sizeof(names[1])));
	return out;
}

const char *plan_channel_name(const struct plan *plan, uint32_t channel, char *out,
			      size_t out_bytes)
{
	if (channel != NET_NOBODY)
		return plan_hop_name(plan, plan_channel_from(plan, channel),
				     plan_channel_to(plan, channel), out, out_bytes);
	(void)snprintf(out, out_bytes, "-");
	return out;
}

enum tr_status plan_note(struct plan *plan, unsigned step, const char *why, double most_before,
			 struct tr_error *err, const char *format, ...)
{
	struct plan_move *move;
	char what[600];
	va_list words;

	if (!GROW_BY_COUNT(plan->moves, plan->move_count))
		return tr_no_memory(err, "the moves");
	va_start(words, format);
	(void)vsnprintf(what, sizeof(what), format, words);
	va_end(words);
	move = &plan->moves[plan->move_count];
	*move = (struct plan_move){.step = step,
				   .what = strdup(what),
				   .why = why,
				   .most_before = most_before,
				   .most = plan_score(plan).most,
				   .hops = plan->hops,
				   .local = plan->local};
	if (!move->what)
		return tr_no_memory(err, "the moves");
	plan->move_count++;
	return TR_OK;
}

void plan_forget_moves(struct plan *plan, size_t count)
{
	while (plan->move_count > count)
		free(plan->moves[--plan->move_count].what);
}

uint32_t plan_next_busy(const struct plan *plan, const bool *tried, double delta)
{
	uint32_t busy = NET_NOBODY;
	double most = delta;

	for (uint32_t k = 0; k < plan_channels(plan); k++)
		if (!tried[k] && plan->flow[k] > 0 && plan_utilisation(plan, k) > most) {
			most = plan_utilisation(plan, k);
			busy = k;
		}
	return busy;
}

bool plan_joined(const struct plan *plan, uint32_t a, uint32_t b)
{
	for (uint32_t c = 0; c < plan->cable_count; c++) {
		const struct net_end *ends = plan->cables[c].ends;

		if ((ends[0].node == a && ends[1].node == b) ||
		    (ends[0].node == b && ends[1].node == a))
			return true;
	}
	return false;
}
