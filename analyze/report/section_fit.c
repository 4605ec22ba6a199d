// SPDX-License-Identifier: GPL-3.0-or-later
// What a model's traffic has in common with the trace, number by number.
#include <math.h>
#include <stdio.h>

#include "report/distribution.h"
#include "report/number.h"
#include "report/section.h"
#include "stat/variance_slope.h"

static void add_row(struct grid *grid, const char *what, double trace, double model, int digits)
{
	grid_text(grid, what);
	grid_real(grid, trace, digits);
	grid_real(grid, model, digits);
	grid_real(grid, trace != 0 ? model / trace : NAN, 3);
}

static double rate(const struct traffic *traffic)
{
	return (double)traffic_packets(traffic) / traffic_duration(traffic);
}

static double byte_rate(const struct traffic *traffic)
{
	return (double)traffic->classes[TRAFFIC_ALL].size_bytes.sum / traffic_duration(traffic) / 1e6;
}

static double gap_quantile(const struct traffic *traffic, double p)
{
	return 1e6 * (double)quantile_get(&traffic->gaps, p) / (double)traffic->ticks_per_s;
}

static double gap_variation(const struct traffic *traffic)
{
	return moments_sd(&traffic->gap_ticks) / moments_mean(&traffic->gap_ticks);
}

static double overhead_share(const struct traffic *traffic)
{
	return 100 * (double)traffic->classes[TR_CLASS_OVERHEAD].size_bytes.n /
	       (double)traffic_packets(traffic);
}

// Variance over mean of the counts at a width.
static double dispersion(const struct traffic *traffic, size_t scale)
{
	struct moments count;

	if (!traffic->counts.scales.started)
		return NAN;
	count = scales_get(&traffic->counts.scales, scale).count;
	return moments_variance(&count) / moments_mean(&count);
}

static void add_dispersions(struct grid *grid, const struct traffic *trace, const struct traffic *model)
{
	static const size_t shown[] = {0, 4, 8, 12};

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		char what[64];

		if (shown[i] >= trace->counts.widths.count)
			continue;
		(void)snprintf(what, sizeof what, "variance / mean of counts, %g ms bins",
			       num_value(trace->counts.widths.seconds[shown[i]]) * 1e3);
		add_row(grid, what, dispersion(trace, shown[i]), dispersion(model, shown[i]), 3);
	}
}

static double hurst(const struct traffic *traffic)
{
	if (!traffic->counts.scales.started)
		return NAN;
	return 1 + variance_slope(&traffic->counts.scales, SCALE_COUNT, 0.95).slope / 2;
}

static void add_table(struct page *page, const struct traffic *trace, const struct traffic *model)
{
	struct grid *grid = page_grid(page, "%s against %s.", model->label, trace->label);

	grid_words(grid, "quantity");
	grid_numbers(grid, "trace");
	grid_numbers(grid, "model");
	grid_numbers(grid, "model / trace");
	add_row(grid, "packets/s", rate(trace), rate(model), 4);
	add_row(grid, "payload (MB/s)", byte_rate(trace), byte_rate(model), 4);
	add_row(grid, "overhead (% of packets)", overhead_share(trace), overhead_share(model), 4);
	add_row(grid, "mean size, data (B)", moments_mean(&trace->classes[TR_CLASS_DATA].size_bytes),
		moments_mean(&model->classes[TR_CLASS_DATA].size_bytes), 5);
	add_row(grid, "deviation of size, data (B)", moments_sd(&trace->classes[TR_CLASS_DATA].size_bytes),
		moments_sd(&model->classes[TR_CLASS_DATA].size_bytes), 4);
	add_row(grid, "mean size, overhead (B)", moments_mean(&trace->classes[TR_CLASS_OVERHEAD].size_bytes),
		moments_mean(&model->classes[TR_CLASS_OVERHEAD].size_bytes), 4);
	add_row(grid, "median gap (µs)", gap_quantile(trace, 0.5), gap_quantile(model, 0.5), 4);
	add_row(grid, "99 % gap (µs)", gap_quantile(trace, 0.99), gap_quantile(model, 0.99), 4);
	add_row(grid, "deviation / mean of gaps", gap_variation(trace), gap_variation(model), 3);
	add_dispersions(grid, trace, model);
	add_row(grid, "H, slope of the variance-time plot", hurst(trace), hurst(model), 3);
}

static void say_distances(struct page *page, const struct traffic *trace, const struct traffic *model)
{
	double unit = 1 / (double)trace->ticks_per_s, unit_model = 1 / (double)model->ticks_per_s;
	double sizes = distribution_distance(&trace->classes[TRAFFIC_ALL].sizes, 1,
					     &model->classes[TRAFFIC_ALL].sizes, 1);
	double gaps = distribution_distance(&trace->gaps, unit, &model->gaps, unit_model);

	page_paragraph(page, "The distributions of size differ by at most %s (largest vertical distance between the "
		       "cumulative curves), those of the gaps by %s; 0 would be the same curve. The "
		       "figures above show both side by side.",
		       number_real(sizes, 2).text, number_real(gaps, 2).text);
}

void fit_build(const struct report *report, struct page *page)
{
	const struct traffic *trace = report_first(report, INPUT_PACKETS)->traffic;

	for (size_t i = 0; i < report->count; i++) {
		const struct traffic *model = report->inputs[i].traffic;

		if (report->inputs[i].kind != INPUT_MODEL || !model || traffic_packets(model) < 2 ||
		    traffic_packets(trace) < 2)
			continue;
		say_distances(page, trace, model);
		add_table(page, trace, model);
	}
}
