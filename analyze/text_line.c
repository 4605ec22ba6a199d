// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_line.h"

#include <string.h>

static const char separators[] = " \t\r,";

char *text_line_word(char **rest)
{
	return strtok_r(*rest, separators, rest);
}

enum tr_status text_line_next(struct tr_source *source, char *line, uint64_t number,
			      struct tr_error *err)
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
	if ((end ? (size_t)(end - data) : got) > TEXT_LINE_BYTES - 1)
		return tr_fail(err, "line %llu is longer than %d bytes: no text of numbers",
			       (unsigned long long)number, TEXT_LINE_BYTES - 1);
	got = end ? (size_t)(end - data) : got;
	if (memchr(data, '\0', got))
		return tr_fail(err, "line %llu has a zero byte: no text of numbers",
			       (unsigned long long)number);
	memcpy(line, data, got);
	line[got] = '\0';
	line[strcspn(line, "#")] = '\0';
	tr_source_skip(source, got + (end ? 1 : 0));
	return TR_OK;
}
