// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_local.h"

#define ALL UINT32_MAX

static const struct switched_line long_since = {.at = SWITCHED_LONG_SINCE, .count = ALL};

static const struct switched_flow *flow_at(const struct switched_local *local,
					   const struct switched_sender *sender, uint32_t place)
{
	const uint32_t slot = sender->first_flow + place;

	return &sender->flows[slot < local->places ? slot : slot - local->places];
}

static void switched_put_flow(const struct switched_local *local, struct switched_sender *sender,
			      uint32_t place, struct switched_flow flow)
{
	const uint32_t slot = sender->first_flow + place;

	sender->flows[slot < local->places ? slot : slot - local->places] = flow;
}

bool switched_comes(const struct switched_local *local, const struct switched_sender *sender,
		    uint32_t number, struct switched_line *line)
{
	const uint32_t known = sender->on ? sender->end : sender->number;
	uint32_t place = sender->flow_count;
	uint32_t end = known;
	const struct switched_flow *flow;

	if (!switched_before(number, known))
		return false;
	while (switched_before(number, (flow = flow_at(local, sender, --place))->number))
		end = flow->number;
	*line = (struct switched_line){
		.at = flow->first + (int64_t)((uint64_t)(number - flow->number) * flow->period),
		.period = flow->period,
		.count = end - number};
	return true;
}

bool switched_arrival(const struct switched_run *run, const struct switched_sender *sender,
		      uint32_t number, struct switched_line *line)
{
	const struct switched_local *local = run->medium_state;
	const uint32_t feed = run->outputs[sender - local->senders].feed;

	*line = long_since;
	return feed == SWITCHED_FROM_HOST ||
	       switched_comes(local, &local->senders[feed], number + sender->shift, line);
}

// When the bytes of a buffer from number before on have wholly left.
static bool leaving(const struct switched_local *local, const struct switched_sender *sender,
		    uint32_t before, struct switched_line *line)
{
	const struct switched_sender *output;
	uint32_t leaves;

	*line = long_since;
	if (sender->output == NET_NOBODY) {
		line->count = sender->base - before;
		return switched_before(before, sender->base);
	}
	output = &local->senders[sender->output];
	leaves = before - output->shift;
	if (switched_before(leaves + 1, output->number)) {
		line->count = output->number - 1 - leaves;
		return true;
	}
	if (leaves + 1 == output->number) {
		*line = (struct switched_line){.at = output->free, .count = 1};
		if (output->on && output->next + output->cycles - output->free == output->period) {
			line->period = output->period;
			line->count = output->end - leaves;
		}
		return true;
	}
	if (!output->on || !switched_before(leaves, output->end))
		return false;
	*line = (struct switched_line){
		.at = output->next +
		      (int64_t)((uint64_t)(leaves - output->number) * output->period) +
		      output->cycles,
		.period = output->period,
		.count = output->end - leaves};
	return true;
}

// A byte has room when the one that is a buffer's size before it has wholly left; the first of a
// worm may need more.
bool switched_room(const struct switched_run *run, const struct switched_sender *sender,
		   uint32_t number, struct switched_line *line)
{
	const struct switched_local *local = run->medium_state;
	const uint32_t size = run->outputs[sender - local->senders].size;
	const uint32_t bytes = number == sender->end - size ? switched_grant_bytes(run, size) : 1;

	*line = long_since;
	return !sender->bounded ||
	       leaving(local, sender, number + (bytes - 1) - local->buffer, line);
}

int64_t switched_room_comes(const struct switched_run *run, const struct switched_sender *sender,
			    uint32_t bytes)
{
	const struct switched_local *local = run->medium_state;
	struct switched_line line;

	if (!leaving(local, sender, sender->number + (bytes - 1) - local->buffer, &line))
		return SIM_NEVER;
	return line.at;
}

void switched_settle(struct switched_sender *sender, int64_t cycle)
{
	const uint32_t number = switched_started_by(sender, cycle);
	const uint32_t count = number - sender->number;

	if (count == 0)
		return;
	sender->free = sender->next + (int64_t)((uint64_t)(count - 1) * sender->period) +
		       sender->cycles;
	sender->next += (int64_t)((uint64_t)count * sender->period);
	sender->number = number;
}

// Forgets what has left the buffer. Returns the first number that has not.
static uint32_t forget_left(const struct switched_local *local, struct switched_sender *sender,
			    int64_t cycle)
{
	const uint32_t left = sender->number - switched_held(local, sender, cycle);

	while (sender->flow_count > 1 &&
	       !switched_before(left, flow_at(local, sender, 1)->number)) {
		sender->first_flow = sender->first_flow + 1 < local->places ? sender->first_flow + 1
									    : 0;
		sender->flow_count--;
	}
	return left;
}

// Appends a run of arrivals at the far end.
static void switched_regime_publish(const struct switched_run *run, struct switched_sender *sender)
{
	struct switched_local *local = run->medium_state;
	const int64_t first = run->clock.cycle + sender->cycles;
	const uint32_t left = forget_left(local, sender, run->clock.cycle);

	if (sender->flow_count > 0) {
		const struct switched_flow *last = flow_at(local, sender, sender->flow_count - 1);

		if (last->period == sender->period &&
		    last->first + (int64_t)((uint64_t)(sender->number - last->number) *
					    last->period) ==
			    first)
			return;
		if (left == sender->number)
			sender->flow_count = 0;
	}
	if (sender->flow_count == 0)
		sender->first_flow = 0;
	switched_put_flow(local, sender, sender->flow_count++,
			  (struct switched_flow){.first = first,
						 .number = sender->number,
						 .period = sender->period});
}

// Runs before the number stay, the one that goes on behind it begins there, and those further on
// move up.
static void cut_flows(const struct switched_local *local, struct switched_sender *sender,
		      uint32_t number, uint32_t count)
{
	struct switched_line line = {0};
	const bool goes_on = switched_comes(local, sender, number + count, &line);
	uint32_t kept = 0, behind, to;

	while (kept < sender->flow_count &&
	       switched_before(flow_at(local, sender, kept)->number, number))
		kept++;
	behind = kept;
	while (behind < sender->flow_count &&
	       !switched_before(number + count, flow_at(local, sender, behind)->number))
		behind++;
	to = kept + goes_on;
	sender->flow_count -= behind;
	for (uint32_t i = 0; i < sender->flow_count; i++) {
		const uint32_t k = to > behind ? sender->flow_count - 1 - i : i;
		struct switched_flow flow = *flow_at(local, sender, behind + k);

		flow.number -= count;
		switched_put_flow(local, sender, to + k, flow);
	}
	sender->flow_count += to;
	if (goes_on)
		switched_put_flow(local, sender, kept,
				  (struct switched_flow){.first = line.at,
							 .number = number,
							 .period = line.period});
}

void switched_cut(const struct switched_run *run, struct switched_sender *sender, uint32_t number,
		  uint32_t count)
{
	const struct switched_local *local = run->medium_state;

	(void)forget_left(local, sender, run->clock.cycle);
	cut_flows(local, sender, number, count);
	sender->number -= count;
	if (sender->worm == NET_NO_WORM)
		return;
	sender->end -= count;
	sender->shift += count;
}

bool switched_begin(struct switched_run *run, struct switched_sender *sender)
{
	struct switched_line arrival, room;

	if (sender->free > run->clock.cycle ||
	    !switched_arrival(run, sender, sender->number, &arrival) ||
	    !switched_room(run, sender, sender->number, &room) || arrival.at > run->clock.cycle ||
	    room.at > run->clock.cycle)
		return false;
	sender->on = true;
	sender->next = run->clock.cycle;
	sender->period = sender->cycles;
	if (arrival.at == run->clock.cycle && arrival.period > sender->period)
		sender->period = arrival.period;
	if (room.at == run->clock.cycle && room.period > sender->period)
		sender->period = room.period;
	if (sender->bounded)
		switched_regime_publish(run, sender);
	return true;
}

typedef bool line_from(const struct switched_run *run, const struct switched_sender *sender,
		       uint32_t number, struct switched_line *line);

// How many bytes from number on, at most limit, start as the regime says, as far as these lines are
// met in time.
static uint32_t met(const struct switched_run *run, const struct switched_sender *sender,
		    line_from *from, uint32_t limit)
{
	uint32_t passed = 0;

	while (passed < limit) {
		const int64_t start = sender->next + (int64_t)((uint64_t)passed * sender->period);
		struct switched_line line;
		uint64_t good = 0;

		if (!from(run, sender, sender->number + passed, &line))
			return passed;
		if (line.at > start)
			return passed;
		if (line.at != SWITCHED_LONG_SINCE && line.period > sender->period) {
			good = (uint64_t)(start - line.at) / (line.period - sender->period) + 1;
			if (good < line.count)
				return good < limit - passed ? passed + (uint32_t)good : limit;
		}
		if (line.count >= limit - passed)
			return limit;
		passed += line.count;
	}
	return limit;
}

// How many bytes go no faster than the regime because these lines let them.
static uint32_t held_back(const struct switched_run *run, const struct switched_sender *sender,
			  line_from *from)
{
	struct switched_line line;

	if (!from(run, sender, sender->number, &line) || line.at != sender->next ||
	    line.period != sender->period)
		return 0;
	return line.count;
}

static int64_t regime_ends(const struct switched_run *run, const struct switched_sender *sender)
{
	uint32_t count = sender->end - sender->number;

	if (count > 0 && sender->period > sender->cycles) {
		const uint32_t a = held_back(run, sender, switched_arrival),
			       b = held_back(run, sender, switched_room);
		const uint32_t most = a > b ? a : b;

		count = most < count ? most : count;
	}
	count = met(run, sender, switched_arrival, count);
	count = met(run, sender, switched_room, count);
	if (count > 0)
		return sender->next + (int64_t)((uint64_t)(count - 1) * sender->period) +
		       sender->cycles;
	return sender->free > run->clock.cycle ? sender->free : run->clock.cycle + 1;
}

int64_t switched_sends_next(const struct switched_run *run, const struct switched_sender *sender)
{
	struct switched_line arrival, room;
	int64_t next;

	if (sender->on)
		return regime_ends(run, sender);
	if (!switched_arrival(run, sender, sender->number, &arrival) ||
	    !switched_room(run, sender, sender->number, &room))
		return SIM_NEVER;
	next = arrival.at > room.at ? arrival.at : room.at;
	next = next > sender->free ? next : sender->free;
	return next > run->clock.cycle ? next : run->clock.cycle + 1;
}
