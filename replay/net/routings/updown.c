// SPDX-License-Identifier: GPL-3.0-or-later
// up*/down*: a worm climbs towards the root of a spanning tree as far as it likes, then descends
// (Schroeder et al., Autonet, 1990). As in Myricom's mapper, switches are numbered breadth-first
// from the root, ports in ascending order, and "up" is towards the smaller number; of each pair a
// shortest legal way is taken.
//
// With adaptive=yes, all legal ways (UDR of Qiao 1997, section 4.7.2), but that no worm goes
// straight back to the switch from which it came; with prune=yes (MUDR) without the long ones.
#include <stdlib.h>

#include "net/routings/channels.h"
#include "net/routings/switch_ranks.h"
#include "net/routings/ways.h"

struct updown_params {
	struct net_tying tying;
	struct net_ranking ranking;
	bool adaptive;
	bool prune;
};

static const struct key keys[] = {
	NET_TYING_KEYS(struct updown_params),
	NET_RANKING_KEYS(struct updown_params),
	{"adaptive", KEY_FLAG, offsetof(struct updown_params, adaptive), "no|yes", NULL,
	 "whether worms may choose among all legal ways"},
	{"prune", KEY_FLAG, offsetof(struct updown_params, prune), "no|yes", "adaptive=yes",
	 "whether long options are dropped"},
	{.type = KEY_END},
};

static const struct updown_params usual = {{NET_TIE_DEFAULT, 0},
					   {"first", NET_RANK_BREADTH_FIRST},
					   false,
					   false};

static enum tr_status choose_ways(struct net_routes *routes, const struct net_channels *channels,
				  const uint32_t *rank, bool prune, struct tr_error *err)
{
	uint8_t *allowed = calloc(net_channels_turns(channels) + 1, 1);
	const struct net_turning turning = {allowed, prune};
	enum tr_status status;

	if (!allowed)
		return tr_no_memory(err, "the choices of routes");
	for (uint32_t c = 0; c < channels->count; c++) {
		const struct net_channel *in = &channels->all[c];
		const bool down = rank[in->to] > rank[in->from];

		for (uint32_t out = channels->first[in->to]; out < channels->first[in->to + 1];
		     out++) {
			const uint32_t end = channels->all[out].to;

			allowed[net_channels_turn(channels, c, out)] = end != in->from &&
								       (!down ||
									rank[end] > rank[in->to]);
		}
	}
	status = net_channels_choices(routes, channels, &turning, err);
	free(allowed);
	return status;
}

// rank is given away.
static enum tr_status make_adaptive(struct net_routes *routes, const struct net_topology *topology,
				    uint32_t *rank, bool prune, struct tr_error *err)
{
	struct net_channels channels;
	enum tr_status status = net_channels_open(&channels, topology, err);

	if (status == TR_OK)
		status = choose_ways(routes, &channels, rank, prune, err);
	net_channels_close(&channels);
	free(rank);
	return status;
}

static enum tr_status updown_make(struct net_routes *routes, const struct net_topology *topology,
				  const void *params, struct tr_error *err)
{
	const struct updown_params *updown = params;
	struct net_ways ways;
	uint32_t *rank;

	*routes = (struct net_routes){0};
	rank = net_ranks_make(topology, &updown->ranking, err);
	if (!rank)
		return TR_ERROR;
	if (updown->adaptive)
		return make_adaptive(routes, topology, rank, updown->prune, err);
	if (net_ways_open(&ways, topology, rank, &updown->tying, err) == TR_OK)
		return net_ways_routes(&ways, routes, err);
	net_ways_close(&ways);
	return TR_ERROR;
}

const struct net_routing net_routing_updown = {
	.name = "updown",
	.summary = "up*/down*: up towards the root, then down; no deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.ties = true,
	.make = updown_make,
};
