// SPDX-License-Identifier: GPL-3.0-or-later
// Queues by output (virtual output queues: Tamir and Frazier, High-performance multi-queue buffers
// for VLSI communication switches, ISCA 1988). The packets in the buffer behind a lane stand in a
// queue for each port of the switch, and one for the hosts inside; the first of each queue acts.
// The buffer's room is that of all its queues.
//
// A lane brings one packet after the other, so that of all packets in a buffer one is not whole.
#include "net/lanes/lanes_run.h"

static uint32_t lanes_queues_of(const struct lanes_run *run, uint32_t node)
{
	return lanes_is_host(run, node) ? 0 : net_graph_ports(&run->net.graph, node) + 1;
}

uint32_t lanes_queues_at(const struct lanes_run *run, uint32_t lane)
{
	return run->queuing.organisation->divided ? lanes_queues_of(run, run->slots[lane].node) : 0;
}

void lanes_queues_layout(struct lanes_run *run, struct sim_arena *arena)
{
	uint32_t count = 0;

	for (uint32_t node = 0; node < run->net.graph.nodes; node++)
		count += net_graph_ports(&run->net.graph, node) * lanes_queues_of(run, node) *
			 run->sizes.lanes;
	run->queuing.first = sim_arena_take(arena, run->sizes.lane_count,
					    sizeof(*run->queuing.first));
	run->queuing.lane_of = sim_arena_take(arena, count, sizeof(*run->queuing.lane_of));
	run->sizes.first_source = run->sizes.lane_count + count;
}

void lanes_queues_open(struct lanes_run *run, uint32_t lane)
{
	const uint32_t node = run->slots[lane].node, count = lanes_queues_of(run, node);

	run->queuing.first[lane] = run->sizes.lane_count + run->queuing.given;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t queue = run->queuing.first[lane] + i;

		lanes_make_slot(run, queue, node);
		run->asks[queue].choice = run->asks[lane].choice;
		run->queuing.lane_of[run->queuing.given++] = lane;
	}
}

// The queue of a packet whose header has come by a lane. What its route leads to that is no port
// fails the run when it asks.
static uint32_t lanes_queues_find(struct lanes_run *run, uint32_t lane, uint32_t worm)
{
	const uint32_t node = run->slots[lane].node, ports = run->nodes[node].ports;
	uint32_t port = ports;

	if (!lanes_is_home(run, worm, node)) {
		port = lanes_first_port(run, lane, worm);
		port = port < ports ? port : 0;
	}
	return run->queuing.first[lane] + port;
}

// A packet is no longer the one whose flits come by a lane.
static void lanes_queues_end(struct lanes_run *run, uint32_t lane)
{
	struct lanes_slot *slot = &run->slots[lane];

	slot->first = slot->first + 1 < run->sizes.ring ? slot->first + 1 : 0;
	slot->count--;
	slot->heads = 0;
	slot->out = LANES_NONE;
}

// A header has come by a lane: its packet stands in its queue.
static void lanes_queues_stand(struct lanes_run *run, uint32_t lane)
{
	struct lanes_slot *slot = &run->slots[lane], *queue;
	const uint32_t worm = run->rings[(size_t)lane * run->sizes.ring + slot->first];
	uint32_t place;

	slot->heads = 1;
	slot->left = run->lives[worm].flits;
	slot->out = lanes_queues_find(run, lane, worm);
	queue = &run->slots[slot->out];
	place = (queue->first + queue->count++) % run->sizes.ring;
	queue->heads++;
	run->rings[(size_t)slot->out * run->sizes.ring + place] = worm;
	run->lives[worm].slot = slot->out;
}

void lanes_queues_arrive(struct lanes_run *run, uint32_t lane, bool header)
{
	struct lanes_slot *slot = &run->slots[lane], *queue;
	uint32_t number;

	if (header)
		lanes_queues_stand(run, lane);
	number = slot->out;
	queue = &run->slots[number];
	slot->flits++;
	queue->flits++;
	if (--slot->left == 0)
		lanes_queues_end(run, lane);
	if (header) {
		if (queue->heads == 1)
			lanes_lead(run, number, 0);
	} else if (queue->out < LANES_SINK) {
		lanes_try(run, queue);
	} else if (queue->out == LANES_NONE && run->kind.whole && queue->flits == queue->left) {
		lanes_ask_in(run, number, 0);
	}
}

void lanes_queues_forget(struct lanes_run *run, uint32_t lane, uint32_t worm)
{
	const struct lanes_slot *slot = &run->slots[lane];

	if (slot->heads > 0 && run->rings[(size_t)lane * run->sizes.ring + slot->first] == worm)
		lanes_queues_end(run, lane);
}
