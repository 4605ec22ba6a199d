// SPDX-License-Identifier: GPL-3.0-or-later
// The report in a few sentences with its key numbers.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/hurst_words.h"
#include "report/number.h"
#include "report/section.h"

static double overhead_packets(const struct stream *stream)
{
	return (double)stream->size_bytes[TR_CLASS_OVERHEAD].n / (double)stream_packets(stream);
}

static size_t senders_of(const struct stream *stream)
{
	size_t count = 0;

	for (size_t i = 0; i < stream->traffic.node_count; i++)
		count += stream->traffic.streams[i][TR_CLASS_NONE].list ||
			 stream->traffic.streams[i][TR_CLASS_DATA].list ||
			 stream->traffic.streams[i][TR_CLASS_OVERHEAD].list;
	return count;
}

// Adds the formatted sentence to text, with a blank before it.
static void say(char *text, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(char *text, size_t bytes, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used > 0 && used + 1 < bytes) {
		text[used++] = ' ';
		text[used] = '\0';
	}
	va_start(args, format);
	(void)vsnprintf(text + used, bytes - used, format, args);
	va_end(args);
}

static void say_traffic(char *text, size_t bytes, const struct input *input)
{
	const struct stream *stream = input->stream;
	const struct moments *sizes = &stream->size_bytes[STREAM_ALL];
	double duration_s = stream_duration(stream);
	char words[HURST_WORDS];

	if (sizes->n == 0) {
		say(text, bytes, "%s holds no packets.", input->name);
		return;
	}
	say(text, bytes, "%s holds %s packet%s with %s of payload that %zu node%s sent within %s", input->name,
	    number_count(sizes->n).text, sizes->n == 1 ? "" : "s", number_bytes((double)sizes->sum, 3).text,
	    senders_of(stream), senders_of(stream) == 1 ? "" : "s", number_time(duration_s, 3).text);
	if (duration_s > 0)
		say(text, bytes, "(%s on average).", number_bit_rate(8 * (double)sizes->sum / duration_s, 3).text);
	else
		say(text, bytes, "(all at one time).");
	if (stream->size_bytes[TR_CLASS_OVERHEAD].n > 0 && sizes->sum > 0)
		say(text, bytes, "Overhead makes up %s of the packets but %s of the bytes.",
		    number_percent(overhead_packets(stream), 3).text,
		    number_percent((double)stream->size_bytes[TR_CLASS_OVERHEAD].sum /
				   (double)sizes->sum, 2).text);
	if (hurst_say(&stream->hurst, words, sizeof words) > 0)
		say(text, bytes, "%s", words);
}

static void say_model(char *text, size_t bytes, const struct report *report, const struct input *input)
{
	const struct input *trace = report_first(report, INPUT_PACKETS);
	if (!trace || !input->stream || stream_packets(trace->stream) < 2 ||
	    stream_duration(trace->stream) <= 0 || stream_duration(input->stream) <= 0) {
		say(text, bytes, "%s is a model of traffic.", input->name);
		return;
	}
	say(text, bytes, "The model %s generates %s packets/s where the trace has %s.", input->name,
	    number_real(stream_rate(input->stream), 3).text, number_real(stream_rate(trace->stream), 3).text);
}

static void say_carried(char *text, size_t bytes, const struct report *report, const struct input *input)
{
	const struct carried *carried = input->carried;
	const struct carried_class *all = &carried->classes[STREAM_ALL];
	double us = 1e6 / (double)carried->ticks_per_s;
	struct interval latency = interval_above(batches_interval(&all->latency_ticks, report->level), 0);

	if (carried->offered == 0) {
		say(text, bytes, "%s holds no deliveries.", input->name);
		return;
	}
	say(text, bytes, "The network of %s delivered %s of %s packets", input->name,
	    number_count(carried_delivered(carried)).text, number_count(carried->offered).text);
	if (all->latency.n == 0) {
		say(text, bytes, "and nothing else is known of them.");
		return;
	}
	say(text, bytes, "with a mean latency of %s µs (%g %% interval %s),",
	    number_real(batches_mean(&all->latency_ticks) * us, 4).text, report->level * 100,
	    number_range(latency.lo * us, latency.hi * us, 4).text);
	say(text, bytes, "99 %% of them within %s, at %s MB/s per packet.",
	    number_time((double)quantile_get(&all->latency, 0.99) / (double)carried->ticks_per_s, 4).text,
	    number_real(batches_mean(&all->speed_mBps) / 1e9, 4).text);
}

static void say_links(char *text, size_t bytes, const struct input *input)
{
	struct link_sum total = link_map_total(input->links);

	if (total.width_ticks > 0)
		say(text, bytes, "Its links (%s) were busy %s of the time.", input->name,
		    number_percent((double)total.busy_ticks / (double)total.width_ticks, 3).text);
}

static void add_traffic_facts(struct grid *grid, const struct stream *stream)
{
	const struct moments *sizes = &stream->size_bytes[STREAM_ALL];

	grid_numbers(grid, "packets");
	grid_numbers(grid, "payload");
	grid_numbers(grid, "from first to last packet");
	grid_numbers(grid, "packets/s");
	grid_numbers(grid, "overhead packets");
	grid_count(grid, sizes->n);
	grid_text(grid, number_bytes((double)sizes->sum, 4).text);
	grid_text(grid, number_time(stream_duration(stream), 4).text);
	grid_real(grid, stream_rate(stream), 4);
	grid_text(grid, number_percent(overhead_packets(stream), 3).text);
}

static void add_carried_facts(struct grid *grid, const struct carried *carried)
{
	const struct carried_class *all = &carried->classes[STREAM_ALL];
	char speed[80];

	grid_numbers(grid, "packets delivered");
	grid_numbers(grid, "mean latency");
	grid_numbers(grid, "99 % latency");
	grid_numbers(grid, "throughput per packet");
	grid_numbers(grid, "dropped");
	grid_count(grid, carried_delivered(carried));
	grid_text(grid, number_time(batches_mean(&all->latency_ticks) / (double)carried->ticks_per_s, 4).text);
	grid_text(grid, number_time((double)quantile_get(&all->latency, 0.99) /
				    (double)carried->ticks_per_s, 4).text);
	(void)snprintf(speed, sizeof speed, "%s MB/s", number_real(batches_mean(&all->speed_mBps) / 1e9, 4).text);
	grid_text(grid, speed);
	grid_count(grid, carried_dropped(carried));
}

// Several traces, a row each.
static void add_comparison(const struct report *report, struct page *page)
{
	struct grid *grid = page_grid(page, "The traces. The slope is that of the variance-time plot from 0.1 to 100 ms; Poisson traffic has -1.");

	grid_words(grid, "trace");
	grid_numbers(grid, "packets");
	grid_numbers(grid, "payload");
	grid_numbers(grid, "duration");
	grid_numbers(grid, "packets/s");
	grid_numbers(grid, "overhead packets");
	grid_numbers(grid, "slope");
	for (size_t i = 0; i < report->count; i++) {
		const struct stream *stream = report->inputs[i].stream;

		if (report->inputs[i].kind != INPUT_PACKETS)
			continue;
		grid_text(grid, stream->label);
		grid_count(grid, stream_packets(stream));
		grid_text(grid, number_bytes((double)stream->size_bytes[STREAM_ALL].sum, 4).text);
		grid_text(grid, number_time(stream_duration(stream), 4).text);
		grid_real(grid, stream_rate(stream), 4);
		grid_text(grid, number_percent(overhead_packets(stream), 3).text);
		grid_real(grid, stream->hurst.slope.slope, 3);
	}
}

static void add_facts(const struct report *report, struct page *page)
{
	const struct input *packets = report_first(report, INPUT_PACKETS);
	const struct input *deliveries = report_first(report, INPUT_DELIVERIES);
	size_t traces = 0;

	for (size_t i = 0; i < report->count; i++)
		traces += report->inputs[i].kind == INPUT_PACKETS;
	if (traces > 1)
		add_comparison(report, page);
	else if (packets && stream_packets(packets->stream) > 0)
		add_traffic_facts(page_facts(page), packets->stream);
	if (deliveries && deliveries->carried->classes[STREAM_ALL].latency.n > 0)
		add_carried_facts(page_facts(page), deliveries->carried);
}

// More than two models: what each sends, in one sentence. Returns whether there are so many.
static bool say_models(struct page *page, const struct report *report)
{
	const struct input *trace = report_first(report, INPUT_PACKETS);
	char text[4096] = "", name[TEXT_LABEL_BYTES];
	size_t models = 0;

	if (!trace || stream_packets(trace->stream) < 2 || stream_duration(trace->stream) <= 0)
		return false;
	say(text, sizeof text, "The trace has %s packets/s; the models generate:",
	    number_real(stream_rate(trace->stream), 3).text);
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind == INPUT_MODEL && input->stream)
			say(text, sizeof text, "%s%s %s", models++ ? "· " : "", report_model_name(input, 40, name),
			    stream_duration(input->stream) > 0 ? number_real(stream_rate(input->stream), 3).text : "0");
	}
	if (models > 2)
		page_paragraph(page, "%s.", text);
	return models > 2;
}

void summary_build(const struct report *report, struct page *page)
{
	bool models_said = false;

	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		char text[2048] = "";

		if (input->kind == INPUT_PACKETS)
			say_traffic(text, sizeof text, input);
		else if (input->kind == INPUT_MODEL && !models_said && !(models_said = say_models(page, report)))
			say_model(text, sizeof text, report, input);
		else if (input->kind == INPUT_DELIVERIES)
			say_carried(text, sizeof text, report, input);
		else if (input->kind == INPUT_LINKS)
			say_links(text, sizeof text, input);
		if (*text)
			page_paragraph(page, "%s", text);
	}
	add_facts(report, page);
}
