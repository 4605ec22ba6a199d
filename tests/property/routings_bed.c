// SPDX-License-Identifier: GPL-3.0-or-later
#include "routings_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/routings/routing.h"

unsigned routings_rounds(void)
{
	return getenv("FLIT_LONG") ? 4000 : 100;
}

static uint32_t free_port(struct routings_bed *bed, struct tr_random *random, uint32_t at)
{
	uint32_t port = (uint32_t)tr_random_below(random, ROUTINGS_PORTS);

	for (uint32_t i = 0; i < ROUTINGS_PORTS; i++, port = (port + 1) % ROUTINGS_PORTS)
		if (bed->used[at][port] == 0) {
			bed->used[at][port] = 1;
			return port;
		}
	return ROUTINGS_PORTS;
}

static bool lay(struct routings_bed *bed, struct tr_random *random, uint32_t from, uint32_t to)
{
	uint32_t a = free_port(bed, random, from);
	uint32_t b = free_port(bed, random, to);
	uint32_t hosts = bed->topology.hosts;

	if (a == ROUTINGS_PORTS || b == ROUTINGS_PORTS) {
		if (a < ROUTINGS_PORTS)
			bed->used[from][a] = 0;
		if (b < ROUTINGS_PORTS)
			bed->used[to][b] = 0;
		return false;
	}
	bed->cables[bed->topology.cable_count++] = (struct net_cable){
		.ends = {{from + hosts, a}, {to + hosts, b}}};
	return true;
}

void routings_draw(struct routings_bed *bed, struct tr_random *random)
{
	uint32_t hosts_at[ROUTINGS_SWITCHES];
	uint32_t host = 0;

	*bed = (struct routings_bed){.topology.ports = bed->ports, .topology.cables = bed->cables};
	bed->topology.switches = 1 + (uint32_t)tr_random_below(random, ROUTINGS_SWITCHES);
	for (uint32_t i = 0; i < bed->topology.switches; i++) {
		bed->ports[i] = ROUTINGS_PORTS;
		hosts_at[i] = i == 0 ? 2 : (uint32_t)tr_random_below(random, 4);
		bed->topology.hosts += hosts_at[i];
	}
	for (uint32_t i = 0; i < bed->topology.switches; i++)
		for (uint32_t n = 0; n < hosts_at[i]; n++, host++)
			bed->cables[bed->topology.cable_count++] = (struct net_cable){
				.ends = {{host, 0},
					 {i + bed->topology.hosts, free_port(bed, random, i)}}};
	for (uint32_t i = 1; i < bed->topology.switches; i++)
		while (!lay(bed, random, i, (uint32_t)tr_random_below(random, i)))
			continue;
	for (uint32_t i = (uint32_t)tr_random_below(random, 12);
	     i > 0 && bed->topology.switches > 1; i--) {
		uint32_t from = (uint32_t)tr_random_below(random, bed->topology.switches);
		uint32_t to = (uint32_t)tr_random_below(random, bed->topology.switches);

		if (from != to)
			lay(bed, random, from, to);
	}
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

int routings_peer(const struct routings_bed *bed, uint32_t at, uint32_t port)
{
	uint32_t node = net_graph_peer(&bed->graph, at + bed->topology.hosts, port)->node;

	return node != NET_NOBODY && node >= bed->topology.hosts ? (int)(node - bed->topology.hosts)
								 : -1;
}

void routings_ring(struct routings_bed *bed, uint32_t switches)
{
	*bed = (struct routings_bed){.topology = {.hosts = switches,
						  .switches = switches,
						  .ports = bed->ports,
						  .cables = bed->cables}};
	for (uint32_t i = 0; i < switches; i++) {
		bed->ports[i] = 3;
		bed->cables[bed->topology.cable_count++] = (struct net_cable){
			.ends = {{i, 0}, {switches + i, 0}}};
		bed->cables[bed->topology.cable_count++] = (struct net_cable){
			.ends = {{switches + i, 1}, {switches + (i + 1) % switches, 2}}};
	}
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

uint32_t routings_home(const struct routings_bed *bed, uint32_t host)
{
	return net_graph_peer(&bed->graph, host, 0)->node - bed->topology.hosts;
}

void routings_rank(struct routings_bed *bed, uint32_t root)
{
	uint32_t queue[ROUTINGS_SWITCHES] = {root};
	int met = 1;

	memset(bed->rank, -1, sizeof(bed->rank));
	bed->rank[root] = 0;
	for (int i = 0; i < met; i++)
		for (uint32_t port = 0; port < ROUTINGS_PORTS; port++) {
			int next = routings_peer(bed, queue[i], port);

			if (next >= 0 && bed->rank[next] < 0) {
				queue[met] = (uint32_t)next;
				bed->rank[next] = met++;
			}
		}
}

uint64_t routings_length(const struct net_topology *topology, const char *rule)
{
	struct net_routes routes;
	uint16_t ports[256];
	uint64_t sum = 0;

	assert_int_equal(net_routing_make(&routes, topology, rule, NULL), TR_OK);
	assert_true(routes.longest <= 256);
	for (uint32_t pair = 0; pair < routes.hosts * routes.hosts; pair++)
		sum += net_routes_get(&routes, pair / routes.hosts, pair % routes.hosts, ports);
	net_routes_clear(&routes);
	return sum;
}
