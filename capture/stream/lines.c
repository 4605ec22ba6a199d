// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/recognise.h"

// Peeks at the bytes up to and including a newline, or all there are; *line_bytes excludes the
// newline.
static enum tr_status find_end(struct tr_lines *lines, const uint8_t **data, size_t *line_bytes,
			       bool *newline, struct tr_error *err)
{
	size_t searched = 0;
	size_t got;
	enum tr_status status;

	do {
		const uint8_t *end;

		status = tr_source_peek(lines->source, searched + 1, data, &got, err);
		if (status == TR_ERROR)
			return TR_ERROR;
		end = memchr(*data + searched, '\n', got - searched);
		*newline = end;
		*line_bytes = end ? (size_t)(end - *data) : got;
		searched = got;
	} while (status == TR_OK && !*newline && got <= TR_LINE_MAX);
	return *line_bytes || *newline ? TR_OK : TR_END;
}

// Whether a text may begin with the byte: printable, a blank, or the lead byte of a UTF-8
// character.
static bool is_text(uint8_t byte)
{
	return byte >= 0xc2 || (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\r';
}

// Whether a carriage return stands before something else, as in the texts of old Macs, which have
// no newline.
static bool has_lone_return(const uint8_t *data, size_t line_bytes)
{
	const uint8_t *at = memchr(data, '\r', line_bytes);

	while (at && at < data + line_bytes && *at == '\r')
		at++;
	return at && at < data + line_bytes;
}

enum tr_status tr_lines_next(struct tr_lines *lines, char **line, struct tr_error *err)
{
	char hint[TR_RECOGNISE_HINT_BYTES];
	const uint8_t *data;
	size_t line_bytes;
	size_t mark_bytes; // some programs begin a text in UTF-8 with a byte order mark
	bool newline;
	enum tr_status status = find_end(lines, &data, &line_bytes, &newline, err);

	if (status != TR_OK)
		return status;
	lines->number++;
	if (has_lone_return(data, line_bytes))
		return tr_lines_fail(
			lines, err,
			"lines end in a carriage return alone; tr '\\r' '\\n' <FILE converts them");
	if (line_bytes > TR_LINE_MAX)
		return tr_lines_fail(lines, err, "longer than %u bytes", TR_LINE_MAX);
	if (lines->number == 1 && line_bytes >= 2 &&
	    (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
		return tr_lines_fail(lines, err,
				     "text in UTF-16; iconv -f utf-16 -t utf-8 converts it");
	if (memchr(data, '\0', line_bytes) || (lines->number == 1 && line_bytes && !is_text(*data)))
		return tr_lines_fail(
			lines, err, "not a text%s",
			lines->number == 1 ? tr_recognise_source(lines->source, hint, sizeof(hint))
					   : "");
	if (!lines->line)
		lines->line = malloc(TR_LINE_MAX + 1);
	if (!lines->line)
		return tr_no_memory(err, "%s", tr_source_name(lines->source));
	mark_bytes = lines->number == 1 && line_bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0
			     ? 3
			     : 0;
	line_bytes -= mark_bytes;
	memcpy(lines->line, data + mark_bytes, line_bytes);
	tr_source_skip(lines->source, mark_bytes + line_bytes + newline);
	while (line_bytes && lines->line[line_bytes - 1] == '\r')
		line_bytes--;
	lines->line[line_bytes] = '\0';
	*line = lines->line;
	return TR_OK;
}

enum tr_status tr_lines_fail(const struct tr_lines *lines, struct tr_error *err, const char *format,
			     ...)
{
	struct tr_error what;
	va_list args;

	va_start(args, format);
	(void)vsnprintf(what.text, sizeof(what.text), format, args);
	va_end(args);
	return tr_fail(err, "%s:%" PRIu64 ": %s", tr_source_name(lines->source), lines->number,
		       what.text);
}

void tr_lines_clear(struct tr_lines *lines)
{
	free(lines->line);
	*lines = (struct tr_lines){.source = lines->source};
}
