// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/link.h"

#include "net/myrinet/beat.h"
#include "net/myrinet/crossbar.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/noise.h"
#include "net/myrinet/receiver.h"
#include "net/myrinet/sender.h"
#include "net/myrinet/watch.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void myr_link_put(struct myr_network *net, struct myr_link *link, struct myr_character character)
{
	struct myr_flight *flight = &link->flight;
	int64_t now = net->events.now_ticks;

	link->free_ticks = now + link->character_ticks;
	if (character.worm != NET_NO_WORM)
		link->quiet_ticks = now;
	link->meter.characters++;
	net->totals.characters++;
	if (net->params->loss.bit_errors.num != 0)
		myr_noise_pass(net, link, &character);
	if (net->setup->watch != NULL)
		myr_watch_put(net, link, character);
	if (link->dead > 0)
		return;
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

// Whether a worm is at the port that feeds the link.
static bool occupied(const struct myr_link *link)
{
	return link->from != NULL ? link->from->sender.worm != NET_NO_WORM
				  : link->output.state == MYR_OUTPUT_FLOWS;
}

void myr_link_send(struct myr_network *net, struct myr_link *link)
{
	link->sending = false;
	if (!occupied(link) || !myr_link_clear(net, link))
		return;
	if (link->from != NULL)
		myr_sender_send(net, link->from);
	else
		myr_output_send(net, link);
}

// Whether the buffer at the far end has something to say that it did not.
static bool to_tell(const struct myr_link *link)
{
	return link->slack.stop_due != link->slack.stop_told;
}

// Has what the link's own end has to say go out as soon as the link is free. A STOP and a GO that
// wait for one character time cancel.
static void want_control(struct myr_network *net, struct myr_link *link)
{
	if (link->control_pending ||
	    (!to_tell(link->reverse) && !link->reset_due && !link->beat_due))
		return;
	link->control_pending = true;
	myr_push(net, later(link->free_ticks, net->events.now_ticks), MYR_CONTROL, link->number,
		 0);
}

void myr_link_reset(struct myr_network *net, struct myr_link *link)
{
	link->reset_due = true;
	want_control(net, link);
}

void myr_link_beat(struct myr_network *net, struct myr_link *link)
{
	link->beat_due = true;
	want_control(net, link);
}

void myr_link_control(struct myr_network *net, struct myr_link *link)
{
	struct myr_slack *slack = &link->reverse->slack;
	struct myr_character character = {.worm = NET_NO_WORM, .kind = MYR_RESET};

	link->control_pending = false;
	if (link->free_ticks <= net->events.now_ticks) {
		if (to_tell(link->reverse)) {
			slack->stop_told = slack->stop_due;
			character.kind = slack->stop_told ? MYR_STOP : MYR_GO;
		} else if (link->reset_due) {
			link->reset_due = false;
		} else if (link->beat_due) {
			link->beat_due = false;
			character.kind = MYR_BEAT;
		} else {
			return;
		}
		myr_link_put(net, link, character);
	}
	want_control(net, link);
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
		myr_fail(net, "the slack buffer at the end of link %u overflows", link->number);
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
		want_control(net, link->reverse);
	}
}

// Something has left the buffer.
static void emptier(struct myr_network *net, struct myr_link *link)
{
	struct myr_slack *slack = &link->slack;

	if (slack->count <= net->times.go_line && slack->stop_due) {
		slack->stop_due = false;
		want_control(net, link->reverse);
	}
}

void myr_slack_take(struct myr_network *net, struct myr_link *link)
{
	myr_meter_area(net, link);
	link->slack.first++;
	link->slack.count--;
	emptier(net, link);
}

void myr_link_forget(struct myr_network *net, struct myr_link *link, uint32_t worm)
{
	struct myr_flight *flight = &link->flight;
	struct myr_slack *slack = &link->slack;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < flight->count; i++)
		if (flight->characters[(flight->first + i) & flight->mask].worm == worm)
			flight->characters[(flight->first + i) & flight->mask].kind = MYR_VOID;
	myr_meter_area(net, link);
	for (uint32_t i = 0; i < slack->count; i++) {
		uint32_t from = (slack->first + i) & slack->mask;
		uint32_t to = (slack->first + kept) & slack->mask;

		if (slack->characters[from].worm == worm)
			continue;
		slack->characters[to] = slack->characters[from];
		slack->arrived_ticks[to] = slack->arrived_ticks[from];
		kept++;
	}
	slack->count = kept;
	emptier(net, link);
}

void myr_link_arrive(struct myr_network *net, struct myr_link *link)
{
	struct myr_flight *flight = &link->flight;
	struct myr_character character = flight->characters[flight->first++ & flight->mask];

	flight->count--;
	switch ((enum myr_kind)character.kind) {
	case MYR_STOP:
	case MYR_GO: heed(net, link->reverse, character.kind == MYR_STOP); return;
	case MYR_BEAT: myr_beat_heard(net, link); return;
	case MYR_RESET:
	case MYR_VOID: return;
	default: break;
	}
	store(net, link, character);
	if (link->to != NULL)
		myr_receiver_arrived(net, link->to, character);
	else
		myr_input_arrived(net, link);
}
