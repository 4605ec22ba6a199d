// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/stream_counts.h"

#include <stdlib.h>
#include <string.h>

#include "stat/counts/bins.h"
#include "stream/record.h"
#include "value/grow.h"
#include "value/ticks.h"

// ---- a short stretch of counts at each of several widths

void zoom_open(struct zoom *zoom, int64_t factor)
{
	memset(zoom, 0, sizeof(*zoom));
	for (size_t i = 0; i < ZOOM_DECADES; i++, factor *= 10)
		zoom->decades[i].factor = factor;
}

// Ends the open window, which is complete, and starts the one that contains the bin.
static void restart(struct zoom_decade *decade, int64_t bin)
{
	struct zoom_window *open = &decade->open;
	const int64_t begin = bin - (bin - open->begin) % ZOOM_BINS;

	if (!decade->has_whole || open->packets > decade->fullest.packets)
		decade->fullest = *open;
	decade->has_whole = true;
	memset(open, 0, sizeof(*open));
	open->begin = begin;
}

static void stream_counts_add(struct zoom_decade *decade, int64_t bin, uint64_t count)
{
	struct zoom_window *open = &decade->open;

	decade->last = bin;
	if (bin >= open->begin + ZOOM_BINS)
		restart(decade, bin);
	if (bin < open->begin)
		return;
	open->counts[bin - open->begin] += (double)count;
	open->packets += count;
}

void zoom_add(struct zoom *zoom, const struct bin_run *run)
{
	int64_t bin = num_floor_div(run->index, zoom->decades[0].factor);

	for (size_t i = 0; i < ZOOM_DECADES; i++, bin = num_floor_div(bin, 10)) {
		struct zoom_decade *decade = &zoom->decades[i];

		if (!zoom->started) {
			decade->first = bin;
			decade->open.begin = bin + 1;
		}
		stream_counts_add(decade, bin, run->count);
	}
	zoom->started = true;
}

size_t zoom_get(const struct zoom *zoom, size_t index, int64_t *begin, double counts[ZOOM_BINS])
{
	const struct zoom_decade *decade = &zoom->decades[index];
	const struct zoom_window *window = decade->has_whole ? &decade->fullest : &decade->open;
	const int64_t bins = decade->has_whole ? ZOOM_BINS : decade->last - window->begin;

	if (!zoom->started || bins <= 0)
		return 0;
	*begin = window->begin;
	memcpy(counts, window->counts, sizeof(window->counts));
	return (size_t)bins;
}

// ---- counts at the 13 widths

// Widths of the series, in seconds, and values held of each. When a narrower one is full, a wider
// one has more bins than it needs.
static const struct {
	struct num_ratio width;
	size_t max;
	bool joins;
} series_of[COUNTS_SERIES] = {
	{{1, 10000}, 1 << 14, false},
	{{1, 1000}, 1 << 14, false},
	{{1, 100}, BINS_SERIES_MAX, true},
};

static enum tr_status series_reserve(struct counts_series *series, struct tr_error *err)
{
	if (!GROW(series->values, series->capacity, series->count))
		return tr_no_memory(err, "%zu bins", series->count);
	return TR_OK;
}

// Joins pairs that begin at even bins, so that the wider bins are still aligned to the epoch.
static void series_join(struct counts_series *series)
{
	int64_t first = series->first >> 1;
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++) {
		size_t at = (size_t)(((series->first + (int64_t)i) >> 1) - first);

		if (at >= count)
			series->values[count++] = 0;
		series->values[at] += series->values[i];
	}
	series->first = first;
	series->count = count;
	series->shift++;
}

static enum tr_status series_add(struct counts_series *series, int64_t bin, uint64_t packets,
				 struct tr_error *err)
{
	if (series->count == 0)
		series->first = bin;
	while (!series->full && (bin >> series->shift) - series->first >= (int64_t)series->max) {
		if (series->joins)
			series_join(series);
		else
			series->full = true;
	}
	if (series->full)
		return TR_OK;
	while (series->first + (int64_t)series->count <= bin >> series->shift) {
		if (series_reserve(series, err) != TR_OK)
			return TR_ERROR;
		series->values[series->count++] = 0;
	}
	series->values[(bin >> series->shift) - series->first] += (double)packets;
	return TR_OK;
}

// A scale_hook.
static enum tr_status take_bin(void *context, size_t scale, const struct bin_run *bin,
			       struct tr_error *err)
{
	struct counts *counts = context;

	timeline_add(&counts->timelines[scale], bin->index, bin->count);
	for (size_t i = 0; i < COUNTS_SERIES; i++)
		if (counts->series[i].scale == scale &&
		    series_add(&counts->series[i], bin->index, bin->count, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A bin_sink: passes the finest grid's bins to everything kept.
static enum tr_status take_run(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct counts *counts = context;

	if (scales_take(&counts->scales, run, err) != TR_OK ||
	    dyadic_take(&counts->dyadic, run, err) != TR_OK)
		return TR_ERROR;
	zoom_add(&counts->zoom, run);
	return TR_OK;
}

static void find_scale(const struct widths *widths, struct num_ratio seconds, size_t *scale)
{
	for (size_t i = 0; i < widths->count; i++)
		if (widths->seconds[i].num == seconds.num && widths->seconds[i].den == seconds.den)
			*scale = i;
}

static bool is_whole(const struct widths *widths, const struct tr_header *header,
		     int64_t *finest_ticks)
{
	struct tr_error ignored;

	return tr_ticks_exact(widths->finest, header->ticks_per_s, finest_ticks, &ignored) ==
		       TR_OK &&
	       *finest_ticks > 0;
}

enum tr_status counts_open(struct counts *counts, const struct tr_header *header,
			   struct tr_error *err)
{
	struct bin_grid grid;
	int64_t finest_ticks;

	if (widths_parse(&counts->widths, widths_yates, err) != TR_OK ||
	    widths_divide(&counts->widths, err) != TR_OK)
		return TR_ERROR;
	if (!is_whole(&counts->widths, header, &finest_ticks))
		return TR_OK;
	if (bin_grid_set(&grid, finest_ticks, header, 0, err) != TR_OK ||
	    scales_open(&counts->scales, counts->widths.factor, counts->widths.count, err) != TR_OK)
		return TR_ERROR;
	counts->timelines = calloc(counts->widths.count, sizeof(*counts->timelines));
	if (!counts->timelines)
		return tr_no_memory(err, "the courses of %zu counts", counts->widths.count);
	for (size_t i = 0; i < COUNTS_SERIES; i++) {
		find_scale(&counts->widths, series_of[i].width, &counts->series[i].scale);
		counts->series[i].max = series_of[i].max;
		counts->series[i].joins = series_of[i].joins;
	}
	counts->lossy = header->kind == TR_PACKET;
	counts->scales.hook = take_bin;
	counts->scales.context = counts;
	zoom_open(&counts->zoom, counts->widths.factor[0]);
	binner_open(&counts->binner, &grid, take_run, counts);
	counts->open = true;
	return TR_OK;
}

enum tr_status counts_add(struct counts *counts, const void *records, size_t stride_bytes,
			  size_t count, struct tr_error *err)
{
	if (!counts->open)
		return TR_OK;
	if (counts->lossy && lost_bins_add(&counts->lost, &counts->binner.grid, records,
					   stride_bytes, count, err) != TR_OK)
		return TR_ERROR;
	return binner_add(&counts->binner, records, stride_bytes,
			  offsetof(struct tr_packet, payload_bytes), count, err);
}

// Without the bins at the ends, which may be observed only in part.
static void cut_lost(struct counts *counts, struct counts_series *series)
{
	const int64_t join = (int64_t)counts->widths.factor[series->scale] << series->shift;
	size_t inner = series->count - 2;

	if (series->full || series->count <= 2)
		return;
	series->lost = lost_bins_cut(&counts->lost, series->first + 1, join, series->values + 1,
				     &inner);
	series->count = inner + 2;
}

enum tr_status counts_finish(struct counts *counts, struct tr_error *err)
{
	if (!counts->open)
		return TR_OK;
	if (binner_flush(&counts->binner, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < COUNTS_SERIES; i++)
		while (counts->series[i].joins &&
		       counts->series[i].count > bins_worth(counts->dyadic.total))
			series_join(&counts->series[i]);
	if (counts->scales.started && scales_finish(&counts->scales, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < COUNTS_SERIES; i++)
		cut_lost(counts, &counts->series[i]);
	return TR_OK;
}

// The index of the series for estimators; COUNTS_SERIES if there is none.
static size_t choose_series(const struct counts *counts)
{
	size_t best = COUNTS_SERIES;

	for (size_t i = 0; i < COUNTS_SERIES; i++)
		if (!counts->series[i].full && counts->series[i].count > 2 &&
		    (best == COUNTS_SERIES || counts->series[i].count >= BINS_SERIES_MIN + 2))
			best = i;
	return best;
}

const double *counts_series(const struct counts *counts, size_t *n, double *width_s)
{
	const size_t best = choose_series(counts);

	if (best == COUNTS_SERIES)
		return NULL;
	*n = counts->series[best].count - 2;
	*width_s = num_value(series_of[best].width) *
		   (double)((uint64_t)1 << counts->series[best].shift);
	return counts->series[best].values + 1;
}

struct lost_points counts_lost(const struct counts *counts)
{
	const size_t best = choose_series(counts);

	return best == COUNTS_SERIES ? (struct lost_points){0} : counts->series[best].lost;
}

void counts_close(struct counts *counts)
{
	scales_close(&counts->scales);
	lost_bins_clear(&counts->lost);
	free(counts->timelines);
	for (size_t i = 0; i < COUNTS_SERIES; i++)
		free(counts->series[i].values);
	counts->open = false;
}
