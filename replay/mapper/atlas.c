// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper/mapping.h"

#include <stdlib.h>
#include <string.h>

#include "net/routings/routing.h"
#include "value/grow.h"

static void close_map(struct atlas_map *map)
{
	if (!map)
		return;
	net_routes_clear(&map->routes);
	net_graph_close(&map->graph);
	net_topology_clear(&map->topology);
	free(map->index);
	free(map->ports);
	free(map);
}

static bool same_ends(const struct net_cable *one, const struct net_cable *other)
{
	return memcmp(one->ends, other->ends, sizeof(one->ends)) == 0;
}

// Mapping asks in a fixed order, so equal networks give equal maps.
static bool are_same(const struct atlas_map *one, const struct atlas_map *other, uint32_t hosts)
{
	const struct net_topology *a = &one->topology;
	const struct net_topology *b = &other->topology;

	if (a->hosts != b->hosts || a->switches != b->switches ||
	    a->cable_count != b->cable_count ||
	    memcmp(one->index, other->index, hosts * sizeof(*one->index)) != 0 ||
	    memcmp(a->ports, b->ports, a->switches * sizeof(*a->ports)) != 0)
		return false;
	for (size_t i = 0; i < a->cable_count; i++)
		if (!same_ends(&a->cables[i], &b->cables[i]))
			return false;
	return true;
}

static enum tr_status atlas_build(struct atlas_map *map, const struct explore *explore,
				  uint32_t hosts, uint32_t *ids, struct tr_error *err)
{
	map->index = malloc(((size_t)hosts + 1) * sizeof(*map->index));
	if (!map->index)
		return tr_no_memory(err, "the map");
	memset(map->index, 0xff, hosts * sizeof(*map->index));
	if (explore_map(explore, &map->topology, ids, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < map->topology.hosts; i++)
		map->index[ids[i]] = i;
	if (net_graph_open(&map->graph, &map->topology, err) != TR_OK ||
	    net_routing_make(&map->routes, &map->topology, "updown:tie=lowest", err) != TR_OK)
		return TR_ERROR;
	map->ports = calloc(map->routes.longest, sizeof(*map->ports));
	return map->ports ? TR_OK : tr_no_memory(err, "the map");
}

static enum tr_status atlas_keep(struct atlas *atlas, struct atlas_map *map, struct tr_error *err)
{
	if (!GROW_BY_COUNT(atlas->maps, atlas->count))
		return tr_no_memory(err, "the map");
	atlas->maps[atlas->count++] = map;
	return TR_OK;
}

enum tr_status atlas_add(struct atlas *atlas, const struct explore *explore, bool *changed,
			 struct tr_error *err)
{
	struct atlas_map *map = calloc(1, sizeof(*map));
	uint32_t *ids = calloc((size_t)atlas->hosts + 1, sizeof(*ids));
	enum tr_status status = TR_ERROR;

	*changed = false;
	if (!map || !ids)
		tr_no_memory(err, "the map");
	else
		status = atlas_build(map, explore, atlas->hosts, ids, err);
	free(ids);
	if (status == TR_OK &&
	    (atlas->count == 0 || !are_same(map, atlas->maps[atlas->count - 1], atlas->hosts))) {
		*changed = true;
		status = atlas_keep(atlas, map, err);
		if (status == TR_OK)
			return TR_OK;
	}
	close_map(map);
	return status;
}

uint32_t atlas_route(const struct atlas *atlas, uint32_t number, uint32_t source,
		     uint32_t destination, int16_t *deltas)
{
	const struct atlas_map *map = atlas->maps[number];
	uint32_t from = map->index[source];
	uint32_t to = map->index[destination];
	const struct net_peer *at;
	uint32_t count;

	if (from == EXPLORE_NOBODY || to == EXPLORE_NOBODY)
		return NET_NO_ROUTE;
	count = net_routes_get(&map->routes, from, to, map->ports);
	if (count == NET_NO_ROUTE || count > EXPLORE_ROUTE_MAX)
		return NET_NO_ROUTE;
	at = net_graph_peer(&map->graph, from, 0);
	for (uint32_t i = 0; i < count; i++) {
		deltas[i] = (int16_t)(map->ports[i] - (int)at->port);
		at = net_graph_peer(&map->graph, at->node, map->ports[i]);
	}
	return count;
}

uint64_t atlas_bytes(const struct atlas *atlas, uint32_t number, uint32_t source)
{
	const struct atlas_map *map = atlas->maps[number];
	uint64_t bytes = 0;

	for (uint32_t to = 0; to < map->topology.hosts; to++) {
		uint32_t count = net_routes_get(&map->routes, map->index[source], to, map->ports);

		bytes += 2 + (count == NET_NO_ROUTE ? 0 : count);
	}
	return bytes;
}

void atlas_close(struct atlas *atlas)
{
	for (uint32_t i = 0; i < atlas->count; i++)
		close_map(atlas->maps[i]);
	free(atlas->maps);
	*atlas = (struct atlas){0};
}
