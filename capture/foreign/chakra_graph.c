// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/chakra.h"
#include "value/grow.h"
#include "value/hash.h"

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

// Replaces the ids that a node needs by indices, each once. seen: by node 1 plus the last that
// needs it.
static enum tr_status chakra_resolve(struct chakra_graph *graph, const struct tr_hash *ids,
				     uint32_t number, uint32_t *seen, struct tr_error *err)
{
	struct chakra_node *node = &graph->nodes[number];
	uint64_t *needs = node->need_count > 0 ? graph->needs + node->need_first : NULL;
	uint32_t count = 0, index;

	for (uint32_t i = 0; i < node->need_count; i++) {
		if (!chakra_ids_find(graph, ids, needs[i], &index))
			return tr_fail(err,
				       "offset %" PRIu64 ": node %" PRIu64
				       " depends on node %" PRIu64 ", which is not there",
				       node->offset, node->id, needs[i]);
		if (seen[index] != number + 1)
			needs[count++] = index;
		seen[index] = number + 1;
	}
	node->need_count = count;
	return TR_OK;
}

// ---- what comes before what

#define CHAKRA_DONE UINT32_MAX
#define EAGER_BYTES 65535u // flitsim's default

// Whether a node begins when a send that may wait for its receive has ended.
static bool chakra_waits_for_send(const struct chakra_graph *graph, const struct chakra_node *node)
{
	bool waits = false;

	for (uint32_t i = 0; i < node->need_count; i++) {
		const struct chakra_node *need = &graph->nodes[graph->needs[node->need_first + i]];

		waits |= (need->kind == CHAKRA_SEND && need->size > EAGER_BYTES) ||
			 (need->kind == CHAKRA_COMPUTE && need->after_send);
	}
	return waits;
}

// Is done with a node after all that it needs. next: 0 where a node is not reached yet, CHAKRA_DONE
// where it is done with, else 1 plus the need that it waits for. TR_ERROR: that waits for it.
static enum tr_status chakra_visit(struct chakra_graph *graph, uint32_t *next, uint32_t *stack,
				   struct tr_error *err)
{
	uint32_t depth = 1;

	while (depth > 0) {
		struct chakra_node *node = &graph->nodes[stack[depth - 1]];
		const uint32_t k = next[stack[depth - 1]]++;
		uint32_t need;

		if (k == node->need_count) {
			next[stack[--depth]] = CHAKRA_DONE;
			node->after_send = chakra_waits_for_send(graph, node);
			continue;
		}
		need = (uint32_t)graph->needs[node->need_first + k];
		if (next[need] == 0)
			stack[depth++] = need;
		else if (next[need] != CHAKRA_DONE)
			return tr_fail(err,
				       "offset %" PRIu64 ": node %" PRIu64
				       " depends on itself: dependencies form a cycle",
				       graph->nodes[need].offset, graph->nodes[need].id);
	}
	return TR_OK;
}

enum tr_status chakra_graph_finish(struct chakra_graph *graph, struct tr_error *err)
{
	struct tr_hash ids = {0};
	enum tr_status status = chakra_ids_enter(graph, &ids, err);
	uint32_t *next = calloc((size_t)graph->count + 1, sizeof(*next));
	uint32_t *stack = calloc((size_t)graph->count + 1, sizeof(*stack));

	if (status == TR_OK && (!next || !stack))
		status = tr_no_memory(err, "%" PRIu32 " nodes", graph->count);
	for (uint32_t i = 0; i < graph->count && status == TR_OK; i++)
		status = chakra_resolve(graph, &ids, i, stack, err);
	for (uint32_t i = 0; i < graph->count && status == TR_OK; i++) {
		stack[0] = i;
		if (next[i] == 0)
			status = chakra_visit(graph, next, stack, err);
	}
	tr_hash_clear(&ids);
	free(next);
	free(stack);
	return status;
}

void chakra_graph_clear(struct chakra_graph *graph)
{
	free(graph->nodes);
	free(graph->needs);
	*graph = (struct chakra_graph){0};
}
