// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of the packet counts, and the periods in it.
#include <math.h>

#include "report/axis_tics.h"
#include "report/number.h"
#include "report/section.h"

#define HEIGHT 320

static void set_axes(struct figure *figure, struct plot *plot, const struct periodicity *own)
{
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < own->count; i++) {
		lo = own->points[i].mean > 0 ? fmin(lo, own->points[i].mean) : lo;
		hi = fmax(hi, own->points[i].peak);
	}
	lo = fmax(lo, hi * 1e-7);
	axis_times(figure, &plot->x, own->points[own->count - 1].period_s / 1.1, own->points[0].period_s * 1.1);
	axis_decades(figure, &plot->y, lo / 1.5, hi * 1.5);
	for (size_t i = 0; i < own->periods.count; i++) {
		const double period_s = own->periods.found[i].points * own->width_s;

		figure_curve(figure, CURVE_DASHED, 0, i == 0 ? "period" : NULL);
		figure_row(figure, period_s, lo / 1.5, 0, 0);
		figure_row(figure, period_s, hi * 1.5, 0, 0);
	}
}

static void add_panel(struct figure *figure, const struct stream *stream, unsigned colour)
{
	const struct periodicity *own = &stream->periodicity;
	struct plot *plot;

	figure_panel(figure, stream->label, HEIGHT);
	figure_about(figure, "Spectrum of the packet counts of %s against the period, with %zu periods marked.", stream->label,
		     own->periods.count);
	plot = figure_plot(figure, "period", "power / mean power");
	set_axes(figure, plot, own);
	figure_curve(figure, CURVE_LINE, colour, "highest nearby");
	for (size_t i = 0; i < own->count; i++)
		figure_row(figure, own->points[i].period_s, own->points[i].peak, 0, 0);
	figure_curve(figure, CURVE_MARKS, colour, "mean nearby");
	for (size_t i = 0; i < own->count; i++)
		figure_row(figure, own->points[i].period_s, own->points[i].mean, 0, 0);
}

static void add_rows(struct grid *grid, const struct stream *stream)
{
	const struct periodicity *own = &stream->periodicity;

	for (size_t i = 0; i < own->periods.count; i++) {
		const struct period *period = &own->periods.found[i];

		grid_text(grid, stream->label);
		grid_real(grid, period->points * own->width_s * 1e3, 5);
		grid_range(grid, period->lo * own->width_s * 1e3, period->hi * own->width_s * 1e3, 5);
		grid_real(grid, period->share * 100, 2);
		grid_real(grid, period->jitter * 100, 2);
		grid_count(grid, period->harmonics);
		grid_real(grid, period->p, 2);
	}
}

static void add_table(struct page *page, const struct stream *const *list, size_t count, double level)
{
	struct grid *grid = page_grid(page, "Periods of the packet counts, with intervals of %g %%.", level * 100);

	grid_words(grid, "traffic");
	grid_numbers(grid, "period (ms)");
	grid_numbers(grid, "interval");
	grid_numbers(grid, "% of the variance");
	grid_numbers(grid, "jitter of a cycle (%)");
	grid_numbers(grid, "lines");
	grid_numbers(grid, "p");
	for (size_t i = 0; i < count; i++)
		add_rows(grid, list[i]);
	grid_note(grid, "A period bends every estimate of H whose scales hold it: flithurst --periods=remove estimates without "
		  "it. p: that noise without a period shows one as strong. Jitter: of one cycle, where it adds up; 0: too small "
		  "to be seen.");
}

void periods_build(const struct report *report, struct page *page)
{
	const struct stream *all[REPORT_STREAMS], *list[REPORT_STREAMS];
	size_t streams = report_streams(report, all, REPORT_STREAMS), count = 0, found = 0;
	struct figure *figure;

	for (size_t i = 0; i < streams; i++)
		if (all[i]->periodicity.count > 1) {
			list[count++] = all[i];
			found += all[i]->periodicity.periods.count;
		}
	if (count == 0) {
		page_paragraph(page, "There are too few packets to look for periods.");
		return;
	}
	figure = page_figure(page, 2, "Spectrum of the packet counts");
	for (size_t i = 0; i < count; i++)
		add_panel(figure, list[i], (unsigned)i + 1);
	page_caption(page, figure, "Periodogram of the packets per bin of %s; neighbouring frequencies are joined, and shown by the "
		     "highest and the mean. Dashed: the periods that were found.",
		     number_time(list[0]->periodicity.width_s, 3).text);
	if (found > 0)
		add_table(page, list, count, report->level);
	else
		page_paragraph(page, "No period that came %d times and more stands out, at 5 %%.", COMB_CYCLES_MIN);
}
