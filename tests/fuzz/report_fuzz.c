// SPDX-License-Identifier: GPL-3.0-or-later
// Records of every kind with any numbers, in a complete stream: they make a page as text or LaTeX,
// or a script of figures in which every axis has a range.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "page/gnuplot.h"
#include "page/page.h"
#include "report/section.h"
#include "stat/intervals/numeric_errors.h"
#include "stream/writer.h"

#define RECORDS_MAX 64u
#define NAMES 8u
#define RANGE "range ["
#define STREAM_BYTES_MAX 65536 // more than the largest records and their names
// Spans of the packets, in parts of a second. A series of counts is tested and its H estimated from
// some hundred bins of .1 ms on, which takes as long as a hundred pages: few inputs, whatever they
// were made from, are of a span that has as many.
#define SPANS_PER_S 64
#define SPANS_LONG_PER_S 8
#define LONG_OF 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

// Makes the record one that a stream may carry: ids that have names, times that do not step back.
static void repair(const struct tr_kind_info *kind, union tr_record *record, unsigned nearness,
		   int64_t before)
{
	for (unsigned i = 0; i < kind->field_count; i++) {
		const struct tr_field *field = &kind->fields[i];
		int64_t value = tr_field_get(record, field);

		if (field->meaning == TR_NODE_ID || field->meaning == TR_LINK_ID)
			promise(tr_field_set(record, field, value & (NAMES - 1)));
		else if (field->meaning == TR_FLOW_ID)
			promise(tr_field_set(record, field, TR_FLOW_NONE));
		else if (field->meaning == TR_TIME || field->meaning == TR_SPAN)
			promise(tr_field_set(record, field, value >> nearness));
	}
	if (record->time_ticks < before)
		record->time_ticks = before;
}

static void put_names(struct tr_writer *out)
{
	char text[32];

	for (uint32_t id = 0; id < NAMES; id++) {
		struct tr_name link = {.kind = TR_NAME_LINK, .id = id, .text = text};

		link.text_bytes = (size_t)snprintf(text, sizeof(text), "n'%u<&\"", id);
		promise(tr_put_node(out, id, text,
				    id == 3 ? TR_ROLE_CONTROLLER : TR_ROLE_UNKNOWN) == TR_OK);
		promise(tr_put_name(out, &link) == TR_OK);
	}
}

enum form { FORM_TEXT, FORM_LATEX, FORM_FIGURES, FORM_FIGURES_TOO };

static int64_t spans_per_s(const uint8_t *data, size_t size)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + data[i];
	return sum % LONG_OF == 0 ? SPANS_LONG_PER_S : SPANS_PER_S;
}

// Data: kind; ticks per second (two bits); how near times are (six), what is made of the page
// (two); then records.
static bool write_stream(const char *path, const uint8_t *data, size_t size)
{
	static const uint64_t rates[] = {1, 1000000000, UINT64_C(36000000000), 7};
	const struct tr_kind_info *kind = tr_kind_find(1u + data[0] % 5);
	struct tr_header header = {
		.kind = kind->kind, .ticks_per_s = rates[data[1] & 3], .origin_s = data[1]};
	struct tr_trailer trailer = {.records = 0};
	// Ticks too few for the widths of counts leave them out, so that times may be of any
	// distance.
	const int64_t span_ticks = header.ticks_per_s < 1000
					   ? INT64_MAX
					   : (int64_t)header.ticks_per_s / spans_per_s(data, size);
	int64_t before = INT64_MIN, last = INT64_MAX;
	union tr_record record;
	struct tr_writer *out;
	bool whole = true;

	promise(tr_writer_open(&out, path, &header, "fuzz", NULL, NULL) == TR_OK);
	put_names(out);
	for (size_t at = 3;
	     whole && at + kind->size_bytes <= size && tr_writer_records(out) < RECORDS_MAX;
	     at += kind->size_bytes) {
		memcpy(&record, data + at, kind->size_bytes);
		repair(kind, &record, data[2] % 64, before);
		if (record.time_ticks > last)
			record.time_ticks = last;
		if (tr_writer_records(out) == 0 && record.time_ticks < INT64_MAX - span_ticks)
			last = record.time_ticks + span_ticks;
		before = record.time_ticks;
		whole = tr_put(out, &record) == TR_OK;
	}
	return tr_writer_close(out, &trailer, NULL) == TR_OK && whole;
}

static void write_scripts(const struct figure *figure, FILE *out)
{
	const struct gnuplot_target target = {.form = GNUPLOT_PAGE};

	for (size_t p = 0; p < figure->panel_count; p++)
		gnuplot_write_panel(out, figure, &figure->panels[p], &target);
}

static void check_range(const char *lo_text)
{
	char *end;
	double lo = strtod(lo_text, &end);

	promise(*end == ':' && lo != strtod(end + 1, NULL));
}

// A search by strstr would measure the rest each time: the sanitizer does.
static void check_figures(const struct page *page)
{
	char *scripts = NULL;
	size_t bytes;
	FILE *out = open_memstream(&scripts, &bytes);

	promise(out);
	for (size_t i = 0; i < page->count; i++)
		if (page->blocks[i].figure)
			write_scripts(page->blocks[i].figure, out);
	promise(fclose(out) == 0);
	promise(!strstr(scripts, "nan") && !strstr(scripts, "[inf") && !strstr(scripts, ":inf"));
	for (const char *at = scripts; *at; at++)
		if (*at == 'r' && strncmp(at, RANGE, strlen(RANGE)) == 0)
			check_range(at + strlen(RANGE));
	free(scripts);
}

static void write_words(const struct page *page, enum form form)
{
	struct tr_error err = {""};
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	promise(out);
	promise((form == FORM_TEXT ? page_text_write : page_latex_write)(page, "end", out, &err) ==
		TR_OK);
	promise(fclose(out) == 0);
	free(text);
}

static void build(struct report *report, enum form form)
{
	struct page page = {.title = NULL};

	sections_build(report, &page);
	page_set_names(&page);
	if (form == FORM_TEXT || form == FORM_LATEX)
		write_words(&page, form);
	else
		check_figures(&page);
	page_clear(&page);
}

// What was written there, from memory: a source that reads files keeps more room than the stream is
// long.
static void open_written(int fd, struct tr_source **out)
{
	static uint8_t bytes[STREAM_BYTES_MAX];
	const ssize_t got = pread(fd, bytes, sizeof(bytes), 0);
	struct tr_error err;

	promise(got > 0 && (size_t)got < sizeof(bytes) &&
		tr_source_open_memory(out, bytes, (size_t)got, "fuzz", &err) == TR_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {.level = 0.95,
			      .bursts.microburst_width = {1, 1000},
			      .beside = size % 2 == 1},
		     twice[2];
	struct report report = {.inputs = &input, .count = 1, .level = 0.95};
	struct tr_source *source = NULL;
	struct tr_reader *in = NULL;
	struct tr_error err;
	char path[32];
	int fd;

	numeric_errors_give_nan();
	if (size < 3)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	promise(fd >= 0);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write_stream(path, data, size)) {
		open_written(fd, &source);
		promise(tr_reader_open(&in, source, NULL, NULL, &err) == TR_OK);
		if (input_read(&input, in, &err) == TR_OK) {
			promise(input.whole);
			if (input.beside && input.stream) {
				twice[0] = twice[1] = input;
				report = (struct report){.inputs = twice,
							 .count = 2,
							 .compare = true,
							 .level = 0.95};
			}
			report.kinds = input.kind;
			build(&report, (enum form)(data[2] / 64));
		}
		input_clear(&input);
		tr_reader_close(in);
	}
	(void)close(fd);
	return 0;
}
