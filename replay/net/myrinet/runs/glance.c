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

// None of the worm's characters stays longer than it takes fewer than level of them to come, less
// those behind it.
static bool stays_short(const struct run_link *link, uint32_t level)
{
	return link->input.output->sender.late_ticks <
	       (level_for_worm(link, level) - 1) * link->character_ticks;
}

// Whether no more than a worm's head comes before it has left and the buffer is looked at again.
static bool waits_for_head(const struct run_link *link)
{
	return link->input.head.due.ticks != RUN_NEVER &&
	       SIM_KEY_PHASE(link->input.head.due.key) == MYR_ARRIVE;
}

// None of those that come stays longer than it takes fewer than level of those before it to leave,
// and nothing comes behind them before all have left.
static bool comes_short(const struct run_net *runs, const struct run_link *link, uint32_t level)
{
	const struct run_link *out = link->input.output;

	return out->sender.coming_ticks < (level - INT64_C(1)) * out->character_ticks &&
	       (level_for_worm(link, level) == level ||
		(runs->lead == 0 && waits_for_head(link)));
}

bool run_glance_below(const struct run_link *link, uint32_t level)
{
	if (run_most_held(link) < (int64_t)level)
		return true;
	return link->sink == NULL && link->input.state == RUN_INPUT_FLOWS && flows_freely(link) &&
	       stays_short(link, level);
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

// Characters of a link that leave its buffer: those of a list, which have their numbers less offset
// there, from first to end.
struct leaving {
	const struct run_list *list;
	uint32_t offset;
	uint32_t first;
	uint32_t end;
};

// Whether each of them, m, has left when character m + ahead of the link comes, if that comes from
// now on. While one run leaves and one comes that is no faster, this is so from where it holds on.
static bool leave_in_time(const struct run_link *link, const struct leaving *leaving, uint32_t ahead,
			  int64_t now)
{
	const struct run_list *in = &link->sent;
	uint32_t end = leaving->end;
	const struct run *leaves;
	const struct run *comes;

	ahead += leaving->offset;
	if (run_ahead(end + ahead, in->end) > 0)
		end = in->end - ahead;
	if (in->count == 0 || leaving->list->count == 0 || run_ahead(end, leaving->first) <= 0 ||
	    run_ahead(leaving->list->items[0].index, end - 1) > 0 ||
	    run_ahead(in->items[0].index, end - 1 + ahead) > 0)
		return true;
	leaves = &leaving->list->items[run_find(leaving->list, end - 1)];
	comes = &in->items[run_find(in, end - 1 + ahead)];
	for (;;) {
		uint32_t from = run_ahead(leaves->index + ahead, comes->index) > 0 ?
					leaves->index : comes->index - ahead;
		int64_t arrives;

		if (run_start_in(comes, end - 1 + ahead) + link->delay_ticks <= now)
			return true;
		if (run_ahead(leaving->first, from) > 0)
			from = leaving->first;
		arrives = run_start_in(comes, from + ahead) + link->delay_ticks;
		if (arrives <= run_start_in(leaves, from) ||
		    (leaves->spacing_ticks > comes->spacing_ticks && end - from > 1))
			return false;
		if (arrives <= now || from == leaving->first)
			return true;
		end = from;
		if (comes->index == from + ahead && comes-- == in->items)
			return true;
		if (leaves->index == from && leaves-- == leaving->list->items)
			return true;
	}
}

// Nothing of this number or behind it is known to leave: the character that makes it too many is
// known by its number.
static enum run_glance rise_behind(const struct run_net *runs, const struct run_link *link,
				   uint32_t stays, uint32_t level, struct run_crossing *out)
{
	out->index = stays + level - 1;
	if (run_ahead(link->sent.end, out->index) <= 0)
		return RUN_GLANCE_NEVER;
	if (run_ahead(link->sent.items[0].index, out->index) > 0)
		return RUN_GLANCE_LOOK;
	out->ticks = run_start(&link->sent, out->index) + link->delay_ticks;
	return out->ticks > runs->net.events.now_ticks ? RUN_GLANCE_AT : RUN_GLANCE_LOOK;
}

static enum run_glance rise_flowing(const struct run_net *runs, const struct run_link *link,
				    uint32_t level, struct run_crossing *out)
{
	const struct run_link *output = link->input.output;
	const struct run_sender *sender = &output->sender;
	uint32_t tail = sender->base + sender->length - 1;
	struct leaving leaving = {
		.list = &output->sent, .offset = sender->offset, .first = sender->base + runs->lead,
		.end = run_ahead(output->sent.end, tail) > 0 ? tail : output->sent.end};
	int64_t now = runs->net.events.now_ticks;
	enum run_glance glance;

	if (run_ahead(leaving.first, leaving.end) > 0)
		leaving.end = leaving.first;
	if (!leave_in_time(link, &leaving, level - 1, now))
		return RUN_GLANCE_LOOK;
	if (sender->held_ticks < 0)
		return rise_behind(runs, link, leaving.end + leaving.offset, level, out);
	tail += sender->offset + level - 1;
	if (sender->held_ticks >= now && run_ahead(link->sent.end, tail) > 0 &&
	    run_start(&link->sent, tail) + link->delay_ticks <= sender->held_ticks)
		return RUN_GLANCE_LOOK;
	if (link->segments.count == 1)
		return RUN_GLANCE_NEVER;
	glance = rise_behind(runs, link, run_behind_route(runs, run_segment_at(link, 1)), level, out);
	if (glance == RUN_GLANCE_AT && link->input.head.due.ticks < out->ticks)
		return RUN_GLANCE_NEVER; // before the buffer is looked at again
	return glance;
}

// Before the next worm has memory, the buffer is looked at again when it asks for it.
static enum run_glance rise_at_sink(const struct run_net *runs, const struct run_link *link,
				    uint32_t level, struct run_crossing *out)
{
	const struct run_sink *sink = link->sink;
	const struct run_list *drained = &sink->drained;
	const struct leaving leaving = {
		.list = drained, .end = drained->end,
		.first = drained->count > 0 ? drained->items[0].index : drained->end};
	enum run_glance glance;

	if (sink->admitted && link->segments.count == 1 && drained->end == link->sent.end &&
	    sink->late_ticks < (level - INT64_C(1)) * link->character_ticks)
		return RUN_GLANCE_NEVER;
	if (!leave_in_time(link, &leaving, level - 1, runs->net.events.now_ticks))
		return RUN_GLANCE_LOOK;
	glance = rise_behind(runs, link, drained->end, level, out);
	if (glance == RUN_GLANCE_AT && !sink->admitted && sink->final.due.ticks < out->ticks)
		return RUN_GLANCE_NEVER;
	return glance;
}

enum run_glance run_glance_rise(const struct run_net *runs, const struct run_link *link,
				uint32_t level, struct run_crossing *out)
{
	if (run_most_held(link) < (int64_t)level ||
	    run_last(&link->sent) + link->delay_ticks <= runs->net.events.now_ticks)
		return RUN_GLANCE_NEVER;
	if (link->sink != NULL)
		return rise_at_sink(runs, link, level, out);
	if (level <= runs->lead + 1)
		return RUN_GLANCE_LOOK;
	switch (link->input.state) {
	case RUN_INPUT_IDLE:
		return waits_for_head(link) ? RUN_GLANCE_NEVER : RUN_GLANCE_LOOK;
	case RUN_INPUT_WAITS:
		return rise_behind(runs, link, run_behind_route(runs, run_segment_at(link, 0)),
				   level, out);
	case RUN_INPUT_FLOWS: break;
	}
	if ((stays_short(link, level) || comes_short(runs, link, level)) && flows_freely(link))
		return RUN_GLANCE_NEVER;
	return rise_flowing(runs, link, level, out);
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
