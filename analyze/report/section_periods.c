// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of the packet counts, and the periods in it.
#include <math.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/section.h"
#include "stat/spectra/periods.h"
#include "value/escape.h"
#include "table/table_rows.h"
#include "value/number.h"

#define HEIGHT 320

// Widens the axes to one stream's points.
static void section_periods_widen(const struct periodicity *own, double x[2], double y[2])
{
	for (size_t i = 0; i < own->count; i++) {
		x[0] = fmin(x[0], own->points[i].period_s);
		x[1] = fmax(x[1], own->points[i].period_s);
		y[0] = own->points[i].mean > 0 ? fmin(y[0], own->points[i].mean) : y[0];
		y[1] = fmax(y[1], own->points[i].peak);
	}
}

// The axes of count streams, and the periods of the first.
static void section_periods_set_axes(struct figure *figure, struct plot *plot,
				     const struct stream *const *list, size_t count)
{
	const struct periodicity *first = &list[0]->periodicity;
	double x[2] = {INFINITY, 0}, y[2] = {INFINITY, 0};

	for (size_t i = 0; i < count; i++)
		section_periods_widen(&list[i]->periodicity, x, y);
	y[0] = fmax(y[0], y[1] * 1e-7);
	if (!(x[0] < x[1] && y[0] < y[1]))
		return;
	axis_times(figure, &plot->x, x[0] / 1.1, x[1] * 1.1);
	axis_decades(figure, &plot->y, y[0] / 1.5, y[1] * 1.5);
	for (size_t i = 0; i < first->judged.periods.count; i++) {
		const double period_s = first->judged.periods.found[i].points * first->width_s;

		figure_curve(figure, CURVE_DASHED, 0, i == 0 ? "period" : NULL);
		figure_row(figure, period_s, y[0] / 1.5, 0, 0);
		figure_row(figure, period_s, y[1] * 1.5, 0, 0);
	}
}

static void section_periods_add_curve(struct figure *figure, const struct periodicity *own,
				      bool peak, unsigned colour, const char *title)
{
	figure_curve(figure, peak ? CURVE_LINE : CURVE_MARKS, colour, title);
	for (size_t i = 0; i < own->count; i++)
		figure_row(figure, own->points[i].period_s,
			   peak ? own->points[i].peak : own->points[i].mean, 0, 0);
}

static void section_periods_add_panel(struct figure *figure, const struct stream *stream,
				      const char *title, double height, unsigned colour)
{
	const struct periodicity *own = &stream->periodicity;
	struct plot *plot;

	figure_panel(figure, title, height);
	figure_about(
		figure,
		"Spectrum of the packet counts of %s against the period, with %zu periods marked.",
		stream->label, own->judged.periods.count);
	plot = figure_plot(figure, "period", "power / mean power");
	section_periods_set_axes(figure, plot, &stream, 1);
	section_periods_add_curve(figure, own, true, colour, "highest");
	section_periods_add_curve(figure, own, false, colour, "mean");
}

void spectrum_panel(struct figure *figure, const struct overview *overview)
{
	char label[TEXT_LABEL_BYTES];

	if (overview->count == 1) {
		section_periods_add_panel(figure, overview->list[0], "Spectrum of the counts",
					  overview->height, 1);
		return;
	}
	figure_panel(figure, "Spectra of the counts: power / mean power", overview->height);
	figure_about(figure, "Spectra of the packet counts against the period.");
	for (size_t i = 0; i < overview->count; i++) {
		struct plot *plot = figure_plot(
			figure, "period",
			report_short_name(overview->report, overview->list[i], label));

		section_periods_set_axes(figure, plot, overview->list, overview->count);
		section_periods_add_curve(figure, &overview->list[i]->periodicity, true,
					  palette_stream(i), NULL);
	}
}

TABLE_ROW(found_period, (text, traffic), (known, period, 0, "period (ms)"),
	  (real, share, 2, "% of the variance"), (real, jitter, 2, "jitter of a cycle (%)"),
	  (count, lines), (real, p, 2));

static void section_periods_add_rows(struct table *table, const struct stream *stream)
{
	const struct periodicity *own = &stream->periodicity;
	const double ms = 1e3 * own->width_s;

	for (size_t i = 0; i < own->judged.periods.count; i++) {
		const struct period *period = &own->judged.periods.found[i];

		TABLE_PUT(table, found_period, .traffic = stream->label,
			  .period = {period->points * ms, period->lo * ms, period->hi * ms},
			  .share = period->share * 100, .jitter = period->jitter * 100,
			  .lines = period->harmonics, .p = period->p);
	}
}

static void section_periods_add_table(struct page *page, const struct stream *const *list,
				      size_t count, double level)
{
	struct table *table = page_table(
		page, "Periods of the packet counts (%g %% confidence intervals).", level * 100);

	table_heads(table, found_period_fields);
	for (size_t i = 0; i < count; i++)
		section_periods_add_rows(table, list[i]);
	table_note(table, "A period biases every estimate of H whose scales include it; flithurst "
			  "--periods=remove removes it first. p: the probability that noise "
			  "without a period has one as strong. Jitter: of one cycle, if it "
			  "accumulates; 0 if too small to detect.");
}

// Says for each stream how strong a detectable period is.
static void say_none(struct page *page, const struct stream *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[PERIOD_NONE_BYTES + TEXT_LABEL_BYTES] = "";

		if (count > 1)
			text_append(text, sizeof(text), "%.100s: ", list[i]->label);
		periodicity_say_none(&list[i]->periodicity, text, sizeof(text));
		page_paragraph(page, "%s", text);
	}
}

void periods_build(const struct report *report, struct page *page)
{
	const struct stream *all[REPORT_STREAMS], *list[REPORT_STREAMS];
	size_t streams = report_streams(report, all, REPORT_STREAMS), count = 0, found = 0;
	struct figure *figure;

	for (size_t i = 0; i < streams; i++)
		if (all[i]->periodicity.count > 1) {
			list[count++] = all[i];
			found += all[i]->periodicity.judged.periods.count;
		}
	if (count == 0) {
		page_paragraph(page, "Too few packets to search for periods.");
		return;
	}
	figure = page_figure(page, 2, "Spectrum of the packet counts");
	for (size_t i = 0; i < count; i++)
		section_periods_add_panel(figure, list[i], list[i]->label, HEIGHT,
					  palette_stream(i));
	page_caption(page, figure,
		     "Periodogram of the packets per bin of %s; neighbouring frequencies are "
		     "combined and shown by their highest and mean power.%s",
		     number_width(list[0]->periodicity.width_s).text,
		     found > 0 ? " Vertical: the periods found." : "");
	if (found > 0)
		section_periods_add_table(page, list, count, report->level);
	else
		say_none(page, list, count);
}
