// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/removal.h"

#include "net/myrinet/memory.h"
#include "net/myrinet/receiver.h"
#include "net/myrinet/runs/attempt.h"
#include "net/myrinet/runs/buffer.h"
#include "net/myrinet/runs/change.h"
#include "net/myrinet/runs/choice.h"
#include "net/myrinet/runs/control.h"
#include "net/myrinet/runs/input.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/runs/output.h"
#include "net/myrinet/runs/plan.h"
#include "net/myrinet/runs/sink.h"

static struct run_net *own(struct myr_network *net)
{
	return (struct run_net *)(void *)net;
}

static void happens_yet(struct run_net *runs, int64_t ticks)
{
	runs->last_ticks = run_later(runs->last_ticks, ticks);
}

// The same of an attempt to send, or of a character that would be drained.
static void happens_behind_beat(struct run_net *runs, int64_t ticks)
{
	happens_yet(runs, ticks);
	runs->last_behind_beat_ticks = run_later(runs->last_behind_beat_ticks, ticks);
}

// Number of the first of the worm's characters, at the link's near end, that has not gone out.
static uint32_t next_out(const struct run_net *runs, const struct run_link *link)
{
	if (run_began_now(runs, link))
		return link->sender.base;
	return run_from(&link->sent, runs->net.events.now_ticks + 1);
}

// The reference engine's event for the worm's next character stays, and the next worm's first one
// does not go out before it.
static void leave_attempt(struct run_net *runs, struct run_link *link, uint32_t index)
{
	int64_t now = runs->net.events.now_ticks;
	int64_t ticks = RUN_NEVER;

	if (link->stopped) {
		ticks = run_attempt_ticks(runs, link, now);
		run_meter_blocked_stop(runs, link, ticks);
	} else {
		run_attempt_note(runs, link, index, now, now + 1);
		if (link->sender.attempt.set)
			ticks = link->sender.attempt.ticks;
		// It has found the link taken by what went before it, and was set anew.
		if (ticks <= now && link->control_end_ticks - link->character_ticks <= ticks)
			ticks = run_later(ticks, link->control_end_ticks);
	}
	if (ticks == RUN_NEVER || ticks <= now)
		return;
	link->stale_ticks = run_later(link->stale_ticks, ticks);
	link->floor_ticks = run_later(link->floor_ticks, link->stale_ticks);
	happens_behind_beat(runs, ticks);
}

// The link's near end has nothing to do with its worm any more.
static void release(struct run_net *runs, struct run_link *link)
{
	struct run_sender *sender = &link->sender;
	bool granted = link->from != NULL || sender->ready_ticks <= runs->net.events.now_ticks;
	uint32_t index = granted ? next_out(runs, link) : sender->base;

	if (granted)
		leave_attempt(runs, link, index);
	run_plan_cut(link, index);
	run_timer_clear(&sender->sent);
	run_timer_clear(&sender->dry.timer);
	sender->attempt.set = false;
	if (link->from != NULL)
		sender->worm = NET_NO_WORM;
	else if (granted)
		run_output_free(runs, link);
	else
		run_output_free_later(runs, link);
}

// Whether the worm that leaves the buffer is first in it; the output that takes it.
static struct run_link *taker(const struct run_link *link, uint32_t worm)
{
	struct run_link *out = link->input.output;

	if (link->sink != NULL || link->input.state != RUN_INPUT_FLOWS || out->sender.worm != worm ||
	    out->sender.input != link)
		return NULL;
	return out;
}

// The worm's place on the link; the number of worms there where it has none.
static uint32_t place_of(const struct run_link *link, uint32_t worm)
{
	uint32_t place = 0;

	while (place < link->segments.count && run_segment_at(link, place)->worm != worm)
		place++;
	return place;
}

// The link was busy with the worm's characters before end, and they are counted.
static void keep_busy(struct run_net *runs, struct run_link *link, uint32_t base, uint32_t end)
{
	const struct run_list *sent = &link->sent;
	int64_t last;

	if (base == link->counted_to)
		link->counted += end - base;
	else
		link->counted_to -= end - base;
	if (sent->count == 0 || run_ahead(end, sent->items[0].index) <= 0)
		return;
	last = run_start(sent, end - 1);
	link->floor_ticks = run_later(link->floor_ticks, last + link->character_ticks);
	link->control_end_ticks = run_later(link->control_end_ticks, last + link->character_ticks);
	happens_yet(runs, last + link->delay_ticks);
}

// The worms behind it, and the sender's if that is one of them, have other numbers now.
static void number_anew(struct run_link *link, uint32_t place, uint32_t count)
{
	struct run_segments *segments = &link->segments;
	struct run_sender *sender = &link->sender;

	if (place + 1 < segments->count && sender->worm != NET_NO_WORM) {
		sender->base -= count;
		sender->offset += count;
		sender->attempt.index -= count;
		sender->dry.index -= count;
	}
	for (; place + 1 < segments->count; place++) {
		*run_segment_at(link, place) = *run_segment_at(link, place + 1);
		run_segment_at(link, place)->base -= count;
	}
	if (--segments->count == 0)
		segments->first = 0;
}

static void take_out(struct run_net *runs, struct run_link *link, uint32_t place)
{
	uint32_t base = run_segment_at(link, place)->base;
	uint32_t end = place + 1 < link->segments.count ? run_segment_at(link, place + 1)->base
							: link->sent.end;

	if (!run_has_room(&link->sent))
		run_trim(&link->sent, link->segments.count > 0 ? run_segment_at(link, 0)->base
							       : link->sent.end);
	keep_busy(runs, link, base, end);
	run_remove(&link->sent, base, end);
	number_anew(link, place, end - base);
	if (place == 0)
		link->gone = base;
}

// Number of the first character that the host has not taken. Where a worm before it was removed in
// this event, nothing of those behind that one is taken yet.
static uint32_t next_drained(const struct run_net *runs, const struct run_link *link)
{
	const struct run_sink *sink = link->sink;
	bool anew = sink->begun_in == runs->looks && SIM_KEY_PHASE(runs->key) == MYR_TIMEOUT;

	return anew && link->segments.count > 0 ?
		       run_segment_at(link, 0)->base :
		       run_from(&sink->drained, runs->net.events.now_ticks + 1);
}

// The far end at a host: what has left of the worm is not numbered any more.
static void empty_sink(struct run_net *runs, struct run_link *link, uint32_t base)
{
	struct run_sink *sink = link->sink;
	struct run_list *drained = &sink->drained;
	int64_t now = runs->net.events.now_ticks;
	bool some_left;

	run_cut(drained, next_drained(runs, link));
	some_left = run_ahead(run_buffer_arrived(runs, link), drained->end) > 0;
	if (run_ahead(drained->end, base) > 0) {
		int64_t next = run_last(drained) + link->character_ticks;

		if (some_left && link->to->receiver.state != MYR_RECEIVER_WAITS)
			happens_behind_beat(runs, next);
		sink->floor_ticks = run_later(sink->floor_ticks, next);
		run_cut(drained, base);
	}
	sink->floor_ticks = run_later(sink->floor_ticks, now);
	sink->begun_in = runs->looks;
	sink->admitted = false;
	sink->complete = false;
	run_timer_clear(&sink->final);
	run_timer_clear(&sink->tail);
}

// The far end at a switch is between worms.
static void empty_input(struct run_net *runs, struct run_link *link, int64_t idle_ticks)
{
	struct run_input *input = &link->input;

	if (input->state == RUN_INPUT_WAITS) {
		run_meter_blocked_port(runs, link, input->asked_ticks);
		run_choice_drop(&input->output->output, input);
	}
	if (input->state != RUN_INPUT_IDLE)
		input->idle_ticks = idle_ticks;
	input->state = RUN_INPUT_IDLE;
	run_timer_clear(&input->head);
}

// Takes the worm that is in this place off the link and out of the buffer.
static void take_off(struct run_net *runs, struct run_link *link, uint32_t place, int64_t idle_ticks)
{
	if (place == 0 && link->sink != NULL)
		empty_sink(runs, link, run_segment_at(link, 0)->base);
	else if (place == 0)
		empty_input(runs, link, idle_ticks);
	take_out(runs, link, place);
}

// Number of the first character that has not left the buffer, at the end of this tick.
static uint32_t first_left(const struct run_net *runs, const struct run_link *link)
{
	const struct run_link *out = link->input.output;
	int64_t now = runs->net.events.now_ticks;
	uint32_t index;
	uint32_t tail;

	if (link->sink != NULL)
		return next_drained(runs, link);
	if (link->segments.count == 0 || link->input.state != RUN_INPUT_FLOWS)
		return link->gone;
	index = run_from(&out->sent, now + 1);
	tail = out->sender.base + out->sender.length - 1;
	if (run_ahead(out->sender.base + runs->lead, index) > 0)
		index = out->sender.base + runs->lead;
	if (out->sender.held_ticks >= 0 && out->sender.held_ticks <= now)
		return tail + 1 + out->sender.offset;
	return (run_ahead(index, tail) > 0 ? tail : index) + out->sender.offset;
}

// What was planned of the worm has not happened.
static void forget_plans(const struct run_net *runs, struct net_worm *worm)
{
	if (worm->injected_ticks > runs->net.events.now_ticks)
		worm->injected_ticks = -1;
	if (worm->head_ticks > runs->net.events.now_ticks)
		worm->head_ticks = -1;
}

void run_removal_forget(struct myr_network *net, struct myr_link *at, uint32_t worm)
{
	struct run_net *runs = own(net);
	struct run_link *link = runs->link_of[at->number];
	struct run_link *out = taker(link, worm);
	uint32_t place = place_of(link, worm);
	int64_t idle_ticks = net->events.now_ticks;

	if (place == link->segments.count && link->sender.worm != worm)
		return;
	run_buffer_settle_now(runs, link);
	if (link->from != NULL && link->sender.worm == worm && run_began_now(runs, link))
		myr_worm(net, worm)->injected_ticks = -1;
	forget_plans(runs, myr_worm(net, worm));
	if (out != NULL && out->sender.held_ticks >= 0 && out->sender.held_ticks < idle_ticks)
		idle_ticks = out->sender.held_ticks;
	if (link->sender.worm == worm)
		release(runs, link);
	if (out != NULL)
		release(runs, out);
	place = place_of(link, worm);
	if (place < link->segments.count)
		take_off(runs, link, place, idle_ticks);
	if (link->sink != NULL)
		myr_receiver_forget(net, at->to, worm);
	run_control_fallen(runs, link, first_left(runs, link));
	run_mark(runs, link);
}

void run_removal_go_on(struct myr_network *net, struct myr_link *at)
{
	struct run_net *runs = own(net);
	struct run_link *link = runs->link_of[at->number];
	uint32_t head;

	if (link->sink != NULL) {
		run_sink_go_on(runs, link);
		myr_memory_look(net, at->to);
		return;
	}
	if (link->input.state == RUN_INPUT_IDLE && link->segments.count > 0) {
		head = run_segment_at(link, 0)->base + runs->lead;
		if (run_ahead(run_buffer_arrived(runs, link), head) > 0) {
			run_timer_clear(&link->input.head);
			run_input_head(runs, link);
			return;
		}
		if (run_ahead(run_buffer_arrived(runs, link), head - runs->lead) > 0)
			run_control_fallen(runs, link, head); // what announces the worm is taken
	}
	run_input_expect(runs, link);
}

void run_removal_reset(struct myr_network *net, struct myr_link *at)
{
	run_control_reset(own(net), own(net)->link_of[at->number]);
}

int64_t run_removal_blocked_since(struct myr_network *net, const struct myr_link *at,
				  uint32_t *worm)
{
	const struct run_link *link = own(net)->link_of[at->number];

	if (at->to != NULL) {
		*worm = at->to->receiver.worm;
		return at->to->receiver.state == MYR_RECEIVER_WAITS ? at->to->receiver.asked_ticks
								    : -1;
	}
	if (link->input.state != RUN_INPUT_WAITS)
		return -1;
	*worm = run_segment_at(link, 0)->worm;
	return link->input.asked_ticks;
}

int64_t run_removal_silent_since(struct myr_network *net, const struct myr_link *at, uint32_t *worm)
{
	struct run_net *runs = own(net);
	const struct run_link *link = runs->link_of[at->number];
	uint32_t next;

	*worm = link->sender.worm;
	if (*worm == NET_NO_WORM)
		return -1;
	next = next_out(runs, link);
	if (next == link->sender.base)
		return link->sender.begun_ticks;
	return run_later(link->sender.begun_ticks, run_start_before(&link->sent, next));
}
