// SPDX-License-Identifier: GPL-3.0-or-later
// The ways of requests as routes over the switches' ports, for those who ask where packets go.
#include "net/studies/sci/sci_ways.h"

#include <stdlib.h>

#include "net/studies/sci/ringlets.h"
#include "net/studies/sci/sci_params.h"

// Ring after ring, each to the node where it leaves it; the last port is the host's.
static uint32_t sci_ways_get(const void *state, uint32_t source, uint32_t destination,
			     uint16_t *steps)
{
	const struct sci_ringlets *ringlets = state;
	uint32_t node = ringlets->homes[source], count = 0, target, output;

	while ((output = sci_ringlets_output(ringlets, node, source, destination, false,
					     &target)) != UINT32_MAX)
		for (; node != target; node = ringlets->lines[output].node) {
			steps[count++] = ringlets->lines[output].port;
			output = ringlets->lines[output].next;
		}
	steps[count++] = 0;
	return count;
}

static void sci_ways_clear(void *state)
{
	sci_ringlets_close(state);
	free(state);
}

static const struct net_routes_form sci_ways_form = {.get = sci_ways_get, .clear = sci_ways_clear};

enum tr_status sci_ways(struct net_routes *routes, const void *params,
			const struct net_topology *topology, struct tr_error *err)
{
	const struct sci_params *keys = params;
	struct sci_ringlets *ringlets;

	if (keys->reads > 0)
		return tr_fail(err,
			       "sci: reads: data that are read go by other ways; leave it out");
	ringlets = malloc(sizeof(*ringlets));
	if (!ringlets)
		return tr_no_memory(err, "the ways on rings");
	if (sci_ringlets_open(ringlets, topology, keys->both, err) != TR_OK) {
		sci_ways_clear(ringlets);
		return TR_ERROR;
	}
	*routes = (struct net_routes){.hosts = ringlets->hosts,
				      .longest = 1 + ringlets->longest,
				      .form = &sci_ways_form,
				      .state = ringlets};
	return TR_OK;
}
