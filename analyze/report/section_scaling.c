// SPDX-License-Identifier: GPL-3.0-or-later
// How the variability of counts changes with the bin's width: the variance-time plot, the index of
// dispersion, and estimates of the Hurst parameter.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/section.h"
#include "stat/counts/bins.h"
#include "stat/hurst/agreement.h"
#include "stat/hurst/estimators.h"
#include "stat/hurst/rescaled_range.h"
#include "stat/intervals/batches.h"
#include "stat/intervals/interval.h"
#include "table/table_rows.h"
#include "value/number.h"

#define HEIGHT 320
#define POINTS_MAX (SCALES_MAX + DYADIC_LEVELS)
#define WIDTH_MIN 1e-4
#define WIDTH_MAX 0.1
#define POX_BLOCKS 48 // shown of each length

struct scale_point {
	double width_s;
	double variance; // of the rate, over the mean rate squared
	double dispersion;
};

// Adds the point of one width if it has a variance.
static void add_point(struct scale_point *points, size_t *count, double width_s,
		      const struct moments *moments)
{
	double mean = moments_mean(moments), variance = moments_variance(moments);

	if (moments->n >= 2 && variance > 0)
		points[(*count)++] = (struct scale_point){width_s, variance / (mean * mean),
							  variance / mean};
}

// The points of the 13 widths, and of dyadic ones beyond them, with at least two complete bins;
// returns their number.
static size_t points_of(const struct stream *stream, struct scale_point points[POINTS_MAX])
{
	const struct counts *counts = &stream->counts;
	const size_t widths = counts->widths.count;
	size_t count = 0;

	if (!counts->scales.started)
		return 0;
	for (size_t i = 0; i < widths; i++) {
		struct moments moments = scales_get(&counts->scales, i).count;

		add_point(points, &count, num_value(counts->widths.seconds[i]), &moments);
	}
	for (unsigned j = 0; j < counts->dyadic.levels; j++) {
		double width_s = ldexp(num_value(counts->widths.finest), (int)j);

		if (width_s > num_value(counts->widths.seconds[widths - 1]))
			add_point(points, &count, width_s, &counts->dyadic.level[j].windows);
	}
	return count;
}

static double point_value(const struct scale_point *point, bool dispersion)
{
	return dispersion ? point->dispersion : point->variance;
}

static void section_scaling_set_axes(struct figure *figure, struct plot *plot,
				     const struct stream *const *list, size_t count,
				     bool dispersion)
{
	struct scale_point points[POINTS_MAX];
	double lo = INFINITY, hi = 0, widest = WIDTH_MAX;

	for (size_t i = 0; i < count; i++)
		for (size_t n = points_of(list[i], points); n-- > 0;) {
			widest = fmax(widest, points[n].width_s);
			lo = fmin(lo, point_value(&points[n], dispersion));
			hi = fmax(hi, point_value(&points[n], dispersion));
		}
	lo = fmin(lo, dispersion ? 1 : 1 / (stream_rate(list[0]) * widest));
	axis_times(figure, &plot->x, 0.7 * WIDTH_MIN, 1.4 * widest);
	if (lo <= hi)
		axis_decades(figure, &plot->y, lo / 1.5, hi * 1.5);
}

// The line of the fit goes through the middle of the points that it was fitted to.
static void add_fit(struct figure *figure, const struct stream *stream, unsigned colour)
{
	const struct variance_slope *fit = &stream->hurst.slope;
	double x = 0, y = 0, n = 0, from = INFINITY, to = 0;

	for (size_t i = 0; i < stream->counts.widths.count; i++) {
		struct scale_moments moments = scales_get(&stream->counts.scales, i);
		double width_s = num_value(stream->counts.widths.seconds[i]);

		if (!fit->used[i])
			continue;
		x += log10(width_s);
		y += log10(moments_variance(&moments.count) / pow(moments_mean(&moments.count), 2));
		from = fmin(from, width_s);
		to = fmax(to, width_s);
		n++;
	}
	if (n < 2 || !isfinite(fit->slope))
		return;
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	for (int end = 0; end < 2; end++)
		figure_row(figure, end ? to : from,
			   pow(10, y / n + fit->slope * (log10(end ? to : from) - x / n)), 0, 0);
}

static void add_points(struct figure *figure, const struct stream *stream, unsigned colour,
		       bool dispersion, const char *title)
{
	struct scale_point points[POINTS_MAX];
	size_t count = points_of(stream, points);

	figure_curve(figure, CURVE_MARKS, colour, title);
	for (size_t i = 0; i < count; i++)
		figure_row(figure, points[i].width_s, point_value(&points[i], dispersion), 0, 0);
}

// The curve of Poisson traffic at the first stream's rate.
static void add_poisson(struct figure *figure, const struct stream *stream, bool dispersion)
{
	struct scale_point points[POINTS_MAX];
	size_t count = points_of(stream, points);

	figure_curve(figure, CURVE_LINE, PALETTE_POISSON, "Poisson");
	for (int end = 0; end < 2; end++) {
		double width_s = !end ? WIDTH_MIN : count ? points[count - 1].width_s : WIDTH_MAX;

		figure_row(figure, width_s, dispersion ? 1 : 1 / (stream_rate(stream) * width_s), 0,
			   0);
	}
}

static void add_scale_panel(const struct report *report, struct figure *figure,
			    const struct stream *const *list, size_t count, bool dispersion,
			    double height)
{
	char label[TEXT_LABEL_BYTES];
	struct plot *plot;

	figure_panel(figure, dispersion ? "Index of dispersion" : "Variance-time plot", height);
	figure_about(figure,
		     dispersion
			     ? "Variance over mean of the counts per bin, against the bin's width."
			     : "Variance of the packet rate against the bin's width.");
	plot = figure_plot(figure, "bin width",
			   dispersion ? "variance-to-mean ratio of counts"
				      : "variance of rate / mean rate²");
	section_scaling_set_axes(figure, plot, list, count, dispersion);
	for (size_t i = 0; i < count; i++) {
		add_points(figure, list[i], palette_stream(i), dispersion,
			   count > 1 ? report_short_name(report, list[i], label) : "counts");
		if (!dispersion)
			add_fit(figure, list[i], palette_stream(i));
	}
	add_poisson(figure, list[0], dispersion);
}

void variance_panel(struct figure *figure, const struct overview *overview)
{
	add_scale_panel(overview->report, figure, overview->list, overview->count, false,
			overview->height);
}

TABLE_ROW(slope, (text, traffic), (count, widths), (known, slope),
	  (text, how, 0, "method of the interval, or warning"));

static void add_slope_row(struct table *table, const struct stream *stream)
{
	const struct variance_slope *slope = &stream->hurst.slope;

	TABLE_PUT(table, slope, .traffic = stream->label, .widths = slope->widths,
		  .slope = {slope->slope, slope->lo, slope->hi},
		  .how = slope->curved	       ? "curved plot: no single slope describes it"
			 : isfinite(slope->lo) ? "jackknife over segments of time"
					       : "too few segments or widths");
}

static void add_slope_table(const struct report *report, struct page *page,
			    const struct stream *const *list, size_t count)
{
	struct table *table = page_table(
		page,
		"Variance-time slopes of the packet counts from 0.1 to 100 ms (%g %% confidence "
		"intervals). Poisson traffic has -1. The slope is not an estimate of H, because "
		"short-range dependence and counting noise bend the plot.",
		report->level * 100);

	table_heads(table, slope_fields);
	for (size_t i = 0; i < count; i++)
		add_slope_row(table, list[i]);
}

TABLE_ROW(hurst_row, (text, traffic), (text, method), (text, scales, 0, "scales fitted"),
	  (count, points));
TABLE_ROW(hurst_numbers, (known, H), (text, how, 0, "method of the interval, or warning"));

static void add_estimate_row(struct table *table, const struct stream *stream,
			     const struct hurst_estimate *own)
{
	const struct estimate *estimate = &own->estimate;
	double width_s = stream->hurst.width_s;
	struct number lo = number_time(estimate->scale_min * width_s, 2);
	struct number hi = number_time(estimate->scale_max * width_s, 2);
	char scales[64];
	uint64_t fitted = 0;

	for (size_t i = 0; i < estimate->point_count; i++)
		fitted += estimate->points[i].fitted;
	(void)snprintf(scales, sizeof(scales), "%.20s to %.20s", lo.text, hi.text);
	TABLE_PUT(table, hurst_row, .traffic = stream->label, .method = own->estimator->title,
		  .scales = scales, .points = fitted);
	if (estimate->lo <= 0.5 && estimate->hi > 1) {
		table_real(table, hurst_best(estimate), 2);
		table_text(table, NULL);
		table_text(table, "no interval: it would reach from 0.5 or below to above 1 and "
				  "exclude nothing");
		return;
	}
	TABLE_PUT(table, hurst_numbers, .H = {hurst_best(estimate), estimate->lo, estimate->hi},
		  .how = estimate->warning_count ? estimate->warnings[0] : estimate->interval);
}

static void add_hurst_table(const struct report *report, struct page *page,
			    const struct stream *const *list, size_t count)
{
	char text[LOST_POINTS_BYTES];
	struct table *table = page_table(
		page,
		"Estimates of the Hurst parameter H of the packet counts (%g %% confidence "
		"intervals). H = 0.5 means no long-range dependence; values near 1 mean bursts on "
		"all time scales.",
		report->level * 100);

	table_heads(table, hurst_row_fields);
	table_heads(table, hurst_numbers_fields);
	for (size_t i = 0; i < count; i++)
		for (size_t e = 0; e < list[i]->hurst.count; e++)
			add_estimate_row(table, list[i], &list[i]->hurst.estimates[e]);
	if (list[0]->hurst.count > 0)
		table_note(table,
			   "The estimators used the %s complete bins of %s of %s: the widest of "
			   "0.1, 1 and 10 ms with at least %d bins. If the bias of a method is "
			   "known, H is corrected for it.",
			   number_count(list[0]->hurst.n).text,
			   number_width(list[0]->hurst.width_s).text, list[0]->label,
			   BINS_SERIES_MIN);
	for (size_t i = 0; i < count; i++) {
		const struct lost_points lost = counts_lost(&list[i]->counts);

		if (lost.count > 0)
			table_note(table, "%s: %s.", list[i]->label,
				   lost_points_note(&lost, list[i]->hurst.n, text));
	}
}

// The findings from all methods for a stream.
static void say_agreement(struct page *page, const struct stream *stream)
{
	const char *findings[AGREEMENT_FINDINGS_MAX];
	struct agreement agreement;
	size_t count;

	agreement_open(&agreement);
	for (size_t e = 0; e < stream->hurst.count; e++)
		agreement_add(&agreement, stream->hurst.estimates[e].estimator,
			      &stream->hurst.estimates[e].estimate);
	count = agreement_findings(&agreement, findings);
	for (size_t i = 0; i < count; i++)
		page_paragraph(page, "Warning for %s: %s.", stream->label, findings[i]);
}

static void add_estimate_points(struct figure *figure, const struct estimate *estimate, bool fitted,
				unsigned colour)
{
	figure_curve(figure, CURVE_MARKS, colour, NULL);
	for (size_t i = 0; i < estimate->point_count; i++)
		if (estimate->points[i].fitted == fitted)
			figure_row(figure, estimate->points[i].x, estimate->points[i].y, 0, 0);
}

// R/S of single blocks, whose means the plot shows.
static void add_pox(struct figure *figure, const struct stream *stream,
		    const struct estimate *estimate)
{
	size_t n;
	double width_s;
	const double *series = counts_series(&stream->counts, &n, &width_s);

	figure_curve(figure, CURVE_MARKS, 5, NULL);
	for (size_t i = 0; series && i < estimate->point_count; i++) {
		size_t m = (size_t)estimate->points[i].scale, blocks = n / m;
		size_t step = (blocks + POX_BLOCKS - 1) / POX_BLOCKS;

		for (size_t b = 0; b < blocks; b += step)
			figure_row(figure, estimate->points[i].x,
				   log10(rescaled_range_ratio(series + b * m, m)), 0, 0);
	}
}

static void add_estimate_panel(struct figure *figure, const struct stream *stream,
			       const struct hurst_estimate *own, unsigned colour, bool several)
{
	const struct estimate *estimate = &own->estimate;
	char title[200], label[TEXT_LABEL_BYTES] = "";

	if (several)
		(void)snprintf(label, sizeof(label), ", %.100s", stream->label);
	(void)snprintf(title, sizeof(title), "%s%s: H = %s by the slope", own->estimator->title,
		       label, number_real(estimate->h, 3).text);
	*title = (char)(*title >= 'a' && *title <= 'z' ? *title - 'a' + 'A' : *title);
	figure_panel(figure, title, 280);
	figure_about(figure, "%s against %s, with the fitted line.", own->estimator->y_label,
		     own->estimator->x_label);
	figure_plot(figure, own->estimator->x_label, own->estimator->y_label);
	if (own->estimator == &rescaled_range)
		add_pox(figure, stream, estimate);
	add_estimate_points(figure, estimate, false, 0);
	add_estimate_points(figure, estimate, true, colour);
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	for (size_t i = 0; i < estimate->point_count; i++)
		if (estimate->points[i].fitted)
			figure_row(figure, estimate->points[i].x,
				   estimate->intercept + estimate->slope * estimate->points[i].x, 0,
				   0);
}

// The plots common in papers: the others look like one of these.
static bool has_panel(const struct estimator *estimator)
{
	static const char *const shown[] = {"aggvar", "rs", "periodogram", "haar"};

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		if (strcmp(estimator->name, shown[i]) == 0)
			return true;
	return false;
}

// For captured streams; generated ones are only in the table.
static void add_estimate_figure(struct page *page, const struct stream *const *list, size_t count)
{
	struct figure *figure = NULL;
	size_t measured = 0;

	for (size_t i = 0; i < count; i++)
		measured += !list[i]->generated;
	for (size_t i = 0; i < count; i++)
		for (size_t e = 0; e < list[i]->hurst.count && (!list[i]->generated || count == 1);
		     e++) {
			if (!has_panel(list[i]->hurst.estimates[e].estimator))
				continue;
			if (!figure)
				figure = page_figure(page, 2, "Plots of the estimators");
			add_estimate_panel(figure, list[i], &list[i]->hurst.estimates[e],
					   palette_stream(i), measured > 1);
		}
	if (figure)
		page_caption(
			page, figure,
			"The thin line is fitted to round and square marks, not to crosses. H is "
			"that of the slope, before any correction; block lengths are in bins. The "
			"pox plot of R/S also shows single blocks, at most %d of each length.",
			POX_BLOCKS);
}

// The interval of the mean of all bins, as a part of it; the bins of the series for estimators are
// as many as can be had in order.
static struct interval mean_share(const struct stream *stream, double level)
{
	struct batches batches = {.width = 0};
	struct known_mean known;
	double width_s;
	size_t n = 0;
	const double *series = counts_series(&stream->counts, &n, &width_s);

	for (size_t i = 0; series && i < n; i++)
		batches_add(&batches, (int64_t)series[i]);
	known = batches_known(&batches, level);
	return (struct interval){known.interval.lo / known.mean, known.interval.hi / known.mean};
}

TABLE_ROW(scale, (real, ms, 2, "bin (ms)"), (count, bins, 0, "complete bins"), (error, mean),
	  (error, variance), (count, peak), (real, peak_to_mean, 3, "peak / mean"),
	  (error, dispersion, 0, "variance / mean"));

static void add_scales_table(struct page *page, const struct stream *stream, double level)
{
	struct table *table = page_table(page,
					 "Packets per bin, %s. The mean has as many digits as its "
					 "%g %% confidence interval supports, or four without one.",
					 stream->label, level * 100);
	const struct interval share = mean_share(stream, level);

	table_heads(table, scale_fields);
	for (size_t i = 0; i < stream->counts.widths.count; i++) {
		struct moments complete = scales_get(&stream->counts.scales, i).count;
		struct moments edges = scales_edges(&stream->counts.scales, i).count,
			       all = complete;
		double mean = moments_mean(&complete), variance = moments_variance(&complete);

		moments_merge(&all, &edges);
		TABLE_PUT(table, scale, .ms = num_value(stream->counts.widths.seconds[i]) * 1e3,
			  .bins = complete.n, .mean = {mean, share.lo * mean, share.hi * mean},
			  .variance = table_interval_of_variance(variance, complete.n),
			  .peak = all.n ? (uint64_t)all.max : 0,
			  .peak_to_mean = (double)all.max / mean,
			  .dispersion = table_interval_of_variance(variance / mean, complete.n));
	}
}

void scaling_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t all = report_streams(report, list, REPORT_STREAMS), count = 0;
	struct figure *figure;

	for (size_t i = 0; i < all; i++)
		if (list[i]->counts.scales.started && stream_duration(list[i]) > 0)
			list[count++] = list[i];
	if (count == 0) {
		page_paragraph(page,
			       "Too few packets, or too coarse timestamps, for counts per bin.");
		return;
	}
	figure = page_figure(page, 2,
			     "Variance-time plot and index of dispersion of the packet counts");
	add_scale_panel(report, figure, list, count, false, HEIGHT);
	add_scale_panel(report, figure, list, count, true, HEIGHT);
	page_caption(page, figure,
		     "Complete bins only. Left: the variance of the packet rate over its squared "
		     "mean; a thin "
		     "line is the least-squares fit over the widths with at least %d bins. "
		     "Right: variance over mean of the count; 1 for Poisson traffic at every "
		     "width, growing "
		     "as the %s power of the width for long-range dependence.",
		     VARIANCE_SLOPE_BINS, "(2H - 1)th");
	add_slope_table(report, page, list, count);
	add_hurst_table(report, page, list, count);
	for (size_t i = 0; i < count; i++)
		say_agreement(page, list[i]);
	add_estimate_figure(page, list, count);
	for (size_t i = 0; i < count; i++)
		if (!list[i]->generated)
			add_scales_table(page, list[i], report->level);
}
