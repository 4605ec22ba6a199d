// SPDX-License-Identifier: GPL-3.0-or-later
// How the numbers of the page came about, so that a reader can repeat them.
#include <stdio.h>

#include "report/equations.h"
#include "report/section.h"
#include "trace/number.h"

static void say_counts(const struct report *report, struct page *page)
{
	page_paragraph(page,
		       "Packets are counted in bins that begin at multiples of their width from the Unix epoch; the bins "
		       "of the first and the last packet are left out of means and variances. Intervals are of %g %%. Sizes "
		       "are of payload. The same numbers come from flitcount (counts, dispersion), flithurst (the Hurst "
		       "parameter, every point of its plots with --points), flittest (tests) and flitstat (bursts, roles).",
		       report->level * 100);
}

static void add_row(struct table *table, const struct hurst_estimate *own, double width_s)
{
	const struct estimate *estimate = &own->estimate;
	const char *equation = equation_of_estimator(own->estimator->name);
	char command[120], plotted[200];

	(void)snprintf(command, sizeof(command), "flithurst -m %s -b %gms", own->estimator->name, width_s * 1e3);
	table_text(table, own->estimator->title);
	(void)snprintf(plotted, sizeof(plotted), "%s over %s", own->estimator->y_label, own->estimator->x_label);
	table_text(table, equation ? equation : plotted);
	table_text(table, own->estimator->paper);
	table_real(table, estimate->slope, 4);
	table_real(table, estimate->fit, 2);
	table_text(table, command);
}

static void add_table(struct page *page, const struct stream *stream)
{
	struct table *table = page_table(page, "The estimators, as they were used on %s.", stream->label);

	table_words(table, "method");
	table_words(table, "equation");
	table_words(table, "defined in");
	table_numbers(table, "slope");
	table_numbers(table, "probability of a worse fit");
	table_words(table, "again by");
	for (size_t i = 0; i < stream->hurst.count; i++)
		add_row(table, &stream->hurst.estimates[i], stream->hurst.width_s);
	table_note(
		table,
		"X: the n counts per bin; X^(m): means of blocks of m; Y: partial sums of X - mean X; I(f): the periodogram; B "
		"shifts by a bin; ~: in proportion to. Scales, weights and intervals of each method are those of flithurst(1).");
}

static void add_quantities(struct page *page)
{
	struct table *table = page_table(page, "What the other numbers are.");
	size_t count;
	const struct equation *list = equations_of_quantities(&count);

	table_words(table, "quantity");
	table_words(table, "equation");
	table_words(table, "defined in");
	for (size_t i = 0; i < count; i++) {
		table_text(table, list[i].name);
		table_text(table, list[i].text);
		table_text(table, list[i].source);
	}
}

void methods_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t count = report_streams(report, list, REPORT_STREAMS);

	say_counts(report, page);
	add_quantities(page);
	for (size_t i = 0; i < count; i++)
		if (list[i]->hurst.count > 0) {
			add_table(page, list[i]);
			return;
		}
}
