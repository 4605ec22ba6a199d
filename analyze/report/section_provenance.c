// SPDX-License-Identifier: GPL-3.0-or-later
// How each input was made, and what is missing from it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/section.h"
#include "trace/memstream.h"
#include "trace/number.h"

// Counters that are instants say what the summary says better.
static bool is_time(const char *key)
{
	size_t length = strlen(key);

	return length > 3 && strcmp(key + length - 3, "_ns") == 0;
}

static void add_counters(struct page *page, const struct input *input)
{
	const struct tr_names *names = tr_reader_names(input->in);
	struct table *table;

	// What stems from a trace passes on its counters; they are shown with the trace.
	if (names->counter_count == 0 || input->kind != INPUT_PACKETS)
		return;
	table = page_table(page, "Counters that %s carries.", input->name);
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

	if (asprintf(&text, "%s  %016llx\n%s", input->name, (unsigned long long)tr_reader_digest(input->in),
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
	for (size_t i = 0; i < input->model.count && input->model.entries[i].kind == MODEL_COMMENT; i++)
		(void)fprintf(out, "\n%s", input->model.entries[i].comment ? input->model.entries[i].comment : "");
	if (tr_memstream_close(out))
		page_quote(page, text);
	else
		page->failed = true;
	free(text);
}

void provenance_build(const struct report *report, struct page *page)
{
	page_paragraph(page, "Behind each name stands the digest of its content, below it the programs, options and "
			     "inputs that made it, latest first.");
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind == INPUT_MODEL) {
			add_model(page, input);
			continue;
		}
		if (input->kind == INPUT_TABLES)
			continue;
		if (!capture_is_told(report, input))
			capture_quality_say(page, input);
		add_history(page, input);
		add_counters(page, input);
	}
}
