// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/change.h"

#include "net/myrinet/runs/input.h"
#include "net/myrinet/runs/plan.h"
#include "net/myrinet/runs/sink.h"

// The event of the last character, where something waits for it; or of the last one for which the
// list had room.
void run_changed_sent(struct run_net *runs, struct run_link *link)
{
	const struct run_sender *sender = &link->sender;
	bool awaited = link->from != NULL || link->output.waiting > 0 || !runs->frees_late;
	bool due = (awaited && link->sent.end - sender->base == sender->length) ||
		   (!run_has_room(&link->sent) &&
		    (!link->stopped || run_last(&link->sent) >= runs->net.events.now_ticks));

	if (due && sender->worm != NET_NO_WORM)
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

// A character that an output has planned and that is not there in time.
struct late {
	uint32_t index;
	int64_t ticks; // when it was to leave its input; RUN_NEVER: there is none
};

// The first such one from the output's number index on.
static struct late find_late(const struct run_net *runs, const struct run_link *link,
			     struct run_link *out, uint32_t index)
{
	struct run_sender *sender = &out->sender;
	uint32_t tail = sender->base + sender->length - 1;
	int64_t delay = link->delay_ticks + runs->net.times.path_ticks;
	int64_t most = 0;
	uint32_t late = run_plan_first_late(&out->sent, index, tail, &link->sent, sender->offset,
					    delay, &most);

	run_plan_note_late(runs, sender, most, INT64_MAX);
	if (run_ahead(tail, late) > 0) {
		if (run_ahead(out->sent.end, late) <= 0)
			return (struct late){late, RUN_NEVER};
		return (struct late){late, run_start(&out->sent, late)};
	}
	if (sender->held_ticks < 0)
		return (struct late){tail, RUN_NEVER};
	most = run_ahead(link->sent.end, tail + sender->offset) > 0 ?
		       sender->held_ticks -
			       (run_start(&link->sent, tail + sender->offset) + delay) :
		       -1;
	run_plan_note_late(runs, sender, most, INT64_MAX);
	return (struct late){tail, most >= 0 ? RUN_NEVER : sender->held_ticks};
}

enum run_change run_change_of(const struct run_link *link, uint32_t end, int64_t held_ticks)
{
	bool more = run_ahead(link->sent.end, end) > 0 || (held_ticks < 0 && link->sender.held_ticks >= 0);

	return more ? RUN_OTHER : RUN_LATER;
}

// Plans the output's worm anew from a character on that does not come in time.
static void take_back(struct run_net *runs, struct run_link *out, uint32_t index)
{
	uint32_t end = out->sent.end;
	int64_t held = out->sender.held_ticks;

	run_plan_trust(out);
	out->sender.held_ticks = -1;
	run_plan_cut(out, index);
	run_plan_extend(runs, out);
	run_changed(runs, out, index, run_change_of(out, end, held));
}

void run_changed_dry(struct run_net *runs, struct run_link *link)
{
	take_back(runs, link, link->sender.dry.index);
}

void run_changed_not(struct run_net *runs, struct run_link *link)
{
	struct run_link *out = link->input.output;

	if (link->sink == NULL && link->input.state == RUN_INPUT_FLOWS && out->sender.dry.doubted)
		run_plan_doubt(runs, out, out->sender.dry.index, out->sender.dry.ticks);
}

// What the link brings to a switch has changed. What is late is taken back when it is due: it may
// come in time yet.
static void follow(struct run_net *runs, struct run_link *link, uint32_t index)
{
	struct run_link *out = link->input.output;
	struct run_sender *sender = &out->sender;
	int64_t held = sender->held_ticks;
	uint32_t end = out->sent.end;
	uint32_t first = index - sender->offset;
	struct late late;

	if (run_ahead(first, sender->base + sender->length - 1) > 0)
		return;
	if (run_ahead(sender->base + runs->lead, first) > 0)
		first = sender->base + runs->lead;
	if (sender->dry.doubted && run_ahead(first, sender->dry.index) > 0) {
		if (sender->dry.timer.due.ticks == RUN_NEVER)
			run_plan_doubt(runs, out, sender->dry.index, sender->dry.ticks);
		return;
	}
	run_plan_trust(out);
	late = find_late(runs, link, out, first);
	if (late.ticks == RUN_NEVER) {
		run_plan_extend(runs, out);
		if (out->sent.end != end || sender->held_ticks != held)
			run_changed(runs, out, end, RUN_MORE);
	} else if (late.ticks > runs->net.events.now_ticks) {
		run_plan_doubt(runs, out, late.index, late.ticks);
	} else {
		take_back(runs, out, late.index);
	}
}

// Whether a buffer whose line is not crossed by what is known may be now: a STOP becomes due by more
// that comes or less that leaves, a GO the other way round.
static bool may_cross(const struct run_link *link, enum run_change unlikely_stop,
		      enum run_change unlikely_go, enum run_change change)
{
	return link->slack.cross.due.ticks != RUN_NEVER ||
	       change != (link->slack.stop_due ? unlikely_go : unlikely_stop);
}

void run_changed(struct run_net *runs, struct run_link *link, uint32_t index,
		 enum run_change change)
{
	struct run_link *input = link->sender.input;

	run_changed_sent(runs, link);
	if (link->from != NULL)
		note_injected(runs, link, index);
	if (input != NULL) {
		if (may_cross(input, RUN_MORE, RUN_LATER, change))
			run_mark(runs, input);
		run_input_expect(runs, input);
	}
	if (link->sink != NULL) {
		run_mark(runs, link);
		run_sink_changed(runs, link, index);
		return;
	}
	if (may_cross(link, RUN_LATER, RUN_MORE, change))
		run_mark(runs, link);
	if (link->input.state == RUN_INPUT_FLOWS)
		follow(runs, link, index);
	run_input_expect(runs, link);
}
