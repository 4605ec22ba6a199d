// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void topology_bed_open(struct net_graph *graph, const char *text)
{
	struct net_topology topology;
	struct tr_error err;

	assert_int_equal(net_topology_make(&topology, text, &err), TR_OK);
	assert_int_equal(net_topology_check(&topology, &err), TR_OK);
	assert_int_equal(net_graph_open(graph, &topology, &err), TR_OK);
	net_topology_clear(&topology);
}

struct net_peer topology_bed_across(const struct net_graph *graph, uint32_t index, uint32_t port)
{
	return *net_graph_peer(graph, graph->hosts + index, port);
}

uint32_t topology_bed_neighbours(const struct net_graph *graph, uint32_t index)
{
	uint64_t seen = UINT64_C(1) << index;
	uint32_t count = 0;

	for (uint32_t port = 1; port < net_graph_ports(graph, graph->hosts + index); port++) {
		const uint32_t peer = topology_bed_across(graph, index, port).node;

		if (peer == NET_NOBODY)
			continue;
		assert_true(net_graph_is_switch(graph, peer));
		assert_int_equal(seen >> (peer - graph->hosts) & 1u, 0);
		seen |= UINT64_C(1) << (peer - graph->hosts);
		count++;
	}
	return count;
}
