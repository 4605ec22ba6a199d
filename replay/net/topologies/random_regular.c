// SPDX-License-Identifier: GPL-3.0-or-later
// A random graph of switches with D cables to others on each, drawn by joining free ports pair by pair
// (A. Steger and N. C. Wormald, Generating random regular graphs quickly, Combinatorics, Probability and
// Computing 8, 1999), again from the beginning where it cannot be ended or is not connected.
#include "net/topologies/generator.h"
#include "net/topologies/random_graph.h"

#define TRIES_MAX 10000u
#define TRIES_MIN 10u
#define PORTS_DRAWN_MAX 200000000u // in all tries

struct regular {
	uint32_t switches;
	uint32_t degree;
	uint32_t hosts;
	uint32_t seed;
};

static bool try_once(struct random_graph *graph)
{
	random_graph_restart(graph);
	while (graph->stub_count > 0)
		if (!random_graph_join(graph))
			return false;
	return random_graph_connected(graph);
}

static enum tr_status draw(struct random_graph *graph, const struct regular *wanted, struct tr_error *err)
{
	const uint32_t affordable = PORTS_DRAWN_MAX / (wanted->switches * wanted->degree);
	const uint32_t tries = affordable > TRIES_MAX ? TRIES_MAX : affordable < TRIES_MIN ? TRIES_MIN : affordable;

	if (wanted->degree >= wanted->switches || (uint64_t)wanted->switches * wanted->degree % 2 != 0)
		return tr_fail(err, "no graph of %u switches has %u cables on each", wanted->switches, wanted->degree);
	if (wanted->degree == 1 && wanted->switches > 2)
		return tr_fail(err, "one cable on each of %u switches does not connect them", wanted->switches);
	for (uint32_t i = 0; i < tries; i++)
		if (try_once(graph))
			return TR_OK;
	return tr_fail(err, "none of %u graphs drawn is connected", tries);
}

static enum tr_status build(struct net_topology *topology, const struct regular *wanted, struct tr_error *err)
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
	    random_graph_open(&graph, wanted->switches, wanted->degree, wanted->seed, "topology/random-regular", err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < wanted->switches; i++)
		net_build_hosts(&builder, i * wanted->hosts, wanted->hosts, i);
	status = draw(&graph, wanted, err);
	if (status == TR_OK)
		random_graph_lay(&graph, &builder, wanted->hosts);
	random_graph_close(&graph);
	return status;
}

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	const struct regular wanted = {
		.switches = net_args_count(args, 0, "number of switches (N)", 2, NET_NODES_MAX),
		.degree = net_args_count(args, 1, "cables of a switch (D)", 1, RANDOM_DEGREE_MAX),
		.hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 4),
		.seed = net_args_option(args, "seed", 0, UINT32_MAX, 1),
	};

	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return build(topology, &wanted, err);
}

const struct net_generator net_random_regular = {"random-regular", "N,D[,hosts=H][,seed=S]",
						 "N switches with H hosts (4) and D random cables on each, connected", make};
