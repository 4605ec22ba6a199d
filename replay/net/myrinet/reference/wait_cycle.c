// SPDX-License-Identifier: GPL-3.0-or-later
// After a deadlock: worms that wait in a cycle of inputs of switches. A worm needs all the outputs
// that it asks for, and its copies move together, so every cycle is one that cannot dissolve.
#include <stdlib.h>

#include "net/myrinet/reference/reference.h"
#include "net/routes/digraph.h"
#include "net/topology/graph.h"

// Why the worm keeps its input waiting: the input whose worm has the output that it wants, or the
// one beyond the output, which has stopped it; NET_NOBODY: it does not, or waits for a host.
static uint32_t blocker(const struct myr_run *run, uint32_t number, uint32_t worm)
{
	const uint32_t wanted = reference_wanted(run, number, worm);
	const struct reference_link *output = reference_link(run, wanted);
	uint32_t next = NET_NOBODY;

	if (reference_link(run, number)->far.state == REFERENCE_ASKS)
		next = output->sender.worm == worm ? NET_NOBODY : output->sender.input;
	else if (output->sender.stopped && !myr_run_is_host(run, run->ways[wanted].to))
		next = wanted;
	return next != NET_NOBODY && reference_link(run, next)->far.state != REFERENCE_IDLE
		       ? next
		       : NET_NOBODY;
}

// The first worm of the input that waits for that one.
static uint32_t waiting(const struct myr_run *run, uint32_t number, uint32_t next)
{
	uint32_t worm = reference_link(run, number)->far.head;

	while (blocker(run, number, worm) != next)
		worm = reference_next_branch(run, reference_link(run, number), worm);
	return worm;
}

// Whether switches have made copies of the worm that are still under way, or will make some.
static bool is_multicast(const struct myr_run *run, uint32_t worm)
{
	if (!run->params->multicast.by_switch || run->lives[worm].copies.count > 0)
		return run->params->multicast.by_switch;
	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const uint32_t other = reference_link(run, i)->sender.worm;

		if (other != NET_NO_WORM && other != worm &&
		    run->lives[other].data == run->lives[worm].data)
			return true;
	}
	return false;
}

// Adds a step, unless the worm beyond the output is the same.
static void add_step(const struct myr_run *run, struct net_wait_cycle *cycle, uint32_t number,
		     uint32_t next)
{
	const bool queued = reference_link(run, number)->far.state == REFERENCE_FLOWS;
	const uint32_t worm = waiting(run, number, next);
	const struct net_worm *packet = myr_run_worm(run, worm);

	if (queued && reference_link(run, next)->far.head == worm)
		return;
	reference_of(run)->steps[cycle->count++] = (struct net_wait_step){
		.packet = run->lives[worm].data,
		.source = packet->source,
		.destination = packet->destination,
		.link = reference_wanted(run, number, worm),
		.queued = queued,
		.multicast = is_multicast(run, worm)};
}

// The inputs that keep one waiting.
static uint32_t next_input(const void *context, uint32_t number, uint32_t *place)
{
	const struct myr_run *run = context;
	const struct reference_link *link = reference_link(run, number);
	uint32_t worm = link->far.head, next = NET_NOBODY;

	if (myr_run_is_host(run, run->ways[number].to) || link->far.state == REFERENCE_IDLE)
		return NET_NOBODY;
	for (uint32_t i = 0; worm != NET_NO_WORM && i < *place; i++)
		worm = reference_next_branch(run, link, worm);
	for (; worm != NET_NO_WORM && next == NET_NOBODY;
	     worm = reference_next_branch(run, link, worm)) {
		next = blocker(run, number, worm);
		++*place;
	}
	return next;
}

void reference_find_cycle(struct myr_run *run)
{
	const struct net_digraph graph = {run->net.graph.links, next_input, run};
	struct net_wait_cycle cycle = {.steps = reference_of(run)->steps,
				       .from_ticks = run->net.now_ticks};
	uint32_t *inputs = NULL, count = 0;

	if (!run->net.setup->cycles.found)
		return;
	run->net.status = net_digraph_cycle(&graph, &inputs, &count, run->net.err);
	for (uint32_t i = 0; i < count; i++)
		add_step(run, &cycle, inputs[i], inputs[(i + 1) % count]);
	free(inputs);
	if (cycle.count > 0)
		run->net.setup->cycles.found(run->net.setup->cycles.context, &cycle);
}
