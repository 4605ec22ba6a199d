// SPDX-License-Identifier: GPL-3.0-or-later
#include "processes/proc_code.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "value/num.h"

#define NUMBER_MAX 40u // characters

void proc_words_start(struct proc_words *words, struct tr_source *source, struct tr_error *err)
{
	*words = (struct proc_words){.lines.source = source, .err = err, .token = PROC_LINE};
}

bool proc_words_wrong(struct proc_words *words, const char *format, ...)
{
	char text[sizeof(words->err->text)];
	va_list list;

	words->token = PROC_BAD;
	if (words->failed)
		return false;
	words->failed = true;
	va_start(list, format);
	(void)vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	tr_lines_fail(&words->lines, words->err, "%s", text);
	return false;
}

bool proc_words_expected(struct proc_words *words, const char *what)
{
	if (words->token == PROC_LINE)
		return proc_words_wrong(words, "expected %s, found the end of the line", what);
	if (words->token == PROC_END_OF_TEXT)
		return proc_words_wrong(words, "expected %s, found the end of the text", what);
	return proc_words_wrong(words, "expected %s, found \"%s\"", what, words->word);
}

// Only these are letters and digits, whatever the locale.
static bool proc_words_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void read_name(struct proc_words *words)
{
	size_t length = 0;

	while (is_letter(words->at[length]) || proc_words_is_digit(words->at[length]))
		length++;
	if (length > PROC_NAME_MAX) {
		proc_words_wrong(words, "a name of more than %u characters", PROC_NAME_MAX);
		return;
	}
	memcpy(words->word, words->at, length);
	words->word[length] = '\0';
	words->at += length;
	words->token = PROC_NAME;
}

static size_t number_length(const char *text)
{
	size_t length = 0;

	while (proc_words_is_digit(text[length]) || text[length] == '.')
		length++;
	if (text[length] != 'e' && text[length] != 'E')
		return length;
	length++;
	if (text[length] == '-' || text[length] == '+')
		length++;
	while (proc_words_is_digit(text[length]))
		length++;
	return length;
}

static void proc_words_read_number(struct proc_words *words)
{
	const size_t length = number_length(words->at);
	char text[NUMBER_MAX + 1];
	struct tr_error why;

	if (length > NUMBER_MAX) {
		proc_words_wrong(words, "a number of more than %u characters", NUMBER_MAX);
		return;
	}
	memcpy(text, words->at, length);
	text[length] = '\0';
	if (num_parse_real(text, &words->number, &why) != TR_OK) {
		proc_words_wrong(words, "%s", why.text);
		return;
	}
	(void)snprintf(words->word, sizeof(words->word), "%.*s", (int)PROC_NAME_MAX, text);
	words->at += length;
	words->token = PROC_NUMBER;
}

static void proc_words_read_sign(struct proc_words *words)
{
	static const char *const signs[] = {"==", "!=", "<=", ">=", "+", "-", "*", "/", "%",
					    "(",  ")",	"[",  "]",  ",", "=", "<", ">"};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		const size_t length = strlen(signs[i]);

		if (strncmp(words->at, signs[i], length) != 0)
			continue;
		memcpy(words->word, signs[i], length + 1);
		words->at += length;
		words->token = PROC_SIGN;
		return;
	}
	if (*words->at >= ' ' && *words->at <= '~')
		proc_words_wrong(words, "unexpected \"%c\"", *words->at);
	else
		proc_words_wrong(words, "unexpected character 0x%02x", (unsigned char)*words->at);
}

static void proc_words_skip_blanks(struct proc_words *words)
{
	words->at += strspn(words->at, " \t");
}

// Moves to the next line that is not empty; false at the end of the text or a failure.
static bool proc_words_next_line(struct proc_words *words)
{
	while (!words->at) {
		char *line;
		struct tr_error why;

		switch (tr_lines_next(&words->lines, &line, &why)) {
		case TR_OK: break;
		case TR_END: words->token = PROC_END_OF_TEXT; return false;
		case TR_ERROR:
			words->token = PROC_BAD;
			if (!words->failed)
				*words->err = why;
			words->failed = true;
			return false;
		}
		words->at = line;
		proc_words_skip_blanks(words);
		if (*words->at == '\0' || *words->at == '#')
			words->at = NULL;
	}
	return true;
}

void proc_words_next(struct proc_words *words)
{
	if (words->failed || !proc_words_next_line(words))
		return;
	proc_words_skip_blanks(words);
	if (*words->at == '\0' || *words->at == '#') {
		words->at = NULL;
		words->token = PROC_LINE;
	} else if (is_letter(*words->at)) {
		read_name(words);
	} else if (proc_words_is_digit(*words->at) ||
		   (*words->at == '.' && proc_words_is_digit(words->at[1]))) {
		proc_words_read_number(words);
	} else {
		proc_words_read_sign(words);
	}
}

bool proc_words_is(const struct proc_words *words, const char *word)
{
	return (words->token == PROC_NAME || words->token == PROC_SIGN) &&
	       strcmp(words->word, word) == 0;
}

bool proc_words_take(struct proc_words *words, const char *word)
{
	if (!proc_words_is(words, word))
		return false;
	proc_words_next(words);
	return true;
}

const char *proc_words_rest(struct proc_words *words)
{
	static const char nothing[] = "";
	const char *text;
	char *end;

	if (!words->at)
		return nothing;
	proc_words_skip_blanks(words);
	text = words->at;
	end = words->lines.line + (text - words->lines.line);
	end += strcspn(end, "#");
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	words->at = NULL;
	words->token = PROC_LINE;
	return text;
}
