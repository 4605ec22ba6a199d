// SPDX-License-Identifier: GPL-3.0-or-later
// When most bytes passed within a chosen width, and between which nodes.
#include <string.h>

#include "report/section.h"
#include "report/timeline.h"
#include "value/number.h"
#include "value/ticks.h"

#define UTC_DATE 10  // characters of a date
#define UTC_SHOWN 23 // to a millisecond

// To a millisecond, rounded down: "2026-11-20 21:57:53.677".
static void put_utc(struct table *table, const struct tr_header *header, int64_t time_ticks)
{
	char utc[48];

	(void)tr_ticks_utc(time_ticks, header->ticks_per_s, header->origin_s, header->origin_ns,
			   utc, sizeof(utc));
	if (strlen(utc) > UTC_SHOWN) {
		utc[UTC_SHOWN] = '\0';
		utc[UTC_DATE] = ' ';
	}
	table_text(table, utc);
}

static void add_microburst(struct table *table, const struct input *input,
			   const struct microburst *burst)
{
	const struct stream *stream = input->stream;
	const double width_s = tr_ticks_seconds(stream->microbursts.width_ticks,
						stream->ticks_per_s);
	const double rate = 8 * (double)burst->largest_bytes / width_s;
	const double mean = 8 * (double)stream->size_bytes[STREAM_ALL].sum /
			    stream_duration(stream);
	const struct tr_header *header = tr_reader_header(input->in);
	char pairs[MICROBURST_TEXT];

	table_seconds(table, span_between(stream->traffic.first_ticks, burst->begin_ticks),
		      stream->ticks_per_s);
	if (header->origin_s != 0)
		put_utc(table, header, burst->begin_ticks);
	table_text(table, number_time(tr_ticks_seconds(burst->end_ticks - burst->begin_ticks,
						       stream->ticks_per_s),
				      3)
				  .text);
	table_count(table, burst->packets);
	table_count(table, burst->size_bytes);
	table_real(table, rate / 1e6, 4);
	table_real(table, rate / mean, 3);
	table_text(table, microburst_say_pairs(burst, tr_reader_names(input->in), pairs));
}

static void add_microbursts(struct page *page, const struct input *input)
{
	const struct stream_microbursts *bursts = &input->stream->microbursts;
	const struct number width = number_width(
		tr_ticks_seconds(bursts->width_ticks, input->stream->ticks_per_s));
	struct table *table = page_table(
		page, "Largest microbursts of %s, by the payload of their largest window of %s.",
		input->stream->label, width.text);
	char first[48];

	table_numbers(table, "time (s)");
	if (tr_reader_header(input->in)->origin_s != 0)
		table_words(table, "UTC");
	table_numbers(table, "length");
	table_numbers(table, "packets");
	table_numbers(table, "payload (B)");
	table_numbers(table, "payload in the largest window (Mb/s)");
	table_numbers(table, "times the mean");
	table_words(table, "pairs with most of that window");
	for (size_t i = 0; i < bursts->count; i++)
		add_microburst(table, input, &bursts->list[i]);
	table_note(table,
		   "A burst lasts while windows have at least half the payload of its largest. The "
		   "first packet of the trace is %s s after the trace's origin, from which flitcut "
		   "and flitburst count. flitburst --top lists more; flitreport --width sets the "
		   "width.",
		   tr_ticks_format(input->stream->traffic.first_ticks, input->stream->ticks_per_s,
				   first, sizeof(first)));
}

void microbursts_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind != INPUT_PACKETS)
			continue;
		if (*input->stream->microbursts.why)
			page_paragraph(page, "%s: %s.", input->name,
				       input->stream->microbursts.why);
		else if (input->stream->microbursts.count > 0)
			add_microbursts(page, input);
		else
			page_paragraph(page, "%s has no payload.", input->name);
	}
}
