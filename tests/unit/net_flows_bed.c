// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net_flows_bed.h"

#include "net/topology/topology_build.h"

#define SWITCHES_MAX 16u
#define EDGES_MAX 64u

void flows_bed_open(struct flows_bed *bed, const struct flows_edge *edges, uint32_t edge_count,
		    const uint32_t *hosts, uint32_t switches)
{
	struct net_size size = {.switches = switches, .ports = 48};
	uint32_t port[SWITCHES_MAX];
	struct net_builder builder;
	uint32_t first = 0;

	for (uint32_t i = 0; i < switches; i++)
		size.hosts += hosts[i];
	size.cables = size.hosts + edge_count;
	assert_int_equal(net_build_open(&builder, &bed->topology, size, NULL), TR_OK);
	for (uint32_t i = 0; i < switches; i++) {
		net_build_hosts(&builder, first, hosts[i], i);
		first += hosts[i];
		port[i] = hosts[i];
	}
	for (uint32_t i = 0; i < edge_count; i++)
		net_build_cable(&builder, edges[i].from, port[edges[i].from]++, edges[i].to,
				port[edges[i].to]++);
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&bed->routes, &bed->topology, NULL), TR_OK);
	assert_int_equal(net_flows_open(&bed->flows, &bed->graph, &bed->routes, NULL), TR_OK);
}

void flows_bed_circulant(struct flows_bed *bed, uint32_t switches, const uint32_t *steps,
			 uint32_t step_count, const uint32_t *hosts)
{
	struct flows_edge edges[EDGES_MAX];
	uint32_t count = 0;

	for (uint32_t j = 0; j < step_count; j++)
		for (uint32_t i = 0; i < switches; i++)
			edges[count++] = (struct flows_edge){i, (i + steps[j]) % switches};
	flows_bed_open(bed, edges, count, hosts, switches);
}

void flows_bed_close(struct flows_bed *bed)
{
	net_flows_clear(&bed->flows);
	net_routes_clear(&bed->routes);
	net_graph_close(&bed->graph);
	net_topology_clear(&bed->topology);
}

uint32_t flows_bed_trunk(const struct flows_bed *bed, uint32_t from, uint32_t to)
{
	const uint32_t node = bed->graph.hosts + from;

	for (uint32_t port = 0; port < net_graph_ports(&bed->graph, node); port++)
		if (net_graph_peer(&bed->graph, node, port)->node == bed->graph.hosts + to)
			return net_graph_peer(&bed->graph, node, port)->link;
	fail();
	return 0;
}

uint32_t flows_bed_last(const struct flows_bed *bed, uint32_t host)
{
	return net_graph_peer(&bed->graph, host, 0)->link ^ 1;
}
