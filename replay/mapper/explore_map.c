// SPDX-License-Identifier: GPL-3.0-or-later
// Converts an exploration to a network.
#include <stdlib.h>

#include "mapper/explored.h"
#include "net/topology/topology_build.h"

static bool is_found(const struct explore *explore, uint32_t host)
{
	return explore->host_at[host].at != EXPLORE_NOBODY ||
	       (explore->neighbour != EXPLORE_NOBODY &&
		(host == explore->neighbour || host == explore->mapper));
}

bool explore_is_empty(const struct explore *explore)
{
	return !is_found(explore, explore->mapper);
}

static enum tr_status make_nodes(const struct explore *explore, struct net_topology *topology,
				 uint32_t *ids, struct tr_error *err)
{
	for (uint32_t host = 0; host < explore->hosts; host++)
		if (is_found(explore, host))
			ids[topology->hosts++] = host;
	topology->switches = explore->count;
	topology->ports = calloc((size_t)explore->count + 1, sizeof(*topology->ports));
	topology->cables = calloc(1, sizeof(*topology->cables));
	if (!topology->ports || !topology->cables)
		return tr_no_memory(err, "the map");
	for (uint32_t i = 0; i < explore->count; i++)
		topology->ports[i] = (uint32_t)(explore->switches[i].highest -
						explore->switches[i].lowest + 1);
	return TR_OK;
}

static struct net_end explore_map_end_of(const struct explore *explore,
					 const struct net_topology *topology, uint32_t at,
					 int delta)
{
	return (struct net_end){topology->hosts + at,
				(uint32_t)(delta - explore->switches[at].lowest)};
}

static enum tr_status lay_hosts(const struct explore *explore, struct net_cabling *cabling,
				const uint32_t *ids, struct tr_error *err)
{
	const struct net_topology *topology = cabling->topology;
	struct net_cable cable = {.ends = {{0, 0}, {1, 0}}};

	if (explore->neighbour != EXPLORE_NOBODY)
		return net_cabling_lay(cabling, &cable, err);
	for (uint32_t i = 0; i < topology->hosts; i++) {
		const struct host_place place = explore->host_at[ids[i]];

		cable = (struct net_cable){
			.ends = {{i, 0},
				 explore_map_end_of(explore, topology, place.at, place.delta)}};
		if (net_cabling_lay(cabling, &cable, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Lays the cable of a port, at its first end only.
static enum tr_status lay_port(const struct explore *explore, struct net_cabling *cabling,
			       uint32_t at, int delta, struct tr_error *err)
{
	const struct known_port *port = explored_port(explore, at, delta);
	const struct known_port *far;
	struct net_cable cable;

	if (port->kind != PORT_SWITCH || port->far < at ||
	    (port->far == at && port->far_delta < delta))
		return TR_OK;
	far = explored_port(explore, port->far, port->far_delta);
	if (far->kind != PORT_SWITCH || far->far != at || far->far_delta != delta)
		return tr_fail(err, "the scouts contradict one another");
	cable = (struct net_cable){
		.ends = {explore_map_end_of(explore, cabling->topology, at, delta),
			 explore_map_end_of(explore, cabling->topology, port->far,
					    port->far_delta)}};
	return net_cabling_lay(cabling, &cable, err);
}

static enum tr_status lay_all(const struct explore *explore, struct net_cabling *cabling,
			      const uint32_t *ids, struct tr_error *err)
{
	if (lay_hosts(explore, cabling, ids, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t at = 0; at < explore->count; at++)
		for (int delta = explore->switches[at].lowest;
		     delta <= explore->switches[at].highest; delta++)
			if (lay_port(explore, cabling, at, delta, err) != TR_OK)
				return TR_ERROR;
	return net_cabling_end(cabling, err);
}

enum tr_status explore_map(const struct explore *explore, struct net_topology *topology,
			   uint32_t *ids, struct tr_error *err)
{
	struct net_cabling cabling;
	enum tr_status status;

	*topology = (struct net_topology){0};
	if (explore->failed)
		return tr_no_memory(err, "the map");
	if (explore_is_empty(explore))
		return tr_fail(err, "nothing answers the mapper");
	status = make_nodes(explore, topology, ids, err);
	if (status == TR_OK) {
		status = net_cabling_open(&cabling, topology, err);
		if (status == TR_OK)
			status = lay_all(explore, &cabling, ids, err);
		net_cabling_close(&cabling);
	}
	if (status != TR_OK)
		net_topology_clear(topology);
	return status;
}
