// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/series.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stream/record.h"
#include "value/ticks.h"

#define NARROW_MAX \
	16384 // most bins narrower than 10 ms to keep: enough for a series with too few wider ones

// ---- while bins come

struct move {
	struct bins *into;
	int64_t by;
};

static enum tr_status move_bin(void *context, const struct bin_run *run, struct tr_error *err)
{
	const struct move *move = context;

	return bins_take(
		move->into,
		&(struct bin_run){num_floor_div(run->index, move->by), run->count, run->size_bytes},
		err);
}

// Bins of this width from the first to the last.
static uint64_t bins_between(const struct series_bins *store, int64_t join)
{
	return store->any ? (uint64_t)(num_floor_div(store->last, join) -
				       num_floor_div(store->first, join)) +
				    1
			  : 0;
}

static int64_t ten_ms(const struct series_bins *store)
{
	return store->tens == 0 ? 1 : store->tens == 1 ? 10 : 100;
}

// Joins neighbours until there are few enough.
static enum tr_status series_bins_widen(struct series_bins *store, struct tr_error *err)
{
	const int64_t before = store->join;
	struct bins wider = {.max_bins = store->bins.max_bins};
	struct move move = {&wider, 1};

	while (bins_between(store, store->join) >
		       (store->join < ten_ms(store) ? NARROW_MAX : BINS_SERIES_MAX) &&
	       store->join <= INT64_MAX / 20)
		store->join *= store->join < ten_ms(store) ? 10 : 2;
	if (store->join == before)
		return TR_OK;
	move.by = store->join / before;
	if (bins_visit(&store->bins, move_bin, &move, err) != TR_OK) {
		bins_clear(&wider);
		return TR_ERROR;
	}
	bins_clear(&store->bins);
	store->bins = wider;
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
	store->join = store->join ? store->join : 1;
	store->packets += run->count;
	if (store->widens && series_bins_widen(store, err) != TR_OK)
		return TR_ERROR;
	return move_bin(&(struct move){&store->bins, store->join}, run, err);
}

// ---- after the last bin

// Puts bins in their place; point 0 is bin first.
struct filler {
	struct series *series;
	int64_t first;
	int64_t by; // kept bins per bin of the series
	bool of_bytes;
};

static enum tr_status series_bins_fill(void *context, const struct bin_run *run,
				       struct tr_error *err)
{
	const struct filler *filler = context;
	const int64_t at = num_floor_div(run->index, filler->by) - filler->first;

	(void)err;
	if (at >= 0 && (uint64_t)at < filler->series->n)
		filler->series->x[at] += (double)(filler->of_bytes ? run->size_bytes : run->count);
	return TR_OK;
}

// How many fed bins make one of the series: the same rule as in report/stream_counts.h.
static int64_t choose_width(const struct series_bins *store)
{
	const uint64_t worth = bins_worth(store->packets);
	const uint64_t most = worth < BINS_SERIES_MAX ? worth : BINS_SERIES_MAX;
	int64_t join = ten_ms(store);

	if (!store->widens)
		return 1;
	while (join > 1 && bins_between(store, join) < BINS_SERIES_MIN + 2)
		join /= 10;
	while (join >= ten_ms(store) && bins_between(store, join) > most && join <= INT64_MAX / 20)
		join *= 2;
	return join < store->join ? store->join : join;
}

enum tr_status series_bins_make(struct series *series, struct series_bins *store,
				const struct series_settings *settings, struct tr_error *err)
{
	const int64_t join = choose_width(store), end = num_floor_div(store->last, join);
	struct filler filler = {series, num_floor_div(store->first, join) + 1, 1,
				settings->of_bytes};

	if (!store->any)
		return TR_OK;
	filler.by = join / store->join;
	if (!num_ratio_make((__int128)series->bin.num * join, series->bin.den, &series->bin))
		return tr_fail(err, "is too long for a series");
	if (end <= filler.first)
		return TR_OK;
	if (series_reserve(series, (uint64_t)(end - filler.first), settings->max_points, err) !=
	    TR_OK)
		return TR_ERROR;
	series->n = (size_t)(end - filler.first);
	memset(series->x, 0, series->n * sizeof(*series->x));
	if (bins_visit(&store->bins, series_bins_fill, &filler, err) != TR_OK)
		return TR_ERROR;
	series->lost = lost_bins_cut(&store->lost, filler.first, join, series->x, &series->n);
	return TR_OK;
}

void series_bins_clear(struct series_bins *store)
{
	bins_clear(&store->bins);
	lost_bins_clear(&store->lost);
}

struct num_ratio series_bins_finest(struct series_bins *store, uint64_t ticks_per_s)
{
	int64_t width;

	store->widens = true;
	for (store->tens = 2; store->tens > 0; store->tens--) {
		const struct num_ratio finest = {1, store->tens == 2 ? 10000 : 1000};

		if (tr_ticks_exact(finest, ticks_per_s, &width, NULL) == TR_OK)
			return finest;
	}
	return BIN_FEED_DEFAULT;
}

// ---- from an input

enum tr_status series_from_trace(struct series *series, struct tr_reader *in,
				 const struct series_settings *settings, bool keep_going,
				 struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	struct series_bins store = {.bins.max_bins = settings->max_points + 2 * BINS_PAGE};
	struct bin_feed feed = {.bin = settings->bin,
				.wire = settings->wire,
				.sink = series_bins_take,
				.context = &store,
				.lost = &store.lost};
	enum tr_status status;

	if (settings->bin.num == 0 && tr_kind_has_packet(header->kind))
		feed.bin = series_bins_finest(&store, header->ticks_per_s);
	status = bin_feed_trace(&feed, in, err);
	series->bin = feed.bin;
	if (status == TR_OK)
		status = series_bins_make(series, &store, settings, err);
	series_bins_clear(&store);
	if (status == TR_OK && *tr_reader_error(in) && !keep_going)
		return tr_fail(err, "is damaged");
	return status;
}

enum tr_status series_from_arrivals(struct series *series, struct tr_source *source,
				    const struct series_settings *settings, struct tr_error *err)
{
	struct series_bins store = {.bins.max_bins = settings->max_points + 2 * BINS_PAGE};
	struct bin_feed feed = {.bin = settings->bin,
				.sink = series_bins_take,
				.text = settings->text,
				.context = &store};
	enum tr_status status;

	if (settings->bin.num == 0)
		feed.bin = series_bins_finest(&store, ARRIVAL_TICKS_PER_S);
	status = bin_feed_arrivals(&feed, source, err);
	series->bin = feed.bin;
	if (status == TR_OK && series_bins_make(series, &store, settings, err) != TR_OK)
		status = tr_fail_in(err, "%s", tr_source_name(source));
	series_bins_clear(&store);
	return status;
}
