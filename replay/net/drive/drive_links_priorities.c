// SPDX-License-Identifier: GPL-3.0-or-later
// Links whose outputs have a queue for each priority (net/drive/drive_links.h). A queue may be held
// until a tick, which may be put off or brought forward, so a link's next start is a timer and no
// event.
#include "net/drive/drive.h"

void net_priorities_layout(struct net_drive *drive)
{
	const struct net_link_priority_rules *rules = drive->rules->links->priorities;
	const uint32_t count = drive->graph.links;

	if (!rules || !rules->used(drive))
		return;
	drive->links.queues = sim_arena_take(&drive->arena, (size_t)count * NET_LINK_PRIORITIES,
					     sizeof(*drive->links.queues));
	sim_timers_layout(&drive->links.starts, &drive->arena, count);
}

// From when the first of a queue may start, if the link is free; INT64_MAX: it is empty.
static inline int64_t priorities_ready_ticks(const struct net_drive *drive,
					     const struct net_link_queue *queue)
{
	int64_t at_ticks;

	if (queue->waiting.count == 0)
		return INT64_MAX;
	at_ticks = drive->links.lives[queue->waiting.first].at_ticks;
	return at_ticks > queue->held_ticks ? at_ticks : queue->held_ticks;
}

void net_priorities_plan(struct net_drive *drive, uint32_t number)
{
	const struct net_link *link = &drive->links.links[number];
	int64_t first = link->control ? drive->now_ticks : INT64_MAX;

	for (uint32_t i = 0; i < NET_LINK_PRIORITIES; i++) {
		const int64_t ready = priorities_ready_ticks(
			drive, net_link_queue(&drive->links, number, i));

		first = ready < first ? ready : first;
	}
	if (first != INT64_MAX && first < link->free_ticks)
		first = link->free_ticks;
	sim_timers_set(&drive->links.starts, number,
		       first > drive->now_ticks ? first : drive->now_ticks);
}

// The link is free, or its timer would not have run off.
static void priorities_start_on(struct net_drive *drive, uint32_t number)
{
	const struct net_link_priority_rules *rules = drive->rules->links->priorities;
	struct net_link *link = &drive->links.links[number];
	unsigned ready = 0;

	if (link->control) {
		link->control = false;
		if (rules->control(drive, number)) {
			(void)net_links_occupy(drive, number, rules->control_B);
			net_priorities_plan(drive, number);
			return;
		}
	}
	for (uint32_t i = 0; i < NET_LINK_PRIORITIES; i++)
		ready |= (unsigned)(priorities_ready_ticks(
					    drive, net_link_queue(&drive->links, number, i)) <=
				    drive->now_ticks)
			 << i;
	if (ready == 0)
		net_priorities_plan(drive, number);
	else
		net_links_send(
			drive, number,
			&net_link_queue(&drive->links, number, rules->choose(drive, number, ready))
				 ->waiting);
}

void net_priorities_start(struct net_drive *drive)
{
	struct sim_timers *starts = &drive->links.starts;

	while (drive->status == TR_OK &&
	       sim_timers_next(starts, drive->now_ticks) == drive->now_ticks) {
		const uint32_t count = sim_timers_take(starts, drive->now_ticks);

		drive->totals->events += count;
		for (uint32_t i = 0; i < count; i++)
			priorities_start_on(drive, starts->taken[i]);
	}
}

int64_t net_priorities_next(struct net_drive *drive, int64_t ticks)
{
	const int64_t next = sim_timers_next(&drive->links.starts, ticks);

	return next < ticks ? next : ticks;
}

int64_t net_priorities_stopped(const struct net_links *links, uint32_t number, int64_t since_ticks,
			       int64_t ticks)
{
	int64_t until_ticks = since_ticks;

	for (uint32_t i = 0; i < NET_LINK_PRIORITIES; i++) {
		const struct net_link_queue *queue = net_link_queue(links, number, i);

		if (queue->waiting.count > 0 && queue->held_ticks > until_ticks)
			until_ticks = queue->held_ticks;
	}
	return (until_ticks < ticks ? until_ticks : ticks) - since_ticks;
}

void net_links_stop(struct net_drive *drive, uint32_t number, uint32_t priority,
		    int64_t until_ticks)
{
	if (drive->links.meters)
		net_links_settle(drive, number);
	net_link_queue(&drive->links, number, priority)->held_ticks = until_ticks;
	net_priorities_plan(drive, number);
}

void net_links_control(struct net_drive *drive, uint32_t number)
{
	drive->links.links[number].control = true;
	net_priorities_plan(drive, number);
}
