// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/exchanges.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/order.h"

static uint32_t row_of_node(const struct exchange_group *group, uint32_t node)
{
	const uint32_t *found = bsearch(&node, group->nodes, group->rows, sizeof(node), order_u32);

	return (uint32_t)(found - group->nodes);
}

struct exchange_edge *exchange_next(const struct exchange_group *group, enum exchange_end end,
				    uint32_t row, size_t *at)
{
	while (*at < group->firsts[end][row + 1]) {
		struct exchange_edge *edge = &group->edges[group->lists[end][(*at)++]];

		if (!edge->taken)
			return edge;
	}
	return NULL;
}

static void group_close(struct exchange_group *group)
{
	for (int end = 0; end < EXCHANGE_ENDS; end++) {
		free(group->lists[end]);
		free(group->firsts[end]);
		free(group->nexts[end]);
	}
	free(group->nodes);
	free(group->edges);
	free(group->arrived);
	free(group->order);
	free(group->place);
	free(group->room);
	free(group->sizes);
	free(group->parts);
}

static bool group_allocate(struct exchange_group *group)
{
	const size_t rows = group->rows;

	for (int end = 0; end < EXCHANGE_ENDS; end++) {
		group->lists[end] = calloc(group->count, sizeof(**group->lists));
		group->firsts[end] = calloc(rows + 1, sizeof(**group->firsts));
		group->nexts[end] = calloc(rows, sizeof(**group->nexts));
		if (!group->lists[end] || !group->firsts[end] || !group->nexts[end])
			return false;
	}
	group->edges = calloc(group->count, sizeof(*group->edges));
	group->arrived = calloc(rows, sizeof(*group->arrived));
	group->order = calloc(rows, sizeof(*group->order));
	group->place = calloc(rows, sizeof(*group->place));
	group->room = calloc(2 * rows, sizeof(*group->room));
	group->sizes = calloc(4 * rows, sizeof(*group->sizes));
	return group->edges && group->arrived && group->order && group->place && group->room &&
	       group->sizes;
}

static void group_list(struct exchange_group *group, enum exchange_end end)
{
	size_t *firsts = group->firsts[end], *nexts = group->nexts[end];

	for (size_t i = 0; i < group->count; i++)
		firsts[(end == EXCHANGE_SENDS ? group->edges[i].src : group->edges[i].dst) + 1]++;
	for (uint32_t row = 0; row < group->rows; row++)
		firsts[row + 1] += firsts[row];
	memcpy(nexts, firsts, group->rows * sizeof(*nexts));
	for (size_t i = 0; i < group->count; i++)
		group->lists[end][nexts[end == EXCHANGE_SENDS ? group->edges[i].src
							      : group->edges[i].dst]++] = i;
	memcpy(nexts, firsts, group->rows * sizeof(*nexts));
}

static enum tr_status group_open(struct exchange_group *group, struct exchange_message *const *of,
				 size_t count, struct tr_error *err)
{
	size_t kept = 0;

	group->count = group->left = count;
	group->nodes = calloc(2 * count, sizeof(*group->nodes));
	if (!group->nodes)
		return tr_no_memory(err, "the nodes of %zu messages", count);
	for (size_t i = 0; i < count; i++) {
		group->nodes[2 * i] = of[i]->src;
		group->nodes[2 * i + 1] = of[i]->dst;
	}
	qsort(group->nodes, 2 * count, sizeof(*group->nodes), order_u32);
	for (size_t i = 0; i < 2 * count; i++)
		if (kept == 0 || group->nodes[kept - 1] != group->nodes[i])
			group->nodes[kept++] = group->nodes[i];
	group->rows = (uint32_t)kept;
	if (!group_allocate(group))
		return tr_no_memory(err, "%zu messages of %zu nodes", count, kept);
	for (size_t i = 0; i < count; i++)
		group->edges[i] = (struct exchange_edge){of[i], row_of_node(group, of[i]->src),
							 row_of_node(group, of[i]->dst), false};
	for (uint32_t row = 0; row < group->rows; row++)
		group->arrived[row] = INT64_MIN;
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

void exchange_clear(struct exchange *exchange)
{
	free(exchange->nodes);
	free(exchange->parts);
	*exchange = (struct exchange){.algorithm = NULL};
}

// ---- operations

static int by_step_and_place(const void *left, const void *right)
{
	const struct exchange_part *a = left, *b = right;

	ORDER_BY(a->step, b->step);
	ORDER_BY(a->src, b->src);
	return ORDER(a->dst, b->dst);
}

static int edge_of_message(const void *key, const void *edge)
{
	const struct exchange_message *of = ((const struct exchange_edge *)edge)->of;

	return ORDER((const struct exchange_message *)key, of); // both of one array
}

static struct exchange_edge *part_edge(const struct exchange_group *group,
				       const struct exchange_part *part)
{
	return bsearch(part->of, group->edges, group->count, sizeof(*group->edges),
		       edge_of_message);
}

// Whether all parts are in one iteration, and whether they have one tag.
static bool parts_repeat(const struct exchange_group *group, bool *one_tag)
{
	bool repeat = true;

	*one_tag = true;
	for (size_t i = 1; i < group->part_count; i++) {
		repeat = repeat && group->parts[i].of->iteration == group->parts[0].of->iteration;
		*one_tag = *one_tag && group->parts[i].of->tag == group->parts[0].of->tag;
	}
	return repeat;
}

// Whether every place sends only when what it waits for has come.
static bool parts_wait(struct exchange_group *group)
{
	int64_t *came = (int64_t *)group->sizes; // by place
	size_t end = 0;

	for (uint32_t p = 0; p < group->rows; p++)
		came[p] = group->arrived[group->order[p]];
	for (size_t i = 0; i < group->part_count; i = end) {
		for (end = i;
		     end < group->part_count && group->parts[end].step == group->parts[i].step;
		     end++)
			if (group->parts[end].of->begin_ticks < came[group->parts[end].src])
				return false;
		for (size_t m = i; m < end; m++)
			if (group->parts[m].of->end_ticks > came[group->parts[m].dst])
				came[group->parts[m].dst] = group->parts[m].of->end_ticks;
	}
	for (uint32_t p = 0; p < group->rows; p++)
		group->arrived[group->order[p]] = came[p];
	return true;
}

static enum exchange_doubt exchange_try(struct exchange_group *group,
					const struct exchange_pattern *pattern,
					struct exchange *out)
{
	const bool is_tree = pattern->find == exchange_find_down ||
			     pattern->find == exchange_find_up;
	bool one_tag, repeat;

	if (group->rows < pattern->places_min || pattern->steps(group->rows) == 0 ||
	    (is_tree && !group->trees) || !pattern->find(group, pattern))
		return EXCHANGE_PEERS;
	qsort(group->parts, group->part_count, sizeof(*group->parts), by_step_and_place);
	*out = (struct exchange){.algorithm = pattern->algorithm,
				 .places = group->rows,
				 .steps = pattern->steps(group->rows),
				 .parts = group->parts,
				 .count = group->part_count};
	out->operation = pattern->say(group, out);
	if (!out->operation)
		return EXCHANGE_SIZES;
	repeat = parts_repeat(group, &one_tag);
	if (!is_tree && !repeat)
		return EXCHANGE_SPREAD;
	if (!parts_wait(group))
		return EXCHANGE_EARLY;
	group->mixed |= is_tree && !(repeat && one_tag);
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
		out->nodes[p] = group->nodes[group->order[p]];
	for (size_t i = 0; i < out->count; i++)
		part_edge(group, &out->parts[i])->taken = true;
	group->left -= out->count;
	while (group->first < group->count && group->edges[group->first].taken)
		group->first++;
	for (int end = 0; end < EXCHANGE_ENDS; end++)
		for (uint32_t row = 0; row < group->rows; row++)
			while (group->nexts[end][row] < group->firsts[end][row + 1] &&
			       group->edges[group->lists[end][group->nexts[end][row]]].taken)
				group->nexts[end][row]++;
	return TR_OK;
}

static enum tr_status exchange_recognise(struct exchange_group *group, struct exchange *out,
					 enum exchange_doubt *doubt, struct tr_error *err)
{
	*doubt = EXCHANGE_PEERS;
	for (size_t i = 0; i < exchange_pattern_count; i++) {
		const enum exchange_doubt of_this = exchange_try(group, &exchange_patterns[i], out);

		if (group->failed)
			return tr_no_memory(err, "%zu messages", group->part_count);
		if (of_this == EXCHANGE_FOUND) {
			*doubt = of_this;
			return exchange_claim(group, out, err);
		}
		*doubt = of_this > *doubt ? of_this : *doubt;
	}
	return TR_OK;
}

// Drops the operations from the first on, unless they explain all; or half of the group and repeat,
// and no tree was made of several tags or iterations, which may be parts of others. Few messages
// make trees by chance: several of them must each come again, and explain all.
static void keep_or_drop(struct exchanges *out, size_t first, struct exchange_group *group)
{
	size_t again = 0, trees = 0;
	const size_t count = out->count - first;

	for (size_t i = first; i < out->count; i++)
		trees += out->list[i].count == out->list[i].places - 1;
	if (group->left == 0 && (trees < count || count == 1))
		return;
	for (size_t i = first; i < out->count; i++) {
		bool like = false;

		for (size_t other = first; other < out->count && !like; other++)
			like = other != i && exchange_is_like(&out->list[i], &out->list[other]);
		again += like;
	}
	if (group->left == 0 && again == count)
		return;
	if (again > 0 && trees < count && !group->mixed && 2 * group->left <= group->count)
		return;
	while (out->count > first)
		exchange_clear(&out->list[--out->count]);
	for (size_t i = 0; i < group->count; i++)
		group->edges[i].taken = false;
}

enum tr_status exchange_explain(struct exchanges *out, struct exchange_message *const *of,
				size_t count, bool trees, bool weak, struct tr_error *err)
{
	struct exchange_group group = {.trees = trees};
	const size_t first = out->count;
	enum exchange_doubt doubt = EXCHANGE_FOUND;
	enum tr_status status = group_open(&group, of, count, err);

	if (group.rows < 3)
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
		weak = weak && out->list[i].count == out->list[i].places - 1;
	for (size_t i = first; i < out->count; i++)
		out->list[i].weak = weak;
	for (size_t i = 0; i < count && group.edges; i++) // what went best is told
		of[i]->doubt = group.edges[i].taken   ? EXCHANGE_FOUND
			       : of[i]->doubt > doubt ? of[i]->doubt
						      : doubt;
	group_close(&group);
	return status;
}
