// SPDX-License-Identifier: GPL-3.0-or-later
// A series from a column of text.
#include <math.h>

#include "series/series_input.h"
#include "series/text_line.h"

// Beyond these the squares of numbers, and their sums, may not be held.
#define LARGEST 1e100
#define SMALLEST 1e-100

struct column {
	struct series *series;
	const struct series_settings *settings;
};

static enum tr_status add_line(void *context, char *line, struct tr_error *err)
{
	const struct column *column = context;
	struct series *series = column->series;
	char *rest = line;
	const char *word = text_line_word(&rest);
	double value;

	if (!word)
		return TR_OK;
	for (uint64_t i = 1; word && i < column->settings->column; i++)
		word = text_line_word(&rest);
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

	if (text_line_each(source, add_line, &column, err) != TR_OK)
		return TR_ERROR;
	if (series->n == 0)
		return tr_fail(err, "holds no numbers; expected a trace stream or a text of numbers");
	return all_too_small(series) ? tr_fail(err, "holds no number of %g and more", SMALLEST) : TR_OK;
}
