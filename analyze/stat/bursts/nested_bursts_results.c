// SPDX-License-Identifier: GPL-3.0-or-later
// What the bursts by a threshold come to, out of the sums that differ from one threshold to the
// next.
#include "stat/bursts/nested_bursts.h"

#include <string.h>

// Bursts of one packet by threshold k.
static struct burst_singles singles(const struct nested_bursts *bursts, size_t k)
{
	struct burst_singles sum = {0};

	for (size_t to = k + 1; to <= bursts->thresholds->count; to++) {
		sum.n += bursts->singles[to].n;
		sum.squares += bursts->singles[to].squares;
	}
	return sum;
}

static void add_off(const struct nested_bursts *bursts, size_t k, struct bursts_by *by)
{
	for (size_t level = k + 1; level <= bursts->thresholds->count; level++) {
		by->off.n += bursts->gaps[level].n;
		by->off.sum += bursts->gaps[level].sum;
		by->off.sum_squares += bursts->gaps[level].sum_squares;
	}
	by->off_max_ticks = by->off.n > 0 ? bursts->longest_ticks : 0;
}

struct bursts_by nested_bursts_get(const struct nested_bursts *bursts, size_t k)
{
	const uint64_t span = (uint64_t)bursts->last_ticks - (uint64_t)bursts->first_ticks;
	const struct burst_singles alone = singles(bursts, k);
	struct bursts_by by = {0};

	add_off(bursts, k, &by);
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		by.of[q].n = bursts->packets > 0 ? by.off.n + 1 : 0;
		for (size_t level = 0; level <= k; level++) {
			by.of[q].sum_squares += bursts->squares[level][q];
			if (bursts->peak[level].of[q] > by.max.of[q])
				by.max.of[q] = bursts->peak[level].of[q];
		}
	}
	by.of[BURST_ON].sum = (__int128)span - by.off.sum;
	by.of[BURST_PACKETS].sum = (__int128)bursts->packets;
	by.of[BURST_BYTES].sum = (__int128)bursts->size_bytes;
	by.of[BURST_PACKETS].sum_squares += alone.n;
	by.of[BURST_BYTES].sum_squares += alone.squares;
	if (alone.n > 0 && by.max.of[BURST_PACKETS] == 0)
		by.max.of[BURST_PACKETS] = 1;
	return by;
}

bool nested_bursts_has(const struct nested_bursts *bursts, size_t k)
{
	return bursts->histograms &&
	       (nested_bursts_keeps_all(bursts) || k == bursts->thresholds->shown);
}

void nested_bursts_histogram(const struct nested_bursts *bursts, size_t k,
			     enum burst_quantity quantity, struct log_histogram *out)
{
	const bool all = nested_bursts_keeps_all(bursts);

	memset(out, 0, sizeof(*out));
	for (size_t level = 0; level <= (all ? k : 0); level++)
		log_histogram_merge(out, &bursts->histograms[level].of[quantity]);
	if (quantity == BURST_BYTES)
		for (size_t to = all ? k + 1 : 0; to <= (all ? bursts->thresholds->count : 0); to++)
			log_histogram_merge(out, &bursts->histograms[to].singles);
	else
		out->count[quantity == BURST_PACKETS ? log_histogram_bucket(1) : 0] +=
			(int64_t)singles(bursts, k).n;
}

// Gaps beyond ticks[k], minus one, start at ticks[k]: of the bucket that holds it, what the buckets
// above have not.
void nested_bursts_off_histogram(const struct nested_bursts *bursts, size_t k,
				 struct log_histogram *out)
{
	const unsigned bucket = log_histogram_bucket((uint64_t)bursts->thresholds->ticks[k]);
	uint64_t left = 0;

	*out = bursts->gap_histograms[nested_bursts_keeps_all(bursts) ? 0 : 1];
	if (!nested_bursts_keeps_all(bursts))
		return;
	for (size_t level = k + 1; level <= bursts->thresholds->count; level++)
		left += bursts->gaps[level].n;
	for (unsigned i = bucket + 1; i < LOG_HISTOGRAM_BUCKETS; i++)
		left -= (uint64_t)out->count[i];
	memset(out->count, 0, bucket * sizeof(*out->count));
	out->count[bucket] = (int64_t)left;
}
