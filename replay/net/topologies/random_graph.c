// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/random_graph.h"

#include <stdlib.h>
#include <string.h>

// Draws of a pair before all pairs are looked at.
#define DRAWS 200u

enum tr_status random_graph_open(struct random_graph *graph, uint32_t switches, uint32_t degree, uint64_t seed,
				 const char *name, struct tr_error *err)
{
	const size_t ports = (size_t)switches * degree + 1;

	*graph = (struct random_graph){.switches = switches, .degree = degree};
	tr_random_open(&graph->random, seed, name);
	graph->used = calloc((size_t)switches + 1, sizeof(*graph->used));
	graph->queue = calloc((size_t)switches + 1, sizeof(*graph->queue));
	graph->seen = calloc((size_t)switches + 1, 1);
	graph->peers = calloc(ports, sizeof(*graph->peers));
	graph->stubs = calloc(ports, sizeof(*graph->stubs));
	graph->pairs = calloc(ports, sizeof(*graph->pairs));
	if (!graph->used || !graph->queue || !graph->seen || !graph->peers || !graph->stubs || !graph->pairs) {
		random_graph_close(graph);
		return tr_no_memory(err, "the topology");
	}
	random_graph_restart(graph);
	return TR_OK;
}

void random_graph_restart(struct random_graph *graph)
{
	memset(graph->used, 0, graph->switches * sizeof(*graph->used));
	graph->pair_count = 0;
	graph->stub_count = graph->switches * graph->degree;
	for (uint32_t i = 0; i < graph->stub_count; i++)
		graph->stubs[i] = i / graph->degree;
}

static bool may_join(const struct random_graph *graph, uint32_t a, uint32_t b)
{
	const uint32_t *peers = &graph->peers[(size_t)a * graph->degree];

	for (uint32_t i = 0; i < graph->used[a]; i++)
		if (peers[i] == b)
			return false;
	return a != b;
}

static void drop_stub(struct random_graph *graph, uint32_t at)
{
	graph->stubs[at] = graph->stubs[--graph->stub_count];
}

// Joins the switches of two stubs.
static void join(struct random_graph *graph, uint32_t one, uint32_t other)
{
	const uint32_t a = graph->stubs[one];
	const uint32_t b = graph->stubs[other];

	graph->peers[(size_t)a * graph->degree + graph->used[a]++] = b;
	graph->peers[(size_t)b * graph->degree + graph->used[b]++] = a;
	graph->pairs[2 * graph->pair_count] = a;
	graph->pairs[2 * graph->pair_count++ + 1] = b;
	drop_stub(graph, one > other ? one : other);
	drop_stub(graph, one > other ? other : one);
}

// Joins the first of all pairs that may be.
static bool join_any(struct random_graph *graph)
{
	memset(graph->seen, 0, graph->switches);
	for (uint32_t i = 0; i < graph->stub_count; i++) {
		const uint32_t a = graph->stubs[i];

		if (graph->seen[a])
			continue;
		graph->seen[a] = 1;
		for (uint32_t j = i + 1; j < graph->stub_count; j++)
			if (!graph->seen[graph->stubs[j]] && may_join(graph, a, graph->stubs[j])) {
				join(graph, i, j);
				return true;
			}
	}
	return false;
}

bool random_graph_join(struct random_graph *graph)
{
	for (uint32_t draw = 0; graph->stub_count > 1 && draw < DRAWS; draw++) {
		uint32_t one = (uint32_t)tr_random_below(&graph->random, graph->stub_count);
		uint32_t other = (uint32_t)tr_random_below(&graph->random, graph->stub_count);

		if (may_join(graph, graph->stubs[one], graph->stubs[other])) {
			join(graph, one, other);
			return true;
		}
	}
	return join_any(graph);
}

// As in a graph without cables the stubs stand in the order of the switches; those of the tree so far are
// kept at the front.
bool random_graph_grow_tree(struct random_graph *graph)
{
	uint32_t *stubs = graph->stubs;
	uint32_t open = graph->degree; // of the tree so far

	for (uint32_t next = 1; next < graph->switches; next++) {
		const uint32_t first = next * graph->degree; // its own
		uint32_t at;

		if (open == 0)
			return false;
		at = (uint32_t)tr_random_below(&graph->random, open);
		graph->peers[(size_t)stubs[at] * graph->degree + graph->used[stubs[at]]++] = next;
		graph->peers[(size_t)next * graph->degree + graph->used[next]++] = stubs[at];
		graph->pairs[2 * graph->pair_count] = stubs[at];
		graph->pairs[2 * graph->pair_count++ + 1] = next;
		stubs[at] = stubs[open - 1];
		open--;
		for (uint32_t i = 1; i < graph->degree; i++)
			stubs[open++] = stubs[first + i];
	}
	graph->stub_count = open;
	return true;
}

bool random_graph_connected(struct random_graph *graph)
{
	uint32_t *queue = graph->queue;
	unsigned char *seen = graph->seen;
	uint32_t head = 0;
	uint32_t tail = 0;

	memset(seen, 0, graph->switches);
	seen[0] = 1;
	queue[tail++] = 0;
	while (head < tail) {
		const uint32_t node = queue[head++];
		const uint32_t *peers = &graph->peers[(size_t)node * graph->degree];

		for (uint32_t i = 0; i < graph->used[node]; i++)
			if (!seen[peers[i]]) {
				seen[peers[i]] = 1;
				queue[tail++] = peers[i];
			}
	}
	return tail == graph->switches;
}

void random_graph_lay(const struct random_graph *graph, struct net_builder *builder, uint32_t first_port)
{
	uint32_t *next = graph->queue;

	memset(next, 0, graph->switches * sizeof(*next));
	for (uint32_t i = 0; i < graph->pair_count; i++) {
		const uint32_t a = graph->pairs[2 * i];
		const uint32_t b = graph->pairs[2 * i + 1];

		net_build_cable(builder, a, first_port + next[a]++, b, first_port + next[b]++);
	}
}

void random_graph_close(struct random_graph *graph)
{
	free(graph->used);
	free(graph->peers);
	free(graph->stubs);
	free(graph->pairs);
	free(graph->queue);
	free(graph->seen);
	*graph = (struct random_graph){.switches = 0};
}
