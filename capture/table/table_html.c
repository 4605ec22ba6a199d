// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as HTML.
#include <stdlib.h>
#include <string.h>

#include "table/table_cells.h"
#include "value/escape.h"
#include "value/printable.h"

#define WIDE_COLUMNS 10u	 // tables with more are set closer
#define LONG_HEADING 10u	 // characters; longer ones may be broken
#define LONG_WORDS 16		 // characters of a cell of words, which are then folded
#define BETWEEN_COLUMNS 1.6	 // in characters
#define UPRIGHT_CHARACTERS 140.0 // that a sheet of paper held upright has in a line
#define TURNED_CHARACTERS 250.0	 // turned

static void write_html_words(FILE *out, const char *before, const char *words, const char *after)
{
	(void)fputs(before, out);
	text_write_markup(out, words);
	(void)fputs(after, out);
}

static void write_html_object(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	(void)fputs("<dl class=\"facts\">\n", out);
	for (size_t c = 0; c < table->column_count; c++) {
		write_html_words(out, "<div><dt>", table->columns[c].text, "</dt>");
		write_html_words(out, "<dd>", table_cell_shown(table, 0, c, text), "</dd></div>\n");
	}
	(void)fputs("</dl>\n", out);
}

// A heading; a long one may be broken after each underscore.
static void write_html_heading(const char *heading, FILE *out)
{
	char *copy = strlen(heading) > LONG_HEADING ? strdup(heading) : NULL, *rest = copy;

	for (char *at; copy && (at = strchr(rest, '_')) != NULL && at[1] != '\0'; rest = at + 1) {
		*at = '\0';
		write_html_words(out, "", rest, "_<wbr/>");
	}
	text_write_markup(out, copy ? rest : heading);
	free(copy);
}

// The characters of a line of the table whose headings are broken and whose words are folded.
static double least_line(const struct table *table)
{
	char text[TABLE_CELL_BYTES];
	double sum = 0;

	for (size_t c = 0; c < table->column_count; c++) {
		int width = 0;

		for (const char *at = table->columns[c].text; *at; at += strspn(at, " _")) {
			const int piece = (int)strcspn(at, " _");

			width = piece + 1 > width ? piece + 1 : width;
			at += piece;
		}
		for (size_t r = 0; r < table_rows(table); r++) {
			int own = tr_print_text(NULL, table_cell_shown(table, r, c, text));

			own = own > LONG_WORDS && !table_is_right(table, c) ? LONG_WORDS : own;
			width = own > width ? own : width;
		}
		sum += width + BETWEEN_COLUMNS;
	}
	return sum;
}

void table_write_html(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	if (table_is_object(table)) {
		write_html_object(table, out);
		return;
	}
	(void)fputs("<table", out);
	if (table->column_count >= WIDE_COLUMNS) {
		const double characters = least_line(table);

		(void)fprintf(out, " class=\"wide%s\" style=\"--characters:%.0f\"",
			      characters > TURNED_CHARACTERS	? " turned broken"
			      : characters > UPRIGHT_CHARACTERS ? " turned"
								: "",
			      characters);
	}
	(void)fputs(">\n<thead><tr>", out);
	for (size_t c = 0; c < table->column_count; c++) {
		(void)fputs(table_is_right(table, c) ? "<th scope=\"col\">"
						     : "<th scope=\"col\" class=\"w\">",
			    out);
		write_html_heading(table->columns[c].text, out);
		(void)fputs("</th>", out);
	}
	(void)fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t r = 0; r < table_rows(table); r++) {
		(void)fputs("<tr>", out);
		for (size_t c = 0; c < table->column_count; c++) {
			const bool right = table_is_right(table, c);

			(void)fputs(right ? "<td>" : "<td class=\"w\">", out);
			(right ? text_write_markup
			       : text_write_folded)(out, table_cell_shown(table, r, c, text));
			(void)fputs("</td>", out);
		}
		(void)fputs("</tr>\n", out);
	}
	(void)fputs("</tbody>\n</table>\n", out);
}
