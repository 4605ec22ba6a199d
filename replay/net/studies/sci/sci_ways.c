// SPDX-License-Identifier: GPL-3.0-or-later
// The ways of requests as routes over the switches' ports, for those who ask where packets go.
#include "net/studies/sci/sci_ways.h"

#include <stdlib.h>

// In the order of dimensions, always onward; the last port is the host's.
static uint32_t sci_ways_get(const void *state, uint32_t source, uint32_t destination,
			     uint16_t *steps)
{
	const struct sci_rings *rings = state;
	uint32_t node = source, count = 0;

	for (uint32_t d = 0; d < rings->dimensions; d++)
		for (uint32_t left = sci_rings_hops(rings, source, destination, d); left > 0;
		     left--) {
			steps[count++] = (uint16_t)sci_rings_port(rings, node, d);
			node = sci_rings_next(rings, node, d);
		}
	steps[count++] = 0;
	return count;
}

static const struct net_routes_form sci_ways_form = {.get = sci_ways_get, .clear = free};

enum tr_status sci_ways(struct net_routes *routes, const struct net_topology *topology,
			struct tr_error *err)
{
	struct sci_rings *rings = malloc(sizeof(*rings));

	if (!rings)
		return tr_no_memory(err, "the ways on rings");
	if (sci_rings_open(rings, topology, err) != TR_OK) {
		free(rings);
		return TR_ERROR;
	}
	*routes = (struct net_routes){
		.hosts = rings->nodes, .longest = 1, .form = &sci_ways_form, .state = rings};
	for (uint32_t d = 0; d < rings->dimensions; d++)
		routes->longest += rings->sizes[d] - 1;
	return TR_OK;
}
