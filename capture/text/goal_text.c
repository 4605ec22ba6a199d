// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/goal_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#define CHUNK 65536u

void goal_text_start(struct goal_text *text, struct tr_source *source, struct tr_error *err)
{
	*text = (struct goal_text){.source = source, .err = err, .line = 1};
}

bool goal_text_wrong(struct goal_text *text, const char *format, ...)
{
	char what[400];
	va_list args;

	if (text->failed)
		return false;
	text->failed = true;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	tr_fail(text->err, "%s:%llu: %s", tr_source_name(text->source), text->line, what);
	return false;
}

bool goal_text_expected(struct goal_text *text, const char *what)
{
	if (text->token == GOAL_END)
		return goal_text_wrong(text, "expected %s, found the end of the text", what);
	if (text->token == GOAL_LINE)
		return goal_text_wrong(text, "expected %s, found the end of the line", what);
	return goal_text_wrong(text, "expected %s, found \"%s\"%s", what, text->word,
			       text->word_bytes > GOAL_LABEL_MAX ? "..." : "");
}

bool goal_text_is(const struct goal_text *text, const char *word)
{
	return (text->token == GOAL_WORD || text->token == GOAL_SIGN) && text->word[0] == word[0] &&
	       strcmp(text->word, word) == 0;
}

// The next byte, not taken; -1 at the end.
static int goal_text_look(struct goal_text *text)
{
	enum tr_status status;

	if (text->at < text->bytes)
		return text->data[text->at];
	if (text->failed)
		return -1;
	tr_source_skip(text->source, text->bytes);
	text->at = 0;
	text->bytes = 0;
	status = tr_source_peek(text->source, 1, &text->data, &text->bytes, text->err);
	if (status == TR_ERROR)
		text->failed = true;
	if (status != TR_OK) {
		text->bytes = 0;
		return -1;
	}
	if (text->bytes > CHUNK)
		text->bytes = CHUNK;
	return text->data[0];
}

static int goal_text_take(struct goal_text *text)
{
	int c = goal_text_look(text);

	if (c >= 0)
		text->at++;
	return c;
}

static void add_many(struct goal_text *text, const uint8_t *from, size_t bytes)
{
	size_t room = text->word_bytes < GOAL_LABEL_MAX ? GOAL_LABEL_MAX - text->word_bytes : 0;

	if (room > bytes)
		room = bytes;
	if (room > 0) {
		memcpy(text->word + text->word_bytes, from, room);
		text->word[text->word_bytes + room] = '\0';
	}
	text->word_bytes += bytes;
}

static void goal_text_add(struct goal_text *text, int c)
{
	const uint8_t byte = (uint8_t)c;

	add_many(text, &byte, 1);
}

static bool goal_text_is_word(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

static void goal_text_read_word(struct goal_text *text)
{
	text->token = GOAL_WORD;
	while (goal_text_look(text) >= 0 && goal_text_is_word(text->data[text->at])) {
		size_t from = text->at;

		while (text->at < text->bytes && goal_text_is_word(text->data[text->at]))
			text->at++;
		add_many(text, text->data + from, text->at - from);
	}
}

static void add_digit(struct goal_text *text, unsigned digit)
{
	if (__builtin_mul_overflow(text->number, 10u, &text->number) ||
	    __builtin_add_overflow(text->number, digit, &text->number))
		text->number = ULLONG_MAX;
}

static void goal_text_read_number(struct goal_text *text)
{
	text->token = GOAL_NUMBER;
	text->number = 0;
	while (goal_text_look(text) >= 0 && isdigit(text->data[text->at])) {
		size_t from = text->at;

		while (text->at < text->bytes && isdigit(text->data[text->at]))
			add_digit(text, text->data[text->at++] - '0');
		add_many(text, text->data + from, text->at - from);
	}
}

static void read_minus(struct goal_text *text)
{
	goal_text_add(text, goal_text_take(text));
	goal_text_read_number(text);
	text->token = strcmp(text->word, "-1") == 0 ? GOAL_MINUS_ONE : GOAL_BAD;
}

static void pass_comment_line(struct goal_text *text)
{
	while (goal_text_look(text) >= 0 && goal_text_look(text) != '\n')
		goal_text_take(text);
}

// After "/*". The comment counts as a blank, even over several lines.
static void pass_comment(struct goal_text *text)
{
	int before = 0;

	for (int c = goal_text_take(text); c >= 0; c = goal_text_take(text)) {
		if (c == '/' && before == '*')
			return;
		if (c == '\n')
			text->line++;
		before = c;
	}
	goal_text_wrong(text, "a comment is not closed");
}

// At a slash; false if it does not start a comment.
static bool pass_slash(struct goal_text *text)
{
	goal_text_add(text, goal_text_take(text));
	if (goal_text_look(text) == '/') {
		pass_comment_line(text);
	} else if (goal_text_look(text) == '*') {
		goal_text_take(text);
		pass_comment(text);
	} else {
		return false;
	}
	text->word_bytes = 0;
	text->word[0] = '\0';
	return true;
}

static void goal_text_read_sign(struct goal_text *text, int c)
{
	goal_text_add(text, goal_text_take(text));
	text->token = c == ':' || c == '{' || c == '}' ? GOAL_SIGN : GOAL_BAD;
	if (c < ' ' || c > '~')
		snprintf(text->word, sizeof(text->word), "\\x%02x", (unsigned)c);
}

void goal_text_next(struct goal_text *text)
{
	int c;

	text->word_bytes = 0;
	text->word[0] = '\0';
	text->token = GOAL_BAD;
	text->line += text->line_ended;
	text->line_ended = false;
	for (c = goal_text_look(text); c == ' ' || c == '\t' || c == '\r' || c == '/';
	     c = goal_text_look(text)) {
		if (c != '/')
			goal_text_take(text);
		else if (!pass_slash(text))
			return;
	}
	if (c < 0) {
		text->token = text->failed ? GOAL_BAD : GOAL_END;
	} else if (c == '\n') {
		goal_text_take(text);
		text->token = GOAL_LINE;
		text->line_ended = true;
	} else if (goal_text_is_word(c) && c != '_' && !isdigit(c)) {
		goal_text_read_word(text);
	} else if (isdigit(c)) {
		goal_text_read_number(text);
	} else if (c == '-') {
		read_minus(text);
	} else {
		goal_text_read_sign(text, c);
	}
}
