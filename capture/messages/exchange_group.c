// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/exchanges.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/order.h"

static uint32_t row_of_node(const struct exchange_group *group, uint32_t node)
{
	const uint32_t *found = bsearch(&node, group->order, group->count, sizeof(node), order_u32);

	return (uint32_t)(found - group->order);
}

static bool exchange_is_taken(const struct exchange_edge *edge)
{
	return edge->of->doubt == EXCHANGE_FOUND;
}

struct exchange_edge *exchange_next(const struct exchange_group *group, enum exchange_end end,
				    uint32_t row, size_t *at)
{
	while (*at < group->rows[row].end[end]) {
		struct exchange_edge *edge = &group->edges[group->lists[end][(*at)++]];

		if (!exchange_is_taken(edge))
			return edge;
	}
	return NULL;
}

static void group_close(struct exchange_group *group)
{
	for (int end = 0; end < EXCHANGE_ENDS; end++)
		free(group->lists[end]);
	free(group->rows);
	free(group->edges);
	free(group->order);
	free(group->room);
	free(group->parts);
}

static void group_list(struct exchange_group *group, enum exchange_end end)
{
	size_t first = 0;

	for (size_t i = 0; i < group->edge_count; i++)
		group->rows[end == EXCHANGE_SENDS ? group->edges[i].src : group->edges[i].dst]
			.end[end]++;
	for (uint32_t row = 0; row < group->count; row++) {
		const size_t count = group->rows[row].end[end];

		group->rows[row].next[end] = group->rows[row].end[end] = first;
		first += count;
	}
	for (size_t i = 0; i < group->edge_count; i++)
		group->lists[end][group->rows[end == EXCHANGE_SENDS ? group->edges[i].src
								    : group->edges[i].dst]
					  .end[end]++] = i;
}

static enum tr_status group_open(struct exchange_group *group, struct exchange_message *const *of,
				 size_t count, struct tr_error *err)
{
	group->edge_count = group->left = count;
	group->edges = calloc(count, sizeof(*group->edges));
	group->order = calloc(2 * count, sizeof(*group->order)); // of nodes at first
	for (int end = 0; end < EXCHANGE_ENDS; end++)
		group->lists[end] = calloc(count, sizeof(**group->lists));
	if (!group->edges || !group->order || !group->lists[EXCHANGE_SENDS] ||
	    !group->lists[EXCHANGE_RECEIVES])
		return tr_no_memory(err, "%zu messages", count);
	for (size_t i = 0; i < 2 * count; i++)
		group->order[i] = i % 2 ? of[i / 2]->dst : of[i / 2]->src;
	qsort(group->order, 2 * count, sizeof(*group->order), order_u32);
	for (size_t i = 0; i < 2 * count; i++)
		if (group->count == 0 || group->order[group->count - 1] != group->order[i])
			group->order[group->count++] = group->order[i];
	group->rows = calloc(group->count, sizeof(*group->rows));
	group->room = calloc(2 * (size_t)group->count, sizeof(*group->room));
	if (!group->rows || !group->room)
		return tr_no_memory(err, "%u nodes", group->count);
	for (uint32_t row = 0; row < group->count; row++) {
		group->rows[row].node = group->order[row];
		group->rows[row].came_ticks = INT64_MIN;
	}
	for (size_t i = 0; i < count; i++)
		group->edges[i] = (struct exchange_edge){of[i], row_of_node(group, of[i]->src),
							 row_of_node(group, of[i]->dst)};
	group_list(group, EXCHANGE_SENDS);
	group_list(group, EXCHANGE_RECEIVES);
	return TR_OK;
}

bool exchange_is_like(const struct exchange *a, const struct exchange *b)
{
	if (a->algorithm != b->algorithm || a->operation != b->operation ||
	    a->places != b->places || a->count != b->count ||
	    memcmp(a->nodes, b->nodes, a->places * sizeof(*a->nodes)) != 0)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->parts[i].src != b->parts[i].src || a->parts[i].dst != b->parts[i].dst ||
		    a->parts[i].of->size_bytes != b->parts[i].of->size_bytes)
			return false;
	return true;
}

void exchange_drop(struct exchange *exchange)
{
	for (size_t i = 0; i < exchange->count; i++)
		exchange->parts[i].of->doubt = EXCHANGE_PEERS;
	exchange_clear(exchange);
}

void exchange_clear(struct exchange *exchange)
{
	free(exchange->nodes);
	free(exchange->parts);
	*exchange = (struct exchange){.algorithm = NULL};
}

// ---- operations

// Whether all parts are in one iteration, and whether they have one tag.
static bool parts_repeat(const struct exchange *exchange, bool *one_tag)
{
	const struct exchange_part *parts = exchange->parts;
	bool repeat = true;

	*one_tag = true;
	for (size_t i = 1; i < exchange->count; i++) {
		repeat = repeat && parts[i].of->iteration == parts[0].of->iteration;
		*one_tag = *one_tag && parts[i].of->tag == parts[0].of->tag;
	}
	return repeat;
}

// Whether every place sends only when what it waits for has come.
static bool parts_wait(struct exchange_group *group, const struct exchange *exchange)
{
	const struct exchange_part *parts = exchange->parts;
	size_t end = 0;

	for (uint32_t row = 0; row < group->count; row++)
		group->rows[row].tried_ticks = group->rows[row].came_ticks;
	for (size_t i = 0; i < exchange->count; i = end) {
		for (end = i; end < exchange->count && parts[end].step == parts[i].step; end++)
			if (parts[end].of->begin_ticks <
			    group->rows[group->order[parts[end].src]].tried_ticks)
				return false;
		for (size_t m = i; m < end; m++) {
			struct exchange_row *to = &group->rows[group->order[parts[m].dst]];

			if (parts[m].of->end_ticks > to->tried_ticks)
				to->tried_ticks = parts[m].of->end_ticks;
		}
	}
	for (uint32_t row = 0; row < group->count; row++)
		group->rows[row].came_ticks = group->rows[row].tried_ticks;
	return true;
}

static enum exchange_doubt exchange_try(struct exchange_group *group, size_t algorithm,
					struct exchange *out)
{
	bool tree, one_tag, repeat;
	const enum exchange_doubt doubt = exchange_identify(group, algorithm, out, &tree);

	if (doubt != EXCHANGE_FOUND)
		return doubt;
	repeat = parts_repeat(out, &one_tag);
	if (!tree && !repeat)
		return EXCHANGE_SPREAD;
	if (!parts_wait(group, out))
		return EXCHANGE_EARLY;
	group->mixed |= tree && !(repeat && one_tag);
	return EXCHANGE_FOUND;
}

// Takes the parts, which become the operation's own.
static enum tr_status exchange_claim(struct exchange_group *group, struct exchange *out,
				     struct tr_error *err)
{
	out->nodes = calloc(out->places, sizeof(*out->nodes));
	out->parts = calloc(out->count, sizeof(*out->parts));
	if (!out->nodes || !out->parts) {
		exchange_clear(out);
		return tr_no_memory(err, "%zu messages of an operation", out->count);
	}
	memcpy(out->parts, group->parts, out->count * sizeof(*out->parts));
	for (uint32_t p = 0; p < out->places; p++)
		out->nodes[p] = group->rows[group->order[p]].node;
	for (size_t i = 0; i < out->count; i++)
		out->parts[i].of->doubt = EXCHANGE_FOUND;
	group->left -= out->count;
	for (int end = 0; end < EXCHANGE_ENDS; end++)
		for (uint32_t row = 0; row < group->count; row++) {
			size_t at = group->rows[row].next[end];

			group->rows[row].next[end] = exchange_next(group, end, row, &at) ? at - 1
											 : at;
		}
	return TR_OK;
}

static enum tr_status exchange_recognise(struct exchange_group *group, struct exchange *out,
					 enum exchange_doubt *doubt, struct tr_error *err)
{
	*doubt = EXCHANGE_PEERS;
	for (size_t i = 0; i < exchange_algorithm_count; i++) {
		const enum exchange_doubt of_this = exchange_try(group, i, out);

		if (group->failed)
			return tr_no_memory(err, "%zu messages", group->left);
		if (of_this == EXCHANGE_FOUND) {
			*doubt = of_this;
			return exchange_claim(group, out, err);
		}
		*doubt = of_this > *doubt ? of_this : *doubt;
	}
	return TR_OK;
}

// Whether it has so few messages that others are like it by chance: a tree, or a few of three
// nodes.
static bool exchange_is_few(const struct exchange *exchange)
{
	return exchange->count == exchange->places - 1 || exchange->count <= 6;
}

// Drops the operations from the first on, unless they explain all; or half of the group and repeat,
// and no tree was made of several tags or iterations, which may be parts of others. Where
// all have few, several of them must each come again, and explain all.
static void keep_or_drop(struct exchanges *out, size_t first, struct exchange_group *group)
{
	size_t again = 0, few = 0;
	const size_t count = out->count - first;

	for (size_t i = first; i < out->count; i++)
		few += exchange_is_few(&out->list[i]);
	if (group->left == 0 && (few < count || count == 1))
		return;
	for (size_t i = first; i < out->count; i++) {
		bool like = false;

		for (size_t other = first; other < out->count && !like; other++)
			like = other != i && exchange_is_like(&out->list[i], &out->list[other]);
		again += like;
	}
	if (group->left == 0 && again == count)
		return;
	if (again > 0 && few < count && !group->mixed && 2 * group->left <= group->edge_count)
		return;
	while (out->count > first)
		exchange_drop(&out->list[--out->count]);
}

enum tr_status exchange_explain(struct exchanges *out, struct exchange_message *const *of,
				size_t count, bool trees, bool weak, struct tr_error *err)
{
	struct exchange_group group = {.trees = trees, .schedules = &out->schedules};
	const size_t first = out->count;
	enum exchange_doubt doubt = EXCHANGE_FOUND;
	enum tr_status status = group_open(&group, of, count, err);

	if (group.count < 3)
		doubt = EXCHANGE_FEW;
	while (status == TR_OK && doubt == EXCHANGE_FOUND && group.left > 0) {
		if (!GROW(out->list, out->capacity, out->count))
			status = tr_no_memory(err, "%zu operations", out->count);
		else
			status = exchange_recognise(&group, &out->list[out->count], &doubt, err);
		out->count += status == TR_OK && doubt == EXCHANGE_FOUND;
	}
	if (doubt == EXCHANGE_FOUND)
		doubt = EXCHANGE_PEERS; // of what is dropped
	keep_or_drop(out, first, &group);
	for (size_t i = first; i < out->count; i++)
		weak = weak && exchange_is_few(&out->list[i]);
	for (size_t i = first; i < out->count; i++)
		out->list[i].weak = weak;
	for (size_t i = 0; i < count; i++) // what went best is told
		if (of[i]->doubt != EXCHANGE_FOUND && of[i]->doubt < doubt)
			of[i]->doubt = doubt;
	group_close(&group);
	return status;
}
