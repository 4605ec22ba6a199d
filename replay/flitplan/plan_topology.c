// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a plan as a network and routes that other programs read.
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology_build.h"
#include "plan.h"

// Which ports of the switches are taken.
struct plan_topology_taken {
	bool *ports;
	size_t *first; // of a switch
};

static enum tr_status taken_open(struct plan_topology_taken *taken, const struct plan *plan,
				 struct tr_error *err)
{
	taken->first = calloc((size_t)plan->switches + 1, sizeof(*taken->first));
	taken->ports = NULL;
	for (uint32_t s = 0; taken->first && s < plan->switches; s++)
		taken->first[s + 1] = taken->first[s] + plan->ports[s];
	if (taken->first)
		taken->ports = calloc(taken->first[plan->switches] + 1, sizeof(*taken->ports));
	if (!taken->ports)
		return tr_no_memory(err, "the ports");
	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			taken->ports[taken->first[plan->cables[c].ends[end].node] +
				     plan->cables[c].ends[end].port] = true;
	return TR_OK;
}

static void taken_close(struct plan_topology_taken *taken)
{
	free(taken->ports);
	free(taken->first);
}

static uint32_t lowest_free(const struct plan_topology_taken *taken, uint32_t at)
{
	uint32_t port = 0;

	while (taken->ports[taken->first[at] + port])
		port++;
	return port;
}

// The cable of each node in the given topology, for the caller to free.
static const struct net_cable **given_cables(const struct plan *plan)
{
	const struct net_cable **cables = calloc((size_t)plan->nodes + 1, sizeof(*cables));

	for (size_t i = 0; cables && i < plan->given->cable_count; i++)
		for (int end = 0; end < 2; end++)
			if (plan->given->cables[i].ends[end].node < plan->nodes)
				cables[plan->given->cables[i].ends[end].node] =
					&plan->given->cables[i];
	return cables;
}

// Nodes that stay keep their ports where no cable between switches took them; then come the others.
static void place_hosts(const struct plan *plan, const struct net_cable **given,
			struct plan_topology_taken *taken, uint32_t *ports)
{
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < plan->nodes; i++) {
			const struct net_end *far = &given[i]->ends[given[i]->ends[0].node == i];
			const uint32_t at = plan->at[i];
			bool *free = taken->ports + taken->first[at];

			if (round == 0)
				ports[i] = far->node == plan->nodes + at && !free[far->port]
						   ? far->port
						   : NET_NOBODY;
			else if (ports[i] == NET_NOBODY)
				ports[i] = lowest_free(taken, at);
			else
				continue;
			if (ports[i] != NET_NOBODY)
				free[ports[i]] = true;
		}
}

static enum tr_status plan_topology_copy_names(const struct plan *plan,
					       struct net_topology *topology, struct tr_error *err)
{
	const size_t all = (size_t)plan->nodes + plan->switches;

	if (plan->given->places)
		memcpy(topology->places, plan->given->places,
		       plan->switches * sizeof(*topology->places));
	if (!plan->given->names)
		return TR_OK;
	topology->names = calloc(all + 1, sizeof(*topology->names));
	for (size_t i = 0; topology->names && i < all; i++)
		if (plan->given->names[i] && !(topology->names[i] = strdup(plan->given->names[i])))
			return tr_no_memory(err, "names");
	return topology->names ? TR_OK : tr_no_memory(err, "names");
}

static void plan_topology_lay(const struct plan *plan, const struct net_cable **given,
			      const uint32_t *ports, struct net_builder *builder)
{
	struct net_topology *topology = builder->topology;

	memcpy(topology->ports, plan->ports, plan->switches * sizeof(*topology->ports));
	for (uint32_t i = 0; i < plan->nodes; i++) {
		struct net_cable *cable = &topology->cables[topology->cable_count];

		net_build_host(builder, i, plan->at[i], ports[i]);
		cable->length_m = given[i]->length_m;
		cable->rate_bps = given[i]->rate_bps;
		cable->conversion_s = given[i]->conversion_s;
	}
	for (uint32_t c = 0; c < plan->cable_count; c++) {
		const struct plan_cable *trunk = &plan->cables[c];
		struct net_cable *cable = &topology->cables[topology->cable_count];

		net_build_cable(builder, trunk->ends[0].node, trunk->ends[0].port,
				trunk->ends[1].node, trunk->ends[1].port);
		if (trunk->given == SIZE_MAX)
			continue;
		cable->length_m = plan->given->cables[trunk->given].length_m;
		cable->rate_bps = plan->given->cables[trunk->given].rate_bps;
		cable->conversion_s = plan->given->cables[trunk->given].conversion_s;
	}
}

enum tr_status plan_topology(const struct plan *plan, struct net_topology *topology,
			     struct tr_error *err)
{
	const struct net_cable **given = given_cables(plan);
	uint32_t *ports = calloc((size_t)plan->nodes + 1, sizeof(*ports));
	struct net_size size = {.hosts = plan->nodes,
				.switches = plan->switches,
				.cables = (uint64_t)plan->nodes + plan->cable_count,
				.placed = plan->given->places};
	struct plan_topology_taken taken;
	struct net_builder builder;
	enum tr_status status = taken_open(&taken, plan, err);

	*topology = (struct net_topology){0};
	for (uint32_t s = 0; s < plan->switches; s++)
		size.ports = plan->ports[s] > size.ports ? plan->ports[s] : size.ports;
	if (status == TR_OK && (!given || !ports))
		status = tr_no_memory(err, "the planned network");
	if (status == TR_OK)
		status = net_build_open(&builder, topology, size, err);
	if (status == TR_OK) {
		place_hosts(plan, given, &taken, ports);
		plan_topology_lay(plan, given, ports, &builder);
		status = plan_topology_copy_names(plan, topology, err);
	}
	taken_close(&taken);
	free(given);
	free(ports);
	return status;
}

static uint32_t port_of(const struct plan *plan, uint32_t channel)
{
	return plan->cables[channel / 2].ends[channel & 1].port;
}

enum tr_status plan_net_routes(const struct plan *plan, const struct net_topology *topology,
			       struct net_routes *routes, struct tr_error *err)
{
	uint16_t ports[PLAN_STEPS_MAX + 1];

	if (net_route_table_open(routes, plan->nodes, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < plan->nodes; i++)
		for (uint32_t j = 0; j < plan->nodes; j++) {
			uint32_t count;
			const uint32_t *steps = plan_route(plan, plan->at[i], plan->at[j], &count);

			for (uint32_t k = 0; k < count; k++)
				ports[k] = (uint16_t)port_of(plan, steps[k]);
			ports[count] = (uint16_t)topology->cables[j]
					       .ends[1]
					       .port; // its cable is its number's
			if (i != j &&
			    net_route_table_put(routes, i, j, ports, count + 1, err) != TR_OK)
				return TR_ERROR;
		}
	return TR_OK;
}
