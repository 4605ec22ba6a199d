// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/local/local.h"

// count characters left the buffer at the tick, other than through its output.
void local_left(struct local *local, struct local_link *buffer, uint32_t count, int64_t ticks)
{
	struct local_meter *meter = &local->meters[local_index(local, buffer)];

	if (!local->metered)
		return;
	meter->left += count;
	meter->left_ticks += (uint64_t)count * (uint64_t)ticks;
}

void local_count_stop(struct myr_run *run, struct local_link *sender, int64_t ticks)
{
	const struct local *local = local_of(run);
	struct local_meter *meter = &local->meters[local_index(local, sender)];
	int64_t from;

	if (!sender->sender.stopped || sender->sender.input == LOCAL_NONE)
		return;
	from = ticks_later(ticks_later(meter->stopped_ticks, sender->sender.free_ticks),
			   sender->sender.ready_ticks);
	if (sender->sender.input != LOCAL_HOST && !sender->sender.held) {
		const struct local_link *buffer = &local->links[sender->sender.input];
		const uint32_t number = sender->sender.number + sender->sender.shift;

		if (!local_before(number, buffer->buffer.known_number))
			return;
		from = ticks_later(from, local_arrival(buffer, number) + local->path_ticks);
	}
	if (from >= ticks)
		return;
	meter->stop_ticks += ticks - from;
	meter->stopped_ticks = ticks;
}

// The characters that leave the buffer since its output was settled.
struct leaving {
	uint32_t number;
	bool on;
	int64_t next_ticks;
	uint32_t period_ticks;
};

// The first of the run's numbers before end that arrives after the tick; end if there is none.
static uint32_t first_after(const struct local_run *arrivals, int64_t ticks, uint32_t end)
{
	uint64_t past;

	if (arrivals->first_ticks > ticks)
		return arrivals->number;
	past = (uint64_t)(ticks - arrivals->first_ticks) / arrivals->period_ticks + 1;
	return past < end - arrivals->number ? arrivals->number + (uint32_t)past : end;
}

// Occupancy after the arrival of number.
static uint32_t fullness(const struct leaving *leaving, const struct local_run *arrivals,
			 uint32_t number)
{
	const int64_t ticks = local_in_run(arrivals, number);
	uint32_t left = 0;

	if (leaving->on && ticks >= leaving->next_ticks)
		left = (uint32_t)((ticks - leaving->next_ticks) / leaving->period_ticks) + 1;
	return number + 1 - leaving->number - left;
}

// The peak after arrivals first to last. Until the output resumes it is the last one; then the
// first or the last, since the occupancy after arrivals is monotonic.
static uint32_t meter_fullest(const struct leaving *leaving, const struct local_run *arrivals,
			      uint32_t first, uint32_t last)
{
	const uint32_t at_first = fullness(leaving, arrivals, first);
	const uint32_t at_last = fullness(leaving, arrivals, last);
	uint32_t most = at_first > at_last ? at_first : at_last;
	const uint32_t next = first_after(arrivals, leaving->next_ticks - 1, last);

	if (leaving->on && local_before(first, next)) {
		const uint32_t at = fullness(leaving, arrivals, next);
		const uint32_t before = fullness(leaving, arrivals, next - 1);

		most = at > most ? at : most;
		most = before > most ? before : most;
	}
	return most;
}

// The buffer held count characters at the end of a tick.
void local_filled(struct local *local, const struct local_link *buffer, uint32_t count)
{
	struct local_meter *meter = &local->meters[local_index(local, buffer)];

	if (local->metered)
		meter->peak = count > meter->peak ? count : meter->peak;
	local->highest = count > local->highest ? count : local->highest;
}

void local_count(struct local_link *sender)
{
	sender->ports.sent += sender->sender.number - sender->ports.sent_number;
	sender->ports.sent_number = sender->sender.number;
}

// Arrivals before the output was last settled have since had no departures, so looking at them
// again does not overestimate.
void local_peak_now(struct myr_run *run, struct local_link *buffer, int64_t ticks)
{
	struct local *local = local_of(run);
	const int64_t seen = local->metered ? run->net.samples.begin_ticks - 1 : INT64_MIN;
	struct leaving leaving = {.number = buffer->buffer.leaves_number};

	if (buffer->buffer.state == LOCAL_JOINED) {
		const struct local_link *output = &local->links[buffer->buffer.output];

		leaving = (struct leaving){output->sender.number + output->sender.shift,
					   output->sender.on, output->sender.next_ticks,
					   output->sender.period_ticks};
	}
	for (uint32_t place = buffer->buffer.run_count; place-- > 0;) {
		const struct local_run *arrivals = &buffer->buffer.runs[place];
		uint32_t first = local_before(arrivals->number, leaving.number) ? leaving.number
										: arrivals->number;
		uint32_t last = local_run_end(buffer, place) - 1;

		if (arrivals->first_ticks > ticks)
			continue;
		if (local_before(last, first))
			return;
		if (local_in_run(arrivals, first) <= seen)
			first = first_after(arrivals, seen, last + 1);
		last = first_after(arrivals, ticks, last + 1) - 1;
		if (local_before(last, first))
			return;
		local_filled(local, buffer, meter_fullest(&leaving, arrivals, first, last));
		if (first != arrivals->number)
			return;
	}
}

// Characters under way to the buffer at the end of the tick.
static uint32_t flying(const struct local_link *link, int64_t ticks, uint64_t *sum)
{
	uint32_t end = link->sender.number;
	uint32_t count = 0;

	*sum = 0;
	if (!link->sender.publishes)
		return 0;
	for (uint32_t place = link->buffer.run_count; place-- > 0;) {
		const struct local_run *arrivals = &link->buffer.runs[place];
		uint32_t first;

		if (!local_before(arrivals->number, end))
			continue;
		first = first_after(arrivals, ticks, end);
		if (local_before(first, end)) {
			const uint32_t more = end - first;

			count += more;
			*sum += (uint64_t)more * (uint64_t)local_in_run(arrivals, first) +
				(uint64_t)arrivals->period_ticks *
					((uint64_t)more * (more - 1) / 2);
		}
		if (first != arrivals->number)
			break;
		end = arrivals->number;
	}
	return count;
}

uint64_t local_to_go(const struct local *local, uint32_t number, int64_t ticks,
		     int64_t *first_ticks)
{
	const struct local_side *side = &local->sides[number];
	const int64_t character = local->links[number].sender.character_ticks;
	uint64_t before; // the last

	*first_ticks = SIM_NEVER;
	if (!local_controls_wait(side, ticks))
		return 0;
	before = (uint64_t)(side->control_ticks - ticks_later(side->waiting_ticks, ticks + 1)) /
		 (uint64_t)character;
	*first_ticks = side->control_ticks - (int64_t)before * character;
	return before + 1;
}

static void read_sample(struct myr_run *run, uint32_t number, int64_t ticks, bool resets,
			struct myr_look *out)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	struct local_meter *meter = &local->meters[number];
	const uint32_t to = run->ways[number].to;
	const int64_t end = ticks + 1;
	int64_t port = meter->port_ticks, memory = meter->memory_ticks;
	uint64_t area, sum;
	uint32_t count;
	uint64_t ahead;
	int64_t first, over;

	ahead = local_to_go(local, number, ticks, &first);
	out->waits = ahead > 0;
	out->characters = link->ports.sent + local->sides[number].controls - ahead;
	if (!local->metered)
		return;
	local_count_stop(run, link, end);
	over = (first != SIM_NEVER ? first : link->sender.free_ticks) - end;
	over = over > 0 ? over : 0;
	if (link->buffer.state == LOCAL_ASKS && !link->buffer.to_host)
		port += end - link->buffer.asked_ticks;
	else if (link->buffer.state == LOCAL_ASKS && run->hosts[to].asking != NET_NO_WORM)
		memory += end - link->buffer.asked_ticks;
	count = flying(link, ticks, &sum);
	area = (meter->came - count - meter->left) * (uint64_t)end - (meter->came_ticks - sum) +
	       meter->left_ticks;
	out->sample = (struct tr_link){
		.busy_ticks = (int64_t)(out->characters - meter->sampled) *
				      link->sender.character_ticks +
			      meter->over_ticks - over,
		.blocked_stop_ticks = meter->stop_ticks,
		.blocked_port_ticks = port,
		.blocked_memory_ticks = memory,
		.characters = out->characters - meter->sampled,
		.occupancy_area = area - meter->area,
		.occupancy_peak = meter->peak,
	};
	if (!resets)
		return;
	meter->stop_ticks = 0;
	meter->port_ticks -= port;
	meter->memory_ticks -= memory;
	meter->area = area;
	meter->sampled = out->characters;
	meter->over_ticks = over;
	meter->peak = (uint32_t)(meter->came - count - meter->left);
}

int64_t local_last(const struct local *local, uint32_t number)
{
	const struct local_link *link = &local->links[number];
	const struct local_beat *beat = &local->beats[number];

	return local->sides[number].beaten && link->sender.free_ticks == beat->beat_ticks
		       ? beat->last_ticks
		       : link->sender.free_ticks - link->sender.character_ticks;
}

// Whether the sender's next character is available and nothing blocks it.
static bool may_start(const struct local *local, const struct local_link *sender, int64_t ticks)
{
	const struct local_link *buffer;
	uint32_t number;

	if (sender->sender.input == LOCAL_NONE || sender->sender.stopped)
		return false;
	if (sender->sender.input == LOCAL_HOST || sender->sender.held)
		return true;
	buffer = &local->links[sender->sender.input];
	number = sender->sender.number + sender->sender.shift;
	return local_before(number, buffer->buffer.known_number) &&
	       local_arrival(buffer, number) <= ticks;
}

void local_look(struct myr_run *run, uint32_t number, int64_t ticks, bool resets,
		struct myr_look *out)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	const struct local_side *side = &local->sides[number];
	struct myr_run *far = link->buffer.crosses ? net_drive_far(&run->net, number) : run;
	const bool to_host = link->buffer.to_host;
	const uint32_t to = run->ways[number].to;
	bool moves;
	int64_t last;

	local_advance(run, link, ticks);
	if (link->buffer.state == LOCAL_JOINED)
		local_advance(far, &local->links[link->buffer.output], ticks);
	local_peak(far, link, run->moving ? ticks - 1 : ticks);
	local_count(link);
	last = local_last(local, number);
	moves = side->coming_count > 0 || may_start(local, link, ticks) ||
		(link->ports.sent + side->controls > 0 &&
		 last + link->sender.delay_ticks > ticks) ||
		(to_host && link->buffer.state == LOCAL_JOINED &&
		 may_start(local, &local->links[link->buffer.output], ticks));
	if (link->ports.sent + side->controls == 0)
		last = INT64_MIN;
	*out = (struct myr_look){.blocked = NET_NO_WORM,
				 .silent = link->sender.worm,
				 .silent_ticks = link->ports.quiet_ticks,
				 .last_ticks = last == INT64_MIN ? INT64_MIN
								 : last + link->sender.delay_ticks,
				 .peak = local->highest,
				 .moves = moves};
	if (to_host && run->hosts[to].asking != NET_NO_WORM) {
		out->blocked = run->hosts[to].asking;
		out->blocked_ticks = run->hosts[to].asked_ticks;
	} else if (!to_host && link->buffer.state == LOCAL_ASKS) {
		out->blocked = local_front(link)->worm;
		out->blocked_ticks = link->buffer.asked_ticks;
	}
	read_sample(run, number, ticks, resets, out);
	out->waits |= link->sender.on;
	if (to_host)
		local_tell_heads(run, link, ticks);
}
