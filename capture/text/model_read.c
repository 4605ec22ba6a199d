// SPDX-License-Identifier: GPL-3.0-or-later
// The strict reader of the model text.
#include <stdlib.h>
#include <string.h>

#include "text/model.h"

struct model_read_parse {
	struct model *model;
	unsigned line; // 1 is the first
	struct tr_error *err;
};

static enum tr_status fail_here(const struct model_read_parse *p, const char *what)
{
	return tr_fail(p->err, "%s:%u: %s", model_name(p->model), p->line, what);
}

static bool model_read_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

// Removes blanks at both ends and reduces inner ones to single blanks, in place.
static char *tidy(char *text)
{
	char *to = text;
	bool gap = false;

	for (const char *from = text; *from; from++) {
		if (model_read_is_blank(*from)) {
			gap = to != text;
			continue;
		}
		if (gap)
			*to++ = ' ';
		gap = false;
		*to++ = *from;
	}
	*to = '\0';
	return text;
}

// Cuts the comment off the line; NULL if there is none.
static char *model_read_cut_comment(char *line)
{
	char *mark = strchr(line, '#');

	if (!mark)
		return NULL;
	*mark++ = '\0';
	if (*mark == ' ')
		mark++;
	for (size_t n = strlen(mark); n > 0 && model_read_is_blank(mark[n - 1]); n--)
		mark[n - 1] = '\0';
	return mark;
}

static enum tr_status parse_section(struct model_read_parse *p, char *text, const char *comment)
{
	size_t bytes = strlen(text);

	if (bytes < 3 || text[bytes - 1] != ']')
		return fail_here(p, "a section is \"[words]\"");
	text[bytes - 1] = '\0';
	const char *name = tidy(text + 1);

	for (const char *c = name; *c; c++)
		if (!is_key_char(*c) && *c != ' ')
			return fail_here(p,
					 "a section name consists of a-z, 0-9, \"-\" and blanks");
	if (!*name)
		return fail_here(p, "a section's name is missing");
	if (p->model->sections == MODEL_SECTIONS_MAX)
		return tr_fail(p->err, "%s:%u: more than %u sections", model_name(p->model),
			       p->line, MODEL_SECTIONS_MAX);
	if (model_find_section(p->model, name))
		return tr_fail(p->err, "%s:%u: section [%s] is given twice", model_name(p->model),
			       p->line, name);
	model_section(p->model, name, comment);
	return TR_OK;
}

static enum tr_status parse_key(struct model_read_parse *p, char *text, const char *comment)
{
	size_t bytes = 0;

	while (is_key_char(text[bytes]))
		bytes++;
	if (bytes == 0 || (text[bytes] && text[bytes] != ' '))
		return fail_here(p, "expected a key of a-z, 0-9 and \"-\", then its value");
	if (!text[bytes])
		return tr_fail(p->err, "%s:%u: key %s has no value", model_name(p->model), p->line,
			       text);
	text[bytes] = '\0';
	model_key(p->model, text, text + bytes + 1, comment);
	return TR_OK;
}

static enum tr_status parse_entry(struct model_read_parse *p, char *line)
{
	size_t before = p->model->count;
	char *comment = model_read_cut_comment(line);
	char *text = tidy(line);
	enum tr_status status = TR_OK;

	if (*text == '[')
		status = parse_section(p, text, comment);
	else if (*text)
		status = parse_key(p, text, comment);
	else if (comment)
		model_comment(p->model, "%s", comment);
	else
		model_blank(p->model);
	if (status == TR_OK && p->model->failed)
		return model_no_memory(p->model, p->err);
	if (status != TR_OK)
		return status;
	p->model->entries[before].line = p->line;
	return TR_OK;
}

static enum tr_status model_read_parse_line(struct model_read_parse *p, const char *text,
					    size_t bytes)
{
	char line[MODEL_LINE_MAX + 1];

	if (bytes > MODEL_LINE_MAX)
		return fail_here(p, "the line is longer than 1023 bytes");
	for (size_t i = 0; i < bytes; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\t')
			return fail_here(p, "a control character (a line ends with one newline)");
	memcpy(line, text, bytes);
	line[bytes] = '\0';
	if (p->line > 1)
		return parse_entry(p, line);
	if (strncmp(line, MODEL_FIRST_LINE, sizeof(MODEL_FIRST_LINE) - 2) == 0 &&
	    strcmp(line, MODEL_FIRST_LINE) != 0)
		return tr_fail(p->err, "%s:%u: expected version 1, found \"%.40s\"",
			       model_name(p->model), p->line, line);
	if (strcmp(line, MODEL_FIRST_LINE) != 0)
		return fail_here(p, "not a model: the first line must be \"" MODEL_FIRST_LINE "\"");
	return TR_OK;
}

static enum tr_status model_read_parse_text(struct model_read_parse *p, const char *text,
					    size_t bytes)
{
	if (bytes == 0)
		return tr_fail(p->err, "%s: empty, not a model", model_name(p->model));
	for (size_t at = 0; at < bytes; p->line++) {
		const char *end = memchr(text + at, '\n', bytes - at);
		size_t length = end ? (size_t)(end - text) - at : bytes - at;
		enum tr_status status = model_read_parse_line(p, text + at, length);

		if (status != TR_OK)
			return status;
		if (!end)
			return fail_here(p, "the text is truncated: the last line has no newline");
		at += length + 1;
	}
	return TR_OK;
}

enum tr_status model_read(struct model *out, struct tr_source *source, struct tr_error *err)
{
	struct model_read_parse p = {out, 1, err};
	const uint8_t *data = NULL;
	size_t bytes = 0;

	*out = (struct model){.name = strdup(tr_source_name(source))};
	enum tr_status status = tr_source_peek(source, MODEL_TEXT_MAX + 1, &data, &bytes, err);

	if (status == TR_OK)
		status = tr_fail(err, "%s: longer than %zu bytes, not a model", model_name(out),
				 MODEL_TEXT_MAX);
	else if (status == TR_END)
		status = model_read_parse_text(&p, (const char *)data, bytes);
	if (status != TR_OK) {
		model_clear(out);
		return status;
	}
	tr_source_skip(source, bytes);
	return status;
}
