// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/coming.h"

#include <stdlib.h>

void net_coming_layout(struct net_coming *coming, struct net_drive *drive)
{
	agenda_layout(&coming->worms, &drive->arena, drive->pool.capacity);
}

void net_coming_send(struct net_coming *coming, struct net_drive *drive, uint32_t number,
		     int64_t head_ticks, int64_t received_ticks)
{
	const struct entry entry = {
		.time_ticks = received_ticks, .order = coming->sent++, .about = number};
	struct net_worm *worm = &drive->pool.worms[number];

	if (worm->started_ticks < 0)
		worm->started_ticks = drive->now_ticks;
	if (worm->injected_ticks < 0)
		worm->injected_ticks = drive->now_ticks;
	worm->head_ticks = head_ticks;
	worm->received_ticks = received_ticks;
	agenda_push(&coming->worms, &entry);
}

int64_t net_coming_ticks(const struct net_coming *coming)
{
	return coming->worms.count > 0 ? coming->worms.entries[0].time_ticks : INT64_MAX;
}

void net_coming_deliver(struct net_coming *coming, struct net_drive *drive)
{
	struct entry entry;

	while (drive->status == TR_OK && net_coming_ticks(coming) <= drive->now_ticks) {
		agenda_pop(&coming->worms, &entry);
		net_drive_deliver(drive, entry.about);
	}
}

void net_coming_view(const struct net_coming *coming, const struct net_drive *drive,
		     struct net_view *view)
{
	const size_t count = coming->worms.count;
	struct entry *entries = calloc(count + 1, sizeof(*entries));

	net_view_put(view, count);
	view->failed = view->failed || !entries;
	if (!entries)
		return;
	agenda_list(&coming->worms, entries);
	for (size_t i = 0; i < count; i++) {
		net_view_time(view, entries[i].time_ticks);
		net_view_put(view, coming->sent - entries[i].order);
		net_view_worm(view, drive, entries[i].about);
	}
	free(entries);
}
