// SPDX-License-Identifier: GPL-3.0-or-later
// Routes that a rule computes when they are asked for, and that are kept for the next time. A pair
// has a slot that begins with what is known of it, the ports behind; slots that were never used
// take address space, but no memory. A source's slots are apart from those of others, so that
// several threads may ask, each for its own sources.
#include "net/routes/routes.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_PORTS_MAX 16u // 32 B, so that a slot lies in one line of the cache
#define SLOT_EMPTY 0u
#define SLOT_NO_ROUTE 1u
#define SLOT_ROUTE 2u // plus the number of its ports

struct route_memo {
	struct net_routes of;
	uint16_t *slots;
	uint32_t slot_ports;
};

bool net_route_memo_fits(const struct net_routes *routes)
{
	return routes->longest < SLOT_PORTS_MAX;
}

static uint32_t route_memo_get(const void *state, uint32_t source, uint32_t destination,
			       uint16_t *ports)
{
	const struct route_memo *memo = state;
	uint16_t *slot = memo->slots +
			 ((size_t)source * memo->of.hosts + destination) * memo->slot_ports;

	if (slot[0] == SLOT_EMPTY) {
		const uint32_t count = net_routes_get(&memo->of, source, destination, slot + 1);

		slot[0] = (uint16_t)(count == NET_NO_ROUTE ? SLOT_NO_ROUTE : SLOT_ROUTE + count);
	}
	if (slot[0] == SLOT_NO_ROUTE)
		return NET_NO_ROUTE;
	memcpy(ports, slot + 1, (slot[0] - SLOT_ROUTE) * sizeof(*ports));
	return slot[0] - SLOT_ROUTE;
}

static void route_memo_clear(void *state)
{
	struct route_memo *memo = state;

	net_routes_clear(&memo->of);
	free(memo->slots);
	free(memo);
}

static const struct net_routes_form form = {route_memo_get, route_memo_clear};

const struct net_routes *net_route_memo_rule(const struct net_routes *routes)
{
	return routes->form == &form ? &((const struct route_memo *)routes->state)->of : routes;
}

enum tr_status net_route_memo_make(struct net_routes *routes, struct tr_error *err)
{
	struct route_memo *memo = calloc(1, sizeof(*memo));
	const size_t pairs = (size_t)routes->hosts * routes->hosts;

	if (!memo)
		return tr_no_memory(err, "routes");
	memo->slot_ports = 1;
	while (memo->slot_ports < routes->longest + 1)
		memo->slot_ports *= 2;
	memo->slots = calloc(pairs + 1, memo->slot_ports * sizeof(*memo->slots));
	if (!memo->slots) {
		free(memo);
		return tr_no_memory(err, "routes");
	}
	memo->of = *routes;
	routes->form = &form;
	routes->state = memo;
	return TR_OK;
}
