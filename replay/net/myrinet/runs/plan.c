// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/plan.h"

#include "net/myrinet/runs/buffer.h"

// What a GO may wait for on its link, and itself, at most.
#define CONTROL_CHARACTERS 3

static int64_t earliest(const struct run_link *link)
{
	return run_later(run_last(&link->sent) + link->character_ticks, link->floor_ticks);
}

void run_plan_begin(struct run_net *runs, struct run_link *link, struct run_segment worm,
		    int64_t ready_ticks)
{
	struct run_sender *sender = &link->sender;

	worm.base = link->sent.end;
	sender->worm = worm.worm;
	sender->base = worm.base;
	sender->length = worm.length;
	link->counted += link->sent.end - link->counted_to;
	link->counted_to = link->sent.end;
	sender->begun_ticks = link->from != NULL ? runs->net.events.now_ticks : ready_ticks;
	sender->ready_ticks = ready_ticks;
	sender->attempt.set = false;
	sender->held_ticks = -1;
	sender->late_ticks = 0;
	sender->coming_ticks = 0;
	run_plan_trust(link);
	run_segment_add(link, worm);
}

// Characters up to the one that begins another part of the worm: GAP, route, the rest.
static uint32_t part_end(const struct run_net *runs, const struct run_sender *sender, uint32_t done)
{
	uint32_t route_end = runs->lead + myr_worm(&runs->net, sender->worm)->route_count;

	if (done < runs->lead)
		return runs->lead;
	return done < route_end ? route_end : sender->length;
}

static int64_t make_ticks(const struct run_net *runs, const struct run_sender *sender,
			  uint32_t done)
{
	bool route = done >= runs->lead && part_end(runs, sender, done) != sender->length;

	return route ? runs->net.times.route_flit_ticks : runs->net.times.flit_ticks;
}

int64_t run_plan_made_ticks(const struct run_net *runs, const struct run_link *link,
			    uint32_t index)
{
	const struct run_sender *sender = &link->sender;

	if (index == sender->base)
		return sender->ready_ticks;
	return run_start_before(&link->sent, index) +
	       make_ticks(runs, sender, index - sender->base);
}

static void extend_host(struct run_net *runs, struct run_link *link)
{
	const struct run_sender *sender = &link->sender;
	uint32_t done = link->sent.end - sender->base;

	while (done < sender->length && run_has_room(&link->sent)) {
		int64_t step = make_ticks(runs, sender, done);
		int64_t ready = run_plan_made_ticks(runs, link, link->sent.end);
		uint32_t count = part_end(runs, sender, done) - done;

		run_append(&link->sent, run_later(ready, earliest(link)),
			   run_later(step, link->character_ticks), count);
		done += count;
	}
}

struct run_supply run_plan_supply(const struct run_list *supply, uint32_t index, uint32_t end,
				  int64_t delay_ticks)
{
	uint32_t item = run_find(supply, index);
	const struct run *run = &supply->items[item];
	uint32_t item_end = run_item_end(supply, item);

	if (run_ahead(item_end, end) > 0)
		item_end = end;
	return (struct run_supply){
		.ready_ticks = run->first_ticks + delay_ticks +
			       (int64_t)(index - run->index) * run->spacing_ticks,
		.spacing_ticks = run->spacing_ticks,
		.count = item_end - index,
	};
}

void run_plan_note_late(const struct run_net *runs, struct run_sender *sender, int64_t ticks,
			int64_t last_ticks)
{
	int64_t stays = run_later(ticks, 0) + runs->net.times.path_ticks;

	sender->late_ticks = run_later(sender->late_ticks, stays);
	if (last_ticks - runs->net.times.path_ticks >= runs->net.events.now_ticks)
		sender->coming_ticks = run_later(sender->coming_ticks, stays);
}

static int64_t last_ready(const struct run_supply *supply)
{
	return supply->ready_ticks + (supply->count - INT64_C(1)) * supply->spacing_ticks;
}

// Whether what is not known of the worm is taken for coming in time: it comes no slower than it
// leaves, and there is something left that is known.
static bool may_assume(const struct run_net *runs, const struct run_link *link)
{
	return link->sender.input->character_ticks <= link->character_ticks &&
	       run_last(&link->sent) > runs->net.events.now_ticks;
}

// Whether the output's input is stopped behind all that is known and will be told to go before the
// output has taken what its buffer holds: when the GO line is crossed, as many characters are left.
static bool go_comes_before(const struct run_net *runs, const struct run_link *link)
{
	const struct run_link *input = link->sender.input;
	const struct run_link *reverse = input->reverse;

	return input->stopped && input->slack.stop_due &&
	       link->sender.dry.index + link->sender.offset == input->sent.end &&
	       runs->net.times.go_line * link->character_ticks >
		       CONTROL_CHARACTERS * reverse->character_ticks + reverse->delay_ticks;
}

void run_plan_doubt(struct run_net *runs, struct run_link *link, uint32_t index, int64_t ticks)
{
	struct run_dry *dry = &link->sender.dry;

	dry->doubted = true;
	dry->index = index;
	dry->ticks = ticks;
	if (go_comes_before(runs, link)) {
		run_timer_clear(&dry->timer);
		return;
	}
	run_set(runs, &dry->timer, ticks, SIM_KEY(MYR_SAMPLE, link->number), RUN_DRY, link);
}

// The characters before the last one of which nothing is known.
static void assume_body(struct run_net *runs, struct run_link *link, int64_t next)
{
	uint32_t tail = link->sender.base + link->sender.length - 1;
	int32_t count = run_ahead(tail, link->sent.end);

	if (count <= 0 || !run_has_room(&link->sent) || !may_assume(runs, link))
		return;
	run_plan_doubt(runs, link, link->sent.end, next);
	run_append(&link->sent, next, link->character_ticks, (uint32_t)count);
}

// The characters between the first and the last one, as they come out of the input's buffer.
static void extend_body(struct run_net *runs, struct run_link *link)
{
	struct run_sender *sender = &link->sender;
	const struct run_list *in = &sender->input->sent;
	uint32_t end = sender->base + sender->length - 1 + sender->offset;
	int64_t delay = sender->input->delay_ticks + runs->net.times.path_ticks;
	int64_t next = run_later(earliest(link), sender->ready_ticks);

	if (run_ahead(end, in->end) > 0)
		end = in->end;
	while (run_ahead(end, link->sent.end + sender->offset) > 0 && run_has_room(&link->sent)) {
		const struct run_supply supply = run_plan_supply(
			in, link->sent.end + sender->offset, end, delay);

		run_plan_note_late(runs, sender, next - supply.ready_ticks, last_ready(&supply));
		next = run_follow(&link->sent, &supply, next, link->character_ticks);
	}
	if (run_ahead(in->end, link->sent.end + sender->offset) <= 0)
		assume_body(runs, link, next);
}

// The last character leaves the input, is held, and starts.
static void extend_tail(struct run_net *runs, struct run_link *link)
{
	struct run_sender *sender = &link->sender;
	const struct run_link *input = sender->input;
	uint32_t tail = link->sent.end + sender->offset;
	int64_t next = earliest(link);

	if (sender->held_ticks < 0) {
		int64_t ready;

		if (run_ahead(input->sent.end, tail) > 0) {
			ready = run_start(&input->sent, tail) + input->delay_ticks +
				runs->net.times.path_ticks;
			run_plan_note_late(runs, sender, next - ready, ready);
		} else {
			if (!may_assume(runs, link))
				return;
			ready = next;
			if (!sender->dry.doubted)
				run_plan_doubt(runs, link, link->sent.end, next);
		}
		sender->held_ticks = run_later(ready, next);
	}
	run_append(&link->sent,
		   run_later(sender->held_ticks + link->conversion_ticks, next),
		   link->character_ticks, 1);
}

// The worm where all that is left of it comes in one run that is no faster than the link: it leaves
// as it comes, or back to back, so late. False where it does not.
static bool extend_whole(const struct run_net *runs, struct run_link *link)
{
	struct run_sender *sender = &link->sender;
	const struct run_list *in = &sender->input->sent;
	uint32_t first = link->sent.end + sender->offset;
	uint32_t count = sender->base + sender->length - link->sent.end;
	const struct run *run;
	int64_t ready;
	int64_t start;
	uint32_t item;

	if (run_ahead(in->end, first + count) < 0)
		return false;
	item = run_find(in, first);
	run = &in->items[item];
	if (run->spacing_ticks != link->character_ticks ||
	    run_ahead(run_item_end(in, item), first + count) < 0)
		return false;
	ready = run_start_in(run, first) + sender->input->delay_ticks + runs->net.times.path_ticks;
	start = run_later(ready, run_later(earliest(link), sender->ready_ticks));
	run_plan_note_late(runs, sender, start - ready,
			   ready + (count - INT64_C(1)) * link->character_ticks);
	sender->held_ticks = start + (count - INT64_C(1)) * link->character_ticks;
	if (count > 1)
		run_append(&link->sent, start, link->character_ticks, count - 1);
	run_append(&link->sent, sender->held_ticks + link->conversion_ticks, link->character_ticks,
		   1);
	return true;
}

static void extend_output(struct run_net *runs, struct run_link *link)
{
	const struct run_sender *sender = &link->sender;
	uint32_t done = link->sent.end - sender->base;

	if (done < runs->lead && run_has_room(&link->sent))
		run_append(&link->sent, run_later(sender->ready_ticks, earliest(link)),
			   link->character_ticks, 1);
	done = link->sent.end - sender->base;
	if (done >= runs->lead && done < sender->length && sender->held_ticks < 0 &&
	    link->sent.count + 2 < link->sent.capacity && extend_whole(runs, link))
		return;
	if (done >= runs->lead)
		extend_body(runs, link);
	if (link->sent.end - sender->base == sender->length - 1 && run_has_room(&link->sent))
		extend_tail(runs, link);
}

void run_plan_cut(struct run_link *link, uint32_t index)
{
	if (run_ahead(link->sent.end, index) > 0)
		run_cut(&link->sent, index);
}

static uint32_t keep_before_stop(struct run_link *link)
{
	struct run_sender *sender = &link->sender;
	uint32_t index = run_from(&link->sent, link->stop_ticks);

	run_plan_cut(link, index);
	if (sender->held_ticks >= link->stop_ticks)
		sender->held_ticks = -1;
	if (sender->dry.doubted && sender->dry.ticks >= link->stop_ticks)
		run_plan_trust(link);
	return index;
}

void run_plan_extend(struct run_net *runs, struct run_link *link)
{
	if (run_is_stopped(link, runs->net.events.now_ticks) || link->sender.worm == NET_NO_WORM ||
	    link->sent.end - link->sender.base == link->sender.length)
		return;
	if (!run_has_room(&link->sent))
		run_buffer_forget(runs, link);
	if (link->from != NULL)
		extend_host(runs, link);
	else
		extend_output(runs, link);
	if (link->stopped)
		keep_before_stop(link);
}

uint32_t run_plan_stop(struct run_link *link, int64_t ticks)
{
	link->stopped = true;
	link->stop_ticks = ticks;
	return keep_before_stop(link);
}

uint32_t run_plan_again(struct run_net *runs, struct run_link *link, int64_t ticks,
			int64_t held_from_ticks)
{
	uint32_t index = run_from(&link->sent, ticks);

	run_plan_cut(link, index);
	if (link->sender.held_ticks >= held_from_ticks)
		link->sender.held_ticks = -1;
	link->sender.coming_ticks = 0;
	run_plan_trust(link);
	run_plan_extend(runs, link);
	return index;
}

uint32_t run_plan_first_late(const struct run_list *list, uint32_t index, uint32_t end,
			     const struct run_list *supply, uint32_t offset, int64_t delay_ticks,
			     int64_t *most_ticks)
{
	if (run_ahead(end, list->end) > 0)
		end = list->end;
	while (run_ahead(end, index) > 0) {
		struct run_supply ready;
		struct run_supply leaves;
		int64_t spare;
		int64_t loss;
		uint32_t count;

		if (run_ahead(supply->end, index + offset) <= 0)
			return index;
		ready = run_plan_supply(supply, index + offset, supply->end, delay_ticks);
		leaves = run_plan_supply(list, index, end, 0);
		spare = leaves.ready_ticks - ready.ready_ticks;
		loss = ready.spacing_ticks - leaves.spacing_ticks;
		count = leaves.count < ready.count ? leaves.count : ready.count;
		if (spare < 0)
			return index;
		*most_ticks = run_later(*most_ticks, spare);
		if (spare < loss * (count - INT64_C(1)))
			return index + (uint32_t)(spare / loss) + 1;
		*most_ticks = run_later(*most_ticks, spare - loss * (count - INT64_C(1)));
		index += count;
	}
	return index;
}
