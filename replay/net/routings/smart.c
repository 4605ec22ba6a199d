// SPDX-License-Identifier: GPL-3.0-or-later
// Smart routing (L. Cherkasova, V. Kotov and T. Rokicki, Fibre channel fabrics: evaluation and
// design, 1996), of which the text was not at hand: as Qiao (1997, section 4.1) outlines it, cycles
// of the channel dependency graph are broken at the dependency that costs least until none is left,
// by a heuristic on the mean length of routes. Here the dependencies of a spanning tree are never
// broken, so that all hosts stay joined. The others join the tree's in the order of their costs,
// the dearest first, unless they close a cycle, so that each one left out is the cheapest of a
// cycle. A dependency costs the traffic that it carries where all pairs of hosts send alike and
// share it out evenly among all shortest ways: traffic that would have to take another, often
// longer way. In small networks cycles are also broken one by one, each at the dependency without
// which the shortest ways of all pairs of hosts have the smallest sum, before the others join; the
// shorter routes of both are taken.
#include <stdlib.h>
#include <string.h>

#include "net/routings/acyclic.h"
#include "net/routings/channels.h"
#include "net/routings/routing.h"
#include "net/routings/smart.h"

enum smart_balance { BALANCE_ROUNDS, BALANCE_LP };

struct smart_params {
	bool adaptive;
	enum smart_balance balance;
};

static const struct key keys[] = {
	{"adaptive", KEY_FLAG, offsetof(struct smart_params, adaptive), "no|yes", NULL,
	 "whether worms may choose among all ways that are left"},
	{"balance", KEY_WORD, offsetof(struct smart_params, balance), "rounds|lp", "adaptive=no",
	 "how one path is chosen for each pair: in rounds, or by a linear program"},
	{.type = KEY_END},
};

static const struct smart_params usual = {false, BALANCE_ROUNDS};

#define ROUNDS 20u	// of balancing
#define ROUNDS_LARGE 3u // of more than
#define LARGE 128u	// switches with hosts
#define EXACT_MAX \
	100000000u // switches with hosts, times the square of the turns, of small networks
#define SHARE ((uint64_t)1 << 20) // of a pair of hosts, so that it can be halved

// Everything at work.
struct smart_work {
	struct net_channels channels;
	struct net_acyclic kept;
	uint64_t *costs; // of a turn
	uint32_t *turns; // by their costs
	uint32_t *from;	 // of a turn: its first channel
	uint64_t *flow;	 // of a channel: to the destination at work
	uint16_t *distance;
	uint32_t *order;
};

// What comes to a switch by a channel, or from its hosts (NET_NOBODY), goes on in equal shares.
static void smart_share_out(struct smart_work *work, uint32_t at, uint32_t held, uint64_t flow)
{
	const struct net_channels *channels = &work->channels;
	uint32_t count = 0;

	for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++)
		count += work->distance[channels->all[c].to] < work->distance[at];
	for (uint32_t c = channels->first[at]; count > 0 && c < channels->first[at + 1]; c++) {
		if (work->distance[channels->all[c].to] >= work->distance[at])
			continue;
		work->flow[c] += flow / count;
		if (held != NET_NOBODY)
			work->costs[net_channels_turn(channels, held, c)] += flow / count;
	}
}

// Adds the traffic to a switch to the costs, from the farthest switches on.
static void add_costs(struct smart_work *work, uint32_t to)
{
	const struct net_channels *channels = &work->channels;
	const uint32_t met = net_channels_distances(channels, to, work->distance, work->order);

	memset(work->flow, 0, channels->count * sizeof(*work->flow));
	for (uint32_t i = met; i > 1; i--) {
		const uint32_t at = work->order[i - 1];

		smart_share_out(work, at, NET_NOBODY,
				SHARE * channels->hosts_at[at] * channels->hosts_at[to]);
		for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++)
			if (work->flow[channels->all[c].back] > 0)
				smart_share_out(work, at, channels->all[c].back,
						work->flow[channels->all[c].back]);
	}
}

// Keeps the turns of a spanning tree from the first host's switch.
static void keep_tree(struct smart_work *work)
{
	const struct net_channels *channels = &work->channels;
	uint32_t root = 0;
	uint32_t met;

	while (root + 1 < channels->switches && channels->hosts_at[root] == 0)
		root++;
	met = net_channels_distances(channels, root, work->distance, work->order);
	memset(work->flow, 0, channels->count * sizeof(*work->flow)); // 1: in the tree
	for (uint32_t i = 1; i < met; i++)
		for (uint32_t c = channels->first[work->order[i]];
		     c < channels->first[work->order[i] + 1]; c++)
			if (work->distance[channels->all[c].to] < work->distance[work->order[i]]) {
				work->flow[c] = work->flow[channels->all[c].back] = 1;
				break;
			}
	for (uint32_t c = 0; c < channels->count; c++)
		for (uint32_t next = channels->first[channels->all[c].to];
		     next < channels->first[channels->all[c].to + 1]; next++)
			if (work->flow[c] == 1 && work->flow[next] == 1 &&
			    next != channels->all[c].back)
				(void)net_acyclic_add(&work->kept, c, next);
}

static int smart_compare(const void *a, const void *b, void *context)
{
	const struct smart_work *work = context;
	const uint32_t one = *(const uint32_t *)a;
	const uint32_t other = *(const uint32_t *)b;

	if (work->costs[one] != work->costs[other])
		return work->costs[one] > work->costs[other] ? -1 : 1;
	return one < other ? -1 : one > other;
}

// Keeps turns, the dearest first, but none that goes straight back.
static void keep_dearest(struct smart_work *work)
{
	const struct net_channels *channels = &work->channels;
	const uint32_t count = (uint32_t)net_channels_turns(channels);

	for (uint32_t c = 0; c < channels->count; c++)
		for (size_t turn = channels->turn[c]; turn < channels->turn[c + 1]; turn++) {
			work->turns[turn] = (uint32_t)turn;
			work->from[turn] = c;
		}
	qsort_r(work->turns, count, sizeof(*work->turns), smart_compare, work);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t c = work->from[work->turns[i]];
		const uint32_t next = channels->first[channels->all[c].to] +
				      (uint32_t)(work->turns[i] - channels->turn[c]);

		if (channels->all[next].to != channels->all[c].from)
			(void)net_acyclic_add(&work->kept, c, next);
	}
}

// Keeps what is left when cycles are broken one by one.
static enum tr_status smart_keep_best(struct smart_work *work, struct tr_error *err)
{
	const struct net_channels *channels = &work->channels;
	const uint64_t turns = net_channels_turns(channels);
	uint8_t *left;
	enum tr_status status;

	left = calloc(turns + 1, 1);
	if (!left)
		return tr_no_memory(err, "the dependencies of channels");
	for (uint32_t c = 0; c < channels->count; c++)
		for (uint32_t next = channels->first[channels->all[c].to];
		     next < channels->first[channels->all[c].to + 1]; next++)
			left[net_channels_turn(channels, c, next)] = channels->all[next].to !=
								     channels->all[c].from;
	status = net_smart_break(left, channels, work->kept.used, work->costs, err);
	for (uint32_t c = 0; c < channels->count; c++)
		for (uint32_t next = channels->first[channels->all[c].to];
		     next < channels->first[channels->all[c].to + 1]; next++)
			if (left[net_channels_turn(channels, c, next)] != 0)
				(void)net_acyclic_add(&work->kept, c, next);
	free(left);
	return status;
}

static enum tr_status smart_open_work(struct smart_work *work, const struct net_topology *topology,
				      struct tr_error *err)
{
	const struct net_channels *channels = &work->channels;
	size_t turns;

	if (net_channels_open(&work->channels, topology, err) != TR_OK)
		return TR_ERROR;
	turns = net_channels_turns(channels) + 1;
	work->costs = calloc(turns, sizeof(*work->costs));
	work->turns = calloc(turns, sizeof(*work->turns));
	work->from = calloc(turns, sizeof(*work->from));
	work->flow = calloc((size_t)channels->count + 1, sizeof(*work->flow));
	work->distance = calloc((size_t)channels->switches + 1, sizeof(*work->distance));
	work->order = calloc((size_t)channels->switches + 1, sizeof(*work->order));
	if (!work->costs || !work->turns || !work->from || !work->flow || !work->distance ||
	    !work->order)
		return tr_no_memory(err, "the dependencies of channels");
	return TR_OK;
}

static void smart_close_work(struct smart_work *work)
{
	net_acyclic_close(&work->kept);
	net_channels_close(&work->channels);
	free(work->costs);
	free(work->turns);
	free(work->from);
	free(work->flow);
	free(work->distance);
	free(work->order);
}

// The paths as routes.
struct paths {
	struct net_channels channels;
	struct net_smart smart;
	uint32_t *end_of; // of a switch with hosts: its place among these
};

static uint32_t smart_get(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	const struct paths *paths = state;
	const struct net_graph *graph = &paths->channels.graph;
	const struct net_peer *out = net_graph_peer(graph, source, 0);
	const struct net_peer *last = net_graph_peer(graph, destination, 0);
	uint32_t count = 0;
	size_t pair;

	if (!net_graph_is_switch(graph, out->node) || !net_graph_is_switch(graph, last->node))
		return out->node == destination ? 0 : NET_NO_ROUTE;
	pair = (size_t)paths->end_of[out->node - graph->hosts] * paths->smart.ends +
	       paths->end_of[last->node - graph->hosts];
	for (size_t i = paths->smart.first[pair]; i < paths->smart.first[pair + 1]; i++)
		ports[count++] = (uint16_t)paths->channels.all[paths->smart.paths[i]].port;
	ports[count++] = (uint16_t)last->port;
	return count;
}

static void smart_clear(void *state)
{
	struct paths *paths = state;

	net_channels_close(&paths->channels);
	net_smart_close(&paths->smart);
	free(paths->end_of);
	free(paths);
}

static const struct net_routes_form form = {smart_get, smart_clear};

// The channels become the routes'.
static enum tr_status make_balanced(struct net_routes *routes, struct smart_work *work,
				    enum smart_balance balance, struct tr_error *err)
{
	struct paths *paths = calloc(1, sizeof(*paths));
	enum tr_status status;

	if (!paths)
		return tr_no_memory(err, "routes");
	paths->channels = work->channels;
	work->channels = (struct net_channels){0};
	*routes = (struct net_routes){
		.hosts = paths->channels.graph.hosts, .longest = 1, .form = &form, .state = paths};
	paths->end_of = calloc((size_t)paths->channels.switches + 1, sizeof(*paths->end_of));
	status = paths->end_of
			 ? net_smart_open(&paths->smart, &paths->channels, work->kept.used, err)
			 : tr_no_memory(err, "routes");
	if (status == TR_OK && balance == BALANCE_LP)
		status = net_smart_solve(&paths->smart, err);
	if (status == TR_OK)
		status = net_smart_balance(&paths->smart, balance == BALANCE_LP,
					   paths->smart.ends > LARGE ? ROUNDS_LARGE : ROUNDS, err);
	for (uint32_t end = 0; status == TR_OK && end < paths->smart.ends; end++)
		paths->end_of[paths->smart.end[end]] = end;
	for (uint32_t pair = 0; status == TR_OK && pair < paths->smart.ends * paths->smart.ends;
	     pair++) {
		const uint32_t hops = net_smart_length(&paths->smart, pair / paths->smart.ends,
						       pair % paths->smart.ends);

		routes->longest = hops + 1 > routes->longest ? hops + 1 : routes->longest;
	}
	paths->smart.allowed = NULL; // it was lent
	free(paths->smart.distance);
	paths->smart.distance = NULL;
	return status;
}

// Chooses what is kept, by costs alone or one by one first.
static enum tr_status smart_keep(struct smart_work *work, bool one_by_one, struct tr_error *err)
{
	net_acyclic_close(&work->kept);
	if (net_acyclic_open(&work->kept, &work->channels, err) != TR_OK)
		return TR_ERROR;
	if (work->channels.switches > 0)
		keep_tree(work);
	if (one_by_one && smart_keep_best(work, err) != TR_OK)
		return TR_ERROR;
	keep_dearest(work);
	return TR_OK;
}

// Adds up the routes of all pairs of hosts on what is kept.
static enum tr_status smart_add_up(const struct smart_work *work, uint64_t *total,
				   struct tr_error *err)
{
	struct net_smart smart;
	enum tr_status status = net_smart_open(&smart, &work->channels, work->kept.used, err);

	if (status == TR_OK)
		*total = net_smart_measure(&smart);
	net_smart_close(&smart);
	return status;
}

static bool is_small(const struct net_channels *channels)
{
	const uint64_t turns = net_channels_turns(channels);
	uint64_t ends = 0;

	for (uint32_t at = 0; at < channels->switches; at++)
		ends += channels->hosts_at[at] > 0;
	return turns <= UINT16_MAX && ends * turns * turns <= EXACT_MAX;
}

static enum tr_status smart_choose(struct smart_work *work, struct tr_error *err)
{
	const struct net_channels *channels = &work->channels;
	uint64_t by_costs;
	uint64_t one_by_one;

	for (uint32_t to = 0; to < channels->switches; to++)
		if (channels->hosts_at[to] > 0)
			add_costs(work, to);
	if (!is_small(channels))
		return smart_keep(work, false, err);
	if (smart_keep(work, false, err) != TR_OK || smart_add_up(work, &by_costs, err) != TR_OK ||
	    smart_keep(work, true, err) != TR_OK || smart_add_up(work, &one_by_one, err) != TR_OK)
		return TR_ERROR;
	return one_by_one <= by_costs ? TR_OK : smart_keep(work, false, err);
}

static enum tr_status smart_make(struct net_routes *routes, const struct net_topology *topology,
				 const void *params, struct tr_error *err)
{
	const struct smart_params *smart = params;
	struct smart_work work = {0};
	enum tr_status status = smart_open_work(&work, topology, err);

	*routes = (struct net_routes){0};
	if (status == TR_OK)
		status = smart_choose(&work, err);
	if (status == TR_OK) {
		const struct net_turning turning = {work.kept.used, false};

		status = smart->adaptive
				 ? net_channels_choices(routes, &work.channels, &turning, err)
				 : make_balanced(routes, &work, smart->balance, err);
	}
	smart_close_work(&work);
	return status;
}

const struct net_routing net_routing_smart = {
	.name = "smart",
	.summary = "cycles of dependencies broken where it costs least; no deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = smart_make,
};
