// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a table, for the completion of a shell.
#include "table/table_cells.h"

#include <string.h>

#define WORD_BYTES 256

// The cell of the column with this heading; "" if there is none.
static const char *cell_under(const struct table *table, size_t row, const char *heading,
			      size_t bytes, char out[TABLE_CELL_BYTES])
{
	for (size_t i = 0; i < table->column_count; i++)
		if (strlen(table->columns[i].text) == bytes &&
		    strncmp(table->columns[i].text, heading, bytes) == 0)
			return table_cell_exact(table, row, i, out);
	return "";
}

// Fills in the form, "{kind}:{key}="; without one the word is the first cell.
static void make_word(const struct table *table, size_t row, char word[WORD_BYTES])
{
	const char *form = table->word_form;
	char text[TABLE_CELL_BYTES];
	size_t used = 0;

	if (!form)
		(void)snprintf(word, WORD_BYTES, "%s", table_cell_exact(table, row, 0, text));
	while (form && *form && used < WORD_BYTES - 1) {
		const size_t bytes = strcspn(form + 1, "}");

		if (*form != '{') {
			word[used++] = *form++;
			continue;
		}
		used += (size_t)snprintf(word + used, WORD_BYTES - used, "%s",
					 cell_under(table, row, form + 1, bytes, text));
		form += bytes + 2;
	}
	if (form)
		word[used < WORD_BYTES ? used : WORD_BYTES - 1] = '\0';
}

static bool came_before(const struct table *table, size_t row, const char *word)
{
	char before[WORD_BYTES];

	for (size_t i = 0; i < row; i++) {
		make_word(table, i, before);
		if (strcmp(before, word) == 0)
			return true;
	}
	return false;
}

void table_write_words(const struct table *table, FILE *out)
{
	char word[WORD_BYTES], text[TABLE_CELL_BYTES];

	for (size_t row = 0; row < table_rows(table); row++) {
		const char *meaning = cell_under(table, row, "meaning", strlen("meaning"), text);

		make_word(table, row, word);
		if (came_before(table, row, word))
			continue;
		if (!*meaning)
			meaning = table_cell_exact(table, row, table->column_count - 1, text);
		(void)fprintf(out, "%s\t%.*s\n", word, (int)strcspn(meaning, "\t\n"), meaning);
	}
}
