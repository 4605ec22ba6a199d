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
				   myr_later(comes, output->sender.free_ticks));
	if (!local_before(end, output->sender.end_number + output->sender.shift))
		return SIM_NEVER;
	next = start_of(output, end - leaves);
	if (place + 1u == buffer->buffer.run_count)
		return next;
	return myr_earlier(next, myr_later(arrivals[1].first_ticks + path_ticks,
					   next - output->sender.period_ticks +
						   output->sender.character_ticks));
}

// When the output's regime cannot continue; SIM_NEVER: not before the worm's end. A backlogged one
// fails at the first character that arrives too late.
static int64_t regime_fails(struct local_link *buffer, const struct local_link *output,
			    uint32_t leaves, int64_t path_ticks)
{
	const uint32_t period = output->sender.character_ticks;
	const uint32_t tail = output->sender.end_number + output->sender.shift;
	uint32_t number = leaves;
	uint32_t place;

	if (!local_before(leaves, buffer->buffer.known_number))
		return output->sender.next_ticks;
	if (output->sender.period_ticks != period)
		return follower_fails(buffer, output, leaves, path_ticks);
	place = local_first_run(buffer, leaves);
	for (;; place++) {
		const struct local_run *arrivals = &buffer->buffer.runs[place];
		const int64_t starts = start_of(output, number - leaves);
		const int64_t late = local_in_run(arrivals, number) + path_ticks - starts;
		const uint32_t end = local_run_end(buffer, place);

		if (late > 0)
			return starts;
		if (arrivals->period_ticks > period) {
			const uint64_t more = (uint64_t)-late / (arrivals->period_ticks - period) +
					      1;

			if (more < end - number)
				return starts + (int64_t)(more * period);
		}
		if (!local_before(end, tail))
			return SIM_NEVER;
		if (place + 1u == buffer->buffer.run_count)
			return start_of(output, end - leaves);
		number = end;
	}
}

// When the buffer reaches its STOP line while the output is on: the first number that arrives
// before the one a line's length earlier has left.
static int64_t fills(const struct local_link *buffer, const struct local_link *output,
		     uint32_t leaves, uint32_t line)
{
	uint32_t number = leaves + line - 1;

	if (!local_before(number, buffer->buffer.known_number))
		return SIM_NEVER;
	for (uint32_t place = local_run_of(buffer, number);; place++) {
		const struct local_run *arrivals = &buffer->buffer.runs[place];
		const int64_t comes = local_in_run(arrivals, number);
		const int64_t late = start_of(output, number + 1 - line - leaves) - comes;
		const uint32_t end = local_run_end(buffer, place);

		if (late > 0)
			return comes;
		if (output->sender.period_ticks > arrivals->period_ticks) {
			const uint64_t more = (uint64_t)-late / (output->sender.period_ticks -
								 arrivals->period_ticks) +
					      1;

			if (more < end - number)
				return comes + (int64_t)(more * arrivals->period_ticks);
		}
		if (place + 1u == buffer->buffer.run_count)
			return SIM_NEVER;
		number = end;
	}
}

// When it falls to its GO line.
static int64_t empties(const struct local_link *buffer, const struct local_link *output,
		       uint32_t leaves, uint32_t line)
{
	uint32_t number = leaves + 1 + line;

	if (!local_before(number, buffer->buffer.known_number))
		return output->sender.next_ticks;
	for (uint32_t place = local_run_of(buffer, number);; place++) {
		const struct local_run *arrivals = &buffer->buffer.runs[place];
		const int64_t leaves_ticks = start_of(output, number - 1 - line - leaves);
		const int64_t late = local_in_run(arrivals, number) - leaves_ticks;
		const uint32_t end = local_run_end(buffer, place);

		if (late > 0)
			return leaves_ticks;
		if (arrivals->period_ticks > output->sender.period_ticks) {
			const uint64_t more = (uint64_t)-late / (arrivals->period_ticks -
								 output->sender.period_ticks) +
					      1;

			if (more < end - number)
				return leaves_ticks + (int64_t)(more * output->sender.period_ticks);
		}
		if (place + 1u == buffer->buffer.run_count)
			return start_of(output, end - 1 - line - leaves);
		number = end;
	}
}

// The worm's last character leaves; at a host, if a GAP follows the worm, also the one before. If
// nothing depends on it yet, it is handled when the next head arrives.
static int64_t worm_ends(const struct local *local, const struct local_link *buffer,
			 const struct local_link *output)
{
	const uint32_t ahead = output->sender.end_number - 1 - output->sender.number;
	const uint32_t head = output->sender.end_number + output->sender.shift + local->gap;

	if (output->sender.sink && !buffer->ports.whole)
		return start_of(output, local->gap == 0 ? ahead - 1 : ahead);
	if (!local->late_tails || output->sender.converts ||
	    output->sender.first_asker != LOCAL_NONE)
		return start_of(output, ahead);
	return local_before(head, buffer->buffer.known_number)
		       ? myr_later(start_of(output, ahead), local_arrival(buffer, head))
		       : SIM_NEVER;
}

// While the output is on.
static int64_t next_flowing(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	struct local_link *output = &local->links[buffer->buffer.output];
	const int64_t path_ticks = buffer->buffer.output >= local->link_count ? 0
									      : local->path_ticks;
	uint32_t leaves;
	int64_t next;

	local_advance(run, output, run->net.now_ticks);
	if (buffer->buffer.state == LOCAL_IDLE)
		return SIM_NEVER;
	leaves = output->sender.number + output->sender.shift;
	buffer->buffer.fails_ticks = regime_fails(buffer, output, leaves, path_ticks);
	if (buffer->buffer.fails_ticks >
	    start_of(output, output->sender.end_number - 1 - output->sender.number))
		buffer->buffer.fails_ticks = SIM_NEVER; // it ends before
	next = myr_earlier(worm_ends(local, buffer, output), buffer->buffer.fails_ticks);
	return myr_earlier(next, buffer->buffer.told_stop
					 ? empties(buffer, output, leaves, local->go)
					 : fills(buffer, output, leaves, local->stop));
}

// While nothing leaves.
static int64_t next_standing(struct local *local, struct local_link *buffer)
{
	uint32_t leaves = buffer->buffer.leaves_number;
	int64_t next = SIM_NEVER;

	if (buffer->buffer.state == LOCAL_JOINED) {
		const struct local_link *output = &local->links[buffer->buffer.output];
		const int64_t path_ticks = buffer->buffer.output >= local->link_count
						   ? 0
						   : local->path_ticks;

		leaves = output->sender.number + output->sender.shift;
		if (!output->sender.stopped && local_before(leaves, buffer->buffer.known_number))
			next = myr_later(
				local_arrival(buffer, leaves) + path_ticks,
				myr_later(output->sender.free_ticks, output->sender.ready_ticks));
	}
	if (!buffer->buffer.told_stop &&
	    local_before(leaves + local->stop - 1, buffer->buffer.known_number))
		next = myr_earlier(next, local_arrival(buffer, leaves + local->stop - 1));
	return next;
}

int64_t local_next(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);

	buffer->buffer.fails_ticks = SIM_NEVER;
	if (buffer->buffer.state == LOCAL_JOINED && local->links[buffer->buffer.output].sender.on)
		return next_flowing(run, buffer);
	return next_standing(local, buffer);
}
