// SPDX-License-Identifier: GPL-3.0-or-later
// A series from bins.
#include <stdbool.h>
#include <string.h>

#include "bin_feed.h"
#include "series_bins.h"
#include "trace/record.h"

// Puts bins in their place; point 0 is bin first.
struct filler {
	struct series *series;
	int64_t first;
	unsigned shift; // a point is of 2^shift bins
	bool of_bytes;
};

static enum tr_status fill(void *context, const struct bin_run *run, struct tr_error *err)
{
	const struct filler *filler = context;
	const int64_t at = (run->index >> filler->shift) - filler->first;

	(void)err;
	if (at >= 0 && (uint64_t)at < filler->series->n)
		filler->series->x[at] += (double)(filler->of_bytes ? run->size_bytes : run->count);
	return TR_OK;
}

enum tr_status series_bins_take(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct series_bins *store = context;

	if (!store->any || run->index < store->first)
		store->first = run->index;
	if (!store->any || run->index > store->last)
		store->last = run->index;
	store->any = true;
	store->packets += run->count;
	return bins_take(&store->bins, run, err);
}

enum tr_status series_bins_make(struct series *series, const struct series_bins *store,
				const struct series_settings *settings, struct tr_error *err)
{
	struct filler filler = {series, store->first + 1, 0, settings->of_bytes};
	enum tr_status status = TR_OK;
	int64_t end = store->last;

	while (store->widens && end - filler.first > 0 && (uint64_t)(end - filler.first) > bins_worth(store->packets) &&
	       num_ratio_make((__int128)series->bin.num * 2, series->bin.den, &series->bin)) {
		filler.shift++;
		filler.first = (store->first >> filler.shift) + 1;
		end = store->last >> filler.shift;
	}
	if (store->any && end > filler.first)
		status = series_reserve(series, (uint64_t)(end - filler.first), settings->max_points, err);
	if (status == TR_OK && series->x && end > filler.first) {
		series->n = (size_t)(end - filler.first);
		memset(series->x, 0, series->n * sizeof *series->x);
		status = bins_visit(&store->bins, fill, &filler, err);
	}
	return status;
}

enum tr_status series_from_trace(struct series *series, struct tr_reader *in,
				 const struct series_settings *settings, bool keep_going,
				 struct tr_error *err)
{
	struct series_bins store = {.bins.max_bins = settings->max_points + 2 * BINS_PAGE,
				    .widens = settings->bin.num == 0 && tr_kind_has_packet(tr_reader_header(in)->kind)};
	struct bin_feed feed = {.bin = settings->bin, .wire = settings->wire, .sink = series_bins_take,
				.context = &store};
	enum tr_status status = bin_feed_trace(&feed, in, err);

	series->bin = feed.bin;
	if (status == TR_OK)
		status = series_bins_make(series, &store, settings, err);
	bins_clear(&store.bins);
	if (status == TR_OK && *tr_reader_error(in) && !keep_going)
		return tr_fail(err, "is damaged");
	return status;
}

enum tr_status series_from_arrivals(struct series *series, struct tr_source *source,
				    const struct series_settings *settings, struct tr_error *err)
{
	struct series_bins store = {.bins.max_bins = settings->max_points + 2 * BINS_PAGE,
				    .widens = settings->bin.num == 0};
	struct bin_feed feed = {.bin = settings->bin, .sink = series_bins_take, .context = &store};
	enum tr_status status = bin_feed_arrivals(&feed, source, err);

	series->bin = feed.bin;
	if (status == TR_OK)
		status = series_bins_make(series, &store, settings, err);
	bins_clear(&store.bins);
	return status;
}
