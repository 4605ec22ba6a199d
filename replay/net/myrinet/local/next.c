// SPDX-License-Identifier: GPL-3.0-or-later
// The next event of a buffer, from the runs of arrivals and the regime of departures: each is at
// most one division per run ahead, of which there are one or two.
#include "net/myrinet/local/local.h"

static int64_t start_of(const struct local_link *output, uint32_t ahead)
{
	return output->sender.next_ticks + (int64_t)((uint64_t)ahead * output->sender.period_ticks);
}

// A following regime ends with its run, or if the next run begins too early.
static int64_t follower_fails(struct local_link *buffer, const struct local_link *output,
			      uint32_t leaves, int64_t path_ticks)
{
	const uint32_t place = local_first_run(buffer, leaves);
	const struct local_run *arrivals = &buffer->buffer.runs[place];
	const uint32_t end = local_run_end(buffer, place);
	const int64_t comes = local_in_run(arrivals, leaves) + path_ticks;
	int64_t next;

	if (comes != output->sender.next_ticks ||
	    (arrivals->period_ticks != output->sender.period_ticks && end - leaves > 1))
		return myr_earlier(output->sender.next_ticks,
				   ticks_later(comes, output->sender.free_ticks));
	if (!local_before(end, output->sender.end_number + output->sender.shift))
		return SIM_NEVER;
	next = start_of(output, end - leaves);
	if (place + 1u == buffer->buffer.run_count)
		return next;
	return myr_earlier(next, ticks_later(arrivals[1].first_ticks + path_ticks,
					     next - output->sender.period_ticks +
						     output->sender.character_ticks));
}

// When characters that leave one each period, that of this number, of the run arrivals, at starts,
// catch up with those that come, path_ticks later; at the latest when what is known of these ends.
// tail: SIM_NEVER if not before this number; NULL: there is none.
static inline __attribute__((always_inline)) int64_t catches_up(const struct local_link *buffer,
								const struct local_run *arrivals,
								uint32_t number, int64_t starts,
								uint32_t period, int64_t path_ticks,
								const uint32_t *tail)
{
	const struct local_run *last = &buffer->buffer.runs[buffer->buffer.run_count - 1];

	for (;; arrivals++) {
		const int64_t late = local_in_run(arrivals, number) + path_ticks - starts;
		const uint32_t end = arrivals == last ? buffer->buffer.known_number
						      : arrivals[1].number;

		if (late > 0)
			return starts;
		if (arrivals->period_ticks > period) {
			const uint64_t more = (uint64_t)-late / (arrivals->period_ticks - period) +
					      1;

			if (more < end - number)
				return starts + (int64_t)(more * period);
		}
		if (tail && !local_before(end, *tail))
			return SIM_NEVER;
		starts += (int64_t)((uint64_t)(end - number) * period);
		if (arrivals == last)
			return starts;
		number = end;
	}
}

// When the output's regime cannot continue; SIM_NEVER: not before the worm's end. A backlogged one
// fails at the first character that arrives too late.
static int64_t regime_fails(struct local_link *buffer, const struct local_link *output,
			    uint32_t leaves, int64_t path_ticks)
{
	const uint32_t period = output->sender.character_ticks;
	const uint32_t tail = output->sender.end_number + output->sender.shift;

	if (!local_before(leaves, buffer->buffer.known_number))
		return output->sender.next_ticks;
	if (output->sender.period_ticks != period)
		return follower_fails(buffer, output, leaves, path_ticks);
	return catches_up(buffer, &buffer->buffer.runs[local_first_run(buffer, leaves)], leaves,
			  output->sender.next_ticks, period, path_ticks, &tail);
}

// When the buffer reaches its STOP line while the output is on: the first number that arrives
// before the one a line's length earlier has left.
static int64_t fills(const struct local_link *buffer, const struct local_link *output,
		     uint32_t leaves, uint32_t line)
{
	const uint32_t period = output->sender.period_ticks;
	int64_t starts = output->sender.next_ticks; // of the one a line's length earlier
	uint32_t number = leaves + line - 1;
	const struct local_run *arrivals, *last;

	if (!local_before(number, buffer->buffer.known_number))
		return SIM_NEVER;
	last = &buffer->buffer.runs[buffer->buffer.run_count - 1];
	for (arrivals = last; local_before(number, arrivals->number);)
		arrivals--;
	for (;; arrivals++) {
		const int64_t comes = local_in_run(arrivals, number);
		const int64_t late = starts - comes;
		uint32_t end;

		if (late > 0)
			return comes;
		if (arrivals == last && period <= arrivals->period_ticks)
			return SIM_NEVER;
		end = arrivals == last ? buffer->buffer.known_number : arrivals[1].number;
		if (period > arrivals->period_ticks) {
			const uint64_t more = (uint64_t)-late / (period - arrivals->period_ticks) +
					      1;

			if (more < end - number)
				return comes + (int64_t)(more * arrivals->period_ticks);
		}
		if (arrivals == last)
			return SIM_NEVER;
		starts += (int64_t)((uint64_t)(end - number) * period);
		number = end;
	}
}

// When it falls to its GO line.
static int64_t empties(const struct local_link *buffer, const struct local_link *output,
		       uint32_t leaves, uint32_t line)
{
	const uint32_t number = leaves + 1 + line;
	const struct local_run *arrivals = &buffer->buffer.runs[buffer->buffer.run_count - 1];

	if (!local_before(number, buffer->buffer.known_number))
		return output->sender.next_ticks;
	while (local_before(number, arrivals->number))
		arrivals--;
	return catches_up(buffer, arrivals, number, output->sender.next_ticks, // of a line before
			  output->sender.period_ticks, 0, NULL);
}

// The worm's last character leaves, at last_ticks; at a host, if a GAP follows the worm, also the
// one before. If nothing depends on it yet, it is handled when the next head arrives.
static int64_t worm_ends(const struct local *local, const struct local_link *buffer,
			 const struct local_link *output, int64_t last_ticks)
{
	const uint32_t head = output->sender.end_number + output->sender.shift + local->gap;

	if (output->sender.sink && !buffer->ports.whole)
		return local->gap == 0 ? last_ticks - output->sender.period_ticks : last_ticks;
	if (!local->late_tails || output->sender.converts ||
	    output->sender.first_asker != LOCAL_NONE)
		return last_ticks;
	return local_before(head, buffer->buffer.known_number)
		       ? ticks_later(last_ticks, local_arrival(buffer, head))
		       : SIM_NEVER;
}

// When the output's regime cannot go on, which is noted, or the buffer reaches a line. Apart, as is
// what follows: each has few values to hold.
static __attribute__((noinline)) int64_t next_uneven(const struct local *local,
						     struct local_link *buffer,
						     const struct local_link *output,
						     int64_t last_ticks)
{
	const uint32_t leaves = output->sender.number + output->sender.shift;
	const int64_t fails_ticks = regime_fails(buffer, output, leaves,
						 output->sender.sink ? 0 : local->path_ticks);
	int64_t next;

	if (fails_ticks <= last_ticks) // else it ends before
		buffer->buffer.fails_ticks = fails_ticks;
	next = buffer->buffer.told_stop ? empties(buffer, output, leaves, local->go)
					: fills(buffer, output, leaves, local->stop);
	return myr_earlier(next, buffer->buffer.fails_ticks);
}

// The same in the common case: one run is all that is known from the next to leave on, and comes as
// fast as the output's link goes, as does the output. Then the two keep their distance.
static int64_t next_even(const struct local *local, struct local_link *buffer,
			 const struct local_link *output, const struct local_run *arrivals)
{
	const uint64_t period = output->sender.period_ticks;
	const uint32_t leaves = output->sender.number + output->sender.shift;
	const uint32_t known = buffer->buffer.known_number - leaves;
	const int64_t starts = output->sender.next_ticks;
	const int64_t comes = local_in_run(arrivals, leaves);
	int64_t next = SIM_NEVER;

	if (comes + (output->sender.sink ? 0 : local->path_ticks) > starts)
		next = starts;
	else if (known < output->sender.end_number - output->sender.number)
		next = starts + (int64_t)(known * period);
	buffer->buffer.fails_ticks = next;
	if (buffer->buffer.told_stop) {
		const uint32_t line = local->go + 1;

		if (known > line && comes + (int64_t)(line * period) <= starts)
			return myr_earlier(next, starts + (int64_t)((known - line) * period));
		return starts;
	}
	if (known >= local->stop) {
		const int64_t full_ticks = comes + (int64_t)((local->stop - 1) * period);

		if (full_ticks < starts)
			return myr_earlier(next, full_ticks);
	}
	return next;
}

// While the output is on. Starts up to now need not be settled: the regime has held for them, and
// no line was crossed since the last that were.
static int64_t next_flowing(struct local *local, struct local_link *buffer,
			    const struct local_link *output, int64_t last_ticks)
{
	const struct local_run *last = buffer->buffer.runs + buffer->buffer.run_count - 1;
	const uint32_t leaves = output->sender.number + output->sender.shift;
	const uint32_t period = output->sender.character_ticks;
	int64_t next;

	if (local_before(leaves, buffer->buffer.known_number) &&
	    !local_before(leaves, last->number) && output->sender.period_ticks == period &&
	    last->period_ticks == period)
		next = next_even(local, buffer, output, last);
	else
		next = next_uneven(local, buffer, output, last_ticks);
	return myr_earlier(next, worm_ends(local, buffer, output, last_ticks));
}

// While nothing leaves.
static int64_t next_standing(const struct local *local, const struct local_link *buffer)
{
	uint32_t leaves = buffer->buffer.leaves_number;
	int64_t next = SIM_NEVER;

	if (buffer->buffer.state == LOCAL_JOINED) {
		const struct local_link *output = &local->links[buffer->buffer.output];
		const int64_t path_ticks = output->sender.sink ? 0 : local->path_ticks;

		leaves = output->sender.number + output->sender.shift;
		if (!output->sender.stopped && local_before(leaves, buffer->buffer.known_number))
			next = ticks_later(
				local_arrival(buffer, leaves) + path_ticks,
				ticks_later(output->sender.free_ticks, output->sender.ready_ticks));
	}
	if (!buffer->buffer.told_stop &&
	    local_before(leaves + local->stop - 1, buffer->buffer.known_number))
		next = myr_earlier(next, local_arrival(buffer, leaves + local->stop - 1));
	return next;
}

// The same once its starts up to now are settled. A worm that has ended leaves the buffer between
// worms, if that was no event.
static __attribute__((noinline)) int64_t next_settled(struct myr_run *run, struct local *local,
						      struct local_link *buffer,
						      struct local_link *output)
{
	local_advance(run, output, run->net.now_ticks);
	buffer->buffer.fails_ticks = SIM_NEVER;
	if (buffer->buffer.state != LOCAL_JOINED)
		return SIM_NEVER;
	return next_flowing(
		local, buffer, output,
		start_of(output, output->sender.end_number - 1 - output->sender.number));
}

// While it is joined. Where the worm has ended, or the unsettled starts show an event that is not
// ahead, they are settled. One shows where a run of one character got the period of the claim that
// continues it: its start, which followed with the period before, then looks like a failure. All
// else depends on when characters arrive, which is as it was for those that have.
static int64_t next_joined(struct myr_run *run, struct local *local, struct local_link *buffer)
{
	struct local_link *output = &local->links[buffer->buffer.output];
	int64_t last_ticks;

	buffer->buffer.fails_ticks = SIM_NEVER;
	if (!output->sender.on)
		return next_standing(local, buffer);
	last_ticks = start_of(output, output->sender.end_number - 1 - output->sender.number);
	if (last_ticks > run->net.now_ticks) {
		const int64_t next = next_flowing(local, buffer, output, last_ticks);

		if (next > run->net.now_ticks)
			return next;
	}
	return next_settled(run, local, buffer, output);
}

void local_plan(struct myr_run *run)
{
	struct local *local = local_of(run);

	for (uint32_t i = 0; i < local->work.touched_count; i++) {
		const uint32_t number = local->work.touched[i];
		struct local_link *buffer = &local->links[number];
		int64_t next = SIM_NEVER;
		uint32_t head;

		buffer->buffer.touched = false;
		if (buffer->buffer.state == LOCAL_JOINED)
			next = next_joined(run, local, buffer);
		else if (buffer->buffer.state == LOCAL_ASKS && !buffer->buffer.told_stop)
			next = next_standing(local, buffer);
		head = buffer->buffer.leaves_number + local->gap;
		if (buffer->buffer.state == LOCAL_IDLE &&
		    local_before(head, buffer->buffer.known_number))
			next = ticks_later(local_arrival(buffer, head), run->net.now_ticks + 1);
		sim_calendar_set(&run->clock.calendar, number, next);
	}
}
