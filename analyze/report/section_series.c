// SPDX-License-Identifier: GPL-3.0-or-later
// Counts per bin that another program made.
#include <math.h>

#include "report/section.h"
#include "value/number.h"
#include "value/ticks.h"

#define HEIGHT 260

static double section_series_width_s(const struct input *input)
{
	return tr_ticks_seconds(input->series->width_ticks,
				tr_reader_header(input->in)->ticks_per_s);
}

static void section_series_add_figure(struct page *page, const struct input *input)
{
	const struct timeline *timeline = &input->series->timeline;
	struct figure *figure = page_figure(page, 1, "Counts over time");
	struct plot *plot;
	double first;

	figure_panel(figure, input->name, HEIGHT);
	figure_about(figure, "Counts per bin against time.");
	plot = figure_plot(figure, "time (s)", "count per bin");
	plot->x.lo = 0;
	plot->y.lo = 0;
	first = timeline->used ? (double)timeline_step(timeline, 0) * section_series_width_s(input)
			       : 0;
	figure_curve(figure, CURVE_BAND, 1, NULL);
	for (size_t i = 0; i < timeline->used; i++)
		figure_row(figure,
			   (double)timeline_step(timeline, i) * section_series_width_s(input) -
				   first,
			   timeline->shift ? (double)timeline->columns[i].min : 0,
			   (double)timeline->columns[i].max, 0);
	figure_curve(figure, CURVE_STEPS, 1, NULL);
	for (size_t i = 0; i < timeline->used; i++)
		figure_row(
			figure,
			(double)timeline_step(timeline, i) * section_series_width_s(input) - first,
			timeline->columns[i].n
				? (double)timeline->columns[i].sum / (double)timeline->columns[i].n
				: 0,
			0, 0);
	page_caption(page, figure,
		     "Bins of %s; a column spans %s of them: the line is their mean, the band "
		     "their range.",
		     number_time(section_series_width_s(input), 3).text,
		     number_count((uint64_t)1 << timeline->shift).text);
}

void series_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		const struct series_sums *sums = input->series;

		if (input->kind != INPUT_SERIES)
			continue;
		if (sums->bins == 0) {
			page_paragraph(page, "%s contains no bins.", input->name);
			continue;
		}
		page_paragraph(page,
			       "%s holds %s bins of %s with %s counts and %s B in all; per bin the "
			       "mean is %s, the "
			       "variance %s, the peak %s.%s",
			       input->name, number_count(sums->bins).text,
			       number_time(section_series_width_s(input), 3).text,
			       number_real((double)sums->count.sum, 9).text,
			       number_count(sums->size_bytes).text,
			       number_real(moments_mean(&sums->count), 4).text,
			       number_real(moments_variance(&sums->count), 4).text,
			       number_count((uint64_t)sums->count.max).text,
			       sums->mixed ? " It also contains bins of other widths, nodes or "
					     "classes, which are ignored."
					   : "");
		section_series_add_figure(page, input);
	}
}
