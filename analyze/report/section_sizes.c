// SPDX-License-Identifier: GPL-3.0-or-later
// How large the packets are.
#include <math.h>
#include <stdio.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/drawing.h"
#include "report/section.h"
#include "stat/nodes/packet_sample.h"
#include "table/table_rows.h"
#include "value/number.h"

#define BARS 40
#define HEIGHT 300
#define LEAST 0.7 // of the logarithmic axis: the place of packets without payload

static double largest_of(const struct stream *const *list, size_t count)
{
	double largest = 1;

	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, (double)list[i]->traffic.kinds[STREAM_ALL].sizes.max);
	return largest;
}

// "data", or "data, model" with several streams.
static const char *curve_name(const struct report *report, const struct stream *stream,
			      unsigned class, size_t count, char out[160])
{
	char label[TEXT_LABEL_BYTES];

	if (count == 1)
		(void)snprintf(out, 160, "%s", stream_class_name(class));
	else
		(void)snprintf(out, 160, "%s, %s", stream_class_name(class),
			       report_short_name(report, stream, label));
	return out;
}

static void section_sizes_add_shares(const struct report *report, struct figure *figure,
				     const struct stream *const *list, size_t count)
{
	struct plot *plot;
	unsigned colour = 1;
	char name[160];

	figure_panel(figure, "Share of packets up to a size", HEIGHT);
	figure_about(figure, "Cumulative distribution of payload sizes by class.");
	plot = figure_plot(figure, "payload", "share of the class's packets");
	axis_sizes(figure, &plot->x, LEAST, fmax(1.3 * largest_of(list, count), 100));
	plot->y.lo = 0;
	plot->y.hi = 1.02;
	for (unsigned class = 0; class < STREAM_ALL; class ++)
		for (size_t i = 0; i < count; i++) {
			if (list[i]->traffic.kinds[class].sizes.n == 0)
				continue;
			figure_curve(figure, CURVE_LINE, colour++,
				     curve_name(report, list[i], class, count, name));
			distribution_below(figure, &list[i]->traffic.kinds[class].sizes, 1, LEAST);
		}
}

static void add_bars(const struct report *report, struct figure *figure,
		     const struct stream *const *list, size_t count)
{
	double width = ceil((largest_of(list, count) + 1) / BARS);
	char label[TEXT_LABEL_BYTES];
	struct plot *plot;

	figure_panel(figure, "Packets by size", HEIGHT);
	figure_about(figure, "Histogram of payload sizes.");
	plot = figure_plot(figure, "payload (B)", "share of packets (%)");
	plot->x.lo = -0.02 * width * BARS;
	plot->x.hi = 1.02 * width * BARS;
	plot->y.lo = 0;
	for (size_t i = 0; i < count; i++) {
		const struct quantile *sizes = &list[i]->traffic.kinds[STREAM_ALL].sizes;
		struct quantile_walk walk = {.of = sizes};
		double below = 0;

		figure_curve(figure, i ? CURVE_STEPS : CURVE_BARS, palette_stream(i),
			     count == 1 ? NULL : report_short_name(report, list[i], label));
		for (int bar = 0; bar < BARS; bar++) {
			double upto = quantile_walk_share(&walk, (uint64_t)((bar + 1) * width) - 1);
			double share = 100 * (upto - below);

			figure_row(figure, bar * width, i ? share : width, share, 0);
			below = upto;
		}
	}
}

void note_classes(struct table *table, const struct stream *stream)
{
	if (!stream_tells_classes(stream))
		table_note(table,
			   "%s does not distinguish classes: packets of at most %u B of payload "
			   "count as overhead, and sizes by class are unknown.",
			   stream->label, PACKET_SAMPLE_OVERHEAD_MAX);
}

TABLE_ROW(size, (text, traffic), (text, class), (count, packets),
	  (real, packets_percent, 4, "% of packets"), (real, percent, 4, "% of the payload"),
	  (known, mean), (real, deviation, 4), (count, median), (count, p99, 0, "99 %"),
	  (count, largest));

static void section_sizes_add_row(struct table *table, const struct stream *stream, unsigned class,
				  double level)
{
	const struct moments *own = &stream->size_bytes[class],
			     *all = &stream->size_bytes[STREAM_ALL];
	const struct quantile *sizes = &stream->traffic.kinds[class].sizes;
	struct mean_error error = {.known = false};
	struct interval interval;

	if (traffic_sizes_error(&stream->traffic, class, own, level, &error, NULL) != TR_OK)
		table_fail(table);
	interval = mean_error_interval(moments_mean(own), &error, level, 0);
	TABLE_PUT(table, size, .traffic = stream->label, .class = stream_class_name(class),
		  .packets = own->n, .packets_percent = 100 * (double)own->n / (double)all->n,
		  .percent = 100 * (double)own->sum / (double)all->sum,
		  .mean = {moments_mean(own), interval.lo, interval.hi},
		  .deviation = moments_sd(own), .median = quantile_get(sizes, 0.5),
		  .p99 = quantile_get(sizes, 0.99), .largest = sizes->max);
}

static void section_sizes_add_table(const struct report *report, struct page *page,
				    const struct stream *const *list, size_t count)
{
	struct table *table = page_table(
		page,
		"Payload per packet, by class, in bytes (%g %% confidence intervals of the mean "
		"for dependent packets, none where the trace is too short).",
		report->level * 100);

	table_heads(table, size_fields);
	for (size_t i = 0; i < count; i++)
		for (unsigned class = 0; class < TRAFFIC_KINDS; class ++)
			if (list[i]->traffic.kinds[class].sizes.n > 0)
				section_sizes_add_row(table, list[i], class, report->level);
	for (size_t i = 0; i < count; i++)
		note_classes(table, list[i]);
}

void sizes_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t all = report_streams(report, list, REPORT_STREAMS), count = 0;
	struct figure *figure;

	for (size_t i = 0; i < all; i++)
		if (stream_packets(list[i]) > 0)
			list[count++] = list[i];
	if (count == 0) {
		page_paragraph(page, "No packets.");
		return;
	}
	figure = page_figure(page, 2, "Sizes of packets");
	section_sizes_add_shares(report, figure, list, count);
	add_bars(report, figure, list, count);
	page_caption(page, figure,
		     "Payload of TCP or UDP, not the frame. Left: cumulative distribution for each "
		     "class; packets without payload are at the left end. Right: share of all "
		     "packets in each of %d equal size ranges. From a histogram that is exact "
		     "below 128 B and within 0.4 %% above.",
		     BARS);
	section_sizes_add_table(report, page, list, count);
}
