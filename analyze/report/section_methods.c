// SPDX-License-Identifier: GPL-3.0-or-later
// How the numbers of the page came about, so that a reader can repeat them.
#include <stdio.h>

#include "report/number.h"
#include "report/section.h"

static void say_counts(const struct report *report, struct page *page)
{
	page_paragraph(page, "Packets are counted in bins that begin at multiples of their width from the Unix epoch; the bins "
		       "of the first and the last packet are left out of means and variances. Intervals are of %g %%. Sizes "
		       "are of payload. The same numbers come from flitcount (counts, dispersion), flithurst (the Hurst "
		       "parameter, every point of its plots with --points), flittest (tests) and flitstat (bursts, roles).", report->level * 100);
}

static void add_row(struct grid *grid, const struct hurst_estimate *own, double width_s)
{
	const struct estimate *estimate = &own->estimate;
	char command[120];

	(void)snprintf(command, sizeof command, "flithurst -m %s -b %gms", own->estimator->name, width_s * 1e3);
	grid_text(grid, own->estimator->title);
	grid_text(grid, own->estimator->paper);
	grid_text(grid, own->estimator->y_label);
	grid_text(grid, own->estimator->x_label);
	grid_real(grid, estimate->slope, 4);
	grid_real(grid, estimate->fit, 2);
	grid_text(grid, command);
}

static void add_table(struct page *page, const struct stream *stream)
{
	struct grid *grid = page_grid(page, "The estimators, as they were used on %s.", stream->label);

	grid_words(grid, "method");
	grid_words(grid, "defined in");
	grid_words(grid, "plotted and fitted");
	grid_words(grid, "against");
	grid_numbers(grid, "slope");
	grid_numbers(grid, "probability of a worse fit");
	grid_words(grid, "again by");
	for (size_t i = 0; i < stream->hurst.count; i++)
		add_row(grid, &stream->hurst.estimates[i], stream->hurst.width_s);
	grid_note(grid, "Scales, weights and intervals of each method are those of flithurst(1).");
}

void methods_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t count = report_streams(report, list, REPORT_STREAMS);

	say_counts(report, page);
	for (size_t i = 0; i < count; i++)
		if (list[i]->hurst.count > 0) {
			add_table(page, list[i]);
			return;
		}
}
