// SPDX-License-Identifier: GPL-3.0-or-later
// The gaps between packets.
#include <math.h>
#include <stdio.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/drawing.h"
#include "report/section.h"
#include "table/table_rows.h"
#include "value/number.h"

#define HEIGHT 320
#define REFERENCE_POINTS 120

static double section_gaps_unit_of(const struct stream *stream)
{
	return 1 / (double)stream->ticks_per_s;
}

static const struct quantile *gaps_of(const struct stream *stream)
{
	return &stream->traffic.kinds[STREAM_ALL].gaps;
}

static double mean_s(const struct stream *stream)
{
	return moments_mean(&stream->gap_ticks) * section_gaps_unit_of(stream);
}

// The range of gaps above 0 that the axis shows.
static void section_gaps_find_range(const struct stream *const *list, size_t count, double *lo,
				    double *hi)
{
	*lo = INFINITY;
	*hi = 0;
	for (size_t i = 0; i < count; i++) {
		double least = (double)quantile_get(gaps_of(list[i]), 0.001) *
			       section_gaps_unit_of(list[i]);

		*lo = fmin(*lo, fmax(least, section_gaps_unit_of(list[i])));
		*hi = fmax(*hi, (double)gaps_of(list[i])->max * section_gaps_unit_of(list[i]));
	}
	*hi = fmax(*hi, 10 * *lo);
}

static void add_exponential(struct figure *figure, double mean, double lo, double hi, bool above)
{
	figure_curve(figure, CURVE_DASHED, 0, "exponential");
	for (int i = 0; i <= REFERENCE_POINTS; i++) {
		double x = lo * pow(hi / lo, (double)i / REFERENCE_POINTS);
		double share = above ? exp(-x / mean) : 1 - exp(-x / mean);

		if (!above || share > 1e-12)
			figure_row(figure, x, share, 0, 0);
	}
}

// The straight line of a power law with Hill's index, from the start of the tail.
static void add_hill(struct figure *figure, const struct stream *stream, unsigned colour, double hi)
{
	const struct gap_tail *tail = &stream->verdicts.gap_tail;
	const double begin = tail->threshold_ticks * section_gaps_unit_of(stream);

	if (!isfinite(tail->hill.index) || !(begin < hi))
		return;
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	figure_row(figure, begin, tail->share, 0, 0);
	figure_row(figure, hi, tail->share * pow(hi / begin, -tail->hill.index), 0, 0);
}

static double smallest_share(const struct stream *const *list, size_t count)
{
	double most = 10;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, (double)gaps_of(list[i])->n);
	return 0.7 / most;
}

static void section_gaps_add_panel(const struct report *report, struct figure *figure,
				   const struct stream *const *list, size_t count, bool above)
{
	char label[TEXT_LABEL_BYTES];
	struct plot *plot;
	double lo, hi;

	section_gaps_find_range(list, count, &lo, &hi);
	figure_panel(figure,
		     above ? "Share of gaps above a length" : "Share of gaps up to a length",
		     HEIGHT);
	figure_about(figure,
		     "%s distribution of the gaps between packets, with an exponential of the same "
		     "mean.",
		     above ? "Complementary cumulative" : "Cumulative");
	plot = figure_plot(figure, "gap", above ? "share of longer gaps" : "share of gaps");
	axis_times(figure, &plot->x, lo, hi);
	if (above) {
		axis_decades(figure, &plot->y, smallest_share(list, count), 1.2);
	} else {
		plot->y.lo = 0;
		plot->y.hi = 1.02;
	}
	for (size_t i = 0; i < count; i++) {
		figure_curve(figure, CURVE_LINE, palette_stream(i),
			     count > 1 ? report_short_name(report, list[i], label) : "gaps");
		if (above)
			distribution_above(figure, gaps_of(list[i]), section_gaps_unit_of(list[i]),
					   lo);
		else
			distribution_below(figure, gaps_of(list[i]), section_gaps_unit_of(list[i]),
					   lo);
	}
	for (size_t i = 0; above && i < count; i++)
		add_hill(figure, list[i], palette_stream(i),
			 (double)gaps_of(list[i])->max * section_gaps_unit_of(list[i]));
	add_exponential(figure, mean_s(list[0]), lo, hi, above);
}

TABLE_ROW(gap, (text, traffic), (count, gaps), (number, mean),
	  (real, variation, 3, "deviation / mean"), (number, median), (number, p90, 0, "90 %"),
	  (number, p99, 0, "99 %"), (number, p99_9, 0, "99.9 %"), (number, longest),
	  (known, hill, 0, "Hill's index"));

static struct number section_gaps_share(const struct stream *stream, double share)
{
	return number_time(
		(double)quantile_get(gaps_of(stream), share) * section_gaps_unit_of(stream), 3);
}

static void section_gaps_add_table(struct page *page, const struct stream *const *list,
				   size_t count)
{
	struct table *table = page_table(
		page, "Gaps between successive packets of all senders. The coefficient of "
		      "variation (deviation / mean) is 1 for Poisson traffic.");

	table_heads(table, gap_fields);
	for (size_t i = 0; i < count; i++) {
		const struct stream *stream = list[i];
		const struct tail_index *tail = &stream->verdicts.gap_tail.hill;

		TABLE_PUT(table, gap, .traffic = stream->label, .gaps = gaps_of(stream)->n,
			  .mean = number_time(mean_s(stream), 4),
			  .variation = moments_sd(&stream->gap_ticks) /
				       moments_mean(&stream->gap_ticks),
			  .median = section_gaps_share(stream, 0.5),
			  .p90 = section_gaps_share(stream, 0.9),
			  .p99 = section_gaps_share(stream, 0.99),
			  .p99_9 = section_gaps_share(stream, 0.999),
			  .longest = number_time(
				  (double)gaps_of(stream)->max * section_gaps_unit_of(stream), 3),
			  .hill = {tail->index, tail->lo, tail->hi});
	}
	table_note(table, "Hill's index is estimated from the longest tenth of the gaps, with a 95 "
			  "%% confidence interval, whether or not they follow a power law; see the "
			  "hypothesis tests.");
}

static bool any_hill(const struct stream *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (isfinite(list[i]->verdicts.gap_tail.hill.index))
			return true;
	return false;
}

void gaps_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t all = report_streams(report, list, REPORT_STREAMS), count = 0;
	struct figure *figure;

	for (size_t i = 0; i < all; i++)
		if (gaps_of(list[i])->n > 0 && gaps_of(list[i])->max > 0)
			list[count++] = list[i];
	if (count == 0) {
		page_paragraph(page, "All packets have the same time.");
		return;
	}
	figure = page_figure(page, 2, "Gaps between packets");
	section_gaps_add_panel(report, figure, list, count, false);
	section_gaps_add_panel(report, figure, list, count, true);
	page_caption(page, figure,
		     "Time from each packet to the next, for all senders; gaps shorter than a tick "
		     "are at the left end. The exponential distribution has the mean of %s, as "
		     "Poisson traffic would; silences cause a tail to the right of it.%s",
		     list[0]->label,
		     any_hill(list, count) ? " The straight line on the right is a power law with "
					     "Hill's index, for the longest tenth of the gaps."
					   : "");
	section_gaps_add_table(page, list, count);
}
