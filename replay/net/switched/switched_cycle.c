// SPDX-License-Identifier: GPL-3.0-or-later
// The cycle of a deadlock. When nothing can happen every packet in the network waits for another
// one there: behind that in a buffer, for an output that it has, or for room in a buffer where it
// stands first. So following these waits from any packet ends in a cycle. A packet with a choice
// waits for all its options; here it is followed to the first that is alive.
#include "net/switched/switched_run.h"

// Where a packet's header stands.
struct wait_spot {
	enum {
		SPOT_QUEUED,
		SPOT_ASKS,
		SPOT_HOLDS
	} kind; // in an input behind others, first there, or before an output that it has
	uint32_t channel;
};

static bool switched_cycle_stands_in(const struct switched_run *run, uint32_t input, uint32_t worm)
{
	const struct switched_input *in = &run->inputs[input];

	return in->count > 0 && (switched_head(in) == worm || switched_last(run, in) == worm);
}

// From an output that the packet has, or an input where it stands.
static struct wait_spot find_spot(const struct switched_run *run, uint32_t worm, uint32_t channel)
{
	for (;;) {
		const struct switched_input *in = &run->inputs[channel];

		if (!switched_cycle_stands_in(run, channel, worm))
			return (struct wait_spot){SPOT_HOLDS, channel};
		if (switched_head(in) != worm)
			return (struct wait_spot){SPOT_QUEUED, channel};
		if (in->state != SWITCHED_GOES)
			return (struct wait_spot){SPOT_ASKS, channel};
		channel = in->out;
	}
}

// The output that a packet asks for first.
static uint32_t switched_cycle_wanted(const struct switched_run *run, uint32_t worm)
{
	const struct switched_life *life = &run->lives[worm];
	const struct switched_switch *at = &run->switches[run->inputs[life->input].at];
	uint32_t link = NET_NOBODY;

	for (uint32_t i = 0; i < life->option_count; i++) {
		link = run->cables.out_of[at->first_port + life->options[i].port];
		if (!net_drive_link_is_dead(&run->net, link))
			break;
	}
	return link;
}

// What a packet waits for: fills in the step, sets the channel where the packet that has it is
// found, and returns that; NET_NO_WORM for none.
static uint32_t follow_wait(const struct switched_run *run, uint32_t number, uint32_t *channel,
			    struct net_wait_step *step)
{
	const struct net_worm *worm = &run->net.pool.worms[number];
	const struct wait_spot spot = find_spot(run, number, *channel);
	const bool asks = run->lives[number].pooled ? run->outputs[*channel].worm != number
						    : spot.kind == SPOT_ASKS;

	*channel = asks ? switched_cycle_wanted(run, number) : spot.channel;
	*step = (struct net_wait_step){.packet = worm->packet.id,
				       .source = worm->source,
				       .destination = worm->destination,
				       .link = *channel / run->lanes,
				       .queued = spot.kind == SPOT_QUEUED};
	if (asks && run->outputs[*channel].worm != NET_NO_WORM)
		return run->outputs[*channel].worm;
	return run->inputs[*channel].count > 0 ? switched_head(&run->inputs[*channel])
					       : NET_NO_WORM;
}

// The oldest packet that an output has, and that output; NET_NO_WORM where none has one.
static uint32_t oldest_sent(const struct switched_run *run, uint32_t *channel)
{
	uint32_t oldest = NET_NO_WORM;

	for (uint32_t i = 0; i < run->net.graph.links * run->lanes; i++) {
		const uint32_t worm = run->outputs[i].worm;

		if (worm != NET_NO_WORM &&
		    (oldest == NET_NO_WORM || run->net.serials[worm] < run->net.serials[oldest])) {
			oldest = worm;
			*channel = i;
		}
	}
	return oldest;
}

// The steps from the one that comes again on are the cycle.
static void report_from(const struct switched_run *run, uint32_t first, uint32_t count)
{
	const struct net_wait_cycles *cycles = &run->net.setup->cycles;
	const struct net_wait_cycle cycle = {.steps = run->steps + first,
					     .count = count - first,
					     .from_ticks = run->net.now_ticks};

	cycles->found(cycles->context, &cycle);
}

void switched_report_cycle(struct switched_run *run)
{
	uint32_t channel = 0, count = 0;
	uint32_t worm = oldest_sent(run, &channel);

	while (worm != NET_NO_WORM && run->lives[worm].step == 0) {
		const uint32_t next = follow_wait(run, worm, &channel, &run->steps[count]);

		run->lives[worm].step = ++count;
		worm = next;
	}
	if (worm != NET_NO_WORM)
		report_from(run, run->lives[worm].step - 1, count);
}
