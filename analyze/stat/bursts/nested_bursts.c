// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of bursts is built from left to right as a Cartesian tree is (Vuillemin 1980). Known
// answer: pulses of equal packets and gaps have the same bursts by every threshold from the gap to
// the silence.
#include "stat/bursts/nested_bursts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// How many histograms there are of each quantity.
static size_t histogram_count(const struct nested_bursts *bursts)
{
	return nested_bursts_keeps_all(bursts) ? bursts->thresholds->count + 1 : 1;
}

static enum tr_status allocate(struct nested_bursts *bursts, bool with_histograms,
			       struct tr_error *err)
{
	bursts->gap_histograms = calloc(2, sizeof(*bursts->gap_histograms));
	bursts->histograms = NULL;
	if (with_histograms)
		bursts->histograms = calloc(histogram_count(bursts), sizeof(*bursts->histograms));
	if (!bursts->gap_histograms || (with_histograms && !bursts->histograms))
		return tr_no_memory(err, "the bursts of %zu thresholds", bursts->thresholds->count);
	return TR_OK;
}

enum tr_status nested_bursts_open(struct nested_bursts *bursts, const struct burst_gaps *thresholds,
				  bool with_histograms, struct tr_error *err)
{
	memset(bursts, 0, sizeof(*bursts));
	bursts->thresholds = thresholds;
	return allocate(bursts, with_histograms, err);
}

enum tr_status nested_bursts_copy(struct nested_bursts *to, const struct nested_bursts *from,
				  struct tr_error *err)
{
	*to = *from;
	if (allocate(to, from->histograms, err) != TR_OK)
		return TR_ERROR;
	memcpy(to->gap_histograms, from->gap_histograms, 2 * sizeof(*to->gap_histograms));
	if (from->histograms)
		memcpy(to->histograms, from->histograms,
		       histogram_count(from) * sizeof(*to->histograms));
	return TR_OK;
}

// by: 1, or -1 to take one out again.
static void put_histograms(struct nested_bursts *bursts, const struct burst_values *sum,
			   unsigned from, unsigned to, int by)
{
	const size_t shown = bursts->thresholds->shown;
	const bool all = nested_bursts_keeps_all(bursts);

	if (!bursts->histograms || (!all && (shown < from || shown >= to)))
		return;
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		const unsigned bucket = log_histogram_bucket(sum->of[q]);

		bursts->histograms[all ? from : 0].of[q].count[bucket] += by;
		if (all)
			bursts->histograms[to].of[q].count[bucket] -= by;
	}
}

// A burst of several packets was one by the thresholds from `from` up to below `to`.
static void put(struct nested_bursts *bursts, const struct burst_values *sum, unsigned from,
		unsigned to)
{
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		const uint64_t value = sum->of[q];
		const unsigned __int128 square = (unsigned __int128)value * value;

		bursts->squares[from][q] += square;
		bursts->squares[to][q] -= square;
		if (value > bursts->peak[from].of[q])
			bursts->peak[from].of[q] = value;
	}
	put_histograms(bursts, sum, from, to, 1);
}

static inline void put_single_histogram(struct nested_bursts *bursts, uint64_t size_bytes,
					unsigned to, int by)
{
	if (bursts->histograms && nested_bursts_keeps_all(bursts))
		bursts->histograms[to].singles.count[log_histogram_bucket(size_bytes)] += by;
	else if (bursts->histograms && bursts->thresholds->shown < to)
		bursts->histograms[0].singles.count[log_histogram_bucket(size_bytes)] += by;
}

// A packet was a burst of its own by the thresholds below to.
static inline void put_single(struct nested_bursts *bursts, uint64_t size_bytes, unsigned to)
{
	struct burst_singles *singles = &bursts->singles[to];

	singles->n++;
	singles->squares += (unsigned __int128)size_bytes * size_bytes;
	if (size_bytes > bursts->peak[0].of[BURST_BYTES])
		bursts->peak[0].of[BURST_BYTES] = size_bytes;
	put_single_histogram(bursts, size_bytes, to, 1);
}

// The burst that has the last packet by thresholds [from, to) is complete: it may be the first of
// all, or the last.
static inline void put_ends(struct nested_bursts *bursts, const struct burst_open *top,
			    unsigned from, unsigned to)
{
	for (unsigned k = from; k < to && top == bursts->stack && !bursts->beyond; k++)
		bursts->first[k] = top->sum;
	for (unsigned k = from; k < to && bursts->finished; k++)
		bursts->last[k] = top->sum;
}

// The gap to the next packet exceeds the thresholds below level: by those, the burst with the last
// packet is complete. The top entry has packets that no threshold separates; entries below it were
// put up to where the next one above joins them.
static inline void complete(struct nested_bursts *bursts, unsigned level)
{
	struct burst_open *top = &bursts->stack[bursts->depth - 1];
	unsigned joins = top->joins, to = joins < level ? joins : level;

	if (top->sum.of[BURST_PACKETS] == 1)
		put_single(bursts, top->sum.of[BURST_BYTES], to);
	else
		put(bursts, &top->sum, 0, to);
	put_ends(bursts, top, 0, to);
	while (joins <= level) {
		const unsigned from = joins;

		top--;
		top->sum.of[BURST_ON] = (uint64_t)bursts->last_ticks - (uint64_t)top->first_ticks;
		top->sum.of[BURST_PACKETS] += top[1].sum.of[BURST_PACKETS];
		top->sum.of[BURST_BYTES] += top[1].sum.of[BURST_BYTES];
		bursts->depth--;
		joins = top->joins;
		to = joins < level ? joins : level;
		if (from < to)
			put(bursts, &top->sum, from, to);
		put_ends(bursts, top, from, to);
	}
}

static inline void add_gap(struct nested_bursts *bursts, unsigned level, int64_t gap_ticks)
{
	const uint64_t less_one = gap_ticks > 0 ? (uint64_t)gap_ticks - 1 : 0;
	const bool beyond = level > bursts->thresholds->shown;

	bursts->gaps[level].n++;
	bursts->gaps[level].sum += (uint64_t)gap_ticks;
	bursts->gaps[level].sum_squares += (unsigned __int128)gap_ticks *
					   (unsigned __int128)gap_ticks;
	if (gap_ticks > bursts->longest_ticks)
		bursts->longest_ticks = gap_ticks;
	bursts->gap_histograms[beyond].count[log_histogram_bucket(less_one)]++;
}

static inline void extend_top(struct nested_bursts *bursts, int64_t time_ticks, uint64_t size_bytes)
{
	struct burst_open *top = &bursts->stack[bursts->depth - 1];

	top->sum.of[BURST_ON] = (uint64_t)time_ticks - (uint64_t)top->first_ticks;
	top->sum.of[BURST_PACKETS]++;
	top->sum.of[BURST_BYTES] += size_bytes;
}

static inline void push(struct nested_bursts *bursts, unsigned joins, int64_t time_ticks,
			uint64_t size_bytes)
{
	bursts->stack[bursts->depth] = (struct burst_open){
		{{0, 1, size_bytes}}, time_ticks, bursts->depth > 0 ? joins : UINT_MAX};
	bursts->depth++;
}

static inline void add_nested_bursts(struct nested_bursts *bursts, int64_t time_ticks,
				     uint64_t size_bytes)
{
	unsigned level = (unsigned)bursts->thresholds->count;

	if (bursts->packets++ == 0) {
		bursts->first_ticks = time_ticks;
	} else {
		const int64_t gap_ticks = time_ticks - bursts->last_ticks;

		level = (unsigned)burst_gaps_below(bursts->thresholds, gap_ticks);
		add_gap(bursts, level, gap_ticks);
		if (level > 0)
			complete(bursts, level);
		// No threshold is as long: all bursts end.
		if (level == bursts->thresholds->count) {
			bursts->depth = 0;
			bursts->beyond = true;
		}
	}
	if (level == 0)
		extend_top(bursts, time_ticks, size_bytes);
	else
		push(bursts, level, time_ticks, size_bytes);
	bursts->size_bytes += size_bytes;
	bursts->last_ticks = time_ticks;
}

void nested_bursts_add(struct nested_bursts *bursts, int64_t time_ticks, uint64_t size_bytes)
{
	add_nested_bursts(bursts, time_ticks, size_bytes);
}

void nested_bursts_add_all(struct nested_bursts *bursts, const int64_t *times_ticks,
			   const int64_t *sizes_bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_nested_bursts(bursts, times_ticks[i], (uint64_t)sizes_bytes[i]);
}

struct burst_gap nested_bursts_choose(const struct nested_bursts *bursts, enum burst_gap_by by)
{
	struct burst_gap_counts gaps = {.trains = bursts->packets > 0, .packets = bursts->packets};

	for (size_t i = 0; i <= bursts->thresholds->count; i++)
		gaps.counts[i] = bursts->gaps[i].n;
	return burst_gap_choose(bursts->thresholds, by, &gaps);
}

void nested_bursts_finish(struct nested_bursts *bursts)
{
	bursts->finished = true;
	if (bursts->depth > 0)
		complete(bursts, (unsigned)bursts->thresholds->count);
	bursts->depth = 0;
}

// ---- parts of a stream

// By how many thresholds the burst is a single packet.
static unsigned alone_below(const struct burst_values *by_threshold, unsigned thresholds)
{
	unsigned k = 0;

	while (k < thresholds && by_threshold[k].of[BURST_PACKETS] == 1)
		k++;
	return k;
}

// The burst at an end of a part, by each threshold, is no longer one by those from level on: takes
// it out.
static void take_out(struct nested_bursts *bursts, const struct burst_values *by_threshold,
		     unsigned level)
{
	const unsigned thresholds = (unsigned)bursts->thresholds->count,
		       alone = alone_below(by_threshold, thresholds);

	if (alone > level) {
		const uint64_t size_bytes = by_threshold[0].of[BURST_BYTES];
		const unsigned __int128 square = (unsigned __int128)size_bytes * size_bytes;

		bursts->singles[alone].n--;
		bursts->singles[alone].squares -= square;
		bursts->singles[level].n++;
		bursts->singles[level].squares += square;
		put_single_histogram(bursts, size_bytes, alone, -1);
		put_single_histogram(bursts, size_bytes, level, 1);
	}
	for (unsigned k = alone > level ? alone : level; k < thresholds; k++) {
		for (int q = 0; q < BURST_QUANTITIES; q++) {
			const unsigned __int128 square = (unsigned __int128)by_threshold[k].of[q] *
							 by_threshold[k].of[q];

			bursts->squares[k][q] -= square;
			bursts->squares[k + 1][q] += square;
		}
		put_histograms(bursts, &by_threshold[k], k, k + 1, -1);
	}
}

static struct burst_values join_values(const struct burst_values *last,
				       const struct burst_values *first, uint64_t gap_ticks)
{
	return (struct burst_values){{
		last->of[BURST_ON] + gap_ticks + first->of[BURST_ON],
		last->of[BURST_PACKETS] + first->of[BURST_PACKETS],
		last->of[BURST_BYTES] + first->of[BURST_BYTES],
	}};
}

// Whether there is only one burst by threshold k.
static bool is_one(const struct nested_bursts *bursts, unsigned k)
{
	uint64_t longer = 0;

	for (size_t level = k + 1; level <= bursts->thresholds->count; level++)
		longer += bursts->gaps[level].n;
	return longer == 0;
}

// Sets the first and the last bursts of both parts together, and puts in those that are joined: by
// thresholds from level on.
static void join_ends(struct nested_bursts *bursts, const struct nested_bursts *later,
		      unsigned level, uint64_t gap_ticks)
{
	for (unsigned k = 0; k < bursts->thresholds->count; k++) {
		const struct burst_values joined = join_values(&bursts->last[k], &later->first[k],
							       gap_ticks);
		const bool is_joined = k >= level;

		if (is_joined)
			put(bursts, &joined, k, k + 1);
		if (is_joined && is_one(bursts, k))
			bursts->first[k] = joined;
		bursts->last[k] = is_joined && is_one(later, k) ? joined : later->last[k];
	}
}

static void add_histograms(struct nested_bursts *bursts, const struct nested_bursts *later)
{
	for (size_t i = 0; bursts->histograms && i < histogram_count(bursts); i++) {
		for (int q = 0; q < BURST_QUANTITIES; q++)
			log_histogram_merge(&bursts->histograms[i].of[q],
					    &later->histograms[i].of[q]);
		log_histogram_merge(&bursts->histograms[i].singles, &later->histograms[i].singles);
	}
	for (int i = 0; i < 2; i++)
		log_histogram_merge(&bursts->gap_histograms[i], &later->gap_histograms[i]);
}

static void add_sums(struct nested_bursts *bursts, const struct nested_bursts *later)
{
	for (size_t level = 0; level <= bursts->thresholds->count; level++) {
		bursts->singles[level].n += later->singles[level].n;
		bursts->singles[level].squares += later->singles[level].squares;
		bursts->gaps[level].n += later->gaps[level].n;
		bursts->gaps[level].sum += later->gaps[level].sum;
		bursts->gaps[level].sum_squares += later->gaps[level].sum_squares;
		for (int q = 0; q < BURST_QUANTITIES; q++) {
			bursts->squares[level][q] += later->squares[level][q];
			if (later->peak[level].of[q] > bursts->peak[level].of[q])
				bursts->peak[level].of[q] = later->peak[level].of[q];
		}
	}
	if (later->longest_ticks > bursts->longest_ticks)
		bursts->longest_ticks = later->longest_ticks;
	bursts->packets += later->packets;
	bursts->size_bytes += later->size_bytes;
	bursts->last_ticks = later->last_ticks;
}

void nested_bursts_join(struct nested_bursts *bursts, const struct nested_bursts *later)
{
	const int64_t gap_ticks = (int64_t)((uint64_t)later->first_ticks -
					    (uint64_t)bursts->last_ticks);
	unsigned level;

	if (later->packets == 0)
		return;
	if (bursts->packets == 0) {
		bursts->first_ticks = later->first_ticks;
		memcpy(bursts->first, later->first, sizeof(bursts->first));
		memcpy(bursts->last, later->last, sizeof(bursts->last));
	} else {
		level = (unsigned)burst_gaps_below(bursts->thresholds, gap_ticks);
		take_out(bursts, bursts->last, level);
		take_out(bursts, later->first, level);
		join_ends(bursts, later, level, (uint64_t)gap_ticks);
		add_gap(bursts, level, gap_ticks);
	}
	add_sums(bursts, later);
	add_histograms(bursts, later);
}

void nested_bursts_shift(struct nested_bursts *bursts, int64_t ticks)
{
	bursts->first_ticks += ticks;
	bursts->last_ticks += ticks;
}

static void exchange_values(struct burst_values *values, struct partial *partial)
{
	for (int q = 0; q < BURST_QUANTITIES; q++)
		partial_u64(partial, &values->of[q], INT64_MAX);
}

static void exchange_histogram(struct log_histogram *histogram, struct partial *partial)
{
	partial_sparse(partial, histogram->count, LOG_HISTOGRAM_BUCKETS);
}

static void exchange_level(struct nested_bursts *bursts, size_t level, struct partial *partial)
{
	partial_u64(partial, &bursts->singles[level].n, PARTIAL_COUNT_MAX);
	partial_u128(partial, &bursts->singles[level].squares);
	partial_u64(partial, &bursts->gaps[level].n, PARTIAL_COUNT_MAX);
	partial_u64(partial, &bursts->gaps[level].sum, INT64_MAX);
	partial_u128(partial, &bursts->gaps[level].sum_squares);
	for (int q = 0; q < BURST_QUANTITIES; q++)
		partial_u128(partial, &bursts->squares[level][q]);
	exchange_values(&bursts->peak[level], partial);
	if (level == bursts->thresholds->count)
		return;
	exchange_values(&bursts->first[level], partial);
	exchange_values(&bursts->last[level], partial);
}

void nested_bursts_exchange(struct nested_bursts *bursts, struct partial *partial)
{
	uint64_t longest_ticks = (uint64_t)bursts->longest_ticks;

	bursts->finished = true;
	partial_u64(partial, &bursts->packets, PARTIAL_COUNT_MAX);
	partial_u64(partial, &bursts->size_bytes, PARTIAL_COUNT_MAX);
	partial_i64(partial, &bursts->first_ticks);
	partial_i64(partial, &bursts->last_ticks);
	partial_u64(partial, &longest_ticks, INT64_MAX);
	bursts->longest_ticks = (int64_t)longest_ticks;
	for (size_t level = 0; level <= bursts->thresholds->count; level++)
		exchange_level(bursts, level, partial);
	for (size_t i = 0; bursts->histograms && i < histogram_count(bursts); i++) {
		for (int q = 0; q < BURST_QUANTITIES; q++)
			exchange_histogram(&bursts->histograms[i].of[q], partial);
		exchange_histogram(&bursts->histograms[i].singles, partial);
	}
	for (int i = 0; i < 2; i++)
		exchange_histogram(&bursts->gap_histograms[i], partial);
}

void nested_bursts_close(struct nested_bursts *bursts)
{
	free(bursts->histograms);
	free(bursts->gap_histograms);
	memset(bursts, 0, sizeof(*bursts));
}
