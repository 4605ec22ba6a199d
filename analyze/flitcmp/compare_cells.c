// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcmp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/lines.h"
#include "trace/memstream.h"
#include "trace/num.h"

// Index of a name, created if new or fresh; SIZE_MAX if out of memory.
static size_t name_number(struct compare_names *names, const char *name, bool fresh)
{
	char **more;

	for (size_t i = 0; !fresh && i < names->count; i++)
		if (strcmp(names->names[i], name) == 0)
			return i;
	more = reallocarray(names->names, names->count + 1, sizeof(*more));
	if (!more)
		return SIZE_MAX;
	names->names = more;
	more[names->count] = strdup(name);
	return more[names->count] ? names->count++ : SIZE_MAX;
}

size_t compare_alternative(struct compare_cells *cells, const char *name, bool fresh)
{
	return name_number(&cells->alternatives, name, fresh);
}

const struct compare_cell *compare_cell_find(const struct compare_cells *cells, size_t block, size_t alternative)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->cells[i].block == block && cells->cells[i].alternative == alternative)
			return &cells->cells[i];
	return NULL;
}

struct compare_cell *compare_cell_get(struct compare_cells *cells, const char *block, size_t alternative)
{
	size_t number = name_number(&cells->blocks, block, false);
	const struct compare_cell *found = compare_cell_find(cells, number, alternative);
	struct compare_cell *more;

	if (found)
		return &cells->cells[found - cells->cells];
	more = reallocarray(cells->cells, cells->count + 1, sizeof(*more));
	if (!more || number == SIZE_MAX || alternative == SIZE_MAX) {
		cells->cells = more ? more : cells->cells;
		return NULL;
	}
	cells->cells = more;
	more[cells->count] = (struct compare_cell){.block = number, .alternative = alternative};
	return &more[cells->count++];
}

void compare_end(struct compare_cell *cell, struct tr_run_end end, const char *column)
{
	if (end.ending == TR_ENDED || (end.ending == TR_GREW && column_sense(column).better != COLUMN_LOWER_BETTER))
		return;
	if (end.ending > cell->end.ending) {
		cell->end = end;
		cell->spoiled = 0;
	}
	cell->spoiled += end.ending == cell->end.ending;
}

bool compare_add(struct compare_cell *cell, double value)
{
	if (cell->n == cell->room) {
		size_t room = cell->room ? 2 * cell->room : 16;
		double *more = reallocarray(cell->values, room, sizeof(*more));

		if (!more)
			return false;
		cell->values = more;
		cell->room = room;
	}
	cell->values[cell->n++] = value;
	return true;
}

static int in_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void settle(struct compare_cell *cell)
{
	double sum = 0, squares = 0, mean;

	qsort(cell->values, cell->n, sizeof(*cell->values), in_order);
	for (size_t i = 0; i < cell->n; i++)
		sum += cell->values[i] - cell->values[0];
	mean = cell->values[0] + sum / (double)cell->n;
	for (size_t i = 0; i < cell->n; i++)
		squares += (cell->values[i] - mean) * (cell->values[i] - mean);
	cell->sample = (struct sample){
		.mean = mean, .sd = cell->n > 1 ? sqrt(squares / (double)(cell->n - 1)) : NAN, .n = (double)cell->n};
}

void compare_settle(struct compare_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->cells[i].n > 0)
			settle(&cells->cells[i]);
		else
			cells->cells[i].sample = (struct sample){.mean = NAN, .sd = NAN};
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
	*cells = (struct compare_cells){0};
}

// ---- rows of tables, as printed by the programs and collected by flitsweep

#define COLUMNS_MAX 256u
#define BY_MAX 16u

struct table_reader {
	struct compare_cells *cells;
	const struct compare_settings *settings;
	const char *name;
	size_t file; // the file's alternative, if the files are the alternatives
	char separator[2];
	size_t column; // of the values
	size_t among;
	size_t by[BY_MAX];
	size_t where[BY_MAX];
	size_t ended_by; // SIZE_MAX: no such column
	size_t saturated;
};

// Cuts a line at its separators; returns the number of words, COLUMNS_MAX + 1 if there are more.
static size_t cut(char *line, const char *separator, char *words[COLUMNS_MAX])
{
	size_t count = 0;
	char *word;

	while ((word = strsep(&line, separator))) {
		if (count == COLUMNS_MAX)
			return COLUMNS_MAX + 1;
		words[count++] = word;
	}
	return count;
}

// Index of the heading equal to name up to an = or its end.
static enum tr_status find_column(char *const *headings, size_t count, const char *name, size_t *column, struct tr_error *err)
{
	size_t bytes = strcspn(name, "=");

	for (*column = 0; *column < count; ++*column)
		if (strlen(headings[*column]) == bytes && memcmp(headings[*column], name, bytes) == 0)
			return TR_OK;
	return tr_fail(err, "no column named %.*s", (int)bytes, name);
}

static enum tr_status find_columns(struct table_reader *reader, char *const *headings, size_t count, struct tr_error *err)
{
	const struct compare_settings *settings = reader->settings;

	if (find_column(headings, count, settings->column, &reader->column, err) != TR_OK)
		return TR_ERROR;
	if (settings->among && find_column(headings, count, settings->among, &reader->among, err) != TR_OK)
		return TR_ERROR;
	if (settings->by.count > BY_MAX || settings->where.count > BY_MAX)
		return tr_fail(err, "more than %u columns", BY_MAX);
	for (size_t i = 0; i < settings->by.count; i++)
		if (find_column(headings, count, settings->by.words[i], &reader->by[i], err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < settings->where.count; i++)
		if (find_column(headings, count, settings->where.words[i], &reader->where[i], err) != TR_OK)
			return TR_ERROR;
	if (find_column(headings, count, TR_ENDED_BY, &reader->ended_by, NULL) != TR_OK)
		reader->ended_by = SIZE_MAX;
	if (find_column(headings, count, TR_SATURATED, &reader->saturated, NULL) != TR_OK)
		reader->saturated = SIZE_MAX;
	return TR_OK;
}

static bool counts(const struct table_reader *reader, char *const *words)
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

static enum tr_status add_row(struct table_reader *reader, char *const *words, struct tr_error *err)
{
	const char *text = words[reader->column];
	const bool empty = strcmp(text, "-") == 0 || *text == '\0';
	const struct tr_run_end end = tr_run_end_of(reader->ended_by == SIZE_MAX ? NULL : words[reader->ended_by],
						    reader->saturated == SIZE_MAX ? NULL : words[reader->saturated]);
	struct compare_cell *cell;
	size_t alternative = reader->file;
	double value = 0;
	char *block;

	if (empty && end.ending == TR_ENDED)
		return TR_OK;
	if (!empty && num_parse_real(text, &value, err) != TR_OK)
		return TR_ERROR;
	if (reader->settings->among)
		alternative = compare_alternative(reader->cells, words[reader->among], false);
	block = block_name(reader, words);
	cell = block ? compare_cell_get(reader->cells, block, alternative) : NULL;
	free(block);
	if (!cell || (!empty && !compare_add(cell, value)))
		return tr_no_memory(err, "the values to compare");
	compare_end(cell, end, reader->settings->column);
	return TR_OK;
}

// Reads the headings and the rows up to a blank line.
static enum tr_status read_rows(struct table_reader *reader, struct tr_lines *lines, struct tr_error *err)
{
	char *words[COLUMNS_MAX];
	size_t columns = 0, rows = 0;
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(lines, &line, err)) == TR_OK && (*line || !columns)) {
		if (*line == '#' || !*line)
			continue;
		if (!columns)
			*reader->separator = strchr(line, '\t') || !strchr(line, ',') ? '\t' : ',';
		size_t count = cut(line, reader->separator, words);

		if (count > COLUMNS_MAX)
			return tr_fail(err, "more than %u columns", COLUMNS_MAX);
		if (!columns) {
			columns = count;
			status = find_columns(reader, words, columns, err);
		} else if (count != columns) {
			return tr_fail(err, "%zu columns, expected %zu", count, columns);
		} else if (counts(reader, words)) {
			status = add_row(reader, words, err);
			rows++;
		}
		if (status != TR_OK)
			return status;
	}
	if (status == TR_END && !columns)
		return tr_fail(err, "is empty, expected a table");
	return status == TR_ERROR ? status : rows ? TR_OK : tr_fail(err, "no row matches");
}

enum tr_status compare_read_table(struct compare_cells *cells, struct tr_source *source, const char *name,
				  const struct compare_settings *settings, struct tr_error *err)
{
	struct table_reader reader = {.cells = cells, .settings = settings, .name = name};
	struct tr_lines lines = {.source = source};
	struct tr_error why;
	enum tr_status status;

	if (!settings->among)
		reader.file = compare_alternative(cells, name, true);
	status = read_rows(&reader, &lines, &why);
	if (status != TR_OK)
		status = tr_fail(err, "line %llu: %s", (unsigned long long)lines.number, why.text);
	tr_lines_clear(&lines);
	return status;
}
