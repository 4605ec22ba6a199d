// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a series, and texts of numbers or arrivals.
#include "series/series.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/column_cell.h"
#include "stream/column_table.h"
#include "stream/recognise.h"
#include "value/grow.h"

enum tr_status series_reserve(struct series *series, uint64_t count, uint64_t most,
			      struct tr_error *err)
{
	if (count > most)
		return tr_fail(err, "more than %llu points of %u B (--memory)",
			       (unsigned long long)most, SERIES_POINT_BYTES);
	if (!GROW_TO(series->x, series->capacity, count))
		return tr_no_memory(err, "%llu points", (unsigned long long)count);
	return TR_OK;
}

void series_clear(struct series *series)
{
	free(series->x);
	*series = (struct series){0};
}

// ---- tables

static const struct opt_choice value_words[] = {{"value"}, {NULL}};
const struct opt_choice series_text_words[] = {
	{"time", 0,
	 "of arrivals: the time; without arrivals the number or name of the column is enough"},
	{"bytes", 0, "of arrivals: the size"},
	{NULL, 0},
};
enum arrival_field { ARRIVAL_TIME, ARRIVAL_BYTES };

// A table whose fields are words; the form's first columns are taken unless columns describes it.
static enum tr_status series_text_open_table(struct column_table *table, struct tr_source *source,
					     const struct opt_choice *words, const char *columns,
					     struct tr_error *err)
{
	char hint[TR_RECOGNISE_HINT_BYTES];

	*table = (struct column_table){.lines.source = source, .ends_comment = true};
	while (words[table->choose].word)
		table->choose++;
	if (*tr_recognise_source(source, hint, sizeof(hint)))
		return tr_fail(err, "%s: not a text of numbers%s", tr_source_name(source), hint);
	if (column_form_parse(&table->form, words, columns ? columns : "-", err) != TR_OK)
		return tr_fail_in(err, "--columns");
	return TR_OK;
}

static bool is_chosen(const struct column_table *table)
{
	return table->form.columns[0].wanted;
}

static void take_note(struct series_text *text, const struct column_table *table)
{
	(void)snprintf(text->note, sizeof(text->note), "%s", table->note);
}

// ---- arrivals

struct arrivals {
	struct column_table table;
	struct tr_times times;
};

static enum tr_status take_arrival(struct arrivals *arrivals, bool needs_bytes, arrival_sink *take,
				   void *context, struct tr_error *err)
{
	const struct column_form *form = &arrivals->table.form;
	const char *time, *size;
	uint64_t size_bytes = 0;
	int64_t ns;

	if (needs_bytes && !form->columns[ARRIVAL_BYTES].wanted)
		return tr_fail(err, "no column of bytes (--columns time=1,bytes=2 says which)");
	if (column_table_cell(&arrivals->table, ARRIVAL_TIME, &time, err) != TR_OK ||
	    column_table_cell(&arrivals->table, ARRIVAL_BYTES, &size, err) != TR_OK ||
	    column_cell_time(form, time, true, &ns, err) != TR_OK ||
	    (size && column_cell_count(form, size, UINT32_MAX, &size_bytes, err) != TR_OK))
		return TR_ERROR;
	tr_times_add(&arrivals->times, ns);
	if (arrivals->times.back)
		return tr_fail(err,
			       "goes back in time, to %.60s (sort -g sorts lines that begin with "
			       "their times)",
			       time);
	return take(context, ns, size_bytes, err);
}

enum tr_status arrival_text_each(struct tr_source *source, struct series_text *text,
				 arrival_sink *take, void *context, struct tr_error *err)
{
	struct arrivals arrivals = {.times.count = 0};
	struct column_table *table = &arrivals.table;
	enum tr_status status = series_text_open_table(table, source, series_text_words,
						       text->columns, err);
	struct tr_error why;

	if (status == TR_OK && table->form.columns[ARRIVAL_BYTES].wanted && !is_chosen(table))
		status = tr_fail(err, "--columns: expected a time: time=1,bytes=2");
	while (status == TR_OK && (status = column_table_next(table, err)) == TR_OK)
		if (take_arrival(&arrivals, text->needs_bytes, take, context, &why) != TR_OK)
			status = table->maybe_decimal_comma
					 ? column_table_fail_doubtful(table, err)
					 : tr_lines_fail(&table->lines, err, "%s", why.text);
	if (status == TR_END && arrivals.times.count == 0)
		status = tr_fail(err, "%s: holds no arrivals", tr_source_name(source));
	take_note(text, table);
	(void)tr_times_odd(&arrivals.times, ARRIVAL_TICKS_PER_S, text->odd);
	column_table_clear(table);
	return status == TR_ERROR ? status : TR_OK;
}

// ---- a column

// The squares of larger numbers, and their sums, may overflow.
#define LARGEST 1e100
#define SMALLEST 1e-100

static enum tr_status add_number(struct series *series, const struct column_table *table,
				 const struct series_settings *settings, struct tr_error *err)
{
	const char *cell;
	double value;

	if (column_table_cell(table, 0, &cell, err) != TR_OK ||
	    column_cell_real(&table->form, cell, &value, err) != TR_OK)
		return TR_ERROR;
	if (fabs(value) > LARGEST)
		return tr_fail(err, "'%.60s' is beyond %g", cell, LARGEST);
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

#define TIMES_MIN 16 // numbers that never fall by chance less than once in 16!

// Whether the numbers look like times: they mostly rise, and fall at most once in a hundred, as
// times of several clocks do.
static bool are_times(const struct series *series)
{
	size_t rises = 0, falls = 0;

	for (size_t i = 1; i < series->n; i++) {
		falls += series->x[i] < series->x[i - 1];
		rises += series->x[i] > series->x[i - 1];
	}
	return series->n >= TIMES_MIN && rises > series->n / 2 && falls <= series->n / 100;
}

static enum tr_status check_series(const struct series *series, struct column_table *table,
				   bool asked, bool any_order, struct tr_error *err)
{
	const char *name = tr_source_name(table->lines.source);
	const size_t used = strlen(table->note);

	if (series->n == 0)
		return tr_fail(err,
			       "%s: contains no numbers; expected a trace or a text of numbers",
			       name);
	if (all_too_small(series))
		return tr_fail(err, "%s: contains no number of %g or more", name, SMALLEST);
	if (any_order || !are_times(series))
		return TR_OK;
	if (!asked)
		return tr_fail(err,
			       "%s: the numbers only increase, as times do: --arrivals reads them "
			       "as times, --columns %zu as a series",
			       name, table->form.columns[0].place + 1);
	(void)snprintf(table->note + used, sizeof(table->note) - used,
		       "%sthe numbers only increase, as times do (--arrivals)",
		       used > 0 ? "; " : "");
	return TR_OK;
}

enum tr_status series_from_text(struct series *series, struct tr_source *source,
				const struct series_settings *settings, struct tr_error *err)
{
	struct column_table table;
	enum tr_status status = series_text_open_table(&table, source, value_words,
						       settings->text->columns, err);
	const bool asked = status == TR_OK && is_chosen(&table);
	struct tr_error why;

	while (status == TR_OK && (status = column_table_next(&table, err)) == TR_OK)
		if (add_number(series, &table, settings, &why) != TR_OK)
			status = tr_lines_fail(&table.lines, err, "%s", why.text);
	if (status == TR_END)
		status = check_series(series, &table, asked, settings->text->any_order, err);
	take_note(settings->text, &table);
	column_table_clear(&table);
	return status;
}
