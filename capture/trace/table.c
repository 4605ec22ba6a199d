// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/table_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct opt_choice table_format_words[] = {
	{"auto", TABLE_AUTO}, {"text", TABLE_TEXT}, {"tsv", TABLE_TSV},
	{"csv", TABLE_CSV},   {"json", TABLE_JSON}, {NULL, 0},
};

// What every call works on where memory ended in table_new; nothing is ever written to it.
static const struct table no_table = {.failed = true};

static bool usable(const struct table *table)
{
	return table != &no_table && !table->failed;
}

// A copy of text; marks the table where memory ends.
static char *copy_text(struct table *table, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		table->failed = true;
	return copy;
}

// Room for one more of size_bytes in an array that doubles; false where memory ends.
static bool reserve(struct table *table, void **array, size_t count, size_t *capacity, size_t size_bytes)
{
	size_t more = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*array, more, size_bytes);
	if (!grown) {
		table->failed = true;
		return false;
	}
	*array = grown;
	*capacity = more;
	return true;
}

struct table *table_new(const char *name, const char *title)
{
	struct table *table = calloc(1, sizeof *table);

	if (!table)
		return (struct table *)&no_table;
	table->name = copy_text(table, name);
	if (title)
		table->title = copy_text(table, title);
	return table;
}

void table_column(struct table *table, const char *key)
{
	void *array = table->columns;

	if (!usable(table) ||
	    !reserve(table, &array, table->column_count, &table->column_capacity, sizeof *table->columns))
		return;
	table->columns = array;
	table->columns[table->column_count] = copy_text(table, key);
	if (!table->failed)
		table->column_count++;
}

static void add_cell(struct table *table, struct table_cell cell)
{
	void *array = table->cells;

	if (!usable(table) ||
	    !reserve(table, &array, table->cell_count, &table->cell_capacity, sizeof *table->cells))
		return;
	table->cells = array;
	table->cells[table->cell_count++] = cell;
}

static void add_text(struct table *table, enum table_cell_type type, const char *text)
{
	char *copy;

	if (!usable(table))
		return;
	copy = copy_text(table, text);
	add_cell(table, (struct table_cell){.type = (uint8_t)type, .text = copy});
	if (table->failed)
		free(copy);
}

void table_text(struct table *table, const char *text)
{
	add_text(table, TABLE_CELL_TEXT, text);
}

void table_decimal(struct table *table, const char *text)
{
	add_text(table, TABLE_CELL_DECIMAL, text);
}

void table_count(struct table *table, uint64_t value)
{
	add_cell(table, (struct table_cell){.type = TABLE_CELL_COUNT, .count = value});
}

void table_signed(struct table *table, int64_t value)
{
	add_cell(table, (struct table_cell){.type = TABLE_CELL_SIGNED, .whole = value});
}

void table_real(struct table *table, double value, int digits)
{
	if (!isfinite(value)) {
		table_none(table);
		return;
	}
	digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
	add_cell(table, (struct table_cell){
				.type = TABLE_CELL_REAL, .digits = (uint8_t)digits, .real = value});
}

void table_none(struct table *table)
{
	add_cell(table, (struct table_cell){.type = TABLE_CELL_NONE});
}

void table_note(struct table *table, const char *format, ...)
{
	void *array = table->notes;
	va_list args;
	int length;

	if (!usable(table) ||
	    !reserve(table, &array, table->note_count, &table->note_capacity, sizeof *table->notes))
		return;
	table->notes = array;
	va_start(args, format);
	length = vasprintf(&table->notes[table->note_count], format, args);
	va_end(args);
	if (length < 0)
		table->failed = true;
	else
		table->note_count++;
}

size_t table_rows(const struct table *table)
{
	if (table->failed)
		return 1;
	return table->column_count ?
		       (table->cell_count + table->column_count - 1) / table->column_count : 0;
}

const char *table_cell_text(const struct table_cell *cell, char *out, size_t out_bytes)
{
	switch (cell->type) {
	case TABLE_CELL_TEXT:
	case TABLE_CELL_DECIMAL: return cell->text;
	case TABLE_CELL_COUNT: (void)snprintf(out, out_bytes, "%" PRIu64, cell->count); break;
	case TABLE_CELL_SIGNED: (void)snprintf(out, out_bytes, "%" PRId64, cell->whole); break;
	case TABLE_CELL_REAL:
		(void)snprintf(out, out_bytes, "%.*g", cell->digits, cell->real);
		break;
	case TABLE_CELL_NONE: return "-";
	}
	return out;
}

void table_free(struct table *table)
{
	if (!table || table == &no_table)
		return;
	for (size_t i = 0; i < table->column_count; i++)
		free(table->columns[i]);
	for (size_t i = 0; i < table->cell_count; i++)
		if (table->cells[i].type == TABLE_CELL_TEXT || table->cells[i].type == TABLE_CELL_DECIMAL)
			free(table->cells[i].text);
	for (size_t i = 0; i < table->note_count; i++)
		free(table->notes[i]);
	free(table->columns);
	free(table->cells);
	free(table->notes);
	free(table->name);
	free(table->title);
	free(table);
}
