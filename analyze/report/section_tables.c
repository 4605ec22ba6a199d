// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that other runs of the programs printed.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "report/drawing.h"
#include "report/printed_tables.h"
#include "report/section.h"
#include "value/escape.h"
#include "value/num.h"

#define TITLE_BYTES 1000u

// Whether the column has a word: a cell that is neither a number nor "-".
static bool holds_words(const struct printed_table *table, size_t column)
{
	struct tr_error ignored;
	double value;

	for (size_t row = 0; row < table->rows; row++) {
		const char *text = printed_cell(table, row, column);

		if (strcmp(text, "-") != 0 && num_parse_real(text, &value, &ignored) != TR_OK)
			return true;
	}
	return false;
}

// "Rows of a sweep over net, load": the columns that the command has as parameters.
static void describe_rows(const struct printed_table *table, char *text, size_t text_bytes)
{
	bool any = false;

	if (table->title || !table->command) {
		text_append(text, text_bytes, "%s", table->title ? table->title : "A table");
		return;
	}
	text_append(text, text_bytes, "Rows of a sweep");
	for (size_t column = 0; column < table->columns; column++) {
		char argument[80];

		(void)snprintf(argument, sizeof(argument), "{%s}", table->headings[column]);
		if (!strstr(table->command, argument))
			continue;
		text_append(text, text_bytes, "%s%s", any ? ", " : " over ",
			    table->headings[column]);
		any = true;
	}
}

static void add_printed(struct page *page, const struct input *input,
			const struct printed_table *table)
{
	char title[TITLE_BYTES] = "";
	struct table *shown;

	describe_rows(table, title, sizeof(title));
	shown = page_table(page, "%s (%s).", title, input->name);
	page_raw(page);

	for (size_t column = 0; column < table->columns; column++)
		(holds_words(table, column) ? table_words : table_numbers)(shown,
									   table->headings[column]);
	for (size_t i = 0; i < table->rows * table->columns; i++)
		table_text(shown, table->cells[i]);
	note_unlisted(shown, table->left_out, "row", "");
	if (table->notes)
		table_note(shown, "%s", table->notes);
}

void tables_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct printed_tables *tables = &report->inputs[i].tables;

		for (size_t k = 0; k < tables->count; k++)
			add_printed(page, &report->inputs[i], &tables->list[k]);
	}
}
