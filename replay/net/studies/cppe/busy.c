// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/cppe/busy.h"

void cppe_busy_layout(struct cppe_busy *busy, struct sim_arena *arena, uint32_t processors,
		      uint32_t room)
{
	*busy = (struct cppe_busy){.used = 1, .room = room};
	busy->first = sim_arena_take(arena, processors, sizeof(*busy->first));
	busy->intervals = sim_arena_take(arena, (size_t)room + 1, sizeof(*busy->intervals));
}

// Removes the interval that *link names.
static void busy_give_back(struct cppe_busy *busy, uint32_t *link)
{
	const uint32_t number = *link;

	*link = busy->intervals[number].next;
	busy->intervals[number].next = busy->spare;
	busy->spare = number;
}

// Inserts an interval before that which *link names; false without room.
static bool busy_insert(struct cppe_busy *busy, uint32_t *link, int64_t from_ticks,
			int64_t to_ticks)
{
	uint32_t number = busy->spare;

	if (number != 0)
		busy->spare = busy->intervals[number].next;
	else if (busy->used <= busy->room)
		number = busy->used++;
	else
		return false;
	busy->intervals[number] = (struct cppe_interval){from_ticks, to_ticks, *link};
	*link = number;
	return true;
}

int64_t cppe_busy_take(struct cppe_busy *busy, uint32_t processor, int64_t now_ticks,
		       int64_t ready_ticks, int64_t length_ticks)
{
	struct cppe_interval *intervals = busy->intervals;
	uint32_t *link = &busy->first[processor];
	struct cppe_interval *before = NULL; // the last that begins before the new one
	int64_t start_ticks = ready_ticks;

	while (*link != 0 && intervals[*link].to_ticks <= now_ticks)
		busy_give_back(busy, link);
	for (; *link != 0 && intervals[*link].from_ticks < start_ticks + length_ticks;
	     link = &before->next) {
		before = &intervals[*link];
		if (before->to_ticks > start_ticks)
			start_ticks = before->to_ticks;
	}
	if (before && before->to_ticks == start_ticks) {
		before->to_ticks += length_ticks;
		if (*link != 0 && intervals[*link].from_ticks == before->to_ticks) {
			before->to_ticks = intervals[*link].to_ticks;
			busy_give_back(busy, link);
		}
	} else if (*link != 0 && intervals[*link].from_ticks == start_ticks + length_ticks) {
		intervals[*link].from_ticks = start_ticks;
	} else if (!busy_insert(busy, link, start_ticks, start_ticks + length_ticks)) {
		return CPPE_BUSY_FULL;
	}
	return start_ticks;
}
