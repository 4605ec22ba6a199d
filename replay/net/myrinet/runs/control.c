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

	if (run_began_now(runs, link))
		return false;
	if (runs->key == own)
		return link->sender.held_ticks != runs->net.events.now_ticks;
	// An assignment that takes no time has a tick begin anew: what was due in its first round has gone.
	return own < runs->key_most;
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

// Has a control character go out on the link as soon as it is free.
static void want(struct run_net *runs, struct run_link *link)
{
	int64_t ticks;

	if (link->control_pending)
		return;
	ticks = run_later(free_ticks(runs, link), runs->net.events.now_ticks);
	link->control_pending = true;
	link->hold_passed = ticks == runs->net.events.now_ticks &&
			    SIM_KEY(MYR_SEND, link->number) <= runs->key_most;
	myr_push(&runs->net, ticks, MYR_CONTROL, link->number, 0);
}

// Has STOP or GO go out where the other end does not know what it ought to.
static void tell(struct run_net *runs, struct run_link *link)
{
	if (link->slack.stop_due != link->slack.stop_told)
		want(runs, link->reverse);
}

void run_control_reset(struct run_net *runs, struct run_link *link)
{
	link->reset_due = true;
	want(runs, link);
}

void run_control_beat(struct run_net *runs, struct run_link *link)
{
	link->beat_due = true;
	want(runs, link);
}

// What the link's near end has to say next is said; false where it has nothing.
static bool say(struct run_net *runs, struct run_link *link)
{
	struct run_slack *slack = &link->reverse->slack;
	int64_t now = runs->net.events.now_ticks;

	if (slack->stop_due != slack->stop_told) {
		slack->stop_told = slack->stop_due;
	} else if (link->reset_due || link->beat_due) {
		link->beat_due = link->beat_due && link->reset_due;
		link->reset_due = false;
		runs->last_ticks = run_later(runs->last_ticks, now + link->delay_ticks);
	} else {
		return false;
	}
	return true;
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

// The line is reached with this character. Where the STOP before was never told, as much as can be
// has come since.
static void note_stop_due(const struct run_net *runs, struct run_link *link)
{
	struct run_slack *slack = &link->slack;

	if (slack->untold)
		slack->peak_most = runs->most;
	slack->peaking = true;
	slack->untold = true;
	slack->crossed_ticks = runs->net.events.now_ticks;
}

void run_control_crossed(struct run_net *runs, struct run_link *link)
{
	const struct run_input *input = &link->input;

	link->slack.stop_due = link->slack.rising;
	if (link->slack.stop_due)
		note_stop_due(runs, link);
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
	int64_t held = link->sender.held_ticks;
	uint32_t index = run_plan_again(runs, link, ticks, held_from);

	run_changed(runs, link, index, run_change_of(link, end, held));
}

// The link is stopped from a tick on, or may go on.
static void heed(struct run_net *runs, struct run_link *link, bool stop, int64_t ticks)
{
	int64_t held = link->sender.held_ticks;
	uint32_t end = link->sent.end;
	uint32_t index;

	if (stop) {
		link->stop_unnoted = ticks > runs->net.events.now_ticks;
		if (!link->stop_unnoted)
			run_attempt_note(runs, link, run_from(&link->sent, ticks), ticks, ticks);
		index = run_plan_stop(link, ticks);
	} else {
		if (!runs->tells_early)
			run_meter_blocked_stop(runs, link, run_attempt_ticks(runs, link, ticks));
		link->stopped = false;
		link->stop_unnoted = false;
		link->floor_ticks = run_later(link->floor_ticks, ticks);
		index = run_plan_again(runs, link, ticks, ticks);
	}
	if (index != end || link->sent.end != end || link->sender.held_ticks != held) {
		run_changed(runs, link, index, stop ? RUN_LATER : RUN_MORE);
	} else {
		run_changed_not(runs, link);
		if (link->sender.input != NULL)
			run_mark(runs, link->sender.input);
	}
}

// The link will be stopped from a tick on: so much can come to its buffer behind the character that
// made the STOP due.
static void note_told(const struct run_net *runs, struct run_link *link, int64_t ticks)
{
	struct run_slack *slack = &link->slack;
	int64_t passes = ticks + link->delay_ticks - 1 - slack->crossed_ticks;
	uint32_t most = runs->net.times.stop_line + (uint32_t)(passes / link->character_ticks);

	slack->untold = false;
	if (most > slack->peak_most)
		slack->peak_most = most;
}

// A STOP or GO gets to the link's far end. The reverse link heeds it from then on, which is planned
// at once unless an earlier one is under way to it yet.
static void reach(struct run_net *runs, const struct run_link *link)
{
	struct run_link *sender = link->reverse;
	int64_t arrives = runs->net.events.now_ticks + link->delay_ticks;
	bool stop = sender->slack.stop_told;

	if (stop)
		note_told(runs, sender, arrives);
	if (runs->tells_early && sender->tells == 0 &&
	    (stop || run_is_stopped(sender, runs->net.events.now_ticks))) {
		runs->last_ticks = run_later(runs->last_ticks, arrives);
		heed(runs, sender, stop, arrives);
		return;
	}
	sender->tells++;
	myr_push(&runs->net, arrives, MYR_ARRIVE, link->number,
		 RUN_AUX(stop ? RUN_TOLD_STOP : RUN_TOLD_GO, link->number));
}

void run_control_put(struct run_net *runs, struct run_link *link)
{
	int64_t now = runs->net.events.now_ticks;
	int64_t end = now + link->character_ticks;
	int64_t held_from = now + (link->hold_passed ? 1 : 0);
	bool told = link->reverse->slack.stop_told;
	uint32_t index;

	link->control_pending = false;
	if (!say(runs, link))
		return;
	index = run_from(&link->sent, now);
	run_attempt_note(runs, link, index, now, held_from);
	link->controls++;
	link->control_end_ticks = end;
	link->floor_ticks = run_later(link->floor_ticks, end);
	if (link->reset_due || link->beat_due)
		want(runs, link);
	if ((run_ahead(link->sent.end, index) > 0 && run_start(&link->sent, index) < end) ||
	    (link->sender.held_ticks >= held_from && link->sender.held_ticks < end))
		again(runs, link, now, held_from);
	if (link->reverse->slack.stop_told != told)
		reach(runs, link);
}

void run_control_told(struct run_net *runs, struct run_link *link, bool stop)
{
	link->reverse->tells--;
	heed(runs, link->reverse, stop, runs->net.events.now_ticks);
}
