// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of tables, as the programs print and flitsweep collects them.
#include <stdlib.h>
#include <string.h>

#include "compare_cells.h"
#include "trace/lines.h"
#include "trace/num.h"
#include "trace/memstream.h"

#define COLUMNS_MAX 256u
#define BY_MAX 16u

struct table_reader {
	struct compare_cells *cells;
	const struct compare_settings *settings;
	const char *name;
	size_t file; // the alternative that the file is, where files are
	char separator[2];
	size_t column; // of the values
	size_t among;
	size_t by[BY_MAX];
	size_t where[BY_MAX];
};

// Cuts a line at its separators; the number of words, COLUMNS_MAX + 1 where there are more.
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

// Number of the heading that name is up to an = or its end.
static enum tr_status find_column(char *const *headings, size_t count, const char *name, size_t *column, struct tr_error *err)
{
	size_t bytes = strcspn(name, "=");

	for (*column = 0; *column < count; ++*column)
		if (strlen(headings[*column]) == bytes && memcmp(headings[*column], name, bytes) == 0)
			return TR_OK;
	return tr_fail(err, "no column is called %.*s", (int)bytes, name);
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

// The block's name from the row's words, to be freed; NULL without memory.
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
	struct compare_cell *cell;
	size_t alternative = reader->file;
	double value;
	char *block;

	if (strcmp(text, "-") == 0 || *text == '\0') // no value
		return TR_OK;
	if (num_parse_real(text, &value, err) != TR_OK)
		return TR_ERROR;
	if (reader->settings->among)
		alternative = compare_alternative(reader->cells, words[reader->among], false);
	block = block_name(reader, words);
	cell = block ? compare_cell_get(reader->cells, block, alternative) : NULL;
	free(block);
	return cell && compare_add(cell, value) ? TR_OK : tr_no_memory(err, "the values to compare");
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
		return tr_fail(err, "empty, no table");
	return status == TR_ERROR ? status : rows ? TR_OK : tr_fail(err, "no row that counts");
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
