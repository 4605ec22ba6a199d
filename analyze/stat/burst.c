// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/burst.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum tr_status burst_open(struct burst *burst, const struct burst_windows *list,
			  struct tr_error *err)
{
	memset(burst, 0, sizeof *burst);
	burst->list = list;
	burst->windows = calloc(list->count + 1, sizeof *burst->windows);
	burst->gaps = calloc(list->count + 1, sizeof *burst->gaps);
	if (!burst->windows || !burst->gaps)
		return tr_fail(err, "no memory for the bursts of %zu windows", list->count);
	return TR_OK;
}

// From one time to a later one, at most INT64_MAX.
static int64_t gap_between(int64_t earlier, int64_t later)
{
	const uint64_t gap = (uint64_t)later - (uint64_t)earlier;

	return gap > INT64_MAX ? INT64_MAX : (int64_t)gap;
}

// Number of windows shorter than the gap.
static size_t windows_below(const struct burst_windows *list, int64_t gap)
{
	size_t lo = 0, hi = list->count;

	if (hi == 0 || gap <= list->ticks[0])
		return 0;
	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;

		if (list->ticks[middle] < gap)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

// A silence ended the open burst, packets_before packets into the stream; the next begins at start.
static void split(struct burst_window *window, uint64_t packets_before, int64_t start)
{
	if (window->splits == 0) {
		window->head_pulses = packets_before;
		window->second_start = start;
	} else {
		moments_add(&window->pulses, (int64_t)(packets_before - window->tail_first));
		moments_add(&window->starts, gap_between(window->tail_start, start));
	}
	window->splits++;
	window->tail_first = packets_before;
	window->tail_start = start;
}

void burst_add(struct burst *burst, int64_t time_ticks, uint64_t size_bytes)
{
	moments_add(&burst->size_bytes, (int64_t)size_bytes);
	if (burst->packets == 0) {
		burst->first_ticks = time_ticks;
	} else {
		const int64_t gap = gap_between(burst->last_ticks, time_ticks);
		const size_t below = windows_below(burst->list, gap);

		moments_add(&burst->gaps[below], gap);
		for (size_t i = 0; i < below; i++)
			split(&burst->windows[i], burst->packets, time_ticks);
	}
	burst->packets++;
	burst->last_ticks = time_ticks;
}

// Appends later's bursts where a silence lies between: its first burst is then whole.
static void append_apart(struct burst_window *window, uint64_t packets, int64_t later_start,
			 const struct burst_window *later)
{
	split(window, packets, later_start);
	if (later->splits == 0)
		return;
	moments_add(&window->pulses, (int64_t)later->head_pulses);
	moments_add(&window->starts, gap_between(later_start, later->second_start));
}

// Appends them where later's first burst goes on with the open one.
static void append_joined(struct burst_window *window, uint64_t packets,
			  const struct burst_window *later)
{
	if (later->splits > 0)
		split(window, packets + later->head_pulses, later->second_start);
}

static void merge_window(struct burst_window *window, uint64_t packets, bool apart,
			 int64_t later_start, const struct burst_window *later)
{
	if (apart)
		append_apart(window, packets, later_start, later);
	else
		append_joined(window, packets, later);
	if (later->splits == 0)
		return;
	window->splits += later->splits - (apart ? 0 : 1);
	window->tail_first = packets + later->tail_first;
	window->tail_start = later->tail_start;
	moments_merge(&window->pulses, &later->pulses);
	moments_merge(&window->starts, &later->starts);
}

static void copy(struct burst *burst, const struct burst *from)
{
	const size_t count = burst->list->count;

	burst->packets = from->packets;
	burst->first_ticks = from->first_ticks;
	burst->last_ticks = from->last_ticks;
	burst->size_bytes = from->size_bytes;
	memcpy(burst->windows, from->windows, (count + 1) * sizeof *burst->windows);
	memcpy(burst->gaps, from->gaps, (count + 1) * sizeof *burst->gaps);
}

void burst_merge(struct burst *burst, const struct burst *later)
{
	int64_t gap;
	size_t below;

	if (later->packets == 0)
		return;
	if (burst->packets == 0) {
		copy(burst, later);
		return;
	}
	gap = gap_between(burst->last_ticks, later->first_ticks);
	below = windows_below(burst->list, gap);
	moments_add(&burst->gaps[below], gap);
	for (size_t i = 0; i < burst->list->count; i++)
		merge_window(&burst->windows[i], burst->packets, i < below, later->first_ticks,
			     &later->windows[i]);
	for (size_t i = 0; i <= burst->list->count; i++)
		moments_merge(&burst->gaps[i], &later->gaps[i]);
	moments_merge(&burst->size_bytes, &later->size_bytes);
	burst->packets += later->packets;
	burst->last_ticks = later->last_ticks;
}

struct burst_statistics burst_get(const struct burst *burst, size_t i)
{
	const struct burst_window *window = &burst->windows[i];
	struct burst_statistics out = {.size_bytes = burst->size_bytes};

	if (burst->packets == 0)
		return out;
	out.pulses = window->pulses;
	out.interarrival = window->starts;
	if (window->splits > 0) {
		moments_add(&out.pulses, (int64_t)window->head_pulses);
		moments_add(&out.interarrival,
			    gap_between(burst->first_ticks, window->second_start));
	}
	moments_add(&out.pulses, (int64_t)(burst->packets - window->tail_first));
	for (size_t k = 0; k <= burst->list->count; k++)
		moments_merge(k <= i ? &out.delay : &out.silence, &burst->gaps[k]);
	return out;
}

void burst_statistics_merge(struct burst_statistics *into, const struct burst_statistics *from)
{
	moments_merge(&into->interarrival, &from->interarrival);
	moments_merge(&into->silence, &from->silence);
	moments_merge(&into->pulses, &from->pulses);
	moments_merge(&into->delay, &from->delay);
	moments_merge(&into->size_bytes, &from->size_bytes);
}

void burst_close(struct burst *burst)
{
	free(burst->windows);
	free(burst->gaps);
	memset(burst, 0, sizeof *burst);
}
