// SPDX-License-Identifier: GPL-3.0-or-later
#include "flithurst.h"

#include <math.h>

#include "stat/spectra/periods.h"

#define DIGITS 5

void hurst_report_open(struct hurst_report *report, bool with_verdicts, bool with_points, bool with_multiscale, double level)
{
	report->verdicts = with_verdicts ? table_new("verdict", "Self-similarity") : NULL;
	if (with_verdicts) {
		table_columns(report->verdicts, "input self_similar");
		table_columns(report->verdicts, series_verdict_columns);
		table_column(report->verdicts, "why");
		table_note(
			report->verdicts,
			"confidence level %g %%; scales in points; power: probability to detect H = .8 in such a series, or, of no, to exclude long memory where there is none",
			100 * level);
	}
	report->series = table_new("series", "series");
	table_columns(report->series, "input points bin_s mean variance");
	report->estimates = table_new("estimates", "Hurst parameter");
	table_columns(report->estimates,
		      "input method H H_corrected H_lo H_hi se slope scales scale_min scale_max fit interval");
	table_note(report->estimates, "confidence level %g %%; scales in points of the series", 100 * level);
	report->periods = table_new("periods", "periods");
	table_column(report->periods, "input");
	table_columns(report->periods, series_period_columns);
	report->densities = table_new("densities", "Spectral density near frequency 0: c_f nu^-alpha, nu in cycles per point");
	table_columns(report->densities, "input method alpha alpha_se c_f c_f_lo c_f_hi log2_c_f_se correlation");
	// Chi-square's quantile with two degrees of freedom.
	table_note(
		report->densities,
		"intervals: %g %%; both together: (a^2 - 2 r a b + b^2) / (1 - r^2) <= %.3f, where a and b are the deviations of alpha and log2 c_f in standard errors, and r is the correlation",
		100 * level, -2 * log(1 - level));
	report->points = with_points ? table_new("points", "Points of the plots") : NULL;
	if (with_points)
		table_columns(report->points, "input method scale blocks x y y_se line fitted");
	report->multiscale = with_multiscale ? table_new("multiscale", "Multiscale diagram") : NULL;
	report->leaders = with_multiscale ? table_new("leaders", "Wavelet leaders") : NULL;
	report->cumulants = with_multiscale ? table_new("log_cumulants", "Wavelet leaders: log-cumulants") : NULL;
	if (!with_multiscale)
		return;
	table_columns(report->multiscale, "input q zeta se zeta/q lo hi j1 j2");
	table_columns(report->leaders, "input q zeta lo hi zeta/q j1 j2");
	table_columns(report->cumulants, "input c1 c1_lo c1_hi c2 c2_lo c2_hi zeros j1 j2");
	table_note(report->leaders, "confidence level of zeta: %g %%", 100 * level);
	table_note(
		report->cumulants,
		"confidence level %g %%; c1 = H and c2 = 0 if the series has a single H; short memory and periods also make c2 differ from 0",
		100 * level);
}

// Mean and sample variance in two passes.
static void describe(const struct series *series, double *mean, double *variance)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < series->n; i++)
		sum += series->x[i];
	*mean = series->n > 0 ? sum / (double)series->n : NAN;
	for (size_t i = 0; i < series->n; i++)
		squares += (series->x[i] - *mean) * (series->x[i] - *mean);
	*variance = series->n > 1 ? squares / (double)(series->n - 1) : NAN;
}

void hurst_report_series(struct hurst_report *report, const char *name, const struct series *series)
{
	char lost[LOST_POINTS_BYTES];
	double mean, variance;

	describe(series, &mean, &variance);
	table_text(report->series, name);
	table_count(report->series, series->n);
	if (series->bin.num > 0)
		table_real(report->series, num_value(series->bin), 10);
	else
		table_none(report->series);
	table_real(report->series, mean, 7);
	table_real(report->series, variance, 7);
	if (series->lost.count > 0)
		table_note(report->series, "%s: %s", name, lost_points_note(&series->lost, series->n, lost));
}

static void begin_period(struct table *table, const void *name)
{
	table_text(table, name);
}

void hurst_report_periods(struct hurst_report *report, const char *name, const struct series *series,
			  const struct periods *periods, bool removed)
{
	char words[SERIES_PERIOD_WORDS];

	series_periods_rows(report->periods, series_point_s(series), periods, begin_period, name);
	if (periods->count == 0) {
		if (periods->ordinates > 0 && (report->verdicts || removed)) {
			period_say_none(words, sizeof(words), periods);
			table_note(report->estimates, "%s: %s", name, words);
		}
		return;
	}
	series_periods_say(words, series_point_s(series), periods);
	table_note(report->estimates,
		   removed ? "%s: %s was removed before the estimates"
			   : "%s: %s biases estimates whose scales include it (see --periods)",
		   name, words);
}

void hurst_report_verdict(struct hurst_report *report, const char *name, const struct self_similarity *verdict)
{
	struct table *table = report->verdicts;

	table_text(table, name);
	table_text(table, self_similarity_word(verdict->answer));
	series_verdict_cells(table, verdict);
	table_text(table, verdict->sentence);
}

static void hurst_report_add_points(struct table *table, const char *name, const struct estimator *estimator,
				    const struct estimate *estimate)
{
	for (size_t i = 0; i < estimate->point_count; i++) {
		const struct estimate_point *point = &estimate->points[i];

		table_text(table, name);
		table_text(table, estimator->name);
		table_real(table, point->scale, 12);
		table_count(table, point->blocks);
		table_real(table, point->x, 7);
		table_real(table, point->y, 7);
		if (point->se > 0)
			table_real(table, point->se, DIGITS);
		else
			table_none(table);
		table_real(table, estimate->intercept + estimate->slope * point->x, 7);
		table_text(table, point->fitted ? "yes" : "no");
	}
}

static void add_numbers(struct table *table, const struct estimate *estimate)
{
	size_t fitted = 0;

	for (size_t i = 0; i < estimate->point_count; i++)
		fitted += estimate->points[i].fitted;
	table_real(table, estimate->h, DIGITS);
	table_real(table, estimate->h_corrected, DIGITS);
	table_real(table, estimate->lo, DIGITS);
	table_real(table, estimate->hi, DIGITS);
	table_real(table, estimate->se, DIGITS);
	table_real(table, estimate->slope, DIGITS);
	table_count(table, fitted);
	table_real(table, estimate->scale_min, 12);
	table_real(table, estimate->scale_max, 12);
	table_real(table, estimate->fit, DIGITS);
	table_text(table, estimate->interval);
}

static void add_density(struct table *table, const char *name, const struct estimator *estimator,
			const struct estimate_density *density)
{
	table_text(table, name);
	table_text(table, estimator->name);
	table_real(table, density->alpha, DIGITS);
	table_real(table, density->alpha_se, DIGITS);
	table_real(table, density->level, DIGITS);
	table_real(table, density->level_lo, DIGITS);
	table_real(table, density->level_hi, DIGITS);
	table_real(table, density->log2_level_se, DIGITS);
	table_real(table, density->correlation, DIGITS);
}

void hurst_report_estimate(struct hurst_report *report, const char *name, const struct estimator *estimator,
			   const struct estimate *estimate, const char *why)
{
	table_text(report->estimates, name);
	table_text(report->estimates, estimator->name);
	if (!estimate) {
		for (int i = 0; i < 10; i++)
			table_none(report->estimates);
		table_text(report->estimates, "none");
		table_note(report->estimates, "%s: %s: no estimate: %s", name, estimator->name, why);
		return;
	}
	add_numbers(report->estimates, estimate);
	for (size_t i = 0; i < estimate->warning_count; i++)
		table_note(report->estimates, "%s: %s: %s", name, estimator->name, estimate->warnings[i]);
	if (isfinite(estimate->density.level))
		add_density(report->densities, name, estimator, &estimate->density);
	if (report->points)
		hurst_report_add_points(report->points, name, estimator, estimate);
}

void hurst_report_multiscale(struct hurst_report *report, const char *name, const struct multiscale *diagram, const char *why)
{
	struct table *table = report->multiscale;

	if (!diagram)
		table_note(table, "%s: no multiscale diagram: %s", name, why);
	for (size_t i = 0; diagram && i < MULTISCALE_ORDERS; i++) {
		const struct multiscale_order *order = &diagram->orders[i];

		table_text(table, name);
		table_real(table, order->q, 3);
		table_real(table, order->zeta, DIGITS);
		table_real(table, order->zeta_se, DIGITS);
		table_real(table, order->h, DIGITS);
		table_real(table, order->lo, DIGITS);
		table_real(table, order->hi, DIGITS);
		table_count(table, diagram->j1);
		table_count(table, diagram->j2);
	}
}

void hurst_report_leaders(struct hurst_report *report, const char *name, const struct leaders *leaders, const char *why)
{
	struct table *table = report->leaders;

	if (!leaders) {
		table_note(table, "%s: no leaders: %s", name, why);
		return;
	}
	for (size_t i = 0; i < LEADERS_ORDERS; i++) {
		const struct leaders_order *order = &leaders->orders[i];

		table_text(table, name);
		table_real(table, order->q, 3);
		table_real(table, order->zeta, DIGITS);
		table_real(table, order->interval.lo, DIGITS);
		table_real(table, order->interval.hi, DIGITS);
		table_real(table, order->zeta / order->q, DIGITS);
		table_count(table, leaders->j1);
		table_count(table, leaders->j2);
	}
	table = report->cumulants;
	table_text(table, name);
	table_real(table, leaders->c1, DIGITS);
	table_real(table, leaders->c1_interval.lo, DIGITS);
	table_real(table, leaders->c1_interval.hi, DIGITS);
	table_real(table, leaders->c2, DIGITS);
	table_real(table, leaders->c2_interval.lo, DIGITS);
	table_real(table, leaders->c2_interval.hi, DIGITS);
	table_real(table, leaders->zeros, 3);
	table_count(table, leaders->j1);
	table_count(table, leaders->j2);
}

void hurst_report_agreement(struct hurst_report *report, const char *name, const struct agreement *agreement)
{
	const char *findings[AGREEMENT_FINDINGS_MAX];
	const size_t count = agreement_findings(agreement, findings);

	for (size_t i = 0; i < count; i++)
		table_note(report->estimates, "%s: %s", name, findings[i]);
}

enum tr_status hurst_report_print(const struct hurst_report *report, struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[9];
	size_t count = 0;

	if (report->verdicts)
		tables[count++] = report->verdicts;
	tables[count++] = report->series;
	tables[count++] = report->estimates;
	if (table_rows(report->periods) > 0)
		tables[count++] = report->periods;
	if (table_rows(report->densities) > 0)
		tables[count++] = report->densities;
	if (report->points)
		tables[count++] = report->points;
	if (report->multiscale) {
		tables[count++] = report->multiscale;
		tables[count++] = report->leaders;
		if (table_rows(report->cumulants) > 0)
			tables[count++] = report->cumulants;
	}
	return tables_print(tables, count, style, "flithurst", out, err);
}

void hurst_report_close(struct hurst_report *report)
{
	table_free(report->verdicts);
	table_free(report->series);
	table_free(report->estimates);
	table_free(report->periods);
	table_free(report->densities);
	table_free(report->points);
	table_free(report->multiscale);
	table_free(report->leaders);
	table_free(report->cumulants);
}
