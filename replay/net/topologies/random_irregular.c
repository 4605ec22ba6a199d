// SPDX-License-Identifier: GPL-3.0-or-later
// A random irregular network, in the style of the studies of Myrinet's routing (J. Flich, M. P. Malumbres,
// P. Lopez and J. Duato, Improving routing performance in Myrinet networks, IPDPS 2000): switches of 8
// ports with 4 hosts on each, and no two of them joined twice. First a random tree, which connects
// them, then cables between free ports until there are as many as asked for or no pair is left.
#include "net/topologies/generator.h"
#include "net/topologies/random_graph.h"

struct irregular {
	uint32_t switches;
	uint32_t hosts;
	uint32_t ports;
	uint32_t cables; // between switches; 0: as many as can be laid
	uint32_t seed;
};

static enum tr_status draw(struct random_graph *graph, const struct irregular *wanted, struct tr_error *err)
{
	if (!random_graph_grow_tree(graph))
		return tr_fail(err, "%u ports besides the hosts' do not connect %u switches", wanted->ports - wanted->hosts,
			       wanted->switches);
	if (wanted->cables != 0 && wanted->cables < graph->pair_count)
		return tr_fail(err, "%u cables do not connect %u switches", wanted->cables, wanted->switches);
	while ((wanted->cables == 0 || graph->pair_count < wanted->cables) && random_graph_join(graph))
		continue;
	if (graph->pair_count < wanted->cables)
		return tr_fail(err, "after %u cables no two free ports are left", graph->pair_count);
	return TR_OK;
}

static enum tr_status build(struct net_topology *topology, const struct irregular *wanted, struct tr_error *err)
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
	    random_graph_open(&graph, wanted->switches, left < RANDOM_DEGREE_MAX ? left : RANDOM_DEGREE_MAX, wanted->seed,
			      "topology/random-irregular", err) != TR_OK)
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
	struct irregular wanted = {
		.switches = net_args_count(args, 0, "number of switches (N)", 1, NET_NODES_MAX),
		.ports = net_args_option(args, "ports", 2, NET_PORTS_MAX, 8),
		.cables = net_args_option(args, "cables", 1, NET_CABLES_MAX, 0),
		.seed = net_args_option(args, "seed", 0, UINT32_MAX, 1),
	};

	wanted.hosts = net_args_option(args, "hosts", 1, wanted.ports - 1, wanted.ports > 4 ? 4 : wanted.ports - 1);
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return build(topology, &wanted, err);
}

const struct net_generator net_random_irregular = {
	"random-irregular", "N[,hosts=H][,ports=P][,cables=C][,seed=S]",
	"N switches of P ports (8) with H hosts (4) on each and random cables, connected", make};
