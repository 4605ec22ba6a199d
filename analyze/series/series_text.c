// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a series, and texts of numbers: words separated by blanks, tabs or commas; # starts a comment.
#include "series/series.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/num.h"
#include "trace/recognise.h"
#include "trace/ticks.h"

enum tr_status series_reserve(struct series *series, uint64_t count, uint64_t most, struct tr_error *err)
{
	size_t capacity = series->capacity ? series->capacity : 1024;
	double *x;

	if (count > most)
		return tr_fail(err, "more than %llu points (--max-points)", (unsigned long long)most);
	if (count <= series->capacity)
		return TR_OK;
	while (capacity < count)
		capacity *= 2;
	x = realloc(series->x, capacity * sizeof(*x));
	if (!x)
		return tr_no_memory(err, "%zu points", capacity);
	series->x = x;
	series->capacity = capacity;
	return TR_OK;
}

void series_clear(struct series *series)
{
	free(series->x);
	*series = (struct series){0};
}

// ---- lines

#define LINE_BYTES 65537 // of the longest line and its zero

// Takes a line, lent, without its newline and comment, and may change it. TR_ERROR ends the reading.
typedef enum tr_status line_sink(void *context, char *line, struct tr_error *err);

static const char separators[] = " \t\r,";

// Cuts the next word off *rest, which is the line at first; NULL if there is none.
static char *next_word(char **rest)
{
	return strtok_r(*rest, separators, rest);
}

// Copies the next line into line[LINE_BYTES]. TR_END after the last.
static enum tr_status next_line(struct tr_source *source, char *line, struct tr_error *err)
{
	const uint8_t *data, *end = NULL;
	enum tr_status status = TR_OK;
	size_t got = 0, want = 1;

	for (; status == TR_OK && !end && want <= LINE_BYTES; want = got + 1) {
		status = tr_source_peek(source, want, &data, &got, err);
		if (status == TR_ERROR)
			return TR_ERROR;
		end = memchr(data, '\n', got);
	}
	if (!end && got == 0)
		return TR_END;
	got = end ? (size_t)(end - data) : got;
	if (got > LINE_BYTES - 1)
		return tr_fail(err, "line longer than %d bytes: not a text of numbers", LINE_BYTES - 1);
	if (memchr(data, '\0', got))
		return tr_fail(err, "contains a zero byte: not a text of numbers");
	memcpy(line, data, got);
	line[got] = '\0';
	line[strcspn(line, "#")] = '\0';
	tr_source_skip(source, got + (end ? 1 : 0));
	return TR_OK;
}

// Passes every line of the source to take. TR_ERROR, with the line's number, from 1, before the message of take or the
// source, or for a line longer than LINE_BYTES - 1 or with a zero byte.
static enum tr_status each_line(struct tr_source *source, line_sink *take, void *context, struct tr_error *err)
{
	char *line = malloc(LINE_BYTES);
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
		status = next_line(source, line, &why);
		if (status == TR_OK)
			status = take(context, line, &why);
	}
	free(line);
	return status == TR_END ? TR_OK : tr_fail(err, "line %llu: %.480s", number, why.text);
}

// ---- arrivals

struct taker {
	arrival_sink *take;
	void *context;
	bool any;
};

static enum tr_status take_arrival(void *context, char *line, struct tr_error *err)
{
	struct taker *taker = context;
	char *rest = line;
	const char *time = next_word(&rest), *size = next_word(&rest);
	uint64_t size_bytes = 0;
	int64_t ticks;

	if (!time)
		return TR_OK;
	if (tr_ticks_parse(time, ARRIVAL_TICKS_PER_S, &ticks, err) != TR_OK ||
	    (size && num_parse_count(size, 0, UINT32_MAX, &size_bytes, err) != TR_OK))
		return TR_ERROR;
	taker->any = true;
	return taker->take(taker->context, ticks, size_bytes, err);
}

enum tr_status arrival_text_each(struct tr_source *source, arrival_sink *take, void *context, struct tr_error *err)
{
	struct taker taker = {take, context, false};

	if (each_line(source, take_arrival, &taker, err) != TR_OK)
		return TR_ERROR;
	return taker.any ? TR_OK : tr_fail(err, "holds no arrivals");
}

// ---- a column

// The squares of larger numbers, and their sums, may overflow.
#define LARGEST 1e100
#define SMALLEST 1e-100

struct column {
	struct series *series;
	const struct series_settings *settings;
};

static enum tr_status add_number(void *context, char *line, struct tr_error *err)
{
	const struct column *column = context;
	struct series *series = column->series;
	char *rest = line;
	const char *word = next_word(&rest);
	double value;

	if (!word)
		return TR_OK;
	for (uint64_t i = 1; word && i < column->settings->column; i++)
		word = next_word(&rest);
	if (!word)
		return tr_fail(err, "no column %llu", (unsigned long long)column->settings->column);
	if (num_parse_real(word, &value, err) != TR_OK)
		return TR_ERROR;
	if (fabs(value) > LARGEST)
		return tr_fail(err, "'%.60s' is beyond %g", word, LARGEST);
	if (series_reserve(series, series->n + 1, column->settings->max_points, err) != TR_OK)
		return TR_ERROR;
	series->x[series->n++] = value;
	return TR_OK;
}

static bool all_too_small(const struct series *series)
{
	double largest = 0;

	for (size_t i = 0; i < series->n; i++)
		largest = fmax(largest, fabs(series->x[i]));
	return largest > 0 && largest < SMALLEST;
}

enum tr_status series_from_text(struct series *series, struct tr_source *source, const struct series_settings *settings,
				struct tr_error *err)
{
	struct column column = {series, settings};

	if (each_line(source, add_number, &column, err) != TR_OK)
		return TR_ERROR;
	if (series->n == 0)
		return tr_fail(err, "contains no numbers; expected a trace or a text of numbers");
	return all_too_small(series) ? tr_fail(err, "contains no number of %g or more", SMALLEST) : TR_OK;
}
