// SPDX-License-Identifier: GPL-3.0-or-later
#include "flittest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "series/series.h"
#include "stat/counts/bins.h"
#include "stream/header.h"
#include "stream/record.h"
#include "value/ticks.h"

const char *test_of_name(enum test_of of)
{
	static const char *const names[] = {"packets", "bytes", "gaps", "sizes", "bursts", "value"};

	return names[of];
}

// ---- packets

// What one pass over packets collects.
struct gatherer {
	const struct test_wishes *wishes;
	struct test_input *input;
	struct series_bins bins;
	struct binner binner;
	struct series gaps, sizes; // in seconds and bytes, if wanted; a gap in which packets were
				   // lost is INFINITY
	bool want_bins, want_gaps, want_sizes, want_bursts;
	struct burst_gaps burst_gaps;
	struct burst_gap_counts burst_counts; // also of gaps in which packets were lost
	bool any;
	int64_t first_ticks, last_ticks;
};

static bool wants(const struct test_wishes *wishes, enum test_of of)
{
	const bool of_bins = of == TEST_OF_PACKETS || of == TEST_OF_BYTES;

	if (wishes->of_given)
		return wishes->of == of && (wishes->counts || wishes->tails);
	return of_bins ? wishes->counts && of == TEST_OF_PACKETS : wishes->tails;
}

static enum tr_status gatherer_open(struct gatherer *g, struct test_input *input,
				    const struct test_wishes *wishes,
				    const struct tr_header *header, struct tr_error *err)
{
	struct num_ratio bin = wishes->series.bin;
	struct bin_grid grid;
	int64_t width_ticks;

	memset(g, 0, sizeof(*g));
	g->wishes = wishes;
	g->input = input;
	input->ticks_per_s = header->ticks_per_s;
	g->bins.bins.max_bins = wishes->series.max_points + 2 * BINS_PAGE;
	g->want_bins = wants(wishes, TEST_OF_PACKETS) || wants(wishes, TEST_OF_BYTES);
	g->want_bursts = wants(wishes, TEST_OF_BURSTS);
	g->want_gaps = wants(wishes, TEST_OF_GAPS) || g->want_bursts;
	g->want_sizes = wants(wishes, TEST_OF_SIZES);
	if (header->unsorted)
		return tr_fail(err, "is not in time order: sort it with flitcat --sort");
	if (wishes->poisson) {
		if (tr_ticks_exact(wishes->interval, header->ticks_per_s, &width_ticks, err) !=
		    TR_OK)
			return TR_ERROR;
		poisson_open(&input->poisson, width_ticks, wishes->seed);
		input->has_arrivals = true;
	}
	if (g->want_bursts && burst_gaps_set(&g->burst_gaps, &wishes->burst_rule, 0,
					     header->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (!g->want_bins)
		return TR_OK;
	g->bins.widens = bin.num == 0;
	if (bin.num == 0)
		bin = BIN_FEED_DEFAULT;
	if (tr_ticks_exact(bin, header->ticks_per_s, &width_ticks, err) != TR_OK ||
	    bin_grid_set(&grid, width_ticks, header, 0, err) != TR_OK)
		return TR_ERROR;
	binner_open(&g->binner, &grid, series_bins_take, &g->bins);
	input->counts.series.bin = bin;
	return TR_OK;
}

static enum tr_status test_input_append(struct series *series, double value, uint64_t most,
					struct tr_error *err)
{
	if (series_reserve(series, series->n + 1, most, err) != TR_OK)
		return TR_ERROR;
	series->x[series->n++] = value;
	return TR_OK;
}

static enum tr_status test_input_gather(struct gatherer *g, int64_t time_ticks, uint64_t size_bytes,
					bool after_loss, struct tr_error *err)
{
	const uint64_t most = g->wishes->series.max_points;

	if (g->wishes->poisson && poisson_add(&g->input->poisson, time_ticks, err) != TR_OK)
		return TR_ERROR;
	if (g->want_bins &&
	    (binner_add_one(&g->binner, time_ticks, 1, size_bytes, err) != TR_OK ||
	     lost_bins_take(&g->bins.lost, &g->binner.grid, time_ticks, after_loss, err) != TR_OK))
		return TR_ERROR;
	if (g->want_bursts)
		burst_gap_count(&g->burst_counts, &g->burst_gaps, g->last_ticks, time_ticks);
	if (g->want_gaps && g->any &&
	    test_input_append(&g->gaps,
			      after_loss ? INFINITY
					 : tr_ticks_seconds(time_ticks - g->last_ticks,
							    g->input->ticks_per_s),
			      most, err) != TR_OK)
		return TR_ERROR;
	if (g->want_sizes && test_input_append(&g->sizes, (double)size_bytes, most, err) != TR_OK)
		return TR_ERROR;
	if (!g->any)
		g->first_ticks = time_ticks;
	if (g->wishes->times && !g->wishes->of_given &&
	    test_input_append(&g->input->arrivals,
			      tr_ticks_seconds(time_ticks - g->first_ticks, g->input->ticks_per_s),
			      most, err) != TR_OK)
		return TR_ERROR;
	g->any = true;
	g->last_ticks = time_ticks;
	return TR_OK;
}

// ---- from what was gathered

// Packets of each burst except the first and the last, and those before and after a loss, which may
// be cut; limit is in seconds.
static enum tr_status find_bursts(const struct series *gaps, double limit, struct series *bursts,
				  uint64_t most, struct tr_error *err)
{
	double packets = 1;
	bool whole = false;

	for (size_t i = 0; i < gaps->n; i++) {
		if (isfinite(gaps->x[i]) && gaps->x[i] <= limit) {
			packets++;
			continue;
		}
		if (whole && isfinite(gaps->x[i]) &&
		    test_input_append(bursts, packets, most, err) != TR_OK)
			return TR_ERROR;
		whole = isfinite(gaps->x[i]);
		packets = 1;
	}
	return TR_OK;
}

static enum tr_status make_bursts(const struct gatherer *g, struct series *bursts,
				  struct tr_error *err)
{
	struct burst_gap *gap = &g->input->burst_gap;
	enum tr_status status = TR_OK;

	*gap = burst_gap_choose(&g->burst_gaps, g->wishes->burst_rule.by, &g->burst_counts);
	if (gap->basis != BURST_BASIS_NONE)
		status = find_bursts(&g->gaps, tr_ticks_seconds(gap->ticks, g->input->ticks_per_s),
				     bursts, g->wishes->series.max_points, err);
	g->input->whole_bursts = bursts->n;
	g->input->has_bursts = true;
	return status;
}

// Leaves out the gaps in which packets were lost.
static void drop_lost(struct series *gaps)
{
	size_t left = 0;

	for (size_t i = 0; i < gaps->n; i++)
		if (isfinite(gaps->x[i]))
			gaps->x[left++] = gaps->x[i];
	gaps->n = left;
}

// Moves a series, leaving from empty.
static void test_input_give(struct series *from, struct test_values *to, enum test_of of)
{
	to->of = of;
	to->series = *from;
	*from = (struct series){0};
}

static enum tr_status make_bins(struct gatherer *g, struct test_values *out, struct tr_error *err)
{
	struct series_settings settings = g->wishes->series;

	out->of = g->wishes->of_given ? g->wishes->of : TEST_OF_PACKETS;
	settings.of_bytes = out->of == TEST_OF_BYTES;
	if (binner_flush(&g->binner, err) != TR_OK)
		return TR_ERROR;
	return series_bins_make(&out->series, &g->bins, &settings, err);
}

// The values asked for also become the series.
static enum tr_status gatherer_finish(struct gatherer *g, struct tr_error *err)
{
	const struct test_wishes *wishes = g->wishes;
	struct test_input *input = g->input;
	struct series bursts = {0};

	if (g->want_bins && make_bins(g, &input->counts, err) != TR_OK)
		return TR_ERROR;
	if (g->want_bursts && make_bursts(g, &bursts, err) != TR_OK) {
		series_clear(&bursts);
		return TR_ERROR;
	}
	drop_lost(&g->gaps);
	if (wants(wishes, TEST_OF_GAPS))
		test_input_give(&g->gaps, &input->tails[input->tail_count++], TEST_OF_GAPS);
	if (wants(wishes, TEST_OF_SIZES))
		test_input_give(&g->sizes, &input->tails[input->tail_count++], TEST_OF_SIZES);
	if (g->want_bursts)
		test_input_give(&bursts, &input->tails[input->tail_count++], TEST_OF_BURSTS);
	if (wishes->of_given && input->tail_count == 1)
		test_input_give(&input->tails[--input->tail_count].series, &input->counts,
				wishes->of);
	return TR_OK;
}

static void gatherer_close(struct gatherer *g)
{
	series_bins_clear(&g->bins);
	series_clear(&g->gaps);
	series_clear(&g->sizes);
}

// ---- inputs

static enum tr_status gather_records(struct gatherer *g, struct tr_reader *in, struct tr_error *err)
{
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const union tr_record *record;

	while (tr_next(in, &record) == TR_OK) {
		const struct tr_packet *packet = &record->packet;

		if (deliveries && record->delivery.status != TR_DELIVERED)
			continue;
		if (test_input_gather(
			    g, packet->time_ticks,
			    g->wishes->series.wire ? packet->wire_bytes : packet->payload_bytes,
			    !deliveries && packet->flags & TR_FLAG_AFTER_LOSS, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status from_packets(struct test_input *input, struct tr_reader *in,
				   const struct test_wishes *wishes, struct tr_error *err)
{
	enum tr_status status;
	struct gatherer g;

	status = gatherer_open(&g, input, wishes, tr_reader_header(in), err);
	if (status == TR_OK)
		status = gather_records(&g, in, err);
	if (status == TR_OK)
		status = gatherer_finish(&g, err);
	gatherer_close(&g);
	return status;
}

enum tr_status test_input_trace(struct test_input *input, struct tr_reader *in,
				const struct test_wishes *wishes, bool keep_going,
				struct tr_error *err)
{
	const unsigned kind = tr_reader_header(in)->kind;
	struct series_settings settings = wishes->series;

	if (tr_kind_has_packet(kind)) {
		if (from_packets(input, in, wishes, err) != TR_OK)
			return TR_ERROR;
		return *tr_reader_error(in) && !keep_going ? tr_fail(err, "is damaged") : TR_OK;
	}
	if (kind != TR_SERIES || (wishes->of_given && wishes->of > TEST_OF_BYTES))
		return tr_fail(err, "contains %s records, expected packets or deliveries%s",
			       tr_kind_find(kind)->name, kind != TR_SERIES ? ", or series" : "");
	input->counts.of = wishes->of_given ? wishes->of : TEST_OF_PACKETS;
	settings.of_bytes = input->counts.of == TEST_OF_BYTES;
	return series_from_trace(&input->counts.series, in, &settings, keep_going, err);
}

enum tr_status test_input_text(struct test_input *input, struct tr_source *source,
			       const struct test_wishes *wishes, struct tr_error *err)
{
	input->counts.of = TEST_OF_VALUES;
	return series_from_text(&input->counts.series, source, &wishes->series, err);
}

static enum tr_status gather_arrival(void *context, int64_t time_ticks, uint64_t size_bytes,
				     struct tr_error *err)
{
	return test_input_gather(context, time_ticks, size_bytes, false, err);
}

enum tr_status test_input_arrivals(struct test_input *input, struct tr_source *source,
				   const struct test_wishes *wishes, struct tr_error *err)
{
	const struct tr_header header = {.ticks_per_s = ARRIVAL_TICKS_PER_S};
	enum tr_status status;
	struct gatherer g;

	status = gatherer_open(&g, input, wishes, &header, err);
	if (status == TR_OK &&
	    arrival_text_each(source, wishes->series.text, gather_arrival, &g, err) != TR_OK) {
		gatherer_close(&g);
		return TR_ERROR;
	}
	if (status == TR_OK)
		status = gatherer_finish(&g, err);
	gatherer_close(&g);
	return status == TR_OK ? TR_OK : tr_fail_in(err, "%s", tr_source_name(source));
}

void test_input_clear(struct test_input *input)
{
	poisson_close(&input->poisson);
	series_clear(&input->counts.series);
	series_clear(&input->arrivals);
	spectrum_close(input->spectrum);
	for (size_t i = 0; i < TEST_TAILS_MAX; i++)
		series_clear(&input->tails[i].series);
	*input = (struct test_input){0};
}
