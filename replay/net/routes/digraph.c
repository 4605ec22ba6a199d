// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/digraph.h"

#include <stdlib.h>
#include <string.h>

#include "net/topology/graph.h"

// Parts of work, each of so many nodes: the time a node was met (NET_NOBODY: not yet), the earliest
// met that it is known to lead back to, the stack of nodes whose component is open, and the path of
// the search with the place of each on it.
struct digraph_search {
	uint32_t *met;
	uint32_t *low;
	uint32_t *open;
	uint32_t *path;
	uint32_t *place;
};

#define PARTS 5u

static struct digraph_search search_of(const struct net_components *components, uint32_t nodes)
{
	uint32_t *work = components->work;

	return (struct digraph_search){work, work + nodes, work + 2 * (size_t)nodes,
				       work + 3 * (size_t)nodes, work + 4 * (size_t)nodes};
}

enum tr_status net_components_open(struct net_components *components, uint32_t nodes,
				   struct tr_error *err)
{
	*components = (struct net_components){0};
	components->order = malloc(((size_t)nodes + 1) * sizeof(*components->order));
	components->root = malloc(((size_t)nodes + 1) * sizeof(*components->root));
	components->work = malloc((PARTS * (size_t)nodes + 1) * sizeof(*components->work));
	if (!components->order || !components->root || !components->work)
		return tr_no_memory(err, "the components of a graph");
	net_components_clear(components, nodes);
	return TR_OK;
}

void net_components_clear(struct net_components *components, uint32_t nodes)
{
	components->count = 0;
	memset(components->root, 0xff, nodes * sizeof(*components->root));
	memset(components->work, 0xff, nodes * sizeof(*components->work));
}

void net_components_close(struct net_components *components)
{
	free(components->order);
	free(components->root);
	free(components->work);
	*components = (struct net_components){0};
}

// node is the first met of its component: takes that from the stack of open ones, whose height is
// returned.
static uint32_t take_component(struct net_components *components,
			       const struct digraph_search *search, uint32_t node, uint32_t height)
{
	uint32_t member;

	do {
		member = search->open[--height];
		components->root[member] = node;
		components->order[components->count++] = member;
	} while (member != node);
	return height;
}

void net_components_visit(struct net_components *components, const struct net_digraph *graph,
			  uint32_t start)
{
	const struct digraph_search search = search_of(components, graph->nodes);
	uint32_t clock = components->count;
	uint32_t height = 0;
	uint32_t depth = 0;

	if (components->root[start] != NET_NOBODY)
		return;
	search.met[start] = search.low[start] = clock++;
	search.open[height++] = start;
	search.path[depth] = start;
	search.place[depth++] = 0;
	while (depth > 0) {
		const uint32_t node = search.path[depth - 1];
		const uint32_t next = graph->next(graph->context, node, &search.place[depth - 1]);

		if (next == NET_NOBODY) {
			if (search.low[node] == search.met[node])
				height = take_component(components, &search, node, height);
			if (--depth > 0 && search.low[node] < search.low[search.path[depth - 1]])
				search.low[search.path[depth - 1]] = search.low[node];
		} else if (search.met[next] == NET_NOBODY) {
			search.met[next] = search.low[next] = clock++;
			search.open[height++] = next;
			search.path[depth] = next;
			search.place[depth++] = 0;
		} else if (components->root[next] == NET_NOBODY &&
			   search.met[next] < search.low[node]) {
			search.low[node] = search.met[next];
		}
	}
}

// Whether node leads to itself at once.
static bool has_loop(const struct net_digraph *graph, uint32_t node)
{
	uint32_t place = 0;
	uint32_t next;

	while ((next = graph->next(graph->context, node, &place)) != NET_NOBODY)
		if (next == node)
			return true;
	return false;
}

// The lowest node in any cycle; NET_NOBODY for none.
static uint32_t lowest_in_cycle(const struct net_components *components,
				const struct net_digraph *graph)
{
	uint32_t lowest = NET_NOBODY;

	for (uint32_t i = 0; i < components->count; i++) {
		const uint32_t node = components->order[i];
		const uint32_t root = components->root[node];
		const bool shared = root != node ||
				    (i > 0 && components->root[components->order[i - 1]] == root);

		if (node < lowest && (shared || has_loop(graph, node)))
			lowest = node;
	}
	return lowest;
}

// Breadth-first from start within its component until it comes back; before[] then tells the way.
static void digraph_come_back(const struct net_components *components,
			      const struct net_digraph *graph, uint32_t start, uint32_t *before,
			      uint32_t *queue)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	memset(before, 0xff, graph->nodes * sizeof(*before));
	queue[tail++] = start;
	while (before[start] == NET_NOBODY) {
		const uint32_t node = queue[head++];
		uint32_t place = 0;
		uint32_t next;

		while ((next = graph->next(graph->context, node, &place)) != NET_NOBODY) {
			if (components->root[next] != components->root[start] ||
			    before[next] != NET_NOBODY)
				continue;
			before[next] = node;
			queue[tail++] = next;
		}
	}
}

enum tr_status net_digraph_cycle(const struct net_digraph *graph, uint32_t **cycle, uint32_t *count,
				 struct tr_error *err)
{
	struct net_components components;
	enum tr_status status = net_components_open(&components, graph->nodes, err);
	uint32_t start = NET_NOBODY;

	*cycle = NULL;
	*count = 0;
	if (status == TR_OK) {
		for (uint32_t node = 0; node < graph->nodes; node++)
			net_components_visit(&components, graph, node);
		start = lowest_in_cycle(&components, graph);
	}
	if (start != NET_NOBODY) {
		uint32_t *before = components.work;
		uint32_t node = start;

		digraph_come_back(&components, graph, start, before, before + graph->nodes);
		do
			++*count;
		while ((node = before[node]) != start);
		*cycle = malloc(*count * sizeof(**cycle));
		if (!*cycle)
			status = tr_no_memory(err, "a cycle");
		for (uint32_t i = *count; status == TR_OK && i > 0; i--, node = before[node])
			(*cycle)[i % *count] = node;
	}
	net_components_close(&components);
	return status;
}
