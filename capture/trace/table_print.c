// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/table_cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/csv.h"
#include "trace/json.h"
#include "trace/printable.h"

static const struct table_cell none = {.type = TABLE_CELL_NONE};

// One table that reads as an object: no title and one row.
static bool is_object(const struct table *table)
{
	return !table->title && table->cell_count <= table->column_count;
}

static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column)
{
	size_t at = row * table->column_count + column;

	return at < table->cell_count ? &table->cells[at] : &none;
}

static int text_width(const char *text)
{
	return tr_print_text(NULL, text);
}

// A cell of tab-separated values, exact but for what would end it.
static void write_value(const char *text, FILE *out)
{
	for (; *text; text++)
		(void)putc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, out);
}

static void write_padded(const char *text, int width, bool right, bool last, FILE *out)
{
	int blanks = width - text_width(text);

	if (right)
		(void)fprintf(out, "%*s", blanks, "");
	(void)tr_print_text(out, text);
	if (!right && !last)
		(void)fprintf(out, "%*s", blanks, "");
	if (!last)
		(void)fputs("  ", out);
}

// Widest text of a column; *right where all its cells are numbers or missing.
static int column_width(const struct table *table, size_t column, bool *right)
{
	int width = text_width(table->columns[column]);
	char text[64];

	*right = true;
	for (size_t row = 0; row < table_rows(table); row++) {
		const struct table_cell *cell = cell_at(table, row, column);
		int this_width = text_width(table_cell_text(cell, text, sizeof text));

		if (this_width > width)
			width = this_width;
		if (cell->type == TABLE_CELL_TEXT)
			*right = false;
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
	int width = 0;
	char text[64];

	for (size_t i = 0; i < table->column_count; i++)
		if (text_width(table->columns[i]) > width)
			width = text_width(table->columns[i]);
	for (size_t i = 0; i < table->column_count; i++) {
		write_padded(table->columns[i], width, false, false, out);
		(void)tr_print_text(out, table_cell_text(cell_at(table, 0, i), text, sizeof text));
		(void)putc('\n', out);
	}
}

static enum tr_status write_aligned(const struct table *table, FILE *out)
{
	int *widths = calloc(table->column_count + 1, sizeof *widths);
	bool *right = calloc(table->column_count + 1, sizeof *right);
	size_t last = table->column_count - 1;
	char text[64];

	if (!widths || !right) {
		free(widths);
		free(right);
		return TR_ERROR;
	}
	for (size_t i = 0; i < table->column_count; i++) {
		widths[i] = column_width(table, i, &right[i]);
		write_padded(table->columns[i], widths[i], right[i], i == last, out);
	}
	(void)putc('\n', out);
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++)
			write_padded(table_cell_text(cell_at(table, row, i), text, sizeof text), widths[i],
				     right[i], i == last, out);
		(void)putc('\n', out);
	}
	free(widths);
	free(right);
	return TR_OK;
}

static enum tr_status print_text(const struct table *table, size_t index, FILE *out)
{
	enum tr_status status = TR_OK;

	if (index)
		(void)putc('\n', out);
	if (table->title)
		(void)fprintf(out, "%s\n", table->title);
	if (is_object(table) && table->cell_count)
		write_object(table, out);
	else if (table->column_count)
		status = write_aligned(table, out);
	write_notes(table, out);
	return status;
}

static enum tr_status print_tsv(const struct table *table, size_t index, FILE *out)
{
	char text[64];

	if (index)
		(void)putc('\n', out);
	if (table->title)
		(void)fprintf(out, "# %s\n", table->title);
	for (size_t i = 0; i < table->column_count; i++)
		(void)fprintf(out, "%s%s", i ? "\t" : "", table->columns[i]);
	(void)putc('\n', out);
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			if (i)
				(void)putc('\t', out);
			write_value(table_cell_text(cell_at(table, row, i), text, sizeof text), out);
		}
		(void)putc('\n', out);
	}
	write_notes(table, out);
	return TR_OK;
}

static enum tr_status print_csv(const struct table *table, size_t index, FILE *out)
{
	char text[64];

	if (index)
		(void)putc('\n', out);
	for (size_t i = 0; i < table->column_count; i++) {
		if (i)
			(void)putc(',', out);
		csv_write_text(out, table->columns[i]);
	}
	(void)putc('\n', out);
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			const struct table_cell *cell = cell_at(table, row, i);

			if (i)
				(void)putc(',', out);
			if (cell->type != TABLE_CELL_NONE)
				csv_write_text(out, table_cell_text(cell, text, sizeof text));
		}
		(void)putc('\n', out);
	}
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
	default: (void)fputs("null", out); break;
	}
}

static void write_json_row(const struct table *table, size_t row, FILE *out)
{
	for (size_t i = 0; i < table->column_count; i++) {
		(void)fputs(i ? ", " : "{", out);
		json_write_text(out, table->columns[i]);
		(void)fputs(": ", out);
		write_json_cell(cell_at(table, row, i), out);
	}
	(void)putc('}', out);
}

static void write_json_table(const struct table *table, FILE *out)
{
	(void)fputs(",\n\"", out);
	(void)fprintf(out, "%s\": ", table->name);
	if (is_object(table) && table->cell_count) {
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

static void print_json(struct table *const *tables, size_t count, const char *program, FILE *out)
{
	size_t notes = 0;

	(void)fputs("{\"program\": ", out);
	json_write_text(out, program);
	(void)fputs(", \"version\": \"" FLIT_VERSION "\"", out);
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
	[TABLE_TEXT] = print_text, [TABLE_TSV] = print_tsv, [TABLE_CSV] = print_csv,
};

static enum tr_status print_all(struct table *const *tables, size_t count, enum table_format format, FILE *out)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = printers[format](tables[i], i, out);
	return status;
}

// Text and JSON have nothing that a terminal would obey; values with separators are exact in a file or pipe.
static enum tr_status print_values(struct table *const *tables, size_t count, enum table_format format, FILE *out)
{
	FILE *shown = isatty(fileno(out)) ? tr_printable_stream(out) : NULL;
	enum tr_status status;

	if (!shown)
		return isatty(fileno(out)) ? TR_ERROR : print_all(tables, count, format, out);
	status = print_all(tables, count, format, shown);
	(void)fclose(shown); // what failed stays with out
	return status;
}

enum tr_status tables_print(struct table *const *tables, size_t count, struct table_style style,
			    const char *program, FILE *out, struct tr_error *err)
{
	enum table_format format = chosen_format(style, out);

	for (size_t i = 0; i < count; i++)
		if (tables[i]->failed)
			return tr_no_memory(err, "the tables");
	if (format == TABLE_JSON)
		print_json(tables, count, program, out);
	else if ((format == TABLE_TEXT ? print_all : print_values)(tables, count, format, out) != TR_OK)
		return tr_no_memory(err, "the tables");
	return TR_OK;
}
