// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as HTML and LaTeX.
#include "trace/escape.h"
#include "trace/table_cells.h"

#define WIDE_COLUMNS 10u // that are set closer, so that they fit a desk

static void write_words(FILE *out, const char *before, const char *words, const char *after)
{
	(void)fputs(before, out);
	text_write_markup(out, words);
	(void)fputs(after, out);
}

static void write_object(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	(void)fputs("<dl class=\"facts\">\n", out);
	for (size_t c = 0; c < table->column_count; c++) {
		write_words(out, "<div><dt>", table->columns[c].text, "</dt>");
		write_words(out, "<dd>", table_cell_shown(table, 0, c, text), "</dd></div>\n");
	}
	(void)fputs("</dl>\n", out);
}

void table_write_html(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	if (table_is_object(table)) {
		write_object(table, out);
		return;
	}
	(void)fprintf(out, "<table%s>\n<thead><tr>", table->column_count >= WIDE_COLUMNS ? " class=\"wide\"" : "");
	for (size_t c = 0; c < table->column_count; c++)
		write_words(out, table_is_right(table, c) ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"w\">",
			    table->columns[c].text, "</th>");
	(void)fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t r = 0; r < table_rows(table); r++) {
		(void)fputs("<tr>", out);
		for (size_t c = 0; c < table->column_count; c++)
			write_words(out, table_is_right(table, c) ? "<td>" : "<td class=\"w\">",
				    table_cell_shown(table, r, c, text), "</td>");
		(void)fputs("</tr>\n", out);
	}
	(void)fputs("</tbody>\n</table>\n", out);
}

void table_write_latex(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	(void)fputs("\\begin{tabular}{", out);
	for (size_t c = 0; c < table->column_count; c++)
		(void)putc(table_is_right(table, c) ? 'r' : 'l', out);
	(void)fputs("}\n\\toprule\n", out);
	for (size_t c = 0; c < table->column_count; c++) {
		(void)fputs(c ? " & " : "", out);
		text_write_latex(out, table->columns[c].text);
	}
	(void)fputs(" \\\\\n\\midrule\n", out);
	for (size_t r = 0; r < table_rows(table); r++) {
		for (size_t c = 0; c < table->column_count; c++) {
			(void)fputs(c ? " & " : "", out);
			text_write_latex(out, table_cell_shown(table, r, c, text));
		}
		(void)fputs(" \\\\\n", out);
	}
	(void)fputs("\\bottomrule\n\\end{tabular}\n", out);
}
