// SPDX-License-Identifier: GPL-3.0-or-later
// When most bytes passed within a width of choice, and between whom.
#include "report/section.h"
#include "trace/number.h"
#include "trace/ticks.h"

static void add_microburst(struct table *table, const struct input *input, const struct microburst *burst)
{
	const struct stream *stream = input->stream;
	const double width_s = tr_ticks_seconds(stream->bursts.width_ticks, stream->ticks_per_s);
	const double rate = 8 * (double)burst->size_bytes / width_s;
	const double mean = 8 * (double)stream->size_bytes[STREAM_ALL].sum / stream_duration(stream);
	char pairs[MICROBURST_TEXT];

	table_seconds(table, burst->begin_ticks, stream->ticks_per_s);
	table_text(table, number_time(tr_ticks_seconds(burst->end_ticks - burst->begin_ticks, stream->ticks_per_s), 3).text);
	table_count(table, burst->packets);
	table_count(table, burst->size_bytes);
	table_real(table, rate / 1e6, 4);
	table_real(table, rate / mean, 3);
	table_text(table, microburst_say_pairs(burst, tr_reader_names(input->in), pairs));
}

static void add_microbursts(struct page *page, const struct input *input)
{
	const struct stream_bursts *bursts = &input->stream->bursts;
	const struct number width = number_width(tr_ticks_seconds(bursts->width_ticks, input->stream->ticks_per_s));
	struct table *table = page_table(
		page, "Largest microbursts of %s: windows of %s with more payload than any that overlaps them.",
		input->stream->label, width.text);

	table_numbers(table, "first packet (s)");
	table_numbers(table, "length");
	table_numbers(table, "packets");
	table_numbers(table, "payload (B)");
	table_numbers(table, "payload over the width (Mb/s)");
	table_numbers(table, "times the mean");
	table_words(table, "pairs with most of it");
	for (size_t i = 0; i < bursts->count; i++)
		add_microburst(table, input, &bursts->list[i]);
	table_note(table,
		   "Times are from the trace's origin. flitburst --top lists more, flitreport --width takes another width.");
}

void microbursts_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind != INPUT_PACKETS)
			continue;
		if (*input->stream->bursts.why)
			page_paragraph(page, "%s: %s.", input->name, input->stream->bursts.why);
		else if (input->stream->bursts.count > 0)
			add_microbursts(page, input);
		else
			page_paragraph(page, "%s has no payload.", input->name);
	}
}
