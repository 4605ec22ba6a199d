// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/exchanges.h"

#include <stdlib.h>
#include <string.h>

#include "value/order.h"
#include "value/ticks.h"

#define COMPARED_MIN 3u // messages of the same size in a step, and nodes that begin

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

// A place while the messages are gone through: its last and its first part of this step; SIZE_MAX:
// none.
struct exchange_place {
	size_t last, first;
};

// The part before of each part's sender, and the first one of its receiver in the same step;
// receivers only where no message of the step ends before its receiver has come so far: ends are
// receipts.
static void costs_link(struct exchange_costs *costs, size_t step, size_t end,
		       struct exchange_place *places)
{
	const struct exchange_part *parts = costs->parts;
	bool received = true;

	for (size_t m = step; m < end; m++) {
		struct exchange_place *src = &places[parts[m].src];

		costs->times[m].before = src->last;
		src->first = src->last == SIZE_MAX || src->last < step ? m : src->first;
		src->last = m;
		if (costs->begins[parts[m].src] == INT64_MAX)
			costs->begins[parts[m].src] = parts[m].of->begin_ticks;
	}
	for (size_t m = step; m < end; m++) {
		const struct exchange_place *dst = &places[parts[m].dst];
		const bool sends = dst->last != SIZE_MAX && dst->last >= step;

		costs->times[m].receiver = sends ? dst->first : SIZE_MAX;
		received = received &&
			   !(sends && parts[m].of->end_ticks < parts[dst->first].of->begin_ticks);
		if (costs->begins[parts[m].dst] == INT64_MAX)
			costs->begins[parts[m].dst] = INT64_MIN;
	}
	for (size_t m = step; m < end && !received; m++)
		costs->times[m].receiver = SIZE_MAX;
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
			last_ticks = ticks_later(last_ticks, parts[time->before].of->end_ticks);
		if (time->receiver != SIZE_MAX)
			last_ticks = ticks_later(last_ticks, parts[time->receiver].of->begin_ticks);
		time->own_ticks = end_ticks - last_ticks;
	}
}

static int by_step_and_size(const void *left, const void *right)
{
	const struct exchange_like *a = left, *b = right;

	ORDER_BY(a->step, b->step);
	ORDER_BY(a->size_bytes, b->size_bytes);
	return ORDER(a->part, b->part);
}

size_t exchange_likes_end(const struct exchange_costs *costs, size_t at)
{
	const struct exchange_like *first = &costs->likes[at];

	while (at < costs->exchange->count && costs->likes[at].step == first->step &&
	       costs->likes[at].size_bytes == first->size_bytes)
		at++;
	return at;
}

// From the begin of its sender and its receiver to its end.
static int64_t ticks_since_begun(const struct exchange_costs *costs, size_t part)
{
	const struct exchange_message *of = costs->parts[part].of;
	const size_t receiver = costs->times[part].receiver;
	const int64_t begin_ticks = receiver == SIZE_MAX
					    ? of->begin_ticks
					    : ticks_later(of->begin_ticks,
							  costs->parts[receiver].of->begin_ticks);

	return of->end_ticks - begin_ticks;
}

// The message before may end on its way while the next is on its own, which has a shorter own time
// then; one that waited for none before is beside such no longer than it would be without that.
static void costs_compare(struct exchange_costs *costs)
{
	const size_t count = costs->exchange->count;

	for (size_t i = 0; i < count; i++)
		costs->likes[i] = (struct exchange_like){costs->parts[i].step,
							 costs->parts[i].of->size_bytes, i};
	qsort(costs->likes, count, sizeof(*costs->likes), by_step_and_size);
	for (size_t i = 0, end; i < count; i = end) {
		int64_t usual_ticks = INT64_MAX, since_begun_ticks = INT64_MAX;

		end = exchange_likes_end(costs, i);
		for (size_t k = i; k < end; k++)
			costs->room[k - i] = costs->times[costs->likes[k].part].own_ticks;
		if (end - i >= COMPARED_MIN)
			usual_ticks = exchange_median(costs->room, end - i);
		for (size_t k = i; k < end; k++)
			costs->room[k - i] = ticks_since_begun(costs, costs->likes[k].part);
		if (end - i >= COMPARED_MIN)
			since_begun_ticks = exchange_median(costs->room, end - i);
		for (size_t k = i; k < end; k++) {
			const size_t part = costs->likes[k].part;
			const bool waited = costs->times[part].own_ticks <
					    ticks_since_begun(costs, part);

			costs->times[part].usual_ticks = waited ? usual_ticks
								: ticks_later(usual_ticks,
									      since_begun_ticks);
		}
	}
}

enum tr_status exchange_costs_open(struct exchange_costs *costs, const struct exchange *exchange,
				   struct tr_error *err)
{
	// The replay takes two words a place and two a message.
	const size_t room = 2 * ((size_t)exchange->places + exchange->count);
	struct exchange_place *places;
	size_t begin_count = 0;

	*costs = (struct exchange_costs){
		.exchange = exchange,
		.parts = calloc(exchange->count, sizeof(*costs->parts)),
		.times = calloc(exchange->count, sizeof(*costs->times)),
		.likes = calloc(exchange->count, sizeof(*costs->likes)),
		.begins = calloc(exchange->places, sizeof(*costs->begins)),
		.room = calloc(room, sizeof(*costs->room)),
	};
	if (!costs->parts || !costs->times || !costs->likes || !costs->begins || !costs->room)
		return tr_no_memory(err, "%zu messages of an operation", exchange->count);
	memcpy(costs->parts, exchange->parts, exchange->count * sizeof(*costs->parts));
	qsort(costs->parts, exchange->count, sizeof(*costs->parts), by_step_and_begin);
	places = (struct exchange_place *)costs->room;
	for (uint32_t p = 0; p < exchange->places; p++) {
		places[p] = (struct exchange_place){SIZE_MAX, SIZE_MAX};
		costs->begins[p] = INT64_MAX; // not yet known
	}
	for (size_t i = 0, end; i < exchange->count; i = end) {
		end = step_end(costs, i);
		costs_link(costs, i, end, places);
	}
	costs_measure(costs);
	costs_compare(costs);
	for (uint32_t p = 0; p < exchange->places; p++)
		if (costs->begins[p] != INT64_MIN)
			costs->room[begin_count++] = costs->begins[p];
	costs->usual_begin_ticks = begin_count < COMPARED_MIN
					   ? INT64_MIN
					   : exchange_median(costs->room, begin_count);
	return TR_OK;
}

void exchange_costs_close(struct exchange_costs *costs)
{
	free(costs->parts);
	free(costs->times);
	free(costs->likes);
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
			last[part->src] = ticks_later(last[part->src], begun[m]);
			was[part->src] = ticks_later(was[part->src], part->of->begin_ticks);
		}
		for (size_t m = i; m < end; m++) {
			const struct exchange_part *part = &costs->parts[m];
			const struct exchange_time *time = &costs->times[m];
			int64_t at_ticks = begun[m], own_ticks = time->own_ticks;

			if (time->usual_ticks < own_ticks &&
			    is_undone(undone, count, part->src, part->dst))
				own_ticks = time->usual_ticks;
			if (time->before != SIZE_MAX)
				at_ticks = ticks_later(at_ticks, ended[time->before]);
			if (time->receiver != SIZE_MAX)
				at_ticks = ticks_later(at_ticks, begun[time->receiver]);
			ended[m] = at_ticks + own_ticks;
			end_ticks = ticks_later(end_ticks, ended[m]);
		}
		for (size_t m = i; m < end; m++) {
			const struct exchange_part *part = &costs->parts[m];

			last[part->dst] = ticks_later(last[part->dst], ended[m]);
			was[part->dst] = ticks_later(was[part->dst], part->of->end_ticks);
		}
	}
	return end_ticks;
}
