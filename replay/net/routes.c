// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes.h"

#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX
#define NO_PORT UINT16_MAX // the only port of a pair that has no route

// Pair (source, destination) has ports[first[i]] .. ports[first[i+1]-1], i = source * hosts +
// destination.
struct table {
	uint32_t hosts;
	uint32_t *first;
	uint16_t *ports;
};

struct search {
	const struct net_topology *topology;
	size_t *first;          // of a node: its first port in peers
	struct net_end *peers;  // far end of each port; node FAR where none
	uint32_t *distance;     // switches still to pass from a switch on
	uint32_t *queue;
	uint32_t nodes;
};

static void search_clear(struct search *search)
{
	free(search->first);
	free(search->peers);
	free(search->distance);
	free(search->queue);
}

static void join(struct search *search, struct net_end from, struct net_end to)
{
	search->peers[search->first[from.node] + from.port] = to;
}

static enum tr_status search_open(struct search *search, const struct net_topology *topology,
				  struct tr_error *err)
{
	uint32_t nodes = topology->hosts + topology->switches;

	*search = (struct search){.topology = topology, .nodes = nodes};
	search->first = calloc((size_t)nodes + 1, sizeof(*search->first));
	search->distance = calloc(nodes, sizeof(*search->distance));
	search->queue = calloc(nodes, sizeof(*search->queue));
	if (search->first == NULL || search->distance == NULL || search->queue == NULL)
		return tr_fail(err, "no memory for routes");
	for (uint32_t node = 0; node < nodes; node++)
		search->first[node + 1] = search->first[node] + net_topology_ports(topology, node);
	search->peers = malloc(search->first[nodes] * sizeof(*search->peers));
	if (search->peers == NULL)
		return tr_fail(err, "no memory for routes");
	memset(search->peers, 0xff, search->first[nodes] * sizeof(*search->peers));
	for (size_t i = 0; i < topology->cable_count; i++) {
		join(search, topology->cables[i].ends[0], topology->cables[i].ends[1]);
		join(search, topology->cables[i].ends[1], topology->cables[i].ends[0]);
	}
	return TR_OK;
}

// Far end of a port.
static struct net_end peer(const struct search *search, uint32_t node, uint32_t port)
{
	return search->peers[search->first[node] + port];
}

static bool is_switch(const struct search *search, uint32_t node)
{
	return node >= search->topology->hosts && node < search->nodes;
}

// Fills distance for worms to one host: 1 at the switch it hangs on.
static void measure(struct search *search, uint32_t destination)
{
	uint32_t head = 0;
	uint32_t tail = 0;
	uint32_t node = peer(search, destination, 0).node;

	memset(search->distance, 0xff, search->nodes * sizeof(*search->distance));
	if (!is_switch(search, node))
		return;
	search->distance[node] = 1;
	search->queue[tail++] = node;
	while (head < tail) {
		node = search->queue[head++];
		for (uint32_t port = 0; port < net_topology_ports(search->topology, node); port++) {
			uint32_t next = peer(search, node, port).node;

			if (!is_switch(search, next) || search->distance[next] != FAR)
				continue;
			search->distance[next] = search->distance[node] + 1;
			search->queue[tail++] = next;
		}
	}
}

static uint32_t choose_port(const struct search *search, uint32_t node, uint32_t destination)
{
	uint32_t port = 0;
	uint32_t next;

	for (;; port++) {
		next = peer(search, node, port).node;
		if (search->distance[node] == 1 ? next == destination :
		    is_switch(search, next) && search->distance[next] == search->distance[node] - 1)
			return port;
	}
}

// Switches from a host to the destination that was measured; FAR where there is no way.
static uint32_t length(const struct search *search, uint32_t source, uint32_t destination)
{
	uint32_t node = peer(search, source, 0).node;

	if (is_switch(search, node))
		return search->distance[node];
	return node == destination ? 0 : FAR;
}

static void follow(const struct search *search, uint32_t source, uint32_t destination,
		   uint32_t count, uint16_t *ports)
{
	uint32_t node = peer(search, source, 0).node;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t port = choose_port(search, node, destination);

		ports[i] = (uint16_t)port;
		node = peer(search, node, port).node;
	}
}

// One pass over all pairs: lengths into first (at the pair's index + 1), or the ports themselves.
static enum tr_status pass(struct table *table, struct search *search, bool fill,
			   struct tr_error *err)
{
	for (uint32_t destination = 0; destination < table->hosts; destination++) {
		measure(search, destination);
		for (uint32_t source = 0; source < table->hosts; source++) {
			size_t pair = (size_t)source * table->hosts + destination;
			uint32_t count = length(search, source, destination);

			if (count == FAR && source != destination)
				return tr_fail(err, "no route from host %u to host %u", source,
					       destination);
			if (!fill)
				table->first[pair + 1] = count == FAR ? 1 : count;
			else if (count == FAR)
				table->ports[table->first[pair]] = NO_PORT;
			else
				follow(search, source, destination, count,
				       table->ports + table->first[pair]);
		}
	}
	return TR_OK;
}

// Turns the lengths into places.
static enum tr_status place(struct table *table, uint32_t *longest, struct tr_error *err)
{
	size_t pairs = (size_t)table->hosts * table->hosts;
	uint64_t sum = 0;

	*longest = 1;
	for (size_t pair = 1; pair <= pairs; pair++) {
		if (table->first[pair] > *longest)
			*longest = table->first[pair];
		sum += table->first[pair];
		if (sum > UINT32_MAX)
			return tr_fail(err, "the routes of %u hosts are too many for one table",
				       table->hosts);
		table->first[pair] = (uint32_t)sum;
	}
	table->ports = calloc(sum > 0 ? sum : 1, sizeof(*table->ports));
	return table->ports != NULL ? TR_OK : tr_fail(err, "no memory for routes");
}

static uint32_t table_get(const void *state, uint32_t source, uint32_t destination,
			  uint16_t *ports)
{
	const struct table *table = state;
	size_t pair = (size_t)source * table->hosts + destination;
	uint32_t count = table->first[pair + 1] - table->first[pair];

	if (count == 1 && table->ports[table->first[pair]] == NO_PORT)
		return NET_NO_ROUTE;
	memcpy(ports, table->ports + table->first[pair], count * sizeof(*ports));
	return count;
}

static void table_clear(void *state)
{
	struct table *table = state;

	free(table->first);
	free(table->ports);
	free(table);
}

static const struct net_routes_form table_form = {table_get, table_clear};

// A table for so many hosts, without routes yet.
static struct table *table_open(struct net_routes *routes, uint32_t hosts)
{
	struct table *table = calloc(1, sizeof(*table));

	*routes = (struct net_routes){.hosts = hosts, .form = &table_form, .state = table};
	if (table == NULL) {
		*routes = (struct net_routes){0};
		return NULL;
	}
	table->hosts = hosts;
	table->first = calloc((size_t)hosts * hosts + 1, sizeof(*table->first));
	return table->first != NULL ? table : NULL;
}

enum tr_status net_routes_shortest(struct net_routes *routes, const struct net_topology *topology,
				   struct tr_error *err)
{
	struct search search;
	enum tr_status status = search_open(&search, topology, err);
	struct table *table = table_open(routes, topology->hosts);

	if (status == TR_OK && table == NULL)
		status = tr_fail(err, "no memory for routes");
	if (status == TR_OK)
		status = pass(table, &search, false, err);
	if (status == TR_OK)
		status = place(table, &routes->longest, err);
	if (status == TR_OK)
		status = pass(table, &search, true, err);
	search_clear(&search);
	if (status != TR_OK)
		net_routes_clear(routes);
	return status;
}

uint32_t net_routes_get(const struct net_routes *routes, uint32_t source, uint32_t destination,
			uint16_t *ports)
{
	return routes->form->get(routes->state, source, destination, ports);
}

void net_routes_clear(struct net_routes *routes)
{
	if (routes->form != NULL)
		routes->form->clear(routes->state);
	*routes = (struct net_routes){0};
}
