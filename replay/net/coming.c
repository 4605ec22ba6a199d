// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/coming.h"

void net_coming_layout(struct net_coming *coming, struct net_drive *drive, uint64_t worms_max)
{
	coming->worms = sim_arena_take(&drive->arena, worms_max, sizeof(*coming->worms));
	coming->turns = sim_arena_take(&drive->arena, worms_max, sizeof(*coming->turns));
}

// Whether worm a comes before worm b.
static bool coming_comes_before(const struct net_coming *coming, const struct net_drive *drive, uint32_t a, uint32_t b)
{
	const int64_t a_ticks = drive->pool.worms[a].received_ticks;
	const int64_t b_ticks = drive->pool.worms[b].received_ticks;

	return a_ticks != b_ticks ? a_ticks < b_ticks : coming->turns[a] < coming->turns[b];
}

void net_coming_send(struct net_coming *coming, struct net_drive *drive, uint32_t number, int64_t head_ticks,
		     int64_t received_ticks)
{
	struct net_worm *worm = &drive->pool.worms[number];
	uint32_t *heap = coming->worms;
	uint32_t place = coming->count++;

	if (worm->started_ticks < 0)
		worm->started_ticks = drive->now_ticks;
	if (worm->injected_ticks < 0)
		worm->injected_ticks = drive->now_ticks;
	worm->head_ticks = head_ticks;
	worm->received_ticks = received_ticks;
	coming->turns[number] = coming->sent++;
	for (; place > 0 && coming_comes_before(coming, drive, number, heap[(place - 1) / 2]); place = (place - 1) / 2)
		heap[place] = heap[(place - 1) / 2];
	heap[place] = number;
}

static uint32_t take_first_coming(struct net_coming *coming, const struct net_drive *drive)
{
	uint32_t *heap = coming->worms;
	const uint32_t first = heap[0];
	const uint32_t last = heap[--coming->count];
	uint32_t place = 0;
	uint32_t child;

	while ((child = 2 * place + 1) < coming->count) {
		if (child + 1 < coming->count && coming_comes_before(coming, drive, heap[child + 1], heap[child]))
			child++;
		if (!coming_comes_before(coming, drive, heap[child], last))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = last;
	return first;
}

int64_t net_coming_ticks(const struct net_coming *coming, const struct net_drive *drive)
{
	return coming->count > 0 ? drive->pool.worms[coming->worms[0]].received_ticks : INT64_MAX;
}

void net_coming_deliver(struct net_coming *coming, struct net_drive *drive)
{
	while (drive->status == TR_OK && net_coming_ticks(coming, drive) <= drive->now_ticks)
		net_drive_deliver(drive, take_first_coming(coming, drive));
}
