// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/printed_tables.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/lines.h"
#include "trace/table.h"

struct reading {
	struct printed_tables *out;
	struct printed_table *open; // NULL: the next line begins a table
	char *title;		    // of the next table
	const char *reason;	    // why a line is refused
};

// text with a blank and more appended, or a copy of more; NULL if out of memory. Frees text.
static char *join(char *text, const char *more)
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

// Copies of the line's words, *count of them. NULL if there are too many or out of memory.
static char **cut(char *line, size_t *count)
{
	char **words = calloc(PRINTED_COLUMNS_MAX, sizeof(*words));
	char *word;

	*count = 0;
	while (words && (word = strsep(&line, "\t"))) {
		if (*count < PRINTED_COLUMNS_MAX && (words[*count] = strdup(word))) {
			++*count;
			continue;
		}
		free_words(words, *count);
		return NULL;
	}
	return words;
}

static bool begin_table(struct reading *reading, char *line)
{
	struct printed_tables *out = reading->out;
	struct printed_table table = {.title = reading->title};
	struct printed_table *list;

	reading->reason = TR_OUT_OF_MEMORY ", or more tables or columns than a report takes";
	if (out->count == PRINTED_TABLES_MAX || !(table.headings = cut(line, &table.columns)))
		return false;
	list = realloc(out->list, (out->count + 1) * sizeof(*list));
	if (!list) {
		free_words(table.headings, table.columns);
		return false;
	}
	out->list = list;
	reading->open = &list[out->count++];
	*reading->open = table;
	reading->title = NULL;
	return true;
}

static bool add_row(struct reading *reading, char *line)
{
	struct printed_table *table = reading->open;
	size_t count, used = table->rows * table->columns;
	char **words = cut(line, &count);
	char **cells = NULL;

	reading->reason = "the number of columns differs from the heading";
	if (words && count == table->columns) {
		reading->reason = TR_OUT_OF_MEMORY ", or more rows than a report takes";
		if (table->rows < PRINTED_ROWS_MAX)
			cells = realloc(table->cells, (used + count) * sizeof(*cells));
	}
	if (cells) {
		memcpy(cells + used, words, count * sizeof(*cells));
		table->cells = cells;
		table->rows++;
		count = 0; // the table owns the words now
	}
	free_words(words, count);
	return cells;
}

static bool add_remark(struct reading *reading, const char *text)
{
	char **to = reading->open ? &reading->open->notes : &reading->title;

	reading->reason = TR_OUT_OF_MEMORY;
	return (*to = join(*to, text)) != NULL;
}

// Whether this is the hash by which flitsweep ends a table in a file.
static bool is_end_mark(const char *line)
{
	static const char end[] = "# end ";
	const size_t bytes = sizeof(end) - 1;

	return strncmp(line, end, bytes) == 0 && strspn(line + bytes, "0123456789abcdef") == 16 && line[bytes + 16] == '\0';
}

static bool add_line(struct reading *reading, char *line)
{
	if (reading->open && is_end_mark(line))
		return true;
	if (*line == '\0') {
		reading->open = NULL;
		return true;
	}
	if (strncmp(line, PRINTED_TABLES_MAGIC, strlen(PRINTED_TABLES_MAGIC)) == 0)
		return add_remark(reading, line + strlen(PRINTED_TABLES_MAGIC));
	return reading->open ? add_row(reading, line) : begin_table(reading, line);
}

enum tr_status printed_tables_read(struct printed_tables *out, struct tr_source *source, struct tr_error *err)
{
	struct reading reading = {.out = out};
	struct tr_lines lines = {.source = source};
	enum tr_status status;
	char *line;

	*out = (struct printed_tables){NULL, 0};
	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK)
		if (!add_line(&reading, line)) {
			status = tr_fail(err, "%s:%llu: %s", tr_source_name(source), (unsigned long long)lines.number,
					 reading.reason);
			break;
		}
	if (status == TR_END && out->count == 0)
		status = tr_fail(err, "%s:%llu: a title without a table", tr_source_name(source),
				 (unsigned long long)lines.number);
	tr_lines_clear(&lines);
	free(reading.title);
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
	free(table->notes);
}

void printed_tables_clear(struct printed_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		clear_table(&tables->list[i]);
	free(tables->list);
	*tables = (struct printed_tables){NULL, 0};
}
