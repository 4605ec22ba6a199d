// SPDX-License-Identifier: GPL-3.0-or-later
// A series from a column of text.
#include <math.h>
#include <stdlib.h>

#include "series_input.h"
#include "text_line.h"

// Beyond these the squares of numbers, and their sums, may not be held.
#define LARGEST 1e100
#define SMALLEST 1e-100

static enum tr_status add_line(struct series *series, char *line, uint64_t number,
			       const struct series_settings *settings, struct tr_error *err)
{
	char *rest = line;
	const char *word = text_line_word(&rest);
	struct tr_error why;
	double value;

	if (!word)
		return TR_OK;
	for (uint64_t column = 1; word && column < settings->column; column++)
		word = text_line_word(&rest);
	if (!word)
		return tr_fail(err, "line %llu has no column %llu", (unsigned long long)number,
			       (unsigned long long)settings->column);
	if (num_parse_real(word, &value, &why) != TR_OK)
		return tr_fail(err, "line %llu: %s", (unsigned long long)number, why.text);
	if (fabs(value) > LARGEST)
		return tr_fail(err, "line %llu: '%.60s' is beyond %g", (unsigned long long)number, word, LARGEST);
	if (series_reserve(series, series->n + 1, settings->max_points, err) != TR_OK)
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

enum tr_status series_from_text(struct series *series, struct tr_source *source,
				const struct series_settings *settings, struct tr_error *err)
{
	char *line = malloc(TEXT_LINE_BYTES);
	enum tr_status status = TR_OK;

	if (!line)
		return tr_fail(err, "no memory for a line");
	for (uint64_t number = 1; status == TR_OK; number++) {
		status = text_line_next(source, line, number, err);
		if (status == TR_OK)
			status = add_line(series, line, number, settings, err);
	}
	free(line);
	if (status == TR_END && series->n == 0)
		return tr_fail(err, "holds no numbers; expected a trace stream or a text of numbers");
	if (status == TR_END && all_too_small(series))
		return tr_fail(err, "holds no number of %g and more", SMALLEST);
	return status == TR_END ? TR_OK : TR_ERROR;
}
