// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/column_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/column_cell.h"

#define SEPARATORS " \t,;|"
#define DOUBTFUL_ROWS \
	1000u // rows that could all be numbers with decimal commas, before they are refused

// ---- what a cell looks like

static bool column_table_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool column_table_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

// Whether it begins as a number, which a name does not, so that a first line with an unreadable
// value (a decimal comma, a missing value) is an error and not taken for names.
static bool is_value(const char *cell)
{
	if (column_cell_is_missing(cell))
		return true;
	cell += *cell == '+' || *cell == '-';
	cell += *cell == '.' || *cell == ',';
	return column_table_is_digit(*cell);
}

// Whether blanks separate numbers with commas in them: "0,5 1,5".
static bool has_blank_after_comma(const char *line)
{
	for (const char *comma = strchr(line, ','); comma; comma = strchr(comma + 1, ',')) {
		const char *at = comma + 1;

		if (comma == line || !column_table_is_digit(comma[-1]) ||
		    !column_table_is_digit(*at))
			continue;
		while (column_table_is_digit(*at))
			at++;
		if (!column_table_is_blank(*at))
			continue;
		while (column_table_is_blank(*at))
			at++;
		at += *at == '-' || *at == '+';
		if (column_table_is_digit(*at))
			return true;
	}
	return false;
}

// ---- lines

static void column_table_cut_comment(char *line)
{
	bool quoted = false;

	for (char *at = line; *at; at++) {
		quoted ^= *at == '"';
		if (*at == '#' && !quoted && (at == line || column_table_is_blank(at[-1]))) {
			*at = '\0';
			return;
		}
	}
}

// "sep=;", by which spreadsheets tell each other the separator.
static bool take_separator_line(struct column_table *table, const char *line)
{
	const size_t quote = *line == '"';

	if (strncmp(line + quote, "sep=", 4) != 0 || !line[quote + 4] ||
	    line[quote + 5] != (quote ? '"' : '\0') || line[quote + 5 + quote] != '\0')
		return false;
	if (table->form.guessed) {
		table->form.separator = line[quote + 4];
		table->form.guessed = false;
	}
	return true;
}

// Gives the line to the table's taker of remarks, without the quotes and empty cells of a
// spreadsheet. False if it is none.
static bool column_table_take_remark(const struct column_table *table, char *line)
{
	const bool quoted = *line == '"';
	char *text = line + quoted;
	size_t bytes;

	if (*text != '#')
		return false;
	text += text[1] == ' ' ? 2 : 1;
	for (bytes = strlen(text); bytes > 0 && strchr(SEPARATORS, text[bytes - 1]); bytes--)
		;
	text[bytes - (quoted && bytes > 0 && text[bytes - 1] == '"')] = '\0';
	for (char *from = text, *to = text; quoted; from++) { // a quote within is two
		from += from[0] == '"' && from[1] == '"';
		*to++ = *from;
		if (!*from)
			break;
	}
	if (table->remark)
		table->remark(table->context, text);
	return true;
}

// The next line that is neither empty nor a comment.
static enum tr_status column_table_next_line(struct column_table *table, char **line,
					     struct tr_error *err)
{
	enum tr_status status;

	while ((status = tr_lines_next(&table->lines, line, err)) == TR_OK) {
		if (table->ends_comment)
			column_table_cut_comment(*line);
		if (table->printed && column_table_take_remark(table, *line))
			continue;
		if ((*line)[strspn(*line, table->printed ? SEPARATORS : " \t")] == '\0') {
			table->more = table->printed && table->head;
			if (table->more)
				return TR_END;
			continue;
		}
		if (**line == '#')
			continue;
		if (table->end && strncmp(*line, table->end, strlen(table->end)) == 0)
			return TR_END;
		if (table->lines.number > 1 || !take_separator_line(table, *line))
			return TR_OK;
	}
	return status;
}

static enum tr_status column_table_split(const struct column_table *table, char *line, char **cells,
					 size_t *count, struct tr_error *err)
{
	return column_form_split(&table->form, line, cells, COLUMN_CELLS_MAX, count, err);
}

// ---- the first rows

// Whether names are 0, 1, 2, as pandas numbers columns without a name.
static bool are_numbered(char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t number;

		if (num_parse_count(names[i], 0, COLUMN_CELLS_MAX, &number, NULL) != TR_OK ||
		    number != i)
			return false;
	}
	return true;
}

// Whether the cells of the first line are names.
static bool is_head(const struct column_table *table, char *const *cells, size_t count)
{
	const struct column_choice *key = &table->form.columns[0];
	size_t values = 0;

	if (table->printed || table->form.named || count == 0)
		return table->printed || table->form.named;
	for (size_t i = 0; i < count; i++)
		values += is_value(cells[i]);
	if (count > 1 && *cells[0] == '\0' && (values == 1 || are_numbered(cells + 1, count - 1)))
		return true;
	if (key->wanted)
		return key->place < count && !is_value(cells[key->place]);
	return values == 0;
}

// Column of the first name: 1 where the rows begin with names of their own, as R writes them.
static size_t first_named(const struct column_table *table)
{
	return table->name_count + 1 == table->width;
}

static bool has_row_names(const struct column_table *table)
{
	return table->name_count > 0 && table->width > 1 &&
	       (first_named(table) == 1 || *table->names[0] == '\0');
}

enum tr_status column_table_fail_doubtful(const struct column_table *table, struct tr_error *err)
{
	return tr_lines_fail(&table->lines, err,
			     "two whole numbers, or one with a decimal comma: --columns with "
			     "dec=comma reads one, with sep=comma two");
}

static enum tr_status fail_choice(const struct column_table *table, struct tr_error *err)
{
	char list[200] = "", how[80] = "";
	const size_t first = first_named(table);
	size_t used = 0;

	for (size_t i = 0; i < table->name_count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.40s",
					 i == 0 ? " (" : ", ",
					 *table->names[i] ? table->names[i] : "\"\"");
	for (size_t i = 0, bytes = 0;
	     table->form.words[1].word && i < table->choose && bytes < sizeof(how); i++)
		bytes += (size_t)snprintf(how + bytes, sizeof(how) - bytes, "%s%s=%zu",
					  i > 0 ? "," : "", table->form.words[i].word,
					  i + 1 + first);
	if (!*how)
		(void)snprintf(how, sizeof(how), "%zu", table->width);
	return tr_lines_fail(&table->lines, err,
			     "%zu columns%.180s%s: say which, such as --columns %s", table->width,
			     list, *list ? ")" : "", how);
}

// Takes the first columns after the row's own name for the fields, if none was named.
static enum tr_status column_table_choose(struct column_table *table, const char *line,
					  struct tr_error *err)
{
	const size_t first = has_row_names(table) ? 1 : 0;

	for (size_t field = 0; table->form.words[field].word; field++)
		if (table->form.columns[field].wanted)
			table->choose = 0;
	if (table->printed)
		return TR_OK;
	if (table->form.guessed && table->form.separator == ',') {
		if (has_blank_after_comma(line))
			return tr_lines_fail(&table->lines, err,
					     "commas within numbers, or between them: add "
					     "dec=comma or sep=comma to --columns");
		if (column_cell_is_doubtful(line) && table->width == 2) {
			if (table->name_count == 1 || table->choose == 1)
				return column_table_fail_doubtful(table, err);
			table->maybe_decimal_comma = table->choose == 2 && table->name_count == 0;
		}
	}
	if (table->choose == 0)
		return TR_OK;
	if (table->width - first > table->choose)
		return fail_choice(table, err);
	for (size_t field = 0; field < table->choose; field++)
		table->form.columns[field] = (struct column_choice){
			.wanted = first + field < table->width, .place = first + field};
	table->chosen = true;
	return TR_OK;
}

// Writes which columns were taken, unless all were.
static void column_table_note(struct column_table *table)
{
	const struct column_form *form = &table->form;
	const size_t first = first_named(table);
	size_t wanted = 0, used = 0;

	for (size_t field = 0; form->words[field].word; field++)
		wanted += form->columns[field].wanted;
	if (table->printed || table->width < 2 ||
	    (wanted >= table->width && !(table->chosen && table->name_count > 0)))
		return;
	for (size_t field = 0; form->words[field].word && used < sizeof(table->note); field++) {
		const size_t place = form->columns[field].place;

		if (!form->columns[field].wanted)
			continue;
		used += (size_t)snprintf(table->note + used, sizeof(table->note) - used,
					 "%s%s is column %zu", used ? ", " : "",
					 form->words[field].word, place + 1);
		if (place >= first && place - first < table->name_count &&
		    used < sizeof(table->note))
			used += (size_t)snprintf(table->note + used, sizeof(table->note) - used,
						 " \"%.40s\"", table->names[place - first]);
	}
	if (used < sizeof(table->note))
		(void)snprintf(table->note + used, sizeof(table->note) - used, ", of %zu",
			       table->width);
}

// Finds the separator of the line of names and the line after it. A printed table without a
// separator in its names has one column.
static void separate(struct column_table *table, const char *head, const char *line)
{
	column_form_separate(&table->form, head, table->printed ? head : line);
	if (table->printed && table->form.guessed && table->form.separator == COLUMN_BLANKS &&
	    !strpbrk(head, " \t"))
		table->form.separator = '\t';
}

// Copies the line of names, and splits it as the line after it.
static enum tr_status column_table_take_names(struct column_table *table, const char *line,
					      struct tr_error *err)
{
	struct tr_error why;

	separate(table, table->head, line);
	if (column_table_split(table, table->head, table->names, &table->name_count, &why) != TR_OK)
		return tr_fail(err, "%s:%" PRIu64 ": %s", tr_source_name(table->lines.source),
			       table->lines.number - 1, why.text);
	return TR_OK;
}

// line: of the first row. Rows of a printed table have names of their own only in quotes, as R
// writes them: others are ragged.
static enum tr_status column_table_check_names(struct column_table *table, const char *line,
					       struct tr_error *err)
{
	const bool may_name_rows = !table->printed || line[strspn(line, " \t")] == '"';
	struct tr_error why;

	if (table->name_count == 0)
		return TR_OK;
	if (!table->uneven && table->width > 0 && table->name_count != table->width &&
	    !(may_name_rows && table->name_count + 1 == table->width))
		return tr_lines_fail(&table->lines, err,
				     "%zu column%s, but the first line names %zu", table->width,
				     table->width == 1 ? "" : "s", table->name_count);
	if (column_form_head(&table->form, table->names, table->name_count, first_named(table),
			     &why) != TR_OK)
		return tr_fail(err, "%s:%" PRIu64 ": %s", tr_source_name(table->lines.source),
			       table->lines.number - (table->width > 0), why.text);
	return TR_OK;
}

// The first row from its line, after the names if there are any.
static enum tr_status column_table_take_first(struct column_table *table, char *line,
					      struct tr_error *err)
{
	struct tr_error why;
	char *copy = strdup(line);
	enum tr_status status = TR_OK;

	if (!copy)
		return tr_no_memory(err, "a line");
	if (column_table_split(table, line, table->cells, &table->count, &why) != TR_OK)
		status = tr_lines_fail(&table->lines, err, "%s", why.text);
	table->width = table->count;
	if (status == TR_OK)
		status = column_table_check_names(table, copy, err);
	if (status == TR_OK)
		status = column_table_choose(table, copy, err);
	free(copy);
	if (status == TR_OK)
		column_table_note(table);
	return status;
}

// Reads the line of names, if there is one, and the first row. TR_END: there is no row.
static enum tr_status column_table_begin(struct column_table *table, struct tr_error *err)
{
	struct tr_error why;
	char *line;
	enum tr_status status = column_table_next_line(table, &line, err);
	char *copy;

	table->begun = true;
	if (status != TR_OK)
		return status;
	table->head = strdup(line);
	copy = strdup(line);
	if (!table->head || !copy) {
		free(copy);
		return tr_no_memory(err, "a line");
	}
	separate(table, copy, copy);
	status = column_table_split(table, copy, table->cells, &table->count, &why);
	if (status != TR_OK)
		status = tr_lines_fail(&table->lines, err, "%s", why.text);
	else if (!is_head(table, table->cells, table->count))
		status = column_table_take_first(table, line, err);
	else if ((status = column_table_next_line(table, &line, err)) != TR_ERROR) {
		const bool any = status == TR_OK;

		status = column_table_take_names(table, any ? line : table->head, err);
		if (status == TR_OK)
			status = any ? column_table_take_first(table, line, err)
				     : column_table_check_names(table, "", err);
		if (status == TR_OK && !any)
			status = TR_END;
	}
	free(copy);
	return status;
}

// ---- rows

static enum tr_status check_width(const struct column_table *table, struct tr_error *err)
{
	if (table->uneven || table->count == table->width)
		return TR_OK;
	return tr_lines_fail(&table->lines, err, "%zu column%s, but the rows before have %zu",
			     table->count, table->count == 1 ? "" : "s", table->width);
}

enum tr_status column_table_next(struct column_table *table, struct tr_error *err)
{
	struct tr_error why;
	enum tr_status status;
	char *line;

	if (!table->begun) {
		status = column_table_begin(table, err);
		table->rows += status == TR_OK;
		return status;
	}
	status = column_table_next_line(table, &line, err);
	if (status == TR_ERROR)
		return status;
	table->maybe_decimal_comma &= status == TR_END || column_cell_is_doubtful(line);
	if (table->maybe_decimal_comma && (status == TR_END || table->rows >= DOUBTFUL_ROWS))
		return column_table_fail_doubtful(table, err);
	if (status == TR_END)
		return status;
	if (column_table_split(table, line, table->cells, &table->count, &why) != TR_OK)
		return tr_lines_fail(&table->lines, err, "%s", why.text);
	table->rows++;
	return check_width(table, err);
}

enum tr_status column_table_cell(const struct column_table *table, size_t field, const char **cell,
				 struct tr_error *err)
{
	const struct column_choice *column = &table->form.columns[field];

	*cell = NULL;
	if (!column->wanted)
		return TR_OK;
	if (column->place >= table->count)
		return tr_fail(err, "no column %zu, the %s: the line has %zu", column->place + 1,
			       table->form.words[field].word, table->count);
	*cell = table->cells[column->place];
	return TR_OK;
}

size_t column_table_find(const struct column_table *table, const char *name, size_t name_bytes)
{
	for (size_t i = 0; i < table->name_count; i++)
		if (strlen(table->names[i]) == name_bytes &&
		    memcmp(table->names[i], name, name_bytes) == 0)
			return first_named(table) + i;
	return SIZE_MAX;
}

void column_table_again(struct column_table *table)
{
	free(table->head);
	table->head = NULL;
	table->begun = table->more = false;
	table->name_count = table->width = table->count = 0;
	table->rows = 0;
}

void column_table_clear(struct column_table *table)
{
	tr_lines_clear(&table->lines);
	free(table->head);
	*table = (struct column_table){.begun = true};
}
