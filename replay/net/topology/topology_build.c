// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/topology_build.h"
#include "net/topology/adapters.h"
#include "value/grow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static enum tr_status check_size(struct net_size size, struct tr_error *err)
{
	if (size.hosts < 1)
		return tr_fail(err, "a network without hosts");
	if (size.hosts > NET_NODES_MAX || size.switches > NET_NODES_MAX - size.hosts)
		return tr_fail(err, "more than %u hosts and switches", NET_NODES_MAX);
	if (size.ports > NET_PORTS_MAX)
		return tr_fail(err, "switches of %llu ports; at most %u",
			       (unsigned long long)size.ports, NET_PORTS_MAX);
	if (size.switches * size.ports > NET_ALL_PORTS_MAX)
		return tr_fail(err, "more than %u ports", NET_ALL_PORTS_MAX);
	if (size.cables > NET_CABLES_MAX)
		return tr_fail(err, "more than %u cables", NET_CABLES_MAX);
	return TR_OK;
}

enum tr_status net_build_open(struct net_builder *builder, struct net_topology *topology,
			      struct net_size size, struct tr_error *err)
{
	*topology = (struct net_topology){0};
	*builder = (struct net_builder){.topology = topology, .room = size.cables};
	if (check_size(size, err) != TR_OK)
		return TR_ERROR;
	topology->hosts = (uint32_t)size.hosts;
	topology->switches = (uint32_t)size.switches;
	topology->ports = calloc(size.switches + 1, sizeof(*topology->ports));
	topology->cables = calloc(size.cables + 1, sizeof(*topology->cables));
	if (size.placed)
		topology->places = calloc(size.switches + 1, sizeof(*topology->places));
	if (!topology->ports || !topology->cables || (size.placed && !topology->places)) {
		net_topology_clear(topology);
		return tr_no_memory(err, "the topology");
	}
	for (uint32_t i = 0; i < topology->switches; i++)
		topology->ports[i] = (uint32_t)size.ports;
	return TR_OK;
}

static void topology_build_lay(struct net_builder *builder, struct net_end from, struct net_end to)
{
	struct net_topology *topology = builder->topology;

	assert(topology->cable_count < builder->room);
	topology->cables[topology->cable_count++] = (struct net_cable){.ends = {from, to}};
}

void net_build_cable(struct net_builder *builder, uint32_t from, uint32_t from_port, uint32_t to,
		     uint32_t to_port)
{
	const uint32_t hosts = builder->topology->hosts;

	topology_build_lay(builder, (struct net_end){hosts + from, from_port},
			   (struct net_end){hosts + to, to_port});
}

void net_build_host(struct net_builder *builder, uint32_t host, uint32_t to, uint32_t to_port)
{
	topology_build_lay(builder, (struct net_end){host, 0},
			   (struct net_end){builder->topology->hosts + to, to_port});
}

void net_build_hosts(struct net_builder *builder, uint32_t first, uint32_t count, uint32_t to)
{
	for (uint32_t i = 0; i < count; i++)
		net_build_host(builder, first + i, to, i);
}

void net_build_place(struct net_builder *builder, uint32_t index, int64_t column, int64_t row)
{
	builder->topology->places[index] = (struct net_place){.column = (int32_t)column,
							      .row = (int32_t)row};
}

// Groups are as many abreast as make the drawing about as wide as high.
void net_build_place_group(struct net_builder *builder, uint32_t index, struct net_groups groups,
			   uint32_t group, uint32_t row, uint32_t column)
{
	const uint32_t across = groups.width + 1, down = 3;
	uint32_t abreast = 1;

	while ((uint64_t)abreast * abreast * across < (uint64_t)groups.count * down)
		abreast++;
	net_build_place(builder, index, (int64_t)(group % abreast) * across + column,
			(int64_t)(group / abreast) * down + row);
}

#define NAME_ROOM (NET_NAME_MAX + 16)

enum tr_status net_cabling_open(struct net_cabling *cabling, struct net_topology *topology,
				struct tr_error *err)
{
	const uint32_t nodes = topology->hosts + topology->switches;

	*cabling = (struct net_cabling){.topology = topology};
	cabling->first = calloc((size_t)nodes + 1, sizeof(*cabling->first));
	for (uint32_t i = 0; cabling->first && i < nodes; i++)
		cabling->first[i + 1] = cabling->first[i] + net_topology_ports(topology, i);
	if (cabling->first)
		cabling->used = calloc(cabling->first[nodes] + 1, 1);
	if (!cabling->used)
		return tr_no_memory(err, "the ports of %u nodes", nodes);
	return net_names_open(&cabling->names, topology, err);
}

// The port in text of a switch, or of a host with several; false if it is none.
static bool topology_build_parse_port(const struct net_cabling *cabling, const char *text,
				      struct net_end *end)
{
	const struct net_topology *topology = cabling->topology;
	const char *dot = strrchr(text, '.');
	char name[NAME_ROOM];
	uint64_t port;
	bool is_host;

	if (!dot || (size_t)(dot - text) >= sizeof(name))
		return false;
	memcpy(name, text, (size_t)(dot - text));
	name[dot - text] = '\0';
	if (!net_names_find_whole(&cabling->names, name, &is_host, &end->node) ||
	    (is_host && net_host_ports(topology, end->node) == 1) ||
	    num_parse_count(dot + 1, 0, UINT32_MAX, &port, NULL) != TR_OK)
		return false;
	end->port = (uint32_t)port;
	if (!is_host) {
		end->node += topology->hosts;
	} else if (port < net_host_ports(topology, end->node)) {
		end->node = net_host_first(topology, end->node) + end->port;
		end->port = 0;
	} else { // of its last adapter, which has no such port
		end->node = net_host_first(topology, end->node + 1) - 1;
	}
	return true;
}

enum tr_status net_cabling_parse_end(const struct net_cabling *cabling, const char *text,
				     struct net_end *end, struct tr_error *err)
{
	const struct net_topology *topology = cabling->topology;
	const bool is_port = topology_build_parse_port(cabling, text, end);
	uint32_t number = 0;
	bool is_host = false;
	const bool found = net_names_find_whole(&cabling->names, text, &is_host, &number);

	if (found && is_port)
		return tr_fail(err, "\"%.*s\" is a node and a port of a %s", (int)NET_NAME_MAX,
			       text, end->node < topology->hosts ? "host" : "switch");
	if (is_port)
		return TR_OK;
	if (!found)
		return tr_fail(err, "no host, and no port of a switch, is called \"%.*s\"",
			       (int)NET_NAME_MAX, text);
	if (!is_host || net_host_ports(topology, number) > 1)
		return tr_fail(err, "%s %s: which port? expected %s.PORT",
			       is_host ? "host" : "switch", text, text);
	*end = (struct net_end){net_host_first(topology, number), 0};
	return TR_OK;
}

static enum tr_status topology_build_check_end(const struct net_cabling *cabling,
					       struct net_end end, struct tr_error *err)
{
	const struct net_topology *topology = cabling->topology;
	char name[NAME_ROOM];

	net_topology_name(topology, end.node, name, sizeof(name));
	if (end.port >= net_topology_ports(topology, end.node) && end.node < topology->hosts)
		return tr_fail(err, "%s is the last port of its host, which has no port %u", name,
			       end.port);
	if (end.port >= net_topology_ports(topology, end.node))
		return tr_fail(err, "%s has no port %u", name, end.port);
	if (!cabling->used[cabling->first[end.node] + end.port])
		return TR_OK;
	if (end.node < topology->hosts)
		return tr_fail(err, "%s has two cables", name);
	return tr_fail(err, "%s has two cables on port %u", name, end.port);
}

static enum tr_status topology_build_reserve(struct net_cabling *cabling, struct tr_error *err)
{
	struct net_topology *topology = cabling->topology;

	return GROW(topology->cables, cabling->room, topology->cable_count)
		       ? TR_OK
		       : tr_no_memory(err, "%zu cables", topology->cable_count);
}

enum tr_status net_cabling_lay(struct net_cabling *cabling, const struct net_cable *cable,
			       struct tr_error *err)
{
	struct net_topology *topology = cabling->topology;

	for (size_t i = 0; i < 2; i++)
		if (topology_build_check_end(cabling, cable->ends[i], err) != TR_OK)
			return TR_ERROR;
	if (memcmp(&cable->ends[0], &cable->ends[1], sizeof(cable->ends[0])) == 0)
		return tr_fail(err, "a cable from a port to itself");
	if (topology->cable_count == NET_CABLES_MAX)
		return tr_fail(err, "more than %u cables", NET_CABLES_MAX);
	if (topology_build_reserve(cabling, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < 2; i++)
		cabling->used[cabling->first[cable->ends[i].node] + cable->ends[i].port] = 1;
	topology->cables[topology->cable_count++] = *cable;
	return TR_OK;
}

enum tr_status net_cabling_end(const struct net_cabling *cabling, struct tr_error *err)
{
	char name[NAME_ROOM];

	for (uint32_t i = 0; i < cabling->topology->hosts; i++)
		if (!cabling->used[cabling->first[i]])
			return tr_fail(err, "%s has no cable",
				       net_topology_name(cabling->topology, i, name, sizeof(name)));
	return TR_OK;
}

void net_cabling_close(struct net_cabling *cabling)
{
	net_names_close(&cabling->names);
	free(cabling->first);
	free(cabling->used);
	*cabling = (struct net_cabling){0};
}
