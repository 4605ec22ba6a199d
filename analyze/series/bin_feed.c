// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/series.h"

#include "stream/record.h"
#include "value/ticks.h"

static enum tr_status bin_feed_open_binner(struct bin_feed *feed, struct binner *binner,
					   const struct tr_header *header, struct tr_error *err)
{
	struct bin_grid grid;
	int64_t width;

	if (feed->bin.num == 0)
		feed->bin = BIN_FEED_DEFAULT;
	if (tr_ticks_exact(feed->bin, header->ticks_per_s, &width, err) != TR_OK ||
	    bin_grid_set(&grid, width, header, 0, err) != TR_OK)
		return TR_ERROR;
	binner_open(binner, &grid, feed->sink, feed->context);
	return TR_OK;
}

// ---- packets

static enum tr_status bin_feed_add_block(struct bin_feed *feed, struct binner *binner,
					 struct tr_reader *in, struct tr_error *err)
{
	const size_t size_offset = feed->wire ? offsetof(struct tr_packet, wire_bytes)
					      : offsetof(struct tr_packet, payload_bytes);
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const size_t stride = tr_reader_stride(in);
	const void *records;
	const char *at;
	size_t count;

	if (tr_next_block(in, &records, &count) != TR_OK)
		return TR_OK;
	if (!deliveries && feed->lost &&
	    lost_bins_add(feed->lost, &binner->grid, records, stride, count, err) != TR_OK)
		return TR_ERROR;
	if (!deliveries)
		return binner_add(binner, records, stride, size_offset, count, err);
	at = records;
	for (size_t i = 0; i < count; i++, at += stride)
		if (((const struct tr_delivery *)(const void *)at)->status == TR_DELIVERED &&
		    binner_add(binner, at, stride, size_offset, 1, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Passes the open run and the time on.
static enum tr_status tell_time(struct bin_feed *feed, struct binner *binner, int64_t time_ticks,
				struct tr_error *err)
{
	int64_t index;

	if (!feed->time || time_ticks == INT64_MIN)
		return TR_OK;
	if (bin_grid_index(&binner->grid, time_ticks, &index, err) != TR_OK ||
	    binner_flush(binner, err) != TR_OK)
		return TR_ERROR;
	return feed->time(feed->context, index, err);
}

static enum tr_status feed_packets(struct bin_feed *feed, struct tr_reader *in,
				   struct tr_error *err)
{
	struct binner binner;
	size_t ready;

	if (bin_feed_open_binner(feed, &binner, tr_reader_header(in), err) != TR_OK)
		return TR_ERROR;
	if (feed->lost)
		lost_bins_begin(feed->lost);
	while (tr_advance(in, &ready) == TR_OK) {
		if (ready > 0 && bin_feed_add_block(feed, &binner, in, err) != TR_OK)
			return TR_ERROR;
		if (tell_time(feed, &binner, tr_reader_time(in), err) != TR_OK)
			return TR_ERROR;
	}
	return binner_flush(&binner, err);
}

// ---- series

// Whether the bin is fed; the first one sets the width if none was given.
static enum tr_status is_fed(const struct tr_series *bin, bool asked, bool *fed, int64_t *width,
			     struct tr_error *err)
{
	*fed = bin->node == TR_NODE_OTHER && bin->class == TR_CLASS_NONE && bin->width_ticks > 0;
	if (*fed && *width == 0)
		*width = bin->width_ticks;
	if (!*fed || bin->width_ticks == *width)
		return TR_OK;
	*fed = false;
	return asked ? TR_OK
		     : tr_fail(err, "contains bins of several widths: select one with --bin");
}

// Sets the grid of this width on which the first bin lies.
static enum tr_status bin_feed_set_grid(struct bin_feed *feed, struct bin_grid *grid,
					const struct tr_header *header,
					const struct tr_series *first, struct tr_error *err)
{
	const __int128 start = epoch_ticks(header, first->start_ticks);

	if (!num_ratio_make(first->width_ticks, (__int128)header->ticks_per_s, &feed->bin))
		return tr_fail(err, "a bin of %lld ticks has no width in seconds",
			       (long long)first->width_ticks);
	if (feed->aligned && start % first->width_ticks != 0)
		return tr_fail(err, "bins do not begin at multiples of their width (flitcount "
				    "--origin 0), so they cannot be added to others");
	return bin_grid_set(grid, first->width_ticks, header, start % first->width_ticks, err);
}

static enum tr_status feed_bin(struct bin_feed *feed, const struct bin_grid *grid,
			       const struct tr_series *bin, struct tr_error *err)
{
	struct bin_run run = {.count = bin->count, .size_bytes = bin->size_bytes};

	if (bin_grid_index(grid, bin->start_ticks, &run.index, err) != TR_OK)
		return TR_ERROR;
	if (bin_grid_start(grid, run.index) != bin->start_ticks)
		return tr_fail(err, "bins overlap at tick %lld", (long long)bin->start_ticks);
	return feed->sink(feed->context, &run, err);
}

static enum tr_status feed_series(struct bin_feed *feed, struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const union tr_record *record;
	struct bin_grid grid = {.width_ticks = 0};
	const bool asked = feed->bin.num > 0;
	int64_t width = 0;
	bool fed;

	if (asked && tr_ticks_exact(feed->bin, header->ticks_per_s, &width, err) != TR_OK)
		return TR_ERROR;
	while (tr_next(in, &record) == TR_OK) {
		if (is_fed(&record->series, asked, &fed, &width, err) != TR_OK)
			return TR_ERROR;
		if (fed && grid.width_ticks == 0 &&
		    bin_feed_set_grid(feed, &grid, header, &record->series, err) != TR_OK)
			return TR_ERROR;
		if (fed && feed_bin(feed, &grid, &record->series, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status bin_feed_trace(struct bin_feed *feed, struct tr_reader *in, struct tr_error *err)
{
	const unsigned kind = tr_reader_header(in)->kind;

	if (tr_kind_has_packet(kind))
		return feed_packets(feed, in, err);
	if (kind == TR_SERIES)
		return feed_series(feed, in, err);
	return tr_fail(err, "contains %s records, expected packets, deliveries or series",
		       tr_kind_find(kind)->name);
}

// ---- arrivals

static enum tr_status bin_feed_add_arrival(void *context, int64_t time_ticks, uint64_t size_bytes,
					   struct tr_error *err)
{
	return binner_add_one(context, time_ticks, 1, size_bytes, err);
}

enum tr_status bin_feed_arrivals(struct bin_feed *feed, struct tr_source *source,
				 struct tr_error *err)
{
	const struct tr_header header = {.ticks_per_s = ARRIVAL_TICKS_PER_S};
	struct binner binner;

	if (bin_feed_open_binner(feed, &binner, &header, err) != TR_OK)
		return tr_fail_in(err, "%s", tr_source_name(source));
	if (arrival_text_each(source, feed->text, bin_feed_add_arrival, &binner, err) != TR_OK)
		return TR_ERROR;
	if (binner_flush(&binner, err) != TR_OK)
		return tr_fail_in(err, "%s", tr_source_name(source));
	return TR_OK;
}
