// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/lanes/lanes_run.h"

static bool lanes_hosts_fits(struct lanes_run *run, uint32_t flits)
{
	if (!run->kind.fits || flits <= run->params->buffer_flits)
		return true;
	net_drive_fail(&run->net,
		       "a packet of %u flits does not fit into a buffer of %llu, where it must be "
		       "stored whole; see the key buffer of lanes",
		       flits, (unsigned long long)run->params->buffer_flits);
	return false;
}

static bool lanes_hosts_waits(const struct lanes_run *run, uint32_t host)
{
	for (uint32_t class = 0; class < run->sizes.messages; class ++)
		if (run->hosts[host].queues[class].count > 0)
			return true;
	return false;
}

static void want_load(struct lanes_run *run, uint32_t host)
{
	if (run->hosts[host].loads || !lanes_hosts_waits(run, host))
		return;
	run->hosts[host].loads = true;
	lanes_add(&run->todo.loads, host);
}

// The class of a packet's message.
static uint32_t lanes_hosts_class(const struct lanes_run *run, uint32_t worm)
{
	const uint32_t priority = run->lives[worm].priority, last = run->sizes.messages - 1;

	return priority < last ? priority : last;
}

struct net_worm_list *lanes_queue_of(const struct lanes_run *run, uint32_t worm)
{
	return &run->hosts[run->net.pool.worms[worm].source].queues[lanes_hosts_class(run, worm)];
}

void lanes_enter(void *context, uint32_t number)
{
	struct lanes_run *run = context;
	const struct net_worm *worm = &run->net.pool.worms[number];
	struct lanes_life *life = &run->lives[number];

	if (!lanes_hosts_fits(run, lanes_flits(run->params, worm->size_bytes)))
		return;
	*life = (struct lanes_life){.flits = lanes_flits(run->params, worm->size_bytes),
				    .slot = LANES_SINK,
				    .priority = net_priority_of(&run->queuing.priorities, worm)};
	life->group = lanes_hosts_class(run, number) * run->sizes.classes;
	net_worm_append(&run->net.pool, lanes_queue_of(run, number), number);
	want_load(run, worm->source);
}

static void lanes_hosts_load(struct lanes_run *run, uint32_t number, struct net_worm_list *queue,
			     uint32_t first)
{
	while (queue->count > 0 && lanes_is_cut_off(run, number))
		lanes_lose(run, net_worm_first(&run->net.pool, queue));
	for (uint32_t i = 0; i < run->params->sends && queue->count > 0; i++) {
		const uint32_t place = first + i;
		struct lanes_slot *slot = &run->slots[place];

		if (slot->worm != NET_NO_WORM)
			continue;
		slot->worm = net_worm_first(&run->net.pool, queue);
		slot->flits = slot->left = run->lives[slot->worm].flits;
		lanes_note(run, slot->worm);
		run->lives[slot->worm].slot = place;
		run->net.pool.worms[slot->worm].started_ticks = run->net.now_ticks;
		lanes_lead(run, place, 0);
	}
}

void lanes_load_all(struct lanes_run *run)
{
	lanes_shuffle(run, &run->todo.loads);
	for (uint32_t i = 0; i < run->todo.loads.count; i++) {
		const uint32_t host = run->todo.loads.items[i];
		uint32_t place = run->sizes.first_source + host * lanes_places(run);

		run->hosts[host].loads = false;
		for (uint32_t class = 0; class < run->sizes.messages; class ++) {
			lanes_hosts_load(run, host, &run->hosts[host].queues[class], place);
			place += (uint32_t)run->params->sends;
		}
	}
	run->todo.loads.count = 0;
}

void lanes_left(struct lanes_run *run, uint32_t slot)
{
	const uint32_t host = (slot - run->sizes.first_source) / lanes_places(run);

	net_drive_left(&run->net, host, run->net.now_ticks + run->clock.cycle_ticks);
	want_load(run, host);
}

void lanes_end(void *context, uint32_t number)
{
	const struct lanes_run *run = context;

	if (!run->net.pool.worms[number].route)
		run->net.pool.worms[number].route_count = run->lives[number].hops;
}

void lanes_reach(struct lanes_run *run, uint32_t worm)
{
	run->lives[worm].slot = LANES_NONE;
	run->arrived.done[run->arrived.done_count++] = worm;
}

void lanes_forget_reached(struct lanes_run *run, uint32_t worm)
{
	uint32_t *at = run->arrived.done;

	while (*at != worm)
		at++;
	*at = run->arrived.done[--run->arrived.done_count];
}

void lanes_deliver_all(struct lanes_run *run)
{
	net_drive_sort(&run->net, run->arrived.done, run->arrived.done_count);
	for (uint32_t i = 0; i < run->arrived.done_count; i++) {
		net_drive_at(&run->net, run->net.serials[run->arrived.done[i]]);
		net_drive_deliver(&run->net, run->arrived.done[i]);
	}
	run->arrived.done_count = 0;
}
