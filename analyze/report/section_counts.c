// SPDX-License-Identifier: GPL-3.0-or-later
// Packets per bin at the 13 widths of Yates 1997, as small multiples.
#include <math.h>
#include <stdio.h>

#include "page/palette.h"
#include "report/section.h"
#include "report/timeline.h"
#include "value/number.h"
#include "value/ticks.h"

#define ALONE_HEIGHT 200
#define STACKED_HEIGHT 120 // of each but the first
#define OVERVIEW_BINS 200

// Seconds from the first packet to the start of a bin.
static double bin_time(const struct stream *stream, size_t scale, int64_t index)
{
	const struct bin_grid *grid = &stream->counts.binner.grid;
	double finest_s = tr_ticks_seconds(grid->width_ticks, stream->ticks_per_s);
	__int128 finest = (__int128)index * stream->counts.widths.factor[scale] - grid->zero_index;
	int64_t late_ticks = span_sum(grid->phase_ticks, stream->traffic.first_ticks);

	return (double)finest * finest_s - tr_ticks_seconds(late_ticks, stream->ticks_per_s);
}

// The smallest count in a column: empty bins gave no value.
static double least(const struct timeline *timeline, size_t column)
{
	return timeline->columns[column].n < timeline_steps(timeline, column)
		       ? 0
		       : (double)timeline->columns[column].min;
}

static double mean(const struct timeline *timeline, size_t column)
{
	uint64_t steps = timeline_steps(timeline, column);

	return steps ? (double)timeline->columns[column].sum / (double)steps : 0;
}

static void add_band(struct figure *figure, const struct stream *stream, size_t scale,
		     unsigned colour)
{
	const struct timeline *timeline = &stream->counts.timelines[scale];

	figure_curve(figure, CURVE_BAND, colour, NULL);
	for (size_t i = 0; i < timeline->used; i++)
		figure_row(figure, fmax(0, bin_time(stream, scale, timeline_step(timeline, i))),
			   timeline->shift ? least(timeline, i) : 0,
			   (double)timeline->columns[i].max, 0);
}

static void section_counts_add_line(struct figure *figure, const struct stream *stream,
				    size_t scale, unsigned colour)
{
	const struct timeline *timeline = &stream->counts.timelines[scale];
	size_t used = timeline->used;

	figure_curve(figure, CURVE_STEPS, colour, NULL);
	for (size_t i = 0; i < used; i++)
		figure_row(figure, fmax(0, bin_time(stream, scale, timeline_step(timeline, i))),
			   mean(timeline, i), 0, 0);
	if (used > 0)
		figure_row(figure, bin_time(stream, scale, timeline_step(timeline, used)),
			   mean(timeline, used - 1), 0, 0);
}

static double section_counts_largest(const struct stream *stream, size_t scale)
{
	const struct timeline *timeline = &stream->counts.timelines[scale];
	double peak = 0;

	for (size_t i = 0; i < timeline->used; i++)
		peak = fmax(peak, (double)timeline->columns[i].max);
	return peak;
}

// A plot for each stream, one below the other, on the same axes.
static void section_counts_add_panel(const struct report *report, struct figure *figure,
				     const struct stream *const *list, size_t count, size_t scale,
				     double duration_s)
{
	double peak = 0;
	char label[TEXT_LABEL_BYTES];

	for (size_t i = 0; i < count; i++)
		peak = fmax(peak, section_counts_largest(list[i], scale));
	for (size_t i = 0; i < count; i++) {
		struct plot *plot = figure_plot(
			figure, "time (s)",
			count > 1 ? report_short_name(report, list[i], label) : "packets per bin");

		plot->x.lo = 0;
		plot->x.hi = duration_s;
		plot->y.lo = 0;
		plot->y.hi = peak * 1.04;
		add_band(figure, list[i], scale, palette_stream(i));
		section_counts_add_line(figure, list[i], scale, palette_stream(i));
	}
}

static double longest(const struct stream *const *list, size_t count)
{
	double duration_s = 0;

	for (size_t i = 0; i < count; i++)
		duration_s = fmax(duration_s, stream_duration(list[i]));
	return duration_s;
}

static size_t countable(const struct report *report, const struct stream **list, size_t max)
{
	size_t count = report_streams(report, list, max), kept = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i]->counts.open && stream_packets(list[i]) > 1)
			list[kept++] = list[i];
	return kept;
}

void counts_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t count = countable(report, list, REPORT_STREAMS);
	double duration_s;
	struct figure *figure;

	if (count == 0) {
		page_paragraph(
			page,
			"Too few packets, or too coarse timestamps, to count packets per bin.");
		return;
	}
	duration_s = longest(list, count);
	figure = page_figure(page, 3, "Packets per bin at 13 bin widths");
	for (size_t scale = 0; scale < list[0]->counts.widths.count; scale++) {
		const double width_ms = num_value(list[0]->counts.widths.seconds[scale]) * 1e3;
		char title[80];

		// The axes of several have their names.
		(void)snprintf(title, sizeof(title), "%s of %g ms",
			       count > 1 ? "Packets per bin" : "Bins", width_ms);
		figure_panel(figure, title, ALONE_HEIGHT + STACKED_HEIGHT * (double)(count - 1));
		figure_about(figure, "Packets per bin of %g ms against time.", width_ms);
		section_counts_add_panel(report, figure, list, count, scale, duration_s);
	}
	page_caption(page, figure,
		     "%sBins start at multiples of their width since the Unix epoch. At most %d "
		     "columns are drawn; with more bins, a column covers a power of two of them, "
		     "with their mean as a line and their range as a shaded band. Self-similar "
		     "traffic is similarly bursty at all widths; Poisson traffic becomes smooth.",
		     count > 1 ? "The plots of a panel share their axes. " : "", TIMELINE_COLUMNS);
}

static size_t overview_scale(const struct overview *overview)
{
	const struct widths *widths = &overview->list[0]->counts.widths;
	const double duration_s = longest(overview->list, overview->count);
	size_t scale = widths->count - 1;

	while (scale > 0 && duration_s / num_value(widths->seconds[scale]) < OVERVIEW_BINS)
		scale--;
	return scale;
}

double overview_width(const struct overview *overview)
{
	return num_value(overview->list[0]->counts.widths.seconds[overview_scale(overview)]);
}

void counts_panel(struct figure *figure, const struct overview *overview)
{
	const struct number width = number_width(overview_width(overview));
	char title[80];

	(void)snprintf(title, sizeof(title), "Packets per bin of %s", width.text);
	figure_panel(figure, title, overview->height);
	figure_about(figure, "Packets per bin of %s against time.", width.text);
	section_counts_add_panel(overview->report, figure, overview->list, overview->count,
				 overview_scale(overview),
				 longest(overview->list, overview->count));
}
