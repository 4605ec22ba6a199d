// SPDX-License-Identifier: GPL-3.0-or-later
// Counts at widths a decade apart, beside Poisson traffic of the same rate: figure 4 of Leland,
// Taqqu, Willinger and Wilson 1994.
#include <math.h>
#include <stdio.h>

#include "page/palette.h"
#include "report/section.h"
#include "report/stream_counts.h"
#include "stat/spectra/surrogate_series.h"
#include "value/number.h"
#include "value/ticks.h"

#define STREAMS 2 // and the Poisson traffic: three panels in a row
#define ROWS 5
#define BINS_MIN 24
#define HEIGHT 200

// The stretch of a stream in a row.
struct stretch {
	size_t n;
	int64_t begin;
	double counts[ZOOM_BINS];
};

static double finest_s(const struct stream *stream)
{
	return tr_ticks_seconds(stream->counts.binner.grid.width_ticks, stream->ticks_per_s);
}

static double section_zoom_width_s(const struct stream *stream, size_t decade)
{
	return (double)stream->counts.zoom.decades[decade].factor * finest_s(stream);
}

static void get_stretch(const struct stream *stream, size_t decade, struct stretch *stretch)
{
	stretch->n = zoom_get(&stream->counts.zoom, decade, &stretch->begin, stretch->counts);
}

static double peak_of(const struct stretch *stretch)
{
	double peak = 0;

	for (size_t i = 0; i < stretch->n; i++)
		peak = fmax(peak, stretch->counts[i]);
	return peak;
}

static void section_zoom_add_panel(struct figure *figure, const char *name,
				   const struct stretch *stretch, double width, double peak,
				   unsigned colour)
{
	const struct number bin = number_width(width);
	char title[200];
	struct plot *plot;

	(void)snprintf(title, sizeof(title), "%.100s, bins of %s", name, bin.text);
	figure_panel(figure, title, HEIGHT);
	figure_about(figure, "Packets per bin of %s against time.", bin.text);
	plot = figure_plot(figure, "time (s)", "packets");
	plot->x.lo = 0;
	plot->x.hi = (double)stretch->n * width;
	plot->y.lo = 0;
	plot->y.hi = fmax(1, 1.04 * peak);
	figure_curve(figure, CURVE_BARS, colour, NULL);
	for (size_t i = 0; i < stretch->n; i++)
		figure_row(figure, (double)i * width, width, stretch->counts[i], 0);
}

// Draws Poisson traffic at the stretch's rate in as many bins.
static void draw_poisson(const struct report *report, const struct stretch *stretch, size_t decade,
			 struct stretch *poisson)
{
	struct tr_random random;
	double packets = 0;
	char name[64];

	(void)snprintf(name, sizeof(name), "report/poisson/%zu", decade);
	tr_random_open(&random, report->seed, name);
	for (size_t i = 0; i < stretch->n; i++)
		packets += stretch->counts[i];
	poisson->n = stretch->n;
	poisson_draw(fmin(packets / (double)stretch->n, 0x1p31), &random, poisson->counts,
		     poisson->n);
}

static void section_zoom_add_row(const struct report *report, struct figure *figure,
				 const struct stream *const *list, size_t count, size_t decade)
{
	struct stretch stretches[STREAMS], poisson;
	char label[TEXT_LABEL_BYTES];
	double peak = 0;

	for (size_t i = 0; i < count; i++) {
		get_stretch(list[i], decade, &stretches[i]);
		peak = fmax(peak, peak_of(&stretches[i]));
	}
	draw_poisson(report, &stretches[0], decade, &poisson);
	peak = fmax(peak, peak_of(&poisson));
	section_zoom_add_panel(figure,
			       count > 1 ? report_short_name(report, list[0], label) : "Traffic",
			       &stretches[0], section_zoom_width_s(list[0], decade), peak, 1);
	for (size_t i = 1; i < count; i++)
		section_zoom_add_panel(figure, report_short_name(report, list[i], label),
				       &stretches[i], section_zoom_width_s(list[i], decade), peak,
				       palette_stream(i));
	section_zoom_add_panel(figure, "Poisson", &poisson, section_zoom_width_s(list[0], decade),
			       peak, PALETTE_POISSON);
}

// Streams with a non-empty zoom on the same grid as the first one.
static size_t find_streams(const struct report *report, const struct stream **list)
{
	size_t all = report_streams(report, list, STREAMS), count = 0;

	for (size_t i = 0; i < all; i++)
		if (list[i]->counts.open && list[i]->counts.zoom.started &&
		    stream_duration(list[i]) > 0)
			list[count++] = list[i];
	return count;
}

void zoom_build(const struct report *report, struct page *page)
{
	const struct stream *list[STREAMS];
	size_t count = find_streams(report, list), rows = 0;
	struct figure *figure;
	struct stretch stretch;

	if (count == 0) {
		page_paragraph(
			page,
			"Too few packets, or too coarse timestamps, to count packets per bin.");
		return;
	}
	figure = page_figure(page, count > 1 ? 3 : 2, "Packets per bin at widths a decade apart");
	for (size_t decade = ZOOM_DECADES; decade-- > 0 && rows < ROWS;) {
		get_stretch(list[0], decade, &stretch);
		if (stretch.n < BINS_MIN)
			continue;
		section_zoom_add_row(report, figure, list, count, decade);
		rows++;
	}
	page_caption(page, figure,
		     "Each panel shows %d consecutive bins, or as many as there are: of all "
		     "consecutive stretches of this length, the one with the most packets. Bins "
		     "are ten times shorter in each row. Right: simulated Poisson traffic with the "
		     "mean of the first column. Traffic that is bursty on all scales looks alike "
		     "in all rows; Poisson traffic is smooth in wide bins.",
		     ZOOM_BINS);
}
