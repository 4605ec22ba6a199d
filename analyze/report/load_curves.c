// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/load_columns.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/compare.h"
#include "value/num.h"
#include "value/order.h"

struct row {
	size_t curve, place; // place in the table
	double load;
	double of[LOAD_QUANTITIES];
	struct interval latency;
	struct tr_run_end end;
};

// "0.4", "40%".
static double load_in(const struct load_columns *c, size_t row, size_t column)
{
	struct tr_error ignored;
	struct num_ratio load;

	return num_parse(printed_cell(c->table, row, column), NUM_PLAIN, &load, &ignored) == TR_OK
		       ? num_value(load)
		       : NAN;
}

bool load_curves_use(const char *heading)
{
	static const char *const words[] = {"load",	      "offered",       "latency_us",
					    "latency_lo_us",  "latency_hi_us", "latency_half_us",
					    "p99_us",	      "carried_MBps",  "throughput_MBps",
					    "carried_percent"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(heading, words[i]) == 0)
			return true;
	return false;
}

// The curve of these names, created if new.
static size_t load_curves_curve_of(struct load_curves *curves, const char *traffic,
				   const char *name)
{
	struct load_curve *new = &curves->list[curves->count];
	size_t group = 0, i = 0;

	while (group < curves->group_count && strcmp(curves->groups[group], traffic) != 0)
		group++;
	while (i < curves->count &&
	       !(curves->list[i].group == group && strcmp(curves->list[i].name, name) == 0))
		i++;
	if (i < curves->count)
		return i;
	if (group == curves->group_count)
		(void)snprintf(curves->groups[curves->group_count++], LOAD_NAME_BYTES, "%s",
			       traffic);
	(void)snprintf(new->name, LOAD_NAME_BYTES, "%s", name);
	new->group = group;
	new->configuration = curves->configurations;
	for (size_t k = 0; k < curves->count; k++)
		if (strcmp(curves->list[k].name, name) == 0)
			new->configuration = curves->list[k].configuration;
	curves->configurations += new->configuration == curves->configurations;
	return curves->count++;
}

static struct interval latency_interval(const struct load_columns *c, size_t row, double latency)
{
	const double half = printed_number(c->table, row, c->half);

	if (isfinite(half))
		return interval_above((struct interval){latency - half, latency + half}, 0);
	return (struct interval){printed_number(c->table, row, c->lo),
				 printed_number(c->table, row, c->hi)};
}

static size_t read_rows(const struct load_columns *c, struct load_curves *curves, struct row *rows)
{
	char name[LOAD_NAME_BYTES], traffic[LOAD_NAME_BYTES];
	size_t count = 0;

	for (size_t i = 0; i < c->table->rows; i++) {
		struct row *row = &rows[count];

		if (!load_columns_wants(c, i))
			continue;
		row->load = load_in(c, i, c->load);
		for (unsigned q = 0; q < LOAD_QUANTITIES; q++)
			row->of[q] = printed_number(c->table, i, c->of[q]);
		row->latency = latency_interval(c, i, row->of[LOAD_LATENCY_US]);
		row->end = tr_run_end_of(printed_cell(c->table, i, c->ended_by),
					 printed_cell(c->table, i, c->saturated));
		curves->drained = curves->drained ||
				  strcmp(printed_cell(c->table, i, c->ended_by), "traffic") == 0;
		row->place = i;
		if (!isfinite(row->load))
			continue;
		load_columns_name(c, i, LOAD_CONFIGURES, name);
		load_columns_name(c, i, LOAD_TRAFFIC, traffic);
		if (count == 0)
			load_columns_name(c, i, LOAD_SHARED, curves->shared);
		row->curve = load_curves_curve_of(curves, traffic, name);
		count++;
	}
	return count;
}

static int by_load(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	ORDER_BY(a->curve, b->curve);
	ORDER_BY(a->load, b->load);
	return ORDER(a->place, b->place);
}

// One quantity of count rows of the same load.
static struct load_measure load_curves_measure(const struct row *rows, size_t count,
					       unsigned quantity, double level)
{
	struct sample_sums sums = {0};
	struct sample sample;

	for (size_t i = 0; i < count; i++)
		sample_sums_add(&sums, rows[i].of[quantity]);
	sample = sample_of_sums(&sums);
	return (struct load_measure){
		.mean = sample.mean,
		.interval = sums.n == 1 && quantity == LOAD_LATENCY_US && count == 1
				    ? rows[0].latency
				    : interval_above(sample_interval(&sample, level), 0),
		.n = (size_t)sums.n};
}

static size_t find_saturated(const struct load_curve *curve)
{
	const struct load_point *first = &curve->points[0];

	for (size_t i = 0; i < curve->count; i++) {
		const struct load_point *point = &curve->points[i];
		const double carried = point->of[LOAD_THROUGHPUT_MBPS].mean,
			     latency = point->of[LOAD_LATENCY_US].mean;
		const double kept = first->of[LOAD_THROUGHPUT_MBPS].mean * point->load /
				    first->load;

		if (point->end.ending != TR_ENDED)
			return i;
		if (isfinite(carried) && isfinite(kept)
			    ? carried < LOAD_KEEPS_UP * kept
			    : latency > LOAD_LATENCY_TIMES * first->of[LOAD_LATENCY_US].mean)
			return i;
	}
	return SIZE_MAX;
}

static struct tr_run_end worst_end(const struct row *rows, size_t count)
{
	struct tr_run_end worst = rows[0].end;

	for (size_t i = 1; i < count; i++)
		worst = tr_run_end_worse(worst, rows[i].end);
	return worst;
}

// Joins the sorted rows into points and curves; returns the largest number of loads of a curve.
static size_t load_curves_join(struct load_curves *curves, const struct row *rows, size_t count,
			       double level)
{
	size_t used = 0, most = 0;

	for (size_t i = 0; i < count;) {
		struct load_curve *curve = &curves->list[rows[i].curve];
		struct load_point *point = &curves->points[used++];
		size_t alike = 1;

		while (i + alike < count && rows[i + alike].curve == rows[i].curve &&
		       rows[i + alike].load == rows[i].load)
			alike++;
		point->load = rows[i].load;
		point->end = worst_end(&rows[i], alike);
		point->runs = alike;
		for (size_t k = 0; k < alike; k++)
			point->stood += rows[i + k].end.ending == TR_STOOD;
		for (unsigned q = 0; q < LOAD_QUANTITIES; q++) {
			point->of[q] = load_curves_measure(
				&rows[i], point->end.ending == TR_STOOD ? 0 : alike, q, level);
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

static int by_group(const void *left, const void *right)
{
	const struct load_curve *a = left, *b = right;

	ORDER_BY(a->group, b->group);
	return ORDER(a->configuration, b->configuration);
}

enum tr_status load_curves_make(struct load_curves *curves, const struct printed_table *table,
				double level, struct tr_error *err)
{
	struct load_columns c;
	struct row *rows;
	size_t count;

	*curves = (struct load_curves){.list = NULL};
	if (load_columns_find(&c, table, err) != TR_OK)
		return TR_ERROR;
	if (c.load == SIZE_MAX ||
	    (c.of[LOAD_LATENCY_US] == SIZE_MAX && c.of[LOAD_THROUGHPUT_MBPS] == SIZE_MAX))
		return TR_OK;
	rows = calloc(table->rows + 1, sizeof(*rows));
	curves->list = calloc(table->rows + 1, sizeof(*curves->list));
	curves->points = calloc(table->rows + 1, sizeof(*curves->points));
	curves->groups = calloc(table->rows + 1, sizeof(*curves->groups));
	if (!rows || !curves->list || !curves->points || !curves->groups) {
		free(rows);
		load_curves_clear(curves);
		return tr_no_memory(err, "the curves of %zu rows", table->rows);
	}
	load_columns_headings(&c, LOAD_CONFIGURES, curves->varied, sizeof(curves->varied));
	load_columns_headings(&c, LOAD_TRAFFIC, curves->traffic, sizeof(curves->traffic));
	load_columns_headings(&c, LOAD_FOLLOWS, curves->follows, sizeof(curves->follows));
	count = read_rows(&c, curves, rows);
	qsort(rows, count, sizeof(*rows), by_load);
	if (load_curves_join(curves, rows, count, level) < 2)
		load_curves_clear(curves);
	else
		qsort(curves->list, curves->count, sizeof(*curves->list), by_group);
	free(rows);
	return TR_OK;
}

void load_curves_clear(struct load_curves *curves)
{
	free(curves->list);
	free(curves->points);
	free(curves->groups);
	*curves = (struct load_curves){.list = NULL};
}
