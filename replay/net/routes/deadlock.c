// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/deadlock.h"

#include <stdlib.h>

#include "net/routes/digraph.h"

#define PLACES_MAX ((uint64_t)1 << 28) // pairs of ports that meet in switches, and their lanes

// A pair of hosts whose worms cause a dependency; source_and_1 0: none.
struct maker {
	uint32_t source_and_1;
	uint32_t destination;
};

// Dependencies by switch, port and lane of entry, lane and port of exit.
struct net_waits {
	const struct net_graph *graph;
	uint32_t lanes;
	uint32_t
		onward; // lanes on which a worm may go on from one: lanes, or 1 if it keeps its own
	uint32_t links;
	size_t *first; // of a link: in makers, NO_PLACE where it leads to a host
	struct maker *makers;
	uint32_t *switches; // of a link: the switch that it leads to
	uint32_t *ports;    // of a link: the port by which it leaves a switch
	uint64_t count;
	const bool *dead; // cables that no search takes; NULL: none is
};

#define NO_PLACE SIZE_MAX

void net_waits_close(struct net_waits *waits)
{
	if (!waits)
		return;
	free(waits->first);
	free(waits->makers);
	free(waits->switches);
	free(waits->ports);
	free(waits);
}

// Gives each link that leads to a switch its place in makers; returns their number.
static uint64_t place_links(struct net_waits *waits)
{
	const struct net_graph *graph = waits->graph;
	uint64_t places = 0;

	for (uint32_t link = 0; link < waits->links; link++)
		waits->first[link] = NO_PLACE;
	for (uint32_t node = 0; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(graph, node, port);

			if (peer->node == NET_NOBODY)
				continue;
			waits->ports[peer->link] = port;
			waits->switches[peer->link] = peer->node;
			if (!net_graph_is_switch(graph, peer->node))
				continue;
			waits->first[peer->link] = places;
			places += (uint64_t)net_graph_ports(graph, peer->node) * waits->lanes *
				  waits->onward;
		}
	return places;
}

static enum tr_status deadlock_take_memory(struct net_waits *waits, struct tr_error *err)
{
	uint64_t places;

	waits->first = calloc((size_t)waits->links + 1, sizeof(*waits->first));
	waits->switches = calloc((size_t)waits->links + 1, sizeof(*waits->switches));
	waits->ports = calloc((size_t)waits->links + 1, sizeof(*waits->ports));
	if (!waits->first || !waits->switches || !waits->ports)
		return tr_no_memory(err, "the channels' dependencies");
	places = place_links(waits);
	if (places > PLACES_MAX)
		return tr_fail(err, "the switches have too many ports to look for deadlock");
	waits->makers = calloc(places + 1, sizeof(*waits->makers));
	return waits->makers ? TR_OK : tr_no_memory(err, "the channels' dependencies");
}

struct net_waits *net_waits_open(const struct net_graph *graph, const struct net_routes *routes,
				 struct tr_error *err)
{
	struct net_waits *waits = calloc(1, sizeof(*waits));

	if (!waits) {
		(void)tr_no_memory(err, "the channels' dependencies");
		return NULL;
	}
	*waits = (struct net_waits){.graph = graph,
				    .links = graph->links,
				    .lanes = net_routes_list_lanes(routes),
				    .onward = 1};
	if (routes->changes_lane)
		waits->onward = waits->lanes;
	if (deadlock_take_memory(waits, err) == TR_OK)
		return waits;
	net_waits_close(waits);
	return NULL;
}

// What is known of worms that come in by a lane of a link to a switch and leave that by port, on
// the lane next.
static struct maker *maker_of(const struct net_waits *waits, uint32_t link, uint32_t lane,
			      uint32_t next, uint32_t port)
{
	const uint32_t ports = net_graph_ports(waits->graph, waits->switches[link]);
	const size_t turn = (size_t)lane * waits->onward + (waits->onward > 1 ? next : 0);

	return &waits->makers[waits->first[link] + turn * ports + port];
}

enum tr_status net_waits_take(void *context, uint32_t source, uint32_t destination,
			      const struct net_path *path, struct tr_error *err)
{
	struct net_waits *waits = context;
	// Of a path that was there before only the host's own link makes something new.
	const uint32_t count = path->repeated && path->count > 2 ? 2 : path->count;

	(void)err;
	for (uint32_t i = 0; i + 1 < count; i++) {
		struct maker *maker = maker_of(waits, path->links[i], net_path_lane(path, i),
					       net_path_lane(path, i + 1),
					       waits->ports[path->links[i + 1]]);

		if (maker->source_and_1 != 0)
			continue;
		*maker = (struct maker){source + 1, destination};
		waits->count++;
	}
	return TR_OK;
}

enum tr_status net_waits_take_step(void *context, const struct net_spread_step *step,
				   struct tr_error *err)
{
	struct net_waits *waits = context;
	struct maker *maker;

	(void)err;
	if (step->before == NET_NOBODY)
		return TR_OK;
	maker = maker_of(waits, step->before, step->before_lane, step->lane,
			 waits->ports[step->link]);
	if (maker->source_and_1 == 0) {
		*maker = (struct maker){step->source + 1, step->destination};
		waits->count++;
	}
	return TR_OK;
}

// Channels are numbered link by link, lane by lane; the places of what follows one, lane by lane,
// port by port.
static uint32_t deadlock_next_channel(const void *context, uint32_t channel, uint32_t *place)
{
	const struct net_waits *waits = context;
	const uint32_t link = channel / waits->lanes;
	const uint32_t lane = channel % waits->lanes;
	uint32_t ports;

	if (waits->first[link] == NO_PLACE || (waits->dead && waits->dead[link / 2]))
		return NET_NOBODY;
	ports = net_graph_ports(waits->graph, waits->switches[link]);
	while (*place < ports * waits->onward) {
		const uint32_t port = *place % ports;
		const uint32_t next = waits->onward > 1 ? *place / ports : lane;

		(*place)++;
		if (maker_of(waits, link, lane, next, port)->source_and_1 != 0)
			return net_graph_peer(waits->graph, waits->switches[link], port)->link *
				       waits->lanes +
			       next;
	}
	return NET_NOBODY;
}

enum tr_status net_waits_search(struct net_waits *waits, const bool *dead, struct net_cycle *cycle,
				struct tr_error *err)
{
	const struct net_digraph graph = {waits->links * waits->lanes, deadlock_next_channel,
					  waits};
	uint32_t *channels;
	enum tr_status status;

	waits->dead = dead;
	*cycle = (struct net_cycle){.dependencies = waits->count};
	status = net_digraph_cycle(&graph, &channels, &cycle->count, err);
	if (status == TR_OK && cycle->count > 0) {
		cycle->steps = calloc(cycle->count, sizeof(*cycle->steps));
		status = cycle->steps ? TR_OK : tr_no_memory(err, "the cycle");
	}
	for (uint32_t i = 0; status == TR_OK && i < cycle->count; i++) {
		const uint32_t link = channels[i] / waits->lanes;
		const uint32_t lane = channels[i] % waits->lanes;
		const uint32_t next = channels[(i + 1) % cycle->count];
		const struct maker *maker = maker_of(waits, link, lane, next % waits->lanes,
						     waits->ports[next / waits->lanes]);

		cycle->steps[i] = (struct net_cycle_step){link, lane, maker->source_and_1 - 1,
							  maker->destination};
	}
	free(channels);
	return status;
}

enum tr_status net_waits_take_routes(struct net_waits *waits, const struct net_routes *routes,
				     struct tr_error *err)
{
	return routes->spread
		       ? net_spread_visit(waits->graph, routes, NULL, NULL, net_waits_take_step,
					  waits, err)
		       : net_paths_visit(waits->graph, routes, NULL, net_waits_take, waits, err);
}

enum tr_status net_deadlock_find(struct net_cycle *cycle, const struct net_graph *graph,
				 const struct net_routes *routes, struct tr_error *err)
{
	struct net_waits *waits = net_waits_open(graph, routes, err);
	enum tr_status status = TR_ERROR;

	*cycle = (struct net_cycle){0};
	if (waits)
		status = net_waits_take_routes(waits, routes, err);
	if (status == TR_OK)
		status = net_waits_search(waits, NULL, cycle, err);
	net_waits_close(waits);
	return status;
}

void net_cycle_clear(struct net_cycle *cycle)
{
	free(cycle->steps);
	*cycle = (struct net_cycle){0};
}
