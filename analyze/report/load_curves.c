// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/printed_tables.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/compare.h"
#include "trace/num.h"

#define NONE SIZE_MAX

struct columns {
	size_t load, class, seed, lo, hi, half, ended_by, saturated;
	size_t of[LOAD_QUANTITIES];
	size_t parameters;		  // columns before this one may distinguish configurations
	bool varied[PRINTED_COLUMNS_MAX]; // those of them whose cells differ
	size_t varied_count;
	bool class_all; // there are rows of all classes together
};

struct row {
	size_t curve, place; // place in the table
	double load;
	double of[LOAD_QUANTITIES];
	struct interval latency;
	struct tr_run_end end;
};

static size_t find(const struct printed_table *table, const char *name)
{
	for (size_t i = 0; i < table->columns; i++)
		if (strcmp(table->headings[i], name) == 0)
			return i;
	return NONE;
}

static size_t find_either(const struct printed_table *table, const char *name, const char *other)
{
	const size_t first = find(table, name);

	return first != NONE ? first : find(table, other);
}

static const char *cell(const struct printed_table *table, size_t row, size_t column)
{
	return column == NONE ? "-" : table->cells[row * table->columns + column];
}

// NaN if the cell is not a number.
static double number_in(const struct printed_table *table, size_t row, size_t column)
{
	struct tr_error ignored;
	double value;

	return num_parse_real(cell(table, row, column), &value, &ignored) == TR_OK ? value : NAN;
}

// "0.4", "40%".
static double load_in(const struct printed_table *table, size_t row, size_t column)
{
	struct tr_error ignored;
	struct num_ratio load;

	return num_parse(cell(table, row, column), NUM_PLAIN, &load, &ignored) == TR_OK ? num_value(load) : NAN;
}

bool load_curves_use(const char *heading)
{
	static const char *const words[] = {"load",	     "offered",	      "latency_us",
					    "latency_lo_us", "latency_hi_us", "latency_half_us",
					    "p99_us",	     "carried_MBps",  "throughput_MBps"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(heading, words[i]) == 0)
			return true;
	return false;
}

static struct columns find_columns(const struct printed_table *table)
{
	struct columns c = {.load = find_either(table, "load", "offered"),
			    .class = find(table, "class"),
			    .seed = find(table, "seed"),
			    .lo = find(table, "latency_lo_us"),
			    .hi = find(table, "latency_hi_us"),
			    .half = find(table, "latency_half_us"),
			    .ended_by = find(table, TR_ENDED_BY),
			    .saturated = find(table, TR_SATURATED)};

	c.of[LOAD_LATENCY_US] = find(table, "latency_us");
	c.of[LOAD_P99_US] = find(table, "p99_us");
	c.of[LOAD_THROUGHPUT_MBPS] = find_either(table, "carried_MBps", "throughput_MBps");
	c.parameters = c.class;
	for (unsigned q = 0; q < LOAD_QUANTITIES && c.class == NONE; q++)
		c.parameters = c.of[q] < c.parameters ? c.of[q] : c.parameters;
	for (size_t row = 0; row < table->rows; row++)
		c.class_all = c.class_all || strcmp(cell(table, row, c.class), "all") == 0;
	return c;
}

static bool is_wanted(const struct printed_table *table, const struct columns *c, size_t row)
{
	return !c->class_all || strcmp(cell(table, row, c->class), "all") == 0;
}

static bool is_parameter(const struct columns *c, size_t column)
{
	return column < c->parameters && column != c->load && column != c->seed;
}

// Whether the wanted rows have several words in the column.
static bool is_varied(const struct printed_table *table, const struct columns *c, size_t column)
{
	const char *first = NULL;

	for (size_t row = 0; row < table->rows; row++) {
		if (!is_wanted(table, c, row))
			continue;
		if (first && strcmp(cell(table, row, column), first) != 0)
			return true;
		first = cell(table, row, column);
	}
	return false;
}

// The row's cells in the columns that are varied, or in those that are not.
static void name_row(const struct printed_table *table, const struct columns *c, size_t row, bool varied,
		     char name[LOAD_NAME_BYTES])
{
	size_t used = 0;

	*name = '\0';
	for (size_t i = 0; i < table->columns && used < LOAD_NAME_BYTES; i++) {
		if (!is_parameter(c, i) || c->varied[i] != varied)
			continue;
		if (varied && c->varied_count == 1)
			used += (size_t)snprintf(name, LOAD_NAME_BYTES, "%s", cell(table, row, i));
		else
			used += (size_t)snprintf(name + used, LOAD_NAME_BYTES - used, "%s%s=%s", used ? " " : "",
						 table->headings[i], cell(table, row, i));
	}
}

// Finds which parameters are varied, and says what is not.
static void find_varied(const struct printed_table *table, struct columns *c, struct load_curves *curves)
{
	for (size_t i = 0; i < table->columns; i++)
		if (is_parameter(c, i) && is_varied(table, c, i)) {
			c->varied[i] = true;
			c->varied_count++;
			(void)snprintf(curves->varied, sizeof(curves->varied), "%s", table->headings[i]);
		}
	if (c->varied_count > 1)
		*curves->varied = '\0';
	for (size_t row = 0; row < table->rows && !*curves->shared; row++)
		if (is_wanted(table, c, row))
			name_row(table, c, row, false, curves->shared);
}

// The curve called name, created if new.
static size_t curve_of(struct load_curves *curves, const char *name)
{
	size_t i = 0;

	while (i < curves->count && strcmp(curves->list[i].name, name) != 0)
		i++;
	if (i == curves->count) {
		(void)snprintf(curves->list[i].name, LOAD_NAME_BYTES, "%s", name);
		curves->count++;
	}
	return i;
}

static struct interval latency_interval(const struct printed_table *table, const struct columns *c, size_t row, double latency)
{
	const double half = number_in(table, row, c->half);

	if (isfinite(half))
		return interval_above((struct interval){latency - half, latency + half}, 0);
	return (struct interval){number_in(table, row, c->lo), number_in(table, row, c->hi)};
}

static size_t read_rows(const struct printed_table *table, const struct columns *c, struct load_curves *curves,
			struct row *rows)
{
	char name[LOAD_NAME_BYTES];
	size_t count = 0;

	for (size_t i = 0; i < table->rows; i++) {
		struct row *row = &rows[count];

		if (!is_wanted(table, c, i))
			continue;
		row->load = load_in(table, i, c->load);
		for (unsigned q = 0; q < LOAD_QUANTITIES; q++)
			row->of[q] = number_in(table, i, c->of[q]);
		row->latency = latency_interval(table, c, i, row->of[LOAD_LATENCY_US]);
		row->end = tr_run_end_of(cell(table, i, c->ended_by), cell(table, i, c->saturated));
		row->place = i;
		if (!isfinite(row->load))
			continue;
		name_row(table, c, i, true, name);
		row->curve = curve_of(curves, name);
		count++;
	}
	return count;
}

static int by_load(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->curve != b->curve)
		return a->curve < b->curve ? -1 : 1;
	if (a->load != b->load)
		return a->load < b->load ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

// One quantity of count rows of the same load.
static struct load_measure measure(const struct row *rows, size_t count, unsigned quantity, double level)
{
	struct load_measure out = {NAN, {NAN, NAN}, 0};
	struct sample sample = {.n = 0};
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(rows[i].of[quantity])) {
			sum += rows[i].of[quantity];
			out.n++;
		}
	if (out.n == 0)
		return out;
	out.mean = sum / (double)out.n;
	for (size_t i = 0; i < count; i++)
		if (isfinite(rows[i].of[quantity]))
			squares += (rows[i].of[quantity] - out.mean) * (rows[i].of[quantity] - out.mean);
	if (out.n > 1) {
		sample = (struct sample){.mean = out.mean, .sd = sqrt(squares / (double)(out.n - 1)), .n = (double)out.n};
		out.interval = interval_above(sample_interval(&sample, level), 0);
	} else if (quantity == LOAD_LATENCY_US && count == 1) {
		out.interval = rows[0].latency;
	}
	return out;
}

static size_t find_saturated(const struct load_curve *curve)
{
	const struct load_point *first = &curve->points[0];

	for (size_t i = 0; i < curve->count; i++) {
		const struct load_point *point = &curve->points[i];
		const double carried = point->of[LOAD_THROUGHPUT_MBPS].mean, latency = point->of[LOAD_LATENCY_US].mean;
		const double kept = first->of[LOAD_THROUGHPUT_MBPS].mean * point->load / first->load;

		if (point->end.ending != TR_ENDED)
			return i;
		if (isfinite(carried) && isfinite(kept) ? carried < LOAD_KEEPS_UP * kept
							: latency > LOAD_LATENCY_TIMES * first->of[LOAD_LATENCY_US].mean)
			return i;
	}
	return NONE;
}

static struct tr_run_end worst_end(const struct row *rows, size_t count)
{
	struct tr_run_end worst = rows[0].end;

	for (size_t i = 1; i < count; i++)
		worst = tr_run_end_worse(worst, rows[i].end);
	return worst;
}

// Joins the sorted rows into points and curves; returns the largest number of loads of a curve.
static size_t join(struct load_curves *curves, const struct row *rows, size_t count, double level)
{
	size_t used = 0, most = 0;

	for (size_t i = 0; i < count;) {
		struct load_curve *curve = &curves->list[rows[i].curve];
		struct load_point *point = &curves->points[used++];
		size_t alike = 1;

		while (i + alike < count && rows[i + alike].curve == rows[i].curve && rows[i + alike].load == rows[i].load)
			alike++;
		point->load = rows[i].load;
		point->end = worst_end(&rows[i], alike);
		point->runs = alike;
		for (size_t k = 0; k < alike; k++)
			point->stood += rows[i + k].end.ending == TR_STOOD;
		for (unsigned q = 0; q < LOAD_QUANTITIES; q++) {
			point->of[q] = measure(&rows[i], point->end.ending == TR_STOOD ? 0 : alike, q, level);
			curves->has[q] = curves->has[q] || point->of[q].n > 0;
		}
		if (curve->count++ == 0)
			curve->points = point;
		most = curve->count > most ? curve->count : most;
		i += alike;
	}
	for (size_t i = 0; i < curves->count; i++)
		curves->list[i].saturated = find_saturated(&curves->list[i]);
	return most;
}

enum tr_status load_curves_make(struct load_curves *curves, const struct printed_table *table, double level,
				struct tr_error *err)
{
	struct columns c = find_columns(table);
	struct row *rows;
	size_t count;

	*curves = (struct load_curves){.list = NULL};
	if (c.load == NONE || (c.of[LOAD_LATENCY_US] == NONE && c.of[LOAD_THROUGHPUT_MBPS] == NONE))
		return TR_OK;
	rows = calloc(table->rows + 1, sizeof(*rows));
	curves->list = calloc(table->rows + 1, sizeof(*curves->list));
	curves->points = calloc(table->rows + 1, sizeof(*curves->points));
	if (!rows || !curves->list || !curves->points) {
		free(rows);
		load_curves_clear(curves);
		return tr_no_memory(err, "the curves of %zu rows", table->rows);
	}
	find_varied(table, &c, curves);
	count = read_rows(table, &c, curves, rows);
	qsort(rows, count, sizeof(*rows), by_load);
	if (join(curves, rows, count, level) < 2)
		load_curves_clear(curves);
	free(rows);
	return TR_OK;
}

void load_curves_clear(struct load_curves *curves)
{
	free(curves->list);
	free(curves->points);
	*curves = (struct load_curves){.list = NULL};
}
