// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/series_periods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/spectra/periods.h"

enum tr_status series_spectrum_open(const struct series *series, size_t low_count,
				    struct spectrum **out, struct tr_error *err)
{
	*out = NULL;
	if (series->n < PERIODS_POINTS_MIN || series_is_constant(series->x, series->n))
		return TR_OK;
	*out = spectrum_open(series->x, series->n, low_count, err);
	return *out ? TR_OK : TR_ERROR;
}

enum tr_status series_periods_find(const struct series *series, const struct spectrum *spectrum,
				   double level, struct periods *out, struct tr_error *err)
{
	double *work;
	enum tr_status status;

	*out = (struct periods){.n = series->n};
	if (!spectrum)
		return TR_OK;
	work = malloc(periods_workspace(series->n) * sizeof(*work));
	if (!work)
		return tr_no_memory(err, "a search for periods in %zu points", series->n);
	status = periods_find(series->x, spectrum, level, work, out, err);
	free(work);
	return status;
}

enum tr_status series_verdict(const struct series *series, const struct spectrum *spectrum,
			      const struct periods *periods, double level,
			      struct self_similarity *out, struct tr_error *err)
{
	return spectrum ? self_similarity_decide(series->x, spectrum, periods, level, out, err)
			: self_similarity_decide_series(series->x, series->n, periods, level, out,
							err);
}

void series_verdict_cells(struct table *table, const struct self_similarity *verdict)
{
	TABLE_PUT(table, series_verdict, .H = verdict->h, .H_lo = verdict->lo, .H_hi = verdict->hi,
		  .scale_min = verdict->scale_min, .scale_max = verdict->scale_max,
		  .power = verdict->power, .log_odds = self_similarity_log_odds(verdict));
}

enum tr_status series_periods_remove(struct series *series, struct spectrum **spectrum,
				     const struct periods *periods, struct tr_error *err)
{
	double *work;
	enum tr_status status;

	if (periods->count == 0)
		return TR_OK;
	spectrum_close(*spectrum);
	*spectrum = NULL;
	work = malloc(seasonal_workspace(series->n) * sizeof(*work));
	if (!work)
		return tr_no_memory(err, "removal of periods from %zu points", series->n);
	status = seasonal_take_out(series->x, series->n, periods, work, series->x, err);
	free(work);
	return status;
}

double series_point_s(const struct series *series)
{
	return series->bin.num > 0 ? num_value(series->bin) : 0;
}

void series_periods_say(char words[SERIES_PERIOD_WORDS], double point_s,
			const struct periods *periods)
{
	const double points = periods->found[0].points;
	char more[32] = "";

	if (periods->count > 1)
		(void)snprintf(more, sizeof(more), ", and %zu more", periods->count - 1);
	if (point_s > 0)
		(void)snprintf(words, SERIES_PERIOD_WORDS,
			       "period %.4g s (%.2g %% of the variance%s)", points * point_s,
			       100 * periods->found[0].share, more);
	else
		(void)snprintf(words, SERIES_PERIOD_WORDS,
			       "period %.4g points (%.2g %% of the variance%s)", points,
			       100 * periods->found[0].share, more);
}

void series_periods_rows(struct table *table, double point_s, const struct periods *periods,
			 void (*begin)(struct table *table, const void *context),
			 const void *context)
{
	const double unit_s = point_s > 0 ? point_s : NAN;

	for (size_t i = 0; i < periods->count; i++) {
		const struct period *period = &periods->found[i];

		begin(table, context);
		TABLE_PUT(table, series_period, .period_s = period->points * unit_s,
			  .lo_s = period->lo * unit_s, .hi_s = period->hi * unit_s,
			  .points = period->points, .points_lo = period->lo,
			  .points_hi = period->hi, .share = period->share, .jitter = period->jitter,
			  .lines = period->harmonics, .p = period->p);
	}
}
