// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/local/local.h"

// Adds to the meters of both ends count characters from first_ticks on.
static void count_in_and_out(struct local *local, const struct local_link *sender, uint32_t count,
			     int64_t first_ticks)
{
	struct local_meter *meter = &local->meters[local_index(local, sender)];
	const uint64_t sum = (uint64_t)count * (uint64_t)first_ticks +
			     (uint64_t)sender->sender.period_ticks *
				     ((uint64_t)count * (count - 1) / 2);

	if (sender->sender.publishes) {
		meter->came += count;
		meter->came_ticks += sum + (uint64_t)count * sender->sender.delay_ticks;
	}
	if (sender->sender.input < local->link_count && !sender->sender.held) {
		struct local_meter *feeds = &local->meters[sender->sender.input];

		feeds->left += count;
		feeds->left_ticks += sum;
	}
}

// The characters that start up to the tick, without the first.
static uint32_t started(const struct local_sender *sender, int64_t ticks)
{
	const uint64_t past = (uint64_t)(ticks - sender->next_ticks);
	const uint32_t rest = sender->end_number - 1 - sender->number;

	if (past < sender->period_ticks)
		return 0;
	if (past >= (uint64_t)rest * sender->period_ticks)
		return rest;
	return past >> 32 == 0 ? (uint32_t)past / sender->period_ticks
			       : (uint32_t)(past / sender->period_ticks);
}

// The worm's last character has started on the output's link, perhaps over a dead cable.
static void sender_pass(struct myr_run *run, struct local_link *output, struct local_link *buffer)
{
	if (output->sender.sink) {
		local_sink_pass(run, buffer, output);
		return;
	}
	local_leave(buffer, output);
	local_finish(run, output);
}

// What is known of a sender beside its regime: count characters have started, from first_ticks to
// last_ticks.
static __attribute__((noinline)) void sender_note(struct myr_run *run, struct local_link *link,
						  uint32_t count, int64_t first_ticks,
						  int64_t last_ticks)
{
	struct local *local = local_of(run);
	struct net_worm *worm;

	if (local->metered)
		count_in_and_out(local, link, count, first_ticks);
	if (local->silent)
		link->ports.quiet_ticks = last_ticks;
	if (!link->sender.host)
		return;
	worm = myr_run_worm(run, link->sender.worm);
	link->sender.ready_ticks = last_ticks + local_made_ticks(run, link);
	if (worm->injected_ticks < 0)
		worm->injected_ticks = first_ticks;
}

void local_settle(struct myr_run *run, struct local_link *link, int64_t ticks)
{
	struct local *local = local_of(run);
	struct local_sender *sender = &link->sender;
	struct local_link *feeds = local_is_fed(local, link) ? &local->links[sender->input] : NULL;
	const int64_t first_ticks = sender->next_ticks;
	const uint32_t count = started(sender, ticks) + 1;
	const int64_t next_ticks = first_ticks + (int64_t)((uint64_t)count * sender->period_ticks);
	const int64_t last_ticks = next_ticks - sender->period_ticks;
	const bool ends = sender->number + count == sender->end_number;

	if (feeds && local_may_peak(local, feeds, sender->number + sender->shift)) {
		int64_t seen_ticks = run->moving ? myr_earlier(ticks, run->net.now_ticks - 1)
						 : ticks;

		if (ends) // characters after the worm's last one are handled later
			seen_ticks = myr_earlier(seen_ticks, last_ticks);
		local_peak_now(run, feeds, seen_ticks);
	}
	sender->free_ticks = last_ticks + sender->character_ticks;
	sender->number += count;
	sender->next_ticks = next_ticks;
	if (sender->host || local->noted)
		sender_note(run, link, count, first_ticks, last_ticks);
	if (ends && feeds && !sender->converts)
		sender_pass(run, link, feeds);
}

// Arrivals from this tick on have changed: the next event changes unless it is before them.
static void touch_from(struct myr_run *run, struct local_link *buffer, int64_t ticks)
{
	struct local *local = local_of(run);

	if (sim_calendar_due(&run->clock.calendar, local_index(local, buffer)) >= ticks)
		local_touch(local, buffer);
}

void local_withdraw(struct myr_run *run, struct local_link *link, uint32_t number, int64_t ticks)
{
	struct local_buffer *buffer = &link->buffer;

	if (buffer->known_number == number)
		return;
	buffer->known_number = number;
	if (buffer->run_count > 0 && buffer->runs[buffer->run_count - 1].number == number) {
		buffer->run_count--;
		if (buffer->first_run >= buffer->run_count)
			buffer->first_run = buffer->run_count > 0
						    ? (uint16_t)(buffer->run_count - 1)
						    : 0;
	}
	touch_from(run, link, ticks);
}

void local_shut(struct myr_run *run, struct local_link *sender)
{
	if (!sender->sender.on)
		return;
	sender->sender.on = false;
	if (sender->sender.crosses)
		local_cross_shut(run, sender);
	else if (sender->sender.publishes)
		local_withdraw(run, sender, sender->sender.number,
			       sender->sender.next_ticks + sender->sender.delay_ticks);
}

// Makes room for one more run: drops those that have left, or moves all to the reserve.
static void sender_make_room(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	const uint32_t index = local_index(local, buffer);
	uint32_t drop = buffer->buffer.first_run > 0
				? buffer->buffer.first_run
				: local_first_run(buffer, local_leaves(local, buffer));

	if (drop == 0 && buffer->buffer.state == LOCAL_JOINED) {
		local_advance(run, &local->links[buffer->buffer.output], run->net.now_ticks - 1);
		if (buffer->buffer.run_count == 0)
			return;
		drop = local_first_run(buffer, local_leaves(local, buffer));
	}
	if (drop > 0) {
		buffer->buffer.run_count = (uint16_t)(buffer->buffer.run_count - drop);
		buffer->buffer.first_run = 0;
		for (uint32_t i = 0; i < buffer->buffer.run_count; i++)
			buffer->buffer.runs[i] = buffer->buffer.runs[i + drop];
		return;
	}
	if (buffer->buffer.run_places == LOCAL_FEW) {
		struct local_run *far = local->store.far_runs +
					(size_t)index * local->store.far_places;

		for (uint32_t i = 0; i < buffer->buffer.run_count; i++)
			far[i] = buffer->buffer.runs[i];
		buffer->buffer.runs = far;
		buffer->buffer.run_places = (uint16_t)local->store.far_places;
	}
}

void local_insert(struct myr_run *run, struct local_link *buffer, struct local_run behind)
{
	uint32_t place;

	if (buffer->buffer.run_count == buffer->buffer.run_places)
		sender_make_room(run, buffer);
	for (place = buffer->buffer.run_count++;
	     place > 0 && local_before(behind.number, buffer->buffer.runs[place - 1].number);
	     place--)
		buffer->buffer.runs[place] = buffer->buffer.runs[place - 1];
	buffer->buffer.runs[place] = behind;
}

// The claim extends the last run or is a new one.
void local_publish(struct myr_run *run, struct local_link *link, struct local_run claim,
		   uint32_t end_number)
{
	struct local_buffer *buffer = &link->buffer;

	if (buffer->run_count == buffer->run_places)
		sender_make_room(run, link);
	buffer->known_number = end_number;
	touch_from(run, link, claim.first_ticks);
	if (buffer->run_count > 0) {
		struct local_run *last = &buffer->runs[buffer->run_count - 1];

		if (claim.number - last->number == 1 &&
		    last->first_ticks + claim.period_ticks == claim.first_ticks)
			last->period_ticks = claim.period_ticks;
		if (last->period_ticks == claim.period_ticks &&
		    local_in_run(last, claim.number) == claim.first_ticks)
			return;
	}
	buffer->runs[buffer->run_count++] = claim;
}

static void sender_claim(struct myr_run *run, struct local_link *sender, uint32_t end_number)
{
	const struct local_run claim = {sender->sender.next_ticks + sender->sender.delay_ticks,
					sender->sender.number, sender->sender.period_ticks};

	if (sender->sender.crosses)
		local_cross_claim(run, sender, end_number);
	else
		local_publish(run, sender, claim, end_number);
}

// The regime of an output that is fed by a buffer, from its next character on; false if this one is
// not known, or is only claimed: that is left to the event.
static bool sender_starts(struct myr_run *run, const struct local_link *sender,
			  struct local_start *start)
{
	struct local *local = local_of(run);
	const int64_t now = run->net.now_ticks;
	const uint32_t character_ticks = sender->sender.character_ticks;
	const uint32_t number = sender->sender.number + sender->sender.shift;
	struct local_link *buffer = &local->links[sender->sender.input];
	const struct local_run *arrivals;
	uint32_t place;
	int64_t arrives, comes;

	if (!local_before(number, buffer->buffer.known_number))
		return false;
	place = local_first_run(buffer, number);
	arrivals = &buffer->buffer.runs[place];
	arrives = local_in_run(arrivals, number);
	comes = arrives + (sender->sender.sink ? 0 : local->path_ticks);
	start->ticks = ticks_later(ticks_later(comes, sender->sender.free_ticks),
				   ticks_later(sender->sender.ready_ticks, now));
	if (start->ticks > now && arrives - buffer->sender.delay_ticks > now)
		return false;
	start->period_ticks = character_ticks;
	if (arrivals->period_ticks > character_ticks && start->ticks == comes &&
	    local_run_end(buffer, place) - number > 1)
		start->period_ticks = arrivals->period_ticks;
	start->end_number = sender->sender.end_number - sender->sender.converts;
	return true;
}

void local_resume(struct myr_run *run, struct local_link *sender)
{
	struct local_start start;

	if (sender->sender.host)
		start = local_source_start(run, sender);
	else if (sender->sender.held)
		start = (struct local_start){ticks_later(ticks_later(sender->sender.ready_ticks,
								     sender->sender.free_ticks),
							 run->net.now_ticks),
					     sender->sender.character_ticks,
					     sender->sender.end_number};
	else if (!sender_starts(run, sender, &start))
		return;
	sender->sender.on = true;
	sender->sender.next_ticks = start.ticks;
	sender->sender.period_ticks = start.period_ticks;
	if (sender->sender.publishes && start.end_number != sender->sender.number)
		sender_claim(run, sender, start.end_number);
}

void local_make_worms(struct local *local, struct local_link *link)
{
	struct local_buffer *buffer = &link->buffer;
	const struct local_worm *from = buffer->worms + buffer->first_worm;

	if (buffer->first_worm == 0 && buffer->worm_places == LOCAL_FEW) {
		buffer->worms = local->store.far_worms +
				(size_t)local_index(local, link) * local->store.far_places;
		buffer->worm_places = (uint16_t)local->store.far_places;
	}
	for (uint32_t i = 0; i < buffer->worm_count; i++)
		buffer->worms[i] = from[i];
	buffer->first_worm = 0;
}

void local_again(struct myr_run *run, struct local_link *sender)
{
	struct local *local = local_of(run);

	if (sender->sender.input == LOCAL_NONE)
		return;
	if (!sender->sender.on && !sender->sender.stopped)
		local_resume(run, sender);
	if (sender->sender.held)
		sim_calendar_set(&run->clock.calendar,
				 local_held_component(run, local_index(local, sender)),
				 sender->sender.on ? sender->sender.next_ticks : SIM_NEVER);
	else if (sender->sender.input == LOCAL_HOST)
		local_plan_source(run, sender);
	else
		local_move(local, &local->links[sender->sender.input]);
}
