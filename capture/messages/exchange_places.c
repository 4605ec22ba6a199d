// SPDX-License-Identifier: GPL-3.0-or-later
// Who has which place of an algorithm: found by following messages.
#include "messages/exchanges.h"

static void part_set(struct exchange_group *group, const struct exchange_schedule *schedule,
		     size_t at, const struct exchange_edge *edge)
{
	const struct schedule_message *message = &schedule->of.list[at];

	group->parts[at] = (struct exchange_part){edge->of, message->src, message->dst,
						  message->turn};
}

static void places_forget(struct exchange_group *group)
{
	for (uint32_t row = 0; row < group->count; row++)
		group->order[row] = group->rows[row].place = EXCHANGE_NONE;
}

// Whether the row has, or now takes, the place.
static bool place_take(struct exchange_group *group, uint32_t row, uint32_t place)
{
	if (group->rows[row].place == EXCHANGE_NONE && group->order[place] == EXCHANGE_NONE) {
		group->rows[row].place = place;
		group->order[place] = row;
	}
	return group->rows[row].place == place;
}

// Follows the messages of those whose places are known, if the first has place 0.
static bool find_from(struct exchange_group *group, const struct exchange_schedule *schedule,
		      uint32_t first)
{
	uint32_t found = 1, *queue = group->room;

	places_forget(group);
	queue[0] = 0;
	(void)place_take(group, first, 0);
	for (uint32_t i = 0; i < found; i++) {
		const uint32_t p = queue[i], row = group->order[p];
		size_t at = group->rows[row].next[EXCHANGE_SENDS];

		for (size_t k = schedule->firsts[p]; k < schedule->firsts[p + 1]; k++) {
			const size_t message = schedule->by_src[k];
			const uint32_t to = schedule->of.list[message].dst;
			const struct exchange_edge *edge = exchange_next(group, EXCHANGE_SENDS, row,
									 &at);

			if (!edge)
				return false;
			if (group->order[to] == EXCHANGE_NONE)
				queue[found++] = to;
			if (!place_take(group, edge->dst, to))
				return false;
			part_set(group, schedule, message, edge);
		}
	}
	return found == group->count;
}

bool exchange_find_by_sends(struct exchange_group *group, const struct exchange_schedule *schedule)
{
	for (uint32_t first = 0; first < (schedule->alike ? 1 : group->count); first++)
		if (find_from(group, schedule, first))
			return true;
	return false;
}

bool exchange_find_all(struct exchange_group *group, const struct exchange_schedule *schedule)
{
	for (uint32_t row = 0; row < group->count; row++)
		group->order[row] = group->room[row] = row;
	for (uint32_t row = 0; row < group->count; row++) {
		size_t at = group->rows[row].next[EXCHANGE_SENDS];

		for (uint32_t k = 0; k + 1 < group->count; k++) {
			const struct exchange_edge *edge = exchange_next(group, EXCHANGE_SENDS, row,
									 &at);
			size_t index;

			if (!edge || group->room[edge->dst] == row + group->count)
				return false;
			group->room[edge->dst] = row + group->count;
			index = schedule->firsts[row] + edge->dst - (edge->dst > row);
			part_set(group, schedule, schedule->by_src[index], edge);
		}
	}
	return true;
}

// ---- trees, found by the next message of each node but the root to or from its parent

static const struct exchange_edge *tree_edge(const struct exchange_group *group,
					     enum exchange_end end, uint32_t row)
{
	size_t at = group->rows[row].next[end];

	return exchange_next(group, end, row, &at);
}

// Whose the first message is; or, of nodes that send to their parents, the one that has none to
// send or begins it last, since it waits for the others.
static uint32_t tree_root(const struct exchange_group *group, enum exchange_end end)
{
	const struct exchange_edge *first = NULL;
	uint32_t root = 0;
	int64_t last_ticks = INT64_MIN;

	for (uint32_t row = 0; row < group->count; row++) {
		const struct exchange_edge *edge = tree_edge(group, end, row);

		if (end == EXCHANGE_RECEIVES && edge && (!first || edge < first)) {
			first = edge;
			root = edge->src;
		} else if (end == EXCHANGE_SENDS && !edge) {
			return row;
		} else if (end == EXCHANGE_SENDS && edge->of->begin_ticks > last_ticks) {
			last_ticks = edge->of->begin_ticks;
			root = row;
		}
	}
	return root;
}

// Sets the parent of each row, and the nodes in its part of the tree. False: it is no tree.
static bool places_measure_tree(struct exchange_group *group, enum exchange_end end, uint32_t root)
{
	uint32_t *queue = group->room, ready = 0;

	for (uint32_t row = 0; row < group->count; row++) {
		group->rows[row].kids = 0;
		group->rows[row].subtree = 1;
	}
	for (uint32_t row = 0; row < group->count; row++) {
		const struct exchange_edge *edge = row == root ? NULL : tree_edge(group, end, row);

		if (!edge && row != root)
			return false;
		group->rows[row].parent = !edge			  ? EXCHANGE_NONE
					  : end == EXCHANGE_SENDS ? edge->dst
								  : edge->src;
		if (edge)
			group->rows[group->rows[row].parent].kids++;
	}
	for (uint32_t row = 0; row < group->count; row++)
		if (group->rows[row].kids == 0)
			queue[ready++] = row;
	for (uint32_t i = 0; i < ready; i++) {
		const struct exchange_row *row = &group->rows[queue[i]];

		if (row->parent == EXCHANGE_NONE)
			continue;
		group->rows[row->parent].subtree += row->subtree;
		if (--group->rows[row->parent].kids == 0)
			queue[ready++] = row->parent;
	}
	return ready == group->count; // no cycle
}

static bool tree_find(struct exchange_group *group, const struct exchange_schedule *schedule,
		      enum exchange_end end)
{
	const uint32_t n = group->count, root = tree_root(group, end);
	const struct schedule_message *list = schedule->of.list;
	const bool up = end == EXCHANGE_SENDS;
	uint32_t *below = group->room, *message_of = below + n; // by place

	if (!places_measure_tree(group, end, root))
		return false;
	places_forget(group);
	for (uint32_t i = 0; i < n; i++) {
		below[i] = 1;
		if (i < n - 1)
			message_of[up ? list[i].src : list[i].dst] = i;
	}
	for (uint32_t p = n - 1; p > 0; p--) // parents have lower numbers
		below[up ? list[message_of[p]].dst : list[message_of[p]].src] += below[p];
	(void)place_take(group, root, 0);
	for (uint32_t p = 1; p < n; p++) {
		const struct schedule_message *message = &list[message_of[p]];
		const uint32_t parent = group->order[up ? message->dst : message->src];
		uint32_t row = 0;

		while (row < n &&
		       (group->rows[row].place != EXCHANGE_NONE ||
			group->rows[row].subtree != below[p] || group->rows[row].parent != parent))
			row++;
		if (row == n || !place_take(group, row, p))
			return false;
		part_set(group, schedule, message_of[p], tree_edge(group, end, row));
	}
	return true;
}

bool exchange_find_down(struct exchange_group *group, const struct exchange_schedule *schedule)
{
	return tree_find(group, schedule, EXCHANGE_RECEIVES);
}

bool exchange_find_up(struct exchange_group *group, const struct exchange_schedule *schedule)
{
	return tree_find(group, schedule, EXCHANGE_SENDS);
}
