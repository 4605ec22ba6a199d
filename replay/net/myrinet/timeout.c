// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/timeout.h"

#include "net/myrinet/crossbar.h"
#include "net/myrinet/link.h"
#include "net/myrinet/removal.h"

static bool counts(const struct myr_network *net, enum myr_timeout_from from)
{
	return net->times.timeout_ticks > 0 && net->params->loss.timeout_from == from;
}

static void set_timer(struct myr_network *net, int64_t time_ticks, uint32_t component)
{
	net->timers++;
	net->background++;
	myr_push(net, time_ticks, MYR_TIMEOUT, component, 0);
}

void myr_timeout_born(struct myr_network *net, uint32_t worm)
{
	struct myr_life *life = myr_life(net, worm);
	struct myr_ages *ages = &net->ages;

	life->born_ticks = net->events.now_ticks;
	if (!counts(net, MYR_TIMEOUT_AGE))
		return;
	life->aging = true;
	life->younger = NET_NO_WORM;
	life->older = ages->youngest;
	if (ages->oldest == NET_NO_WORM)
		ages->oldest = worm;
	else
		myr_life(net, ages->youngest)->younger = worm;
	ages->youngest = worm;
	if (!ages->timed)
		set_timer(net, life->born_ticks + net->times.timeout_ticks, 0);
	ages->timed = true;
}

void myr_timeout_safe(struct myr_network *net, uint32_t worm)
{
	struct myr_life *life = myr_life(net, worm);
	struct myr_ages *ages = &net->ages;

	if (!life->aging)
		return;
	life->aging = false;
	if (ages->oldest == worm)
		ages->oldest = life->younger;
	else
		myr_life(net, life->older)->younger = life->younger;
	if (ages->youngest == worm)
		ages->youngest = life->older;
	else
		myr_life(net, life->younger)->older = life->older;
}

static void kill(struct myr_network *net, uint32_t worm)
{
	net->totals.end_ticks = net->events.now_ticks;
	myr_removal(net, worm, TR_DROP_TIMEOUT);
}

static void look_at_ages(struct myr_network *net)
{
	struct myr_ages *ages = &net->ages;
	int64_t since = net->events.now_ticks - net->times.timeout_ticks;

	while (ages->oldest != NET_NO_WORM && myr_life(net, ages->oldest)->born_ticks <= since)
		kill(net, ages->oldest);
	ages->timed = ages->oldest != NET_NO_WORM;
	if (ages->timed)
		set_timer(net,
			  myr_life(net, ages->oldest)->born_ticks + net->times.timeout_ticks, 0);
}

// Since when the worm at the link's far end is blocked, and which it is; -1 for none.
static int64_t blocked_since(const struct myr_link *link, uint32_t *worm)
{
	const struct myr_input *input = &link->input;

	if (link->to != NULL) {
		*worm = link->to->receiver.worm;
		return link->to->receiver.state == MYR_RECEIVER_WAITS ?
			       link->to->receiver.asked_ticks : -1;
	}
	*worm = input->worm;
	return input->state == MYR_INPUT_WAITS && !myr_input_chosen(link) ? input->asked_ticks : -1;
}

// The same of the worm at the port that feeds the link.
static int64_t silent_since(const struct myr_link *link, uint32_t *worm)
{
	bool flows = link->from != NULL ? link->from->sender.worm != NET_NO_WORM
					: link->output.state == MYR_OUTPUT_FLOWS;

	*worm = link->from != NULL ? link->from->sender.worm : link->output.worm;
	return flows ? link->quiet_ticks : -1;
}

void myr_timeout_watch(struct myr_network *net, struct myr_link *link, enum myr_timeout_from from)
{
	if (!counts(net, from) || link->timed)
		return;
	link->timed = true;
	set_timer(net, net->events.now_ticks + net->times.timeout_ticks, link->number);
}

static int64_t since_when(struct myr_network *net, const struct myr_link *link, bool silent,
			  uint32_t *worm)
{
	if (net->motion == NULL)
		return silent ? silent_since(link, worm) : blocked_since(link, worm);
	return silent ? net->motion->silent_since(net, link, worm)
		      : net->motion->blocked_since(net, link, worm);
}

static void look_at_link(struct myr_network *net, struct myr_link *link)
{
	bool silent = net->params->loss.timeout_from == MYR_TIMEOUT_SILENT;
	uint32_t worm;
	int64_t since = since_when(net, link, silent, &worm);

	link->timed = false;
	if (since < 0)
		return;
	if (since + net->times.timeout_ticks > net->events.now_ticks) {
		link->timed = true;
		set_timer(net, since + net->times.timeout_ticks, link->number);
		return;
	}
	if (silent && net->motion != NULL)
		net->motion->reset(net, link);
	else if (silent)
		myr_link_reset(net, link);
	kill(net, worm);
}

void myr_timeout(struct myr_network *net, uint32_t component)
{
	net->timers--;
	net->background--;
	if (net->params->loss.timeout_from == MYR_TIMEOUT_AGE)
		look_at_ages(net);
	else
		look_at_link(net, net->parts.link_of[component]);
}
