// SPDX-License-Identifier: GPL-3.0-or-later
// Minimal routes with lanes that rise on the way, so that no cycle closes: through as few groups as
// possible, as in dragonflies (J. Kim, W. J. Dally, S. Scott and D. Abts, ISCA 2008), or, in
// networks without groups, through as few switches.
#include "net/routings/detours.h"

struct minimal_params {
	struct net_detouring detouring;
};

static const struct key keys[] = {NET_DETOURING_KEYS(struct minimal_params),
				  NET_TYING_KEYS(struct net_detouring),
				  {.type = KEY_END}};
static const struct minimal_params usual = {{{NET_TIE_DEFAULT, 0}, NET_RISE_DEFAULT, 0, 0, false}};

static enum tr_status minimal_make(struct net_routes *routes, const struct net_topology *topology,
				   const void *params, struct tr_error *err)
{
	const struct minimal_params *minimal = params;
	const struct net_detours_kind kind = {.detours = false};

	if (minimal->detouring.tying.tie == NET_TIE_LOAD)
		return tr_fail(err, "tie=load balances routes without lanes; use another tie");
	return net_detours_make(routes, topology, &minimal->detouring, &kind, NULL, err);
}

const struct net_routing net_routing_minimal = {
	.name = "minimal",
	.summary = "fewest groups, then fewest switches, on lanes that rise on the way",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.lanes_at = offsetof(struct minimal_params, detouring.lanes),
	.ties = true,
	.grid_order = true,
	.make = minimal_make,
};
