// SPDX-License-Identifier: GPL-3.0-or-later
// How a network carried the packets: latency, throughput, where the time went, what was lost.
#include <math.h>
#include <stdio.h>

#include "page/figure.h"
#include "report/drawing.h"
#include "report/section.h"
#include "stream/run_end.h"
#include "table/table_rows.h"
#include "value/number.h"

#define HEIGHT 310

static double section_latency_unit_of(const struct carried *carried)
{
	return 1 / (double)carried->ticks_per_s;
}

static void section_latency_find_range(const struct carried *carried, double *lo, double *hi)
{
	const struct carried_class *all = &carried->classes[STREAM_ALL];

	*lo = fmax((double)quantile_get(&all->latency, 0), 1) * section_latency_unit_of(carried) /
	      1.2;
	*hi = fmax((double)all->latency_max_ticks * section_latency_unit_of(carried) * 1.2,
		   *lo * 10);
}

static void section_latency_add_shares(struct figure *figure, const struct carried *carried,
				       bool above)
{
	const double n = (double)carried->classes[STREAM_ALL].latency.n;
	struct plot *plot;
	double lo, hi;

	section_latency_find_range(carried, &lo, &hi);
	figure_panel(figure,
		     above ? "Share of packets that took longer"
			   : "Share of packets that arrived within",
		     HEIGHT);
	figure_about(figure, "%s distribution of latency by class.",
		     above ? "Complementary cumulative" : "Cumulative");
	plot = figure_plot(figure, "latency",
			   above ? "share above" : "share of the class's packets");
	axis_times(figure, &plot->x, lo, hi);
	plot->y.lo = 0;
	plot->y.hi = 1.02;
	if (above)
		axis_decades(figure, &plot->y, 0.7 / fmax(n, 10), 1.2);
	for (unsigned class = 0; class < STREAM_ALL; class ++) {
		const struct quantile *latency = &carried->classes[class].latency;

		if (latency->n == 0)
			continue;
		figure_curve(figure, CURVE_LINE, class == TR_CLASS_NONE ? 3 : class,
			     stream_class_name(class));
		if (above)
			distribution_above(figure, latency, section_latency_unit_of(carried), lo);
		else
			distribution_below(figure, latency, section_latency_unit_of(carried), lo);
	}
}

static double step_seconds(const struct carried *carried)
{
	return (double)carried->step_ticks * section_latency_unit_of(carried);
}

// Seconds from the first record to the start of a column.
static double column_time(const struct carried *carried, int64_t step)
{
	double at = (double)step * step_seconds(carried) -
		    (double)carried->first_ticks * section_latency_unit_of(carried);

	return fmax(0, at);
}

static void add_latency_over_time(struct figure *figure, const struct carried *carried)
{
	const struct timeline *timeline = &carried->latency;
	const struct number_unit time = number_time_unit(carried_duration(carried));
	double unit = section_latency_unit_of(carried), lo, hi;
	struct plot *plot;
	char label[32];

	section_latency_find_range(carried, &lo, &hi);
	(void)snprintf(label, sizeof(label), "time (%s)", time.name);
	figure_panel(figure, "Latency over time", HEIGHT);
	figure_about(figure, "Minimum, mean and maximum latency of the packets delivered in each "
			     "column of time.");
	plot = figure_plot(figure, label, "latency");
	axis_times(figure, &plot->y, lo, hi);
	plot->x.lo = 0;
	figure_curve(figure, CURVE_BAND, 1, NULL);
	for (size_t i = 0; i < timeline->used; i++)
		if (timeline->columns[i].n > 0)
			figure_row(figure,
				   column_time(carried, timeline_step(timeline, i)) / time.factor,
				   (double)timeline->columns[i].min * unit,
				   (double)timeline->columns[i].max * unit, 0);
	figure_curve(figure, CURVE_STEPS, 1, NULL);
	for (size_t i = 0; i < timeline->used; i++)
		if (timeline->columns[i].n > 0)
			figure_row(figure,
				   column_time(carried, timeline_step(timeline, i)) / time.factor,
				   (double)timeline->columns[i].sum /
					   (double)timeline->columns[i].n * unit,
				   0, 0);
}

static void add_rate_over_time(struct figure *figure, const struct carried *carried)
{
	const struct timeline *timeline = &carried->bytes;
	double width_s = step_seconds(carried) * (double)((uint64_t)1 << timeline->shift);
	const struct number_unit time = number_time_unit(carried_duration(carried));
	struct plot *plot;
	char label[32];

	(void)snprintf(label, sizeof(label), "time (%s)", time.name);
	figure_panel(figure, "Payload delivered over time", HEIGHT);
	figure_about(figure, "Payload delivered per second, in each column of time.");
	plot = figure_plot(figure, label, "payload delivered (MB/s)");
	plot->x.lo = 0;
	plot->y.lo = 0;
	figure_curve(figure, CURVE_STEPS, 1, NULL);
	for (size_t i = 0; i < timeline->used; i++)
		figure_row(figure, column_time(carried, timeline_step(timeline, i)) / time.factor,
			   (double)timeline->columns[i].sum / width_s / 1e6, 0, 0);
}

TABLE_ROW(speed, (text, class), (count, packets), (count, bytes, 0, "payload (B)"),
	  (known, latency, 0, "mean latency (µs)"),
	  (known, speed, 0, "payload throughput per packet (MB/s)"),
	  (real, carried, 4, "payload carried (MB/s)"));

static void add_speed_table(const struct report *report, struct page *page,
			    const struct carried *carried)
{
	struct table *table = page_table(
		page, "Delivered packets, %s (%g %% confidence intervals, flitline-intervals(7)).",
		carried->label, report->level * 100);
	double us = 1e6 * section_latency_unit_of(carried);

	table_heads(table, speed_fields);
	for (unsigned class = 0; class < TRAFFIC_KINDS; class ++) {
		const struct carried_class *own = &carried->classes[class];
		struct interval latency =
			batches_known(&own->latency_ticks, report->level).interval;
		struct interval speed = batches_known(&own->speed_mBps, report->level).interval;

		if (own->latency.n == 0)
			continue;
		TABLE_PUT(table, speed, .class = stream_class_name(class),
			  .packets = own->latency.n, .bytes = own->size_bytes,
			  .latency = {batches_mean(&own->latency_ticks) * us, latency.lo * us,
				      latency.hi * us},
			  .speed = {batches_mean(&own->speed_mBps) / 1e9, speed.lo / 1e9,
				    speed.hi / 1e9},
			  .carried = (double)own->size_bytes / carried_duration(carried) / 1e6);
	}
	table_note(table, "Throughput per packet: its payload over the time from the start of its "
			  "DMA to its delivery, "
			  "averaged over packets that have a payload (1 MB = 10⁶ B). Carried: "
			  "payload of the class over the time "
			  "from the first record to the last.");
}

static void add_latency_table(struct page *page, const struct carried *carried)
{
	static const double shares[] = {0, 0.5, 0.9, 0.99, 0.999, 0.9999};
	static const char *const heads[] = {"least", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"};
	struct table *table = page_table(
		page,
		"Latency percentiles, %s: from the source's queue to the destination's memory.",
		carried->label);

	table_words(table, "class");
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		table_numbers(table, heads[i]);
	table_numbers(table, "largest");
	for (unsigned class = 0; class < TRAFFIC_KINDS; class ++) {
		const struct carried_class *own = &carried->classes[class];

		if (own->latency.n == 0)
			continue;
		table_text(table, stream_class_name(class));
		// A quantile with less than one packet beyond it has no value.
		for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
			table_text(table,
				   (1 - shares[i]) * (double)own->latency.n < 0.999
					   ? NULL
					   : number_time((double)quantile_get(&own->latency,
									      shares[i]) *
								 section_latency_unit_of(carried),
							 4)
						     .text);
		table_text(table, number_time((double)own->latency_max_ticks *
						      section_latency_unit_of(carried),
					      4)
					  .text);
	}
}

static void add_stage_table(struct page *page, const struct carried *carried)
{
	static const char *const heads[CARRIED_STAGES] = {
		"source queue (µs)", "to the adapter (µs)", "head in the network (µs)",
		"body, and to memory (µs)"};
	struct table *table = page_table(page, "Mean time in each stage, delivered packets, %s.",
					 carried->label);

	table_words(table, "class");
	for (unsigned stage = 0; stage < CARRIED_STAGES; stage++)
		table_numbers(table, heads[stage]);
	for (unsigned class = 0; class < TRAFFIC_KINDS; class ++) {
		const struct carried_class *own = &carried->classes[class];

		if (own->latency.n == 0)
			continue;
		table_text(table, stream_class_name(class));
		for (unsigned stage = 0; stage < CARRIED_STAGES; stage++)
			table_real(table,
				   moments_mean(&own->stage_ticks[stage]) *
					   section_latency_unit_of(carried) * 1e6,
				   4);
	}
}

TABLE_ROW(fate, (text, outcome), (count, packets), (real, percent, 4, "% of offered"));

static void add_fate(struct table *table, const struct carried *carried, const char *outcome,
		     uint64_t packets)
{
	TABLE_PUT(table, fate, .outcome = outcome, .packets = packets,
		  .percent = 100 * (double)packets / (double)carried->offered);
}

static void add_fate_table(struct page *page, const struct carried *carried)
{
	struct table *table = page_table(page, "Outcome of the offered packets, %s.",
					 carried->label);

	table_heads(table, fate_fields);
	add_fate(table, carried, "delivered", carried_delivered(carried));
	for (unsigned reason = 0; reason < CARRIED_REASONS; reason++) {
		char text[80];

		(void)snprintf(text, sizeof(text), "dropped: %s", carried_reason_name(reason));
		if (carried->dropped[reason] > 0)
			add_fate(table, carried, text, carried->dropped[reason]);
	}
	add_fate(table, carried, "in flight at the end", carried->in_flight);
}

void latency_figure(struct page *page, const struct carried *carried, unsigned across)
{
	struct figure *figure = page_figure(page, across, "Latency and throughput");

	section_latency_add_shares(figure, carried, false);
	section_latency_add_shares(figure, carried, true);
	add_latency_over_time(figure, carried);
	add_rate_over_time(figure, carried);
	page_caption(page, figure,
		     "%s. Latency runs from the source's queue to the destination's memory. Over "
		     "time: at most %d columns; the line is the mean, the band the range of the "
		     "latencies of a column.",
		     carried->label, TIMELINE_COLUMNS);
}

static void add_carried(const struct report *report, struct page *page,
			const struct carried *carried)
{
	const struct input *first = report_first(report, INPUT_DELIVERIES);

	add_fate_table(page, carried);
	if (carried->classes[STREAM_ALL].latency.n == 0)
		return;
	if (first->carried != carried || overview_of(report).count > 0)
		latency_figure(page, carried, 2);
	add_speed_table(report, page, carried);
	add_latency_table(page, carried);
	add_stage_table(page, carried);
}

// Says so where the run that made the deliveries did not end as it should.
static void tell_end(struct page *page, const struct input *input)
{
	const struct tr_run_end end = tr_run_end_of_stream(tr_reader_names(input->in));

	if (end.ending == TR_STOOD)
		page_paragraph(page,
			       "The run of %s stood still (%s): the results are those of the "
			       "packets delivered before that and do not characterise its network.",
			       input->name, end.word);
	else if (end.ending == TR_GREW)
		page_paragraph(page,
			       "The run of %s was saturated: its network was offered more than it "
			       "carried, and its latencies "
			       "depend on the length of the run.",
			       input->name);
}

void latency_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		if (report->inputs[i].kind != INPUT_DELIVERIES)
			continue;
		tell_end(page, &report->inputs[i]);
		if (report->inputs[i].carried->offered > 0)
			add_carried(report, page, report->inputs[i].carried);
		else
			page_paragraph(page, "%s contains no deliveries.", report->inputs[i].name);
	}
}
