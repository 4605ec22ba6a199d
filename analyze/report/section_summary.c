// SPDX-License-Identifier: GPL-3.0-or-later
// The summary of the report in a few sentences, with key numbers.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/section.h"
#include "table/table_rows.h"
#include "value/number.h"

#define TOLD 3u // streams whose verdicts are sentences

static void tell_verdict(struct page *page, const struct stream *stream, bool named)
{
	const struct periodicity *own = &stream->periodicity;
	const struct self_similarity *judged = &own->judged;
	char text[512] = "";

	if (named)
		text_append(text, sizeof(text), "%s: ", stream->label);
	text_append(text, sizeof(text), "%s-similar: %s", named ? "self" : "Self",
		    self_similarity_word(judged->answer));
	if (judged->answer == VERDICT_YES)
		text_append(text, sizeof(text), ", H = %s (%g %% interval %s), from %s to %s",
			    number_error(judged->h, judged->lo, judged->hi).text,
			    stream->hurst.level * 100,
			    number_error_range(judged->lo, judged->hi).text,
			    number_time(judged->scale_min * own->width_s, 2).text,
			    number_time(judged->scale_max * own->width_s, 2).text);
	page_answer(page, "%s.", text);
	if (own->n > 0)
		page_paragraph(page, "Why: in bins of %s %s.", number_width(own->width_s).text,
			       judged->sentence);
	else
		page_paragraph(page, "Why: too few packets, or all bins have the same count.");
}

static void section_summary_say_carried(char *text, size_t bytes, const struct report *report,
					const struct input *input)
{
	const struct carried *carried = input->carried;
	const struct carried_class *all = &carried->classes[STREAM_ALL];
	double us = 1e6 / (double)carried->ticks_per_s;
	struct interval latency = batches_known(&all->latency_ticks, report->level).interval;

	if (carried->offered == 0) {
		text_append(text, bytes, "%s contains no deliveries.", input->name);
		return;
	}
	text_append(text, bytes, "The network of %s delivered %s of %s packets", input->name,
		    number_count(carried_delivered(carried)).text,
		    number_count(carried->offered).text);
	if (all->latency.n == 0) {
		text_append(text, bytes, "; nothing else is known about them.");
		return;
	}
	text_append(text, bytes, " with a mean latency of %s µs",
		    number_error(batches_mean(&all->latency_ticks) * us, latency.lo * us,
				 latency.hi * us)
			    .text);
	if (isnan(latency.lo))
		text_append(text, bytes, " (no interval: the run is too short for one),");
	else
		text_append(text, bytes, " (%g %% interval %s),", report->level * 100,
			    number_error_range(latency.lo * us, latency.hi * us).text);
	text_append(text, bytes, " 99 %% of them within %s, at %s MB/s of payload per packet.",
		    number_time((double)quantile_get(&all->latency, 0.99) /
					(double)carried->ticks_per_s,
				4)
			    .text,
		    number_real(batches_mean(&all->speed_mBps) / 1e9, 4).text);
}

static void say_links(char *text, size_t bytes, const struct input *input)
{
	struct link_sum total = link_map_total(input->links);

	if (total.width_ticks > 0)
		text_append(text, bytes, "Its links (%s) were busy %s of the time.", input->name,
			    number_percent((double)total.busy_ticks / (double)total.width_ticks, 3)
				    .text);
}

TABLE_ROW(traffic_facts, (count, packets), (number, payload), (number, duration),
	  (real, rate, 4, "packets/s"), (number, overhead, 0, "overhead packets"));

static void add_traffic_facts(struct table *table, const struct stream *stream)
{
	TABLE_PUT(table, traffic_facts, .packets = stream_packets(stream),
		  .payload = number_bytes((double)stream->size_bytes[STREAM_ALL].sum, 4),
		  .duration = number_time(stream_duration(stream), 4), .rate = stream_rate(stream),
		  .overhead = number_percent(stream_overhead(stream), 3));
}

static void add_own_facts(struct table *table, const struct stream *stream)
{
	table_heads(table, traffic_facts_fields);
	add_traffic_facts(table, stream);
	note_classes(table, stream);
}

TABLE_ROW(carried_facts, (count, delivered, 0, "packets delivered"),
	  (number, mean, 0, "mean latency"), (number, most, 0, "99 % latency"),
	  (number, speed, 0, "payload throughput per packet"), (count, dropped));

static void add_carried_facts(struct table *table, const struct carried *carried)
{
	const struct carried_class *all = &carried->classes[STREAM_ALL];
	const double ticks_per_s = (double)carried->ticks_per_s;
	struct number speed;

	(void)snprintf(speed.text, sizeof(speed.text), "%.40s MB/s",
		       number_real(batches_mean(&all->speed_mBps) / 1e9, 4).text);
	table_heads(table, carried_facts_fields);
	TABLE_PUT(table, carried_facts, .delivered = carried_delivered(carried),
		  .mean = number_time(batches_mean(&all->latency_ticks) / ticks_per_s, 4),
		  .most = number_time((double)quantile_get(&all->latency, 0.99) / ticks_per_s, 4),
		  .speed = speed, .dropped = carried_dropped(carried));
}

// Several streams, a row each.
TABLE_ROW(traffic_name, (text, traffic));
TABLE_ROW(traffic_verdict, (error, slope), (text, similar, 0, "self-similar"), (error, H),
	  (range, interval, 0, "interval of H"));

static void add_comparison(const struct report *report, struct page *page)
{
	struct table *table = page_table(page,
					 "The traffic. The slope is that of the variance-time plot "
					 "from 0.1 to 100 ms; Poisson traffic has -1.");

	table_heads(table, traffic_name_fields);
	table_heads(table, traffic_facts_fields);
	table_heads(table, traffic_verdict_fields);
	for (size_t i = 0; i < report->count; i++) {
		const struct stream *stream = report->inputs[i].stream;
		const struct self_similarity *judged = stream ? &stream->periodicity.judged : NULL;

		if (!stream)
			continue;
		table_text(table, stream->label);
		add_traffic_facts(table, stream);
		TABLE_PUT(table, traffic_verdict,
			  .slope = {stream->hurst.slope.slope, stream->hurst.slope.lo,
				    stream->hurst.slope.hi},
			  .similar = self_similarity_word(judged->answer),
			  .H = {judged->h, judged->lo, judged->hi},
			  .interval = {NAN, judged->lo, judged->hi});
		note_classes(table, stream);
	}
}

static void add_facts(const struct report *report, struct page *page)
{
	const struct input *packets = report_first(report, INPUT_PACKETS);
	const struct input *deliveries = report_first(report, INPUT_DELIVERIES);
	size_t streams = 0;

	for (size_t i = 0; i < report->count; i++)
		streams += report->inputs[i].stream != NULL;
	if (streams > 1)
		add_comparison(report, page);
	else if (packets && stream_packets(packets->stream) > 0)
		add_own_facts(page_facts(page), packets->stream);
	if (!report->compare && deliveries &&
	    deliveries->carried->classes[STREAM_ALL].latency.n > 0)
		add_carried_facts(page_facts(page), deliveries->carried);
}

// The verdicts on the first streams, and the causes of their bursts: models' streams if there is no
// trace.
static void tell_streams(const struct report *report, struct page *page,
			 const struct overview *overview)
{
	size_t told = 0;

	for (size_t i = 0; i < overview->count && told < TOLD; i++) {
		const struct stream *stream = overview->list[i];
		char text[1024];

		if (stream->generated && report_first(report, INPUT_PACKETS))
			continue;
		tell_verdict(page, stream, report->count > 1);
		if (burst_causes_say(stream, overview_width(overview), text, sizeof(text)) > 0)
			page_paragraph(page, "%s", text);
		told++;
	}
}

static void tell_quality(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].in && capture_quality_leads(report, &report->inputs[i]))
			capture_quality_say(page, &report->inputs[i]);
}

static void tell_inputs(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		char text[2048] = "";

		if (input->stream && stream_packets(input->stream) == 0)
			text_append(text, sizeof(text), "%s holds no packets.", input->name);
		else if (input->kind == INPUT_DELIVERIES)
			section_summary_say_carried(text, sizeof(text), report, input);
		else if (input->kind == INPUT_LINKS)
			say_links(text, sizeof(text), input);
		if (*text)
			page_paragraph(page, "%s", text);
	}
}

// What makes figures of an input mean little comes before them.
static void tell_odd(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		if (*report->inputs[i].odd)
			page_answer(page, "Odd in %s: %s.", report->inputs[i].name,
				    report->inputs[i].odd);
}

void summary_build(const struct report *report, struct page *page)
{
	const struct input *deliveries = report_first(report, INPUT_DELIVERIES);
	const struct overview overview = overview_of(report);

	tell_odd(report, page);
	sweeps_build(report, page);
	jobs_build(report, page);
	if (report->compare) {
		compare_build(report, page);
	} else {
		tell_streams(report, page, &overview);
		tell_inputs(report, page);
		who_talks_build(&overview, page);
		overview_draw(&overview, page);
		if (overview.count == 0 && deliveries &&
		    deliveries->carried->classes[STREAM_ALL].latency.n > 0)
			latency_figure(page, deliveries->carried, 4);
		collectives_lead(report, page);
	}
	add_facts(report, page);
	predicted_build(report, page);
	tell_quality(report, page);
}
