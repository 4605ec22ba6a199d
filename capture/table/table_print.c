// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text, TSV, CSV and JSON.
#include "table/table_cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value/escape.h"
#include "value/printable.h"

static int shown_width(const char *text)
{
	return tr_print_text(NULL, text);
}

// A cell of tab-separated values, exact except for tabs and newlines.
static void write_value(const char *text, FILE *out)
{
	for (; *text; text++)
		(void)putc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, out);
}

// blanks: those pending before the cell. Returns those after it, so that no line ends with blanks.
static int write_cell(const char *text, int width, bool right, int blanks, FILE *out)
{
	const int own = shown_width(text), rest = width - own;

	if (right || own == 0)
		blanks += rest;
	if (own > 0) {
		(void)fprintf(out, "%*s", blanks, "");
		(void)tr_print_text(out, text);
		blanks = right ? 0 : rest;
	}
	return blanks + 2;
}

// Row -1 is the headings.
static const char *text_at(const struct table *table, long row, size_t column,
			   char out[TABLE_CELL_BYTES])
{
	return row < 0 ? table->columns[column].text
		       : table_cell_shown(table, (size_t)row, column, out);
}

static int column_width(const struct table *table, size_t column)
{
	char text[TABLE_CELL_BYTES];
	int width = 0;

	for (long row = -1; row < (long)table_rows(table); row++) {
		const int own = shown_width(text_at(table, row, column, text));

		width = own > width ? own : width;
	}
	return width;
}

static void write_notes(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->note_count; i++) {
		(void)fputs("# ", out);
		(void)tr_print_text(out, table->notes[i]);
		(void)putc('\n', out);
	}
}

// "key  value" on a line each.
static void write_object(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];
	int width = 0;

	for (size_t i = 0; i < table->column_count; i++)
		if (shown_width(table->columns[i].text) > width)
			width = shown_width(table->columns[i].text);
	for (size_t i = 0; i < table->column_count; i++) {
		const int blanks = write_cell(table->columns[i].text, width, false, 0, out);

		(void)write_cell(table_cell_shown(table, 0, i, text), 0, false, blanks, out);
		(void)putc('\n', out);
	}
}

enum tr_status table_write_text(const struct table *table, FILE *out)
{
	int *widths = calloc(table->column_count + 1, sizeof(*widths));
	bool *right = calloc(table->column_count + 1, sizeof(*right));
	const bool object = table_is_object(table) && table->cell_count;
	char text[TABLE_CELL_BYTES];

	if (object)
		write_object(table, out);
	for (size_t i = 0; widths && right && i < table->column_count; i++) {
		widths[i] = column_width(table, i);
		right[i] = table_is_right(table, i);
	}
	for (long row = -1;
	     widths && right && !object && table->column_count && row < (long)table_rows(table);
	     row++) {
		int blanks = 0;

		for (size_t i = 0; i < table->column_count; i++)
			blanks = write_cell(text_at(table, row, i, text), widths[i], right[i],
					    blanks, out);
		(void)putc('\n', out);
	}
	free(widths);
	free(right);
	return widths && right ? TR_OK : TR_ERROR;
}

static enum tr_status print_text(const struct table *table, size_t index, FILE *out)
{
	enum tr_status status;

	if (index)
		(void)putc('\n', out);
	if (table->title)
		(void)fprintf(out, "%s\n", table->title);
	status = table_write_text(table, out);
	write_notes(table, out);
	return status;
}

static void write_tsv_rows(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			if (i)
				(void)putc('\t', out);
			write_value(table_cell_exact(table, row, i, text), out);
		}
		(void)putc('\n', out);
	}
}

static void write_tsv_head(const struct table *table, FILE *out)
{
	if (table->title) {
		(void)fputs("# ", out);
		write_value(table->title, out);
		(void)putc('\n', out);
	}
	for (size_t i = 0; i < table->column_count; i++) {
		if (i)
			(void)putc('\t', out);
		write_value(table->columns[i].text, out);
	}
	(void)putc('\n', out);
}

void table_write_tsv(const struct table *table, FILE *out)
{
	write_tsv_head(table, out);
	write_tsv_rows(table, out);
	write_notes(table, out);
}

static enum tr_status print_tsv(const struct table *table, size_t index, FILE *out)
{
	if (index)
		(void)putc('\n', out);
	table_write_tsv(table, out);
	return TR_OK;
}

static void write_csv_head(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->column_count; i++) {
		if (i)
			(void)putc(',', out);
		csv_write_text(out, table->columns[i].text);
	}
	(void)putc('\n', out);
}

static void write_csv_rows(const struct table *table, FILE *out)
{
	char text[TABLE_CELL_BYTES];

	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			if (i)
				(void)putc(',', out);
			if (table_cell_at(table, row, i)->type != TABLE_CELL_NONE)
				csv_write_text(out, table_cell_exact(table, row, i, text));
		}
		(void)putc('\n', out);
	}
}

static enum tr_status print_words_of(const struct table *table, size_t index, FILE *out)
{
	(void)index;
	table_write_words(table, out);
	return TR_OK;
}

static enum tr_status print_csv(const struct table *table, size_t index, FILE *out)
{
	if (index)
		(void)putc('\n', out);
	write_csv_head(table, out);
	write_csv_rows(table, out);
	return TR_OK;
}

static void write_json_cell(const struct table_cell *cell, FILE *out)
{
	switch (cell->type) {
	case TABLE_CELL_TEXT: json_write_text(out, cell->text); break;
	case TABLE_CELL_DECIMAL: (void)fputs(cell->text, out); break;
	case TABLE_CELL_COUNT: (void)fprintf(out, "%" PRIu64, cell->count); break;
	case TABLE_CELL_SIGNED: (void)fprintf(out, "%" PRId64, cell->whole); break;
	case TABLE_CELL_REAL: json_write_real(out, cell->real); break;
	case TABLE_CELL_ROUNDED: json_write_text(out, cell->text + strlen(cell->text) + 1); break;
	default: (void)fputs("null", out); break;
	}
}

static void write_json_row(const struct table *table, size_t row, FILE *out)
{
	for (size_t i = 0; i < table->column_count; i++) {
		(void)fputs(i ? ", " : "{", out);
		json_write_text(out, table->columns[i].text);
		(void)fputs(": ", out);
		write_json_cell(table_cell_at(table, row, i), out);
	}
	(void)putc('}', out);
}

static void write_json_table(const struct table *table, FILE *out)
{
	(void)fputs(",\n\"", out);
	(void)fprintf(out, "%s\": ", table->name);
	if (table_is_object(table) && table->cell_count) {
		write_json_row(table, 0, out);
		return;
	}
	(void)putc('[', out);
	for (size_t row = 0; row < table_rows(table); row++) {
		(void)fputs(row ? ",\n  " : "\n  ", out);
		write_json_row(table, row, out);
	}
	(void)putc(']', out);
}

static void print_json_odd(const char *lines, FILE *out)
{
	char line[512];

	(void)fputs(",\n\"odd\": [", out);
	for (const char *at = lines; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
		(void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		(void)fputs(at == lines ? "\n  " : ",\n  ", out);
		json_write_text(out, line);
	}
	(void)putc(']', out);
}

static void print_json(struct table *const *tables, size_t count, const char *odd,
		       const char *program, FILE *out)
{
	size_t notes = 0;

	(void)fputs("{\"program\": ", out);
	json_write_text(out, program);
	(void)fputs(", \"version\": \"" FLIT_VERSION "\"", out);
	if (odd)
		print_json_odd(odd, out);
	for (size_t i = 0; i < count; i++)
		write_json_table(tables[i], out);
	for (size_t i = 0; i < count; i++)
		for (size_t note = 0; note < tables[i]->note_count; note++) {
			(void)fputs(notes++ ? ",\n  " : ",\n\"notes\": [\n  ", out);
			json_write_text(out, tables[i]->notes[note]);
		}
	(void)fputs(notes ? "]}\n" : "}\n", out);
}

static enum table_format chosen_format(struct table_style style, FILE *out)
{
	if (style.json)
		return TABLE_JSON;
	if (style.format != TABLE_AUTO)
		return (enum table_format)style.format;
	return isatty(fileno(out)) ? TABLE_TEXT : TABLE_TSV;
}

typedef enum tr_status (*print_function)(const struct table *table, size_t index, FILE *out);

static const print_function printers[] = {
	[TABLE_TEXT] = print_text,
	[TABLE_TSV] = print_tsv,
	[TABLE_CSV] = print_csv,
	[TABLE_WORDS] = print_words_of,
};

static enum tr_status print_all(struct table *const *tables, size_t count, enum table_format format,
				FILE *out)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = printers[format](tables[i], i, out);
	return status;
}

// Text and JSON are escaped for a terminal; separated values are exact in a file or pipe.
static enum tr_status print_values(struct table *const *tables, size_t count,
				   enum table_format format, FILE *out)
{
	FILE *shown = isatty(fileno(out)) ? tr_printable_stream(out) : NULL;
	enum tr_status status;

	if (!shown)
		return isatty(fileno(out)) ? TR_ERROR : print_all(tables, count, format, out);
	status = print_all(tables, count, format, shown);
	(void)fclose(shown); // a failure shows in out
	return status;
}

static enum tr_status print_chosen(struct table *const *tables, size_t count,
				   struct table_style style, const char *program, FILE *out,
				   struct tr_error *err)
{
	const enum table_format format = chosen_format(style, out);

	for (size_t i = 0; i < count; i++)
		if (tables[i]->failed)
			return tr_no_memory(err, "the tables");
	if (format == TABLE_JSON)
		print_json(tables, count, style.odd, program, out);
	else if ((format == TABLE_TEXT ? print_all : print_values)(tables, count, format, out) !=
		 TR_OK)
		return tr_no_memory(err, "the tables");
	return TR_OK;
}

enum tr_status tables_print(struct table *const *tables, size_t count, struct table_style style,
			    const char *program, FILE *out, struct tr_error *err)
{
	const bool list = table_only_lists(&style.only);
	struct table *names = list ? table_only_names(tables, count) : NULL;
	struct table **chosen = calloc(count + 1, sizeof(struct table *));
	enum tr_status status = chosen ? TR_OK : tr_no_memory(err, "the tables");

	if (status == TR_OK && !list)
		status = table_only_choose(&style.only, tables, count, chosen, &count, err);
	if (status == TR_OK)
		status = list ? print_chosen(&names, 1, style, program, out, err)
			      : print_chosen(chosen, count, style, program, out, err);
	table_free(names);
	free(chosen);
	return status;
}

enum tr_status tables_finish(struct table *const *tables, size_t count, struct table_style style,
			     const char *program, FILE *out, struct tr_error *err)
{
	const enum tr_status status = tables_print(tables, count, style, program, out, err);

	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}

// ---- rows that come over time

#define LINE_WIDTH_MIN 12

// Row -1 is the headings.
static void write_text_line(const struct table *table, long row, FILE *out)
{
	char text[TABLE_CELL_BYTES];
	int blanks = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		const int heading = shown_width(table->columns[i].text);
		const char *cell = text_at(table, row, i, text);
		int width = heading > LINE_WIDTH_MIN ? heading : LINE_WIDTH_MIN;

		if (shown_width(cell) > width)
			width = shown_width(cell);
		blanks = write_cell(cell, width, table_is_right(table, i), blanks, out);
	}
	(void)putc('\n', out);
}

static void write_line_head(const struct table *table, enum table_format format, FILE *out)
{
	if (format == TABLE_TSV)
		write_tsv_head(table, out);
	if (format == TABLE_CSV)
		write_csv_head(table, out);
	if (format != TABLE_TEXT)
		return;
	if (table->title)
		(void)fprintf(out, "%s\n", table->title);
	write_text_line(table, -1, out);
}

static void write_line_rows(const struct table *table, enum table_format format, FILE *out)
{
	if (format == TABLE_TSV)
		write_tsv_rows(table, out);
	if (format == TABLE_CSV)
		write_csv_rows(table, out);
	for (size_t row = 0; format == TABLE_TEXT && row < table_rows(table); row++)
		write_text_line(table, (long)row, out);
	for (size_t row = 0; format == TABLE_JSON && row < table_rows(table); row++) {
		write_json_row(table, row, out);
		(void)putc('\n', out);
	}
}

static enum tr_status print_line_names(struct table *const *tables, struct table_style style,
				       FILE *out, struct tr_error *err)
{
	struct table *names = table_only_names(tables, 1);
	enum tr_status status;

	style.only.count = 0;
	status = table_print_lines(names, true, style, out, err);
	table_free(names);
	return status;
}

enum tr_status table_print_lines(const struct table *table, bool headed, struct table_style style,
				 FILE *out, struct tr_error *err)
{
	const enum table_format format = chosen_format(style, out);
	struct table *const tables[] = {(struct table *)table};
	struct table *chosen[1];
	FILE *shown = out;
	size_t count;

	if (table->failed)
		return tr_no_memory(err, "the table");
	if (table_only_lists(&style.only))
		return headed ? print_line_names(tables, style, out, err) : TR_OK;
	if (table_only_choose(&style.only, tables, 1, chosen, &count, err) != TR_OK)
		return TR_ERROR;
	if (isatty(fileno(out)) && format != TABLE_TEXT &&
	    (shown = tr_printable_stream(out)) == NULL)
		return tr_no_memory(err, "the table");
	if (headed)
		write_line_head(table, format, shown);
	write_line_rows(table, format, shown);
	if (shown != out)
		(void)fclose(shown); // a failure shows in out
	return TR_OK;
}
