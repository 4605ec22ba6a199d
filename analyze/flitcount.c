// SPDX-License-Identifier: GPL-3.0-or-later
// flitcount: packets and bytes per bin at many widths, in one pass.
#include <stddef.h>
#include <string.h>

#include "count_report.h"
#include "count_series.h"
#include "stat/binner.h"
#include "stat/bins.h"
#include "stat/numeric_errors.h"
#include "stat/scales.h"
#include "stat/widths.h"
#include "trace/table.h"
#include "trace/ticks.h"
#include "trace/tool.h"

enum size_of { SIZE_WIRE, SIZE_PAYLOAD };

struct options {
	struct opt_list widths;
	const char *origin;
	const char *write;
	int size; // enum size_of
	int level_percent;
	uint64_t max_bins;
	bool compress;
	struct table_style style;
};

// The work: bins of the inputs go straight to the scales where one sorted input gives them in
// order, else through the store.
struct counting {
	struct tool *tool;
	const struct options *options;
	struct widths widths;
	struct scales scales;
	struct bins bins;
	struct bin_values values;
	struct count_series series;
	bool in_order;
	bool anchored;
	uint64_t anchor_ticks_per_s; // 0: the anchor is the same at any rate
	__int128 anchor_ticks;
};

static const struct opt_choice size_words[] = {{"wire", SIZE_WIRE}, {"payload", SIZE_PAYLOAD}, {NULL, 0}};
static const struct opt_choice level_words[] = {{"90", 90}, {"95", 95}, {"99", 99}, {NULL, 0}};

static bool fail(struct counting *c, const struct tr_error *err)
{
	tool_error(c->tool, "%s", err->text);
	return false;
}

static bool set_widths(struct counting *c)
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
	return status == TR_OK || fail(c, &err);
}

// Where bin 0 begins: the epoch, a time after it, or the first packet.
static bool set_anchor(struct counting *c, const struct tr_header *header, int64_t first_ticks)
{
	struct num_ratio seconds;
	struct tr_error err;
	int64_t ticks;

	if (strcmp(c->options->origin, "first") == 0) {
		if (c->anchored && c->anchor_ticks_per_s != header->ticks_per_s) {
			tool_error(c->tool, "--origin first needs inputs with the same ticks per second");
			return false;
		}
		if (!c->anchored)
			c->anchor_ticks = epoch_ticks(header, first_ticks);
		c->anchor_ticks_per_s = header->ticks_per_s;
		c->scales.from_start = c->in_order;
	} else {
		if (num_parse(c->options->origin, NUM_TIME, &seconds, &err) != TR_OK ||
		    tr_ticks_exact(seconds, header->ticks_per_s, &ticks, &err) != TR_OK)
			return fail(c, &err);
		c->anchor_ticks = ticks;
	}
	c->anchored = true;
	return true;
}

static bool open_series(struct counting *c, const struct tr_header *input, const struct bin_grid *grid)
{
	const struct tr_writer_options options = {.compress = c->options->compress};
	struct tr_header header = *input;

	if (!c->options->write || c->series.writer)
		return true;
	header.kind = TR_SERIES;
	header.record_bytes = 0;
	header.unsorted = c->widths.count > 1;
	c->series.writer = tool_output(c->tool, c->options->write, &header, &options);
	c->series.scales = &c->scales;
	c->series.finest = *grid;
	c->series.max_bins = c->options->max_bins;
	c->scales.hook = count_series_put;
	c->scales.context = &c->series;
	return c->series.writer;
}

static bool open_binner(struct counting *c, struct binner *binner, const struct tr_reader *in, int64_t first_ticks)
{
	const struct tr_header *header = tr_reader_header(in);
	struct bin_grid grid;
	struct tr_error err;
	int64_t width;

	if (!set_anchor(c, header, first_ticks))
		return false;
	if (tr_ticks_exact(c->widths.finest, header->ticks_per_s, &width, &err) != TR_OK ||
	    bin_grid_set(&grid, width, header, c->anchor_ticks, &err) != TR_OK) {
		tool_error(c->tool, "%s: the grid that all widths are made of: %s", tr_reader_name(in), err.text);
		return false;
	}
	if (c->in_order)
		binner_open(binner, &grid, scales_take, &c->scales);
	else
		binner_open(binner, &grid, bins_take, &c->bins);
	return open_series(c, header, &grid);
}

// Adds those of the deliveries that arrived.
static enum tr_status add_delivered(struct binner *binner, const void *records, size_t stride, size_t size_offset, size_t count,
				    struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride) {
		const struct tr_delivery *delivery = (const void *)at;

		if (delivery->status == TR_DELIVERED && binner_add(binner, at, stride, size_offset, 1, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static void count_stream(struct counting *c, struct tr_reader *in)
{
	const size_t size_offset = c->options->size == SIZE_WIRE ? offsetof(struct tr_packet, wire_bytes)
								 : offsetof(struct tr_packet, payload_bytes);
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const size_t stride = tr_reader_stride(in);
	enum tr_status status = TR_OK;
	struct binner binner;
	bool open = false;
	const void *records;
	struct tr_error err;
	size_t count;

	while (status == TR_OK && tr_next_block(in, &records, &count) == TR_OK) {
		if (!open && !open_binner(c, &binner, in, *(const int64_t *)records))
			return;
		open = true;
		status = (deliveries ? add_delivered : binner_add)(&binner, records, stride, size_offset, count, &err);
	}
	if (open && status == TR_OK)
		status = binner_flush(&binner, &err);
	if (status != TR_OK)
		tool_error(c->tool, "%s: %s", tr_reader_name(in), err.text);
}

static void count_inputs(struct counting *c)
{
	struct tr_reader *in;

	while (tool_next_input(c->tool, &in) == TR_OK) {
		const struct tr_header *header = tr_reader_header(in);

		if (!tr_kind_has_packet(header->kind)) {
			tool_error(c->tool, "%s: holds %s records, expected packets or deliveries", tr_reader_name(in),
				   tr_kind_find(header->kind)->name);
			return;
		}
		c->in_order = tool_operand_count(c->tool) < 2 && !header->unsorted;
		count_stream(c, in);
	}
}

static void report(struct counting *c)
{
	const double level = c->options->level_percent / 100.0;
	struct tr_error err;

	if (bins_visit(&c->bins, scales_take, &c->scales, &err) != TR_OK || scales_finish(&c->scales, &err) != TR_OK) {
		fail(c, &err);
		return;
	}
	if (c->options->write && strcmp(c->options->write, "-") == 0)
		return;
	if (count_report(&c->scales, &c->widths, level, c->options->style, tool_stdout(c->tool), &err) != TR_OK)
		fail(c, &err);
}

int main(int argc, char **argv)
{
	struct options options = {.origin = "0", .level_percent = 95, .max_bins = 1u << 26};
	const struct opt opts[] = {
		OPT_LIST('b', "bin", "TIME[,TIME...]", &options.widths,
			 "widths of the bins (default: the 13 from 100us to 100ms)"),
		OPT_STRING(0, "origin", "TIME|first", &options.origin,
			   "where bin 0 begins: a time since the Unix epoch, or the first packet"),
		OPT_CHOICE(0, "size", &options.size, size_words, "bytes that count as a packet's size"),
		OPT_CHOICE(0, "level", &options.level_percent, level_words, "confidence level in per cent"),
		OPT_SILENT_FILE('w', "write", &options.write, "write the bins as a series stream"),
		OPT_FLAG('z', "compress", &options.compress, "compress that stream with zstd"),
		OPT_COUNT(0, "max-bins", &options.max_bins, "bins held, or empty bins in a row, at most"),
		TABLE_OPTIONS(&options.style),
		OPT_ONLY_WITH("compress", "write"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitcount", "[-b TIME[,TIME...]] [-w FILE] [FILE ...]",
				       "Counts packets and bytes per bin at many widths in one pass.", opts};
	struct counting c = {.options = &options};

	c.tool = tool_start(argc, argv, &spec);
	numeric_errors_give_nan();
	c.bins.max_bins = options.max_bins;
	if (set_widths(&c))
		count_inputs(&c);
	if (tool_ok(c.tool))
		report(&c);
	scales_close(&c.scales);
	bin_values_clear(&c.values);
	bins_clear(&c.bins);
	return tool_finish(c.tool, TOOL_OK);
}
