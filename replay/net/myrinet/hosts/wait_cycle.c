// SPDX-License-Identifier: GPL-3.0-or-later
// After a deadlock: worms that wait in a cycle of inputs of switches. A worm needs all the outputs
// that it asks for, and its copies move together, so every cycle is one that cannot dissolve.
#include <stdlib.h>

#include "net/myrinet/hosts/hosts.h"
#include "net/routes/digraph.h"

static struct myr_stand stand_of(const struct myr_run *run, uint32_t link)
{
	return run->medium->stand(run, link);
}

// The worms that leave an input: its head, and its copies. The next one, NET_NO_WORM after the
// last; and the output that it wants.
static uint32_t cycle_next_branch(const struct myr_run *run, const struct myr_stand *input,
				  uint32_t worm)
{
	return worm == input->head ? input->branch : run->lives[worm].sibling;
}

static uint32_t cycle_wanted(const struct myr_run *run, uint32_t number,
			     const struct myr_stand *input, uint32_t worm)
{
	return worm == input->head ? input->output
				   : myr_run_port(run, run->ways[number].to,
						  myr_run_worm(run, worm)->route[input->hop]);
}

// Whether the buffer beyond the output holds its worm up.
static bool is_held_up(const struct myr_run *run, uint32_t output, const struct myr_stand *at)
{
	return at->stopped && !myr_run_is_host(run, run->ways[output].to);
}

// Why the worm keeps its input waiting: the input whose worm has the output that it wants, or the
// one beyond the output, where the output's worm is held up; NET_NOBODY: it does not, or waits for
// a host.
static uint32_t blocker(const struct myr_run *run, uint32_t number, const struct myr_stand *input,
			uint32_t worm)
{
	const uint32_t wanted = cycle_wanted(run, number, input, worm);
	const struct myr_stand output = stand_of(run, wanted);
	uint32_t next = NET_NOBODY;

	if (!input->flows && (output.worm == worm || output.worm == NET_NO_WORM))
		return NET_NOBODY;
	if (!input->flows)
		next = output.input;
	if (next == NET_NOBODY && is_held_up(run, wanted, &output))
		next = wanted;
	return next != NET_NOBODY && stand_of(run, next).head != NET_NO_WORM ? next : NET_NOBODY;
}

// The first worm of the input that waits for that one.
static uint32_t waiting(const struct myr_run *run, uint32_t number, const struct myr_stand *input,
			uint32_t next)
{
	uint32_t worm = input->head;

	while (blocker(run, number, input, worm) != next)
		worm = cycle_next_branch(run, input, worm);
	return worm;
}

// Whether switches have made copies of the worm that are still under way, or will make some.
static bool is_multicast(const struct myr_run *run, uint32_t worm)
{
	if (!run->params->multicast.by_switch || run->lives[worm].copies.count > 0)
		return run->params->multicast.by_switch;
	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const uint32_t other = stand_of(run, i).worm;

		if (other != NET_NO_WORM && other != worm &&
		    run->lives[other].data == run->lives[worm].data)
			return true;
	}
	return false;
}

static void cycle_put_step(const struct myr_run *run, struct net_wait_step *step, uint32_t worm,
			   uint32_t link, bool queued)
{
	const struct net_worm *packet = myr_run_worm(run, worm);

	*step = (struct net_wait_step){.packet = run->lives[worm].data,
				       .source = packet->source,
				       .destination = packet->destination,
				       .link = link,
				       .queued = queued,
				       .multicast = is_multicast(run, worm)};
}

// Writes the steps from an input to the next one, unless the worm is the same there, and returns
// their number. Of a worm that has left its input all but the end may be behind another's.
static uint32_t cycle_put_steps(const struct myr_run *run, struct net_wait_step *steps,
				uint32_t number, uint32_t next)
{
	const struct myr_stand input = stand_of(run, number);
	const uint32_t worm = waiting(run, number, &input, next);
	const uint32_t wanted = cycle_wanted(run, number, &input, worm);
	const uint32_t has = stand_of(run, wanted).worm, head = stand_of(run, next).head;
	uint32_t count = 0;

	if (!input.flows)
		cycle_put_step(run, &steps[count++], worm, wanted, false);
	if (next == wanted && has != head)
		cycle_put_step(run, &steps[count++], has, wanted, true);
	return count;
}

// The inputs that keep one waiting.
static uint32_t next_input(const void *context, uint32_t number, uint32_t *place)
{
	const struct myr_run *run = context;
	const struct myr_stand input = stand_of(run, number);
	uint32_t worm = input.head, next = NET_NOBODY;

	for (uint32_t i = 0; worm != NET_NO_WORM && i < *place; i++)
		worm = cycle_next_branch(run, &input, worm);
	for (; worm != NET_NO_WORM && next == NET_NOBODY;
	     worm = cycle_next_branch(run, &input, worm)) {
		next = blocker(run, number, &input, worm);
		++*place;
	}
	return next;
}

void myr_find_cycle(struct myr_run *run)
{
	const struct net_wait_cycles *cycles = &run->net.setup->cycles;
	const struct net_digraph graph = {run->net.graph.links, next_input, run};
	struct net_wait_step *steps = NULL;
	struct net_wait_cycle cycle = {.from_ticks = run->net.now_ticks};
	uint32_t *inputs = NULL, count = 0;

	if (!cycles->found)
		return;
	run->net.status = net_digraph_cycle(&graph, &inputs, &count, run->net.err);
	if (count > 0 && !(steps = malloc(2 * (size_t)count * sizeof(*steps))))
		run->net.status = tr_no_memory(run->net.err, "the cycle of a deadlock");
	for (uint32_t i = 0; steps && i < count; i++)
		cycle.count += cycle_put_steps(run, steps + cycle.count, inputs[i],
					       inputs[(i + 1) % count]);
	cycle.steps = steps;
	if (cycle.count > 0)
		cycles->found(cycles->context, &cycle);
	free(steps);
	free(inputs);
}
