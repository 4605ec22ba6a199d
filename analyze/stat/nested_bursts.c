// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of bursts is built from left to right as a Cartesian tree is (Vuillemin 1980). Known answer:
// pulses of equal packets and gaps have the same bursts by every threshold from the gap to the silence.
#include "stat/nested_bursts.h"

#include <stdlib.h>
#include <string.h>

static bool keeps_all(const struct nested_bursts *bursts)
{
	return bursts->thresholds->shown == THRESHOLDS_MAX;
}

enum tr_status nested_bursts_open(struct nested_bursts *bursts, const struct thresholds *thresholds,
				  bool with_histograms, struct tr_error *err)
{
	memset(bursts, 0, sizeof *bursts);
	bursts->thresholds = thresholds;
	bursts->gap_histograms = calloc(2, sizeof *bursts->gap_histograms);
	if (with_histograms)
		bursts->histograms = calloc(keeps_all(bursts) ? thresholds->count + 1 : 1,
					    sizeof *bursts->histograms);
	if (!bursts->gap_histograms || (with_histograms && !bursts->histograms))
		return tr_fail(err, "no memory for the bursts of %zu thresholds", thresholds->count);
	return TR_OK;
}

// How many thresholds a gap exceeds.
static unsigned exceeded(const struct thresholds *thresholds, int64_t gap_ticks)
{
	unsigned count = 0;

	if (thresholds->powers)
		return gap_ticks < 2 ? 0 : 64u - (unsigned)__builtin_clzll((uint64_t)gap_ticks - 1);
	while (count < thresholds->count && thresholds->ticks[count] < gap_ticks)
		count++;
	return count;
}

static void put_histograms(struct nested_bursts *bursts, const struct burst_open *open, unsigned to)
{
	const size_t shown = bursts->thresholds->shown;

	if (!bursts->histograms || (!keeps_all(bursts) && (shown < open->from || shown >= to)))
		return;
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		const unsigned bucket = log_histogram_bucket(open->sum.of[q]);

		if (keeps_all(bursts)) {
			bursts->histograms[open->from].of[q].count[bucket]++;
			bursts->histograms[to].of[q].count[bucket]--;
		} else {
			bursts->histograms[0].of[q].count[bucket]++;
		}
	}
}

// The burst on top of the stack was one by the thresholds up to below to.
static void put(struct nested_bursts *bursts, unsigned to)
{
	const struct burst_open *open = &bursts->stack[bursts->depth - 1];
	const unsigned from = open->from;

	if (from >= to)
		return;
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		const uint64_t value = open->sum.of[q];
		const unsigned __int128 square = (unsigned __int128)value * value;

		bursts->squares[from][q] += square;
		bursts->squares[to][q] -= square;
		if (value > bursts->peak[from].of[q])
			bursts->peak[from].of[q] = value;
	}
	put_histograms(bursts, open, to);
}

// The top, which ends at a time, becomes part of the burst below it.
static void join(struct nested_bursts *bursts, int64_t end_ticks)
{
	struct burst_open *top = &bursts->stack[bursts->depth - 1], *below = top - 1;

	put(bursts, top->joins);
	below->sum.of[BURST_ON] = (uint64_t)end_ticks - (uint64_t)below->first_ticks;
	below->sum.of[BURST_PACKETS] += top->sum.of[BURST_PACKETS];
	below->sum.of[BURST_BYTES] += top->sum.of[BURST_BYTES];
	below->from = top->joins;
	bursts->depth--;
}

static void add_gap(struct nested_bursts *bursts, unsigned level, int64_t gap_ticks)
{
	const uint64_t less_one = gap_ticks > 0 ? (uint64_t)gap_ticks - 1 : 0;
	const bool beyond = level > bursts->thresholds->shown;

	moments_add(&bursts->gaps[level], gap_ticks);
	bursts->gap_histograms[beyond].count[log_histogram_bucket(less_one)]++;
}

static void extend_top(struct nested_bursts *bursts, int64_t time_ticks, uint64_t size_bytes)
{
	struct burst_open *top = &bursts->stack[bursts->depth - 1];

	top->sum.of[BURST_ON] = (uint64_t)time_ticks - (uint64_t)top->first_ticks;
	top->sum.of[BURST_PACKETS]++;
	top->sum.of[BURST_BYTES] += size_bytes;
}

static void push(struct nested_bursts *bursts, unsigned joins, int64_t time_ticks, uint64_t size_bytes)
{
	bursts->stack[bursts->depth++] =
		(struct burst_open){{{0, 1, size_bytes}}, time_ticks, 0, joins};
}

// No threshold is as long as the gap that follows: what there is ends.
static void end_all(struct nested_bursts *bursts)
{
	while (bursts->depth > 1)
		join(bursts, bursts->last_ticks);
	put(bursts, (unsigned)bursts->thresholds->count);
	bursts->depth = 0;
}

void nested_bursts_add(struct nested_bursts *bursts, int64_t time_ticks, uint64_t size_bytes)
{
	unsigned level = (unsigned)bursts->thresholds->count;

	if (bursts->packets++ == 0) {
		bursts->first_ticks = time_ticks;
	} else {
		const int64_t gap_ticks = time_ticks - bursts->last_ticks;

		level = exceeded(bursts->thresholds, gap_ticks);
		add_gap(bursts, level, gap_ticks);
		if (level == bursts->thresholds->count) {
			end_all(bursts);
		} else if (level > 0) {
			while (bursts->depth > 1 && bursts->stack[bursts->depth - 1].joins <= level)
				join(bursts, bursts->last_ticks);
			put(bursts, level);
		}
	}
	if (level == 0)
		extend_top(bursts, time_ticks, size_bytes);
	else
		push(bursts, level, time_ticks, size_bytes);
	bursts->size_bytes += size_bytes;
	bursts->last_ticks = time_ticks;
}

void nested_bursts_finish(struct nested_bursts *bursts)
{
	if (bursts->depth > 0)
		end_all(bursts);
	bursts->finished = true;
}

// ---- what there is

struct bursts_by nested_bursts_get(const struct nested_bursts *bursts, size_t k)
{
	struct bursts_by by = {0};
	uint64_t span, n;

	for (size_t level = k + 1; level <= bursts->thresholds->count; level++)
		moments_merge(&by.off, &bursts->gaps[level]);
	span = (uint64_t)bursts->last_ticks - (uint64_t)bursts->first_ticks;
	n = bursts->packets > 0 ? by.off.n + 1 : 0;
	by.of[BURST_ON].sum = (__int128)span - by.off.sum;
	by.of[BURST_PACKETS].sum = (__int128)bursts->packets;
	by.of[BURST_BYTES].sum = (__int128)bursts->size_bytes;
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		by.of[q].n = n;
		for (size_t level = 0; level <= k; level++) {
			by.of[q].sum_squares += bursts->squares[level][q];
			if (bursts->peak[level].of[q] > by.max.of[q])
				by.max.of[q] = bursts->peak[level].of[q];
		}
	}
	return by;
}

bool nested_bursts_has(const struct nested_bursts *bursts, size_t k)
{
	return bursts->histograms && (keeps_all(bursts) || k == bursts->thresholds->shown);
}

void nested_bursts_histogram(const struct nested_bursts *bursts, size_t k, enum burst_quantity quantity,
			     struct log_histogram *out)
{
	memset(out, 0, sizeof *out);
	for (size_t level = 0; level <= (keeps_all(bursts) ? k : 0); level++)
		log_histogram_merge(out, &bursts->histograms[level].of[quantity]);
}

// Gaps beyond 2^k ticks are, less one, from 2^k on, where a bucket begins.
void nested_bursts_off_histogram(const struct nested_bursts *bursts, size_t k,
				 struct log_histogram *out)
{
	*out = bursts->gap_histograms[keeps_all(bursts) ? 0 : 1];
	if (keeps_all(bursts))
		memset(out->count, 0, log_histogram_bucket(UINT64_C(1) << k) * sizeof *out->count);
}

void nested_bursts_close(struct nested_bursts *bursts)
{
	free(bursts->histograms);
	free(bursts->gap_histograms);
	memset(bursts, 0, sizeof *bursts);
}
