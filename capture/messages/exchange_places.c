// SPDX-License-Identifier: GPL-3.0-or-later
// Who has which place of an algorithm: found by following messages.
#include "messages/exchanges.h"

#include <string.h>

#include "value/grow.h"

static bool parts_add(struct exchange_group *group, const struct exchange_edge *edge, uint32_t src,
		      uint32_t dst, uint32_t step)
{
	group->failed |= !GROW(group->parts, group->part_capacity, group->part_count);
	if (group->failed)
		return false;
	group->parts[group->part_count++] = (struct exchange_part){edge->of, src, dst, step};
	return true;
}

static void places_forget(struct exchange_group *group)
{
	group->part_count = 0;
	for (uint32_t row = 0; row < group->rows; row++)
		group->order[row] = group->place[row] = EXCHANGE_NONE;
}

// Whether the row has, or now takes, the place.
static bool place_take(struct exchange_group *group, uint32_t row, uint32_t place)
{
	if (group->place[row] == EXCHANGE_NONE && group->order[place] == EXCHANGE_NONE) {
		group->place[row] = place;
		group->order[place] = row;
		return true;
	}
	return group->place[row] == place;
}

// Follows the messages of those whose places are known, if the first has place 0.
static bool find_from(struct exchange_group *group, const struct exchange_pattern *pattern,
		      uint32_t first)
{
	const uint32_t n = group->rows, steps = pattern->steps(n);
	uint32_t found = 1, *queue = group->room;

	places_forget(group);
	queue[0] = 0;
	(void)place_take(group, first, 0);
	for (uint32_t i = 0; i < found; i++) {
		const uint32_t p = queue[i], row = group->order[p];
		size_t at = group->nexts[EXCHANGE_SENDS][row];

		for (uint32_t k = 0; k < steps; k++) {
			const uint32_t to = pattern->peer(n, p, k);
			const struct exchange_edge *edge;

			if (to == EXCHANGE_NONE)
				continue;
			edge = exchange_next(group, EXCHANGE_SENDS, row, &at);
			if (!edge)
				return false;
			if (group->order[to] == EXCHANGE_NONE)
				queue[found++] = to;
			if (!place_take(group, edge->dst, to) || !parts_add(group, edge, p, to, k))
				return false;
		}
	}
	return found == n;
}

bool exchange_find_by_sends(struct exchange_group *group, const struct exchange_pattern *pattern)
{
	// Where all places send in all steps they are alike.
	const bool alike = pattern->peer(group->rows, 1, 0) != EXCHANGE_NONE;

	for (uint32_t first = 0; first < (alike ? 1 : group->rows); first++)
		if (find_from(group, pattern, first))
			return true;
	return false;
}

// Everyone sends at once, in any order.
bool exchange_find_all(struct exchange_group *group, const struct exchange_pattern *pattern)
{
	(void)pattern;
	places_forget(group);
	memset(group->room, 0, group->rows * sizeof(*group->room));
	for (uint32_t row = 0; row < group->rows; row++) {
		size_t at = group->nexts[EXCHANGE_SENDS][row];

		(void)place_take(group, row, row);
		for (uint32_t k = 0; k + 1 < group->rows; k++) {
			const struct exchange_edge *edge = exchange_next(group, EXCHANGE_SENDS, row,
									 &at);

			if (!edge || group->room[edge->dst] == row + 1 ||
			    !parts_add(group, edge, row, edge->dst, 0))
				return false;
			group->room[edge->dst] = row + 1;
		}
	}
	return true;
}

// ---- trees, found by the next message of each node but the root to or from its parent

static const struct exchange_edge *tree_edge(const struct exchange_group *group,
					     enum exchange_end end, uint32_t row)
{
	size_t at = group->nexts[end][row];

	return exchange_next(group, end, row, &at);
}

// Whose the first message is; or, of nodes that send to their parents, the one that has none to
// send or begins it last, since it waits for the others.
static uint32_t tree_root(const struct exchange_group *group, enum exchange_end end)
{
	uint32_t root = 0;
	int64_t last_ticks = INT64_MIN;

	if (end == EXCHANGE_RECEIVES)
		return group->edges[group->first].src;
	for (uint32_t row = 0; row < group->rows; row++) {
		const struct exchange_edge *edge = tree_edge(group, end, row);

		if (!edge)
			return row;
		if (edge->of->begin_ticks > last_ticks) {
			last_ticks = edge->of->begin_ticks;
			root = row;
		}
	}
	return root;
}

// Puts the parents of rows into parents, the nodes in each row's part of the tree into sizes.
// False: it is no tree.
static bool places_measure_tree(const struct exchange_group *group, enum exchange_end end,
				uint32_t root, uint32_t *parents, uint32_t *sizes)
{
	for (uint32_t row = 0; row < group->rows; row++) {
		const struct exchange_edge *edge = row == root ? NULL : tree_edge(group, end, row);

		if (!edge && row != root)
			return false;
		parents[row] = row == root	       ? EXCHANGE_NONE
			       : end == EXCHANGE_SENDS ? edge->dst
						       : edge->src;
		sizes[row] = 0;
	}
	for (uint32_t row = 0; row < group->rows; row++) {
		uint32_t at = row;

		for (uint32_t depth = 0; at != EXCHANGE_NONE; at = parents[at]) {
			sizes[at]++;
			if (depth++ == 32) // also a cycle
				return false;
		}
	}
	return sizes[root] == group->rows;
}

static bool tree_parts(struct exchange_group *group, const struct exchange_pattern *pattern,
		       enum exchange_end end)
{
	const uint32_t n = group->rows, steps = pattern->steps(n), root = tree_root(group, end);
	uint32_t *parents = group->room, *sizes = group->room + n;
	uint64_t *below = group->sizes;

	places_forget(group);
	if (!places_measure_tree(group, end, root, parents, sizes))
		return false;
	for (uint32_t p = 0; p < n; p++)
		below[p] = 1;
	for (uint32_t p = n - 1; p > 0; p--)
		below[pattern->peer(n, p, 0)] += below[p];
	(void)place_take(group, root, 0);
	for (uint32_t p = 1; p < n; p++) {
		const uint32_t parent = pattern->peer(n, p, 0), down = pattern->peer(n, p, 1);
		const uint32_t step = end == EXCHANGE_SENDS ? steps - 1 - down : down;
		uint32_t row = 0;

		while (row < n && (group->place[row] != EXCHANGE_NONE || sizes[row] != below[p] ||
				   parents[row] != group->order[parent]))
			row++;
		if (row == n || !place_take(group, row, p) ||
		    !parts_add(group, tree_edge(group, end, row),
			       end == EXCHANGE_SENDS ? p : parent,
			       end == EXCHANGE_SENDS ? parent : p, step))
			return false;
	}
	return true;
}

bool exchange_find_down(struct exchange_group *group, const struct exchange_pattern *pattern)
{
	return tree_parts(group, pattern, EXCHANGE_RECEIVES);
}

bool exchange_find_up(struct exchange_group *group, const struct exchange_pattern *pattern)
{
	return tree_parts(group, pattern, EXCHANGE_SENDS);
}
