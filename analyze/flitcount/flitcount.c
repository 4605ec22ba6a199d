// SPDX-License-Identifier: GPL-3.0-or-later
// flitcount: packets and bytes per bin at many widths, in one pass.
#include "flitcount.h"

#include <stddef.h>
#include <string.h>

#include "stat/counts/bins.h"
#include "stat/counts/parts.h"
#include "stat/counts/scales.h"
#include "stat/counts/widths.h"
#include "stat/intervals/numeric_errors.h"
#include "stream/words.h"
#include "table/table.h"
#include "tool/tool.h"
#include "value/ticks.h"

struct flitcount_options {
	struct opt_list widths;
	const char *origin;
	const char *write;
	const char *partial;
	int size; // enum tr_size_of
	int level_percent;
	struct num_ratio memory_B;
	bool compress;
	struct num_ratio every; // seconds; 0: once, at the end
	struct table_style style;
};

#define FORMAT_METRICS (TABLE_WORDS + 1)

static const struct opt_choice format_words[] = {
	TABLE_FORMAT_WORDS,
	{"openmetrics", FORMAT_METRICS, "counters and a histogram of rates, for Prometheus"},
	{NULL, 0},
};

// The work: bins of a single sorted input go straight to the scales, others through the store.
struct flitcount_counting {
	struct tool *tool;
	const struct flitcount_options *options;
	struct widths widths;
	struct scales scales;
	struct bins bins;
	struct bin_values values;
	struct count_series series;
	bool in_order;
	bool anchored;
	uint64_t anchor_ticks_per_s; // 0: the anchor is the same at any rate
	__int128 anchor_ticks;
	struct tr_header clock; // of the first trace, or partial; ticks_per_s 0: none yet
};

static bool flitcount_fail(struct flitcount_counting *c, const struct tr_error *err)
{
	tool_error(c->tool, "%s", err->text);
	return false;
}

static bool set_widths(struct flitcount_counting *c)
{
	const struct opt_list *list = &c->options->widths;
	enum tr_status status = TR_OK;
	struct tr_error err;

	for (size_t i = 0; i < list->count && status == TR_OK; i++)
		status = widths_parse(&c->widths, list->words[i], &err);
	if (list->count == 0)
		status = widths_parse(&c->widths, widths_yates, &err);
	if (status == TR_OK)
		status = widths_divide(&c->widths, &err);
	if (status == TR_OK)
		status = scales_open(&c->scales, c->widths.factor, c->widths.count, &err);
	if (!c->options->write || strcmp(c->options->write, "-") != 0)
		c->scales.values = &c->values;
	return status == TR_OK || flitcount_fail(c, &err);
}

// Where bin 0 begins: the epoch, a time after it, or the first packet.
static bool flitcount_set_anchor(struct flitcount_counting *c, const struct tr_header *header,
				 int64_t first_ticks)
{
	struct num_ratio seconds;
	struct tr_error err;
	int64_t ticks;

	if (strcmp(c->options->origin, "first") == 0) {
		if (c->anchored && c->anchor_ticks_per_s != header->ticks_per_s) {
			tool_error(c->tool,
				   "--origin first requires inputs with the same ticks per second");
			return false;
		}
		if (!c->anchored)
			c->anchor_ticks = epoch_ticks(header, first_ticks);
		c->anchor_ticks_per_s = header->ticks_per_s;
		c->scales.from_start = c->in_order;
	} else {
		if (num_parse(c->options->origin, NUM_TIME, &seconds, &err) != TR_OK) {
			tool_error(c->tool, "--origin: %s; expected a time, or first", err.text);
			return false;
		}
		if (tr_ticks_exact(seconds, header->ticks_per_s, &ticks, &err) != TR_OK)
			return flitcount_fail(c, &err);
		c->anchor_ticks = ticks;
	}
	c->anchored = true;
	return true;
}

static bool flitcount_open_series(struct flitcount_counting *c, const struct tr_header *input,
				  const struct bin_grid *grid)
{
	const struct tr_writer_options options = {.compress = c->options->compress};
	struct tr_header header = *input;

	if (c->clock.ticks_per_s == 0)
		c->clock = *input;
	if (!c->options->write || c->series.writer)
		return true;
	header.kind = TR_SERIES;
	header.record_bytes = 0;
	header.unsorted = c->widths.count > 1;
	c->series.writer = tool_output(c->tool, c->options->write, &header, &options);
	c->series.scales = &c->scales;
	c->series.finest = *grid;
	c->series.max_bins = c->bins.max_bins;
	c->series.promised_ticks = INT64_MIN;
	tool_promise(c->tool, &c->series.promised_ticks);
	c->scales.hook = count_series_put;
	c->scales.context = &c->series;
	return c->series.writer;
}

// Where bin 0 begins on the clock of a trace or partial, and the bins of the finest width on it.
static bool flitcount_set_grid(struct flitcount_counting *c, const char *name,
			       const struct tr_header *header, int64_t first_ticks,
			       struct bin_grid *grid)
{
	struct tr_error err;
	int64_t width;

	if (!flitcount_set_anchor(c, header, first_ticks))
		return false;
	if (tr_ticks_exact(c->widths.finest, header->ticks_per_s, &width, &err) == TR_OK &&
	    bin_grid_set(grid, width, header, c->anchor_ticks, &err) == TR_OK)
		return true;
	tool_error(c->tool, "%s: finest grid of all widths: %s", name, err.text);
	return false;
}

static bool flitcount_open_binner(struct flitcount_counting *c, struct binner *binner,
				  const struct tr_reader *in, int64_t first_ticks)
{
	const struct tr_header *header = tr_reader_header(in);
	struct bin_grid grid;

	if (!flitcount_set_grid(c, tr_reader_name(in), header, first_ticks, &grid))
		return false;
	if (c->in_order)
		binner_open(binner, &grid, scales_take, &c->scales);
	else
		binner_open(binner, &grid, bins_take, &c->bins);
	return flitcount_open_series(c, header, &grid);
}

// Adds the successful deliveries.
static enum tr_status flitcount_add_delivered(struct binner *binner, const void *records,
					      size_t stride, size_t size_offset, size_t count,
					      struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride) {
		const struct tr_delivery *delivery = (const void *)at;

		if (delivery->status == TR_DELIVERED &&
		    binner_add(binner, at, stride, size_offset, 1, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Passes on what is complete when the trace is complete up to time_ticks, to a program that reads
// the series as it comes. The tables end with the last packet, so that where there are any the
// series has no bins after it either.
static enum tr_status pass_series(struct flitcount_counting *c, struct binner *binner,
				  int64_t time_ticks, struct tr_error *err)
{
	int64_t index;

	if (!c->series.writer || !c->in_order || c->scales.values || time_ticks == INT64_MIN)
		return TR_OK;
	if (bin_grid_index(&binner->grid, time_ticks, &index, err) != TR_OK)
		return TR_ERROR;
	if (index > binner->run.index && binner_flush(binner, err) != TR_OK)
		return TR_ERROR;
	if (scales_pass(&c->scales, index, err) != TR_OK)
		return TR_ERROR;
	return count_series_pass(&c->series, index, err);
}

static void count_stream(struct flitcount_counting *c, struct tr_reader *in)
{
	const size_t size_offset = c->options->size == TR_SIZE_WIRE
					   ? offsetof(struct tr_packet, wire_bytes)
					   : offsetof(struct tr_packet, payload_bytes);
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const size_t stride = tr_reader_stride(in);
	enum tr_status status = TR_OK;
	struct binner binner;
	bool open = false;
	const void *records;
	struct tr_error err;
	size_t count;

	while (status == TR_OK && tr_advance(in, &count) == TR_OK) {
		if (count > 0 && tr_next_block(in, &records, &count) == TR_OK) {
			if (!open &&
			    !flitcount_open_binner(c, &binner, in, *(const int64_t *)records))
				return;
			open = true;
			status = (deliveries ? flitcount_add_delivered : binner_add)(
				&binner, records, stride, size_offset, count, &err);
		}
		if (open && status == TR_OK)
			status = pass_series(c, &binner, tr_reader_time(in), &err);
	}
	if (open && status == TR_OK)
		status = binner_flush(&binner, &err);
	if (status != TR_OK)
		tool_error(c->tool, "%s: %s", tr_reader_name(in), err.text);
}

// ---- partials: the bins of the finest width, which may be added in any order

// What the bins depend on.
static void flitcount_name_settings(const struct flitcount_counting *c,
				    char out[PARTIAL_SETTINGS_MAX])
{
	struct num_ratio origin = {0, 1};
	struct tr_error err;
	size_t used;

	(void)num_parse(c->options->origin, NUM_TIME, &origin, &err); // set_anchor tells
	used = (size_t)snprintf(
		out, PARTIAL_SETTINGS_MAX, "--size=%s --origin=" PARTIAL_RATIO " --bin=",
		c->options->size == TR_SIZE_WIRE ? "wire" : "payload", PARTIAL_RATIO_OF(origin));

	for (size_t i = 0; i < c->widths.count && used < PARTIAL_SETTINGS_MAX; i++)
		used += (size_t)snprintf(out + used, PARTIAL_SETTINGS_MAX - used,
					 "%s" PARTIAL_RATIO, i ? "," : "",
					 PARTIAL_RATIO_OF(c->widths.seconds[i]));
}

static void flitcount_exchange(struct flitcount_counting *c, struct partial *partial,
			       struct tr_header *clock)
{
	part_exchange_clock(clock, partial);
	bins_exchange(&c->bins, partial);
}

static void flitcount_write_partial(struct flitcount_counting *c)
{
	FILE *out = tool_text_output(c->tool, c->options->partial);
	char settings[PARTIAL_SETTINGS_MAX];
	struct partial *partial = NULL;
	struct tr_error err;

	flitcount_name_settings(c, settings);
	if (!out)
		return;
	if (partial_create(&partial, out, "flitcount " FLIT_VERSION, settings, &err) != TR_OK) {
		flitcount_fail(c, &err);
		return;
	}
	flitcount_exchange(c, partial, &c->clock);
	if (partial_finish(partial, &err) != TR_OK)
		flitcount_fail(c, &err);
	partial_close(partial);
}

static void count_partial(struct flitcount_counting *c, struct tr_source *source)
{
	struct tr_header clock = {.ticks_per_s = 0};
	char settings[PARTIAL_SETTINGS_MAX];
	struct partial *partial = NULL;
	struct bin_grid grid;
	struct tr_error err;

	flitcount_name_settings(c, settings);
	if (partial_open(&partial, source, NULL, "flitcount " FLIT_VERSION, settings, &err) !=
	    TR_OK) {
		flitcount_fail(c, &err);
		return;
	}
	flitcount_exchange(c, partial, &clock);
	if (partial_finish(partial, &err) != TR_OK)
		flitcount_fail(c, &err);
	else if (clock.ticks_per_s > 0 &&
		 flitcount_set_grid(c, tr_source_name(source), &clock, 0, &grid))
		(void)flitcount_open_series(c, &clock, &grid);
	partial_close(partial);
}

static void count_inputs(struct flitcount_counting *c)
{
	struct tr_source *source;

	while (tool_next_source(c->tool, &source) == TR_OK) {
		struct tr_reader *in;

		if (tr_source_begins(source, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC))) {
			count_partial(c, source);
			tr_source_close(source);
			continue;
		}
		in = tool_open_reader(c->tool, source);
		if (in && !tr_kind_has_packet(tr_reader_header(in)->kind)) {
			tool_error(
				c->tool, "%s: contains %s records, expected packets or deliveries",
				tr_reader_name(in), tr_kind_find(tr_reader_header(in)->kind)->name);
		} else if (in) {
			c->in_order = tool_operand_count(c->tool) < 2 &&
				      !tr_reader_header(in)->unsorted && !c->options->partial;
			count_stream(c, in);
		}
		tool_close_input(c->tool, in);
	}
}

static void flitcount_report(struct flitcount_counting *c)
{
	const double level = c->options->level_percent / 100.0;
	struct tr_error err;

	if (bins_visit(&c->bins, scales_take, &c->scales, &err) != TR_OK ||
	    scales_finish(&c->scales, &err) != TR_OK) {
		flitcount_fail(c, &err);
		return;
	}
	if (c->options->write && strcmp(c->options->write, "-") == 0)
		return;
	if (count_report(&c->scales, &c->widths, level, c->options->size == TR_SIZE_WIRE,
			 c->options->style, tool_stdout(c->tool), &err) != TR_OK)
		flitcount_fail(c, &err);
}

static void count_in_bins(struct flitcount_counting *c)
{
	if (set_widths(c))
		count_inputs(c);
	if (tool_ok(c->tool) && c->options->partial)
		flitcount_write_partial(c);
	else if (tool_ok(c->tool))
		flitcount_report(c);
}

// ---- while packets arrive

static bool is_live(const struct flitcount_counting *c)
{
	return tool_option_given(c->tool, "every") || c->options->style.format == FORMAT_METRICS;
}

static void count_while_it_comes(struct flitcount_counting *c)
{
	struct count_live live = {.tool = c->tool,
				  .every = c->options->every,
				  .style = c->options->style,
				  .path = c->options->write,
				  .metrics = c->options->style.format == FORMAT_METRICS};
	struct tr_reader *in;
	struct tr_error err;

	if (tool_option_given(c->tool, "every") && live.every.num <= 0)
		tool_error(c->tool, "--every must be above 0");
	else if (live.path && !live.metrics)
		tool_error(c->tool, "--write with --every needs --format openmetrics; a series "
				    "stream has every bin without --every");
	else if (tool_operand_count(c->tool) > 1)
		tool_error(
			c->tool,
			"--every and openmetrics need one trace: join traces with flitcat --merge");
	else if (tool_next_input(c->tool, &in) == TR_OK &&
		 !tr_kind_has_packet(tr_reader_header(in)->kind))
		tool_error(c->tool, "%s: contains %s records, expected packets or deliveries",
			   tr_reader_name(in), tr_kind_find(tr_reader_header(in)->kind)->name);
	else if (tool_ok(c->tool) && count_live_stream(&live, in, &err) == TR_ERROR)
		tool_error(c->tool, "%s: %s", tr_reader_name(in), err.text);
}

int main(int argc, char **argv)
{
	struct flitcount_options options = {
		.origin = "0", .level_percent = 95, .memory_B = {1 << 30, 1}, .every = {0, 1}};
	const struct opt opts[] = {
		OPT_LIST('b', "bin", "TIME[,TIME...]", &options.widths,
			 OPT_BIN_HELP OPT_DEFAULT("13 from 100us to 100ms")),
		OPT_ORIGIN(&options.origin, bin_origin_words),
		OPT_PACKET_SIZE(&options.size),
		OPT_LEVEL(&options.level_percent),
		OPT_ALSO_WRITE(&options.write),
		OPT_COMPRESS(&options.compress),
		OPT_MEMORY(&options.memory_B),
		OPT_PARTIAL(&options.partial),
		OPT_EVERY(&options.every),
		TABLE_OPTIONS_WITH(&options.style, format_words),
		OPT_ONLY_WITH("compress", "write"),
		OPT_NOT_WITH("write", "partial"),
		OPT_NOT_WITH("bin,origin,size,level,compress,memory,partial",
			     "every,format=openmetrics"),
		OPT_NOT_WITH("partial", "origin=first"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitcount", "[-b TIME[,TIME...]] [-w FILE] [FILE ...]",
		"Counts packets and bytes per bin at many widths in one pass.", opts};
	struct flitcount_counting c = {.options = &options};

	c.tool = tool_start(argc, argv, &spec);
	tool_watch_times(c.tool, &options.style);
	numeric_errors_give_nan();
	if (!tool_memory_holds(c.tool, options.memory_B, sizeof(struct bin), 1, "bin",
			       &c.bins.max_bins))
		return tool_finish(c.tool, TOOL_FAILED);
	if (is_live(&c))
		count_while_it_comes(&c);
	else
		count_in_bins(&c);
	scales_close(&c.scales);
	bin_values_clear(&c.values);
	bins_clear(&c.bins);
	return tool_finish(c.tool, TOOL_OK);
}
