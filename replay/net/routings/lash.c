// SPDX-License-Identifier: GPL-3.0-or-later
// Layered shortest paths: each pair of switches has one minimal path, and takes the first lane on
// which it closes no cycle with the paths that are there (Skeie, Lysne and Theiss, Layered shortest
// path (LASH) routing in irregular system area networks, 2002). Differences: the path is that of a
// tree for each destination, so that tables by destination can hold it; pairs come destination by
// destination, the farthest sources first; the paper's last step, which evens out the lanes'
// numbers of paths, is left out, and a lane that is not needed stays away.
#include <stdlib.h>

#include "net/routings/acyclic.h"
#include "net/routings/layers.h"
#include "net/routings/routing.h"

enum tie { TIE_LOAD, TIE_LOWEST };

struct lash_params {
	enum tie tie;
	uint64_t lanes;
};

static const struct key keys[] = {
	{"tie", KEY_WORD, offsetof(struct lash_params, tie), "load|lowest", NULL,
	 "which of several equally good ports a worm takes"},
	{"lanes", KEY_COUNT, offsetof(struct lash_params, lanes), NULL, NULL,
	 "lanes that it may use, 1 to 64"},
	{.type = KEY_END},
};

static const struct lash_params usual = {TIE_LOAD, 16};

// Everything at work.
struct lash_work {
	struct net_layers layers;
	struct net_acyclic *lanes; // those in use
	uint32_t count;
	uint32_t limit;
	uint32_t *way;
	uint64_t *scratch;
};

// Puts a path on the first lane that takes it.
static enum tr_status lash_place(struct lash_work *work, uint32_t at, uint32_t column,
				 struct tr_error *err)
{
	const uint32_t length = net_layers_way(&work->layers, at, column, work->way);
	uint32_t lane = 0;

	while (length > 1 && lane < work->count &&
	       !net_acyclic_add_way(&work->lanes[lane], work->way, length))
		lane++;
	if (lane == work->count && length > 1) {
		if (work->count == work->limit)
			return tr_fail(err,
				       "lanes=%u is too few: the route from switch %u to switch %u "
				       "closes a cycle on each",
				       work->limit, at, work->layers.target[column]);
		if (net_acyclic_open(&work->lanes[work->count++], &work->layers.channels, err) !=
		    TR_OK)
			return TR_ERROR;
		(void)net_acyclic_add_way(&work->lanes[lane], work->way, length);
	}
	work->layers.lane[net_layers_entry(&work->layers, at, column)] = (uint8_t)lane;
	return TR_OK;
}

static enum tr_status place_all(struct lash_work *work, struct tr_error *err)
{
	struct net_layers *layers = &work->layers;

	for (uint32_t column = 0; column < layers->columns; column++) {
		net_layers_look(layers, layers->target[column]);
		for (uint32_t i = layers->met; i > 0; i--)
			if (layers->channels.hosts_at[layers->order[i - 1]] > 0 &&
			    lash_place(work, layers->order[i - 1], column, err) != TR_OK)
				return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status lash_open_work(struct lash_work *work, const struct net_topology *topology,
				     const struct lash_params *params, struct tr_error *err)
{
	if (params->lanes < 1 || params->lanes > NET_LANES_MAX)
		return tr_fail(err, "lanes=%llu: expected 1 to %u",
			       (unsigned long long)params->lanes, NET_LANES_MAX);
	work->limit = (uint32_t)params->lanes;
	if (net_layers_open(&work->layers, topology, false, err) != TR_OK)
		return TR_ERROR;
	work->lanes = calloc(work->limit, sizeof(*work->lanes));
	work->way = calloc((size_t)topology->switches + 1, sizeof(*work->way));
	work->scratch = calloc((size_t)topology->switches + 1, sizeof(*work->scratch));
	return work->lanes && work->way && work->scratch ? TR_OK
							 : tr_no_memory(err, "the lanes of routes");
}

static void lash_close_work(struct lash_work *work)
{
	for (uint32_t i = 0; i < work->count; i++)
		net_acyclic_close(&work->lanes[i]);
	net_layers_close(&work->layers);
	free(work->lanes);
	free(work->way);
	free(work->scratch);
}

static enum tr_status lash_make(struct net_routes *routes, const struct net_topology *topology,
				const void *params, struct tr_error *err)
{
	const struct lash_params *lash = params;
	struct lash_work work = {0};
	enum tr_status status = lash_open_work(&work, topology, lash, err);

	*routes = (struct net_routes){0};
	if (status == TR_OK) {
		net_layers_lay(&work.layers, lash->tie == TIE_LOAD, work.scratch);
		status = place_all(&work, err);
	}
	if (status == TR_OK)
		status = net_layers_routes(routes, &work.layers, work.count, err);
	lash_close_work(&work);
	return status;
}

const struct net_routing net_routing_lash = {
	.name = "lash",
	.summary = "shortest routes on as many lanes as keep each free of cycles",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = lash_make,
};
