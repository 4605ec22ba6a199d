// SPDX-License-Identifier: GPL-3.0-or-later
// Control characters: STOP and GO, which a buffer sends after comparison with its lines at the end
// of a tick, RESET and BEAT. Each gets the first free slot on the link after all started and
// waiting characters, in the next tick at the earliest.
#include "net/myrinet/local/local.h"

#include "net/myrinet/hosts/hosts.h"

int64_t local_commit(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	int64_t ticks;

	local_advance(run, link, run->net.now_ticks);
	ticks = ticks_later(run->net.now_ticks + 1, link->sender.free_ticks);
	if (!local_controls_wait(&local->sides[number], run->net.now_ticks)) {
		local->sides[number].waiting_ticks = ticks;
		if (run->net.setup->fault_count > 0) {
			local->beats[number].bare_ticks = link->sender.free_ticks;
			local->beats[number].bare_last_ticks = local_last(local, number);
		}
	}
	local->sides[number].control_ticks = ticks;
	if (local->metered)
		local_count_stop(run, link, ticks);
	local->sides[number].controls++;
	link->sender.free_ticks = ticks + link->sender.character_ticks;
	if (link->sender.on) {
		if (link->sender.next_ticks >= link->sender.free_ticks)
			return ticks;
		local_shut(run, link);
	}
	local_again(run, link);
	return ticks;
}

void local_lose_controls(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	struct local_side *side = &local->sides[number];
	struct local_beat *beat = &local->beats[number];
	int64_t first_ticks;
	const uint64_t waiting = local_to_go(local, number, run->net.now_ticks, &first_ticks);
	const bool all = first_ticks == side->waiting_ticks;

	side->reset_due = side->beat_due = false;
	local->sides[number ^ 1].coming_count = local->sides[number ^ 1].coming_first = 0;
	sim_calendar_set(&run->clock.calendar, local_control_component(run, number ^ 1), SIM_NEVER);
	if (waiting == 0)
		return;
	side->controls -= waiting;
	side->control_ticks = run->net.now_ticks;
	link->sender.free_ticks = all ? beat->bare_ticks : first_ticks;
	if (all || (side->beaten && beat->beat_ticks > first_ticks)) {
		side->beaten = true;
		beat->beat_ticks = link->sender.free_ticks;
		beat->last_ticks = all ? beat->bare_last_ticks
				       : first_ticks - link->sender.character_ticks;
	}
}

// When the first STOP or GO on its way to a sender reaches it, or the one so many behind it.
static int64_t *control_coming(const struct local *local, uint32_t number, uint32_t behind)
{
	const uint32_t place = (local->sides[number].coming_first + behind) &
			       (local->coming_places - 1);

	return &local->coming_ticks[(size_t)place * local->link_count + number];
}

void local_control_put(struct myr_run *run, uint32_t number, bool stop, int64_t ticks)
{
	struct local_side *side = &local_of(run)->sides[number];

	if (side->coming_count == local_of(run)->coming_places) {
		net_drive_fail(&run->net, "more control characters wait than there is room for");
		return;
	}
	if (side->coming_count == 0) {
		side->coming_stop = stop;
		sim_calendar_set(&run->clock.calendar, local_control_component(run, number), ticks);
	}
	*control_coming(local_of(run), number, side->coming_count++) = ticks;
}

// A STOP or GO from the far end of the link reaches its sender over the reverse link.
static void control_tell(struct myr_run *run, uint32_t number, bool stop)
{
	const struct local_link *links = local_of(run)->links;
	const int64_t ticks = local_commit(run, number ^ 1) + links[number ^ 1].sender.delay_ticks;

	if (links[number].buffer.crosses)
		local_cross_control(run, number, stop, ticks);
	else
		local_control_put(run, number, stop, ticks);
}

void local_control_comes(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_link *sender = &local->links[number];
	struct local_side *side = &local->sides[number];
	const bool stop = side->coming_stop;

	side->coming_stop = !stop;
	side->coming_count--;
	side->coming_first = side->coming_count > 0 ? side->coming_first + 1 : 0;
	sim_calendar_set(&run->clock.calendar, local_control_component(run, number),
			 side->coming_count > 0 ? *control_coming(local, number, 0) : SIM_NEVER);
	if (local->metered) {
		local_count_stop(run, sender, run->net.now_ticks);
		local->meters[number].stopped_ticks = run->net.now_ticks;
	}
	sender->sender.stopped = stop;
	if (stop) {
		local_advance(run, sender, run->net.now_ticks - 1);
		local_shut(run, sender);
	}
	local_again(run, sender);
	// The worm's last character may be the one that starts now.
	if (sender->sender.on && !sender->sender.held && sender->sender.input < local->link_count &&
	    sender->sender.next_ticks == run->net.now_ticks &&
	    sender->sender.number + 1 == sender->sender.end_number)
		sim_calendar_set(&run->clock.calendar, sender->sender.input, run->net.now_ticks);
}

void local_compare_now(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	const uint32_t number = local_index(local, buffer);
	uint32_t leaves = buffer->buffer.leaves_number;
	uint32_t line;
	bool full;

	if (buffer->buffer.state == LOCAL_JOINED) {
		struct local_link *output = &local->links[buffer->buffer.output];

		local_advance(run, output, run->net.now_ticks);
		leaves = output->sender.number + output->sender.shift;
	}
	line = buffer->buffer.told_stop ? leaves + local->go : leaves + local->stop - 1;
	full = local_before(line, buffer->buffer.known_number) &&
	       local_arrival(buffer, line) <= run->net.now_ticks;
	if (full == buffer->buffer.told_stop)
		return;
	buffer->buffer.told_stop = full;
	if (full)
		local_filled(local, buffer, local->stop);
	if (!net_drive_link_is_dead(&run->net, number))
		control_tell(run, number, full);
}

void local_send_due(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_side *side = &local->sides[number];
	struct local_link *link = &local->links[number];

	if (side->reset_due)
		local_commit(run, number);
	if (side->beat_due) {
		local_advance(run, link, run->net.now_ticks);
		local->beats[number].last_ticks = local_last(local, number);
		myr_beat_goes(run, number, local_commit(run, number));
		local->beats[number].beat_ticks = link->sender.free_ticks;
		side->beaten = true;
	}
	side->reset_due = side->beat_due = false;
}
