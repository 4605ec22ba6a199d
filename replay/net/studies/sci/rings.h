// SPDX-License-Identifier: GPL-3.0-or-later
// The rings of a torus: each closed line of nodes along a dimension is one, in its plus direction,
// or one in each direction; in a ring of two, both ways of the one cable.
#ifndef NET_SCI_RINGS_H
#define NET_SCI_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topologies/topologies.h"
#include "net/topology/topology.h"
#include "value/status.h"

// A node is a switch with its one host, which has the same number: (x, y, z) of X x Y x Z is x + X
// (y + Y z). Dimensions of one node have no ring and are left out.
struct sci_rings {
	uint32_t sizes[NET_DIMENSIONS_MAX]; // nodes of a ring along each dimension, 2 or more
	uint32_t strides[NET_DIMENSIONS_MAX];
	uint32_t dimensions;
	uint32_t nodes;
	bool both; // a packet goes the shorter way
};

struct sci_ringlets;

// Whether rings are those of a ring or torus, switch i of which has host i; without both.
bool sci_rings_find(struct sci_rings *rings, const struct sci_ringlets *ringlets);

// TR_ERROR, with a hint, if the topology is neither a ring nor a torus with one host on each
// switch. Keeps no pointer to it.
enum tr_status sci_rings_open(struct sci_rings *rings, const struct net_topology *topology,
			      struct tr_error *err);

// Links from one node to another along dimension d, 0 or more.
static inline uint32_t sci_rings_hops(const struct sci_rings *rings, uint32_t from, uint32_t to,
				      uint32_t d)
{
	const uint32_t size = rings->sizes[d];

	return (to / rings->strides[d] % size + size - from / rings->strides[d] % size) % size;
}

// The next node of the ring.
static inline uint32_t sci_rings_next(const struct sci_rings *rings, uint32_t node, uint32_t d)
{
	const uint32_t stride = rings->strides[d], last = rings->sizes[d] - 1;

	return node / stride % rings->sizes[d] == last ? node - last * stride : node + stride;
}

#endif
