// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/columns_form.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define DESCRIPTION_BYTES 1024u

static const struct separator {
	const char *word;
	char separator;
} separators[] = {{"tab", '\t'},
		  {"semicolon", ';'},
		  {"comma", ','},
		  {"bar", '|'},
		  {"blanks", COLUMN_BLANKS}};

#define SEPARATORS (sizeof(separators) / sizeof(*separators))

static enum tr_status take_separator(struct column_form *form, const char *word,
				     struct tr_error *err)
{
	for (size_t i = 0; i < SEPARATORS; i++)
		if (strcmp(separators[i].word, word) == 0) {
			form->separator = separators[i].separator;
			return TR_OK;
		}
	return tr_fail(err, "sep=%.40s: expected tab, semicolon, comma, bar or blanks", word);
}

static enum tr_status take_decimal(struct column_form *form, const char *word, struct tr_error *err)
{
	form->decimal_comma = strcmp(word, "comma") == 0;
	form->decimal_given = true;
	if (form->decimal_comma || strcmp(word, "point") == 0)
		return TR_OK;
	return tr_fail(err, "dec=%.40s: expected comma or point", word);
}

const struct opt_choice column_form_settings[] = {
	{"sep=", 0, "sep=tab, comma, semicolon or another: what is between the cells"},
	{"dec=", 0, "dec=comma: the decimal sign of numbers"},
	{NULL, 0},
};

// Cuts ":UNIT" off the item of the time.
static enum tr_status take_unit(struct column_form *form, char *item, struct tr_error *err)
{
	static const struct {
		const char *word;
		struct num_ratio s;
	} units[] = {
		{"s", {1, 1}}, {"ms", {1, 1000}}, {"us", {1, 1000000}}, {"ns", {1, 1000000000}}};
	char *colon = strrchr(item, ':');

	if (!colon)
		return TR_OK;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(units[i].word, colon + 1) == 0) {
			form->unit_s = units[i].s;
			*colon = '\0';
			return TR_OK;
		}
	return tr_fail(err, "%.100s: expected the unit s, ms, us or ns after the colon", item);
}

static enum tr_status take_column(struct column_choice *column, const char *text, size_t place,
				  struct tr_error *err)
{
	uint64_t number;

	column->wanted = true;
	column->place = place;
	if (!text)
		return TR_OK;
	if (num_parse_count(text, 1, 1024, &number, NULL) == TR_OK) {
		column->place = (size_t)number - 1;
		return TR_OK;
	}
	if (*text == '\0' || strlen(text) >= sizeof(column->name))
		return tr_fail(
			err,
			"'%.40s': expected the number (from 1 to 1024) or the name of a column",
			text);
	memcpy(column->name, text, strlen(text) + 1);
	return TR_OK;
}

static enum tr_status unknown_field(const struct column_form *form, const char *item,
				    struct tr_error *err)
{
	char list[128] = "";
	size_t length = 0;

	for (size_t i = 0; form->words[i].word && length < sizeof(list); i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s, ",
					   form->words[i].word);
	return tr_fail(err, "'%.40s' is not one of %ssep=..., dec=comma and - for a column to skip",
		       item, list);
}

static bool is_setting(const char *item)
{
	return strncmp(item, "sep=", 4) == 0 || strncmp(item, "dec=", 4) == 0;
}

static enum tr_status columns_form_take_item(struct column_form *form, char *item, size_t place,
					     struct tr_error *err)
{
	char *column = strchr(item, '=');
	size_t field = 0;

	if (strcmp(item, "-") == 0)
		return TR_OK;
	if (is_setting(item))
		return *item == 's' ? take_separator(form, item + 4, err)
				    : take_decimal(form, item + 4, err);
	if (strncmp(item, "time", 4) == 0 && take_unit(form, item, err) != TR_OK)
		return TR_ERROR;
	if (column)
		*column++ = '\0';
	while (form->words[field].word && strcmp(form->words[field].word, item) != 0)
		field++;
	if (form->words[0].word && !form->words[field].word && !form->words[1].word &&
	    !column) { // of a form of one field the column alone is enough
		field = 0;
		column = item;
	}
	if (!form->words[field].word)
		return unknown_field(form, item, err);
	if (form->columns[field].wanted)
		return tr_fail(err, "%s twice", item);
	if (take_column(&form->columns[field], column, place, err) != TR_OK)
		return TR_ERROR;
	form->named |= form->columns[field].name[0] != '\0';
	return TR_OK;
}

enum tr_status column_form_parse(struct column_form *form, const struct opt_choice *words,
				 const char *description, struct tr_error *err)
{
	char text[DESCRIPTION_BYTES], *rest = text, *item;
	size_t place = 0;

	*form = (struct column_form){.words = words, .unit_s = {1, 1}, .separator = COLUMN_ANY};
	if (strlen(description) >= sizeof(text))
		return tr_fail(err, "the description has more than %u bytes",
			       DESCRIPTION_BYTES - 1);
	memcpy(text, description, strlen(description) + 1);
	while ((item = strsep(&rest, ",")) != NULL) {
		const bool is_place = !is_setting(item);

		if (columns_form_take_item(form, item, place, err) != TR_OK)
			return TR_ERROR;
		place += is_place;
	}
	if (form->decimal_comma && form->separator == ',')
		return tr_fail(err, "sep=comma and dec=comma exclude each other");
	form->guessed = form->separator == COLUMN_ANY;
	return TR_OK;
}

// Whether the character stands outside quotes.
static bool holds(const char *line, char wanted)
{
	bool quoted = false;

	for (; *line; line++) {
		quoted ^= *line == '"';
		if (!quoted && *line == wanted)
			return true;
	}
	return false;
}

void column_form_separate(struct column_form *form, const char *head, const char *line)
{
	if (!form->guessed)
		return;
	form->separator = COLUMN_BLANKS;
	for (unsigned both = 2; both-- > 0 && form->separator == COLUMN_BLANKS;)
		for (size_t i = 0; i < SEPARATORS && form->separator == COLUMN_BLANKS; i++) {
			const char separator = separators[i].separator;

			if (holds(line, separator) && (!both || holds(head, separator)) &&
			    !(separator == ',' && form->decimal_comma))
				form->separator = separator;
		}
}

static bool columns_form_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

// Removes the quotes of the cell at text, in place; *end is where it ends. NULL if it does not end.
static char *unquote(char *text, char **end)
{
	char *to = text, *from = text + 1;

	for (; *from && (*from != '"' || from[1] == '"'); from++) {
		from += *from == '"';
		*to++ = *from;
	}
	if (*from != '"')
		return NULL;
	*to = '\0';
	*end = from + 1;
	return text;
}

static void cut_blanks(char *cell)
{
	size_t length = strlen(cell);

	while (length > 0 && columns_form_is_blank(cell[length - 1]))
		cell[--length] = '\0';
}

// The end of the quoted cell at *cell, without quotes and blanks after them; NULL if malformed.
static char *quoted_end(char **cell, char separator, struct tr_error *err)
{
	char *end;

	*cell = unquote(*cell, &end);
	if (!*cell) {
		(void)tr_fail(err, "unterminated quote");
		return NULL;
	}
	while (separator != COLUMN_BLANKS && columns_form_is_blank(*end) && *end != separator)
		end++;
	if (*end == '\0' || *end == separator ||
	    (separator == COLUMN_BLANKS && columns_form_is_blank(*end)))
		return end;
	(void)tr_fail(err, "text after a closing quote");
	return NULL;
}

// The cell at *at, which moves past its separator, or to NULL after the last. NULL if malformed.
static char *next_cell(char separator, char **at, struct tr_error *err)
{
	char *cell = *at, *end;
	bool quoted, last;

	while (columns_form_is_blank(*cell) && *cell != separator)
		cell++;
	quoted = *cell == '"';
	if (quoted)
		end = quoted_end(&cell, separator, err);
	else
		for (end = cell; *end && *end != separator &&
				 !(separator == COLUMN_BLANKS && columns_form_is_blank(*end));
		     end++)
			;
	if (!end)
		return NULL;
	last = *end == '\0';
	*end = '\0';
	if (!quoted)
		cut_blanks(cell);
	*at = last ? NULL : end + 1;
	return cell;
}

enum tr_status column_form_split(const struct column_form *form, char *line, char **cells,
				 size_t max, size_t *count, struct tr_error *err)
{
	const bool blanks = form->separator == COLUMN_BLANKS;

	for (*count = 0; line && *count < max; ++*count) {
		while (blanks && columns_form_is_blank(*line))
			line++;
		if (blanks && !*line)
			return TR_OK;
		cells[*count] = next_cell(form->separator, &line, err);
		if (!cells[*count])
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status column_form_head(struct column_form *form, char *const *names, size_t count,
				size_t first, struct tr_error *err)
{
	for (size_t field = 0; form->words[field].word; field++) {
		struct column_choice *column = &form->columns[field];
		size_t found = 0;

		for (size_t i = 0; i < count && column->name[0]; i++)
			if (strcasecmp(names[i], column->name) == 0) {
				column->place = first + i;
				found++;
			}
		if (column->name[0] && found != 1)
			return tr_fail(err, "the first line has %s column \"%s\" for %s",
				       found == 0 ? "no" : "more than one", column->name,
				       form->words[field].word);
	}
	return TR_OK;
}
