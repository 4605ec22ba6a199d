// SPDX-License-Identifier: GPL-3.0-or-later
// The routes of packets that enter.
#include "net/drive/drive.h"

#include <string.h>

#include "net/routes/choices.h"
#include "net/topology/adapters.h"

// Whether the routes' choices lead from one host to another.
static bool has_choice(const struct net_drive *drive, uint32_t source, uint32_t destination)
{
	const uint32_t hosts = drive->graph.hosts;
	const uint32_t from = net_graph_peer(&drive->graph, source, 0)->node;
	const uint32_t to = net_graph_peer(&drive->graph, destination, 0)->node;
	uint32_t count = 1;

	if (from < hosts || to < hosts)
		return from == destination;
	if (from != to)
		net_choices_get(drive->faults.routes->choices, net_choices_host_input(from - hosts),
				to - hosts, &count);
	return count > 0;
}

static bool drive_is_routed(const struct net_drive *drive, uint32_t source, uint32_t destination)
{
	return drive->rules->routed && !(drive->rules->to_itself && source == destination);
}

bool net_drive_take_route(struct net_drive *drive, uint32_t worm, const struct net_offer *offer)
{
	const struct net_worm *of = &drive->pool.worms[worm];

	return !offer->route || !drive_is_routed(drive, of->source, of->destination) ||
	       net_worm_set_route(&drive->pool, worm, offer->route, offer->route_count);
}

bool net_drive_is_cut_off(const struct net_drive *drive, uint32_t source, uint32_t destination)
{
	const struct net_faults *faults = &drive->faults;

	if (!drive_is_routed(drive, source, destination))
		return false;
	if (faults->cut && (faults->cut[source] || faults->cut[destination]))
		return true;
	if (faults->routes->choices)
		return !has_choice(drive, source, destination);
	return net_routes_get(faults->routes, source, destination, faults->steps) == NET_NO_ROUTE;
}

// Where the route in faults.steps, of so many switches from a host, leaves a switch; NET_NO_ROUTE.
static uint32_t routes_find_switch(const struct net_drive *drive, uint32_t source, uint32_t count,
				   uint32_t node)
{
	uint32_t at = net_graph_peer(&drive->graph, source, 0)->node;

	for (uint32_t i = 0; i < count && count != NET_NO_ROUTE; i++) {
		if (at == node)
			return i;
		at = net_graph_peer(&drive->graph, at, net_step_port(drive->faults.steps[i]))->node;
	}
	return NET_NO_ROUTE;
}

void net_drive_redirect(struct net_drive *drive, uint32_t number, uint32_t hops, uint32_t node)
{
	struct net_faults *faults = &drive->faults;
	struct net_worm *worm = &drive->pool.worms[number];
	const uint32_t way = faults->routes->spread == NET_SPREAD_FLOW ? worm->packet.flow : 0;
	const uint32_t hosts = drive->graph.hosts;

	if (faults->ages[number] == faults->reroute)
		return;
	faults->ages[number] = faults->reroute;
	for (uint32_t i = 0; i <= hosts; i++) { // its own source's route first
		const uint32_t source = i == 0 ? worm->source : i - 1;
		const uint32_t count = net_routes_get_way(faults->routes, source, worm->destination,
							  way, faults->steps);
		const uint32_t first = routes_find_switch(drive, source, count, node);

		if (first == NET_NO_ROUTE || hops + count - first > drive->pool.longest)
			continue;
		memcpy(net_worm_ports(&drive->pool, number) + hops, faults->steps + first,
		       (count - first) * sizeof(*faults->steps));
		worm->route_count = hops + count - first;
		return;
	}
}

void net_reroutes_until(struct net_drive *drive, int64_t ticks)
{
	const struct net_setup *setup = drive->setup;
	struct net_faults *faults = &drive->faults;

	for (; faults->reroute < setup->reroute_count &&
	       setup->reroutes[faults->reroute].ticks < ticks;
	     faults->reroute++) {
		faults->routes = setup->reroutes[faults->reroute].routes;
		faults->cut = setup->reroutes[faults->reroute].cut;
	}
	faults->reroute_ticks = faults->reroute < setup->reroute_count
					? setup->reroutes[faults->reroute].ticks
					: INT64_MAX;
}

void net_ways_layout(struct net_drive *drive)
{
	const bool counts = drive->rules->routed &&
			    drive->faults.routes->spread == NET_SPREAD_PACKET;

	drive->faults.steps = sim_arena_take(
		&drive->arena,
		drive->setup->reroute_count > 0 ? net_setup_longest(drive->setup) : 0,
		sizeof(*drive->faults.steps));
	if (drive->setup->reroute_count > 0 && !drive->setup->reroutes->keeps &&
	    drive->rules->links)
		drive->faults.ages = sim_arena_take(&drive->arena, drive->pool.capacity,
						    sizeof(*drive->faults.ages));
	drive->pool.sent = sim_arena_take(&drive->arena, counts ? drive->graph.hosts : 0,
					  sizeof(*drive->pool.sent));
}

uint32_t net_drive_way(const struct net_drive *drive, uint32_t worm)
{
	const struct net_worm *of = &drive->pool.worms[worm];

	switch (drive->faults.routes->spread) {
	case NET_SPREAD_FLOW: return of->packet.flow;
	case NET_SPREAD_PACKET: return drive->pool.sent[of->source]++;
	case NET_SPREAD_NONE: break;
	}
	return 0;
}

static __attribute__((noinline)) void drive_fail_route(struct net_drive *drive,
						       const struct net_worm *worm)
{
	const struct net_topology *topology = drive->setup->topology;
	char source[NET_NAME_MAX + 1], destination[NET_NAME_MAX + 1];

	if (!net_has_adapters(topology)) {
		net_drive_fail(drive, "host %u has no route to host %u", worm->source,
			       worm->destination);
		return;
	}
	net_drive_fail(
		drive, "%s has no route to %s",
		net_topology_name(topology, worm->source, source, sizeof(source)),
		net_topology_name(topology, worm->destination, destination, sizeof(destination)));
}

// Where the routes have a choice a worm gets no list.
bool net_drive_route(struct net_drive *drive, uint32_t number)
{
	const struct net_worm *worm = &drive->pool.worms[number];

	if (worm->route || !drive_is_routed(drive, worm->source, worm->destination))
		return true;
	if (drive->faults.ages)
		drive->faults.ages[number] = drive->faults.reroute;
	if (drive->faults.routes->choices
		    ? has_choice(drive, worm->source, worm->destination)
		    : net_worm_route(&drive->pool, number, drive->faults.routes,
				     net_drive_way(drive, number)))
		return true;
	drive_fail_route(drive, worm);
	return false;
}
