// SPDX-License-Identifier: GPL-3.0-or-later
// Valiant's routing (L. G. Valiant, A scheme for fast parallel communication, SIAM J. Computing
// 11(2), 1982): each packet goes by a minimal way to a random switch, in a dragonfly to a random
// group (J. Kim, W. J. Dally, S. Scott and D. Abts, ISCA 2008), and from there to its destination,
// so that any traffic loads links as two times uniform traffic would.
#include "net/routings/detours.h"

struct valiant_params {
	struct net_detouring detouring;
};

static const struct key keys[] = {NET_DRAWING_KEYS(struct valiant_params),
				  NET_DETOURING_KEYS(struct valiant_params),
				  {.type = KEY_END}};
static const struct valiant_params usual = {{{NET_TIE_PACKET, 0}, NET_RISE_DEFAULT, 0, 0, false}};

static enum tr_status valiant_make(struct net_routes *routes, const struct net_topology *topology,
				   const void *params, struct tr_error *err)
{
	const struct net_detours_kind kind = {.detours = true};

	return net_detours_make(routes, topology,
				&((const struct valiant_params *)params)->detouring, &kind, NULL,
				err);
}

const struct net_routing net_routing_valiant = {
	.name = "valiant",
	.summary = "over a random switch or group, on lanes that rise on the way",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.lanes_at = offsetof(struct valiant_params, detouring.lanes),
	.make = valiant_make,
};
