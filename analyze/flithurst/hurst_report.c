// SPDX-License-Identifier: GPL-3.0-or-later
#include "flithurst.h"

#include <math.h>

#include "stat/spectra/periods.h"
#include "table/table_rows.h"

#define DIGITS 5

TABLE_ROW(hurst_of, (text, input));
TABLE_ROW(hurst_by, (text, input), (text, method));
TABLE_ROW(hurst_answer, (text, input), (text, self_similar));
TABLE_ROW(hurst_why, (text, why));
TABLE_ROW(hurst_series, (text, input), (count, points), (real, bin_s, 10), (real, mean, 7),
	  (real, variance, 7));
TABLE_ROW(hurst_estimate, (real, H, DIGITS), (real, H_corrected, DIGITS), (real, H_lo, DIGITS),
	  (real, H_hi, DIGITS), (real, se, DIGITS), (real, slope, DIGITS), (count, scales),
	  (real, scale_min, 12), (real, scale_max, 12), (real, fit, DIGITS), (text, interval));
TABLE_VIEW(hurst_density, struct estimate_density, (real, alpha, DIGITS), (real, alpha_se, DIGITS),
	   (real, level, DIGITS, "c_f"), (real, level_lo, DIGITS, "c_f_lo"),
	   (real, level_hi, DIGITS, "c_f_hi"), (real, log2_level_se, DIGITS, "log2_c_f_se"),
	   (real, correlation, DIGITS));
TABLE_ROW(hurst_point, (text, input), (text, method), (real, scale, 12), (count, blocks),
	  (real, x, 7), (real, y, 7), (real, y_se, DIGITS), (real, line, 7), (yes, fitted));
TABLE_VIEW(hurst_order, struct multiscale_order, (real, q, 3), (real, zeta, DIGITS),
	   (real, zeta_se, DIGITS, "se"), (real, h, DIGITS, "zeta/q"), (real, lo, DIGITS),
	   (real, hi, DIGITS));
TABLE_VIEW(hurst_octaves, struct multiscale, (count, j1), (count, j2));
TABLE_ROW(hurst_leader, (text, input), (real, q, 3), (real, zeta, DIGITS), (real, lo, DIGITS),
	  (real, hi, DIGITS), (real, over_q, DIGITS, "zeta/q"), (count, j1), (count, j2));
TABLE_VIEW(hurst_cumulants, struct leaders, (real, c1, DIGITS),
	   (real, c1_interval.lo, DIGITS, "c1_lo"), (real, c1_interval.hi, DIGITS, "c1_hi"),
	   (real, c2, DIGITS), (real, c2_interval.lo, DIGITS, "c2_lo"),
	   (real, c2_interval.hi, DIGITS, "c2_hi"), (real, zeros, 3), (count, j1), (count, j2));

static void hurst_report_open_multiscale(struct hurst_report *report, double level)
{
	report->multiscale = table_of("multiscale", "Multiscale diagram", hurst_of_fields);
	table_heads(report->multiscale, hurst_order_fields);
	table_heads(report->multiscale, hurst_octaves_fields);
	report->leaders = table_of("leaders", "Wavelet leaders", hurst_leader_fields);
	table_note(report->leaders, "confidence level of zeta: %g %%", 100 * level);
	report->cumulants = table_of("log_cumulants", "Wavelet leaders: log-cumulants",
				     hurst_of_fields);
	table_heads(report->cumulants, hurst_cumulants_fields);
	table_note(report->cumulants,
		   "confidence level %g %%; c1 = H and c2 = 0 if the series has a single H; short "
		   "memory and periods also make c2 differ from 0",
		   100 * level);
}

void hurst_report_open(struct hurst_report *report, bool with_verdicts, bool with_points,
		       bool with_multiscale, double level)
{
	*report = (struct hurst_report){.verdicts = NULL};
	if (with_verdicts) {
		report->verdicts = table_of("verdict", "Self-similarity", hurst_answer_fields);
		table_heads(report->verdicts, series_verdict_fields);
		table_heads(report->verdicts, hurst_why_fields);
		table_note(report->verdicts,
			   "confidence level %g %%; scales in points; power: probability of "
			   "detecting H = .8 in such a series or, for the answer no, of excluding "
			   "long memory where there is none",
			   100 * level);
	}
	report->series = table_of("series", "series", hurst_series_fields);
	report->estimates = table_of("estimates", "Hurst parameter", hurst_by_fields);
	table_heads(report->estimates, hurst_estimate_fields);
	table_note(report->estimates, "confidence level %g %%; scales in points of the series",
		   100 * level);
	report->periods = table_of("periods", "periods", hurst_of_fields);
	table_heads(report->periods, series_period_fields);
	report->densities = table_of(
		"densities",
		"Spectral density near frequency 0: c_f nu^-alpha, nu in cycles per point",
		hurst_by_fields);
	table_heads(report->densities, hurst_density_fields);
	// Chi-square's quantile with two degrees of freedom.
	table_note(report->densities,
		   "intervals: %g %%; both together: (a^2 - 2 r a b + b^2) / (1 - r^2) <= %.3f, "
		   "where a and b are the deviations of alpha and log2 c_f in standard errors, and "
		   "r is the correlation",
		   100 * level, -2 * log(1 - level));
	report->points = with_points ? table_of("points", "Points of the plots", hurst_point_fields)
				     : NULL;
	if (with_multiscale)
		hurst_report_open_multiscale(report, level);
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
	TABLE_PUT(report->series, hurst_series, .input = name, .points = series->n,
		  .bin_s = series->bin.num > 0 ? num_value(series->bin) : NAN, .mean = mean,
		  .variance = variance);
	if (series->lost.count > 0)
		table_note(report->series, "%s: %s", name,
			   lost_points_note(&series->lost, series->n, lost));
}

static void begin_period(struct table *table, const void *name)
{
	table_text(table, name);
}

void hurst_report_periods(struct hurst_report *report, const char *name,
			  const struct series *series, const struct periods *periods, bool removed)
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

void hurst_report_verdict(struct hurst_report *report, const char *name,
			  const struct self_similarity *verdict)
{
	TABLE_PUT(report->verdicts, hurst_answer, .input = name,
		  .self_similar = self_similarity_word(verdict->answer));
	series_verdict_cells(report->verdicts, verdict);
	TABLE_PUT(report->verdicts, hurst_why, .why = verdict->sentence);
}

static void hurst_report_add_points(struct table *table, const char *name,
				    const struct estimator *estimator,
				    const struct estimate *estimate)
{
	for (size_t i = 0; i < estimate->point_count; i++) {
		const struct estimate_point *point = &estimate->points[i];

		TABLE_PUT(table, hurst_point, .input = name, .method = estimator->name,
			  .scale = point->scale, .blocks = point->blocks, .x = point->x,
			  .y = point->y, .y_se = point->se > 0 ? point->se : NAN,
			  .line = estimate->intercept + estimate->slope * point->x,
			  .fitted = point->fitted);
	}
}

static void add_numbers(struct table *table, const struct estimate *estimate)
{
	size_t fitted = 0;

	for (size_t i = 0; i < estimate->point_count; i++)
		fitted += estimate->points[i].fitted;
	TABLE_PUT(table, hurst_estimate, .H = estimate->h, .H_corrected = estimate->h_corrected,
		  .H_lo = estimate->lo, .H_hi = estimate->hi, .se = estimate->se,
		  .slope = estimate->slope, .scales = fitted, .scale_min = estimate->scale_min,
		  .scale_max = estimate->scale_max, .fit = estimate->fit,
		  .interval = estimate->interval);
}

void hurst_report_estimate(struct hurst_report *report, const char *name,
			   const struct estimator *estimator, const struct estimate *estimate,
			   const char *why)
{
	TABLE_PUT(report->estimates, hurst_by, .input = name, .method = estimator->name);
	if (!estimate) {
		for (int i = 0; i < 10; i++)
			table_none(report->estimates);
		table_text(report->estimates, "none");
		table_note(report->estimates, "%s: %s: no estimate: %s", name, estimator->name,
			   why);
		return;
	}
	add_numbers(report->estimates, estimate);
	for (size_t i = 0; i < estimate->warning_count; i++)
		table_note(report->estimates, "%s: %s: %s", name, estimator->name,
			   estimate->warnings[i]);
	if (isfinite(estimate->density.level)) {
		TABLE_PUT(report->densities, hurst_by, .input = name, .method = estimator->name);
		table_row(report->densities, hurst_density_fields, &estimate->density);
	}
	if (report->points)
		hurst_report_add_points(report->points, name, estimator, estimate);
}

void hurst_report_multiscale(struct hurst_report *report, const char *name,
			     const struct multiscale *diagram, const char *why)
{
	struct table *table = report->multiscale;

	if (!diagram)
		table_note(table, "%s: no multiscale diagram: %s", name, why);
	for (size_t i = 0; diagram && i < MULTISCALE_ORDERS; i++) {
		table_text(table, name);
		table_row(table, hurst_order_fields, &diagram->orders[i]);
		table_row(table, hurst_octaves_fields, diagram);
	}
}

void hurst_report_leaders(struct hurst_report *report, const char *name,
			  const struct leaders *leaders, const char *why)
{
	if (!leaders) {
		table_note(report->leaders, "%s: no leaders: %s", name, why);
		return;
	}
	for (size_t i = 0; i < LEADERS_ORDERS; i++) {
		const struct leaders_order *order = &leaders->orders[i];

		TABLE_PUT(report->leaders, hurst_leader, .input = name, .q = order->q,
			  .zeta = order->zeta, .lo = order->interval.lo, .hi = order->interval.hi,
			  .over_q = order->zeta / order->q, .j1 = leaders->j1, .j2 = leaders->j2);
	}
	table_text(report->cumulants, name);
	table_row(report->cumulants, hurst_cumulants_fields, leaders);
}

void hurst_report_agreement(struct hurst_report *report, const char *name,
			    const struct agreement *agreement)
{
	const char *findings[AGREEMENT_FINDINGS_MAX];
	const size_t count = agreement_findings(agreement, findings);

	for (size_t i = 0; i < count; i++)
		table_note(report->estimates, "%s: %s", name, findings[i]);
}

enum tr_status hurst_report_print(const struct hurst_report *report, struct table_style style,
				  FILE *out, struct tr_error *err)
{
	struct table *const all[] = {report->verdicts,	 report->series,    report->estimates,
				     report->periods,	 report->densities, report->points,
				     report->multiscale, report->leaders,   report->cumulants};
	struct table *tables[sizeof(all) / sizeof(*all)];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const bool if_any = all[i] == report->periods || all[i] == report->densities ||
				    all[i] == report->cumulants;

		if (all[i] && (!if_any || table_rows(all[i]) > 0))
			tables[count++] = all[i];
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
