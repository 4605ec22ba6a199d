// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/change.h"

#include "net/myrinet/runs/input.h"
#include "net/myrinet/runs/plan.h"
#include "net/myrinet/runs/sink.h"

// The event of the last character; or of the last one for which the list had room.
static void expect_sent(struct run_net *runs, struct run_link *link)
{
	const struct run_sender *sender = &link->sender;
	bool whole = link->sent.end - sender->base == sender->length;
	bool full = !run_has_room(&link->sent) && !link->stopped;

	if (sender->worm != NET_NO_WORM && (whole || full))
		run_set(runs, &link->sender.sent, run_last(&link->sent),
			SIM_KEY(MYR_SEND, link->number), RUN_SENT, link);
	else
		run_timer_clear(&link->sender.sent);
}

static void note_injected(struct run_net *runs, struct run_link *link, uint32_t index)
{
	const struct run_sender *sender = &link->sender;

	if (sender->worm == NET_NO_WORM || run_ahead(index, sender->base) > 0)
		return;
	myr_worm(&runs->net, sender->worm)->injected_ticks =
		run_ahead(link->sent.end, sender->base) > 0 ? run_start(&link->sent, sender->base)
							    : -1;
}

// Takes back what the output has planned from arrivals, from number index of its input's link on,
// that are later now or not to come. Returns the first of its own numbers that it took back, or its
// end.
static uint32_t take_back(struct run_net *runs, struct run_link *link, struct run_link *out,
			  uint32_t index)
{
	struct run_sender *sender = &out->sender;
	uint32_t tail = sender->base + sender->length - 1;
	uint32_t first = index - sender->offset;
	int64_t delay = link->delay_ticks + runs->net.times.path_ticks;
	uint32_t late;

	if (run_ahead(sender->base + runs->lead, first) > 0)
		first = sender->base + runs->lead;
	late = run_plan_first_late(&out->sent, first, tail, &link->sent, sender->offset, delay);
	if (run_ahead(tail, late) <= 0 && sender->held_ticks >= 0 &&
	    run_ahead(link->sent.end, tail + sender->offset) > 0 &&
	    run_start(&link->sent, tail + sender->offset) + delay <= sender->held_ticks)
		return out->sent.end;
	if (run_ahead(out->sent.end, late) <= 0 && sender->held_ticks < 0)
		return out->sent.end;
	sender->held_ticks = -1;
	run_plan_cut(out, late);
	return late;
}

// What the link brings to a switch has changed.
static void follow(struct run_net *runs, struct run_link *link, uint32_t index)
{
	struct run_link *out = link->input.output;
	int64_t held = out->sender.held_ticks;
	uint32_t end = out->sent.end;
	uint32_t from;

	if (run_ahead(index, out->sender.base + out->sender.length - 1 + out->sender.offset) > 0)
		return;
	from = take_back(runs, link, out, index);
	run_plan_extend(runs, out);
	if (from != end || out->sent.end != end || out->sender.held_ticks != held)
		run_changed(runs, out, from);
}

void run_changed(struct run_net *runs, struct run_link *link, uint32_t index)
{
	expect_sent(runs, link);
	if (link->from != NULL)
		note_injected(runs, link, index);
	if (link->sender.input != NULL) {
		run_mark(runs, link->sender.input);
		run_input_expect(runs, link->sender.input);
	}
	run_mark(runs, link);
	if (link->sink != NULL) {
		run_sink_changed(runs, link, index);
		return;
	}
	if (link->input.state == RUN_INPUT_FLOWS)
		follow(runs, link, index);
	run_input_expect(runs, link);
}
