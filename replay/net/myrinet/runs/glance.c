// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/glance.h"

// Whether the output takes all that is known of its worm, no slower than it can come.
static bool flows_freely(const struct run_link *link)
{
	const struct run_link *out = link->input.output;
	const struct run_sender *sender = &out->sender;

	return !out->stopped && out->character_ticks <= link->character_ticks &&
	       (sender->held_ticks >= 0 ||
		run_ahead(link->sent.end, out->sent.end + sender->offset) <= 0);
}

// Level less the characters that are known to come behind the worm that flows.
static int64_t level_for_worm(const struct run_link *link, uint32_t level)
{
	const struct run_sender *sender = &link->input.output->sender;
	int32_t behind = run_ahead(link->sent.end, sender->base + sender->length + sender->offset);

	return behind > 0 ? (int64_t)level - behind : level;
}

// None of the worm's characters stays longer than it takes fewer than level of them to come.
static bool stays_short(const struct run_link *link, int64_t level)
{
	return link->input.output->sender.late_ticks < (level - 1) * link->character_ticks;
}

bool run_glance_below(const struct run_link *link, uint32_t level)
{
	if (run_most_held(link) < (int64_t)level)
		return true;
	return link->sink == NULL && link->input.state == RUN_INPUT_FLOWS && flows_freely(link) &&
	       stays_short(link, level_for_worm(link, level));
}

// Occupancy when character index leaves at ticks, before it does.
static int32_t at_leaving(const struct run_link *link, uint32_t index, int64_t ticks)
{
	return run_ahead(run_from(&link->sent, ticks - link->delay_ticks + 1), index);
}

// Whether the buffer is below level whenever one of list's runs of takes (numbered as on the link
// less offset) begins, from number index to end. It is then in between: within a run that is not
// slower than what comes it only gets emptier.
static bool below_at_runs(const struct run_link *link, const struct run_list *list, uint32_t index,
			  uint32_t end, uint32_t offset, int64_t level)
{
	if (run_ahead(end, list->end) > 0)
		end = list->end;
	while (run_ahead(end, index) > 0) {
		uint32_t item = run_find(list, index);

		if (list->items[item].spacing_ticks > link->character_ticks ||
		    at_leaving(link, index + offset, run_start_in(&list->items[item], index)) >=
			    level)
			return false;
		index = run_item_end(list, item);
	}
	return true;
}

// The same for a switch's worm until its last character has left; then the next worm's head does, or
// comes first.
static bool below_at_takes(const struct run_net *runs, const struct run_link *link, uint32_t level,
			   int64_t from_ticks)
{
	const struct run_link *out = link->input.output;
	const struct run_sender *sender = &out->sender;
	uint32_t tail = sender->base + sender->length - 1;
	uint32_t index = run_from(&out->sent, from_ticks);

	if (!flows_freely(link) || level <= runs->lead + 1)
		return false;
	if (run_ahead(sender->base + runs->lead, index) > 0)
		index = sender->base + runs->lead;
	if (sender->held_ticks >= from_ticks &&
	    at_leaving(link, tail + sender->offset, sender->held_ticks) >= (int64_t)level)
		return false;
	return below_at_runs(link, &out->sent, index, tail, sender->offset, level);
}

// The same for a host, of what has left from then on, and of what has come and not left.
static bool stayed_below_at_sink(const struct run_net *runs, const struct run_link *link,
				 uint32_t level)
{
	const struct run_list *drained = &link->sink->drained;
	uint32_t first = run_from(drained, link->slack.settled_ticks);
	uint32_t next = run_from(drained, runs->net.events.now_ticks);

	return at_leaving(link, next, runs->net.events.now_ticks) < (int64_t)level &&
	       below_at_runs(link, drained, first, next, 0, level);
}

bool run_glance_stayed_below(const struct run_net *runs, const struct run_link *link,
			     uint32_t level)
{
	if (run_glance_below(link, level))
		return true;
	if (link->sink != NULL)
		return stayed_below_at_sink(runs, link, level);
	return link->input.state == RUN_INPUT_FLOWS &&
	       below_at_takes(runs, link, level, link->slack.settled_ticks);
}

// At a host: the worm that comes in leaves as it comes; before it has memory, it is looked at again
// when it asks for it.
static bool below_at_sink(const struct run_net *runs, const struct run_link *link, uint32_t level)
{
	const struct run_sink *sink = link->sink;
	uint32_t index = run_from(&sink->drained, runs->net.events.now_ticks);

	if (sink->admitted)
		return run_ahead(link->sent.end, sink->drained.end) <= 0 &&
		       below_at_runs(link, &sink->drained, index, sink->drained.end, 0, level);
	return sink->final.due.ticks != RUN_NEVER &&
	       at_leaving(link, index, sink->final.due.ticks) < (int64_t)level;
}

// Whether no more than a worm's head comes before it has left and the buffer is looked at again.
static bool waits_for_head(const struct run_link *link)
{
	return link->input.head.due.ticks != RUN_NEVER &&
	       SIM_KEY_PHASE(link->input.head.due.key) == MYR_ARRIVE;
}

// Nothing leaves: the character that makes it too many is known by its number.
static enum run_glance rise_waiting(const struct run_net *runs, const struct run_link *link,
				    uint32_t level, struct run_crossing *out)
{
	out->index = run_behind_route(runs, run_segment_at(link, 0)) + level - 1;
	out->ticks = run_start(&link->sent, out->index) + link->delay_ticks;
	return out->ticks > runs->net.events.now_ticks ? RUN_GLANCE_AT : RUN_GLANCE_LOOK;
}

enum run_glance run_glance_rise(const struct run_net *runs, const struct run_link *link,
				uint32_t level, struct run_crossing *out)
{
	if (run_glance_below(link, level))
		return RUN_GLANCE_NEVER;
	if (link->sink != NULL)
		return below_at_sink(runs, link, level) ? RUN_GLANCE_NEVER : RUN_GLANCE_LOOK;
	if (level <= runs->lead + 1)
		return RUN_GLANCE_LOOK;
	switch (link->input.state) {
	case RUN_INPUT_IDLE:
		return waits_for_head(link) ? RUN_GLANCE_NEVER : RUN_GLANCE_LOOK;
	case RUN_INPUT_WAITS: return rise_waiting(runs, link, level, out);
	case RUN_INPUT_FLOWS: break;
	}
	return below_at_takes(runs, link, level, runs->net.events.now_ticks) ? RUN_GLANCE_NEVER
									     : RUN_GLANCE_LOOK;
}

// All has come: the character whose taking leaves level is known by its number.
static enum run_glance fall_flowing(const struct run_net *runs, const struct run_link *link,
				    uint32_t level, struct run_crossing *out)
{
	const struct run_link *output = link->input.output;
	const struct run_sender *sender = &output->sender;
	uint32_t index = link->sent.end - level - 1 - sender->offset;
	int64_t now = runs->net.events.now_ticks;

	if (sender->held_ticks < 0 && run_last(&output->sent) < now)
		return RUN_GLANCE_NEVER;
	if (run_last(&link->sent) + link->delay_ticks > now ||
	    run_ahead(sender->base + runs->lead, index) > 0 ||
	    run_ahead(index, sender->base + sender->length - 1) >= 0)
		return RUN_GLANCE_LOOK;
	if (run_ahead(output->sent.end, index) <= 0)
		return RUN_GLANCE_NEVER;
	out->index = index + sender->offset;
	out->ticks = run_start(&output->sent, index);
	return out->ticks >= now ? RUN_GLANCE_AT : RUN_GLANCE_LOOK;
}

enum run_glance run_glance_fall(const struct run_net *runs, const struct run_link *link,
				uint32_t level, struct run_crossing *out)
{
	if (link->sink != NULL || link->input.state == RUN_INPUT_IDLE)
		return RUN_GLANCE_LOOK;
	if (link->input.state == RUN_INPUT_WAITS)
		return RUN_GLANCE_NEVER;
	return fall_flowing(runs, link, level, out);
}
