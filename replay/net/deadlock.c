// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/deadlock.h"

#include <stdlib.h>

#define PAIRS_MAX ((uint64_t)1 << 28) // pairs of ports in switches

// A pair of hosts whose worms cause a dependency; source_and_1 0: none.
struct maker {
	uint32_t source_and_1;
	uint32_t destination;
};

// Dependencies by switch, input port and output port.
struct net_waits {
	const struct net_graph *graph;
	size_t *first; // by switch, in makers
	struct maker *makers;
	struct net_end *far; // by link: the port at its far end; NET_NOBODY for none
	uint32_t *before;    // by link: its predecessor in the search
	uint32_t *queue;
	uint8_t *color;
	uint32_t links;
	uint64_t count;
};

void net_waits_close(struct net_waits *waits)
{
	if (!waits)
		return;
	free(waits->first);
	free(waits->makers);
	free(waits->far);
	free(waits->before);
	free(waits->queue);
	free(waits->color);
	free(waits);
}

static void place_links(struct net_waits *waits)
{
	const struct net_graph *graph = waits->graph;

	for (uint32_t node = 0; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(graph, node, port);

			if (peer->node != NET_NOBODY)
				waits->far[peer->link] = (struct net_end){peer->node, peer->port};
		}
}

static enum tr_status take_memory(struct net_waits *waits, const struct net_graph *graph, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);

	*waits = (struct net_waits){.graph = graph, .links = graph->links};
	waits->first = calloc((size_t)switches + 1, sizeof(*waits->first));
	if (!waits->first)
		return tr_no_memory(err, "the channels' dependencies");
	for (uint32_t i = 0; i < switches; i++) {
		size_t ports = net_graph_ports(graph, i + graph->hosts);

		waits->first[i + 1] = waits->first[i] + ports * ports;
	}
	if (waits->first[switches] > PAIRS_MAX)
		return tr_fail(err, "the switches have too many ports to look for deadlock");
	waits->makers = calloc(waits->first[switches] + 1, sizeof(*waits->makers));
	waits->far = calloc((size_t)waits->links + 1, sizeof(*waits->far));
	waits->before = calloc((size_t)waits->links + 1, sizeof(*waits->before));
	waits->queue = calloc((size_t)waits->links + 1, sizeof(*waits->queue));
	waits->color = calloc((size_t)waits->links + 1, sizeof(*waits->color));
	if (!waits->makers || !waits->far || !waits->before || !waits->queue || !waits->color)
		return tr_no_memory(err, "the channels' dependencies");
	place_links(waits);
	return TR_OK;
}

struct net_waits *net_waits_open(const struct net_graph *graph, struct tr_error *err)
{
	struct net_waits *waits = calloc(1, sizeof(*waits));

	if (!waits) {
		tr_no_memory(err, "the channels' dependencies");
		return NULL;
	}
	if (take_memory(waits, graph, err) == TR_OK)
		return waits;
	net_waits_close(waits);
	return NULL;
}

// The entry for worms that enter by link and leave its switch by port.
static struct maker *maker_of(const struct net_waits *waits, uint32_t link, uint32_t port)
{
	const struct net_end *far = &waits->far[link];
	size_t ports = net_graph_ports(waits->graph, far->node);

	return &waits->makers[waits->first[far->node - waits->graph->hosts] + far->port * ports + port];
}

// The output port of a link at its switch: the input port of the cable's other direction.
static uint32_t port_of(const struct net_waits *waits, uint32_t link)
{
	return waits->far[link ^ 1].port;
}

enum tr_status net_waits_take(void *context, uint32_t source, uint32_t destination, const struct net_path *path,
			      struct tr_error *err)
{
	struct net_waits *waits = context;

	(void)err;
	for (uint32_t i = 0; i + 1 < path->count; i++) {
		struct maker *maker = maker_of(waits, path->links[i], port_of(waits, path->links[i + 1]));

		if (maker->source_and_1 != 0)
			continue;
		*maker = (struct maker){source + 1, destination};
		waits->count++;
	}
	return TR_OK;
}

// Ports of the switch at the link's far end; none for a host.
static uint32_t ports_after(const struct net_waits *waits, uint32_t link)
{
	const struct net_graph *graph = waits->graph;
	uint32_t node = waits->far[link].node;

	return net_graph_is_switch(graph, node) ? net_graph_ports(graph, node) : 0;
}

// The link that link depends on through port; NET_NOBODY if there is no dependency.
static uint32_t depends_on(const struct net_waits *waits, uint32_t link, uint32_t port)
{
	if (maker_of(waits, link, port)->source_and_1 == 0)
		return NET_NOBODY;
	return net_graph_peer(waits->graph, waits->far[link].node, port)->link;
}

// Removes, one by one, the links without remaining dependencies (Kahn's algorithm, backwards). color is 1 for those removed;
// the others are in a cycle or lead into one.
static void take_free_links(struct net_waits *waits)
{
	uint32_t *left = waits->before; // remaining dependencies of each link
	uint32_t head = 0;
	uint32_t tail = 0;

	for (uint32_t link = 0; link < waits->links; link++) {
		left[link] = 0;
		for (uint32_t port = 0; port < ports_after(waits, link); port++)
			left[link] += depends_on(waits, link, port) != NET_NOBODY;
		if (left[link] == 0) {
			waits->color[link] = 1;
			waits->queue[tail++] = link;
		}
	}
	while (head < tail) {
		uint32_t link = waits->queue[head++];
		uint32_t node = waits->far[link ^ 1].node;

		if (!net_graph_is_switch(waits->graph, node))
			continue;
		for (uint32_t in = 0; in < net_graph_ports(waits->graph, node); in++) {
			const struct net_peer *peer = net_graph_peer(waits->graph, node, in);
			uint32_t before = peer->link ^ 1;

			if (peer->node == NET_NOBODY || depends_on(waits, before, port_of(waits, link)) == NET_NOBODY ||
			    --left[before] > 0)
				continue;
			waits->color[before] = 1;
			waits->queue[tail++] = before;
		}
	}
}

// Breadth-first search from a link along dependencies; true if it comes back; before then has the path.
static bool comes_back(struct net_waits *waits, uint32_t start)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	for (uint32_t link = 0; link < waits->links; link++)
		waits->before[link] = NET_NOBODY;
	waits->queue[tail++] = start;
	while (head < tail) {
		uint32_t link = waits->queue[head++];

		for (uint32_t port = 0; port < ports_after(waits, link); port++) {
			uint32_t next = depends_on(waits, link, port);

			if (next == NET_NOBODY || waits->color[next] == 1 || waits->before[next] != NET_NOBODY)
				continue;
			waits->before[next] = link;
			if (next == start)
				return true;
			waits->queue[tail++] = next;
		}
	}
	return false;
}

// The cycle through start, following before backwards.
static enum tr_status take_cycle(const struct net_waits *waits, uint32_t start, struct net_cycle *cycle, struct tr_error *err)
{
	uint32_t link = start;
	uint32_t next = start;

	do {
		link = waits->before[link];
		cycle->count++;
	} while (link != start);
	cycle->steps = calloc(cycle->count, sizeof(*cycle->steps));
	if (!cycle->steps)
		return tr_no_memory(err, "the cycle");
	for (uint32_t i = cycle->count; i > 0; i--) {
		const struct maker *maker;

		link = waits->before[next];
		maker = maker_of(waits, link, port_of(waits, next));
		cycle->steps[i - 1] = (struct net_cycle_step){link, maker->source_and_1 - 1, maker->destination};
		next = link;
	}
	return TR_OK;
}

enum tr_status net_waits_search(struct net_waits *waits, struct net_cycle *cycle, struct tr_error *err)
{
	*cycle = (struct net_cycle){.dependencies = waits->count};
	take_free_links(waits);
	for (uint32_t link = 0; link < waits->links; link++)
		if (waits->color[link] == 0 && comes_back(waits, link))
			return take_cycle(waits, link, cycle, err);
	return TR_OK;
}

enum tr_status net_deadlock_find(struct net_cycle *cycle, const struct net_graph *graph, const struct net_routes *routes,
				 struct tr_error *err)
{
	struct net_waits *waits = net_waits_open(graph, err);
	enum tr_status status = TR_ERROR;

	*cycle = (struct net_cycle){0};
	if (waits)
		status = net_paths_visit(graph, routes, NULL, net_waits_take, waits, err);
	if (status == TR_OK)
		status = net_waits_search(waits, cycle, err);
	net_waits_close(waits);
	return status;
}

void net_cycle_clear(struct net_cycle *cycle)
{
	free(cycle->steps);
	*cycle = (struct net_cycle){0};
}
