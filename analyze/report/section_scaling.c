// SPDX-License-Identifier: GPL-3.0-or-later
// How the variability of counts changes with the bin's width: the variance-time plot, the index of dispersion, and
// estimates of the Hurst parameter.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/axis_tics.h"
#include "report/number.h"
#include "report/section.h"
#include "stat/estimator.h"
#include "stat/variance_slope.h"

#define TRAFFICS 4
#define HEIGHT 320

struct scale_point {
	double width_s;
	double variance; // of the rate, over the mean rate squared
	double dispersion;
};

// The points of the widths with at least two complete bins; returns how many.
static size_t points_of(const struct traffic *traffic, struct scale_point *points)
{
	size_t count = 0;

	for (size_t i = 0; traffic->counts.scales.started && i < traffic->counts.widths.count; i++) {
		struct scale_moments moments = scales_get(&traffic->counts.scales, i);
		double mean = moments_mean(&moments.count), variance = moments_variance(&moments.count);

		if (moments.count.n < 2 || !(variance > 0))
			continue;
		points[count++] = (struct scale_point){
			num_value(traffic->counts.widths.seconds[i]), variance / (mean * mean),
			variance / mean};
	}
	return count;
}

static double point_value(const struct scale_point *point, bool dispersion)
{
	return dispersion ? point->dispersion : point->variance;
}

static void set_axes(struct figure *figure, struct plot *plot, const struct traffic *const *list,
		     size_t count, bool dispersion)
{
	struct scale_point points[SCALES_MAX];
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t n = points_of(list[i], points); n-- > 0;) {
			lo = fmin(lo, point_value(&points[n], dispersion));
			hi = fmax(hi, point_value(&points[n], dispersion));
		}
	if (dispersion)
		lo = fmin(lo, 1);
	axis_times(figure, &plot->x, 0.7e-4, 0.14);
	if (lo <= hi)
		axis_decades(figure, &plot->y, lo / 1.5, hi * 1.5);
}

// The line of the fit goes through the middle of the points that it was fitted to.
static void add_fit(struct figure *figure, const struct traffic *traffic, unsigned colour)
{
	struct variance_slope fit = variance_slope(&traffic->counts.scales, SCALE_COUNT, 0.95);
	double x = 0, y = 0, n = 0, from = INFINITY, to = 0;

	for (size_t i = 0; i < traffic->counts.widths.count; i++) {
		struct scale_moments moments = scales_get(&traffic->counts.scales, i);
		double width_s = num_value(traffic->counts.widths.seconds[i]);

		if (!fit.used[i])
			continue;
		x += log10(width_s);
		y += log10(moments_variance(&moments.count) / pow(moments_mean(&moments.count), 2));
		from = fmin(from, width_s);
		to = fmax(to, width_s);
		n++;
	}
	if (n < 2 || !isfinite(fit.slope))
		return;
	figure_curve(figure, CURVE_DASHED, colour, "fit");
	for (int end = 0; end < 2; end++)
		figure_row(figure, end ? to : from,
			   pow(10, y / n + fit.slope * (log10(end ? to : from) - x / n)), 0, 0);
}

static void add_points(struct figure *figure, const struct traffic *traffic, unsigned colour,
		       bool dispersion, const char *title)
{
	struct scale_point points[SCALES_MAX];
	size_t count = points_of(traffic, points);

	figure_curve(figure, CURVE_MARKS, colour, title);
	for (size_t i = 0; i < count; i++)
		figure_row(figure, points[i].width_s, point_value(&points[i], dispersion), 0, 0);
}

// What Poisson traffic of the first stream's rate would show.
static void add_poisson(struct figure *figure, const struct traffic *traffic, bool dispersion)
{
	double rate = (double)traffic_packets(traffic) / traffic_duration(traffic);

	figure_curve(figure, CURVE_LINE, 3, "Poisson");
	for (int end = 0; end < 2; end++) {
		double width_s = end ? 0.1 : 1e-4;

		figure_row(figure, width_s, dispersion ? 1 : 1 / (rate * width_s), 0, 0);
	}
}

static void add_scale_panel(struct figure *figure, const struct traffic *const *list, size_t count,
			    bool dispersion)
{
	struct plot *plot;

	figure_panel(figure, dispersion ? "Index of dispersion" : "Variance-time plot", HEIGHT);
	figure_about(figure, dispersion ? "Variance over mean of the counts per bin, against the bin's width."
					: "Variance of the packet rate against the bin's width.");
	plot = figure_plot(figure, "bin width", dispersion ? "variance / mean of the count"
							    : "variance of rate / mean rate²");
	set_axes(figure, plot, list, count, dispersion);
	for (size_t i = 0; i < count; i++) {
		add_points(figure, list[i], (unsigned)i + 1, dispersion,
			   list[i]->generated ? "model" : count > 1 ? "trace" : "counts");
		if (!dispersion)
			add_fit(figure, list[i], (unsigned)i + 1);
	}
	add_poisson(figure, list[0], dispersion);
}

static void add_slope_row(struct grid *grid, const struct traffic *traffic, double level)
{
	struct variance_slope fit = variance_slope(&traffic->counts.scales, SCALE_COUNT, level);

	grid_text(grid, traffic->label);
	grid_text(grid, "slope of the variance-time plot");
	grid_text(grid, "0.1 to 100 ms");
	grid_count(grid, fit.widths);
	grid_real(grid, 1 + fit.slope / 2, 3);
	grid_range(grid, 1 + fit.lo / 2, 1 + fit.hi / 2, 2);
	grid_text(grid, isfinite(fit.lo) ? "jackknife over segments of time" : "too few segments or widths");
}

static void add_estimate_row(struct grid *grid, const struct traffic *traffic,
			     const struct estimator *estimator, const struct estimate *estimate,
			     double width_s)
{
	struct number lo = number_time(estimate->scale_min * width_s, 2);
	struct number hi = number_time(estimate->scale_max * width_s, 2);
	char scales[64];
	uint64_t fitted = 0;

	for (size_t i = 0; i < estimate->point_count; i++)
		fitted += estimate->points[i].fitted;
	(void)snprintf(scales, sizeof scales, "%.20s to %.20s", lo.text, hi.text);
	grid_text(grid, traffic->label);
	grid_text(grid, estimator->title);
	grid_text(grid, scales);
	grid_count(grid, fitted);
	grid_real(grid, isfinite(estimate->h_corrected) ? estimate->h_corrected : estimate->h, 3);
	grid_range(grid, estimate->lo, estimate->hi, 2);
	grid_text(grid, estimate->warning_count ? estimate->warnings[0]
			: estimate->interval    ? estimate->interval : NULL);
}

static void add_estimate_panel(struct figure *figure, const struct traffic *traffic,
			       const struct estimator *estimator, const struct estimate *estimate,
			       unsigned colour)
{
	char title[200], label[TEXT_LABEL_BYTES];

	(void)snprintf(title, sizeof title, "%s, %s", estimator->title,
		       text_shorten(traffic->label, 30, label));
	figure_panel(figure, title, 280);
	figure_about(figure, "%s against %s, with the fitted line.", estimator->y_label, estimator->x_label);
	figure_plot(figure, estimator->x_label, estimator->y_label);
	figure_inside(figure, "H = %s", number_real(estimate->h, 3).text);
	figure_curve(figure, CURVE_MARKS, 0, NULL);
	for (size_t i = 0; i < estimate->point_count; i++)
		if (!estimate->points[i].fitted)
			figure_row(figure, estimate->points[i].x, estimate->points[i].y, 0, 0);
	figure_curve(figure, CURVE_MARKS, colour, NULL);
	for (size_t i = 0; i < estimate->point_count; i++)
		if (estimate->points[i].fitted)
			figure_row(figure, estimate->points[i].x, estimate->points[i].y, 0, 0);
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	for (size_t i = 0; i < estimate->point_count; i++)
		if (estimate->points[i].fitted)
			figure_row(figure, estimate->points[i].x,
				   estimate->intercept + estimate->slope * estimate->points[i].x, 0, 0);
}

// Runs one estimator over a stream's counts and shows what came out.
static void add_estimate(struct grid *grid, struct figure *figure, const struct report *report,
			 const struct traffic *traffic, const struct estimator *estimator,
			 unsigned colour)
{
	struct estimate_options options = {.level = report->level};
	struct estimate estimate;
	struct tr_error err;
	double width_s, *workspace;
	size_t n;
	const double *series = counts_series(&traffic->counts, &n, &width_s);

	if (!series || n < estimator->n_min)
		return;
	workspace = calloc(estimator->workspace(n) + 1, sizeof *workspace);
	if (!workspace) {
		grid->failed = true;
		return;
	}
	if (estimator->run(series, n, &options, workspace, &estimate, &err) == TR_OK) {
		add_estimate_row(grid, traffic, estimator, &estimate, width_s);
		add_estimate_panel(figure, traffic, estimator, &estimate, colour);
	}
	free(workspace);
}

static void add_series_note(struct grid *grid, const struct traffic *const *list, size_t count)
{
	double width_s;
	size_t n;

	if (count == 0 || !counts_series(&list[0]->counts, &n, &width_s))
		return;
	grid_note(grid, "The estimators ran over the %s complete bins of %s of %s: the widest of 0.1, 1 and "
		  "10 ms that gives %d or more. H is without the method's known bias where the table of the "
		  "interval's simulation gives it.", number_count(n).text, number_time(width_s, 3).text,
		  list[0]->label, COUNTS_SERIES_MIN);
}

static void add_hurst(const struct report *report, struct page *page,
		      const struct traffic *const *list, size_t count)
{
	struct grid *grid = page_grid(page, "Estimates of the Hurst parameter H of the packet counts "
				      "(%g %% intervals). H = 0.5: no long-range dependence; towards 1: bursts "
				      "on all scales.", report->level * 100);
	struct figure *figure = page_figure(page, 2, "The estimators' plots");

	grid_words(grid, "traffic");
	grid_words(grid, "method");
	grid_words(grid, "scales fitted");
	grid_numbers(grid, "points");
	grid_numbers(grid, "H");
	grid_numbers(grid, "interval");
	grid_words(grid, "interval by, or warning");
	for (size_t i = 0; i < count; i++) {
		add_slope_row(grid, list[i], report->level);
		for (size_t e = 0; estimators[e]; e++)
			add_estimate(grid, figure, report, list[i], estimators[e], (unsigned)i + 1);
	}
	add_series_note(grid, list, count);
	page_caption(page, figure, "Filled marks were fitted, crosses were not; the dashed line is the fit. "
		     "H in the corner is the slope's, before any correction.");
}

static void add_scales_table(struct page *page, const struct traffic *traffic)
{
	struct grid *grid = page_grid(page, "Packets per bin, %s.", traffic->label);

	grid_numbers(grid, "bin (ms)");
	grid_numbers(grid, "complete bins");
	grid_numbers(grid, "mean");
	grid_numbers(grid, "variance");
	grid_numbers(grid, "peak");
	grid_numbers(grid, "peak / mean");
	grid_numbers(grid, "variance / mean");
	for (size_t i = 0; i < traffic->counts.widths.count; i++) {
		struct moments complete = scales_get(&traffic->counts.scales, i).count;
		struct moments edges = scales_edges(&traffic->counts.scales, i).count, all = complete;
		double mean = moments_mean(&complete), variance = moments_variance(&complete);

		moments_merge(&all, &edges);
		grid_real(grid, num_value(traffic->counts.widths.seconds[i]) * 1e3, 2);
		grid_count(grid, complete.n);
		grid_real(grid, mean, 4);
		grid_real(grid, variance, 4);
		grid_count(grid, all.n ? (uint64_t)all.max : 0);
		grid_real(grid, (double)all.max / mean, 3);
		grid_real(grid, variance / mean, 3);
	}
}

void scaling_build(const struct report *report, struct page *page)
{
	const struct traffic *list[TRAFFICS];
	size_t all = report_traffics(report, list, TRAFFICS), count = 0;
	struct figure *figure;

	for (size_t i = 0; i < all; i++)
		if (list[i]->counts.scales.started && traffic_duration(list[i]) > 0)
			list[count++] = list[i];
	if (count == 0) {
		page_paragraph(page, "There are too few packets, or too coarse time stamps, for counts per bin.");
		return;
	}
	figure = page_figure(page, 2, "Variance-time plot and index of dispersion of the packet counts");
	add_scale_panel(figure, list, count, false);
	add_scale_panel(figure, list, count, true);
	page_caption(page, figure,
		     "Complete bins only. Left: the variance of the packet rate over its squared mean; the dashed "
		     "line is the least-squares fit over the widths with at least %d bins, whose slope is 2H - 2. "
		     "Right: variance over mean of the count; 1 for Poisson traffic at every width, growing "
		     "as the %s power of the width for long-range dependence.",
		     VARIANCE_SLOPE_BINS, "(2H - 1)th");
	add_hurst(report, page, list, count);
	for (size_t i = 0; i < count; i++)
		if (!list[i]->generated)
			add_scales_table(page, list[i]);
}
