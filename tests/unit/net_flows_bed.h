// SPDX-License-Identifier: GPL-3.0-or-later
// Small networks for tests of flows and delays.
#ifndef TESTS_NET_FLOWS_BED_H
#define TESTS_NET_FLOWS_BED_H

#include <math.h>

#include "net/routes/flows.h"
#include "net/topology/topology.h"

#define assert_near(value, expected, most) assert_true(fabs((value) - (expected)) <= (most))

// A network with shortest routes and flows over them, none yet. Hosts are numbered switch by
// switch.
struct flows_bed {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	struct net_flows flows;
};

struct flows_edge {
	uint32_t from, to;
};

// Fails the test where it cannot. Close it afterwards.
void flows_bed_open(struct flows_bed *bed, const struct flows_edge *edges, uint32_t edge_count,
		    const uint32_t *hosts, uint32_t switches);
// The circulant graph: each switch joined to those that many steps on; hosts on each.
void flows_bed_circulant(struct flows_bed *bed, uint32_t switches, const uint32_t *steps,
			 uint32_t step_count, const uint32_t *hosts);
void flows_bed_close(struct flows_bed *bed);

// The link from one switch to another, the first of parallel ones.
uint32_t flows_bed_trunk(const struct flows_bed *bed, uint32_t from, uint32_t to);
// The link from a host's switch to it.
uint32_t flows_bed_last(const struct flows_bed *bed, uint32_t host);

#endif
