// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links where bytes go by regimes. A regime says when each of its bytes starts, arrives
// and leaves; so before a sender changes, the bytes of its link, and those that came to and left
// the buffers before and behind it, are added up one after the other.
#include "net/switched/switched_local.h"

#include "value/ticks.h"

#define LONG_AGO (INT64_MIN / 2)

void switched_local_meter_layout(struct switched_run *run, struct switched_local *local)
{
	if (run->net.setup->sampling.width_ticks != 0)
		local->meters = sim_arena_take(&run->net.arena, run->net.graph.links,
					       sizeof(*local->meters));
}

void switched_local_meter_open(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;

	for (uint32_t i = 0; local->meters && i < run->net.graph.links; i++)
		local->meters[i] = (struct switched_local_meter){
			.since_ticks = LONG_AGO, .busy_ticks = LONG_AGO, .held_ticks = LONG_AGO};
}

// The cycle in which a byte of a sender, of its present regime or the one before that, starts.
static int64_t byte_start_of(const struct switched_sender *sender, uint32_t number)
{
	return sender->next + (int64_t)(int32_t)(number - sender->number) * sender->period;
}

// Since when a byte, the next to start, waits for room, as far as that is not counted; INT64_MAX:
// it is not there.
static int64_t waits_from(const struct switched_run *run, const struct switched_sender *sender,
			  const struct switched_local_meter *meter, uint32_t number)
{
	int64_t from_ticks = ticks_later(ticks_later(meter->busy_ticks, meter->held_ticks),
					 meter->since_ticks);
	struct switched_line line;

	if (!switched_arrival(run, sender, number, &line))
		return INT64_MAX;
	return line.at == SWITCHED_LONG_SINCE
		       ? from_ticks
		       : ticks_later(from_ticks, line.at * run->clock.cycle_ticks);
}

static void add_wait(struct switched_local_meter *meter, int64_t from_ticks, int64_t to_ticks)
{
	if (from_ticks < to_ticks)
		meter->sample.blocked_stop_ticks += to_ticks - from_ticks;
}

// What the link's sender did up to a tick: it has started bytes up to a cycle.
static void add_starts(const struct switched_run *run, const struct switched_sender *sender,
		       struct switched_local_meter *meter, int64_t to_ticks, int64_t cycle)
{
	const uint32_t end = switched_started_by(sender, cycle);

	if (meter->busy_ticks > meter->since_ticks)
		meter->sample.busy_ticks += (meter->busy_ticks < to_ticks ? meter->busy_ticks
									  : to_ticks) -
					    meter->since_ticks;
	for (; meter->seen != end; meter->seen++) {
		const int64_t start_ticks = byte_start_of(sender, meter->seen) *
					    run->clock.cycle_ticks;
		const int64_t left_ticks = start_ticks + sender->cycles * run->clock.cycle_ticks;

		if (sender->bounded)
			add_wait(meter, waits_from(run, sender, meter, meter->seen), start_ticks);
		meter->sample.busy_ticks += (left_ticks < to_ticks ? left_ticks : to_ticks) -
					    start_ticks;
		meter->sample.characters++;
		meter->busy_ticks = left_ticks;
	}
	if (meter->early) // a worm is to be announced
		add_wait(meter, ticks_later(meter->held_ticks, meter->since_ticks), to_ticks);
	if (sender->bounded && sender->worm != NET_NO_WORM && end != sender->end)
		add_wait(meter, waits_from(run, sender, meter, end), to_ticks);
}

// The cycle in which a byte comes to the buffer behind a link, and in which one leaves it;
// INT64_MAX: not known.

static int64_t next_in(const struct switched_local *local, const struct switched_sender *sender,
		       uint32_t number)
{
	struct switched_line line;

	return switched_comes(local, sender, number, &line) ? line.at : INT64_MAX;
}

static int64_t next_out(const struct switched_local *local, const struct switched_sender *sender,
			uint32_t number)
{
	const struct switched_sender *output;

	if (sender->output == NET_NOBODY)
		return INT64_MAX;
	output = &local->senders[sender->output];
	if (output->on && switched_before(number, output->end))
		return byte_start_of(output, number) + output->cycles;
	return number + 1 == output->number ? output->free : INT64_MAX;
}

// The buffer behind a link held what it does for so long.
static void add_area(struct switched_local_meter *meter, int64_t ticks)
{
	meter->sample.occupancy_area += meter->occupancy * (uint64_t)ticks;
	if (ticks > 0 && meter->occupancy > meter->sample.occupancy_peak)
		meter->sample.occupancy_peak = meter->occupancy;
}

// What the buffer behind the link held up to a tick; bytes have come and left up to a cycle.
static void add_occupancy(const struct switched_run *run, const struct switched_sender *sender,
			  struct switched_local_meter *meter, int64_t to_ticks, int64_t cycle)
{
	const struct switched_local *local = run->medium_state;
	int64_t since_ticks = meter->since_ticks;

	for (;;) {
		const int64_t in = next_in(local, sender, meter->come),
			      out = next_out(local, sender, meter->left);
		const int64_t next = in < out ? in : out;
		int64_t ticks;

		if (next > cycle)
			break;
		ticks = ticks_later(next * run->clock.cycle_ticks, since_ticks);
		add_area(meter, ticks - since_ticks);
		since_ticks = ticks;
		meter->occupancy += (uint32_t)(in == next) - (uint32_t)(out == next);
		meter->come += in == next;
		meter->left += out == next;
	}
	add_area(meter, to_ticks - since_ticks);
	if (!local->starts &&
	    meter->occupancy > meter->sample.occupancy_peak) // it did so at the end of a cycle
		meter->sample.occupancy_peak = meter->occupancy;
}

static void add_up(struct switched_run *run, uint32_t link, int64_t to_ticks, int64_t started_by,
		   int64_t ended_by)
{
	struct switched_local *local = run->medium_state;
	const struct switched_sender *sender = &local->senders[link];
	struct switched_local_meter *meter = &local->meters[link];

	if (meter->since_ticks == LONG_AGO)
		meter->since_ticks = to_ticks;
	add_starts(run, sender, meter, to_ticks, started_by);
	if (sender->bounded)
		add_occupancy(run, sender, meter, to_ticks, ended_by);
	meter->since_ticks = to_ticks;
}

void switched_local_meter_change(struct switched_run *run, uint32_t link)
{
	const struct switched_local *local = run->medium_state;
	const uint32_t feed = run->outputs[link].feed, output = local->senders[link].output;
	const int64_t started_by = run->clock.cycle - local->starts;

	if (!local->meters)
		return;
	add_up(run, link, run->net.now_ticks, started_by, run->clock.cycle);
	if (output != NET_NOBODY)
		add_up(run, output, run->net.now_ticks, started_by, run->clock.cycle);
	if (run->outputs[link].worm != NET_NO_WORM && feed != SWITCHED_FROM_HOST)
		add_up(run, feed, run->net.now_ticks, started_by, run->clock.cycle);
}

void switched_local_meter_hold(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	struct switched_local_meter *meter;

	if (!local->meters)
		return;
	meter = &local->meters[link];
	if (!meter->early)
		meter->held_ticks = run->net.now_ticks;
	meter->early = false;
	if (run->outputs[link].feed != SWITCHED_FROM_HOST)
		local->meters[run->outputs[link].feed].left = local->senders[link].number;
}

void switched_local_meter_stop(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;

	if (!local->meters)
		return;
	local->meters[link].seen = local->senders[link].number;
	if (local->meters[link].busy_ticks > run->net.now_ticks)
		local->meters[link].busy_ticks = run->net.now_ticks;
}

// Of the series only the buffer before the link knows a number by itself.
void switched_local_meter_cut(struct switched_run *run, uint32_t link, uint32_t count)
{
	struct switched_local *local = run->medium_state;
	const uint32_t feed = run->outputs[link].feed;

	if (local->meters && local->senders[link].worm != NET_NO_WORM && feed != SWITCHED_FROM_HOST)
		local->meters[feed].left -= count;
}

void switched_local_meter_lost(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	const struct switched_sender *sender = &local->senders[link];
	const struct switched_sender *output =
		&local->senders[sender->output == NET_NOBODY ? link : sender->output];
	struct switched_local_meter *meter;

	if (!local->meters)
		return;
	meter = &local->meters[link];
	meter->seen = switched_started_by(sender, run->clock.cycle - local->starts);
	meter->come = switched_ended_by(sender, run->clock.cycle);
	meter->occupancy = meter->come - sender->base;
	if (sender->output != NET_NOBODY)
		meter->occupancy = meter->come -
				   (switched_ended_by(output, run->clock.cycle) + output->shift);
}

void switched_local_meter_faulted(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;

	for (uint32_t i = 0; local->meters && i < run->todo.tries.count; i++) {
		const uint32_t link = run->todo.tries.items[i];
		const uint32_t worm = run->outputs[link].worm;

		if (worm == NET_NO_WORM || worm == local->senders[link].worm ||
		    local->meters[link].early)
			continue;
		if (run->net.pool.worms[worm].started_ticks != run->net.now_ticks)
			continue;
		local->meters[link].early = true;
		local->meters[link].held_ticks = run->net.now_ticks;
	}
}

void switched_local_sample(struct switched_run *run, uint32_t link, int64_t ticks,
			   struct tr_link *out)
{
	struct switched_local *local = run->medium_state;
	struct switched_local_meter *meter = &local->meters[link];
	const int64_t before = switched_cycle_of(run, ticks - 1);
	const int64_t cycle = before > local->last_cycle ? before : local->last_cycle;

	add_up(run, link, ticks, cycle, cycle);
	out->busy_ticks = meter->sample.busy_ticks;
	out->blocked_stop_ticks = meter->sample.blocked_stop_ticks;
	out->characters = meter->sample.characters;
	out->occupancy_area = meter->sample.occupancy_area;
	out->occupancy_peak = meter->sample.occupancy_peak;
	meter->sample = (struct tr_link){.occupancy_peak = meter->occupancy};
}
