// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/fault.h"

#include "net/myrinet/crossbar.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/outcome.h"
#include "net/myrinet/removal.h"
#include "net/myrinet/sender.h"
#include "net/myrinet/source.h"
#include "net/myrinet/timeout.h"

static void plan(struct myr_network *net, int64_t time_ticks, uint32_t fault, bool begins)
{
	int64_t now = net->events.now_ticks;

	net->timers++;
	net->background++;
	myr_push(net, time_ticks > now ? time_ticks : now, MYR_FAULT, fault, begins);
}

enum tr_status myr_fault_start(struct myr_network *net)
{
	const struct net_setup *setup = net->setup;

	for (uint32_t i = 0; i < setup->fault_count; i++) {
		const struct net_fault *fault = &setup->faults[i];
		size_t count = fault->kind == NET_FAULT_HOST ? setup->topology->hosts
							     : setup->topology->cable_count;

		if (fault->number >= count || fault->from_ticks >= fault->to_ticks)
			return tr_fail(net->err, "fault %u is of nothing, or ends before it begins",
				       i);
		plan(net, fault->from_ticks, i, true);
		if (fault->to_ticks < INT64_MAX)
			plan(net, fault->to_ticks, i, false);
	}
	return TR_OK;
}

// Removes the worm of which the port that feeds the link has sent a part.
static void lose_begun(struct myr_network *net, struct myr_link *link)
{
	const struct myr_output *output = &link->output;

	if (link->from != NULL && link->from->sender.worm != NET_NO_WORM &&
	    link->from->sender.position > 0)
		myr_removal(net, link->from->sender.worm, TR_DROP_DEAD);
	else if (link->from == NULL && output->state == MYR_OUTPUT_FLOWS && output->begun)
		myr_removal(net, output->worm, TR_DROP_DEAD);
}

// What is under way is lost, and with it every worm of which something was.
static void cut(struct myr_network *net, struct myr_link *link)
{
	struct myr_flight *flight = &link->flight;

	for (uint32_t i = 0; i < flight->count; i++) {
		struct myr_character *character =
			&flight->characters[(flight->first + i) & flight->mask];

		if (character->kind != MYR_VOID && character->worm != NET_NO_WORM)
			myr_removal(net, character->worm, TR_DROP_DEAD);
		character->kind = MYR_VOID;
	}
	lose_begun(net, link);
	link->stopped = false;
	myr_meter_shut(&link->meter.stop_since, &link->meter.blocked_stop_ticks,
		       net->events.now_ticks);
	if (link->from != NULL)
		myr_sender_wake(net, link->from);
	else
		myr_output_wake(net, link);
}

static void kill_cable(struct myr_network *net, uint32_t cable)
{
	struct myr_link *link = net->parts.link_of[2 * cable];

	link->reverse->dead++;
	if (link->dead++ > 0)
		return;
	cut(net, link);
	cut(net, link->reverse);
}

// The near end learns anew whether it is stopped. What it has sent of a worm so far is lost.
static void join(struct myr_network *net, struct myr_link *link)
{
	lose_begun(net, link);
	link->slack.stop_told = link->slack.stop_due;
	link->stopped = link->slack.stop_due;
	link->heard_ticks = net->events.now_ticks;
}

static void revive_cable(struct myr_network *net, uint32_t cable)
{
	struct myr_link *link = net->parts.link_of[2 * cable];

	link->reverse->dead--;
	if (--link->dead > 0)
		return;
	join(net, link);
	join(net, link->reverse);
}

static void lose(struct myr_network *net, uint32_t worm)
{
	if (worm == NET_NO_WORM)
		return;
	myr_timeout_safe(net, worm);
	myr_outcome_lost(net, worm, TR_DROP_DEAD);
}

static void lose_all(struct myr_network *net, struct net_worm_list *list)
{
	while (list->count > 0)
		lose(net, net_worm_first(&net->pool, list));
}

// Nothing is left in the host. Its links are cut already.
static void empty_host(struct myr_network *net, struct myr_host *host)
{
	struct myr_slack *slack = &host->in->slack;

	net->waiting -= host->waiting.count;
	lose_all(net, &host->waiting);
	lose_all(net, &host->queue);
	lose_all(net, &host->ready);
	if (host->sender.worm != NET_NO_WORM)
		myr_removal(net, host->sender.worm, TR_DROP_DEAD);
	if (host->receiver.state != MYR_RECEIVER_IDLE)
		myr_removal(net, host->receiver.worm, TR_DROP_DEAD);
	while (slack->count > 0)
		myr_removal(net, slack->characters[slack->first & slack->mask].worm, TR_DROP_DEAD);
	lose_all(net, &host->whole);
	lose_all(net, &host->fetching);
	lose_all(net, &host->storing);
	host->memory_used_B = 0;
	host->epoch++;
	myr_source_room(net, host);
}

void myr_fault(struct myr_network *net, uint32_t number, bool begins)
{
	const struct net_fault *fault = &net->setup->faults[number];
	struct myr_host *host = NULL;
	uint32_t cable = fault->number;

	net->timers--;
	net->background--;
	net->totals.end_ticks = net->events.now_ticks;
	if (fault->kind == NET_FAULT_HOST) {
		host = net->parts.host_of[fault->number];
		cable = host->out->number / 2;
		if (begins)
			host->dead++;
		else
			host->dead--;
	}
	if (begins)
		kill_cable(net, cable);
	else
		revive_cable(net, cable);
	if (begins && host != NULL && host->dead == 1)
		empty_host(net, host);
}
