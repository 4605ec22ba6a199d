// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/topologies.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology_build.h"
#include "value/random.h"

// Random graphs of switches without parallel cables and with bounded degree.

#define RANDOM_DEGREE_MAX 128u

// The caller owns it and closes it.
struct random_graph {
	struct tr_random random;
	uint32_t switches;
	uint32_t degree; // ports of each for cables to others, 1 .. RANDOM_DEGREE_MAX
	uint32_t *used;	 // of each: ports taken
	uint32_t *peers; // of each: degree places
	uint32_t *stubs; // a switch once for each free port, in any order
	uint32_t stub_count;
	uint32_t *pairs; // two switches for each cable, in the order of laying
	uint32_t pair_count;
	uint32_t *queue;     // of the search
	unsigned char *seen; // by switch, in a search
};

// Random draws of a pair before trying all pairs.
#define DRAWS 200u

// Removes all cables; the random stream is not rewound.
static void random_graph_restart(struct random_graph *graph)
{
	memset(graph->used, 0, graph->switches * sizeof(*graph->used));
	graph->pair_count = 0;
	graph->stub_count = graph->switches * graph->degree;
	for (uint32_t i = 0; i < graph->stub_count; i++)
		graph->stubs[i] = i / graph->degree;
}

static void random_graph_close(struct random_graph *graph)
{
	free(graph->used);
	free(graph->peers);
	free(graph->stubs);
	free(graph->pairs);
	free(graph->queue);
	free(graph->seen);
	*graph = (struct random_graph){.switches = 0};
}

// An empty graph that draws from the stream called name of the seed. TR_ERROR where memory runs
// out.
static enum tr_status random_graph_open(struct random_graph *graph, uint32_t switches,
					uint32_t degree, uint64_t seed, const char *name,
					struct tr_error *err)
{
	const size_t ports = (size_t)switches * degree + 1;

	*graph = (struct random_graph){.switches = switches, .degree = degree};
	tr_random_open(&graph->random, seed, name);
	graph->used = calloc((size_t)switches + 1, sizeof(*graph->used));
	graph->queue = calloc((size_t)switches + 1, sizeof(*graph->queue));
	graph->seen = calloc((size_t)switches + 1, 1);
	graph->peers = calloc(ports, sizeof(*graph->peers));
	graph->stubs = calloc(ports, sizeof(*graph->stubs));
	graph->pairs = calloc(ports, sizeof(*graph->pairs));
	if (!graph->used || !graph->queue || !graph->seen || !graph->peers || !graph->stubs ||
	    !graph->pairs) {
		random_graph_close(graph);
		return tr_no_memory(err, "the topology");
	}
	random_graph_restart(graph);
	return TR_OK;
}

static bool may_join(const struct random_graph *graph, uint32_t a, uint32_t b)
{
	const uint32_t *peers = &graph->peers[(size_t)a * graph->degree];

	for (uint32_t i = 0; i < graph->used[a]; i++)
		if (peers[i] == b)
			return false;
	return a != b;
}

static void drop_stub(struct random_graph *graph, uint32_t at)
{
	graph->stubs[at] = graph->stubs[--graph->stub_count];
}

// Connects the switches of two stubs.
static void join_random_graph(struct random_graph *graph, uint32_t one, uint32_t other)
{
	const uint32_t a = graph->stubs[one];
	const uint32_t b = graph->stubs[other];

	graph->peers[(size_t)a * graph->degree + graph->used[a]++] = b;
	graph->peers[(size_t)b * graph->degree + graph->used[b]++] = a;
	graph->pairs[2 * graph->pair_count] = a;
	graph->pairs[2 * graph->pair_count++ + 1] = b;
	drop_stub(graph, one > other ? one : other);
	drop_stub(graph, one > other ? other : one);
}

// Connects the first possible pair.
static bool join_any(struct random_graph *graph)
{
	memset(graph->seen, 0, graph->switches);
	for (uint32_t i = 0; i < graph->stub_count; i++) {
		const uint32_t a = graph->stubs[i];

		if (graph->seen[a])
			continue;
		graph->seen[a] = 1;
		for (uint32_t j = i + 1; j < graph->stub_count; j++)
			if (!graph->seen[graph->stubs[j]] && may_join(graph, a, graph->stubs[j])) {
				join_random_graph(graph, i, j);
				return true;
			}
	}
	return false;
}

// Connects two random free ports of switches not yet connected. False if there are none.
static bool random_graph_join(struct random_graph *graph)
{
	for (uint32_t draw = 0; graph->stub_count > 1 && draw < DRAWS; draw++) {
		uint32_t one = (uint32_t)tr_random_below(&graph->random, graph->stub_count);
		uint32_t other = (uint32_t)tr_random_below(&graph->random, graph->stub_count);

		if (may_join(graph, graph->stubs[one], graph->stubs[other])) {
			join_random_graph(graph, one, other);
			return true;
		}
	}
	return join_any(graph);
}

// Connects switches 1, 2, ... each to a random earlier one with a free port. False if there is none
// (degree 1). As in a graph without cables the stubs are in the order of the switches; those of the
// tree so far are kept at the front.
static bool random_graph_grow_tree(struct random_graph *graph)
{
	uint32_t *stubs = graph->stubs;
	uint32_t open = graph->degree; // of the tree so far

	for (uint32_t next = 1; next < graph->switches; next++) {
		const uint32_t first = next * graph->degree; // its own
		uint32_t at;

		if (open == 0)
			return false;
		at = (uint32_t)tr_random_below(&graph->random, open);
		graph->peers[(size_t)stubs[at] * graph->degree + graph->used[stubs[at]]++] = next;
		graph->peers[(size_t)next * graph->degree + graph->used[next]++] = stubs[at];
		graph->pairs[2 * graph->pair_count] = stubs[at];
		graph->pairs[2 * graph->pair_count++ + 1] = next;
		stubs[at] = stubs[open - 1];
		open--;
		for (uint32_t i = 1; i < graph->degree; i++)
			stubs[open++] = stubs[first + i];
	}
	graph->stub_count = open;
	return true;
}

static bool random_graph_connected(struct random_graph *graph)
{
	uint32_t *queue = graph->queue;
	unsigned char *seen = graph->seen;
	uint32_t head = 0;
	uint32_t tail = 0;

	memset(seen, 0, graph->switches);
	seen[0] = 1;
	queue[tail++] = 0;
	while (head < tail) {
		const uint32_t node = queue[head++];
		const uint32_t *peers = &graph->peers[(size_t)node * graph->degree];

		for (uint32_t i = 0; i < graph->used[node]; i++)
			if (!seen[peers[i]]) {
				seen[peers[i]] = 1;
				queue[tail++] = peers[i];
			}
	}
	return tail == graph->switches;
}

// Lays the cables, on ports from first_port on, in the order in which they were drawn.
static void random_graph_lay(const struct random_graph *graph, struct net_builder *builder,
			     uint32_t first_port)
{
	uint32_t *next = graph->queue;

	memset(next, 0, graph->switches * sizeof(*next));
	for (uint32_t i = 0; i < graph->pair_count; i++) {
		const uint32_t a = graph->pairs[2 * i];
		const uint32_t b = graph->pairs[2 * i + 1];

		net_build_cable(builder, a, first_port + next[a]++, b, first_port + next[b]++);
	}
}

// A random irregular network, in the style of the studies of Myrinet's routing (J. Flich, M. P.
// Malumbres, P. Lopez and J. Duato, Improving routing performance in Myrinet networks, IPDPS 2000):
// switches of 8 ports with 4 hosts on each, without parallel cables. First a random tree, to
// connect them, then cables between free ports up to the requested number or until no pair is left.

struct irregular {
	uint32_t switches;
	uint32_t hosts;
	uint32_t ports;
	uint32_t cables; // between switches; 0: as many as possible
	uint32_t seed;
};

static enum tr_status draw_irregular(struct random_graph *graph, const struct irregular *wanted,
				     struct tr_error *err)
{
	if (!random_graph_grow_tree(graph))
		return tr_fail(err, "%u ports besides the hosts' do not connect %u switches",
			       wanted->ports - wanted->hosts, wanted->switches);
	if (wanted->cables != 0 && wanted->cables < graph->pair_count)
		return tr_fail(err, "%u cables do not connect %u switches", wanted->cables,
			       wanted->switches);
	while ((wanted->cables == 0 || graph->pair_count < wanted->cables) &&
	       random_graph_join(graph))
		continue;
	if (graph->pair_count < wanted->cables)
		return tr_fail(err, "after %u cables no two free ports are left",
			       graph->pair_count);
	return TR_OK;
}

static enum tr_status build_irregular(struct net_topology *topology, const struct irregular *wanted,
				      struct tr_error *err)
{
	const uint32_t left = wanted->ports - wanted->hosts;
	const struct net_size size = {.hosts = (uint64_t)wanted->switches * wanted->hosts,
				      .switches = wanted->switches,
				      .ports = wanted->ports,
				      .cables = (uint64_t)wanted->switches * wanted->ports};
	struct net_builder builder;
	struct random_graph graph;
	enum tr_status status;

	if (net_build_open(&builder, topology, size, err) != TR_OK ||
	    random_graph_open(&graph, wanted->switches,
			      left < RANDOM_DEGREE_MAX ? left : RANDOM_DEGREE_MAX, wanted->seed,
			      "topology/random-irregular", err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < wanted->switches; i++)
		net_build_hosts(&builder, i * wanted->hosts, wanted->hosts, i);
	status = draw_irregular(&graph, wanted, err);
	if (status == TR_OK)
		random_graph_lay(&graph, &builder, wanted->hosts);
	random_graph_close(&graph);
	return status;
}

static enum tr_status random_graph_make_irregular(struct net_topology *topology,
						  struct net_args *args, struct tr_error *err)
{
	struct irregular wanted = {
		.switches = net_args_count(args, 0, "number of switches (N)", 1, NET_NODES_MAX),
		.ports = net_args_option(args, "ports", 2, NET_PORTS_MAX, 8),
		.cables = net_args_option(args, "cables", 1, NET_CABLES_MAX, 0),
		.seed = net_args_option(args, "seed", 0, UINT32_MAX, 1),
	};

	wanted.hosts = net_args_option(args, "hosts", 1, wanted.ports - 1,
				       wanted.ports > 4 ? 4 : wanted.ports - 1);
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return build_irregular(topology, &wanted, err);
}

const struct net_generator net_random_irregular = {
	"random-irregular", "N[,hosts=H][,ports=P][,cables=C][,seed=S]",
	"N switches of P ports (8) with H hosts (4) on each and random cables, connected",
	random_graph_make_irregular};

// A random graph of switches with D cables to others on each, by connecting free ports pair by pair
// (A. Steger and N. C. Wormald, Generating random regular graphs quickly, Combinatorics,
// Probability and Computing 8, 1999), restarted if it cannot be completed or is not connected.

#define TRIES_MAX 10000u
#define TRIES_MIN 10u
#define PORTS_DRAWN_MAX 200000000u // in all tries

struct regular {
	uint32_t switches;
	uint32_t degree;
	uint32_t hosts;
	uint32_t seed;
	const char *stream;
	bool (*draw)(struct random_graph *graph); // false where it is to be drawn again
	bool odd;				  // a port may be left
};

static bool try_once(struct random_graph *graph)
{
	random_graph_restart(graph);
	while (graph->stub_count > 0)
		if (!random_graph_join(graph))
			return false;
	return random_graph_connected(graph);
}

static enum tr_status draw_regular(struct random_graph *graph, const struct regular *wanted,
				   struct tr_error *err)
{
	const uint32_t affordable = PORTS_DRAWN_MAX / (wanted->switches * wanted->degree);
	const uint32_t tries = affordable > TRIES_MAX	? TRIES_MAX
			       : affordable < TRIES_MIN ? TRIES_MIN
							: affordable;

	if (wanted->degree >= wanted->switches ||
	    (!wanted->odd && (uint64_t)wanted->switches * wanted->degree % 2 != 0))
		return tr_fail(err, "there is no graph of %u switches with %u cables each",
			       wanted->switches, wanted->degree);
	if (wanted->degree == 1 && wanted->switches > 2)
		return tr_fail(err, "one cable on each of %u switches does not connect them",
			       wanted->switches);
	for (uint32_t i = 0; i < tries; i++)
		if (wanted->draw(graph))
			return TR_OK;
	return tr_fail(err, "none of %u random graphs is connected", tries);
}

static enum tr_status build_regular(struct net_topology *topology, const struct regular *wanted,
				    struct tr_error *err)
{
	const uint64_t ports = wanted->hosts + wanted->degree;
	const struct net_size size = {.hosts = (uint64_t)wanted->switches * wanted->hosts,
				      .switches = wanted->switches,
				      .ports = ports,
				      .cables = wanted->switches * ports};
	struct net_builder builder;
	struct random_graph graph;
	enum tr_status status;

	if (net_build_open(&builder, topology, size, err) != TR_OK ||
	    random_graph_open(&graph, wanted->switches, wanted->degree, wanted->seed,
			      wanted->stream, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < wanted->switches; i++)
		net_build_hosts(&builder, i * wanted->hosts, wanted->hosts, i);
	status = draw_regular(&graph, wanted, err);
	if (status == TR_OK)
		random_graph_lay(&graph, &builder, wanted->hosts);
	random_graph_close(&graph);
	return status;
}

static enum tr_status make_regular(struct net_topology *topology, struct net_args *args,
				   struct tr_error *err)
{
	const struct regular wanted = {
		.switches = net_args_count(args, 0, "number of switches (N)", 2, NET_NODES_MAX),
		.degree = net_args_count(args, 1, "cables of a switch (D)", 1, RANDOM_DEGREE_MAX),
		.hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 4),
		.seed = net_args_option(args, "seed", 0, UINT32_MAX, 1),
		.stream = "topology/random-regular",
		.draw = try_once,
	};

	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return build_regular(topology, &wanted, err);
}

const struct net_generator net_random_regular = {
	"random-regular", "N,D[,hosts=H][,seed=S]",
	"N switches with H hosts (4) and D random cables on each, connected", make_regular};

// Jellyfish (A. Singla, C.-Y. Hong, L. Popa and P. B. Godfrey, Jellyfish: networking data centers
// randomly, NSDI 2012): cables join two random switches that have free ports and no cable between
// them, until there are none; then a free port of each of two switches, or two of one, take the
// place of a random cable between two others, which is cut. At most one port is left. Drawn again
// if it is not connected.

// The place of a free port, each switch that has any being as likely.
static uint32_t jellyfish_draw(struct random_graph *graph)
{
	for (;;) {
		const uint32_t at = (uint32_t)tr_random_below(&graph->random, graph->stub_count);
		const uint32_t left = graph->degree - graph->used[graph->stubs[at]];

		if (tr_random_below(&graph->random, left) == 0)
			return at;
	}
}

// Connects two random switches. False if none that have free ports can be joined.
static bool jellyfish_join(struct random_graph *graph)
{
	for (uint32_t draw = 0; graph->stub_count > 1 && draw < DRAWS; draw++) {
		const uint32_t one = jellyfish_draw(graph), other = jellyfish_draw(graph);

		if (may_join(graph, graph->stubs[one], graph->stubs[other])) {
			join_random_graph(graph, one, other);
			return true;
		}
	}
	return join_any(graph);
}

static void jellyfish_replace(struct random_graph *graph, uint32_t at, uint32_t old, uint32_t new)
{
	uint32_t *peers = &graph->peers[(size_t)at * graph->degree];

	while (*peers != old)
		peers++;
	*peers = new;
}

// Puts the last stubs a and b into cable x - y: a - x and b - y. False if that doubles a cable.
static bool jellyfish_insert(struct random_graph *graph, uint32_t a, uint32_t b, uint32_t *pair)
{
	const uint32_t x = pair[0], y = pair[1];

	if (!may_join(graph, a, x) || !may_join(graph, b, y))
		return false;
	jellyfish_replace(graph, x, y, a);
	jellyfish_replace(graph, y, x, b);
	graph->peers[(size_t)a * graph->degree + graph->used[a]++] = x;
	graph->peers[(size_t)b * graph->degree + graph->used[b]++] = y;
	pair[0] = a;
	pair[1] = x;
	graph->pairs[2 * graph->pair_count] = b;
	graph->pairs[2 * graph->pair_count++ + 1] = y;
	graph->stub_count -= 2;
	return true;
}

static bool jellyfish_try(struct random_graph *graph)
{
	random_graph_restart(graph);
	while (jellyfish_join(graph))
		continue;
	while (graph->stub_count > 1) {
		const uint32_t *stubs = &graph->stubs[graph->stub_count - 2];
		uint32_t draw = 0;

		while (draw++ < DRAWS * graph->degree) {
			uint32_t *pair = &graph->pairs[2 * tr_random_below(&graph->random,
									   graph->pair_count)];

			if (jellyfish_insert(graph, stubs[draw % 2], stubs[1 - draw % 2], pair))
				break;
		}
		if (draw > DRAWS * graph->degree)
			return false;
	}
	return random_graph_connected(graph);
}

static enum tr_status make_jellyfish(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	struct regular wanted = {
		.switches = net_args_count(args, 0, "number of switches (N)", 2, NET_NODES_MAX),
		.seed = net_args_option(args, "seed", 0, UINT32_MAX, 1),
		.stream = "topology/jellyfish",
		.draw = jellyfish_try,
		.odd = true,
	};
	const uint32_t ports = net_args_count(args, 1, "ports of a switch (K)", 2, NET_PORTS_MAX);
	const uint32_t most = ports - 1 < RANDOM_DEGREE_MAX ? ports - 1 : RANDOM_DEGREE_MAX;

	wanted.degree = net_args_count(args, 2, "ports to other switches (R)", 1, most);
	wanted.hosts = ports - wanted.degree;
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return build_regular(topology, &wanted, err);
}

const struct net_generator net_jellyfish = {
	"jellyfish", "N,K,R[,seed=S]",
	"N switches of K ports, R of them with random cables to others, the rest with hosts",
	make_jellyfish};
