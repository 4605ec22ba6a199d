// SPDX-License-Identifier: GPL-3.0-or-later
// A series from a trace stream.
#include <string.h>

#include "series_input.h"
#include "stat/binner.h"
#include "stat/bins.h"
#include "trace/record.h"
#include "trace/ticks.h"

// Where no width is asked for.
#define BIN_DEFAULT ((struct num_ratio){1, 100})

// ---- packets

// Puts bins in their place; index first is left out, so that point 0 is bin first + 1.
struct filler {
	struct series *series;
	int64_t first;
	bool of_bytes;
};

static enum tr_status fill(void *context, const struct bin_run *run, struct tr_error *err)
{
	const struct filler *filler = context;
	const int64_t at = run->index - filler->first - 1;

	(void)err;
	if (at >= 0 && (uint64_t)at < filler->series->n)
		filler->series->x[at] = (double)(filler->of_bytes ? run->size_bytes : run->count);
	return TR_OK;
}

// Index of the first (direction 1) or last (-1) bin that is not empty; the store must have one.
static int64_t end_of(const struct bins *bins, int direction)
{
	const struct bins_page *page = &bins->pages[direction > 0 ? 0 : bins->page_count - 1];
	int64_t i = direction > 0 ? 0 : BINS_PAGE - 1;

	while (page->bins[i].count == 0)
		i += direction;
	return page->number * BINS_PAGE + i;
}

static enum tr_status series_from_bins(struct series *series, const struct bins *bins,
				       const struct series_settings *settings, struct tr_error *err)
{
	struct filler filler = {series, 0, settings->of_bytes};
	uint64_t count;

	if (bins->page_count == 0)
		return TR_OK;
	filler.first = end_of(bins, 1);
	count = (uint64_t)(end_of(bins, -1) - filler.first);
	count -= count > 0;
	if (series_reserve(series, count, settings->max_points, err) != TR_OK)
		return TR_ERROR;
	if (count > 0)
		memset(series->x, 0, count * sizeof *series->x);
	series->n = count;
	return bins_visit(bins, fill, &filler, err);
}

static enum tr_status bin_packets(struct binner *binner, struct tr_reader *in, size_t size_offset,
				  struct tr_error *err)
{
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const size_t stride = tr_reader_stride(in);
	const void *records;
	size_t count;

	while (tr_next_block(in, &records, &count) == TR_OK) {
		const char *at = records;

		if (!deliveries && binner_add(binner, records, stride, size_offset, count, err) != TR_OK)
			return TR_ERROR;
		for (size_t i = 0; deliveries && i < count; i++, at += stride)
			if (((const struct tr_delivery *)(const void *)at)->status == TR_DELIVERED &&
			    binner_add(binner, at, stride, size_offset, 1, err) != TR_OK)
				return TR_ERROR;
	}
	return binner_flush(binner, err);
}

static enum tr_status from_packets(struct series *series, struct tr_reader *in,
				   const struct series_settings *settings, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const size_t size_offset = settings->wire ? offsetof(struct tr_packet, wire_bytes) :
						    offsetof(struct tr_packet, payload_bytes);
	struct bins bins = {.max_bins = settings->max_points + 2 * BINS_PAGE};
	enum tr_status status = TR_ERROR;
	struct bin_grid grid;
	struct binner binner;
	int64_t width;

	series->bin = settings->bin.num > 0 ? settings->bin : BIN_DEFAULT;
	if (tr_ticks_exact(series->bin, header->ticks_per_s, &width, err) != TR_OK ||
	    bin_grid_set(&grid, width, header, 0, err) != TR_OK)
		return TR_ERROR;
	binner_open(&binner, &grid, bins_take, &bins);
	if (bin_packets(&binner, in, size_offset, err) == TR_OK)
		status = series_from_bins(series, &bins, settings, err);
	bins_clear(&bins);
	return status;
}

// ---- series records

// Adds a bin of the series after zeros for those that are missing before it.
static enum tr_status append_bin(struct series *series, const struct tr_series *bin, int64_t first,
				 const struct series_settings *settings, struct tr_error *err)
{
	const __int128 offset = (__int128)bin->start_ticks - first;
	const __int128 at = offset / bin->width_ticks;

	if (offset % bin->width_ticks != 0 || at < (__int128)series->n)
		return tr_fail(err, "bins overlap at tick %lld", (long long)bin->start_ticks);
	if (series_reserve(series, (uint64_t)at + 1, settings->max_points, err) != TR_OK)
		return TR_ERROR;
	while (series->n < (size_t)at)
		series->x[series->n++] = 0;
	series->x[series->n++] = (double)(settings->of_bytes ? bin->size_bytes : bin->count);
	return TR_OK;
}

static enum tr_status from_series(struct series *series, struct tr_reader *in,
				  const struct series_settings *settings, struct tr_error *err)
{
	const uint64_t ticks_per_s = tr_reader_header(in)->ticks_per_s;
	const union tr_record *record;
	int64_t width = 0, first = 0;

	if (settings->bin.num > 0 &&
	    tr_ticks_exact(settings->bin, ticks_per_s, &width, err) != TR_OK)
		return TR_ERROR;
	while (tr_next(in, &record) == TR_OK) {
		const struct tr_series *bin = &record->series;

		if (bin->node != TR_NODE_OTHER || bin->class != TR_CLASS_NONE || bin->width_ticks <= 0)
			continue;
		if (width == 0)
			width = bin->width_ticks;
		if (bin->width_ticks != width && settings->bin.num > 0)
			continue;
		if (bin->width_ticks != width)
			return tr_fail(err, "holds bins of several widths: choose one with --bin");
		if (series->n == 0)
			first = bin->start_ticks;
		if (append_bin(series, bin, first, settings, err) != TR_OK)
			return TR_ERROR;
	}
	if (width > 0 && !num_ratio_make(width, (__int128)ticks_per_s, &series->bin))
		series->bin = (struct num_ratio){0, 1};
	return TR_OK;
}

enum tr_status series_from_trace(struct series *series, struct tr_reader *in,
				 const struct series_settings *settings, bool keep_going,
				 struct tr_error *err)
{
	const unsigned kind = tr_reader_header(in)->kind;
	enum tr_status status;

	if (tr_kind_has_packet(kind))
		status = from_packets(series, in, settings, err);
	else if (kind == TR_SERIES)
		status = from_series(series, in, settings, err);
	else
		return tr_fail(err, "holds %s records, expected packets, deliveries or series",
			       tr_kind_find(kind)->name);
	if (status == TR_OK && *tr_reader_error(in) && !keep_going)
		return tr_fail(err, "is damaged");
	return status;
}
