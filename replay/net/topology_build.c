// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology_build.h"

#include <assert.h>
#include <stdlib.h>

static enum tr_status check_size(struct net_size size, struct tr_error *err)
{
	if (size.hosts < 1)
		return tr_fail(err, "a network without hosts");
	if (size.hosts > NET_NODES_MAX || size.switches > NET_NODES_MAX - size.hosts)
		return tr_fail(err, "more than %u hosts and switches", NET_NODES_MAX);
	if (size.ports > NET_PORTS_MAX)
		return tr_fail(err, "switches of %llu ports; at most %u", (unsigned long long)size.ports, NET_PORTS_MAX);
	if (size.switches * size.ports > NET_ALL_PORTS_MAX)
		return tr_fail(err, "more than %u ports", NET_ALL_PORTS_MAX);
	if (size.cables > NET_CABLES_MAX)
		return tr_fail(err, "more than %u cables", NET_CABLES_MAX);
	return TR_OK;
}

enum tr_status net_build_open(struct net_builder *builder, struct net_topology *topology, struct net_size size,
			      struct tr_error *err)
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

static void lay(struct net_builder *builder, struct net_end from, struct net_end to)
{
	struct net_topology *topology = builder->topology;

	assert(topology->cable_count < builder->room);
	topology->cables[topology->cable_count++] = (struct net_cable){.ends = {from, to}};
}

void net_build_cable(struct net_builder *builder, uint32_t from, uint32_t from_port, uint32_t to, uint32_t to_port)
{
	const uint32_t hosts = builder->topology->hosts;

	lay(builder, (struct net_end){hosts + from, from_port}, (struct net_end){hosts + to, to_port});
}

void net_build_host(struct net_builder *builder, uint32_t host, uint32_t to, uint32_t to_port)
{
	lay(builder, (struct net_end){host, 0}, (struct net_end){builder->topology->hosts + to, to_port});
}

void net_build_hosts(struct net_builder *builder, uint32_t first, uint32_t count, uint32_t to)
{
	for (uint32_t i = 0; i < count; i++)
		net_build_host(builder, first + i, to, i);
}

void net_build_place(struct net_builder *builder, uint32_t index, int64_t column, int64_t row)
{
	builder->topology->places[index] = (struct net_place){.column = (int32_t)column, .row = (int32_t)row};
}
