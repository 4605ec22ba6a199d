// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value/memstream.h"
#include "value/xxh3.h"

static enum tr_status fail_write(const struct sweep_results *results, struct tr_error *err)
{
	return tr_fail(err, "%s: %s", results->name, strerror(errno));
}

enum tr_status sweep_results_start(struct sweep_results *results, FILE *out, struct tr_error *err)
{
	results->out = out;
	results->done = calloc(sweep_grid_runs(results->grid), sizeof(*results->done));
	results->hash = XXH3_createState();
	if (!results->done || !results->hash)
		return tr_no_memory(err, "the results");
	(void)XXH3_64bits_reset(results->hash);
	return TR_OK;
}

// Length of the line at text, without its newline.
static size_t line_bytes(const char *text)
{
	return strcspn(text, "\n");
}

static const char *results_next_line(const char *text)
{
	text += line_bytes(text);
	return *text == '\n' ? text + 1 : text;
}

// The header of table number which (from 1) in a text; NULL if it has fewer.
static const char *find_table(const char *text, size_t which)
{
	bool inside = false;

	for (; *text != '\0'; text = results_next_line(text)) {
		if (*text == '#')
			continue;
		if (*text == '\n') {
			inside = false;
			continue;
		}
		if (!inside && --which == 0)
			return text;
		inside = true;
	}
	return NULL;
}

enum tr_status sweep_results_tables(struct sweep_results *results, const char *list,
				    struct tr_error *err)
{
	results->table_count = 0;
	if (strcmp(list, "none") == 0)
		return TR_OK;
	for (const char *at = list;; at++) {
		char *end;
		unsigned long table = *at >= '1' && *at <= '9' ? strtoul(at, &end, 10) : 0;

		if (table == 0 || table > INT32_MAX || results->table_count == SWEEP_TABLES_MAX)
			break;
		results->tables[results->table_count++] = table;
		if (*end == '\0')
			return TR_OK;
		if (*end != ',')
			break;
		at = end;
	}
	return tr_fail(err,
		       "--tables: expected none or up to %u numbers from 1 on with commas between "
		       "them, not \"%.40s\"",
		       SWEEP_TABLES_MAX, list);
}

// Length of the first cell of a line.
static size_t cell_bytes(const char *line)
{
	return strcspn(line, "\t\n");
}

static bool same_cell(const char *a, const char *b)
{
	return cell_bytes(a) == cell_bytes(b) && memcmp(a, b, cell_bytes(a)) == 0;
}

// The row below this header that begins with the cell; NULL if there is none.
static const char *results_find_row(const char *headings, const char *cell)
{
	for (const char *line = results_next_line(headings); *line != '\0' && *line != '\n';
	     line = results_next_line(line))
		if (*line != '#' && same_cell(line, cell))
			return line;
	return NULL;
}

// The rest of a line after its first cell, with the tab before it; without a line, one "-" per
// column of the header.
static void put_rest(const char *line, const char *headings, FILE *out)
{
	if (line) {
		line += cell_bytes(line);
		fprintf(out, "%.*s", (int)line_bytes(line), line);
		return;
	}
	for (size_t bytes = line_bytes(headings), i = 0; i < bytes; i++)
		if (headings[i] == '\t')
			fputs("\t-", out);
}

// A line of the first table, joined with the others: their headers, or the rows with the same first
// cell.
static void results_put_joined(const struct sweep_results *results, const char *const *headings,
			       const char *line, FILE *out)
{
	fprintf(out, "%.*s", (int)line_bytes(line), line);
	for (size_t i = 1; i < results->table_count; i++)
		put_rest(line == headings[0] ? headings[i] : results_find_row(headings[i], line),
			 headings[i], out);
	fputc('\n', out);
}

// The headers of all tables, in one line; to be freed.
static char *join_headings(const struct sweep_results *results, const char *const *headings)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	results_put_joined(results, headings, headings[0], out);
	if (!tr_memstream_close(out)) {
		free(text);
		return NULL;
	}
	text[bytes - 1] = '\0';
	return text;
}

// The first ones begin the table, in out.
static enum tr_status take_columns(struct sweep_results *results, const char *const *headings,
				   FILE *out, struct tr_error *err)
{
	char *columns = join_headings(results, headings);
	enum tr_status status = TR_OK;

	if (!columns)
		return tr_no_memory(err, "the results");
	if (results->columns) {
		if (strcmp(results->columns, columns) != 0)
			status = tr_fail(
				err,
				"its table has the columns \"%s\", those of other runs have \"%s\"",
				columns, results->columns);
		free(columns);
		return status;
	}
	results->columns = columns;
	fprintf(out, "%s\n", results->first_lines);
	for (size_t i = 0; i < results->grid->count; i++)
		fprintf(out, "%s\t", results->grid->parameters[i].name);
	fprintf(out, "%s\n", results->columns);
	return TR_OK;
}

static size_t count_cells(const char *line)
{
	size_t cells = 1;

	for (size_t i = 0; line[i] != '\0' && line[i] != '\n'; i++)
		cells += line[i] == '\t';
	return cells;
}

// Refuses anything but a table of values separated by tabs: text that begins as JSON, headings with
// commas alone, and rows of another number of cells.
static enum tr_status check_table(const char *headings, size_t number, struct tr_error *err)
{
	const size_t cells = count_cells(headings);
	size_t row = 0;

	if (*headings == '{' || *headings == '[')
		return tr_fail(err, "its output is JSON; --format tsv prints a table");
	if (cells == 1 && memchr(headings, ',', line_bytes(headings)))
		return tr_fail(err,
			       "its table %zu has commas between its values; --format tsv prints "
			       "one with tabs",
			       number);
	for (const char *line = results_next_line(headings); *line != '\0' && *line != '\n';
	     line = results_next_line(line)) {
		if (*line == '#')
			continue;
		row++;
		if (count_cells(line) != cells)
			return tr_fail(err,
				       "row %zu of its table %zu has %zu values, the heading %zu",
				       row, number, count_cells(line), cells);
	}
	return TR_OK;
}

static enum tr_status find_headings(const struct sweep_results *results, const char *text,
				    const char **headings, struct tr_error *err)
{
	for (size_t i = 0; i < results->table_count; i++) {
		headings[i] = find_table(text, results->tables[i]);
		if (!headings[i])
			return tr_fail(err, "its output has no table %zu%s", results->tables[i],
				       find_table(text, 1)
					       ? ""
					       : "; --tables none if the runs only write files");
		if (check_table(headings[i], results->tables[i], err) != TR_OK)
			return TR_ERROR;
		if (!same_cell(headings[0], headings[i]))
			return tr_fail(err, "its tables %zu and %zu differ in their first column",
				       results->tables[0], results->tables[i]);
	}
	return TR_OK;
}

static enum tr_status results_write_text(struct sweep_results *results, const char *text,
					 size_t bytes, struct tr_error *err)
{
	(void)XXH3_64bits_update(results->hash, text, bytes);
	(void)fwrite(text, 1, bytes, results->out);
	return fflush(results->out) == 0 && !ferror(results->out) ? TR_OK
								  : fail_write(results, err);
}

static void results_put_rows(const struct sweep_results *results, size_t run,
			     const char *const *headings, FILE *out)
{
	for (const char *line = results_next_line(headings[0]); *line != '\0' && *line != '\n';
	     line = results_next_line(line)) {
		if (*line == '#')
			continue;
		for (size_t i = 0; i < results->grid->count; i++)
			fprintf(out, "%s\t", sweep_grid_value(results->grid, run, i));
		results_put_joined(results, headings, line, out);
	}
}

enum tr_status sweep_results_put(struct sweep_results *results, size_t run, const char *text,
				 struct tr_error *err)
{
	const char *headings[SWEEP_TABLES_MAX];
	char *rows = NULL;
	size_t bytes;
	FILE *out;
	enum tr_status status;

	if (results->table_count == 0)
		return TR_OK;
	if (find_headings(results, text, headings, err) != TR_OK)
		return TR_ERROR;
	out = tr_memstream_open(&rows, &bytes);
	if (!out)
		return tr_no_memory(err, "the rows of a run");
	status = take_columns(results, headings, out, err);
	if (status == TR_OK)
		results_put_rows(results, run, headings, out);
	if (!tr_memstream_close(out))
		status = status == TR_OK ? tr_no_memory(err, "the rows of a run") : status;
	if (status == TR_OK)
		status = results_write_text(results, rows, bytes, err);
	free(rows);
	return status;
}

enum tr_status sweep_results_end(struct sweep_results *results, struct tr_error *err)
{
	if (!results->columns)
		return TR_OK;
	fprintf(results->out, SWEEP_END "%016llx\n",
		(unsigned long long)XXH3_64bits_digest(results->hash));
	return fflush(results->out) == 0 && !ferror(results->out) ? TR_OK
								  : fail_write(results, err);
}

// The cells after those of parameters first .. end - 1 at row, if these are values k; else NULL.
static const char *match_values(const struct sweep_grid *grid, size_t first, size_t end, size_t k,
				const char *row)
{
	for (size_t i = first; i < end; i++) {
		const char *value = grid->parameters[i].values[k];
		const size_t bytes = strcspn(row, "\t\n");

		if (strlen(value) != bytes || memcmp(value, row, bytes) != 0 || row[bytes] != '\t')
			return NULL;
		row += bytes + 1;
	}
	return row;
}

// The run whose parameters are at the begin of a row; SIZE_MAX if it is not in the grid.
static size_t run_of(const struct sweep_grid *grid, const char *row)
{
	size_t run = 0;

	for (size_t i = 0, end; i < grid->count; i = end) {
		const size_t count = grid->parameters[i].count;
		const char *rest = NULL;
		size_t k = 0;

		for (end = i + 1; end < grid->count && grid->parameters[end].along;)
			end++;
		while (k < count && (rest = match_values(grid, i, end, k, row)) == NULL)
			k++;
		if (k == count)
			return SIZE_MAX;
		run = run * count + k;
		row = rest;
	}
	return run;
}

// Marks the runs of the rows at text as done, but for the last one unless all are whole; returns
// where the rows to keep end.
static const char *mark_rows(struct sweep_results *results, const char *row, bool whole)
{
	const char *last = row;
	size_t last_run = SIZE_MAX;

	for (; *row != '\0'; row = results_next_line(row)) {
		size_t run = run_of(results->grid, row);

		if (run != last_run)
			last = row;
		last_run = run;
		if (run != SIZE_MAX)
			results->done[run] = true;
	}
	if (whole)
		return row;
	if (last_run != SIZE_MAX)
		results->done[last_run] = false;
	return last_run == SIZE_MAX ? row : last;
}

// Checks the header of the file: the grid's names, then the programs' columns, which are kept.
static enum tr_status read_headings(struct sweep_results *results, const char *line,
				    struct tr_error *err)
{
	for (size_t i = 0; i < results->grid->count; i++) {
		const char *name = results->grid->parameters[i].name;
		size_t bytes = strlen(name);

		if (strncmp(line, name, bytes) != 0 || line[bytes] != '\t')
			return tr_fail(err, "%s: its column %zu is not %s", results->name, i + 1,
				       name);
		line += bytes + 1;
	}
	results->columns = strndup(line, line_bytes(line));
	return results->columns ? TR_OK : tr_no_memory(err, "the results");
}

// Takes off a last line without its end: of a row, or of the end mark.
static void drop_cut_line(char *text)
{
	char *last = strrchr(text, '\n');

	if (last)
		last[1] = '\0';
}

static enum tr_status results_read_text(struct sweep_results *results, char *text,
					struct tr_error *err)
{
	const size_t bytes = strlen(results->first_lines);
	bool whole;
	const char *row;

	if (*text == '\0')
		return TR_OK;
	if (strncmp(text, results->first_lines, bytes) != 0 || text[bytes] != '\n')
		return tr_fail(err, "%s: written by another command; expected \"%s\"",
			       results->name, results->first_lines);
	whole = sweep_take_end(text);
	if (!whole)
		drop_cut_line(text);
	if (!whole && strstr(text, "\n" SWEEP_END))
		return tr_fail(err,
			       "%s: its end mark is not that of its rows: it was changed or "
			       "damaged; remove it to begin anew",
			       results->name);
	row = text + bytes + 1;
	if (read_headings(results, row, err) != TR_OK)
		return TR_ERROR;
	row = mark_rows(results, results_next_line(row), whole);
	(void)XXH3_64bits_update(results->hash, text, (size_t)(row - text));
	if (ftruncate(fileno(results->out), row - text) != 0 ||
	    fseek(results->out, 0, SEEK_END) != 0)
		return fail_write(results, err);
	return TR_OK;
}

// The whole file, zero-terminated and to be freed; NULL where it cannot be read.
static char *results_read_file(FILE *file)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t bytes = getdelim(&text, &room, '\0', file);

	if (bytes < 0 && !ferror(file) && text)
		*text = '\0';
	else if (bytes < 0) {
		free(text);
		return NULL;
	}
	return text;
}

enum tr_status sweep_results_open(struct sweep_results *results, struct tr_error *err)
{
	FILE *file = fopen(results->name, "a+");
	enum tr_status status;
	char *text;

	if (!file)
		return fail_write(results, err);
	if (sweep_results_start(results, file, err) != TR_OK)
		return TR_ERROR;
	rewind(file);
	text = results_read_file(file);
	status = text ? results_read_text(results, text, err) : fail_write(results, err);
	free(text);
	return status;
}

enum tr_status sweep_results_close(struct sweep_results *results, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (results->out && fclose(results->out) != 0)
		status = fail_write(results, err);
	free(results->columns);
	free(results->done);
	(void)XXH3_freeState(results->hash);
	return status;
}

char *sweep_results_first_lines(const char *title, const struct sweep_command *command)
{
	const size_t title_bytes = title ? strlen("# ") + strlen(title) : 0;
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	if (title)
		fprintf(out, "# %s\n", title);
	fprintf(out, "# flitsweep %s:", FLIT_VERSION);
	for (size_t i = 0; i < command->count; i++)
		fprintf(out, " %s", command->words[i]);
	if (!tr_memstream_close(out)) {
		free(text);
		return NULL;
	}
	for (char *at = text; *at != '\0'; at++)
		if (*at == '\n' && !(title && at == text + title_bytes))
			*at = ' ';
	return text;
}
