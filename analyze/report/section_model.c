// SPDX-License-Identifier: GPL-3.0-or-later
// The model texts: explained in words, and their parameters with the fit's comments.
#include <stdio.h>
#include <string.h>

#include "report/section.h"
#include "value/number.h"

#define ROWS_MAX 80 // of one model; keys repeated more often are a table in the text

// A key repeated in a section ("bin") is shown once, with its number.
static size_t repetitions(const struct model *model, size_t at, bool *first)
{
	const struct model_entry *entry = &model->entries[at];
	size_t count = 0;

	*first = true;
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *other = &model->entries[i];

		if (other->kind != MODEL_KEY || strcmp(other->key, entry->key) != 0 ||
		    strcmp(other->section, entry->section) != 0)
			continue;
		count++;
		*first = *first && i >= at;
	}
	return count;
}

static void add_entry(struct table *table, const struct model_entry *entry, size_t count)
{
	char text[80];

	table_text(table, *entry->section ? entry->section : "all");
	table_text(table, entry->key);
	if (count > 1) {
		(void)snprintf(text, sizeof(text), "%zu lines", count);
		table_text(table, text);
		table_text(table, "");
		return;
	}
	table_text(table, entry->value);
	table_text(table, entry->comment ? entry->comment : "");
}

static void section_model_add_table(struct page *page, const struct input *input)
{
	const struct model *model = &input->model;
	struct table *table = page_table(
		page,
		"Parameters of %s, with remarks from the fit (confidence intervals, sample sizes).",
		input->name);

	table_words(table, "part");
	table_words(table, "parameter");
	table_words(table, "value");
	table_words(table, "interval, remark");
	for (size_t i = 0; i < model->count && table_rows(table) < ROWS_MAX; i++) {
		bool first;

		if (model->entries[i].kind != MODEL_KEY)
			continue;
		size_t count = repetitions(model, i, &first);

		if (first)
			add_entry(table, &model->entries[i], count);
	}
}

static void say_generated(struct page *page, const struct input *input)
{
	const struct stream *stream = input->stream;
	char nodes[60] = "";

	if (input->generated.nodes > 0)
		(void)snprintf(nodes, sizeof(nodes), " for %u nodes, as many as the trace has",
			       input->generated.nodes);
	if (input->no_generator)
		page_paragraph(page, "flitgen, which explains models and generates their traffic, "
				     "is neither in the directory of flitreport nor in PATH. The "
				     "generated traffic is missing from this report.");
	if (!stream || stream_packets(stream) == 0)
		return;
	page_paragraph(page,
		       "Traffic generated from the model with seed %s%s: %s packets in %s%s. "
		       "Figures and tables label it \"generated\" or \"model\".",
		       number_count(input->generated.seed).text, nodes,
		       number_count(stream_packets(stream)).text,
		       number_time(stream_duration(stream), 4).text,
		       input->generated.cut ? " (stopped at the largest number of packets)" : "");
}

void model_build(const struct report *report, struct page *page)
{
	size_t models = 0;

	for (size_t i = 0; i < report->count; i++)
		models += report->inputs[i].kind == INPUT_MODEL;
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind != INPUT_MODEL)
			continue;
		if (models > 1)
			page_paragraph(page, "%s:", input->name);
		if (input->explanation)
			page_quote(page, input->explanation);
		say_generated(page, input);
		section_model_add_table(page, input);
	}
}
