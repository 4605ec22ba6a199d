// SPDX-License-Identifier: GPL-3.0-or-later
// The four figures that a page begins with. Each adds one panel, drawn by the file of the section that tells more of its
// subject; several streams are laid over one another.
#ifndef REPORT_OVERVIEW_H
#define REPORT_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "page/figure.h"
#include "report/input.h"
#include "page/page.h"

// The streams that are shown, in the order of their colours.
struct overview {
	const struct report *report;
	const struct stream *list[REPORT_STREAMS];
	size_t count;
};

// The report's first streams that can be drawn.
struct overview overview_of(const struct report *report);

// The widest of the 13 widths of which the longest stream has 200 bins, else the narrowest: in seconds. There is a stream.
double overview_width(const struct overview *overview);

// Of a panel: a legend has a line for each of several streams.
double overview_height(const struct overview *overview);

// The streams' packets per bin of that width over time.
void counts_panel(struct figure *figure, const struct overview *overview);

// Variance of the rate over the bin's width, with what Poisson traffic shows and the fitted slopes.
void variance_panel(struct figure *figure, const struct overview *overview);

// Spectrum of the counts with the periods of the first stream.
void spectrum_panel(struct figure *figure, const struct overview *overview);

// Who talks to whom: a heat map of one stream; of several the share of the payload by pair.
void pairs_panel(struct figure *figure, const struct overview *overview);

// Latency and throughput of deliveries in four panels: what leads the page where no stream is shown.
void latency_figure(struct page *page, const struct carried *carried, unsigned across);

// Whether a stream has packets at different times, and bins.
bool overview_shows(const struct stream *stream);

// Adds the figure where there is a stream to draw.
void overview_draw(const struct overview *overview, struct page *page);

#endif
