// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/sink.h"

#include "net/myrinet/receiver.h"
#include "net/myrinet/runs/buffer.h"
#include "net/myrinet/runs/control.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/runs/plan.h"

static uint32_t key(const struct run_link *link)
{
	return SIM_KEY(MYR_DRAIN, link->to->number);
}

static int64_t earliest_taken(const struct run_link *link)
{
	return run_later(run_last(&link->sink->drained) + link->character_ticks,
			 link->sink->floor_ticks);
}

// Number behind the first worm's last character.
static uint32_t worm_end(const struct run_link *link)
{
	const struct run_segment *segment = run_segment_at(link, 0);

	return segment->base + segment->length;
}

static void forget(struct run_net *runs, struct run_link *link)
{
	run_meter_catch_up(runs, runs->net.events.now_ticks);
	run_buffer_settle(runs, link, runs->net.events.now_ticks);
	run_trim(&link->sink->drained,
		 run_from(&link->sink->drained, runs->net.events.now_ticks));
}

// Drains what is known up to the number end.
static void drain(struct run_net *runs, struct run_link *link, uint32_t end)
{
	struct run_list *drained = &link->sink->drained;
	int64_t next = earliest_taken(link);

	if (!run_has_room(drained))
		forget(runs, link);
	if (run_ahead(end, link->sent.end) > 0)
		end = link->sent.end;
	while (run_ahead(end, drained->end) > 0 && run_has_room(drained)) {
		const struct run_supply supply =
			run_plan_supply(&link->sent, drained->end, end, link->delay_ticks);

		next = run_follow(drained, &supply, next, link->character_ticks);
	}
}

// Has the first character behind the route ask for memory when it is its turn.
static void expect_final(struct run_net *runs, struct run_link *link)
{
	uint32_t final = run_segment_at(link, 0)->base + runs->lead;
	struct run_sink *sink = link->sink;

	run_timer_clear(&sink->final);
	if (link->to->receiver.state == MYR_RECEIVER_WAITS || sink->drained.end != final ||
	    run_ahead(link->sent.end, final) <= 0)
		return;
	run_set(runs, &sink->final,
		run_later(run_start(&link->sent, final) + link->delay_ticks, earliest_taken(link)),
		key(link), RUN_FINAL, link);
}

// Number behind the character with which the next thing happens: the packet is complete, or its worm
// has ended.
static uint32_t next_end(const struct run_net *runs, const struct run_link *link)
{
	bool gap_after = runs->net.params->format.gap_after;

	return worm_end(link) - (gap_after && !link->sink->complete ? 1 : 0);
}

static void expect_tail(struct run_net *runs, struct run_link *link)
{
	struct run_sink *sink = link->sink;
	uint32_t end = next_end(runs, link);

	if (run_ahead(sink->drained.end, end) >= 0)
		run_set(runs, &sink->tail, run_start(&sink->drained, end - 1), key(link), RUN_TAIL,
			link);
	else if (!run_has_room(&sink->drained))
		run_set(runs, &sink->tail, run_last(&sink->drained), key(link), RUN_TAIL, link);
	else
		run_timer_clear(&sink->tail);
}

// Plans what leaves the buffer as far as it is known.
static void extend(struct run_net *runs, struct run_link *link)
{
	struct run_sink *sink = link->sink;

	if (link->segments.count == 0)
		return;
	if (sink->admitted) {
		drain(runs, link, worm_end(link));
		expect_tail(runs, link);
	} else {
		drain(runs, link, run_segment_at(link, 0)->base + runs->lead);
		expect_final(runs, link);
	}
}

static void note_heads(struct run_net *runs, const struct run_link *link, uint32_t index)
{
	for (uint32_t i = link->segments.count; i-- > 0;) {
		const struct run_segment *segment = run_segment_at(link, i);

		if (run_ahead(index, segment->base) > 0)
			return;
		myr_worm(&runs->net, segment->worm)->head_ticks =
			run_ahead(link->sent.end, segment->base) > 0 ?
				run_start(&link->sent, segment->base) + link->delay_ticks :
				-1;
	}
}

void run_sink_changed(struct run_net *runs, struct run_link *link, uint32_t index)
{
	struct run_list *drained = &link->sink->drained;
	int64_t most = 0;
	uint32_t late = run_plan_first_late(drained, index, drained->end, &link->sent, 0,
					    link->delay_ticks, &most);

	if (run_ahead(drained->end, late) > 0)
		run_cut(drained, late);
	note_heads(runs, link, index);
	extend(runs, link);
}

// Whether the worm's route ends here, and here it ought to.
static bool reaches(struct run_net *runs, const struct run_link *link)
{
	const struct run_segment *segment = run_segment_at(link, 0);
	const struct net_worm *worm = myr_worm(&runs->net, segment->worm);

	if (segment->left == 0 && worm->destination == link->to->number)
		return true;
	myr_fail(&runs->net, "a worm for host %u reached host %u: a route is wrong",
		 worm->destination, link->to->number);
	return false;
}

void run_sink_final(struct run_net *runs, struct run_link *link)
{
	struct myr_receiver *receiver = &link->to->receiver;
	struct run_sink *sink = link->sink;

	run_mark(runs, link);
	if (receiver->state != MYR_RECEIVER_FLOWS) {
		receiver->worm = run_segment_at(link, 0)->worm;
		receiver->state = MYR_RECEIVER_HEAD;
		if (!reaches(runs, link) || !myr_receiver_admit(&runs->net, link->to))
			return;
	}
	sink->admitted = true;
	sink->floor_ticks = runs->net.events.now_ticks;
	sink->late_ticks = sink->floor_ticks -
			   (run_start(&link->sent, sink->drained.end) + link->delay_ticks);
	extend(runs, link);
}

static void end_worm(struct run_net *runs, struct run_link *link)
{
	struct run_sink *sink = link->sink;

	run_segment_drop(link);
	sink->admitted = false;
	sink->complete = false;
	myr_receiver_finish(&runs->net, link->to);
}

void run_sink_tail(struct run_net *runs, struct run_link *link)
{
	struct run_list *drained = &link->sink->drained;
	uint32_t end = next_end(runs, link);
	bool due = run_ahead(drained->end, end) >= 0 &&
		   run_start(drained, end - 1) == runs->net.events.now_ticks;

	forget(runs, link);
	if (due && end == worm_end(link)) {
		end_worm(runs, link);
	} else if (due) {
		link->sink->complete = true;
		myr_receiver_complete(&runs->net, link->to);
	}
	if (due) // before what the packet's end causes in this tick
		run_control_fallen(runs, link, end);
	run_mark(runs, link);
	extend(runs, link);
}

void run_sink_resume(struct run_net *runs, struct run_link *link)
{
	link->sink->floor_ticks = run_later(runs->net.events.now_ticks, link->sink->floor_ticks);
	run_set(runs, &link->sink->final, earliest_taken(link), key(link), RUN_FINAL, link);
}

void run_sink_go_on(struct run_net *runs, struct run_link *link)
{
	run_mark(runs, link); // more may leave than there was room to note
	extend(runs, link);
}
