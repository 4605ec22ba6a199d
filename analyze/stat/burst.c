// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/burst.h"

#include <stdlib.h>
#include <string.h>

enum tr_status burst_open(struct burst *burst, const struct burst_windows *list, struct tr_error *err)
{
	memset(burst, 0, sizeof(*burst));
	burst->list = list;
	burst->heads = calloc(list->count + 1, sizeof(*burst->heads));
	burst->steps = calloc(list->count + 1, sizeof(*burst->steps));
	burst->sums = calloc(list->count + 1, sizeof(*burst->sums));
	burst->gaps = calloc(list->count + 1, sizeof(*burst->gaps));
	if (!burst->heads || !burst->steps || !burst->sums || !burst->gaps)
		return tr_no_memory(err, "the bursts of %zu windows", list->count);
	return TR_OK;
}

// From one time to a later one, at most INT64_MAX.
static int64_t gap_between(int64_t earlier, int64_t later)
{
	const uint64_t gap = (uint64_t)later - (uint64_t)earlier;

	return gap > INT64_MAX ? INT64_MAX : (int64_t)gap;
}

// Number of windows shorter than the gap. A binary search without branches, which would be unpredictable.
static size_t windows_below(const struct burst_windows *list, int64_t gap)
{
	size_t below = 0, left = list->count;

	if (left == 0 || gap <= list->ticks[0])
		return 0;
	while (left > 1) {
		const size_t half = left / 2;

		below += list->ticks[below + half - 1] < gap ? half : 0;
		left -= half;
	}
	return below + (list->ticks[below] < gap);
}

// A burst ended in the windows [from, to).
static void add_burst(struct burst *burst, size_t from, size_t to, uint64_t pulses, int64_t starts)
{
	const unsigned __int128 pulses_square = (unsigned __int128)pulses * pulses;
	const unsigned __int128 starts_square = (unsigned __int128)((__int128)starts * starts);

	burst->sums[from].pulses += (__int128)pulses;
	burst->sums[to].pulses -= (__int128)pulses;
	burst->sums[from].starts += starts;
	burst->sums[to].starts -= starts;
	burst->sums[from].pulses_squares += pulses_square;
	burst->sums[to].pulses_squares -= pulses_square;
	burst->sums[from].starts_squares += starts_square;
	burst->sums[to].starts_squares -= starts_square;
}

// A silence longer than the first below windows has ended; the next bursts begin at start.
static void split(struct burst *burst, size_t below, int64_t start)
{
	for (size_t from = 0; from < below && burst->step_count > 0;) {
		const struct burst_step *step = &burst->steps[burst->step_count - 1];
		const size_t to = step->end < below ? step->end : below;

		add_burst(burst, from, to, burst->packets - step->first, gap_between(step->start, start));
		if (step->end <= below)
			burst->step_count--;
		from = to;
	}
	for (; burst->split_count < below; burst->split_count++)
		burst->heads[burst->split_count] = (struct burst_head){burst->packets, start};
	burst->steps[burst->step_count++] = (struct burst_step){below, burst->packets, start};
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
		if (below > 0)
			split(burst, below, time_ticks);
	}
	burst->packets++;
	burst->last_ticks = time_ticks;
}

uint64_t burst_splits(const struct burst *burst, size_t i)
{
	uint64_t splits = 0;

	for (size_t k = i + 1; k <= burst->list->count; k++)
		splits += burst->gaps[k].n;
	return splits;
}

// The sum of the differences up to window i.
static struct burst_sums sums_of(const struct burst *burst, size_t i)
{
	struct burst_sums sums = {0};

	for (size_t k = 0; k <= i; k++) {
		sums.pulses += burst->sums[k].pulses;
		sums.starts += burst->sums[k].starts;
		sums.pulses_squares += burst->sums[k].pulses_squares;
		sums.starts_squares += burst->sums[k].starts_squares;
	}
	return sums;
}

static void add_value(struct moments *moments, int64_t value)
{
	moments->n++;
	moments->sum += value;
	moments->sum_squares += (unsigned __int128)((__int128)value * value);
}

// Number of packets before the last burst by window i.
static uint64_t last_first(const struct burst *burst, size_t i)
{
	for (size_t k = burst->step_count; k-- > 0;)
		if (i < burst->steps[k].end)
			return burst->steps[k].first;
	return 0;
}

struct burst_statistics burst_get(const struct burst *burst, size_t i)
{
	const uint64_t splits = burst->packets > 0 ? burst_splits(burst, i) : 0;
	struct burst_statistics out = {.size_bytes = burst->size_bytes};

	if (burst->packets == 0)
		return out;
	if (splits > 0) {
		const struct burst_sums sums = sums_of(burst, i);

		out.pulses = (struct moments){.n = splits - 1, .sum = sums.pulses, .sum_squares = sums.pulses_squares};
		out.interarrival = (struct moments){.n = splits - 1, .sum = sums.starts, .sum_squares = sums.starts_squares};
		add_value(&out.pulses, (int64_t)burst->heads[i].pulses);
		add_value(&out.interarrival, gap_between(burst->first_ticks, burst->heads[i].second_start));
	}
	add_value(&out.pulses, (int64_t)(burst->packets - last_first(burst, i)));
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
	free(burst->heads);
	free(burst->steps);
	free(burst->sums);
	free(burst->gaps);
	memset(burst, 0, sizeof(*burst));
}
