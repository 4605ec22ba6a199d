// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "packet/frame.h"
#include "value/ticks.h"

static bool reorder_reserve(struct pk_order *order, size_t capacity)
{
	struct tr_packet *records = realloc(order->records, capacity * sizeof(*records));
	struct tr_packet *scratch;

	if (!records)
		return false;
	order->records = records;
	scratch = realloc(order->scratch, capacity * sizeof(*scratch));
	if (!scratch)
		return false;
	order->scratch = scratch;
	order->capacity = capacity;
	return true;
}

enum tr_status pk_order_open(struct pk_order *order, int64_t window_ns, enum pk_straggler straggler,
			     size_t most, struct tr_error *err)
{
	*order = (struct pk_order){
		.window_ns = window_ns,
		.straggler = straggler,
		.most = most,
		.early = most < PK_ORDER_HOLD,
		.newest_ns = INT64_MIN,
		.given_ns = INT64_MIN,
		.stepped_ns = INT64_MIN,
	};
	if (!reorder_reserve(order, PK_ORDER_HOLD < most ? PK_ORDER_HOLD : most)) {
		pk_order_close(order);
		return tr_no_memory(err, "the order of packets");
	}
	pk_order_set_due(order, straggler == PK_STRAGGLER_KEEP ? PK_ORDER_BATCH : PK_ORDER_HOLD);
	return TR_OK;
}

enum tr_status pk_order_step_back(struct pk_order *order, struct tr_error *err)
{
	struct tr_packet *record = &order->records[order->count];
	int64_t step_ns;
	char text[48];

	if (__builtin_sub_overflow(order->newest_ns, record->time_ticks, &step_ns))
		step_ns = INT64_MAX;
	order->late++;
	if (step_ns > order->step_max_ns)
		order->step_max_ns = step_ns;
	if (order->stepped_ns != order->newest_ns) {
		order->stepped_ns = order->newest_ns;
		order->step_ns = 0;
		order->stepped = false;
	}
	if (step_ns > order->step_ns)
		order->step_ns = step_ns;
	if (order->straggler == PK_STRAGGLER_KEEP)
		return TR_OK;
	order->disordered = true;
	record->flags |= TR_FLAG_LATE;
	if (record->time_ticks >= order->given_ns)
		return TR_OK;
	order->refused = order->straggler == PK_STRAGGLER_REFUSE && !order->early;
	if (order->refused)
		return tr_fail(err,
			       "packet %llu goes back in time by %s s, more than the window within "
			       "which packets are sorted",
			       (unsigned long long)record->id,
			       tr_ticks_format(step_ns, PK_TICKS_PER_S, text, sizeof(text)));
	order->clamped++;
	order->steps += !order->stepped;
	order->stepped = true;
	record->time_ticks = order->given_ns;
	return TR_OK;
}

// Merges the runs [0, middle) and [middle, count) of from into to, stably.
static void reorder_merge(const struct tr_packet *from, struct tr_packet *to, size_t middle,
			  size_t count)
{
	size_t left = 0, right = middle;

	for (size_t i = 0; i < count; i++) {
		const bool take_left = left < middle &&
				       (right == count ||
					from[left].time_ticks <= from[right].time_ticks);

		to[i] = from[take_left ? left++ : right++];
	}
}

// Merge sort, stable, from runs of one upwards.
static void reorder_sort(struct pk_order *order)
{
	struct tr_packet *from = order->records, *to = order->scratch;

	for (size_t run = 1; run < order->count; run *= 2) {
		for (size_t at = 0; at < order->count; at += 2 * run) {
			const size_t left = order->count - at;

			reorder_merge(from + at, to + at, left < run ? left : run,
				      left < 2 * run ? left : 2 * run);
		}
		struct tr_packet *sorted = to;

		to = from;
		from = sorted;
	}
	order->records = from;
	order->scratch = to;
	order->disordered = false;
}

// How many of the ordered records no packet within the window can precede.
static size_t settled(const struct pk_order *order)
{
	size_t low = 0, high = order->count;
	int64_t limit_ns;

	if (__builtin_sub_overflow(order->newest_ns, order->window_ns, &limit_ns))
		return 0;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (order->records[middle].time_ticks <= limit_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// How many to release of those held, in order.
static size_t count_released(struct pk_order *order, enum pk_release which)
{
	const size_t calm = order->straggler == PK_STRAGGLER_KEEP ? order->count : settled(order);
	size_t count = order->count;

	if (which == PK_RELEASE_SETTLED || which == PK_RELEASE_SOONER)
		count = order->count - calm > order->most / 2 ? order->count - order->most / 2
							      : calm;
	if (which != PK_RELEASE_ALL)
		order->hurried += count - calm;
	order->early |= which == PK_RELEASE_SOONER || order->hurried;
	return count;
}

void pk_order_set_due(struct pk_order *order, size_t count)
{
	order->due = count < order->most ? count : order->most;
}

enum tr_status pk_order_release(struct pk_order *order, enum pk_release which,
				enum tr_status (*give)(void *context, struct tr_packet *records,
						       size_t count),
				void *context, struct tr_error *err)
{
	size_t count;

	if (order->disordered)
		reorder_sort(order);
	count = count_released(order, which);
	if (count)
		order->given_ns = order->records[count - 1].time_ticks;
	if (count && give(context, order->records, count) != TR_OK)
		return TR_ERROR;
	order->count -= count;
	memmove(order->records, order->records + count, order->count * sizeof(*order->records));
	pk_order_set_due(order,
			 order->count * 2 > PK_ORDER_BATCH ? order->count * 2 : PK_ORDER_BATCH);
	if (order->due > order->capacity &&
	    !reorder_reserve(order, order->due * 2 < order->most ? order->due * 2 : order->most))
		return tr_no_memory(err, "the %zu packets of the window in which they are sorted",
				    order->due);
	return TR_OK;
}

void pk_order_close(struct pk_order *order)
{
	free(order->records);
	free(order->scratch);
	memset(order, 0, sizeof(*order));
}
