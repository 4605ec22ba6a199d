// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t net_topology_ports(const struct net_topology *topology, uint32_t node)
{
	return node < topology->hosts ? 1 : topology->ports[node - topology->hosts];
}

const char *net_topology_name(const struct net_topology *topology, uint32_t node, char *out, size_t out_bytes)
{
	if (topology->names && topology->names[node])
		snprintf(out, out_bytes, "%s", topology->names[node]);
	else if (node < topology->hosts)
		snprintf(out, out_bytes, "host%u", node);
	else
		snprintf(out, out_bytes, "switch%u", node - topology->hosts);
	return out;
}

static enum tr_status check_end(const struct net_topology *topology, const size_t *first, unsigned char *used,
				struct net_end end, struct tr_error *err)
{
	if (end.node >= topology->hosts + topology->switches)
		return tr_fail(err, "a cable ends at node %u, which is not there", end.node);
	if (end.port >= net_topology_ports(topology, end.node))
		return tr_fail(err, "node %u has no port %u", end.node, end.port);
	if (used[first[end.node] + end.port]++ != 0)
		return tr_fail(err, "two cables on port %u of node %u", end.port, end.node);
	return TR_OK;
}

static enum tr_status check_ends(const struct net_topology *topology, const size_t *first, unsigned char *used,
				 struct tr_error *err)
{
	for (size_t i = 0; i < 2 * topology->cable_count; i++)
		if (check_end(topology, first, used, topology->cables[i / 2].ends[i % 2], err) != TR_OK)
			return TR_ERROR;
	for (uint32_t host = 0; host < topology->hosts; host++)
		if (!used[first[host]])
			return tr_fail(err, "host %u has no cable", host);
	return TR_OK;
}

enum tr_status net_topology_check(const struct net_topology *topology, struct tr_error *err)
{
	size_t nodes = (size_t)topology->hosts + topology->switches;
	size_t *first = calloc(nodes + 1, sizeof(*first));
	unsigned char *used = NULL;
	enum tr_status status = TR_ERROR;

	for (uint32_t node = 0; first && node < nodes; node++)
		first[node + 1] = first[node] + net_topology_ports(topology, node);
	if (first)
		used = calloc(first[nodes] + 1, 1);
	if (!used)
		tr_no_memory(err, "the check of the topology");
	else
		status = check_ends(topology, first, used, err);
	free(first);
	free(used);
	return status;
}

void net_topology_clear(struct net_topology *topology)
{
	for (uint32_t i = 0; topology->names && i < topology->hosts + topology->switches; i++)
		free(topology->names[i]);
	free(topology->names);
	free(topology->places);
	free(topology->ports);
	free(topology->cables);
	*topology = (struct net_topology){0};
}
