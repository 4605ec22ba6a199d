// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper/mapping.h"

#define NO_PORT UINT16_MAX

// The peer at the worm's next port; NULL if there is none.
static const struct net_peer *packets_step(const struct net_graph *graph, const struct net_peer *at,
					   int delta)
{
	int port = (int)at->port + delta;

	if (!net_graph_is_switch(graph, at->node) || port < 0 ||
	    (uint32_t)port >= net_graph_ports(graph, at->node))
		return NULL;
	at = net_graph_peer(graph, at->node, (uint32_t)port);
	return at->node != NET_NOBODY ? at : NULL;
}

uint32_t wire_follow(const struct net_graph *graph, uint32_t source, const int16_t *deltas,
		     uint32_t count, uint16_t *ports)
{
	const struct net_peer *at = net_graph_peer(graph, source, 0);

	for (uint32_t i = 0; i < count; i++) {
		const struct net_peer *next = at ? packets_step(graph, at, deltas[i]) : NULL;

		ports[i] = next ? (uint16_t)((int)at->port + deltas[i]) : NO_PORT;
		at = next;
	}
	return at && !net_graph_is_switch(graph, at->node) ? at->node : NET_NOBODY;
}

// Packets that the mapper offers.

// A packet of the mapper's over a route of differences. The destination of a route that leads
// nowhere is the mapper.
static void make_own(struct mapper *mapper, enum what what, uint64_t number, uint32_t source,
		     uint32_t bytes, const int16_t *deltas, uint32_t count)
{
	uint32_t end = wire_follow(&mapper->graph, source, deltas, count, mapper->ports);
	bool returns = what == WHAT_SCOUT && mapper->question.scout.ask == EXPLORE_RETURN;

	mapper->offered = what;
	mapper->offer = (struct net_offer){
		.packet = {.time_ticks = mapper->now_ticks,
			   .id = mapper_id(what, number),
			   .flow = TR_FLOW_NONE,
			   .payload_bytes = bytes,
			   .wire_bytes = bytes,
			   .class = TR_CLASS_OVERHEAD},
		.source = source,
		.destination = end == NET_NOBODY || returns ? mapper->self : end,
		.size_bytes = bytes,
		.route = mapper->ports,
		.route_count = count,
	};
}

void packet_scout(struct mapper *mapper)
{
	const struct question *question = &mapper->question;

	make_own(mapper, WHAT_SCOUT, question->number, mapper->self, mapper->params.scout_bytes,
		 question->scout.deltas, question->scout.count);
}

// The way back: the differences in reverse order and with opposite sign.
void packet_answer(struct mapper *mapper)
{
	const struct explore_scout *scout = &mapper->question.scout;
	int16_t deltas[EXPLORE_ROUTE_MAX];

	for (uint32_t i = 0; i < scout->count; i++)
		deltas[i] = (int16_t)-scout->deltas[scout->count - 1 - i];
	make_own(mapper, WHAT_ANSWER, mapper->question.number, mapper->question.hearer,
		 mapper->params.scout_bytes, deltas, scout->count);
}

// Skips hosts that need no worm: the mapper itself, those with the last routes (known from answers
// to scouts), and those not on the map.
static void skip_told(struct mapper *mapper)
{
	const uint32_t last = mapper->atlas.count - 1;
	const struct atlas_map *map = mapper->atlas.maps[last];

	for (; mapper->next_told < mapper->graph.hosts; mapper->next_told++) {
		if (mapper->next_told == mapper->self)
			mapper->map_of[mapper->self] = last;
		else if (map->index[mapper->next_told] != EXPLORE_NOBODY &&
			 mapper->map_of[mapper->next_told] != last)
			return;
	}
}

bool packet_has_routes(struct mapper *mapper)
{
	if (mapper->atlas.count == 0 || mapper->next_told >= mapper->graph.hosts)
		return false;
	skip_told(mapper);
	return mapper->next_told < mapper->graph.hosts;
}

void packet_routes(struct mapper *mapper)
{
	const uint32_t last = mapper->atlas.count - 1;
	const uint64_t left = atlas_bytes(&mapper->atlas, last, mapper->next_told) -
			      mapper->told_bytes;
	const bool end = left <= mapper->params.mtu_bytes;
	int16_t deltas[EXPLORE_ROUTE_MAX];
	uint32_t count = atlas_route(&mapper->atlas, last, mapper->self, mapper->next_told, deltas);

	make_own(mapper, end ? WHAT_ROUTES_END : WHAT_ROUTES, last, mapper->self,
		 end ? (uint32_t)left : mapper->params.mtu_bytes, deltas,
		 count == NET_NO_ROUTE ? 0 : count);
}

// The others' packet, by its source's routes.
void packet_other(struct mapper *mapper)
{
	const struct net_offer *other = &mapper->other;
	int16_t deltas[EXPLORE_ROUTE_MAX];
	uint32_t count;
	uint32_t map;

	mapper->offered = WHAT_OTHER;
	mapper->offer = *other;
	if (other->refused != TR_DROP_NONE || other->wake || other->source >= mapper->graph.hosts ||
	    other->destination >= mapper->graph.hosts ||
	    mapper->map_of[other->source] == ATLAS_NO_MAP)
		return;
	map = mapper->map_of[other->source];
	count = atlas_route(&mapper->atlas, map, other->source, other->destination, deltas);
	if (count == NET_NO_ROUTE) {
		mapper->offer.refused = TR_DROP_ROUTE;
		return;
	}
	wire_follow(&mapper->graph, other->source, deltas, count, mapper->ports);
	mapper->offer.route = mapper->ports;
	mapper->offer.route_count = count;
}
