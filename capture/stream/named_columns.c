// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/named_columns.h"

#include <string.h>

#include "value/escape.h"

#define COLUMNS_MAX 64u

// The cells of a line; 0: too many.
static size_t named_columns_split(const struct tr_named_columns *table, char *line,
				  char *words[COLUMNS_MAX])
{
	size_t count = 0;

	while (line && count < COLUMNS_MAX)
		words[count++] = strsep(&line, table->separator);
	return !line ? count : 0;
}

static void named_columns_look(struct tr_named_columns *table, char *line)
{
	char *words[COLUMNS_MAX];
	size_t count;

	table->separator = strchr(line, '\t') ? "\t" : ",";
	count = named_columns_split(table, line, words);
	table->found = true;
	for (size_t i = 0; i < TR_NAMED_MAX && table->names[i]; i++) {
		size_t at = 0;

		while (at < count && strcmp(words[at], table->names[i]) != 0)
			at++;
		table->columns[i] = at;
		table->found = table->found && at < count;
	}
}

static enum tr_status named_columns_miss(const struct tr_named_columns *table, struct tr_error *err)
{
	char names[200] = "";

	for (size_t i = 0; i < TR_NAMED_MAX && table->names[i]; i++) {
		const bool last = i + 1 == TR_NAMED_MAX || !table->names[i + 1];

		text_append(names, sizeof(names), "%s%s",
			    i == 0 ? ""
			    : last ? " and "
				   : ", ",
			    table->names[i]);
	}
	if (table->printer)
		text_append(names, sizeof(names), " (%s prints one)", table->printer);
	return tr_fail(err, "%s: no table with the columns %s", tr_source_name(table->lines.source),
		       names);
}

enum tr_status tr_named_columns_next(struct tr_named_columns *table, char *cells[TR_NAMED_MAX],
				     struct tr_error *err)
{
	char *words[COLUMNS_MAX], *line;
	enum tr_status status;
	size_t count;

	while ((status = tr_lines_next(&table->lines, &line, err)) == TR_OK && !table->found)
		named_columns_look(table, line);
	if (status == TR_END && !table->found)
		return named_columns_miss(table, err);
	if (status != TR_OK || *line == '\0' || *line == '#')
		return status == TR_ERROR ? TR_ERROR : TR_END;
	count = named_columns_split(table, line, words);
	for (size_t i = 0; i < TR_NAMED_MAX && table->names[i]; i++) {
		if (table->columns[i] >= count)
			return tr_lines_fail(&table->lines, err,
					     "expected more columns after \"%.100s\"",
					     count > 0 ? words[0] : "");
		cells[i] = words[table->columns[i]];
	}
	return TR_OK;
}
