// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/section.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "trace/number.h"
#include "trace/ticks.h"

#define TOLD 3u

// Only a capture can have lost packets: what a generator or a simulator wrote without one cannot.
static bool is_captured(const struct input *input)
{
	const char *made = tr_reader_provenance(input->in);

	return strstr(made, "flitcap") || (!strstr(made, "flitgen") && !strstr(made, "flitsim"));
}

bool capture_is_told(const struct report *report, const struct input *input)
{
	const struct tr_trailer *trailer = tr_reader_trailer(input->in);
	size_t before = 0;

	for (const struct input *at = report->inputs; at < input; at++)
		before += at->kind == INPUT_PACKETS;
	return (input->kind == INPUT_PACKETS && before < TOLD) || !input->whole || trailer->damaged ||
	       (trailer->lost_known && trailer->lost > 0);
}

static void say_end(char *text, size_t bytes, const struct input *input)
{
	const struct number records = number_count(tr_reader_records(input->in));

	if (!input->whole)
		text_append(text, bytes, "%s is damaged; the report is made from the %s records before the damage.",
			    input->name, records.text);
	else
		text_append(text, bytes, "%s: %s records, read to the clean end%s.", input->name, records.text,
			    tr_reader_trailer(input->in)->damaged ? ", but made from a damaged input" : "");
}

static void say_loss(char *text, size_t bytes, const struct input *input)
{
	const struct tr_trailer *trailer = tr_reader_trailer(input->in);

	if (!input->whole)
		return;
	if (trailer->lost_known)
		text_append(text, bytes, " Packets lost by the capture: %s.", number_count(trailer->lost).text);
	else if (is_captured(input))
		text_append(text, bytes, " What a capture may have lost is not known.");
}

// When the first packet was, where the stream tells more than ticks from 0 on.
static void say_begin(char *text, size_t bytes, const struct input *input)
{
	const struct tr_header *header = tr_reader_header(input->in);
	const struct stream *stream = input->stream;
	time_t seconds;
	struct tm tm;
	char date[40];

	if (!stream || stream_packets(stream) == 0 || header->origin_s == 0 || header->ticks_per_s == 0)
		return;
	seconds = (time_t)(header->origin_s + stream->traffic.first_ticks / (int64_t)header->ticks_per_s);
	if (gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm) > 0)
		text_append(text, bytes, " %s from %s UTC on.", number_time(stream_duration(stream), 4).text, date);
}

static uint64_t counter(const struct tr_names *names, const char *key)
{
	for (uint32_t i = 0; i < names->counter_count; i++)
		if (strcmp(names->counters[i].key, key) == 0)
			return names->counters[i].value;
	return 0;
}

// Frames that are no packets of the trace, by their kinds.
static void say_undecoded(char *text, size_t bytes, const struct input *input)
{
	static const char kind[] = "undecoded.";
	const struct tr_names *names = tr_reader_names(input->in);
	const uint64_t undecoded = counter(names, "undecoded");
	const char *between = " (";

	if (input->kind != INPUT_PACKETS || counter(names, "frames") == 0)
		return;
	text_append(text, bytes, " Not decoded: %s of %s frames", number_count(undecoded).text,
		    number_count(counter(names, "frames")).text);
	for (uint32_t i = 0; i < names->counter_count; i++) {
		if (strncmp(names->counters[i].key, kind, sizeof(kind) - 1) != 0 || names->counters[i].value == 0)
			continue;
		text_append(text, bytes, "%s%.40s %s", between, names->counters[i].key + sizeof(kind) - 1,
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
