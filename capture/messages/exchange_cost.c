// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/exchanges.h"

#include <stdlib.h>
#include <string.h>

#include "value/order.h"

#define COMPARED_MIN 3u // messages of the same size in a step, and nodes that begin

static int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// The lower median of values, which it sorts.
static int64_t exchange_median(int64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), order_i64);
	return values[(count - 1) / 2];
}

static int by_step_and_begin(const void *left, const void *right)
{
	const struct exchange_part *a = left, *b = right;

	ORDER_BY(a->step, b->step);
	ORDER_BY(a->src, b->src);
	return ORDER(a->of, b->of); // of one array, which is sorted by begin
}

// The end of the step that begins with this part.
static size_t step_end(const struct exchange_costs *costs, size_t at)
{
	const uint32_t step = costs->parts[at].step;

	while (at < costs->exchange->count && costs->parts[at].step == step)
		at++;
	return at;
}

// The part before of each part's sender, and the first one of its receiver in the same step;
// receivers only where no message ends before its receiver has come so far: ends are receipts.
static void costs_link(struct exchange_costs *costs)
{
	const struct exchange *exchange = costs->exchange;
	size_t *last = (size_t *)costs->room; // by place, one more
	bool received = true;

	for (uint32_t p = 0; p < exchange->places; p++)
		last[p] = 0;
	for (size_t i = 0, end; i < exchange->count; i = end) {
		end = step_end(costs, i);
		for (size_t m = i; m < end; m++) {
			costs->times[m].before = last[costs->parts[m].src] - 1;
			last[costs->parts[m].src] = m + 1;
		}
		for (size_t m = i; m < end; m++) {
			size_t first = last[costs->parts[m].dst] - 1;

			while (first != SIZE_MAX && costs->times[first].before != SIZE_MAX &&
			       costs->times[first].before >= i)
				first = costs->times[first].before;
			costs->times[m].receiver = first != SIZE_MAX && first >= i ? first
										   : SIZE_MAX;
			if (costs->times[m].receiver != SIZE_MAX &&
			    costs->parts[m].of->end_ticks < costs->parts[first].of->begin_ticks)
				received = false;
		}
	}
	for (size_t i = 0; i < exchange->count && !received; i++)
		costs->times[i].receiver = SIZE_MAX;
}

// Own times: of what each message may wait for, that which ended after it is left out.
static void costs_measure(struct exchange_costs *costs)
{
	const struct exchange_part *parts = costs->parts;

	for (size_t i = 0; i < costs->exchange->count; i++) {
		struct exchange_time *time = &costs->times[i];
		const int64_t end_ticks = parts[i].of->end_ticks;
		int64_t last_ticks = parts[i].of->begin_ticks;

		if (time->before != SIZE_MAX && parts[time->before].of->end_ticks > end_ticks)
			time->before = SIZE_MAX;
		if (time->before != SIZE_MAX)
			last_ticks = later_of(last_ticks, parts[time->before].of->end_ticks);
		if (time->receiver != SIZE_MAX)
			last_ticks = later_of(last_ticks, parts[time->receiver].of->begin_ticks);
		time->own_ticks = end_ticks - last_ticks;
	}
}

static void costs_compare(struct exchange_costs *costs)
{
	const struct exchange *exchange = costs->exchange;

	for (size_t i = 0, end; i < exchange->count; i = end) {
		end = step_end(costs, i);
		for (size_t m = i; m < end; m++) {
			const uint64_t size_bytes = costs->parts[m].of->size_bytes;
			size_t count = 0;

			if (m > i && size_bytes == costs->parts[m - 1].of->size_bytes) {
				costs->times[m].usual_ticks = costs->times[m - 1].usual_ticks;
				continue;
			}
			for (size_t other = i; other < end; other++)
				if (costs->parts[other].of->size_bytes == size_bytes)
					costs->room[count++] = costs->times[other].own_ticks;
			costs->times[m].usual_ticks = count < COMPARED_MIN
							      ? INT64_MAX
							      : exchange_median(costs->room, count);
		}
	}
}

// Who begins by itself: before anything came to it.
static void costs_begin(struct exchange_costs *costs)
{
	const struct exchange *exchange = costs->exchange;
	size_t count = 0;

	for (uint32_t p = 0; p < exchange->places; p++)
		costs->begins[p] = INT64_MAX; // not yet known
	for (size_t i = 0, end; i < exchange->count; i = end) {
		end = step_end(costs, i);
		for (size_t m = i; m < end; m++)
			if (costs->begins[costs->parts[m].src] == INT64_MAX) {
				costs->begins[costs->parts[m].src] =
					costs->parts[m].of->begin_ticks;
				costs->room[count++] = costs->parts[m].of->begin_ticks;
			}
		for (size_t m = i; m < end; m++)
			if (costs->begins[costs->parts[m].dst] == INT64_MAX)
				costs->begins[costs->parts[m].dst] = INT64_MIN;
	}
	costs->usual_begin_ticks = count < COMPARED_MIN ? INT64_MIN
							: exchange_median(costs->room, count);
}

enum tr_status exchange_costs_open(struct exchange_costs *costs, const struct exchange *exchange,
				   struct tr_error *err)
{
	// The replay takes two words a place and two a message.
	const size_t room = 2 * ((size_t)exchange->places + exchange->count);

	*costs = (struct exchange_costs){
		.exchange = exchange,
		.parts = calloc(exchange->count, sizeof(*costs->parts)),
		.times = calloc(exchange->count, sizeof(*costs->times)),
		.begins = calloc(exchange->places, sizeof(*costs->begins)),
		.room = calloc(room, sizeof(*costs->room)),
	};
	if (!costs->parts || !costs->times || !costs->begins || !costs->room)
		return tr_no_memory(err, "%zu messages of an operation", exchange->count);
	memcpy(costs->parts, exchange->parts, exchange->count * sizeof(*costs->parts));
	qsort(costs->parts, exchange->count, sizeof(*costs->parts), by_step_and_begin);
	costs_link(costs);
	costs_measure(costs);
	costs_compare(costs);
	costs_begin(costs);
	return TR_OK;
}

void exchange_costs_close(struct exchange_costs *costs)
{
	free(costs->parts);
	free(costs->times);
	free(costs->begins);
	free(costs->room);
}

// When a message begins: as long after what its sender last waited for or began, which was at was
// and is at last, as it did. Where the message before waited for its receiver, the sender goes on
// when that has left, a little before it has come: from the last sixteenth of its own time on.
static int64_t exchange_begun(const struct exchange_costs *costs, size_t at, int64_t last,
			      int64_t was, const int64_t *ended)
{
	const int64_t begin_ticks = costs->parts[at].of->begin_ticks;
	const struct exchange_time *before = costs->times[at].before == SIZE_MAX
						     ? NULL
						     : &costs->times[costs->times[at].before];
	const struct exchange_message *sent = before ? costs->parts[costs->times[at].before].of
						     : NULL;

	if (was == INT64_MIN)
		return begin_ticks;
	if (sent && before->receiver != SIZE_MAX && sent->end_ticks > was &&
	    sent->begin_ticks < costs->parts[before->receiver].of->begin_ticks &&
	    sent->end_ticks - before->own_ticks / 16 <= begin_ticks)
		return ended[costs->times[at].before] + begin_ticks - sent->end_ticks;
	return last + begin_ticks - was;
}

static bool is_undone(const struct exchange_undone *undone, size_t count, uint32_t src,
		      uint32_t dst)
{
	for (size_t i = 0; i < count; i++)
		if (undone[i].src == src && undone[i].dst == dst)
			return true;
	return false;
}

int64_t exchange_end_without(struct exchange_costs *costs, const struct exchange_undone *undone,
			     size_t count)
{
	const struct exchange *exchange = costs->exchange;
	const uint32_t n = exchange->places;
	// Of each place, what it last waited for or began, without what is left out and as it was;
	// when each message begins and ends.
	int64_t *last = costs->room, *was = last + n, *begun = was + n,
		*ended = begun + exchange->count;
	int64_t end_ticks = INT64_MIN;

	for (uint32_t p = 0; p < n; p++)
		last[p] = was[p] = INT64_MIN;
	for (size_t i = 0, end; i < exchange->count; i = end) {
		end = step_end(costs, i);
		for (size_t m = i; m < end; m++) {
			const struct exchange_part *part = &costs->parts[m];

			begun[m] = exchange_begun(costs, m, last[part->src], was[part->src], ended);
			if (was[part->src] == INT64_MIN && costs->usual_begin_ticks < begun[m] &&
			    costs->usual_begin_ticks != INT64_MIN &&
			    is_undone(undone, count, part->src, EXCHANGE_NONE))
				begun[m] = costs->usual_begin_ticks;
			last[part->src] = later_of(last[part->src], begun[m]);
			was[part->src] = later_of(was[part->src], part->of->begin_ticks);
		}
		for (size_t m = i; m < end; m++) {
			const struct exchange_part *part = &costs->parts[m];
			const struct exchange_time *time = &costs->times[m];
			int64_t at_ticks = begun[m], own_ticks = time->own_ticks;

			if (time->usual_ticks < own_ticks &&
			    is_undone(undone, count, part->src, part->dst))
				own_ticks = time->usual_ticks;
			if (time->before != SIZE_MAX)
				at_ticks = later_of(at_ticks, ended[time->before]);
			if (time->receiver != SIZE_MAX)
				at_ticks = later_of(at_ticks, begun[time->receiver]);
			ended[m] = at_ticks + own_ticks;
			end_ticks = later_of(end_ticks, ended[m]);
		}
		for (size_t m = i; m < end; m++) {
			const struct exchange_part *part = &costs->parts[m];

			last[part->dst] = later_of(last[part->dst], ended[m]);
			was[part->dst] = later_of(was[part->dst], part->of->end_ticks);
		}
	}
	return end_ticks;
}
