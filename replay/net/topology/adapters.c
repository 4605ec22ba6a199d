// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/adapters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/graph.h"
#include "value/grow.h"

enum tr_status net_adapters_add(struct net_topology *topology, uint32_t hosts, uint32_t ports,
				struct tr_error *err)
{
	struct net_adapters *adapters = &topology->adapters;
	const uint32_t before = net_host_count(topology);

	if (ports == 1 && !adapters->first) {
		topology->hosts += hosts;
		return TR_OK;
	}
	if (!GROW(adapters->first, adapters->first_room, (uint64_t)before + hosts) ||
	    !GROW_TO(adapters->host, adapters->host_room,
		     topology->hosts + (uint64_t)hosts * ports))
		return tr_no_memory(err, "the ports of the hosts");
	for (uint32_t i = 0; adapters->hosts == 0 && i < before; i++)
		adapters->first[i] = adapters->host[i] = i;
	adapters->hosts = before + hosts;
	for (uint32_t host = before; host < adapters->hosts; host++) {
		adapters->first[host] = topology->hosts;
		for (uint32_t port = 0; port < ports; port++)
			adapters->host[topology->hosts++] = host;
	}
	adapters->first[adapters->hosts] = topology->hosts;
	return TR_OK;
}

const char *net_host_name(const struct net_topology *topology, uint32_t host, char *out,
			  size_t out_bytes)
{
	const uint32_t adapter = net_host_first(topology, host);

	if (topology->names && topology->names[adapter])
		snprintf(out, out_bytes, "%s", topology->names[adapter]);
	else
		snprintf(out, out_bytes, "host%u", host);
	return out;
}

static bool join_names(struct net_topology *joined, const struct net_topology *topology)
{
	const uint32_t nodes = joined->hosts + joined->switches;

	joined->names = calloc((size_t)nodes + 1, sizeof(*joined->names));
	for (uint32_t i = 0; joined->names && i < nodes; i++) {
		const uint32_t node = i < joined->hosts ? net_host_first(topology, i)
							: i - joined->hosts + topology->hosts;

		if (topology->names[node] && !(joined->names[i] = strdup(topology->names[node])))
			return false;
	}
	return joined->names;
}

static void *adapters_copy(const void *items, size_t count, size_t item_bytes)
{
	void *copy = calloc(count + 1, item_bytes);

	if (copy && count > 0)
		memcpy(copy, items, count * item_bytes);
	return copy;
}

enum tr_status net_hosts_join(struct net_topology *joined, const struct net_topology *topology,
			      struct tr_error *err)
{
	*joined = (struct net_topology){.hosts = net_host_count(topology),
					.switches = topology->switches,
					.cable_count = topology->cable_count,
					.group = topology->group};
	joined->ports = adapters_copy(topology->ports, topology->switches, sizeof(*joined->ports));
	joined->cables = adapters_copy(topology->cables, topology->cable_count,
				       sizeof(*joined->cables));
	if (topology->places)
		joined->places = adapters_copy(topology->places, topology->switches,
					       sizeof(*joined->places));
	if (!joined->ports || !joined->cables || (topology->places && !joined->places) ||
	    (topology->names && !join_names(joined, topology))) {
		joined->cable_count = 0;
		net_topology_clear(joined);
		return tr_no_memory(err, "the hosts of the network");
	}
	for (size_t i = 0; i < 2 * joined->cable_count; i++) {
		struct net_end *end = &joined->cables[i / 2].ends[i % 2];
		const uint32_t node = end->node;

		if (node >= topology->hosts) {
			end->node = node - topology->hosts + joined->hosts;
			continue;
		}
		end->node = net_host_of(topology, node);
		end->port = node - net_host_first(topology, end->node);
	}
	return TR_OK;
}

static void adapters_mark(const struct net_graph *graph, const bool *dead, uint32_t start,
			  uint32_t part, uint32_t *of, uint32_t *queue)
{
	uint32_t tail = 0;

	of[start] = part;
	queue[tail++] = start;
	for (uint32_t head = 0; head < tail; head++)
		for (uint32_t port = 0; port < net_graph_ports(graph, queue[head]); port++) {
			const struct net_peer *peer = net_graph_peer(graph, queue[head], port);

			if (peer->node == NET_NOBODY || of[peer->node] != NET_NOBODY ||
			    (dead && dead[peer->link / 2]))
				continue;
			of[peer->node] = part;
			queue[tail++] = peer->node;
		}
}

uint32_t *net_parts_find(const struct net_topology *topology, const bool *dead, uint32_t *parts,
			 struct tr_error *err)
{
	struct net_graph graph;
	uint32_t *of, *queue;

	*parts = 0;
	if (net_graph_open(&graph, topology, err) != TR_OK)
		return NULL;
	of = calloc((size_t)graph.nodes + 1, sizeof(*of));
	queue = calloc((size_t)graph.nodes + 1, sizeof(*queue));
	for (uint32_t i = 0; of && i < graph.nodes; i++)
		of[i] = NET_NOBODY;
	for (uint32_t i = 0; of && queue && i < graph.nodes; i++)
		if (of[i] == NET_NOBODY)
			adapters_mark(&graph, dead, i, (*parts)++, of, queue);
	net_graph_close(&graph);
	if (!of || !queue) {
		free(of);
		of = NULL;
		(void)tr_no_memory(err, "the parts of the network");
	}
	free(queue);
	return of;
}

// ---- hosts by the parts that they reach

struct adapters_reach {
	const struct net_topology *topology;
	const uint32_t *of;
};

static bool adapters_reach_part(const struct adapters_reach *reach, uint32_t host, uint32_t part)
{
	for (uint32_t i = 0; i < net_host_ports(reach->topology, host); i++)
		if (reach->of[net_host_first(reach->topology, host) + i] == part)
			return true;
	return false;
}

static bool adapters_meet(const struct adapters_reach *reach, uint32_t one, uint32_t other)
{
	for (uint32_t i = 0; i < net_host_ports(reach->topology, one); i++)
		if (adapters_reach_part(reach, other,
					reach->of[net_host_first(reach->topology, one) + i]))
			return true;
	return false;
}

// By the parts of the ports, port by port: hosts cabled alike are equal.
static int adapters_compare(const void *a, const void *b, void *context)
{
	const struct adapters_reach *reach = context;
	const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
	const uint32_t ports = net_host_ports(reach->topology, one);

	if (ports != net_host_ports(reach->topology, other))
		return ports < net_host_ports(reach->topology, other) ? -1 : 1;
	for (uint32_t i = 0; i < ports; i++) {
		const uint32_t p = reach->of[net_host_first(reach->topology, one) + i],
			       q = reach->of[net_host_first(reach->topology, other) + i];

		if (p != q)
			return p < q ? -1 : 1;
	}
	return 0;
}

uint64_t net_hosts_apart(const struct net_topology *topology, const uint32_t *of)
{
	struct adapters_reach reach = {topology, of};
	const uint32_t hosts = net_host_count(topology);
	uint32_t *order = calloc((size_t)hosts + 1, sizeof(*order));
	uint32_t *counts = calloc((size_t)hosts + 1, sizeof(*counts));
	uint32_t kinds = 0;
	uint64_t apart = 0;

	for (uint32_t i = 0; order && i < hosts; i++)
		order[i] = i;
	if (order && counts)
		qsort_r(order, hosts, sizeof(*order), adapters_compare, &reach);
	for (uint32_t i = 0; order && counts && i < hosts; i++) {
		if (i == 0 || adapters_compare(&order[kinds - 1], &order[i], &reach) != 0)
			order[kinds++] = order[i];
		counts[kinds - 1]++;
	}
	for (uint32_t i = 0; i < kinds; i++)
		for (uint32_t k = 0; k < i; k++)
			if (!adapters_meet(&reach, order[i], order[k]))
				apart += 2 * (uint64_t)counts[i] * counts[k];
	if (!order || !counts)
		apart = UINT64_MAX;
	free(order);
	free(counts);
	return apart;
}
