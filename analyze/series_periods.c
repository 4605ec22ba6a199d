// SPDX-License-Identifier: GPL-3.0-or-later
#include "series_periods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/seasonal.h"

#define DIGITS 6

const char *const series_period_columns[] = {"period_s", "lo_s", "hi_s", "points", "points_lo", "points_hi", "share", "jitter", "lines", "p", NULL};

enum tr_status series_periods(struct series *series, double level, bool remove, struct periods *out, struct tr_error *err)
{
	const size_t n = series->n, need = periods_series_workspace(n);
	double *work;
	struct tr_error constant;
	enum tr_status status = TR_OK;

	*out = (struct periods){.n = n};
	if (n < PERIODS_POINTS_MIN)
		return TR_OK;
	work = malloc((need > seasonal_workspace(n) ? need : seasonal_workspace(n)) * sizeof *work);
	if (!work)
		return tr_fail(err, "no memory to look for periods in %zu points", n);
	if (periods_find_in_series(series->x, n, level, work, out, &constant) != TR_OK)
		*out = (struct periods){.n = n};
	else if (remove && out->count > 0)
		status = seasonal_take_out(series->x, n, out, work, series->x, err);
	free(work);
	return status;
}

double series_point_s(const struct series *series)
{
	return series->bin.num > 0 ? num_value(series->bin) : 0;
}

void series_periods_say(char words[SERIES_PERIOD_WORDS], double point_s, const struct periods *periods)
{
	const double points = periods->found[0].points;
	char more[32] = "";

	if (periods->count > 1)
		(void)snprintf(more, sizeof more, ", and %zu more", periods->count - 1);
	if (point_s > 0)
		(void)snprintf(words, SERIES_PERIOD_WORDS, "period %.4g s (%.2g %% of the variance%s)",
			       points * point_s, 100 * periods->found[0].share, more);
	else
		(void)snprintf(words, SERIES_PERIOD_WORDS, "period %.4g points (%.2g %% of the variance%s)", points,
			       100 * periods->found[0].share, more);
}

static void add_time(struct table *table, double point_s, double points)
{
	if (point_s > 0)
		table_real(table, points * point_s, DIGITS);
	else
		table_none(table);
}

void series_periods_rows(struct table *table, double point_s, const struct periods *periods,
			 void (*begin)(struct table *table, const void *context), const void *context)
{
	for (size_t i = 0; i < periods->count; i++) {
		const struct period *period = &periods->found[i];

		begin(table, context);
		add_time(table, point_s, period->points);
		add_time(table, point_s, period->lo);
		add_time(table, point_s, period->hi);
		table_real(table, period->points, DIGITS);
		table_real(table, period->lo, DIGITS);
		table_real(table, period->hi, DIGITS);
		table_real(table, period->share, 3);
		table_real(table, period->jitter, 2);
		table_count(table, period->harmonics);
		table_real(table, period->p, 3);
	}
}
