// SPDX-License-Identifier: GPL-3.0-or-later
// flitcount: packets and bytes per bin at many widths, in one pass.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "stat/bins.h"
#include "stat/numeric_errors.h"
#include "stat/scales.h"
#include "stat/variance_slope.h"
#include "stat/widths.h"
#include "trace/table.h"
#include "trace/ticks.h"
#include "trace/tool.h"

// ---- bins as series records: every bin of every width, empty ones between the first and the last included

struct count_series {
	struct tr_writer *writer;
	const struct scales *scales;
	struct bin_grid finest;	  // on the output's time base
	uint64_t max_bins;	  // empty bins in a row at most
	int64_t next[SCALES_MAX]; // bin after the last written
	bool begun[SCALES_MAX];
};

static enum tr_status put(const struct count_series *series, size_t scale, const struct bin_run *bin, struct tr_error *err)
{
	const int64_t factor = series->scales->scales[scale].factor;
	const struct tr_series record = {
		.start_ticks = bin_grid_start(&series->finest, bin->index * factor),
		.width_ticks = factor * series->finest.width_ticks,
		.count = bin->count,
		.size_bytes = bin->size_bytes,
		.node = TR_NODE_OTHER,
		.class = TR_CLASS_NONE,
	};

	if (tr_put(series->writer, &record) != TR_OK)
		return tr_fail(err, "%s", tr_writer_error(series->writer));
	return TR_OK;
}

// A scale_hook whose context is the struct count_series. TR_ERROR if writing failed or a silence
// is longer than max_bins.
static enum tr_status count_series_put(void *context, size_t scale, const struct bin_run *bin, struct tr_error *err)
{
	struct count_series *series = context;
	struct bin_run empty = {bin->index, 0, 0};

	if (!series->begun[scale])
		series->next[scale] = bin->index;
	series->begun[scale] = true;
	if ((uint64_t)(bin->index - series->next[scale]) > series->max_bins)
		return tr_fail(err, "a silence of %lld bins exceeds --max-bins", (long long)(bin->index - series->next[scale]));
	for (empty.index = series->next[scale]; empty.index < bin->index; empty.index++)
		if (put(series, scale, &empty, err) != TR_OK)
			return TR_ERROR;
	series->next[scale] = bin->index + 1;
	return put(series, scale, bin, err);
}

// ---- the tables

#define DIGITS 7

// A peak may be in a bin at the edge; mean and variance are those of the complete bins.
static void add_measure(struct table *table, const struct moments *complete, const struct moments *edges)
{
	const double mean = moments_mean(complete), variance = moments_variance(complete);
	struct moments all = *complete;

	moments_merge(&all, edges);
	table_real(table, mean, DIGITS);
	table_real(table, variance, DIGITS);
	table_count(table, all.n ? (uint64_t)all.max : 0);
	table_real(table, (double)all.max / mean, DIGITS);
	table_real(table, variance / mean, DIGITS);
}

static struct table *widths_table(const struct scales *scales, const struct widths *widths)
{
	struct table *table = table_new("widths", "Packets and bytes per bin");

	table_columns(table, "width_s bins packets bytes complete_bins packets_mean packets_variance packets_peak "
			     "packets_peak_to_mean packets_dispersion bytes_mean bytes_variance bytes_peak bytes_peak_to_mean "
			     "bytes_dispersion_B");
	for (size_t i = 0; i < widths->count; i++) {
		const struct scale_moments complete = scales_get(scales, i);
		const struct scale_moments edges = scales_edges(scales, i);

		table_real(table, num_value(widths->seconds[i]), 10);
		table_count(table, complete.count.n + edges.count.n);
		table_count(table, (uint64_t)(complete.count.sum + edges.count.sum));
		table_count(table, (uint64_t)(complete.size_bytes.sum + edges.size_bytes.sum));
		table_count(table, complete.count.n);
		add_measure(table, &complete.count, &edges.count);
		add_measure(table, &complete.size_bytes, &edges.size_bytes);
	}
	return table;
}

static const struct {
	const char *key;
	unsigned thousandths;
} percentiles[] = {{"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p99.9", 999}};

#define PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

// A row of rates: a value of 1 in a bin is per a second. complete and edges are the bins' moments.
static enum tr_status add_rates(struct table *table, const char *of, struct value_counts *values,
				const struct moments *complete, const struct moments *edges, double per, struct tr_error *err)
{
	unsigned thousandths[PERCENTILES];
	uint64_t found[PERCENTILES];
	struct moments all = *complete;

	for (size_t i = 0; i < PERCENTILES; i++)
		thousandths[i] = percentiles[i].thousandths;
	if (value_counts_add(values, 0, complete->n - values->n, err) != TR_OK ||
	    value_counts_percentiles(values, thousandths, PERCENTILES, found, err) != TR_OK)
		return TR_ERROR;
	moments_merge(&all, edges);
	table_text(table, of);
	table_count(table, complete->n);
	for (size_t i = 0; i < PERCENTILES; i++)
		table_real(table, complete->n ? per * (double)found[i] : NAN, DIGITS);
	table_real(table, all.n ? per * (double)all.max : NAN, DIGITS);
	return TR_OK;
}

// NULL if out of memory.
static struct table *rates_table(const struct scales *scales, const struct widths *widths, struct tr_error *err)
{
	struct table *table = table_new("rates", "Rate percentiles");
	enum tr_status status = TR_OK;
	double error = 0;

	table_columns(table, "width_s of complete_bins");
	for (size_t i = 0; i < PERCENTILES; i++)
		table_column(table, percentiles[i].key);
	table_column(table, "max");
	for (size_t i = 0; i < widths->count && status == TR_OK; i++) {
		struct bin_value_counts *values = &scales->values->widths[i];
		const struct scale_moments complete = scales_get(scales, i), edges = scales_edges(scales, i);
		const double per_s = 1 / num_value(widths->seconds[i]);

		table_real(table, num_value(widths->seconds[i]), 10);
		status = add_rates(table, "packets/s", &values->count, &complete.count, &edges.count, per_s, err);
		table_real(table, num_value(widths->seconds[i]), 10);
		if (status == TR_OK)
			status = add_rates(table, "b/s", &values->size_bytes, &complete.size_bytes, &edges.size_bytes,
					   8 * per_s, err);
		error = fmax(error, fmax(value_counts_error(&values->count), value_counts_error(&values->size_bytes)));
	}
	if (error > 0)
		table_note(table,
			   "the bins of a width have more than %u different values: its percentiles are exact to %.2g %%",
			   VALUE_COUNTS_MAX, 100 * error);
	if (status == TR_OK)
		return table;
	table_free(table);
	return NULL;
}

static void add_slope(struct table *table, const char *of, const struct variance_slope *slope)
{
	table_text(table, of);
	table_count(table, slope->widths);
	table_real(table, slope->slope, DIGITS);
	table_real(table, slope->lo, DIGITS);
	table_real(table, slope->hi, DIGITS);
	table_count(table, slope->segments);
}

static struct table *slope_table(const struct scales *scales, double level)
{
	const struct variance_slope count = variance_slope(scales, SCALE_COUNT, level);
	const struct variance_slope bytes = variance_slope(scales, SCALE_BYTES, level);
	struct table *table = table_new("variance_time", "Variance-time slope");

	table_columns(table, "of widths slope slope_lo slope_hi segments");
	add_slope(table, "packets", &count);
	add_slope(table, "bytes", &bytes);
	table_note(table, "fitted to widths with at least %d bins; %g %% confidence interval by a jackknife over time segments",
		   VARIANCE_SLOPE_BINS, 100 * level);
	if (isnan(count.se))
		table_note(table, "no interval: fewer than two widths, or too few segments");
	return table;
}

// Prints the tables of the widths, of the percentiles of rates and of the variance-time slopes, these with intervals at level
// (0..1). The scales keep values; the empty bins are added to them.
static enum tr_status count_report(const struct scales *scales, const struct widths *widths, double level,
				   struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[] = {widths_table(scales, widths), rates_table(scales, widths, err), slope_table(scales, level)};
	const size_t count = sizeof(tables) / sizeof(tables[0]);
	const enum tr_status status = tables[1] ? tables_print(tables, count, style, "flitcount", out, err) : TR_ERROR;

	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}

// flitcount: packets and bytes per bin at many widths, in one pass.

// ---- the program

enum size_of { SIZE_PAYLOAD, SIZE_WIRE };

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

// The work: bins of a single sorted input go straight to the scales, others through the store.
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

static const struct opt_choice size_words[] = {{"payload", SIZE_PAYLOAD}, {"wire", SIZE_WIRE}, {NULL, 0}};

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
			tool_error(c->tool, "--origin first requires inputs with the same ticks per second");
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
		tool_error(c->tool, "%s: finest grid of all widths: %s", tr_reader_name(in), err.text);
		return false;
	}
	if (c->in_order)
		binner_open(binner, &grid, scales_take, &c->scales);
	else
		binner_open(binner, &grid, bins_take, &c->bins);
	return open_series(c, header, &grid);
}

// Adds the successful deliveries.
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
			tool_error(c->tool, "%s: contains %s records, expected packets or deliveries", tr_reader_name(in),
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
		OPT_LIST('b', "bin", "TIME[,TIME...]", &options.widths, "bin widths (default: 13 from 100us to 100ms)"),
		OPT_STRING(0, "origin", "TIME|first", &options.origin,
			   "start of bin 0: a time since the Unix epoch, or the first packet"),
		OPT_CHOICE(0, "size", &options.size, size_words, "bytes that count as the size of a packet"),
		OPT_LEVEL(&options.level_percent, "confidence level, in percent"),
		OPT_SILENT_FILE('w', "write", &options.write, "write the bins as a series stream"),
		OPT_FLAG('z', "compress", &options.compress, "compress the stream with zstd"),
		OPT_COUNT(0, "max-bins", &options.max_bins, "maximum number of bins held, or of consecutive empty bins"),
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
