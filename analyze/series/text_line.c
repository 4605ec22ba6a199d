// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/text_line.h"

#include <stdlib.h>
#include <string.h>

#include "trace/recognise.h"

static const char separators[] = " \t\r,";

char *text_line_word(char **rest)
{
	return strtok_r(*rest, separators, rest);
}

// Copies the next line into line[TEXT_LINE_BYTES]. TR_END after the last.
static enum tr_status next(struct tr_source *source, char *line, struct tr_error *err)
{
	const uint8_t *data, *end = NULL;
	enum tr_status status = TR_OK;
	size_t got = 0, want = 1;

	for (; status == TR_OK && !end && want <= TEXT_LINE_BYTES; want = got + 1) {
		status = tr_source_peek(source, want, &data, &got, err);
		if (status == TR_ERROR)
			return TR_ERROR;
		end = memchr(data, '\n', got);
	}
	if (!end && got == 0)
		return TR_END;
	got = end ? (size_t)(end - data) : got;
	if (got > TEXT_LINE_BYTES - 1)
		return tr_fail(err, "longer than %d bytes: no text of numbers", TEXT_LINE_BYTES - 1);
	if (memchr(data, '\0', got))
		return tr_fail(err, "a zero byte: no text of numbers");
	memcpy(line, data, got);
	line[got] = '\0';
	line[strcspn(line, "#")] = '\0';
	tr_source_skip(source, got + (end ? 1 : 0));
	return TR_OK;
}

enum tr_status text_line_each(struct tr_source *source, text_line_sink *take, void *context, struct tr_error *err)
{
	char *line = malloc(TEXT_LINE_BYTES);
	enum tr_status status = TR_OK;
	char hint[TR_RECOGNISE_HINT_BYTES];
	unsigned long long number = 0;
	struct tr_error why;

	if (!line)
		return tr_no_memory(err, "a line");
	if (*tr_recognise_source(source, hint, sizeof(hint))) {
		free(line);
		return tr_fail(err, "not a text of numbers%s", hint);
	}
	while (status == TR_OK) {
		number++;
		status = next(source, line, &why);
		if (status == TR_OK)
			status = take(context, line, &why);
	}
	free(line);
	return status == TR_END ? TR_OK : tr_fail(err, "line %llu: %.480s", number, why.text);
}
