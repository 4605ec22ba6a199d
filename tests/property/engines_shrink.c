// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines_shrink.h"

#include <string.h>

// Changes a case at a place; false if there is nothing to change.
typedef bool change_at(struct engines_case *item, size_t at);

// Takes the changed copy, which is given away here, if it has the fault.
static bool take_if(struct engines_case *item, struct engines_case *changed,
		    struct engines_fault *fault)
{
	if (fault->tries > 0 && (fault->tries--, fault->has(fault->context, changed))) {
		engines_case_clear(item);
		*item = *changed;
		return true;
	}
	engines_case_clear(changed);
	return false;
}

static bool try_at(struct engines_case *item, struct engines_fault *fault, change_at *change,
		   size_t at)
{
	struct engines_case changed;

	engines_case_copy(&changed, item);
	if (change(&changed, at))
		return take_if(item, &changed, fault);
	engines_case_clear(&changed);
	return false;
}

// From the last place to the first, each as often as it helps.
static bool try_all(struct engines_case *item, struct engines_fault *fault, change_at *change,
		    size_t count)
{
	bool better = false;

	while (count-- > 0)
		while (try_at(item, fault, change, count))
			better = true;
	return better;
}

static void cut_packets(struct engines_case *item, size_t first, size_t count)
{
	memmove(item->packets + first, item->packets + first + count,
		(item->packet_count - first - count) * sizeof(*item->packets));
	item->packet_count -= count;
}

static bool fewer_packets(struct engines_case *item, struct engines_fault *fault)
{
	bool better = false;

	for (size_t count = item->packet_count / 2; count > 0; count /= 2) {
		size_t first = 0;

		while (first + count <= item->packet_count) {
			struct engines_case changed;

			engines_case_copy(&changed, item);
			cut_packets(&changed, first, count);
			if (take_if(item, &changed, fault))
				better = true;
			else
				first += count;
		}
	}
	return better;
}

static bool cut_fault(struct engines_case *item, size_t at)
{
	if (at >= item->fault_count)
		return false;
	item->fault_count--;
	memmove(item->faults + at, item->faults + at + 1,
		(item->fault_count - at) * sizeof(*item->faults));
	return true;
}

// What is of the number goes, and what is behind it moves down.
static void cut_faults_of(struct engines_case *item, enum net_fault_kind kind, size_t number)
{
	for (size_t i = item->fault_count; i-- > 0;) {
		if (item->faults[i].kind != kind)
			continue;
		if (item->faults[i].number == number)
			cut_fault(item, i);
		else
			item->faults[i].number -= item->faults[i].number > number;
	}
}

static bool cut_cable(struct engines_case *item, size_t at)
{
	struct net_topology *topology = &item->topology;

	if (at >= topology->cable_count)
		return false;
	memmove(topology->cables + at, topology->cables + at + 1,
		(topology->cable_count - at - 1) * sizeof(*topology->cables));
	topology->cable_count--;
	cut_faults_of(item, NET_FAULT_CABLE, at);
	return true;
}

// Takes the node's cables away and the number itself out of those of the others.
static void cut_node(struct engines_case *item, uint32_t node)
{
	for (size_t i = item->topology.cable_count; i-- > 0;) {
		struct net_end *ends = item->topology.cables[i].ends;

		if (ends[0].node == node || ends[1].node == node)
			cut_cable(item, i);
		ends[0].node -= ends[0].node > node;
		ends[1].node -= ends[1].node > node;
	}
}

static bool cut_host(struct engines_case *item, size_t at)
{
	uint32_t host = (uint32_t)at;
	size_t kept = 0;

	if (at >= item->topology.hosts || item->topology.hosts < 2)
		return false;
	cut_node(item, host);
	cut_faults_of(item, NET_FAULT_HOST, at);
	item->topology.hosts--;
	for (size_t i = 0; i < item->packet_count; i++) {
		struct engines_packet packet = item->packets[i];

		if (packet.source == host || packet.destination == host)
			continue;
		packet.source -= packet.source > host;
		packet.destination -= packet.destination > host;
		item->packets[kept++] = packet;
	}
	item->packet_count = kept;
	return true;
}

static void drop_switch(struct engines_case *item, size_t at)
{
	struct net_topology *topology = &item->topology;

	cut_node(item, topology->hosts + (uint32_t)at);
	topology->switches--;
	memmove(topology->ports + at, topology->ports + at + 1,
		(topology->switches - at) * sizeof(*topology->ports));
}

// A host on the switch, as many as there are hosts where there is none.
static uint32_t host_on(const struct net_topology *topology, size_t at)
{
	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		const struct net_end *ends = topology->cables[i / 2].ends;

		if (ends[i % 2].node == topology->hosts + at &&
		    ends[1 - i % 2].node < topology->hosts)
			return ends[1 - i % 2].node;
	}
	return topology->hosts;
}

// The switch and the hosts on it, which would have no cable.
static bool cut_switch(struct engines_case *item, size_t at)
{
	uint32_t host;

	if (at >= item->topology.switches)
		return false;
	while ((host = host_on(&item->topology, at)) < item->topology.hosts)
		if (!cut_host(item, host))
			return false;
	drop_switch(item, at);
	return true;
}

// Takes the switch out and joins what hung on it where two cables did: a shorter way.
static bool bridge_switch(struct engines_case *item, size_t at)
{
	struct net_topology *topology = &item->topology;
	uint32_t node = topology->hosts + (uint32_t)at;
	struct net_end ends[2];
	unsigned found = 0;

	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		if (topology->cables[i / 2].ends[i % 2].node != node)
			continue;
		if (found == 2)
			return false;
		ends[found++] = topology->cables[i / 2].ends[1 - i % 2];
	}
	if (at >= topology->switches || found != 2 || ends[0].node == node)
		return false;
	engines_case_cable(item, ends[0], ends[1]);
	drop_switch(item, at);
	return true;
}

// A free port is taken away, the last one first; those above it move down.
static bool cut_port(struct engines_case *item, size_t at)
{
	struct net_topology *topology = &item->topology;
	uint32_t node = topology->hosts + (uint32_t)(at / NET_PORTS_MAX);
	uint32_t port = (uint32_t)(at % NET_PORTS_MAX);
	struct net_end *end;

	if (port >= topology->ports[at / NET_PORTS_MAX])
		return false;
	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		end = &topology->cables[i / 2].ends[i % 2];
		if (end->node == node && end->port == port)
			return false;
	}
	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		end = &topology->cables[i / 2].ends[i % 2];
		end->port -= end->node == node && end->port > port;
	}
	topology->ports[at / NET_PORTS_MAX]--;
	item->order[0] = '\0';
	return true;
}

static bool fewer_ports(struct engines_case *item, struct engines_fault *fault)
{
	bool better = false;

	for (uint32_t i = 0; i < item->topology.switches; i++)
		for (uint32_t port = item->topology.ports[i]; port-- > 0;)
			better |= try_at(item, fault, cut_port, (size_t)i * NET_PORTS_MAX + port);
	return better;
}

static bool usual_length(struct engines_case *item, size_t at)
{
	struct num_ratio *length = &item->topology.cables[at].length_m;
	bool own = length->den != 0;

	*length = (struct num_ratio){0};
	return own;
}

static bool usual_rate(struct engines_case *item, size_t at)
{
	struct num_ratio *rate = &item->topology.cables[at].rate_bps;
	bool own = rate->den != 0;

	*rate = (struct num_ratio){0};
	return own;
}

static bool halve_size(struct engines_case *item, size_t at)
{
	uint32_t half = item->packets[at].size_bytes / 2;

	item->packets[at].size_bytes -= half;
	return half > 0;
}

static bool lessen_size(struct engines_case *item, size_t at)
{
	uint32_t *size = &item->packets[at].size_bytes;

	if (*size <= 16)
		return false;
	*size -= *size / 16;
	return true;
}

static bool one_less(struct engines_case *item, size_t at)
{
	item->packets[at].size_bytes--;
	return item->packets[at].size_bytes > 0 && item->packets[at].size_bytes < UINT32_MAX;
}

// Moves the packet and all after it towards the one before, or the first one to zero.
static bool advance_by(struct engines_case *item, size_t at, int64_t part)
{
	int64_t before = at > 0 ? item->packets[at - 1].time_ticks : 0;
	int64_t gap = item->packets[at].time_ticks - before;

	for (size_t i = at; i < item->packet_count; i++)
		item->packets[i].time_ticks -= gap - gap / part;
	return gap != gap / part;
}

static bool no_gap(struct engines_case *item, size_t at)
{
	return advance_by(item, at, INT64_MAX);
}

static bool half_gap(struct engines_case *item, size_t at)
{
	return advance_by(item, at, 2);
}

static bool usual_param(struct engines_case *item, size_t at)
{
	return engines_case_default(item, &engines_params[at]);
}

static bool halve_param(struct engines_case *item, size_t at)
{
	uint64_t *value = (uint64_t *)(void *)((char *)&item->params +
					       engines_params[at].offset_bytes);

	struct engines_case usual = *item;

	if (engines_params[at].kind != ENGINES_COUNT || *value == 0 ||
	    !engines_case_default(&usual, &engines_params[at]))
		return false;
	*value /= 2;
	return true;
}

static bool not_shuffled(struct engines_case *item, size_t at)
{
	(void)at;
	return item->shuffle != 0 && (item->shuffle = 0, true);
}

static bool usual_order(struct engines_case *item, size_t at)
{
	(void)at;
	return item->order[0] != '\0' && (item->order[0] = '\0', true);
}

static bool no_samples(struct engines_case *item, size_t at)
{
	(void)at;
	return item->sampling.width_ticks != 0 && (item->sampling.width_ticks = 0, true);
}

static bool for_ever(struct engines_case *item, size_t at)
{
	int64_t *to_ticks = &item->faults[at].to_ticks;

	return *to_ticks != INT64_MAX && (*to_ticks = INT64_MAX, true);
}

static bool earlier_fault(struct engines_case *item, size_t at)
{
	struct net_fault *fault = &item->faults[at];
	const int64_t by = fault->from_ticks / 2;

	fault->from_ticks -= by;
	if (fault->to_ticks != INT64_MAX)
		fault->to_ticks -= by;
	return by > 0;
}

static bool shorter_fault(struct engines_case *item, size_t at)
{
	struct net_fault *fault = &item->faults[at];
	const int64_t by = fault->to_ticks == INT64_MAX ? 0
							: (fault->to_ticks - fault->from_ticks) / 2;

	fault->to_ticks -= by;
	return by > 0;
}

// All that the case has times for, from the first packet on.
static bool from_zero(struct engines_case *item, size_t at)
{
	const int64_t by = item->packet_count > 0 ? item->packets[0].time_ticks : 0;

	(void)at;
	if (by == 0 || (item->cut_ticks != 0 && item->cut_ticks <= by))
		return false;
	for (size_t i = 0; i < item->packet_count; i++)
		item->packets[i].time_ticks -= by;
	for (uint32_t i = 0; i < item->fault_count; i++) {
		item->faults[i].from_ticks -= by;
		if (item->faults[i].to_ticks != INT64_MAX)
			item->faults[i].to_ticks -= by;
	}
	item->cut_ticks -= item->cut_ticks != 0 ? by : 0;
	item->sampling.start_ticks -= by;
	return true;
}

static bool no_reaction(struct engines_case *item, size_t at)
{
	(void)at;
	return item->reaction.rounds != 0 && (item->reaction.rounds = 0, true);
}

static bool fewer_rounds(struct engines_case *item, size_t at)
{
	(void)at;
	return item->reaction.rounds > 1 && (item->reaction.rounds--, true);
}

static bool think_less(struct engines_case *item, size_t at)
{
	(void)at;
	return item->reaction.think_ticks != 0 && (item->reaction.think_ticks /= 2, true);
}

static bool routed_as_usual(struct engines_case *item, size_t at)
{
	uint8_t *count = &item->packets[at].route_count;

	return *count != ENGINES_USUAL_ROUTE && (*count = ENGINES_USUAL_ROUTE, true);
}

static bool shorter_route(struct engines_case *item, size_t at)
{
	struct engines_packet *packet = &item->packets[at];

	if (packet->route_count == 0 || packet->route_count == ENGINES_USUAL_ROUTE)
		return false;
	packet->route_count--;
	memmove(packet->route, packet->route + 1, packet->route_count * sizeof(*packet->route));
	return true;
}

static bool not_cut(struct engines_case *item, size_t at)
{
	(void)at;
	return item->cut_ticks != 0 && !item->params.loss.resend && (item->cut_ticks = 0, true);
}

static bool never_enough(struct engines_case *item, size_t at)
{
	(void)at;
	return item->enough != 0 && (item->enough = 0, true);
}

static change_at *const plain[] = {not_shuffled, usual_order,  no_samples, not_cut,  never_enough,
				   no_reaction,	 fewer_rounds, think_less, from_zero};

static bool pass(struct engines_case *item, struct engines_fault *fault)
{
	bool better = fewer_packets(item, fault);

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		better |= try_at(item, fault, plain[i], 0);
	better |= try_all(item, fault, cut_fault, item->fault_count);
	better |= try_all(item, fault, cut_switch, item->topology.switches);
	better |= try_all(item, fault, bridge_switch, item->topology.switches);
	better |= try_all(item, fault, cut_host, item->topology.hosts);
	better |= try_all(item, fault, cut_cable, item->topology.cable_count);
	better |= fewer_ports(item, fault);
	better |= try_all(item, fault, usual_length, item->topology.cable_count);
	better |= try_all(item, fault, usual_rate, item->topology.cable_count);
	better |= try_all(item, fault, usual_param, engines_param_count);
	better |= try_all(item, fault, for_ever, item->fault_count);
	better |= try_all(item, fault, shorter_fault, item->fault_count);
	better |= try_all(item, fault, earlier_fault, item->fault_count);
	better |= try_all(item, fault, routed_as_usual, item->packet_count);
	better |= try_all(item, fault, shorter_route, item->packet_count);
	better |= try_all(item, fault, halve_size, item->packet_count);
	better |= try_all(item, fault, lessen_size, item->packet_count);
	better |= try_all(item, fault, one_less, item->packet_count);
	better |= try_all(item, fault, no_gap, item->packet_count);
	better |= try_all(item, fault, half_gap, item->packet_count);
	return better;
}

void engines_shrink(struct engines_case *item, struct engines_fault *fault)
{
	while (pass(item, fault) && fault->tries > 0)
		continue;
	if (try_all(item, fault, halve_param, engines_param_count))
		pass(item, fault);
}
