// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/burstiness.h"

#include <assert.h>
#include <string.h>

// The largest window number.
#define WINDOW_MAX (INT64_C(1) << 61)

enum tr_status burstiness_open(struct burstiness *b, const struct burstiness_settings *settings,
			       struct tr_error *err)
{
	const struct burst_scales *windows = &settings->windows, *blocks = &settings->blocks;

	memset(b, 0, sizeof(*b));
	b->settings = settings;
	b->step = UINT64_MAX / (uint64_t)settings->width_ticks;
	if ((windows->count > 0
		     ? scales_open(&b->given_windows, windows->factor, windows->count, err)
		     : nested_sums_open(&b->windows, settings->segments, err)) != TR_OK)
		return TR_ERROR;
	if ((blocks->count > 0 ? scales_open(&b->given_blocks, blocks->factor, blocks->count, err)
			       : nested_sums_open(&b->blocks, settings->segments, err)) != TR_OK)
		return TR_ERROR;
	b->given_windows.from_start = settings->from_first;
	b->given_blocks.from_start = true;
	b->windows.cut_head = !settings->from_first;
	b->windows.cut_tail = true;
	b->blocks.dense = true;
	if (lagged_open(&b->gaps, &settings->lags, err) != TR_OK ||
	    lagged_open(&b->sizes, &settings->lags, err) != TR_OK)
		return TR_ERROR;
	return nested_bursts_open(&b->bursts, &settings->thresholds, settings->histograms, err);
}

static enum tr_status burstiness_start(struct burstiness *b, int64_t time_ticks,
				       struct tr_error *err)
{
	const struct burstiness_settings *settings = b->settings;
	const struct tr_header *header = settings->header;
	const __int128 anchor = settings->from_first ? epoch_ticks(header, time_ticks)
						     : settings->anchor_ticks;

	if (bin_grid_set(&b->grid, settings->width_ticks, header, anchor, err) != TR_OK ||
	    bin_grid_index(&b->grid, time_ticks, &b->window, err) != TR_OK)
		return TR_ERROR;
	b->window_ticks = (uint64_t)bin_grid_start(&b->grid, b->window);
	b->first_ticks = b->last_ticks = time_ticks;
	return TR_OK;
}

// Moves to the window that contains a time not before the current one. The product with 2^64 /
// width gives the quotient, or one or two less.
static enum tr_status move_to(struct burstiness *b, int64_t time_ticks, struct tr_error *err)
{
	const uint64_t width = (uint64_t)b->settings->width_ticks;
	const uint64_t ahead = (uint64_t)time_ticks - b->window_ticks;
	uint64_t windows = (uint64_t)(((unsigned __int128)ahead * b->step) >> 64);

	while (ahead - windows * width >= width)
		windows++;
	if (windows > (uint64_t)(WINDOW_MAX - b->window))
		return tr_fail(err,
			       "tick %lld is too far from the origin for windows of %lld ticks",
			       (long long)time_ticks, (long long)width);
	b->window += (int64_t)windows;
	b->window_ticks += windows * width;
	return TR_OK;
}

static enum tr_status take_windows(struct burstiness *b, struct tr_error *err)
{
	const struct burst_batch *batch = &b->batch;
	const uint64_t width = (uint64_t)b->settings->width_ticks;
	int64_t windows[BURSTINESS_BATCH] = {0};

	for (size_t i = 0; i < batch->count; i++) {
		const int64_t time_ticks = batch->times_ticks[i + 1];

		if ((uint64_t)time_ticks - b->window_ticks >= width &&
		    move_to(b, time_ticks, err) != TR_OK)
			return TR_ERROR;
		windows[i] = b->window;
	}
	if (b->settings->windows.count == 0) {
		nested_sums_add_all(&b->windows, windows, batch->sizes_bytes + 1, batch->count);
		return TR_OK;
	}
	for (size_t i = 0; i < batch->count; i++) {
		const struct bin_run run = {windows[i], 1, (uint64_t)batch->sizes_bytes[i + 1]};

		if (scales_take(&b->given_windows, &run, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status take_gaps(struct burstiness *b, const int64_t *gaps_ticks, size_t count,
				struct tr_error *err)
{
	const int64_t first = (int64_t)b->gap_count;

	lagged_add_all(&b->gaps, gaps_ticks, count);
	b->gap_count += count;
	if (b->settings->blocks.count == 0) {
		nested_sums_add_run(&b->blocks, first, gaps_ticks, count);
		return TR_OK;
	}
	for (size_t i = 0; i < count; i++) {
		const struct bin_run run = {first + (int64_t)i, (uint64_t)gaps_ticks[i], 0};

		if (scales_take(&b->given_blocks, &run, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Writes the batch's gaps to gaps_ticks; TR_ERROR if one is negative, or their sum overflows.
static enum tr_status find_gaps(const struct burstiness *b, size_t from, int64_t *gaps_ticks,
				struct tr_error *err)
{
	const struct burst_batch *batch = &b->batch;
	const int64_t last_ticks = batch->times_ticks[batch->count];
	int64_t any = 0;

	for (size_t i = from; i <= batch->count; i++) {
		gaps_ticks[i - from] = (int64_t)((uint64_t)batch->times_ticks[i] -
						 (uint64_t)batch->times_ticks[i - 1]);
		any |= gaps_ticks[i - from];
	}
	if (any < 0 || (uint64_t)last_ticks - (uint64_t)b->first_ticks > INT64_MAX)
		return tr_fail(err, "time goes back before tick %lld, or spans 2^63 ticks",
			       (long long)last_ticks);
	return TR_OK;
}

enum tr_status burstiness_take(struct burstiness *b, struct tr_error *err)
{
	struct burst_batch *batch = &b->batch;
	const size_t count = batch->count, from = b->packets == 0 ? 2 : 1;
	int64_t gaps_ticks[BURSTINESS_BATCH] = {0};

	if (count == 0)
		return TR_OK;
	if (b->packets == 0 && burstiness_start(b, batch->times_ticks[1], err) != TR_OK)
		return TR_ERROR;
	if (find_gaps(b, from, gaps_ticks, err) != TR_OK || take_windows(b, err) != TR_OK ||
	    take_gaps(b, gaps_ticks, count + 1 - from, err) != TR_OK)
		return TR_ERROR;
	lagged_add_all(&b->sizes, batch->sizes_bytes + 1, count);
	nested_bursts_add_all(&b->bursts, batch->times_ticks + 1, batch->sizes_bytes + 1, count);
	for (size_t i = 1; i <= count; i++)
		b->size_bytes += (uint64_t)batch->sizes_bytes[i];
	b->packets += count;
	b->last_ticks = batch->times_ticks[0] = batch->times_ticks[count];
	batch->count = 0;
	return TR_OK;
}

enum tr_status burstiness_finish(struct burstiness *b, struct tr_error *err)
{
	struct bin_run end = {0, 0, 0}; // the gap after the last, up to which blocks are whole

	if (burstiness_take(b, err) != TR_OK)
		return TR_ERROR;
	end.index = (int64_t)b->gap_count;
	nested_sums_finish(&b->windows);
	nested_sums_finish(&b->blocks);
	nested_bursts_finish(&b->bursts);
	lagged_flush(&b->gaps);
	lagged_flush(&b->sizes);
	if (b->settings->windows.count > 0 && scales_finish(&b->given_windows, err) != TR_OK)
		return TR_ERROR;
	if (b->settings->blocks.count == 0)
		return TR_OK;
	if (b->gap_count > 0 && scales_take(&b->given_blocks, &end, err) != TR_OK)
		return TR_ERROR;
	return scales_finish(&b->given_blocks, err);
}

enum tr_status burstiness_copy(struct burstiness *to, const struct burstiness *from,
			       struct tr_error *err)
{
	enum tr_status status = TR_OK;

	*to = *from;
	// Copy all, so that nothing is shared with from.
	status |= nested_sums_copy(&to->windows, &from->windows, err);
	status |= nested_sums_copy(&to->blocks, &from->blocks, err);
	status |= scales_copy(&to->given_windows, &from->given_windows, err);
	status |= scales_copy(&to->given_blocks, &from->given_blocks, err);
	status |= lagged_copy(&to->gaps, &from->gaps, err);
	status |= lagged_copy(&to->sizes, &from->sizes, err);
	status |= nested_bursts_copy(&to->bursts, &from->bursts, err);
	return status == TR_OK ? TR_OK : TR_ERROR;
}

// ---- parts of a stream

void burstiness_lose_blocks(struct burstiness *b)
{
	const size_t segments = b->blocks.segment_count;
	struct nested_segment *kept = b->blocks.segments;

	memset(kept, 0, segments * sizeof(*kept));
	b->blocks = (struct nested_sums){
		.dense = true, .finished = true, .segment_count = segments, .segments = kept};
}

void burstiness_join(struct burstiness *b, struct burstiness *later)
{
	burstiness_lose_blocks(b);
	if (later->packets == 0)
		return;
	if (b->packets > 0) {
		lagged_add(&b->gaps,
			   (int64_t)((uint64_t)later->first_ticks - (uint64_t)b->last_ticks));
		lagged_flush(&b->gaps);
	} else {
		b->first_ticks = later->first_ticks;
	}
	b->gap_count += later->gap_count + (b->packets > 0);
	lagged_join(&b->gaps, &later->gaps);
	lagged_join(&b->sizes, &later->sizes);
	nested_sums_join(&b->windows, &later->windows);
	nested_bursts_join(&b->bursts, &later->bursts);
	b->packets += later->packets;
	b->size_bytes += later->size_bytes;
	b->last_ticks = later->last_ticks;
}

void burstiness_shift(struct burstiness *b, int64_t ticks)
{
	b->first_ticks += ticks;
	b->last_ticks += ticks;
	nested_bursts_shift(&b->bursts, ticks);
}

void burstiness_exchange(struct burstiness *b, struct partial *partial)
{
	partial_u64(partial, &b->packets, PARTIAL_COUNT_MAX);
	partial_u64(partial, &b->gap_count, PARTIAL_COUNT_MAX);
	partial_u64(partial, &b->size_bytes, PARTIAL_COUNT_MAX);
	partial_i64(partial, &b->first_ticks);
	partial_i64(partial, &b->last_ticks);
	nested_sums_exchange(&b->windows, partial);
	lagged_exchange(&b->gaps, partial);
	lagged_exchange(&b->sizes, partial);
	nested_bursts_exchange(&b->bursts, partial);
}

// ---- what there is

static size_t count_of(const struct burst_scales *given, const struct nested_sums *sums)
{
	return given->count > 0 ? given->count : nested_sums_top(sums) + 1;
}

size_t burstiness_window_count(const struct burstiness *b)
{
	return count_of(&b->settings->windows, &b->windows);
}

size_t burstiness_block_count(const struct burstiness *b)
{
	return count_of(&b->settings->blocks, &b->blocks);
}

// Moments by segment of time: of x and of y.
struct burstiness_parts {
	size_t count;
	struct moments x[NESTED_SEGMENTS_MAX];
	struct moments y[NESTED_SEGMENTS_MAX];
};

static_assert(SCALE_SEGMENTS <= NESTED_SEGMENTS_MAX, "segments of both kinds fit");

static struct burstiness_parts given_parts(const struct scales *scales, size_t i)
{
	struct burstiness_parts parts = {0};

	for (size_t segment = 0; segment < SCALE_SEGMENTS; segment++) {
		const struct scale_moments moments = scales_segment(scales, i, segment);

		if (moments.count.n == 0)
			continue;
		parts.x[parts.count] = moments.count;
		parts.y[parts.count++] = moments.size_bytes;
	}
	return parts;
}

static struct burstiness_parts nested_parts(const struct nested_sums *sums, size_t i)
{
	struct nested_part list[NESTED_SEGMENTS_MAX];
	struct burstiness_parts parts = {.count = nested_sums_parts(sums, (unsigned)i, list)};

	for (size_t part = 0; part < parts.count; part++) {
		parts.x[part] = list[part].x;
		parts.y[part] = list[part].y;
	}
	return parts;
}

static uint64_t given_peak(struct moments whole, const struct moments *edges)
{
	moments_merge(&whole, edges);
	return whole.n > 0 ? (uint64_t)whole.max : 0;
}

struct window_counts burstiness_window(const struct burstiness *b, size_t i, double level)
{
	const bool given = b->settings->windows.count > 0;
	const struct burstiness_parts parts = given ? given_parts(&b->given_windows, i)
						    : nested_parts(&b->windows, i);
	struct window_counts out = {
		.factor = given ? b->settings->windows.factor[i] : INT64_C(1) << i,
		.packets = dispersion_of_parts(parts.x, parts.count, DISPERSION_COUNTS, 1, level),
		.bytes = dispersion_of_parts(parts.y, parts.count, DISPERSION_COUNTS, 1, level),
	};

	if (given) {
		const struct scale_moments whole = scales_get(&b->given_windows, i);
		const struct scale_moments edges = scales_edges(&b->given_windows, i);

		out.packets_peak = given_peak(whole.count, &edges.count);
		out.bytes_peak = given_peak(whole.size_bytes, &edges.size_bytes);
	} else {
		const struct nested_values peak = nested_sums_peak(&b->windows, (unsigned)i);

		out.packets_peak = peak.x;
		out.bytes_peak = peak.y;
	}
	return out;
}

struct gap_blocks burstiness_block(const struct burstiness *b, size_t i, double level)
{
	const bool given = b->settings->blocks.count > 0;
	const struct burstiness_parts parts = given ? given_parts(&b->given_blocks, i)
						    : nested_parts(&b->blocks, i);
	struct gap_blocks out = {.factor = given ? b->settings->blocks.factor[i] : INT64_C(1) << i};
	double ratio;

	out.gaps = dispersion_of_parts(parts.x, parts.count, DISPERSION_INTERVALS,
				       (double)out.factor, level);
	ratio = out.gaps.mean / (double)out.factor / moments_mean(&b->gaps.moments);
	out.gaps.index *= ratio * ratio;
	out.gaps.lo *= ratio * ratio;
	out.gaps.hi *= ratio * ratio;
	return out;
}

void burstiness_close(struct burstiness *b)
{
	nested_sums_close(&b->windows);
	nested_sums_close(&b->blocks);
	scales_close(&b->given_windows);
	scales_close(&b->given_blocks);
	lagged_close(&b->gaps);
	lagged_close(&b->sizes);
	nested_bursts_close(&b->bursts);
	memset(b, 0, sizeof(*b));
}
