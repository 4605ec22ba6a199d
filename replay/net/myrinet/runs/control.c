// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/control.h"

#include "net/myrinet/runs/attempt.h"
#include "net/myrinet/runs/buffer.h"
#include "net/myrinet/runs/change.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/runs/plan.h"

// Whether a character that is to start on the link in this tick has started before the present event.
static bool started(const struct run_net *runs, const struct run_link *link)
{
	uint32_t own = SIM_KEY(MYR_SEND, link->number);

	if (runs->key == own)
		return link->sender.held_ticks != runs->net.events.now_ticks;
	return own < runs->key;
}

// When the link is free of what has started.
static int64_t free_ticks(const struct run_net *runs, const struct run_link *link)
{
	int64_t now = runs->net.events.now_ticks;
	uint32_t index = run_from(&link->sent, now);

	if (run_ahead(link->sent.end, index) > 0 && run_start(&link->sent, index) == now &&
	    started(runs, link))
		index++;
	return run_later(run_start_before(&link->sent, index) + link->character_ticks,
			 link->control_end_ticks);
}

// Has STOP or GO go out where the other end does not know what it ought to.
static void tell(struct run_net *runs, struct run_link *link)
{
	struct run_link *reverse = link->reverse;
	int64_t ticks;

	if (link->slack.stop_due == link->slack.stop_told || reverse->control_pending)
		return;
	ticks = run_later(free_ticks(runs, reverse), runs->net.events.now_ticks);
	reverse->control_pending = true;
	reverse->hold_passed = ticks == runs->net.events.now_ticks &&
			       SIM_KEY(MYR_SEND, reverse->number) <= runs->key;
	myr_push(&runs->net, ticks, MYR_CONTROL, reverse->number, 0);
}

void run_control_fallen(struct run_net *runs, struct run_link *link, uint32_t taken)
{
	if (!link->slack.stop_due ||
	    run_ahead(run_buffer_arrived(runs, link), taken) > (int64_t)runs->net.times.go_line)
		return;
	link->slack.stop_due = false;
	run_timer_clear(&link->slack.cross);
	tell(runs, link);
}

void run_control_crossed(struct run_net *runs, struct run_link *link)
{
	const struct run_input *input = &link->input;

	link->slack.stop_due = link->slack.rising;
	link->slack.peaking = link->slack.peaking || link->slack.stop_due;
	tell(runs, link);
	// A route character that made it too many may have left at once.
	if (link->slack.stop_due && link->sink == NULL && input->state == RUN_INPUT_WAITS &&
	    input->asked_ticks == runs->net.events.now_ticks)
		run_control_fallen(runs, link, run_behind_route(runs, run_segment_at(link, 0)));
	if (link->slack.stop_due && link->sink == NULL && input->state == RUN_INPUT_WAITS)
		link->slack.rising = false; // nothing leaves
	else
		run_mark(runs, link);
}

// What is not on the link yet goes behind the control character.
static void again(struct run_net *runs, struct run_link *link, int64_t ticks, int64_t held_from)
{
	uint32_t end = link->sent.end;
	uint32_t index = run_plan_again(runs, link, ticks, held_from);

	run_changed(runs, link, index, run_ahead(link->sent.end, end) > 0 ? RUN_OTHER : RUN_LATER);
}

void run_control_put(struct run_net *runs, struct run_link *link)
{
	struct run_slack *slack = &link->reverse->slack;
	int64_t now = runs->net.events.now_ticks;
	int64_t end = now + link->character_ticks;
	int64_t held_from = now + (link->hold_passed ? 1 : 0);
	uint32_t index;

	link->control_pending = false;
	if (slack->stop_due == slack->stop_told)
		return;
	slack->stop_told = slack->stop_due;
	index = run_from(&link->sent, now);
	run_attempt_note(runs, link, index, now, held_from);
	link->controls++;
	link->control_end_ticks = end;
	link->floor_ticks = run_later(link->floor_ticks, end);
	myr_push(&runs->net, now + link->delay_ticks, MYR_ARRIVE, link->number,
		 RUN_AUX(slack->stop_told ? RUN_TOLD_STOP : RUN_TOLD_GO, link->number));
	if ((run_ahead(link->sent.end, index) > 0 && run_start(&link->sent, index) < end) ||
	    (link->sender.held_ticks >= held_from && link->sender.held_ticks < end))
		again(runs, link, now, held_from);
}

void run_control_told(struct run_net *runs, struct run_link *link, bool stop)
{
	struct run_link *sender = link->reverse;
	int64_t now = runs->net.events.now_ticks;
	int64_t held = sender->sender.held_ticks;
	uint32_t end = sender->sent.end;
	uint32_t index;

	if (stop)
		run_attempt_note(runs, sender, run_from(&sender->sent, now), now, now);
	else
		run_meter_blocked_stop(runs, sender, run_attempt_ticks(runs, sender, now));
	sender->stopped = stop;
	sender->floor_ticks = run_later(sender->floor_ticks, now);
	index = run_plan_again(runs, sender, now, now);
	if (index != end || sender->sent.end != end || sender->sender.held_ticks != held) {
		run_changed(runs, sender, index, stop ? RUN_LATER : RUN_MORE);
	} else {
		run_changed_not(runs, sender);
		if (sender->sender.input != NULL)
			run_mark(runs, sender->sender.input);
	}
}
