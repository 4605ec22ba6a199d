// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/chakra.h"
#include "value/grow.h"
#include "value/hash.h"
#include "value/heap.h"

// ---- finding nodes by their ids

static bool chakra_ids_find(const struct chakra_graph *graph, const struct tr_hash *ids,
			    uint64_t id, uint32_t *out)
{
	const uint64_t value = tr_hash_words(ids, &id, 1);
	uint32_t at = tr_hash_first(value);

	while ((*out = tr_hash_next(ids, value, &at)) != TR_HASH_NONE)
		if (graph->nodes[*out].id == id)
			return true;
	return false;
}

static enum tr_status chakra_ids_enter(const struct chakra_graph *graph, struct tr_hash *ids,
				       struct tr_error *err)
{
	for (uint32_t i = 0; i < graph->count; i++) {
		const struct chakra_node *node = &graph->nodes[i];
		uint32_t other;

		if (!tr_hash_reserve(ids))
			return tr_no_memory(err, "nodes");
		if (chakra_ids_find(graph, ids, node->id, &other))
			return tr_fail(err,
				       "offset %" PRIu64 ": node %" PRIu64
				       " is there twice, first at offset %" PRIu64,
				       node->offset, node->id, graph->nodes[other].offset);
		tr_hash_add(ids, tr_hash_words(ids, &node->id, 1), i);
	}
	return TR_OK;
}

static int chakra_compare_ids(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

// Sorts the needs of a node, each once, and replaces ids by indices.
static enum tr_status chakra_resolve(struct chakra_graph *graph, const struct tr_hash *ids,
				     struct chakra_node *node, struct tr_error *err)
{
	uint64_t *needs = graph->needs + node->need_first;
	uint32_t count = 0, index;

	if (node->need_count == 0)
		return TR_OK;
	qsort(needs, node->need_count, sizeof(*needs), chakra_compare_ids);
	for (uint32_t i = 0; i < node->need_count; i++)
		if (i == 0 || needs[i] != needs[count - 1])
			needs[count++] = needs[i];
	node->need_count = count;
	for (uint32_t i = 0; i < count; i++) {
		if (!chakra_ids_find(graph, ids, needs[i], &index))
			return tr_fail(err,
				       "offset %" PRIu64 ": node %" PRIu64
				       " depends on node %" PRIu64 ", which is not there",
				       node->offset, node->id, needs[i]);
		needs[i] = index;
	}
	qsort(needs, count, sizeof(*needs), chakra_compare_ids);
	return TR_OK;
}

// ---- the order

static bool chakra_is_before(const uint32_t *a, const uint32_t *b)
{
	return *a < *b;
}

HEAP(chakra_ready, uint32_t, chakra_is_before);

// Nodes that depend on others, and how many each still waits for.
struct chakra_followers {
	uint32_t *first; // of node i: items[first[i]] .. items[first[i + 1] - 1]
	uint32_t *items;
	uint32_t *waits;
	uint32_t *ready; // a heap
};

// Counts of a node's followers become where those of the next node begin; filling from the back
// moves each to where its own begin.
static void chakra_followers_fill(struct chakra_followers *followers,
				  const struct chakra_graph *graph)
{
	for (uint32_t i = 0; i < graph->count; i++) {
		const struct chakra_node *node = &graph->nodes[i];

		followers->waits[i] = node->need_count;
		for (uint32_t k = 0; k < node->need_count; k++)
			followers->first[graph->needs[node->need_first + k]]++;
	}
	for (uint32_t i = 0; i < graph->count; i++)
		followers->first[i + 1] += followers->first[i];
	for (uint32_t i = graph->count; i-- > 0;) {
		const struct chakra_node *node = &graph->nodes[i];

		for (uint32_t k = 0; k < node->need_count; k++)
			followers->items[--followers->first[graph->needs[node->need_first + k]]] =
				i;
	}
}

// A node on a cycle: from one that waits for ever, back over others that do.
static enum tr_status chakra_tell_cycle(const struct chakra_graph *graph, const uint32_t *waits,
					struct tr_error *err)
{
	uint32_t at = 0;

	while (waits[at] == 0)
		at++;
	for (uint32_t step = 0; step < graph->count; step++) {
		const uint64_t *needs = graph->needs + graph->nodes[at].need_first;

		while (waits[*needs] == 0)
			needs++;
		at = (uint32_t)*needs;
	}
	return tr_fail(err,
		       "offset %" PRIu64 ": node %" PRIu64
		       " depends on itself: dependencies form a cycle",
		       graph->nodes[at].offset, graph->nodes[at].id);
}

// Kahn, "Topological sorting of large networks", CACM 5, 1962; of the nodes that may be next, the
// first in the file.
static enum tr_status chakra_sort(struct chakra_graph *graph, struct chakra_followers *followers,
				  struct tr_error *err)
{
	uint32_t ready = 0, done = 0;

	chakra_followers_fill(followers, graph);
	for (uint32_t i = 0; i < graph->count; i++)
		if (followers->waits[i] == 0)
			chakra_ready_put(followers->ready, ready++, i);
	while (ready > 0) {
		const uint32_t node = chakra_ready_take(followers->ready, --ready);

		graph->order[done++] = node;
		for (uint32_t k = followers->first[node]; k < followers->first[node + 1]; k++)
			if (--followers->waits[followers->items[k]] == 0)
				chakra_ready_put(followers->ready, ready++, followers->items[k]);
	}
	return done == graph->count ? TR_OK : chakra_tell_cycle(graph, followers->waits, err);
}

enum tr_status chakra_graph_order(struct chakra_graph *graph, struct tr_error *err)
{
	const size_t count = graph->count;
	struct chakra_followers followers = {0};
	struct tr_hash ids = {0};
	enum tr_status status = chakra_ids_enter(graph, &ids, err);
	uint32_t needs = 0;

	for (uint32_t i = 0; status == TR_OK && i < graph->count; i++) {
		status = chakra_resolve(graph, &ids, &graph->nodes[i], err);
		needs += graph->nodes[i].need_count;
	}
	tr_hash_clear(&ids);
	if (status != TR_OK || count == 0)
		return status;
	graph->order = calloc(count, sizeof(*graph->order));
	followers.first = calloc(count + 1, sizeof(*followers.first));
	followers.items = calloc((size_t)needs + 1, sizeof(*followers.items));
	followers.waits = calloc(count, sizeof(*followers.waits));
	followers.ready = calloc(count, sizeof(*followers.ready));
	if (graph->order && followers.first && followers.items && followers.waits &&
	    followers.ready)
		status = chakra_sort(graph, &followers, err);
	else
		status = tr_no_memory(err, "%zu nodes", count);
	free(followers.first);
	free(followers.items);
	free(followers.waits);
	free(followers.ready);
	return status;
}

void chakra_graph_clear(struct chakra_graph *graph)
{
	free(graph->nodes);
	free(graph->needs);
	free(graph->order);
	*graph = (struct chakra_graph){0};
}
