// SPDX-License-Identifier: GPL-3.0-or-later
// The periods of a series that a program reads, found once for all that is done with it.
#ifndef ANALYZE_SERIES_PERIODS_H
#define ANALYZE_SERIES_PERIODS_H

#include <stdbool.h>

#include "series_input.h"
#include "stat/periods.h"
#include "trace/status.h"
#include "trace/table.h"

// Finds them, with intervals of the level; where remove is set the series is left without them. None are found in a constant
// series, and in one that is shorter than PERIODS_POINTS_MIN. TR_ERROR without memory; the series is then as it was.
enum tr_status series_periods(struct series *series, double level, bool remove, struct periods *out, struct tr_error *err);

// Seconds from point to point; 0 where that is not known.
double series_point_s(const struct series *series);

#define SERIES_PERIOD_WORDS 160

// "period 0.5 s (34 % of the variance)", with "and 2 more" where there are; in points where point_s, the seconds from one to the next, is 0.
void series_periods_say(char words[SERIES_PERIOD_WORDS], double point_s, const struct periods *periods);

// Columns of a table of periods, ended by NULL, and a row for each period, all but the first cells, which the caller gave
// by begin.
extern const char *const series_period_columns[];
void series_periods_rows(struct table *table, double point_s, const struct periods *periods,
			 void (*begin)(struct table *table, const void *context), const void *context);

#endif
