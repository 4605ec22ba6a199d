// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/printed_tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/column_cell.h"
#include "stream/column_table.h"
#include "value/grow.h"
#include "value/num.h"

struct printed_tables_reading {
	struct printed_tables *out;
	struct printed_table *open; // NULL: the next row begins a table
	struct column_table table;
	char *title;   // of the next table
	char *command; // of it
	char *notes;   // of this one
	bool failed;   // no memory for a remark
};

// text with a blank and more appended, or a copy of more; NULL if out of memory. Frees text.
static char *printed_tables_join(char *text, const char *more)
{
	const size_t before = text ? strlen(text) + 1 : 0, bytes = before + strlen(more) + 1;
	char *joined = realloc(text, bytes);

	if (!joined) {
		free(text);
		return NULL;
	}
	if (before > 0)
		joined[before - 1] = ' ';
	memcpy(joined + before, more, strlen(more) + 1);
	return joined;
}

static void free_words(char **words, size_t count)
{
	for (size_t i = 0; words && i < count; i++)
		free(words[i]);
	free(words);
}

// Whether this is the hash by which flitsweep ends a table in a file.
static bool is_end_mark(const char *text)
{
	static const char end[] = "end ";
	const size_t bytes = sizeof(end) - 1;

	return strncmp(text, end, bytes) == 0 && strspn(text + bytes, "0123456789abcdef") == 16 &&
	       text[bytes + 16] == '\0';
}

// The command in the line by which flitsweep begins a table, "flitsweep VERSION: command"; NULL for
// another line.
static const char *command_in(const char *text)
{
	static const char begin[] = "flitsweep ";
	const char *colon = strncmp(text, begin, sizeof(begin) - 1) == 0 ? strstr(text, ": ")
									 : NULL;

	return colon && !memchr(text + sizeof(begin) - 1, ' ',
				(size_t)(colon - text) - (sizeof(begin) - 1))
		       ? colon + 2
		       : NULL;
}

// A title or a command before the names of a table, a note after them.
static void take_remark(void *context, const char *text)
{
	struct printed_tables_reading *reading = context;
	const char *command = reading->table.head ? NULL : command_in(text);
	char **to = reading->table.head ? &reading->notes
		    : command		? &reading->command
					: &reading->title;

	if (reading->table.head && is_end_mark(text))
		return;
	text = command ? command : text;
	*to = printed_tables_join(*to, text);
	reading->failed = reading->failed || !*to;
}

// Copies words, after as many empty ones as there are columns without a name before them. NULL if
// out of memory.
static char **copy_words(char *const *words, size_t count, size_t unnamed)
{
	char **copies = calloc(unnamed + count + 1, sizeof(*copies));

	for (size_t i = 0; copies && i < unnamed + count; i++)
		if (!(copies[i] = strdup(i < unnamed ? "" : words[i - unnamed]))) {
			free_words(copies, i);
			return NULL;
		}
	return copies;
}

// Begins a table when the reader has its names.
static enum tr_status begin_table(struct printed_tables_reading *reading, size_t columns,
				  struct tr_error *err)
{
	const struct column_table *from = &reading->table;
	struct printed_tables *out = reading->out;
	struct printed_table *list;

	if (out->count == PRINTED_TABLES_MAX || columns > PRINTED_COLUMNS_MAX)
		return tr_lines_fail(&from->lines, err, "more than %u tables, or than %u columns",
				     PRINTED_TABLES_MAX, PRINTED_COLUMNS_MAX);
	if (!GROW_BY_COUNT(out->list, out->count))
		return tr_no_memory(err, "a table");
	list = out->list;
	list[out->count] = (struct printed_table){
		.title = reading->title,
		.command = reading->command,
		.columns = columns,
		.headings = copy_words(from->names, from->name_count, columns - from->name_count),
	};
	reading->title = reading->command = NULL;
	reading->open = &list[out->count++];
	return reading->open->headings ? TR_OK : tr_no_memory(err, "a table");
}

// A number whose decimal sign may be a comma: a point takes its place if dec=comma was given;
// without it, it is refused where only a number can be meant.
static enum tr_status settle_decimal(const struct column_table *table, size_t column, char *cell,
				     struct tr_error *err)
{
	const size_t unnamed = table->width - table->name_count;
	const char *name = column < unnamed ? "" : table->names[column - unnamed];
	char *comma = strchr(cell, ',');

	if (!comma || table->form.separator == ',' || !column_cell_is_doubtful(cell))
		return TR_OK;
	if (table->form.decimal_comma)
		*comma = '.';
	else if (!table->form.decimal_given &&
		 (table->form.separator != '\t' || load_curves_use(name)))
		return tr_lines_fail(&table->lines, err,
				     "\"%.40s\" in column \"%.40s\" may be a number with a decimal "
				     "comma (--columns dec=comma) or a text (dec=point)",
				     cell, name);
	return TR_OK;
}

static enum tr_status printed_tables_add_row(struct printed_tables_reading *reading,
					     struct tr_error *err)
{
	struct column_table *from = &reading->table;
	struct printed_table *table = reading->open;
	const size_t used = table->rows * table->columns;
	char **cells;

	if (table->rows == PRINTED_ROWS_MAX) {
		table->left_out++;
		return TR_OK;
	}
	cells = realloc(table->cells, (used + table->columns) * sizeof(*cells));
	if (!cells)
		return tr_no_memory(err, "a table");
	table->cells = cells;
	for (size_t i = 0; i < table->columns; i++)
		if (settle_decimal(from, i, from->cells[i], err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < table->columns; i++)
		if (!(cells[used + i] = strdup(from->cells[i]))) {
			while (i > 0)
				free(cells[used + --i]);
			return tr_no_memory(err, "a table");
		}
	table->rows++;
	return TR_OK;
}

// Reads one table. TR_END: there is none.
static enum tr_status read_table(struct printed_tables_reading *reading, struct tr_error *err)
{
	struct column_table *table = &reading->table;
	enum tr_status status;

	reading->open = NULL;
	while ((status = column_table_next(table, err)) == TR_OK) {
		if (!reading->open && begin_table(reading, table->width, err) != TR_OK)
			return TR_ERROR;
		if (printed_tables_add_row(reading, err) != TR_OK)
			return TR_ERROR;
	}
	if (status == TR_ERROR || !table->head)
		return status;
	if (!reading->open && begin_table(reading, table->name_count, err) != TR_OK) // names alone
		return TR_ERROR;
	reading->open->notes = reading->notes;
	reading->notes = NULL;
	return TR_OK;
}

size_t printed_column(const struct printed_table *table, const char *heading)
{
	for (size_t i = 0; i < table->columns; i++)
		if (strcmp(table->headings[i], heading) == 0)
			return i;
	return SIZE_MAX;
}

const char *printed_cell(const struct printed_table *table, size_t row, size_t column)
{
	return column == SIZE_MAX ? "-" : table->cells[row * table->columns + column];
}

double printed_number(const struct printed_table *table, size_t row, size_t column)
{
	double value;

	return num_parse_real(printed_cell(table, row, column), &value, NULL) == TR_OK ? value
										       : NAN;
}

bool printed_tables_begin(struct tr_source *source)
{
	static const char *const begins[] = {"# ", "\"# ", "\xef\xbb\xbf# ", "\xef\xbb\xbf\"# "};

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (tr_source_begins(source, begins[i], strlen(begins[i])))
			return true;
	return false;
}

enum tr_status printed_tables_read(struct printed_tables *out, struct tr_source *source,
				   const struct column_form *form, struct tr_error *err)
{
	struct printed_tables_reading reading = {.out = out};
	struct column_table *table = &reading.table;
	enum tr_status status;

	*out = (struct printed_tables){NULL, 0};
	*table = (struct column_table){.lines.source = source,
				       .form = *form,
				       .printed = true,
				       .remark = take_remark,
				       .context = &reading};
	while ((status = read_table(&reading, err)) == TR_OK && table->more) {
		column_table_again(table);
		table->form = *form;
	}
	if (status != TR_ERROR && out->count == 0)
		status = tr_lines_fail(&table->lines, err, "a title without a table");
	if (reading.failed)
		status = tr_no_memory(err, "a title");
	column_table_clear(table);
	free(reading.title);
	free(reading.command);
	free(reading.notes);
	if (status != TR_ERROR)
		return TR_OK;
	printed_tables_clear(out);
	return TR_ERROR;
}

static void clear_table(struct printed_table *table)
{
	free_words(table->headings, table->columns);
	free_words(table->cells, table->columns * table->rows);
	free(table->title);
	free(table->command);
	free(table->notes);
}

void printed_tables_clear(struct printed_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		clear_table(&tables->list[i]);
	free(tables->list);
	*tables = (struct printed_tables){NULL, 0};
}
