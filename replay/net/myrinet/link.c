// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/link.h"

#include "net/myrinet/crossbar.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/receiver.h"
#include "net/myrinet/sender.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void myr_link_put(struct myr_network *net, struct myr_link *link, struct myr_character character)
{
	struct myr_flight *flight = &link->flight;
	int64_t now = net->events.now_ticks;

	link->free_ticks = now + link->character_ticks;
	link->meter.characters++;
	net->totals.characters++;
	flight->characters[(flight->first + flight->count++) & flight->mask] = character;
	myr_push(net, now + link->delay_ticks, MYR_ARRIVE, link->number, 0);
}

void myr_link_send_at(struct myr_network *net, struct myr_link *link, int64_t time_ticks)
{
	if (link->sending)
		return;
	link->sending = true;
	time_ticks = later(time_ticks, later(link->free_ticks, net->events.now_ticks));
	myr_push(net, time_ticks, MYR_SEND, link->number, 0);
}

bool myr_link_clear(struct myr_network *net, struct myr_link *link)
{
	if (link->stopped) {
		myr_meter_open(&link->meter.stop_since, net->events.now_ticks);
		return false;
	}
	// A STOP or GO that waits for the same tick went before this: its phase is the earlier one.
	if (link->free_ticks <= net->events.now_ticks)
		return true;
	myr_link_send_at(net, link, link->free_ticks);
	return false;
}

void myr_link_send(struct myr_network *net, struct myr_link *link)
{
	link->sending = false;
	if (!myr_link_clear(net, link))
		return;
	if (link->from != NULL)
		myr_sender_send(net, link->from);
	else
		myr_output_send(net, link);
}

// Has STOP or GO go out where the other end does not know what it ought to. Two that wait for one
// character time cancel.
static void tell(struct myr_network *net, struct myr_link *link)
{
	struct myr_link *reverse = link->reverse;

	if (link->slack.stop_due == link->slack.stop_told || reverse->control_pending)
		return;
	reverse->control_pending = true;
	myr_push(net, later(reverse->free_ticks, net->events.now_ticks), MYR_CONTROL,
		 reverse->number, 0);
}

void myr_link_control(struct myr_network *net, struct myr_link *link)
{
	struct myr_slack *slack = &link->reverse->slack;

	if (link->free_ticks > net->events.now_ticks) {
		myr_push(net, link->free_ticks, MYR_CONTROL, link->number, 0);
		return;
	}
	link->control_pending = false;
	if (slack->stop_due == slack->stop_told)
		return;
	slack->stop_told = slack->stop_due;
	myr_link_put(net, link,
		     (struct myr_character){.worm = NET_NO_WORM,
					    .kind = slack->stop_told ? MYR_STOP : MYR_GO});
}

static void heed(struct myr_network *net, struct myr_link *link, bool stop)
{
	link->stopped = stop;
	if (stop)
		return;
	myr_meter_shut(&link->meter.stop_since, &link->meter.blocked_stop_ticks,
		       net->events.now_ticks);
	if (link->from != NULL)
		myr_sender_wake(net, link->from);
	else
		myr_output_wake(net, link);
}

static void store(struct myr_network *net, struct myr_link *link, struct myr_character character)
{
	struct myr_slack *slack = &link->slack;
	uint32_t place = (slack->first + slack->count) & slack->mask;

	if (slack->count == net->times.slack_size) {
		myr_fail(net, "the slack buffer at the end of link %u overflows: "
			 "the region above the STOP line is too small", link->number);
		return;
	}
	myr_meter_area(net, link);
	slack->characters[place] = character;
	slack->arrived_ticks[place] = net->events.now_ticks;
	slack->count++;
	if (slack->count > slack->peak)
		slack->peak = slack->count;
	if (slack->count > link->meter.peak)
		link->meter.peak = slack->count;
	if (slack->count >= net->times.stop_line) {
		slack->stop_due = true;
		tell(net, link);
	}
}

void myr_slack_take(struct myr_network *net, struct myr_link *link)
{
	struct myr_slack *slack = &link->slack;

	myr_meter_area(net, link);
	slack->first++;
	slack->count--;
	if (slack->count <= net->times.go_line && slack->stop_due) {
		slack->stop_due = false;
		tell(net, link);
	}
}

void myr_link_arrive(struct myr_network *net, struct myr_link *link)
{
	struct myr_flight *flight = &link->flight;
	struct myr_character character = flight->characters[flight->first++ & flight->mask];

	flight->count--;
	if (character.kind == MYR_STOP || character.kind == MYR_GO) {
		heed(net, link->reverse, character.kind == MYR_STOP);
		return;
	}
	store(net, link, character);
	if (link->to != NULL)
		myr_receiver_arrived(net, link->to, character);
	else
		myr_input_arrived(net, link);
}
