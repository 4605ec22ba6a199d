// SPDX-License-Identifier: GPL-3.0-or-later
// Random networks: every route of every rule leads to its host, has the length found by a second algorithm, obeys its rule, and
// worms deadlock exactly if a plain search finds a cycle. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/channel_load.h"
#include "net/deadlock.h"
#include "net/route_path.h"
#include "net/routings/routing.h"
#include "trace/random.h"

#define SWITCHES_MAX 14u
#define PORTS 8u
#define LINKS_MAX (2u * SWITCHES_MAX * PORTS)
#define FAR 10000

struct bed {
	struct net_topology topology;
	uint32_t ports[SWITCHES_MAX];
	struct net_cable cables[SWITCHES_MAX * PORTS];
	uint32_t used[SWITCHES_MAX][PORTS]; // 1: has a cable
	struct net_graph graph;
	int rank[SWITCHES_MAX]; // of the breadth-first search from switch 0
};

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 4000 : 100;
}

static uint32_t free_port(struct bed *bed, struct tr_random *random, uint32_t at)
{
	uint32_t port = (uint32_t)tr_random_below(random, PORTS);

	for (uint32_t i = 0; i < PORTS; i++, port = (port + 1) % PORTS)
		if (bed->used[at][port] == 0) {
			bed->used[at][port] = 1;
			return port;
		}
	return PORTS;
}

static bool lay(struct bed *bed, struct tr_random *random, uint32_t from, uint32_t to)
{
	uint32_t a = free_port(bed, random, from);
	uint32_t b = free_port(bed, random, to);
	uint32_t hosts = bed->topology.hosts;

	if (a == PORTS || b == PORTS) {
		if (a < PORTS)
			bed->used[from][a] = 0;
		if (b < PORTS)
			bed->used[to][b] = 0;
		return false;
	}
	bed->cables[bed->topology.cable_count++] = (struct net_cable){.ends = {{from + hosts, a}, {to + hosts, b}}};
	return true;
}

// A random tree, some more cables (beside others, too), one to three hosts on some switches.
static void draw(struct bed *bed, struct tr_random *random)
{
	uint32_t hosts_at[SWITCHES_MAX];
	uint32_t host = 0;

	*bed = (struct bed){.topology.ports = bed->ports, .topology.cables = bed->cables};
	bed->topology.switches = 1 + (uint32_t)tr_random_below(random, SWITCHES_MAX);
	for (uint32_t i = 0; i < bed->topology.switches; i++) {
		bed->ports[i] = PORTS;
		hosts_at[i] = i == 0 ? 2 : (uint32_t)tr_random_below(random, 4);
		bed->topology.hosts += hosts_at[i];
	}
	for (uint32_t i = 0; i < bed->topology.switches; i++)
		for (uint32_t n = 0; n < hosts_at[i]; n++, host++)
			bed->cables[bed->topology.cable_count++] = (struct net_cable){
				.ends = {{host, 0}, {i + bed->topology.hosts, free_port(bed, random, i)}}};
	for (uint32_t i = 1; i < bed->topology.switches; i++)
		while (!lay(bed, random, i, (uint32_t)tr_random_below(random, i)))
			continue;
	for (uint32_t i = (uint32_t)tr_random_below(random, 12); i > 0 && bed->topology.switches > 1; i--) {
		uint32_t from = (uint32_t)tr_random_below(random, bed->topology.switches);
		uint32_t to = (uint32_t)tr_random_below(random, bed->topology.switches);

		if (from != to)
			lay(bed, random, from, to);
	}
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

static int peer_switch(const struct bed *bed, uint32_t at, uint32_t port)
{
	uint32_t node = net_graph_peer(&bed->graph, at + bed->topology.hosts, port)->node;

	return node != NET_NOBODY && node >= bed->topology.hosts ? (int)(node - bed->topology.hosts) : -1;
}

// Numbers the switches as Myricom's mapper does.
static void rank_from(struct bed *bed, uint32_t root)
{
	uint32_t queue[SWITCHES_MAX] = {root};
	int met = 1;

	memset(bed->rank, -1, sizeof(bed->rank));
	bed->rank[root] = 0;
	for (int i = 0; i < met; i++)
		for (uint32_t port = 0; port < PORTS; port++) {
			int next = peer_switch(bed, queue[i], port);

			if (next >= 0 && bed->rank[next] < 0) {
				queue[met] = (uint32_t)next;
				bed->rank[next] = met++;
			}
		}
}

// Fewest cables from a switch to another; where legal, after a descent only descents. By relaxing
// until nothing changes.
static int least(const struct bed *bed, uint32_t from, uint32_t to, bool legal)
{
	int best[SWITCHES_MAX][2];
	bool changed = true;

	for (uint32_t i = 0; i < SWITCHES_MAX; i++)
		best[i][0] = best[i][1] = FAR;
	best[from][0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t at = 0; at < bed->topology.switches; at++)
			for (uint32_t i = 0; i < 2 * PORTS; i++) {
				int next = peer_switch(bed, at, i / 2);
				int down = next >= 0 && legal && bed->rank[next] > bed->rank[at];

				if (next < 0 || (legal && i % 2 == 1 && !down) || best[at][i % 2] + 1 >= best[next][down])
					continue;
				best[next][down] = best[at][i % 2] + 1;
				changed = true;
			}
	}
	return best[to][0] < best[to][1] ? best[to][0] : best[to][1];
}

static uint32_t home(const struct bed *bed, uint32_t host)
{
	return net_graph_peer(&bed->graph, host, 0)->node - bed->topology.hosts;
}

static void check_pair(const struct bed *bed, const struct net_routes *routes, uint32_t from, uint32_t to, bool legal)
{
	uint16_t ports[SWITCHES_MAX + 1];
	uint32_t links[SWITCHES_MAX + 2];
	struct net_path path = {.links = links};
	uint32_t count = net_routes_get(routes, from, to, ports);
	uint32_t at = home(bed, from);
	bool descended = false;

	assert_true(routes->longest <= SWITCHES_MAX);
	assert_true(count <= routes->longest);
	assert_true(net_path_follow(&path, &bed->graph, from, to, ports, count));
	assert_int_equal((int)count - 1, least(bed, at, home(bed, to), legal));
	for (uint32_t i = 0; legal && i + 1 < count; i++) {
		uint32_t next = (uint32_t)peer_switch(bed, at, ports[i]);

		assert_false(descended && bed->rank[next] < bed->rank[at]);
		descended = bed->rank[next] > bed->rank[at];
		at = next;
	}
}

static void check_all(const struct bed *bed, const struct net_routes *routes, bool legal)
{
	for (uint32_t from = 0; from < bed->topology.hosts; from++)
		for (uint32_t to = 0; to < bed->topology.hosts; to++)
			check_pair(bed, routes, from, to, legal);
}

// Whether link waits for itself, by asking for everything that waits for it; a plain search.
static bool waits_in_circle(const struct bed *bed, const struct net_routes *routes)
{
	static bool waits[LINKS_MAX][LINKS_MAX];
	const uint32_t count = bed->graph.links;
	uint16_t ports[SWITCHES_MAX + 1];
	uint32_t links[SWITCHES_MAX + 2];
	struct net_path path = {.links = links};

	memset(waits, 0, sizeof(waits));
	for (uint32_t pair = 0; pair < routes->hosts * routes->hosts; pair++) {
		uint32_t from = pair / routes->hosts;
		uint32_t to = pair % routes->hosts;

		if (from == to)
			continue;
		net_path_follow(&path, &bed->graph, from, to, ports, net_routes_get(routes, from, to, ports));
		for (uint32_t i = 0; i + 1 < path.count; i++)
			waits[links[i]][links[i + 1]] = true;
	}
	for (uint32_t via = 0; via < count; via++)
		for (uint32_t a = 0; a < count; a++)
			for (uint32_t b = 0; waits[a][via] && b < count; b++)
				waits[a][b] |= waits[via][b];
	for (uint32_t a = 0; a < count; a++)
		if (waits[a][a])
			return true;
	return false;
}

// Each step's worm really holds its link and asks for the next step's.
static void check_cycle(const struct net_cycle *cycle, const struct net_graph *graph, const struct net_routes *routes)
{
	uint16_t *ports = calloc(routes->longest + 1, sizeof(*ports));
	uint32_t *links = calloc(routes->longest + 2, sizeof(*links));
	struct net_path path = {.links = links};

	for (uint32_t i = 0; i < cycle->count; i++) {
		const struct net_cycle_step *step = &cycle->steps[i];
		uint32_t next = cycle->steps[(i + 1) % cycle->count].link;
		bool found = false;

		net_path_follow(&path, graph, step->source, step->destination, ports,
				net_routes_get(routes, step->source, step->destination, ports));
		for (uint32_t n = 0; n + 1 < path.count; n++)
			found |= links[n] == step->link && links[n + 1] == next;
		assert_true(found);
	}
	free(ports);
	free(links);
}

static void check_deadlock(const struct bed *bed, const struct net_routes *routes, bool never)
{
	struct net_cycle cycle;
	bool circle = waits_in_circle(bed, routes);

	assert_int_equal(net_deadlock_find(&cycle, &bed->graph, routes, NULL), TR_OK);
	assert_int_equal(cycle.count > 0, circle);
	check_cycle(&cycle, &bed->graph, routes);
	if (never)
		assert_int_equal(cycle.count, 0);
	net_cycle_clear(&cycle);
}

static const char *const ties[] = {"lowest", "hash", "destination", "source", "load"};

static void routes_of_random_networks(void **state)
{
	struct tr_random random;
	static struct bed bed;

	(void)state;
	tr_random_open(&random, 3, "routings");
	for (unsigned round = 0; round < rounds(); round++) {
		bool legal = tr_random_below(&random, 3) > 0;
		struct net_routes routes;
		uint32_t root;
		char rule[80];

		draw(&bed, &random);
		root = (uint32_t)tr_random_below(&random, bed.topology.switches);
		rank_from(&bed, root);
		if (legal)
			snprintf(rule, sizeof(rule), "updown:root=%u,tie=%s,seed=%u", root, ties[round % 5], round);
		else
			snprintf(rule, sizeof(rule), "shortest:tie=%s,seed=%u", ties[round % 5], round);
		assert_int_equal(net_routing_make(&routes, &bed.topology, rule, NULL), TR_OK);
		check_all(&bed, &routes, legal);
		check_deadlock(&bed, &routes, legal);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

static uint64_t most_routes(const struct net_graph *graph, const struct net_routes *routes)
{
	struct net_loads loads;
	double most = 0;

	assert_int_equal(net_loads_find(&loads, graph, routes, (struct net_demand){NULL}, NULL), TR_OK);
	for (uint32_t i = 0; i < loads.count; i++)
		most = loads.links[i] > most ? loads.links[i] : most;
	net_loads_clear(&loads);
	return (uint64_t)most;
}

// Spreading by load is there to lower the fullest channel.
static void spreading_by_load_pays(void **state)
{
	struct tr_random random;
	static struct bed bed;
	uint64_t lowest = 0;
	uint64_t spread = 0;

	(void)state;
	tr_random_open(&random, 4, "routings");
	for (unsigned round = 0; round < rounds(); round++) {
		struct net_routes routes;

		draw(&bed, &random);
		assert_int_equal(net_routing_make(&routes, &bed.topology, "shortest:tie=lowest", NULL), TR_OK);
		lowest += most_routes(&bed.graph, &routes);
		net_routes_clear(&routes);
		assert_int_equal(net_routing_make(&routes, &bed.topology, "shortest:tie=load", NULL), TR_OK);
		spread += most_routes(&bed.graph, &routes);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
	assert_true(spread * 10 < lowest * 9);
}

// Switches in a ring, one host each: host on port 0, onward 1, back 2.
static void draw_ring(struct bed *bed, uint32_t switches)
{
	*bed = (struct bed){.topology = {.hosts = switches, .switches = switches, .ports = bed->ports, .cables = bed->cables}};
	for (uint32_t i = 0; i < switches; i++) {
		bed->ports[i] = 3;
		bed->cables[bed->topology.cable_count++] = (struct net_cable){.ends = {{i, 0}, {switches + i, 0}}};
		bed->cables[bed->topology.cable_count++] = (struct net_cable){
			.ends = {{switches + i, 1}, {switches + (i + 1) % switches, 2}}};
	}
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

static void shortest_ways_round_a_ring_deadlock(void **state)
{
	static const char *const rules[] = {"shortest", "dimension", "updown"};
	static struct bed bed;

	(void)state;
	for (uint32_t switches = 5; switches <= SWITCHES_MAX; switches++) {
		draw_ring(&bed, switches);
		for (unsigned i = 0; i < 3; i++) {
			struct net_routes routes;
			struct net_cycle cycle;

			assert_int_equal(net_routing_make(&routes, &bed.topology, rules[i], NULL), TR_OK);
			assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &routes, NULL), TR_OK);
			assert_int_equal(cycle.count, i < 2 ? switches : 0);
			check_cycle(&cycle, &bed.graph, &routes);
			net_cycle_clear(&cycle);
			net_routes_clear(&routes);
		}
		net_graph_close(&bed.graph);
	}
}

// Fewest cables between two hosts' switches, whatever the rule. By breadth-first search.
static void distances(const struct net_graph *graph, uint32_t from, uint32_t *distance)
{
	uint32_t *queue = calloc(graph->nodes, sizeof(*queue));
	uint32_t tail = 1;

	for (uint32_t i = 0; i < graph->nodes; i++)
		distance[i] = UINT32_MAX;
	queue[0] = from;
	distance[from] = 0;
	for (uint32_t head = 0; head < tail; head++)
		for (uint32_t port = 0; port < net_graph_ports(graph, queue[head]); port++) {
			uint32_t next = net_graph_peer(graph, queue[head], port)->node;

			if (next == NET_NOBODY || distance[next] != UINT32_MAX)
				continue;
			distance[next] = distance[queue[head]] + 1;
			queue[tail++] = next;
		}
	free(queue);
}

// Every route is sound and a shortest one, as in meshes, tori and trees they can be.
static void check_shortest(const struct net_graph *graph, const struct net_routes *routes)
{
	uint32_t *distance = calloc(graph->nodes, sizeof(*distance));
	uint16_t *ports = calloc(routes->longest, sizeof(*ports));
	struct net_path path = {.links = calloc(routes->longest + 1, sizeof(uint32_t))};

	for (uint32_t from = 0; from < graph->hosts; from++) {
		distances(graph, from, distance);
		for (uint32_t to = 0; to < graph->hosts; to++) {
			uint32_t count = net_routes_get(routes, from, to, ports);

			assert_true(count <= routes->longest);
			assert_true(net_path_follow(&path, graph, from, to, ports, count));
			assert_int_equal(count, from == to ? 1 : distance[to] - 1);
		}
	}
	free(distance);
	free(ports);
	free(path.links);
}

// Routes of a network made by name; whether worms can deadlock.
static bool route_named(const char *network, const char *rule)
{
	struct net_topology topology;
	struct net_routes routes;
	struct net_graph graph;
	struct net_cycle cycle;
	bool deadlock;

	assert_int_equal(net_topology_make(&topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, rule, NULL), TR_OK);
	check_shortest(&graph, &routes);
	assert_int_equal(net_deadlock_find(&cycle, &graph, &routes, NULL), TR_OK);
	check_cycle(&cycle, &graph, &routes);
	deadlock = cycle.count > 0;
	net_cycle_clear(&cycle);
	net_routes_clear(&routes);
	net_graph_close(&graph);
	net_topology_clear(&topology);
	return deadlock;
}

static void grids_by_dimension(void **state)
{
	struct tr_random random;
	char network[80];

	(void)state;
	tr_random_open(&random, 5, "routings");
	for (unsigned round = 0; round < rounds() / 10; round++) {
		bool closed = tr_random_below(&random, 2);
		unsigned x = 1 + (unsigned)tr_random_below(&random, 7);
		unsigned y = 1 + (unsigned)tr_random_below(&random, 6);
		unsigned z = 1 + (unsigned)tr_random_below(&random, 4);

		snprintf(network, sizeof(network), "%s:%ux%ux%u,hosts=%u", closed ? "torus" : "mesh", x, y, z,
			 1 + (unsigned)tr_random_below(&random, 2));
		// In a line of four a worm goes up the numbers to the farthest switch: a circle, too.
		assert_int_equal(route_named(network, "dimension"), closed && (x > 3 || y > 3 || z > 3));
	}
	assert_false(route_named("hypercube:5", "dimension"));
}

static void trees_by_ancestor(void **state)
{
	static const char *const networks[] = {"fattree:2,4", "fattree:3,3", "fattree:50", "fattree:200", "clos:3,4,5",
					       "yates16",     "yates32",     "yates64",	   "switch:9"};
	char rule[80];

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++)
		for (size_t tie = 0; tie < sizeof(ties) / sizeof(*ties); tie++) {
			snprintf(rule, sizeof(rule), "nca:tie=%s", ties[tie]);
			assert_false(route_named(networks[i], rule));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_of_random_networks),
		cmocka_unit_test(spreading_by_load_pays),
		cmocka_unit_test(shortest_ways_round_a_ring_deadlock),
		cmocka_unit_test(grids_by_dimension),
		cmocka_unit_test(trees_by_ancestor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
