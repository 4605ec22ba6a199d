// SPDX-License-Identifier: GPL-3.0-or-later
#include "burstiness_report.h"

#include <math.h>

#include "stat/goh_barabasi.h"
#include "trace/ticks.h"

#define DIGITS 6
#define COLUMNS_MAX 14

struct form {
	const char *name;
	const char *title;
	const char *columns[COLUMNS_MAX]; // after "of", the stream
};

static const struct form forms[BURSTINESS_TABLES] = {
	[TABLE_NOW] = {"now", "so far", {NULL}},
	[TABLE_BURSTINESS] = {"burstiness",
			      "gaps and sizes",
			      {"packets", "bytes", "duration_s", "gap_mean_s", "gap_cv", "B", "B_finite", "memory",
			       "size_mean_B", "size_cv"}},
	[TABLE_BURSTS] = {"bursts", "bursts by the gap that ends them", {"threshold_s", "basis", "depth", "bursts", "duty"}},
	[TABLE_ON_OFF] = {"on_off",
			  "bursts (ON) and silences (OFF)",
			  {"quantity", "n", "mean", "cv", "p50", "p90", "p99", "max"}},
	[TABLE_THRESHOLDS] = {"thresholds",
			      "bursts by other thresholds",
			      {"threshold_s", "factor", "bursts", "packets_mean", "bytes_mean", "on_mean_s", "off_mean_s",
			       "duty"}},
	[TABLE_WINDOWS] = {"windows",
			   "dispersion of counts, and peak to mean, over windows of time",
			   {"width_s", "windows", "packets_mean", "packets_idc", "packets_idc_lo", "packets_idc_hi",
			    "packets_peak_to_mean", "bytes_idc_B", "bytes_idc_lo_B", "bytes_idc_hi_B", "bytes_peak_to_mean"}},
	[TABLE_GAPS] = {"gaps", "dispersion of sums of gaps", {"gaps", "sums", "idi", "idi_lo", "idi_hi"}},
	[TABLE_AUTOCORRELATION] = {"autocorrelation", "autocorrelation", {"lag", "gaps", "sizes"}},
	[TABLE_HISTOGRAM] = {"gap_histogram", "histogram of gaps", {"from_s", "to_s", "gaps"}},
	[TABLE_DISTRIBUTION] = {"distributions",
				"distributions of bursts and silences",
				{"quantity", "up_to", "n", "share_above"}},
};

static bool is_wanted(const struct burstiness_report *report, enum burstiness_table which)
{
	if (which == TABLE_NOW)
		return report->now;
	if (which >= TABLE_HISTOGRAM)
		return report->points;
	return report->scales || which <= TABLE_ON_OFF;
}

void burstiness_report_open(struct burstiness_report *report)
{
	for (int i = 0; i < BURSTINESS_TABLES; i++) {
		report->tables[i] = NULL;
		if (!is_wanted(report, (enum burstiness_table)i))
			continue;
		report->tables[i] = table_new(forms[i].name, forms[i].title);
		if (i == TABLE_NOW) {
			table_column(report->tables[i], "time_s");
			table_column(report->tables[i], "packets");
			continue;
		}
		table_column(report->tables[i], "of");
		for (size_t c = 0; c < COLUMNS_MAX && forms[i].columns[c]; c++)
			table_column(report->tables[i], forms[i].columns[c]);
	}
	table_note(report->tables[TABLE_ON_OFF],
		   "quantiles are right to 3.2 %%; ON is from a burst's first packet to its last");
	if (report->scales) {
		table_note(report->tables[TABLE_WINDOWS],
			   "intervals: %g %%, jackknife over segments of time; dependence across "
			   "segments is not in them",
			   100 * report->level);
		table_note(report->tables[TABLE_GAPS], "intervals: %g %%, jackknife over runs of gaps", 100 * report->level);
	}
}

void burstiness_report_now(struct burstiness_report *report, const char *time_s, uint64_t packets)
{
	table_decimal(report->tables[TABLE_NOW], time_s);
	table_count(report->tables[TABLE_NOW], packets);
}

static void add_summary(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	struct table *table = report->tables[TABLE_BURSTINESS];
	const struct moments *gaps = &b->gaps.moments, *sizes = &b->sizes.moments;

	table_text(table, name);
	table_count(table, b->packets);
	table_count(table, b->size_bytes);
	table_real(table, tr_ticks_seconds(b->last_ticks - b->first_ticks, report->ticks_per_s), 12);
	table_real(table, moments_mean(gaps) / (double)report->ticks_per_s, DIGITS + 1);
	table_real(table, moments_sd(gaps) / moments_mean(gaps), DIGITS);
	table_real(table, goh_barabasi(gaps), DIGITS);
	table_real(table, goh_barabasi_finite(gaps), DIGITS);
	table_real(table, lagged_memory(&b->gaps), DIGITS);
	table_real(table, moments_mean(sizes), DIGITS);
	table_real(table, moments_sd(sizes) / moments_mean(sizes), DIGITS);
}

void burstiness_report_add(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	add_summary(report, name, b);
	burst_rows(report, name, b);
	if (report->scales)
		scale_rows(report, name, b);
}

enum tr_status burstiness_report_print(const struct burstiness_report *report, struct table_style style, FILE *out,
				       struct tr_error *err)
{
	struct table *tables[BURSTINESS_TABLES];
	size_t count = 0;

	for (int i = 0; i < BURSTINESS_TABLES; i++)
		if (report->tables[i])
			tables[count++] = report->tables[i];
	return tables_print(tables, count, style, "flitburst", out, err);
}

void burstiness_report_close(struct burstiness_report *report)
{
	for (int i = 0; i < BURSTINESS_TABLES; i++)
		table_free(report->tables[i]);
}
