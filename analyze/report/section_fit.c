// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a model's traffic with the trace, number by number.
#include <math.h>
#include <stdio.h>

#include "report/section.h"
#include "stat/counts/distance.h"
#include "value/number.h"

static void section_fit_add_row(struct table *table, const char *what, double trace, double model,
				int digits)
{
	table_text(table, what);
	table_real(table, trace, digits);
	table_real(table, model, digits);
	table_real(table, trace != 0 ? model / trace : NAN, 3);
}

static double byte_rate(const struct stream *stream)
{
	return (double)stream->size_bytes[STREAM_ALL].sum / stream_duration(stream) / 1e6;
}

static double gap_quantile(const struct stream *stream, double p)
{
	return 1e6 * (double)quantile_get(&stream->traffic.kinds[STREAM_ALL].gaps, p) /
	       (double)stream->ticks_per_s;
}

static double gap_variation(const struct stream *stream)
{
	return moments_sd(&stream->gap_ticks) / moments_mean(&stream->gap_ticks);
}

// NaN where the classes are not told apart.
static double mean_size(const struct stream *stream, unsigned class)
{
	return stream_tells_classes(stream) ? moments_mean(&stream->size_bytes[class]) : NAN;
}

// Variance over mean of the counts at a width.
static double dispersion(const struct stream *stream, size_t scale)
{
	struct moments count;

	if (!stream->counts.scales.started)
		return NAN;
	count = scales_get(&stream->counts.scales, scale).count;
	return moments_variance(&count) / moments_mean(&count);
}

static void add_dispersions(struct table *table, const struct stream *trace,
			    const struct stream *model)
{
	static const size_t shown[] = {0, 4, 8, 12};

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		char what[64];

		if (shown[i] >= trace->counts.widths.count)
			continue;
		(void)snprintf(what, sizeof(what), "variance / mean of counts, %g ms bins",
			       num_value(trace->counts.widths.seconds[shown[i]]) * 1e3);
		section_fit_add_row(table, what, dispersion(trace, shown[i]),
				    dispersion(model, shown[i]), 3);
	}
}

static void section_fit_add_table(struct page *page, const struct stream *trace,
				  const struct stream *model)
{
	struct table *table = page_table(page, "%s against %s.", model->label, trace->label);

	table_words(table, "quantity");
	table_numbers(table, "trace");
	table_numbers(table, "model");
	table_numbers(table, "model / trace");
	section_fit_add_row(table, "packets/s", stream_rate(trace), stream_rate(model), 4);
	section_fit_add_row(table, "payload (MB/s)", byte_rate(trace), byte_rate(model), 4);
	section_fit_add_row(table, "overhead (% of packets)", 100 * stream_overhead(trace),
			    100 * stream_overhead(model), 4);
	section_fit_add_row(table, "mean size (B)", moments_mean(&trace->size_bytes[STREAM_ALL]),
			    moments_mean(&model->size_bytes[STREAM_ALL]), 5);
	section_fit_add_row(table, "deviation of size (B)",
			    moments_sd(&trace->size_bytes[STREAM_ALL]),
			    moments_sd(&model->size_bytes[STREAM_ALL]), 4);
	section_fit_add_row(table, "mean size, data (B)", mean_size(trace, TR_CLASS_DATA),
			    mean_size(model, TR_CLASS_DATA), 5);
	section_fit_add_row(table, "mean size, overhead (B)", mean_size(trace, TR_CLASS_OVERHEAD),
			    mean_size(model, TR_CLASS_OVERHEAD), 4);
	section_fit_add_row(table, "median gap (µs)", gap_quantile(trace, 0.5),
			    gap_quantile(model, 0.5), 4);
	section_fit_add_row(table, "99 % gap (µs)", gap_quantile(trace, 0.99),
			    gap_quantile(model, 0.99), 4);
	section_fit_add_row(table, "deviation / mean of gaps", gap_variation(trace),
			    gap_variation(model), 3);
	add_dispersions(table, trace, model);
	section_fit_add_row(table, "slope of the variance-time plot", trace->hurst.slope.slope,
			    model->hurst.slope.slope, 3);
	note_classes(table, trace);
	note_classes(table, model);
}

static void say_distances(struct page *page, const struct stream *trace, const struct stream *model)
{
	double unit = 1 / (double)trace->ticks_per_s, unit_model = 1 / (double)model->ticks_per_s;
	const struct traffic_kind *of_trace = &trace->traffic.kinds[STREAM_ALL],
				  *of_model = &model->traffic.kinds[STREAM_ALL];
	const double sizes = distance_between(&of_trace->sizes, 1, &of_model->sizes, 1).ks;
	const double gaps = distance_between(&of_trace->gaps, unit, &of_model->gaps, unit_model).ks;

	page_paragraph(page,
		       "The Kolmogorov-Smirnov distance (the largest vertical distance between the "
		       "cumulative distributions) is %s for sizes and %s for gaps; equal "
		       "distributions have 0. The figures above show both.",
		       number_real(sizes, 2).text, number_real(gaps, 2).text);
}

void fit_build(const struct report *report, struct page *page)
{
	const struct stream *trace = report_first(report, INPUT_PACKETS)->stream;

	for (size_t i = 0; i < report->count; i++) {
		const struct stream *model = report->inputs[i].stream;

		if (report->inputs[i].kind != INPUT_MODEL || !model || stream_packets(model) < 2 ||
		    stream_packets(trace) < 2)
			continue;
		say_distances(page, trace, model);
		section_fit_add_table(page, trace, model);
	}
}
