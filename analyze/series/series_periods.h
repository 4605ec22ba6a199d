// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum and periods of a program's series, found once for all its uses.
#ifndef ANALYZE_SERIES_PERIODS_H
#define ANALYZE_SERIES_PERIODS_H

#include <stdbool.h>

#include "series/series.h"
#include "stat/spectra/periods.h"
#include "stat/tests/self_similarity.h"
#include "table/table_rows.h"
#include "value/status.h"

// The spectrum of the series, with the sums of its low_count lowest frequencies; freed with
// spectrum_close. *out is NULL for a constant series, and for one shorter than PERIODS_POINTS_MIN.
// TR_ERROR if out of memory.
enum tr_status series_spectrum_open(const struct series *series, size_t low_count,
				    struct spectrum **out, struct tr_error *err);

// Finds the periods in that spectrum, with intervals at level; none if it is NULL. TR_ERROR if out
// of memory.
enum tr_status series_periods_find(const struct series *series, const struct spectrum *spectrum,
				   double level, struct periods *out, struct tr_error *err);

// The verdict on the series; spectrum is NULL if it has none. TR_ERROR if out of memory.
enum tr_status series_verdict(const struct series *series, const struct spectrum *spectrum,
			      const struct periods *periods, double level,
			      struct self_similarity *out, struct tr_error *err);

// A verdict in a table: the columns, and the cells of one verdict.
TABLE_ROW(series_verdict, (real, H, 3), (real, H_lo, 3), (real, H_hi, 3), (real, scale_min, 3),
	  (real, scale_max, 12), (real, power, 2), (real, log_odds, 4));
void series_verdict_cells(struct table *table, const struct self_similarity *verdict);

// Removes the periods from the series. If there are any, closes *spectrum, which no longer fits,
// and makes it NULL. TR_ERROR if out of memory; the series is then unchanged.
enum tr_status series_periods_remove(struct series *series, struct spectrum **spectrum,
				     const struct periods *periods, struct tr_error *err);

// Seconds from point to point; 0 if unknown.
double series_point_s(const struct series *series);

#define SERIES_PERIOD_WORDS 200

// "period 0.5 s (34 % of the variance)", with "and 2 more" if there are; in points if point_s, the
// seconds per point, is 0.
void series_periods_say(char words[SERIES_PERIOD_WORDS], double point_s,
			const struct periods *periods);

// Columns of a table of periods, and a row for each period, whose first cells the caller adds
// through begin.
TABLE_ROW(series_period, (real, period_s, 6), (real, lo_s, 6), (real, hi_s, 6), (real, points, 6),
	  (real, points_lo, 6), (real, points_hi, 6), (real, share, 3), (real, jitter, 2),
	  (count, lines), (real, p, 3));
void series_periods_rows(struct table *table, double point_s, const struct periods *periods,
			 void (*begin)(struct table *table, const void *context),
			 const void *context);

#endif
