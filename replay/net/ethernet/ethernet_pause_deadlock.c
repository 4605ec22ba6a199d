// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlocks of pauses. A priority of a link is stuck where it is paused, no pause frame that ends
// this is on its way, and its far end holds more than xon of frames that came by it and wait for
// priorities of links that are stuck, too: then nothing of this can ever leave, whatever else does.
// The largest such set is what remains of all that are paused when those that hold less are taken
// away until that changes nothing. Each of the set waits for another one of it, so following this
// ends in a cycle.
#include "net/ethernet/ethernet_pause.h"

#define FIRST_FREE UINT32_MAX

static const struct net_worm_list *pause_deadlock_queue(const struct ethernet_pause *pause,
							uint32_t link, uint32_t priority)
{
	return &net_link_queue(&pause->drive->links, link, priority)->waiting;
}

// Whether the near end of a link will pause a priority for as long as its far end asks for that.
static bool pause_deadlock_holds(const struct ethernet_pause *pause, uint32_t link,
				 uint32_t priority)
{
	const struct ethernet_pause_port *port = &pause->ports[link];

	if ((port->paused & port->asked & (~port->due | port->asked) & 1u << priority) == 0)
		return false;
	if (net_link_queue(&pause->drive->links, link, priority)->held_ticks <=
	    pause->drive->now_ticks)
		return false;
	for (uint32_t i = port->first; i != FIRST_FREE; i = pause->notes[i].next)
		if ((pause->notes[i].told & ~pause->notes[i].on & 1u << priority) != 0)
			return false;
	return true;
}

// Adds what waits for a priority of a link to what the links that it came by hold, or takes it
// away.
static void pause_deadlock_add(struct ethernet_pause *pause, uint32_t link, uint32_t priority,
			       bool add)
{
	const struct net_drive *drive = pause->drive;
	const struct net_worm_list *queue = pause_deadlock_queue(pause, link, priority);
	uint32_t worm = queue->first;

	if (drive->links.links[link].from.node < drive->graph.hosts)
		return;
	for (uint32_t i = 0; i < queue->count; i++, worm = drive->pool.worms[worm].next) {
		const uint64_t bytes = ethernet_frame_B(drive->pool.worms[worm].size_bytes);

		pause->stuck_B[pause->came_by[worm] * ETHERNET_PRIORITIES + priority] +=
			add ? bytes : -bytes;
	}
}

static void pause_deadlock_begin(struct ethernet_pause *pause)
{
	const uint32_t links = pause->drive->graph.links;

	for (uint32_t i = 0; i < links * ETHERNET_PRIORITIES; i++)
		pause->stuck_B[i] = 0;
	for (uint32_t link = 0; link < links; link++) {
		pause->ports[link].stuck = 0;
		for (uint32_t i = 0; pause->ports[link].paused != 0 && i < ETHERNET_PRIORITIES; i++)
			if (pause_deadlock_holds(pause, link, i)) {
				pause->ports[link].stuck |= (uint8_t)(1u << i);
				pause_deadlock_add(pause, link, i, true);
			}
	}
}

// Returns whether some are left.
static bool pause_deadlock_reduce(struct ethernet_pause *pause)
{
	bool changed = true, any = false;

	while (changed) {
		changed = any = false;
		for (uint32_t gate = 0; gate < pause->drive->graph.links * ETHERNET_PRIORITIES;
		     gate++) {
			const uint32_t link = gate / ETHERNET_PRIORITIES;
			const uint32_t priority = gate % ETHERNET_PRIORITIES;

			if ((pause->ports[link].stuck >> priority & 1) == 0)
				continue;
			any = true;
			if (pause->stuck_B[gate] > pause->ports[link].limits.xon_B)
				continue;
			pause->ports[link].stuck &= (uint8_t) ~(1u << priority);
			pause_deadlock_add(pause, link, priority, false);
			changed = true;
		}
	}
	return any;
}

// The first packet of those that came by a link and wait for one that is stuck, and that link.
static uint32_t pause_deadlock_first(const struct ethernet_pause *pause, uint32_t link,
				     uint32_t priority, uint32_t *waits_for)
{
	const struct net_drive *drive = pause->drive;
	const uint32_t node = drive->links.links[link].to.node;
	uint32_t first = NET_NO_WORM;

	for (uint32_t port = 0; port < net_graph_ports(&drive->graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(&drive->graph, node, port);
		const struct net_worm_list *queue;
		uint32_t worm;

		if (peer->node == NET_NOBODY ||
		    (pause->ports[peer->link].stuck >> priority & 1) == 0)
			continue;
		queue = pause_deadlock_queue(pause, peer->link, priority);
		worm = queue->first;
		for (uint32_t i = 0; i < queue->count; i++, worm = drive->pool.worms[worm].next)
			if (pause->came_by[worm] == link &&
			    (first == NET_NO_WORM ||
			     drive->serials[worm] < drive->serials[first])) {
				first = worm;
				*waits_for = peer->link;
			}
	}
	return first;
}

// Follows what a stuck priority of a link waits for until a link comes again: the steps from this
// one on are a cycle. Returns the steps.
static uint32_t pause_deadlock_follow(struct ethernet_pause *pause, uint32_t link,
				      uint32_t priority, uint32_t *first)
{
	uint32_t count = 0;

	for (;;) {
		const struct net_worm *worm;
		uint32_t next = link;
		const uint32_t number = pause_deadlock_first(pause, link, priority, &next);

		for (*first = 0; *first < count; ++*first)
			if (pause->steps[*first].link == link)
				return count;
		worm = &pause->drive->pool.worms[number];
		pause->steps[count++] = (struct net_wait_step){
			.packet = worm->packet.id,
			.source = worm->source,
			.destination = worm->destination,
			.link = link,
			.lane = priority,
			.bytes = pause->stuck_B[link * ETHERNET_PRIORITIES + priority]};
		link = next;
	}
}

static void pause_deadlock_report(struct ethernet_pause *pause, uint32_t link, uint32_t priority)
{
	const struct net_wait_cycles *cycles = &pause->drive->setup->cycles;
	struct net_wait_cycle cycle = {.pauses = true, .from_ticks = INT64_MIN};
	uint32_t first;
	const uint32_t count = pause_deadlock_follow(pause, link, priority, &first);

	for (uint32_t i = first; i < count; i++) {
		const int64_t since =
			pause->gates[pause->steps[i].link * ETHERNET_PRIORITIES + priority]
				.since_ticks;

		cycle.from_ticks = since > cycle.from_ticks ? since : cycle.from_ticks;
	}
	cycle.steps = pause->steps + first;
	cycle.count = count - first;
	if (cycles->found)
		cycles->found(cycles->context, &cycle);
}

void ethernet_pause_search(struct ethernet_pause *pause)
{
	struct net_drive *drive = pause->drive;

	pause->search = false;
	if (drive->timeouts.ages || drive->faults.next_ticks != INT64_MAX)
		return;
	pause_deadlock_begin(pause);
	if (!pause_deadlock_reduce(pause))
		return;
	for (uint32_t gate = 0; !drive->stands; gate++) {
		const uint32_t link = gate / ETHERNET_PRIORITIES;

		if ((pause->ports[link].stuck >> gate % ETHERNET_PRIORITIES & 1) == 0)
			continue;
		pause_deadlock_report(pause, link, gate % ETHERNET_PRIORITIES);
		drive->stands = true;
	}
}
