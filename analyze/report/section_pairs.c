// SPDX-License-Identifier: GPL-3.0-or-later
// Deliveries by source and destination.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/drawing.h"
#include "report/section.h"
#include "table/table_rows.h"
#include "value/number.h"

#define PAIRS_SHOWN 16

static void add_maps(struct page *page, const struct input *input)
{
	const struct carried *carried = input->carried;
	const struct tr_names *names = tr_reader_names(input->in);
	const struct heat_map bytes = {
		.title = "Payload delivered", .label = "payload", .value = HEAT_BYTES};
	struct heat_map latency = {.title = "Mean latency",
				   .label = "latency",
				   .value = HEAT_MEAN,
				   .ticks_per_s = carried->ticks_per_s};
	struct figure *figure = page_figure(page, 2, "Deliveries by pair of nodes");
	struct heat_order order;

	if (!heat_order_find(&order, &carried->pairs, names))
		page->failed = true;
	latency.order = &order;
	heat_map_add(figure, &carried->pairs, names, &bytes);
	heat_map_add(figure, &carried->waits, names, &latency);
	page_caption(page, figure,
		     "%s, delivered packets from each source (row) to each destination (column), "
		     "those that send or receive most first.",
		     input->name);
}

TABLE_ROW(carried_pair, (text, source), (text, destination), (count, packets),
	  (count, bytes, 0, "payload (B)"), (real, rate, 4, "payload carried (MB/s)"),
	  (number, latency, 0, "mean latency (µs)"), (count, dropped));

static void section_pairs_add_row(struct table *table, const struct input *input,
				  const struct matrix_cell *cell)
{
	const struct carried *carried = input->carried;
	const struct tr_names *names = tr_reader_names(input->in);
	const struct matrix_cell *wait = matrix_find(&carried->waits, cell->src, cell->dst);
	const struct matrix_cell *loss = matrix_find(&carried->losses, cell->src, cell->dst);
	const double us = wait ? (double)wait->size_bytes / (double)wait->packets /
					  (double)carried->ticks_per_s * 1e6
			       : NAN;
	char from[TEXT_LABEL_BYTES], to[TEXT_LABEL_BYTES];

	TABLE_PUT(table, carried_pair, .source = node_label(names, cell->src, 30, from),
		  .destination = node_label(names, cell->dst, 30, to), .packets = cell->packets,
		  .bytes = cell->size_bytes,
		  .rate = (double)cell->size_bytes / carried_duration(carried) / 1e6,
		  .latency = wait ? number_real(us, 4) : (struct number){""},
		  .dropped = loss ? loss->packets : 0);
}

static void section_pairs_add_table(struct page *page, const struct input *input)
{
	const struct matrix *matrix = &input->carried->pairs;
	const struct matrix_cell *pairs[PAIRS_SHOWN];
	size_t count = pairs_choose(matrix, pairs, PAIRS_SHOWN);
	char label[TEXT_LABEL_BYTES];
	struct table *table = page_table(page, "%s delivered, %s.",
					 ranking_title(label, "pairs", count, matrix->pairs),
					 input->name);

	table_heads(table, carried_pair_fields);
	for (size_t i = 0; i < count; i++)
		section_pairs_add_row(table, input, pairs[i]);
	pairs_note(table, matrix, count, "");
}

static uint64_t packets_of(const struct matrix *matrix, const struct matrix_cell *pair)
{
	const struct matrix_cell *cell = matrix_find(matrix, pair->src, pair->dst);

	return cell ? cell->packets : 0;
}

// The latencies of a pair, with their number; NULL if there are none or they were not kept.
static const struct carried_pair *delays_of(const struct carried *carried,
					    const struct matrix_cell *pair, uint64_t *packets)
{
	const struct matrix_cell *cell = matrix_find(&carried->waits, pair->src, pair->dst);

	if (!cell || cell - carried->waits.cells >= CARRIED_PAIRS)
		return NULL;
	*packets = cell->packets;
	return &carried->delays[cell - carried->waits.cells];
}

static const double delay_shares[] = {0.5, 0.9, 0.99, 0.999};

#define DELAY_SHARES (sizeof(delay_shares) / sizeof(*delay_shares))

TABLE_ROW(delay, (text, source), (text, destination), (number, least), (number, p50, 0, "50 %"),
	  (number, p90, 0, "90 %"), (number, p99, 0, "99 %"), (number, p99_9, 0, "99.9 %"),
	  (number, largest), (count, lost), (count, again, 0, "sent again"), (count, duplicates));

static void add_delay_row(struct table *table, const struct input *input,
			  const struct matrix_cell *pair)
{
	const struct carried *carried = input->carried;
	const struct tr_names *names = tr_reader_names(input->in);
	const double unit = 1 / (double)carried->ticks_per_s;
	uint64_t packets = 0;
	const struct carried_pair *delays = delays_of(carried, pair, &packets);
	char from[TEXT_LABEL_BYTES], to[TEXT_LABEL_BYTES];
	struct number shares[DELAY_SHARES] = {{""}};

	// A quantile with less than one packet beyond it has no value.
	for (size_t i = 0; i < DELAY_SHARES; i++)
		if (delays && (1 - delay_shares[i]) * (double)packets >= 0.999)
			shares[i] = number_time((double)log_histogram_quantile(&delays->latency,
									       delay_shares[i],
									       delays->largest) *
							unit,
						3);
	TABLE_PUT(table, delay, .source = node_label(names, pair->src, 30, from),
		  .destination = node_label(names, pair->dst, 30, to),
		  .least = delays ? number_time((double)delays->least * unit, 4)
				  : (struct number){""},
		  .p50 = shares[0], .p90 = shares[1], .p99 = shares[2], .p99_9 = shares[3],
		  .largest = delays ? number_time((double)delays->largest * unit, 4)
				    : (struct number){""},
		  .lost = packets_of(&carried->losses, pair),
		  .again = packets_of(&carried->resent, pair),
		  .duplicates = packets_of(&carried->duplicates, pair));
}

// The largest error that flitcap claims for the clock of a point, in ns, or its bound where it
// claims none; 0: it joined none.
static uint64_t clock_error_ns(const struct tr_names *names, const char *kind)
{
	const size_t bytes = strlen(kind);
	uint64_t largest = 0;

	for (uint32_t i = 0; i < names->counter_count; i++)
		if (strncmp(names->counters[i].key, kind, bytes) == 0 &&
		    names->counters[i].value > largest)
			largest = names->counters[i].value;
	return largest;
}

static void note_clocks(struct table *table, const struct tr_names *names)
{
	const uint64_t claimed = clock_error_ns(names, "clock_error_ns."),
		       bound = clock_error_ns(names, "clock_bound_ns.");

	if (claimed)
		table_note(table,
			   "Latency from the capture of the source to that of the destination, "
			   "with the clocks set by flitcap: each within %s of the first, if the "
			   "minimum delays are equal in both directions.",
			   number_time((double)claimed * 1e-9, 3).text);
	if (bound)
		table_note(table,
			   "Latency from the capture of the source to that of the destination, "
			   "with the clocks set by flitcap, some only within %s of the first.",
			   number_time((double)bound * 1e-9, 3).text);
}

static void add_delay_table(struct page *page, const struct input *input,
			    const struct matrix_cell *const *pairs, size_t count)
{
	struct table *table = page_table(
		page, "Latency of each pair, and packets lost, sent again or duplicated, %s.",
		input->name);

	table_heads(table, delay_fields);
	for (size_t i = 0; i < count; i++)
		add_delay_row(table, input, pairs[i]);
	table_note(table, "Percentiles are within 3.2 %%.");
	note_clocks(table, tr_reader_names(input->in));
}

// A row for each pair: from the least latency to that of 99 of 100 packets, and the median.
static void add_delay_figure(struct page *page, const struct input *input,
			     const struct matrix_cell *const *pairs, size_t count)
{
	const struct carried *carried = input->carried;
	const struct tr_names *names = tr_reader_names(input->in);
	const double unit = 1 / (double)carried->ticks_per_s;
	struct figure *figure = page_figure(page, 1, "Latency by pair");
	char source[TEXT_LABEL_BYTES], label[2 * TEXT_LABEL_BYTES + 8];
	double lo = INFINITY, hi = 0;
	struct plot *plot;

	figure_panel(figure, "Latency by pair of nodes", 170 + 22 * (double)count);
	figure_about(figure, "Minimum, median and 99th percentile of the latency of each pair.");
	plot = figure_plot(figure, "latency", "");
	plot->y.lo = -0.6;
	plot->y.hi = (double)count - 0.4;
	for (size_t i = 0; i < count; i++) {
		char *end = source;
		char destination[TEXT_LABEL_BYTES];

		(void)snprintf(label, sizeof(label), "%s → %s",
			       node_label(names, pairs[i]->src, 18, end),
			       node_label(names, pairs[i]->dst, 18, destination));
		figure_tic(figure, &plot->y, (double)(count - 1 - i), label);
	}
	figure_curve(figure, CURVE_RANGES, 1, "minimum to 99 %");
	for (size_t i = 0; i < count; i++) {
		uint64_t packets = 0;
		const struct carried_pair *delays = delays_of(carried, pairs[i], &packets);
		const double y = (double)(count - 1 - i);

		if (!delays)
			continue;
		lo = fmin(lo, fmax((double)delays->least, 1) * unit);
		hi = fmax(hi,
			  (double)log_histogram_quantile(&delays->latency, 0.99, delays->largest) *
				  unit);
		figure_row(figure, fmax((double)delays->least, 1) * unit, y,
			   fmax((double)log_histogram_quantile(&delays->latency, 0.99,
							       delays->largest),
				1) *
				   unit,
			   0);
	}
	figure_curve(figure, CURVE_MARKS, 2, "median");
	for (size_t i = 0; i < count; i++) {
		uint64_t packets = 0;
		const struct carried_pair *delays = delays_of(carried, pairs[i], &packets);

		if (delays)
			figure_row(figure,
				   fmax((double)log_histogram_quantile(&delays->latency, 0.5,
								       delays->largest),
					1) *
					   unit,
				   (double)(count - 1 - i), 0, 0);
	}
	axis_times(figure, &plot->x, lo / 1.2, fmax(hi * 1.2, lo * 10));
	page_caption(page, figure,
		     "%s, from the minimum latency of each pair to its 99th percentile (with fewer "
		     "than 100 packets, the maximum), and the median.",
		     input->name);
}

static void add_delays(struct page *page, const struct input *input)
{
	const struct matrix_cell *pairs[PAIRS_SHOWN];
	const size_t count = pairs_choose(&input->carried->pairs, pairs, PAIRS_SHOWN);

	if (input->carried->waits.pairs == 0)
		return;
	add_delay_figure(page, input, pairs, count);
	add_delay_table(page, input, pairs, count);
}

void pairs_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		if (report->inputs[i].kind != INPUT_DELIVERIES)
			continue;
		if (report->inputs[i].carried->pairs.pairs == 0) {
			page_paragraph(page, "%s contains no delivered packets.",
				       report->inputs[i].name);
			continue;
		}
		add_maps(page, &report->inputs[i]);
		section_pairs_add_table(page, &report->inputs[i]);
		add_delays(page, &report->inputs[i]);
	}
}
