// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Memory for so many switches and cables; false leaves it empty.
static bool allocate(struct net_topology *topology, uint32_t switches, size_t cables)
{
	*topology = (struct net_topology){.switches = switches, .cable_count = cables};
	topology->ports = calloc(switches > 0 ? switches : 1, sizeof(*topology->ports));
	topology->cables = calloc(cables > 0 ? cables : 1, sizeof(*topology->cables));
	if (topology->ports != NULL && topology->cables != NULL)
		return true;
	net_topology_clear(topology);
	return false;
}

static enum tr_status make_direct(struct net_topology *topology, const char *size,
				  struct tr_error *err)
{
	if (*size != '\0')
		return tr_fail(err, "a direct link has no size, found \"%s\"", size);
	if (!allocate(topology, 0, 1))
		return tr_fail(err, "no memory for the topology");
	topology->hosts = 2;
	topology->cables[0] = (struct net_cable){.ends = {{0, 0}, {1, 0}}};
	return TR_OK;
}

static enum tr_status make_switch(struct net_topology *topology, const char *size,
				  struct tr_error *err)
{
	struct tr_error why;
	uint64_t ports;

	if (num_parse_count(size, 1, NET_PORTS_MAX, &ports, &why) != TR_OK)
		return tr_fail(err, "number of a switch's ports: %s", why.text);
	if (!allocate(topology, 1, ports))
		return tr_fail(err, "no memory for the topology");
	topology->hosts = (uint32_t)ports;
	topology->ports[0] = (uint32_t)ports;
	for (uint32_t i = 0; i < ports; i++)
		topology->cables[i] = (struct net_cable){.ends = {{i, 0}, {topology->hosts, i}}};
	return TR_OK;
}

static const struct shape {
	const char *name;
	enum tr_status (*make)(struct net_topology *topology, const char *size,
			       struct tr_error *err);
} shapes[] = {
	{"direct", make_direct},
	{"switch", make_switch},
};

enum tr_status net_topology_make(struct net_topology *topology, const char *text,
				 struct tr_error *err)
{
	size_t length = strcspn(text, ":");
	const char *size = text + length + (text[length] == ':');

	*topology = (struct net_topology){0};
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (strlen(shapes[i].name) == length && memcmp(shapes[i].name, text, length) == 0)
			return shapes[i].make(topology, size, err);
	return tr_fail(err, "network \"%s\": expected direct or switch:N", text);
}

uint32_t net_topology_ports(const struct net_topology *topology, uint32_t node)
{
	return node < topology->hosts ? 1 : topology->ports[node - topology->hosts];
}

const char *net_topology_name(const struct net_topology *topology, uint32_t node, char *out,
			      size_t out_bytes)
{
	if (topology->names != NULL && topology->names[node] != NULL)
		snprintf(out, out_bytes, "%s", topology->names[node]);
	else if (node < topology->hosts)
		snprintf(out, out_bytes, "host%u", node);
	else
		snprintf(out, out_bytes, "switch%u", node - topology->hosts);
	return out;
}

static enum tr_status check_end(const struct net_topology *topology, const size_t *first,
				unsigned char *used, struct net_end end, struct tr_error *err)
{
	if (end.node >= topology->hosts + topology->switches)
		return tr_fail(err, "a cable ends at node %u, which is not there", end.node);
	if (end.port >= net_topology_ports(topology, end.node))
		return tr_fail(err, "node %u has no port %u", end.node, end.port);
	if (used[first[end.node] + end.port]++ != 0)
		return tr_fail(err, "two cables on port %u of node %u", end.port, end.node);
	return TR_OK;
}

static enum tr_status check_ends(const struct net_topology *topology, const size_t *first,
				 unsigned char *used, struct tr_error *err)
{
	for (size_t i = 0; i < 2 * topology->cable_count; i++)
		if (check_end(topology, first, used, topology->cables[i / 2].ends[i % 2], err) !=
		    TR_OK)
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

	for (uint32_t node = 0; first != NULL && node < nodes; node++)
		first[node + 1] = first[node] + net_topology_ports(topology, node);
	if (first != NULL)
		used = calloc(first[nodes] + 1, 1);
	if (used == NULL)
		tr_fail(err, "no memory to check the topology");
	else
		status = check_ends(topology, first, used, err);
	free(first);
	free(used);
	return status;
}

void net_topology_clear(struct net_topology *topology)
{
	for (uint32_t i = 0; topology->names != NULL && i < topology->hosts + topology->switches; i++)
		free(topology->names[i]);
	free(topology->names);
	free(topology->places);
	free(topology->ports);
	free(topology->cables);
	*topology = (struct net_topology){0};
}
