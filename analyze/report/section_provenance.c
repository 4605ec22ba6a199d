// SPDX-License-Identifier: GPL-3.0-or-later
// How each input was made and captured, and what is missing from it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/section.h"
#include "value/memstream.h"
#include "value/number.h"
#include "value/ticks.h"

// Counters that are times are shown better by the summary.
static bool is_time(const char *key)
{
	size_t length = strlen(key);

	return length > 3 && strcmp(key + length - 3, "_ns") == 0;
}

static void add_counters(struct page *page, const struct input *input)
{
	const struct tr_names *names = tr_reader_names(input->in);
	struct table *table;

	// Streams made from a trace pass on its counters; they are shown with the trace.
	if (names->counter_count == 0 || input->kind != INPUT_PACKETS)
		return;
	table = page_table(page, "Counters in %s.", input->name);
	table_words(table, "counter");
	table_numbers(table, "value");
	for (uint32_t i = 0; i < names->counter_count; i++) {
		if (is_time(names->counters[i].key))
			continue;
		table_text(table, names->counters[i].key);
		table_count(table, names->counters[i].value);
	}
}

static void add_history(struct page *page, const struct input *input)
{
	char *text = NULL;

	if (asprintf(&text, "%s  %016llx\n%s", input->name,
		     (unsigned long long)tr_reader_digest(input->in),
		     tr_reader_provenance(input->in)) < 0) {
		page->failed = true;
		return;
	}
	page_quote(page, text);
	free(text);
}

// The comments at the head of a model's text say how it was made.
static void add_model(struct page *page, const struct input *input)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out) {
		page->failed = true;
		return;
	}
	(void)fprintf(out, "%s", input->name);
	for (size_t i = 0; i < input->model.count && input->model.entries[i].kind == MODEL_COMMENT;
	     i++)
		(void)fprintf(out, "\n%s",
			      input->model.entries[i].comment ? input->model.entries[i].comment
							      : "");
	if (tr_memstream_close(out))
		page_quote(page, text);
	else
		page->failed = true;
	free(text);
}

// The commands of its tables.
static void add_commands(struct page *page, const struct input *input)
{
	for (size_t i = 0; i < input->tables.count; i++) {
		char *text = NULL;

		if (!input->tables.list[i].command)
			continue;
		if (asprintf(&text, "%s\nflitsweep -- %s", input->name,
			     input->tables.list[i].command) < 0) {
			page->failed = true;
			return;
		}
		page_quote(page, text);
		free(text);
	}
}

void provenance_build(const struct report *report, struct page *page)
{
	page_paragraph(page, "Each input is followed by its digest and by the programs, options "
			     "and inputs that made it, latest first.");
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind == INPUT_MODEL) {
			add_model(page, input);
			continue;
		}
		if (input->kind == INPUT_TABLES) {
			add_commands(page, input);
			continue;
		}
		if (!capture_quality_leads(report, input))
			capture_quality_say(page, input);
		add_history(page, input);
		add_counters(page, input);
	}
}

// ---- how well an input was captured: its end, losses, undecoded frames, date

#define LEADING 3u

// Only captures can lose packets, not generators or simulators; those of a trace that was simulated
// are the trace's.
static bool is_captured(const struct input *input)
{
	const char *made = tr_reader_provenance(input->in);

	return !strstr(made, "flitsim") && (strstr(made, "flitcap") || !strstr(made, "flitgen"));
}

bool capture_quality_leads(const struct report *report, const struct input *input)
{
	const struct tr_trailer *trailer = tr_reader_trailer(input->in);
	size_t before = 0;

	for (const struct input *at = report->inputs; at < input; at++)
		before += at->kind == INPUT_PACKETS;
	return (input->kind == INPUT_PACKETS && before < LEADING) || !input->whole ||
	       trailer->damaged || (trailer->lost_known && trailer->lost > 0);
}

static void say_end(char *text, size_t bytes, const struct input *input)
{
	const struct number records = number_count(tr_reader_records(input->in));

	if (!input->whole)
		text_append(
			text, bytes,
			"%s is damaged; the report is made from the %s records before the damage.",
			input->name, records.text);
	else
		text_append(text, bytes, "%s: %s records, complete%s.", input->name, records.text,
			    tr_reader_trailer(input->in)->damaged
				    ? ", but made from a damaged input"
				    : "");
}

static void say_loss(char *text, size_t bytes, const struct input *input)
{
	const struct tr_trailer *trailer = tr_reader_trailer(input->in);

	if (!input->whole)
		return;
	if (trailer->lost_known)
		text_append(text, bytes, " Packets lost by the capture: %s.",
			    number_count(trailer->lost).text);
	else if (is_captured(input))
		text_append(text, bytes, " Losses of the capture are unknown.");
}

bool input_begin_s(const struct input *input, time_t *seconds)
{
	const struct tr_header *header = input->in ? tr_reader_header(input->in) : NULL;
	const struct stream *stream = input->stream;

	if (!header || !stream || stream_packets(stream) == 0 || header->origin_s == 0 ||
	    header->ticks_per_s == 0)
		return false;
	*seconds = (time_t)(header->origin_s +
			    stream->traffic.first_ticks / (int64_t)header->ticks_per_s);
	return true;
}

// When the first packet was, if the stream has an origin of time.
static void say_begin(char *text, size_t bytes, const struct input *input)
{
	const struct stream *stream = input->stream;
	time_t seconds;
	struct tm tm;
	char date[40];

	if (!input_begin_s(input, &seconds))
		return;
	if (gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm) > 0)
		text_append(text, bytes, " %s from %s UTC on.",
			    number_time(stream_duration(stream), 4).text, date);
}

static uint64_t section_provenance_counter(const struct tr_names *names, const char *key)
{
	for (uint32_t i = 0; i < names->counter_count; i++)
		if (strcmp(names->counters[i].key, key) == 0)
			return names->counters[i].value;
	return 0;
}

// Frames that are not packets of the trace, by kind.
static void say_undecoded(char *text, size_t bytes, const struct input *input)
{
	static const char kind[] = "undecoded.";
	const struct tr_names *names = tr_reader_names(input->in);
	const uint64_t undecoded = section_provenance_counter(names, "undecoded");
	const char *between = " (";

	if (input->kind != INPUT_PACKETS || section_provenance_counter(names, "frames") == 0)
		return;
	text_append(text, bytes, " Not decoded: %s of %s frames", number_count(undecoded).text,
		    number_count(section_provenance_counter(names, "frames")).text);
	for (uint32_t i = 0; i < names->counter_count; i++) {
		if (strncmp(names->counters[i].key, kind, sizeof(kind) - 1) != 0 ||
		    names->counters[i].value == 0)
			continue;
		text_append(text, bytes, "%s%.40s %s", between,
			    names->counters[i].key + sizeof(kind) - 1,
			    number_count(names->counters[i].value).text);
		between = ", ";
	}
	text_append(text, bytes, "%s.", *between == ',' ? ")" : "");
}

void capture_quality_say(struct page *page, const struct input *input)
{
	char text[1024] = "";

	say_end(text, sizeof(text), input);
	say_begin(text, sizeof(text), input);
	say_loss(text, sizeof(text), input);
	say_undecoded(text, sizeof(text), input);
	page_paragraph(page, "%s", text);
}
