// SPDX-License-Identifier: GPL-3.0-or-later
#include "flithurst.h"

#include <math.h>

#include "stat/counts/live_reports.h"
#include "table/table_rows.h"
#include "value/ticks.h"

// ---- tables

TABLE_ROW(hurst_now, (count, bins), (real, bin_s, 10), (real, mean, 7), (real, variance, 7),
	  (real, dispersion, 7));
TABLE_ROW(hurst_scale, (text, input), (real, width_s, 10), (count, windows), (real, mean, 7),
	  (real, dispersion, 7), (real, peak_to_mean, 7));

static struct table *now_table(const struct hurst_live *live, int64_t index)
{
	const struct num_ratio bin = live->feed.bin;
	const struct moments *bins = &live->dyadic.level[0].windows;
	struct table *table = table_new("now", "Counts so far");

	table_columns(table, "input time_s");
	table_heads(table, hurst_now_fields);
	table_text(table, live->name);
	if (live->dyadic.started)
		table_seconds(
			table,
			tr_mul_div_floor(index, (uint64_t)bin.num * 1000000000, (uint64_t)bin.den),
			1000000000);
	else
		table_none(table);
	TABLE_PUT(table, hurst_now, .bins = bins->n, .bin_s = bin.num > 0 ? num_value(bin) : NAN,
		  .mean = moments_mean(bins), .variance = moments_variance(bins),
		  .dispersion = dyadic_dispersion(&live->dyadic, 0));
	return table;
}

static struct table *scale_table(const struct hurst_live *live)
{
	struct table *table = table_of("scales", "sums over windows", hurst_scale_fields);

	for (unsigned j = 0; j < live->dyadic.levels; j++) {
		const struct moments *windows = &live->dyadic.level[j].windows;

		TABLE_PUT(table, hurst_scale, .input = live->name,
			  .width_s = ldexp(num_value(live->feed.bin), (int)j),
			  .windows = windows->n, .mean = moments_mean(windows),
			  .dispersion = dyadic_dispersion(&live->dyadic, j),
			  .peak_to_mean = (double)windows->max / moments_mean(windows));
	}
	return table;
}

static enum tr_status estimate_now(const struct hurst_live *live,
				   const struct dyadic_estimator *estimator, struct estimate *out,
				   struct tr_error *err)
{
	const uint64_t bins = live->dyadic.level[0].windows.n;

	if (bins < estimator->like->n_min)
		return tr_fail(err, "needs %zu points, but there are %llu", estimator->like->n_min,
			       (unsigned long long)bins);
	return estimator->run(&live->dyadic, live->estimate, out, err);
}

static void add_estimates(const struct hurst_live *live, struct hurst_report *report)
{
	for (size_t i = 0; i < DYADIC_ESTIMATORS; i++) {
		const struct dyadic_estimator *estimator = &dyadic_estimators[i];
		struct estimate estimate;
		struct tr_error err;

		if (!live->wanted[i])
			continue;
		if (estimate_now(live, estimator, &estimate, &err) == TR_OK)
			hurst_report_estimate(report, live->name, estimator->like, &estimate, NULL);
		else
			hurst_report_estimate(report, live->name, estimator->like, NULL, err.text);
	}
}

// Prints the results up to bin index.
static enum tr_status hurst_live_print(const struct hurst_live *live, int64_t index,
				       struct tr_error *err)
{
	struct table *now = now_table(live, index),
		     *scales = live->points ? scale_table(live) : NULL;
	struct hurst_report report;
	enum tr_status status;

	hurst_report_open(&report, false, live->points, false, live->estimate->level);
	add_estimates(live, &report);
	status = tables_print((struct table *[]){now, report.estimates, scales, report.points},
			      live->points ? 4 : 2, live->style, "flithurst", live->out, err);
	hurst_report_close(&report);
	table_free(now);
	table_free(scales);
	if (status == TR_OK && fflush(live->out) != 0)
		return tr_fail(err, "writing the output failed");
	return status;
}

// ---- bins

// Finds when reports are due, at the first bin.
static enum tr_status schedule(struct hurst_live *live, int64_t index, struct tr_error *err)
{
	const struct num_ratio every = live->every, bin = live->feed.bin;
	const __int128 whole = (__int128)every.num * bin.den, part = (__int128)every.den * bin.num;

	if (whole % part != 0 || whole / part > INT64_MAX / 4)
		return tr_fail(err, "--every must be a multiple of the bin width, %g s",
			       num_value(bin));
	live->period = (int64_t)(whole / part);
	live->due = (index - (index % live->period + live->period) % live->period) + live->period;
	return TR_OK;
}

// All bins before index are complete.
static enum tr_status hurst_live_reach(void *context, int64_t index, struct tr_error *err)
{
	struct hurst_live *live = context;

	if (live->period == 0)
		return TR_OK;
	if (live_reports_check(live->due, index, live->period, err) != TR_OK)
		return TR_ERROR;
	for (; index >= live->due; live->due += live->period) {
		dyadic_pass(&live->dyadic, live->due);
		if (hurst_live_print(live, live->due, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status hurst_live_take(void *context, const struct bin_run *run,
				      struct tr_error *err)
{
	struct hurst_live *live = context;

	if (live->period == 0 && schedule(live, run->index, err) != TR_OK)
		return TR_ERROR;
	if (hurst_live_reach(live, run->index, err) != TR_OK)
		return TR_ERROR;
	return dyadic_take(&live->dyadic, run, err);
}

void hurst_live_start(struct hurst_live *live, const char *name, bool of_bytes)
{
	live->name = name;
	live->feed = (struct bin_feed){
		.sink = hurst_live_take, .time = hurst_live_reach, .context = live};
	live->dyadic = (struct dyadic){.of_bytes = of_bytes};
	live->period = 0;
}

enum tr_status hurst_live_end(struct hurst_live *live, struct tr_error *err)
{
	return hurst_live_print(live, live->dyadic.open.index, err);
}
