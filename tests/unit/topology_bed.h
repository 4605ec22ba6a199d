// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of generators, looked at port by port. Each fails the test where it cannot.
#ifndef TESTS_TOPOLOGY_BED_H
#define TESTS_TOPOLOGY_BED_H

#include "net/topology/graph.h"

// The graph of a generator's network, which is sound. The caller closes it.
void topology_bed_open(struct net_graph *graph, const char *text);

// The far end of a port of a switch (by number).
struct net_peer topology_bed_across(const struct net_graph *graph, uint32_t index, uint32_t port);

// How many other switches a switch is joined to, in a network of at most 64 with a host on the
// first port of each: by one cable each, none to itself, and no other hosts.
uint32_t topology_bed_neighbours(const struct net_graph *graph, uint32_t index);

#endif
