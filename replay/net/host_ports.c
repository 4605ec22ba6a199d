// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/host_ports.h"

#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "value/philox.h"

#define JOINED_ADAPTERS 4096u // of more, each pair is asked for again

enum host_ports_joined { JOINED_UNKNOWN, JOINED_YES, JOINED_NO };

enum tr_status net_host_ports_open(struct net_host_ports *ports,
				   const struct net_topology *topology,
				   const struct net_routes *routes, struct net_port_rule rule,
				   struct tr_error *err)
{
	const uint32_t hosts = net_host_count(topology);
	uint32_t most = 1;

	*ports = (struct net_host_ports){
		.topology = topology,
		.routes = net_route_memo_rule(routes),
		.rule = rule,
		.turn = NET_NO_TURN,
		.begun = calloc((size_t)hosts + 1, sizeof(*ports->begun)),
		.scratch = calloc((size_t)routes->longest + 1, sizeof(*ports->scratch))};
	if (topology->hosts <= JOINED_ADAPTERS)
		ports->joined = calloc((size_t)topology->hosts * topology->hosts, 1);
	if (!ports->begun || !ports->scratch ||
	    (topology->hosts <= JOINED_ADAPTERS && !ports->joined))
		return tr_no_memory(err, "the ports of hosts");
	for (uint32_t host = 0; host < hosts; host++)
		most = net_host_ports(topology, host) > most ? net_host_ports(topology, host)
							     : most;
	if (rule.choice == NET_PORT_FIXED && rule.port >= most)
		return tr_fail(err, "port=%llu: the hosts have ports 0 to %u",
			       (unsigned long long)rule.port, most - 1);
	return TR_OK;
}

static uint32_t host_ports_hash(const struct net_offer *offer)
{
	const uint32_t key[2] = {0, 0};
	const bool up = offer->source < offer->destination;
	const uint32_t counter[4] = {up ? offer->source : offer->destination,
				     up ? offer->destination : offer->source, offer->packet.flow,
				     0};
	uint32_t block[4];

	philox_block(counter, key, block);
	return block[0];
}

// The number of the rule.
static uint64_t host_ports_number(struct net_host_ports *ports, const struct net_offer *offer)
{
	uint32_t begun;

	switch (ports->rule.choice) {
	case NET_PORT_FLOW: return host_ports_hash(offer);
	case NET_PORT_DESTINATION: return offer->destination;
	case NET_PORT_MESSAGE:
	case NET_PORT_PACKET:
		begun = ports->begun[offer->source];
		if (ports->rule.choice == NET_PORT_MESSAGE && offer->continues)
			return begun - 1;
		ports->turn = offer->source;
		return begun;
	default: return ports->rule.port;
	}
}

static bool host_ports_are_joined(const struct net_host_ports *ports, uint32_t from, uint32_t to)
{
	uint8_t *known = ports->joined ? &ports->joined[(size_t)from * ports->topology->hosts + to]
				       : NULL;
	bool joined;

	if (from == to || (known && *known != JOINED_UNKNOWN))
		return from == to || *known == JOINED_YES;
	joined = net_routes_get(ports->routes, from, to, ports->scratch) != NET_NO_ROUTE;
	if (known)
		*known = joined ? JOINED_YES : JOINED_NO;
	return joined;
}

// ---- ports that are dead

// The number of what a fault kills: cables, then nodes.
static size_t host_ports_victim(const struct net_topology *topology, const struct net_fault *fault)
{
	const uint32_t node = net_fault_node(topology, fault);

	return node == NET_NOBODY ? fault->number : topology->cable_count + node;
}

// Lists the faults by what they kill; those of cables that lose are none.
static void host_ports_list(struct net_host_ports *ports, size_t victims, uint32_t count)
{
	uint32_t *ends = ports->ends;

	for (uint32_t i = 0; i < count; i++)
		if (ports->faults[i].kind != NET_FAULT_LOSS)
			ends[host_ports_victim(ports->topology, &ports->faults[i]) + 1]++;
	for (size_t i = 0; i <= victims; i++)
		ends[i + 1] += ends[i];
	for (uint32_t i = count; i-- > 0;)
		if (ports->faults[i].kind != NET_FAULT_LOSS)
			ports->order[--ends[host_ports_victim(ports->topology, &ports->faults[i]) +
					    1]] = i;
}

enum tr_status net_host_ports_watch(struct net_host_ports *ports, const struct net_setup *setup,
				    struct tr_error *err)
{
	const struct net_topology *topology = ports->topology;
	const size_t victims = topology->cable_count + topology->switches + topology->hosts;
	const uint32_t count = setup->fault_count;

	if (!ports->rule.failover || count == 0)
		return TR_OK;
	ports->faults = setup->faults;
	ports->reroutes = setup->reroutes;
	ports->reroute_count = setup->reroute_count;
	free(ports->scratch);
	ports->scratch = calloc((size_t)net_setup_longest(setup) + 1, sizeof(*ports->scratch));
	ports->ends = calloc(victims + 2, sizeof(*ports->ends));
	ports->order = calloc(count, sizeof(*ports->order));
	ports->cable = calloc(topology->hosts, sizeof(*ports->cable));
	if (!ports->scratch || !ports->ends || !ports->order || !ports->cable)
		return tr_no_memory(err, "the faults of ports");
	for (uint32_t i = 0; i < 2 * topology->cable_count; i++)
		if (topology->cables[i / 2].ends[i % 2].node < topology->hosts)
			ports->cable[topology->cables[i / 2].ends[i % 2].node] = i / 2;
	host_ports_list(ports, victims, count);
	return TR_OK;
}

static bool host_ports_failed(const struct net_host_ports *ports, size_t victim, int64_t ticks)
{
	// Behind what is before them, and before what is behind.
	for (uint32_t i = ports->ends[victim + 1]; i < ports->ends[victim + 2]; i++) {
		const struct net_fault *fault = &ports->faults[ports->order[i]];

		if (fault->from_ticks <= ticks && ticks < fault->to_ticks)
			return true;
	}
	return false;
}

static bool host_ports_is_dead(const struct net_host_ports *ports, uint32_t adapter, int64_t ticks)
{
	const struct net_topology *topology = ports->topology;
	const struct net_end *ends;
	uint32_t peer;

	if (!ports->ends)
		return false;
	ends = topology->cables[ports->cable[adapter]].ends;
	peer = ends[ends[0].node == adapter].node;
	return host_ports_failed(ports, ports->cable[adapter], ticks) ||
	       host_ports_failed(ports, topology->cable_count + adapter, ticks) ||
	       (peer >= topology->hosts &&
		host_ports_failed(ports, topology->cable_count + peer, ticks));
}

// Whether two ports have a route at this time, when routes may have been computed anew.
static bool host_ports_are_routed(const struct net_host_ports *ports, uint32_t from, uint32_t to,
				  int64_t ticks)
{
	uint32_t low = 0, high = ports->reroute_count;
	const struct net_reroute *reroute;

	while (low < high) { // those before low are in force, or were
		const uint32_t middle = low + (high - low) / 2;

		if (ports->reroutes[middle].ticks < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return true;
	reroute = &ports->reroutes[low - 1];
	return !(reroute->cut && (reroute->cut[from] || reroute->cut[to])) &&
	       (from == to ||
		net_routes_get(reroute->routes, from, to, ports->scratch) != NET_NO_ROUTE);
}

// ---- the choice

// Sets both ends to a pair of ports if it has a route, and the first is not dead at this time, nor
// the route lost, or may be.
static bool host_ports_take(const struct net_host_ports *ports, const struct net_offer *offer,
			    bool dead, uint32_t from, uint32_t to, struct net_end ends[2])
{
	if (!host_ports_are_joined(ports, from, to) ||
	    (!dead && (host_ports_is_dead(ports, from, offer->packet.time_ticks) ||
		       !host_ports_are_routed(ports, from, to, offer->packet.time_ticks))))
		return false;
	ends[0].node = from;
	ends[1].node = to;
	return true;
}

// The first pair of ports that can be taken.
static bool host_ports_find(const struct net_host_ports *ports, const struct net_offer *offer,
			    uint32_t number, bool dead, struct net_end ends[2])
{
	const struct net_end from = ends[0], to = ends[1];
	const uint32_t most = from.port > to.port ? from.port : to.port;

	for (uint32_t next = 0; next < most; next++) {
		const uint32_t i = (number + next) % most;

		if (host_ports_take(ports, offer, dead, from.node + i % from.port,
				    to.node + i % to.port, ends))
			return true;
	}
	for (uint32_t i = 0; i < from.port * to.port; i++)
		if (host_ports_take(ports, offer, dead, from.node + i / to.port,
				    to.node + i % to.port, ends))
			return true;
	return false;
}

void net_host_ports_settle(struct net_host_ports *ports)
{
	if (ports->turn != NET_NO_TURN)
		ports->begun[ports->turn]++;
	ports->others += ports->is_other;
	ports->turn = NET_NO_TURN;
	ports->is_other = false;
}

void net_host_ports_choose(struct net_host_ports *ports, struct net_offer *offer)
{
	const struct net_topology *topology = ports->topology;
	const uint32_t source = net_host_first(topology, offer->source);
	const uint32_t destination = net_host_first(topology, offer->destination);
	// Each end's first adapter and ports, then the adapter taken.
	struct net_end ends[2] = {{source, net_host_ports(topology, offer->source)},
				  {destination, net_host_ports(topology, offer->destination)}};
	const uint32_t most = ends[0].port > ends[1].port ? ends[0].port : ends[1].port;
	uint32_t number;

	net_host_ports_settle(ports);
	number = (uint32_t)(host_ports_number(ports, offer) % most);
	if (!host_ports_find(ports, offer, number, false, ends))
		(void)host_ports_find(ports, offer, number, true, ends);
	ports->is_other = ends[0].node != source + number % ends[0].port ||
			  ends[1].node != destination + number % ends[1].port;
	offer->source = ends[0].node;
	offer->destination = ends[1].node;
}

// ---- traffic

static enum tr_status host_ports_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct net_host_ports *ports = context;
	const enum tr_status status = ports->inner.next(ports->inner.context, offer, err);

	if (status == TR_OK && offer->refused == TR_DROP_NONE && !offer->wake)
		net_host_ports_choose(ports, offer);
	else
		net_host_ports_settle(ports);
	return status;
}

static void host_ports_give_back(void *context, const struct net_offer *offer)
{
	struct net_host_ports *ports = context;

	ports->turn = NET_NO_TURN;
	ports->is_other = false;
	ports->inner.give_back(ports->inner.context, offer);
}

static bool host_ports_name(const void *context, uint64_t offered, uint64_t *id)
{
	const struct net_host_ports *ports = context;

	return ports->inner.name(ports->inner.context, offered, id);
}

static enum tr_status host_ports_taken(void *context, struct tr_error *err)
{
	struct net_host_ports *ports = context;

	return ports->inner.taken(ports->inner.context, err);
}

void net_host_ports_join(struct net_host_ports *ports, struct net_traffic *traffic)
{
	memset(ports->begun, 0, net_host_count(ports->topology) * sizeof(*ports->begun));
	ports->turn = NET_NO_TURN;
	ports->is_other = false;
	ports->inner = *traffic;
	traffic->context = ports;
	traffic->next = host_ports_next;
	traffic->give_back = traffic->give_back ? host_ports_give_back : NULL;
	traffic->name = traffic->name ? host_ports_name : NULL;
	traffic->taken = traffic->taken ? host_ports_taken : NULL;
	traffic->division = NULL;
}

void net_host_ports_close(struct net_host_ports *ports)
{
	free(ports->begun);
	free(ports->scratch);
	free(ports->joined);
	free(ports->ends);
	free(ports->order);
	free(ports->cable);
	*ports = (struct net_host_ports){.begun = NULL};
}
