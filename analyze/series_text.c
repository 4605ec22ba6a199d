// SPDX-License-Identifier: GPL-3.0-or-later
// A series from a column of text.
#include <stdlib.h>
#include <string.h>

#include "series_input.h"

#define LINE_MAX_BYTES 65536

static const char separators[] = " \t\r,";

// The word of a column; NULL where the line is empty, "" where it has too few words.
static char *word_of(char *line, uint64_t column)
{
	char *rest, *word;

	line[strcspn(line, "#")] = '\0';
	word = strtok_r(line, separators, &rest);
	if (!word)
		return NULL;
	while (word && --column > 0)
		word = strtok_r(NULL, separators, &rest);
	return word ? word : line + strlen(line);
}

static enum tr_status add_line(struct series *series, char *line, uint64_t number,
			       const struct series_settings *settings, struct tr_error *err)
{
	const char *word = word_of(line, settings->column);
	struct tr_error why;
	double value;

	if (!word)
		return TR_OK;
	if (!*word)
		return tr_fail(err, "line %llu has no column %llu", (unsigned long long)number,
			       (unsigned long long)settings->column);
	if (num_parse_real(word, &value, &why) != TR_OK)
		return tr_fail(err, "line %llu: %s", (unsigned long long)number, why.text);
	if (series_reserve(series, series->n + 1, settings->max_points, err) != TR_OK)
		return TR_ERROR;
	series->x[series->n++] = value;
	return TR_OK;
}

// Copies the next line, without its end, into line[LINE_MAX_BYTES + 1]. TR_END after the last.
static enum tr_status next_line(struct tr_source *source, char *line, uint64_t number,
				struct tr_error *err)
{
	const uint8_t *data, *end = NULL;
	enum tr_status status = TR_OK;
	size_t got = 0, want = 1;

	for (; status == TR_OK && !end && want <= LINE_MAX_BYTES + 1; want = got + 1) {
		status = tr_source_peek(source, want, &data, &got, err);
		if (status == TR_ERROR)
			return TR_ERROR;
		end = memchr(data, '\n', got);
	}
	if (!end && got == 0)
		return TR_END;
	if ((end ? (size_t)(end - data) : got) > LINE_MAX_BYTES)
		return tr_fail(err, "line %llu is longer than %d bytes: no text of numbers",
			       (unsigned long long)number, LINE_MAX_BYTES);
	got = end ? (size_t)(end - data) : got;
	if (memchr(data, '\0', got))
		return tr_fail(err, "line %llu has a zero byte: no text of numbers",
			       (unsigned long long)number);
	memcpy(line, data, got);
	line[got] = '\0';
	tr_source_skip(source, got + (end ? 1 : 0));
	return TR_OK;
}

enum tr_status series_from_text(struct series *series, struct tr_source *source,
				const struct series_settings *settings, struct tr_error *err)
{
	char *line = malloc(LINE_MAX_BYTES + 1);
	enum tr_status status = TR_OK;

	if (!line)
		return tr_fail(err, "no memory for a line");
	for (uint64_t number = 1; status == TR_OK; number++) {
		status = next_line(source, line, number, err);
		if (status == TR_OK)
			status = add_line(series, line, number, settings, err);
	}
	free(line);
	if (status == TR_END && series->n == 0)
		return tr_fail(err, "holds no numbers; expected a trace stream or a text of numbers");
	return status == TR_END ? TR_OK : TR_ERROR;
}
