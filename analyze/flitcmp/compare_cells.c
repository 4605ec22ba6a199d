// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcmp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stream/column_cell.h"
#include "stream/column_table.h"
#include "value/grow.h"
#include "value/memstream.h"

// Index of a name, created if new or fresh; SIZE_MAX if out of memory.
static size_t name_number(struct compare_names *names, const char *name, bool fresh)
{
	for (size_t i = 0; !fresh && i < names->count; i++)
		if (strcmp(names->names[i], name) == 0)
			return i;
	if (!GROW_BY_COUNT(names->names, names->count))
		return SIZE_MAX;
	names->names[names->count] = strdup(name);
	return names->names[names->count] ? names->count++ : SIZE_MAX;
}

size_t compare_alternative(struct compare_cells *cells, const char *name, bool fresh)
{
	return name_number(&cells->alternatives, name, fresh);
}

const struct compare_cell *compare_cell_find(const struct compare_cells *cells, size_t block,
					     size_t alternative)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->cells[i].block == block && cells->cells[i].alternative == alternative)
			return &cells->cells[i];
	return NULL;
}

struct compare_cell *compare_cell_get(struct compare_cells *cells, const char *block,
				      size_t alternative)
{
	size_t number = name_number(&cells->blocks, block, false);
	const struct compare_cell *found = compare_cell_find(cells, number, alternative);

	if (found)
		return &cells->cells[found - cells->cells];
	if (number == SIZE_MAX || alternative == SIZE_MAX ||
	    !GROW_BY_COUNT(cells->cells, cells->count))
		return NULL;
	cells->cells[cells->count] = (struct compare_cell){.block = number,
							   .alternative = alternative};
	return &cells->cells[cells->count++];
}

void compare_end(struct compare_cell *cell, struct tr_run_end end, const char *column)
{
	if (end.ending == TR_ENDED ||
	    (end.ending == TR_GREW && column_sense(column).better != COLUMN_LOWER_BETTER))
		return;
	if (end.ending > cell->end.ending) {
		cell->end = end;
		cell->spoiled = 0;
	}
	cell->spoiled += end.ending == cell->end.ending;
}

bool compare_add(struct compare_cell *cell, double value, size_t run)
{
	if (!GROW(cell->values, cell->room, cell->n))
		return false;
	cell->values[cell->n++] = (struct compare_value){value, run};
	return true;
}

static int in_order(const void *a, const void *b)
{
	const struct compare_value *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

void compare_settle_cell(struct compare_cell *cell)
{
	struct sample_sums sums = {0};

	if (cell->n > 0)
		qsort(cell->values, cell->n, sizeof(*cell->values), in_order);
	for (size_t i = 0; i < cell->n; i++)
		sample_sums_add(&sums, cell->values[i].value);
	cell->sample = sample_of_sums(&sums);
}

void compare_settle(struct compare_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		compare_settle_cell(&cells->cells[i]);
}

static void clear_names(struct compare_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
}

void compare_clear(struct compare_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		free(cells->cells[i].values);
	free(cells->cells);
	clear_names(&cells->blocks);
	clear_names(&cells->alternatives);
	clear_names(&cells->runs);
	*cells = (struct compare_cells){0};
}

// ---- rows of tables, as printed by the programs and collected by flitsweep

#define BY_MAX 16u

struct table_reader {
	struct compare_cells *cells;
	const struct compare_settings *settings;
	size_t file; // the file's alternative, if the files are the alternatives
	struct column_table table;
	size_t column; // of the values
	size_t among;
	size_t paired;
	size_t by[BY_MAX];
	size_t where[BY_MAX];
	size_t ended_by; // SIZE_MAX: no such column
	size_t saturated;
};

// Column of the heading equal to name up to an = or its end.
static enum tr_status compare_cells_find_column(const struct column_table *table, const char *name,
						size_t *column, struct tr_error *err)
{
	const size_t bytes = strcspn(name, "=");
	char list[160] = "";
	size_t used = 0;

	*column = column_table_find(table, name, bytes);
	if (*column != SIZE_MAX)
		return TR_OK;
	for (size_t i = 0; i < table->name_count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.40s", i ? ", " : "",
					 table->names[i]);
	return tr_fail(err, "no column named %.*s; the first line names %zu: %.150s%s", (int)bytes,
		       name, table->name_count, list, used >= sizeof(list) ? "..." : "");
}

static enum tr_status find_all(const struct column_table *table, const struct opt_list *names,
			       size_t columns[BY_MAX], struct tr_error *err)
{
	if (names->count > BY_MAX)
		return tr_fail(err, "more than %u columns", BY_MAX);
	for (size_t i = 0; i < names->count; i++)
		if (compare_cells_find_column(table, names->words[i], &columns[i], err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status find_columns(struct table_reader *reader, struct tr_error *err)
{
	const struct compare_settings *settings = reader->settings;
	const struct column_table *table = &reader->table;

	if (compare_cells_find_column(table, settings->column, &reader->column, err) != TR_OK ||
	    (settings->among &&
	     compare_cells_find_column(table, settings->among, &reader->among, err) != TR_OK) ||
	    (settings->paired &&
	     compare_cells_find_column(table, settings->paired, &reader->paired, err) != TR_OK) ||
	    find_all(table, &settings->by, reader->by, err) != TR_OK ||
	    find_all(table, &settings->where, reader->where, err) != TR_OK)
		return TR_ERROR;
	reader->ended_by = column_table_find(table, TR_ENDED_BY, strlen(TR_ENDED_BY));
	reader->saturated = column_table_find(table, TR_SATURATED, strlen(TR_SATURATED));
	return TR_OK;
}

static bool compare_cells_counts(const struct table_reader *reader, char *const *words)
{
	const struct opt_list *where = &reader->settings->where;

	for (size_t i = 0; i < where->count; i++)
		if (strcmp(words[reader->where[i]], strchr(where->words[i], '=') + 1) != 0)
			return false;
	return true;
}

// The block's name from the row's words, freed by the caller; NULL if out of memory.
static char *block_name(const struct table_reader *reader, char *const *words)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; i < reader->settings->by.count; i++)
		fprintf(out, "%s%s", i ? "\t" : "", words[reader->by[i]]);
	if (tr_memstream_close(out))
		return text;
	free(text);
	return NULL;
}

static enum tr_status compare_cells_add_row(struct table_reader *reader, char *const *words,
					    struct tr_error *err)
{
	const char *text = words[reader->column];
	const bool empty = strcmp(text, "-") == 0 || *text == '\0';
	const struct tr_run_end end = tr_run_end_of(
		reader->ended_by == SIZE_MAX ? NULL : words[reader->ended_by],
		reader->saturated == SIZE_MAX ? NULL : words[reader->saturated]);
	struct compare_cell *cell;
	size_t alternative = reader->file, run = 0;
	double value = 0;
	char *block;

	if (empty && end.ending == TR_ENDED)
		return TR_OK;
	if (!empty && column_cell_real(&reader->table.form, text, &value, err) != TR_OK)
		return TR_ERROR;
	if (reader->settings->among)
		alternative = compare_alternative(reader->cells, words[reader->among], false);
	if (reader->settings->paired)
		run = name_number(&reader->cells->runs, words[reader->paired], false);
	block = block_name(reader, words);
	cell = block ? compare_cell_get(reader->cells, block, alternative) : NULL;
	free(block);
	if (!cell || run == SIZE_MAX || (!empty && !compare_add(cell, value, run)))
		return tr_no_memory(err, "the values to compare");
	compare_end(cell, end, reader->settings->column);
	return TR_OK;
}

// Reads the names and the rows up to an empty line.
static enum tr_status compare_cells_read_rows(struct table_reader *reader, struct tr_error *err)
{
	struct column_table *table = &reader->table;
	size_t rows = 0;
	enum tr_status status;
	struct tr_error why;

	while ((status = column_table_next(table, err)) == TR_OK) {
		if (table->rows == 1 && find_columns(reader, &why) != TR_OK)
			return tr_lines_fail(&table->lines, err, "%s", why.text);
		if (!compare_cells_counts(reader, table->cells))
			continue;
		if (compare_cells_add_row(reader, table->cells, &why) != TR_OK)
			return tr_lines_fail(&table->lines, err, "%s", why.text);
		rows++;
	}
	if (status == TR_ERROR || rows > 0)
		return status == TR_ERROR ? TR_ERROR : TR_OK;
	return tr_fail(err, "%s: %s", tr_source_name(table->lines.source),
		       table->head ? "no row matches" : "is empty, expected a table");
}

static size_t note_column(const struct table_reader *reader, const char *what, size_t column,
			  char *out, size_t room)
{
	const struct column_table *table = &reader->table;
	const int bytes = snprintf(out, room, "%s column %zu \"%.40s\", ", what, column + 1,
				   table->names[column - (table->width - table->name_count)]);

	return (size_t)bytes < room ? (size_t)bytes : room - 1;
}

static void note_columns(const struct table_reader *reader, char note[COLUMN_NOTE_BYTES])
{
	const struct compare_settings *settings = reader->settings;
	size_t used;

	if (reader->table.width <= (settings->among ? 2u : 1u) + (settings->paired ? 1u : 0u) +
					   settings->by.count + settings->where.count)
		return;
	used = note_column(reader, "values are", reader->column, note, COLUMN_NOTE_BYTES);

	if (settings->among)
		used += note_column(reader, "alternatives", reader->among, note + used,
				    COLUMN_NOTE_BYTES - used);
	if (settings->paired)
		used += note_column(reader, "pairs", reader->paired, note + used,
				    COLUMN_NOTE_BYTES - used);
	for (size_t i = 0; i < settings->by.count; i++)
		used += note_column(reader, "blocks", reader->by[i], note + used,
				    COLUMN_NOTE_BYTES - used);
	for (size_t i = 0; i < settings->where.count; i++)
		used += note_column(reader, "rows by", reader->where[i], note + used,
				    COLUMN_NOTE_BYTES - used);
	(void)snprintf(note + used, COLUMN_NOTE_BYTES - used, "of %zu", reader->table.width);
}

enum tr_status compare_read_table(struct compare_cells *cells, struct tr_source *source,
				  const char *name, const struct compare_settings *settings,
				  char note[COLUMN_NOTE_BYTES], struct tr_error *err)
{
	struct table_reader reader = {
		.cells = cells,
		.settings = settings,
		.table = {.lines.source = source, .form = settings->form, .printed = true}};
	enum tr_status status;

	if (!settings->among)
		reader.file = compare_alternative(cells, name, true);
	status = compare_cells_read_rows(&reader, err);
	if (status == TR_OK)
		note_columns(&reader, note);
	column_table_clear(&reader.table);
	return status;
}
