// SPDX-License-Identifier: GPL-3.0-or-later
// A series from bins.
#include <stdbool.h>
#include <string.h>

#include "bin_feed.h"
#include "series_input.h"
#include "stat/bins.h"
#include "trace/record.h"

// Puts bins in their place; point 0 is bin first.
struct filler {
	struct series *series;
	int64_t first;
	bool of_bytes;
};

static enum tr_status fill(void *context, const struct bin_run *run, struct tr_error *err)
{
	const struct filler *filler = context;
	const int64_t at = run->index - filler->first;

	(void)err;
	if (at >= 0 && (uint64_t)at < filler->series->n)
		filler->series->x[at] = (double)(filler->of_bytes ? run->size_bytes : run->count);
	return TR_OK;
}

// Bins in any order, and the first and the last of them.
struct collection {
	struct bins bins;
	int64_t first, last;
	bool any;
};

static enum tr_status collect(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct collection *collection = context;

	if (!collection->any || run->index < collection->first)
		collection->first = run->index;
	if (!collection->any || run->index > collection->last)
		collection->last = run->index;
	collection->any = true;
	return bins_take(&collection->bins, run, err);
}

// cut: without the bins at the two ends.
static enum tr_status make_series(struct series *series, const struct collection *collection, bool cut,
				  const struct series_settings *settings, struct tr_error *err)
{
	const int64_t end = collection->last + (cut ? 0 : 1);
	struct filler filler = {series, collection->first + (cut ? 1 : 0), settings->of_bytes};
	enum tr_status status = TR_OK;

	if (collection->any && end > filler.first)
		status = series_reserve(series, (uint64_t)(end - filler.first), settings->max_points, err);
	if (status == TR_OK && series->x && end > filler.first) {
		series->n = (size_t)(end - filler.first);
		memset(series->x, 0, series->n * sizeof *series->x);
		status = bins_visit(&collection->bins, fill, &filler, err);
	}
	return status;
}

enum tr_status series_from_trace(struct series *series, struct tr_reader *in,
				 const struct series_settings *settings, bool keep_going,
				 struct tr_error *err)
{
	const unsigned kind = tr_reader_header(in)->kind;
	struct collection collection = {.bins.max_bins = settings->max_points + 2 * BINS_PAGE};
	struct bin_feed feed = {.bin = settings->bin, .wire = settings->wire, .sink = collect,
				.context = &collection};
	enum tr_status status = bin_feed_trace(&feed, in, err);

	if (status == TR_OK)
		status = make_series(series, &collection, kind != TR_SERIES, settings, err);
	series->bin = feed.bin;
	bins_clear(&collection.bins);
	if (status == TR_OK && *tr_reader_error(in) && !keep_going)
		return tr_fail(err, "is damaged");
	return status;
}

enum tr_status series_from_arrivals(struct series *series, struct tr_source *source,
				    const struct series_settings *settings, struct tr_error *err)
{
	struct collection collection = {.bins.max_bins = settings->max_points + 2 * BINS_PAGE};
	struct bin_feed feed = {.bin = settings->bin, .sink = collect, .context = &collection};
	enum tr_status status = bin_feed_arrivals(&feed, source, err);

	if (status == TR_OK)
		status = make_series(series, &collection, true, settings, err);
	series->bin = feed.bin;
	bins_clear(&collection.bins);
	return status;
}
