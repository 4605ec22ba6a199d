// SPDX-License-Identifier: GPL-3.0-or-later
// Universal globally-adaptive load-balanced routing (A. Singh, Load-balanced routing in
// interconnection networks, Ph.D. thesis, Stanford 2005; on dragonflies J. Kim, W. J. Dally, S.
// Scott and D. Abts, ISCA 2008): a packet chooses at its first switch between its minimal way and
// one of Valiant's, by what waits for each times its length. With progressive=yes it chooses again
// as long as it is on its minimal way in the source's group (N. Jiang, J. Kim and W. J. Dally,
// Indirect adaptive routing on large scale interconnection networks, ISCA 2009).
#include "net/routings/detours.h"

struct ugal_params {
	struct net_detouring detouring;
	bool everywhere;
	bool progressive;
	uint64_t candidates;
	uint64_t threshold;
};

static const struct key keys[] = {
	{"decision", KEY_FLAG, offsetof(struct ugal_params, everywhere), "local|global", NULL,
	 "by what waits for the first link of a way, times its length, or for all of them"},
	{"progressive", KEY_FLAG, offsetof(struct ugal_params, progressive), "no|yes", NULL,
	 "whether a packet chooses again while it is in its group on the minimal way"},
	{"candidates", KEY_COUNT, offsetof(struct ugal_params, candidates), NULL, NULL,
	 "random detours that are looked at, 1 to 64"},
	{"threshold", KEY_COUNT, offsetof(struct ugal_params, threshold), NULL, NULL,
	 "flits that a detour must be better by"},
	NET_DRAWING_KEYS(struct ugal_params),
	NET_DETOURING_KEYS(struct ugal_params),
	{.type = KEY_END}};
static const struct ugal_params usual = {
	.detouring = {{NET_TIE_PACKET, 0}, NET_RISE_DEFAULT, 0, 0, false},
	.candidates = 1};

static enum tr_status ugal_make(struct net_routes *routes, const struct net_topology *topology,
				const void *params, struct tr_error *err)
{
	const struct ugal_params *ugal = params;
	const struct net_detours_kind kind = {
		.detours = true, .chooses = true, .again = ugal->progressive};
	const struct net_chooser chooser = {.candidates = ugal->candidates,
					    .threshold = ugal->threshold,
					    .everywhere = ugal->everywhere};

	if (ugal->candidates < 1 || ugal->candidates > 64)
		return tr_fail(err, "candidates=%llu: expected 1 to 64",
			       (unsigned long long)ugal->candidates);
	if (ugal->threshold > INT32_MAX)
		return tr_fail(err, "threshold=%llu: expected at most %d",
			       (unsigned long long)ugal->threshold, INT32_MAX);
	return net_detours_make(routes, topology, &ugal->detouring, &kind, &chooser, err);
}

const struct net_routing net_routing_ugal = {
	.name = "ugal",
	.summary = "minimal or over a random switch or group, by what waits for each",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.lanes_at = offsetof(struct ugal_params, detouring.lanes),
	.make = ugal_make,
};
