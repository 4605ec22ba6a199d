// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/table_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/number.h"
#include "value/ticks.h"

const struct opt_choice table_format_words[] = {
	TABLE_FORMAT_WORDS,
	{NULL, 0},
};

// The table returned if table_new runs out of memory; never written to.
static const struct table no_table = {.failed = true};

static bool usable(const struct table *table)
{
	return table != &no_table && !table->failed;
}

// A copy of text; marks the table if out of memory.
static char *copy_text(struct table *table, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		table->failed = true;
	return copy;
}

// Whether the array of a usable table has grown; else the table has failed.
static bool has_grown(struct table *table, bool grown)
{
	table->failed |= !grown;
	return grown;
}

struct table *table_lost(void)
{
	return (struct table *)&no_table;
}

struct table *table_new(const char *name, const char *title)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return table_lost();
	table->name = copy_text(table, name);
	if (title)
		table->title = copy_text(table, title);
	return table;
}

void table_fail(struct table *table)
{
	if (usable(table))
		table->failed = true;
}

static void add_column(struct table *table, const char *heading, enum table_side side)
{
	if (!usable(table) ||
	    !has_grown(table, GROW(table->columns, table->column_capacity, table->column_count)))
		return;
	table->columns[table->column_count] = (struct table_heading){copy_text(table, heading),
								     side};
	if (!table->failed)
		table->column_count++;
}

void table_column(struct table *table, const char *key)
{
	add_column(table, key, TABLE_SIDE_BY_CELLS);
}

void table_columns(struct table *table, const char *keys)
{
	char *copy = usable(table) ? copy_text(table, keys) : NULL, *rest = copy;

	for (const char *key; rest && (key = strtok_r(rest, " ", &rest)) != NULL;)
		table_column(table, key);
	free(copy);
}

void table_words(struct table *table, const char *heading)
{
	add_column(table, heading, TABLE_SIDE_LEFT);
}

void table_numbers(struct table *table, const char *heading)
{
	add_column(table, heading, TABLE_SIDE_RIGHT);
}

void table_set_by_name(struct table *table)
{
	if (usable(table))
		table->by_name = true;
}

void table_set_for_people(struct table *table)
{
	if (usable(table))
		table->for_people = true;
}

static void table_add_cell(struct table *table, struct table_cell cell)
{
	if (!usable(table) ||
	    !has_grown(table, GROW(table->cells, table->cell_capacity, table->cell_count)))
		return;
	table->cells[table->cell_count++] = cell;
}

static void table_add_text(struct table *table, enum table_cell_type type, const char *text)
{
	char *copy;

	if (!usable(table))
		return;
	copy = copy_text(table, text);
	table_add_cell(table, (struct table_cell){.type = (uint8_t)type, .text = copy});
	if (table->failed)
		free(copy);
}

void table_text(struct table *table, const char *text)
{
	if (text)
		table_add_text(table, TABLE_CELL_TEXT, text);
	else
		table_none(table);
}

void table_decimal(struct table *table, const char *text)
{
	table_add_text(table, TABLE_CELL_DECIMAL, text);
}

// Decimals of a second that a tick needs.
static size_t tick_decimals(uint64_t ticks_per_s)
{
	size_t decimals = 1;

	for (uint64_t most = 10; most < ticks_per_s && decimals < 15; most *= 10)
		decimals++;
	return decimals;
}

void table_seconds(struct table *table, int64_t ticks, uint64_t ticks_per_s)
{
	char text[64];
	size_t used;

	used = strlen(tr_ticks_format(ticks, ticks_per_s, text, 48));
	// For people, the points of a column are below each other.
	for (size_t decimals = used - 1 - strcspn(text, ".");
	     table->for_people && decimals < tick_decimals(ticks_per_s); decimals++)
		text[used++] = '0';
	text[used] = '\0';
	table_decimal(table, text);
}

void table_count(struct table *table, uint64_t value)
{
	table_add_cell(table, (struct table_cell){.type = TABLE_CELL_COUNT, .count = value});
}

void table_signed(struct table *table, int64_t value)
{
	table_add_cell(table, (struct table_cell){.type = TABLE_CELL_SIGNED, .whole = value});
}

void table_real(struct table *table, double value, int digits)
{
	if (!isfinite(value)) {
		table_none(table);
		return;
	}
	digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
	table_add_cell(table, (struct table_cell){.type = TABLE_CELL_REAL,
						  .digits = (uint8_t)digits,
						  .real = value});
}

void table_none(struct table *table)
{
	table_add_cell(table, (struct table_cell){.type = TABLE_CELL_NONE});
}

// Adds text for people and one with all digits; a value that is not finite is "-".
static void add_rounded(struct table *table, struct number shown, const char *exact)
{
	char *both = NULL;

	if (!usable(table))
		return;
	if (asprintf(&both, "%s%c%s", shown.text, '\0', exact) < 0) {
		table->failed = true;
		return;
	}
	table_add_cell(table, (struct table_cell){.type = TABLE_CELL_ROUNDED, .text = both});
	if (table->failed)
		free(both);
}

static void add_interval(struct table *table, struct number shown, double lo, double hi)
{
	char exact[80];

	if (!isfinite(lo) || !isfinite(hi)) {
		table_none(table);
		return;
	}
	(void)snprintf(exact, sizeof(exact), "%.9g to %.9g", lo, hi);
	add_rounded(table, shown, exact);
}

void table_range(struct table *table, double lo, double hi, int digits)
{
	add_interval(table, number_range(lo, hi, digits), lo, hi);
}

void table_error(struct table *table, double value, double lo, double hi)
{
	char exact[40];

	if (!isfinite(value)) {
		table_none(table);
		return;
	}
	(void)snprintf(exact, sizeof(exact), "%.9g", value);
	add_rounded(table, number_error(value, lo, hi), exact);
}

void table_error_range(struct table *table, double lo, double hi)
{
	add_interval(table, number_error_range(lo, hi), lo, hi);
}

void table_note(struct table *table, const char *format, ...)
{
	va_list args;
	int length;

	if (!usable(table) ||
	    !has_grown(table, GROW(table->notes, table->note_capacity, table->note_count)))
		return;
	va_start(args, format);
	length = vasprintf(&table->notes[table->note_count], format, args);
	va_end(args);
	if (length < 0)
		table->failed = true;
	else
		table->note_count++;
}

void table_words_are(struct table *table, const char *form)
{
	if (usable(table))
		table->word_form = form;
}

size_t table_rows(const struct table *table)
{
	if (table->failed)
		return 1;
	return table->column_count
		       ? (table->cell_count + table->column_count - 1) / table->column_count
		       : 0;
}

const char *table_title(const struct table *table)
{
	return table->title;
}

const char *table_note_at(const struct table *table, size_t index)
{
	return index < table->note_count ? table->notes[index] : NULL;
}

bool table_failed(const struct table *table)
{
	return table->failed;
}

bool table_is_object(const struct table *table)
{
	return !table->title && table->cell_count <= table->column_count;
}

const struct table_cell *table_cell_at(const struct table *table, size_t row, size_t column)
{
	static const struct table_cell none = {.type = TABLE_CELL_NONE},
				       nothing = {.type = TABLE_CELL_TEXT, .text = ""};
	const size_t at = row * table->column_count + column;

	return at < table->cell_count ? &table->cells[at] : table->for_people ? &nothing : &none;
}

bool table_is_right(const struct table *table, size_t column)
{
	const enum table_side side = table->columns[column].side;
	bool right = side != TABLE_SIDE_LEFT;

	for (size_t row = 0; row < table_rows(table) && side == TABLE_SIDE_BY_CELLS && right; row++)
		right = table_cell_at(table, row, column)->type != TABLE_CELL_TEXT;
	return right;
}

static const char *number_text(struct number number, char out[TABLE_CELL_BYTES])
{
	_Static_assert(sizeof(number.text) <= TABLE_CELL_BYTES, "a cell takes a number");
	return memcpy(out, number.text, sizeof(number.text));
}

const char *table_cell_shown(const struct table *table, size_t row, size_t column,
			     char out[TABLE_CELL_BYTES])
{
	const struct table_cell *cell = table_cell_at(table, row, column);

	if (table->for_people && cell->type == TABLE_CELL_COUNT)
		return number_text(number_count(cell->count), out);
	if (table->for_people && cell->type == TABLE_CELL_REAL)
		return number_text(number_real(cell->real, cell->digits), out);
	if (cell->type == TABLE_CELL_ROUNDED)
		return cell->text;
	return table_cell_exact(table, row, column, out);
}

const char *table_cell_exact(const struct table *table, size_t row, size_t column,
			     char out[TABLE_CELL_BYTES])
{
	const struct table_cell *cell = table_cell_at(table, row, column);

	switch (cell->type) {
	case TABLE_CELL_TEXT:
	case TABLE_CELL_DECIMAL: return cell->text;
	case TABLE_CELL_ROUNDED: return cell->text + strlen(cell->text) + 1;
	case TABLE_CELL_COUNT:
		(void)snprintf(out, TABLE_CELL_BYTES, "%" PRIu64, cell->count);
		break;
	case TABLE_CELL_SIGNED:
		(void)snprintf(out, TABLE_CELL_BYTES, "%" PRId64, cell->whole);
		break;
	case TABLE_CELL_REAL:
		(void)snprintf(out, TABLE_CELL_BYTES, "%.*g",
			       table->for_people ? 9 : cell->digits % 32, cell->real);
		break;
	case TABLE_CELL_NONE: return "-";
	}
	return out;
}

static bool owns_text(const struct table_cell *cell)
{
	return cell->type == TABLE_CELL_TEXT || cell->type == TABLE_CELL_DECIMAL ||
	       cell->type == TABLE_CELL_ROUNDED;
}

void table_free(struct table *table)
{
	if (!table || table == &no_table)
		return;
	for (size_t i = 0; i < table->column_count; i++)
		free(table->columns[i].text);
	for (size_t i = 0; i < table->cell_count; i++)
		if (owns_text(&table->cells[i]))
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
