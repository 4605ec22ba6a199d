// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/beat.h"

#include "net/myrinet/crossbar.h"
#include "net/myrinet/link.h"
#include "net/myrinet/removal.h"

static void plan(struct myr_network *net, const struct myr_link *link)
{
	net->background++;
	myr_push(net, net->events.now_ticks + net->times.beat_ticks, MYR_BEAT_DUE, link->number, 0);
}

void myr_beat_start(struct myr_network *net)
{
	if (net->times.beat_ticks == 0)
		return;
	for (uint32_t i = 0; i < net->parts.link_count; i++) {
		net->parts.link_of[i]->heard_ticks = net->events.now_ticks;
		plan(net, net->parts.link_of[i]);
	}
}

// The switch takes the output's cable for lost: worms that have it, or ask for it, are dropped.
static void lose(struct myr_network *net, struct myr_link *link)
{
	const struct myr_switch *crossbar = link->output.crossbar;

	link->lost = true;
	net->totals.links_lost++;
	if (link->from != NULL)
		return;
	if (link->output.state == MYR_OUTPUT_FLOWS)
		myr_removal(net, link->output.worm, TR_DROP_DEAD);
	for (uint32_t port = 0; port < crossbar->ports; port++) {
		const struct myr_link *in = crossbar->in[port];

		if (in != NULL && in->input.state == MYR_INPUT_WAITS &&
		    in->input.output == &link->output)
			myr_removal(net, in->input.worm, TR_DROP_DEAD);
	}
}

void myr_beat(struct myr_network *net, struct myr_link *link)
{
	int64_t silent = net->events.now_ticks - link->reverse->heard_ticks;
	uint64_t misses = net->params->loss.beat_misses;

	net->background--;
	if (myr_over(net))
		return;
	myr_link_beat(net, link);
	if (!link->lost && misses > 0 && silent > (int64_t)misses * net->times.beat_ticks)
		lose(net, link);
	plan(net, link);
}

void myr_beat_heard(struct myr_network *net, struct myr_link *link)
{
	link->heard_ticks = net->events.now_ticks;
	link->reverse->lost = false;
}
