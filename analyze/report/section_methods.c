// SPDX-License-Identifier: GPL-3.0-or-later
// How the numbers of the page are computed, so that a reader can repeat them.
#include <stdio.h>

#include "report/section.h"
#include "table/table_rows.h"
#include "value/number.h"

static void say_counts(const struct report *report, struct page *page)
{
	page_paragraph(
		page,
		"Bins start at multiples of their width since the Unix epoch; the bins of the "
		"first and the last packet are excluded from means and variances. The confidence "
		"level is %g %%. Sizes are payload sizes. These programs give the same numbers: "
		"flitcount (counts, dispersion), flithurst (the Hurst parameter; with --points "
		"every point of its plots), flittest (tests) and flitstat (bursts, roles).",
		report->level * 100);
}

TABLE_ROW(method, (text, method), (text, equation), (text, reference), (real, slope, 4),
	  (real, p, 2, "p-value of the fit"), (text, command, 0, "same with"));

static void section_methods_add_row(struct table *table, const struct hurst_estimate *own,
				    double width_s)
{
	const struct estimate *estimate = &own->estimate;
	const char *equation = own->estimator->equation;
	char command[120], plotted[200];

	(void)snprintf(command, sizeof(command), "flithurst -m %s -b %gms", own->estimator->name,
		       width_s * 1e3);
	(void)snprintf(plotted, sizeof(plotted), "%s over %s", own->estimator->y_label,
		       own->estimator->x_label);
	TABLE_PUT(table, method, .method = own->estimator->title,
		  .equation = equation ? equation : plotted, .reference = own->estimator->paper,
		  .slope = estimate->slope, .p = estimate->fit, .command = command);
}

static void section_methods_add_table(struct page *page, const struct stream *stream)
{
	struct table *table = page_table(page, "The estimators and their parameters for %s.",
					 stream->label);

	table_heads(table, method_fields);
	for (size_t i = 0; i < stream->hurst.count; i++)
		section_methods_add_row(table, &stream->hurst.estimates[i], stream->hurst.width_s);
	table_note(table,
		   "X: the n counts per bin; X^(m): means of blocks of m; Y: partial sums of X - "
		   "mean X; I(f): the periodogram; B: the backshift operator; ~: proportional to. "
		   "flithurst(1) gives the scales, weights and intervals of each method.");
}

TABLE_ROW(quantity, (text, quantity), (text, equation), (text, reference));

static const struct quantity_row quantities[] = {
	{"variance-time plot",
	 "Var N(w)/(mean N(w))^2 over w, N(w): packets in a bin w wide; slope 2H - 2 of fractional "
	 "Gaussian noise",
	 "Leland, Taqqu, Willinger, Wilson 1994"},
	{"index of dispersion", "Var N(w)/mean N(w); 1 for Poisson traffic",
	 "Cox, Lewis 1966, section 4.5"},
	{"periodogram", "I(f_j) = |sum_t X(t) exp(-i f_j t)|^2/(2 pi n), f_j = 2 pi j/n",
	 "Priestley 1981, section 6.1"},
	{"verdict",
	 "Whittle's likelihood of white noise + two or three relaxations a/(1 + (f t)^2) against "
	 "white noise + one + a power law f^(1 - 2H)",
	 "flitline-verdict(7); Whittle 1953, Granger 1980"},
	{"periods",
	 "g = max I(f)/sum I(f) over the whitened spectrum, then combs of harmonics of one "
	 "frequency",
	 "Fisher 1929"},
	{"trains", "share of gaps below 1/10 of the mean gap; 1 - exp(-1/10) for Poisson traffic",
	 "this page"},
	{"pauses", "share of the time in gaps above 10 mean gaps; 11 exp(-10) for Poisson traffic",
	 "this page"},
	{"Hill's index", "k/sum_(i<=k) ln(x_i/x_(k+1)), x_1 >= x_2 >= ... the gaps", "Hill 1975"},
	{"latency", "mean over batches of consecutive packets, +- t s/sqrt(b) of b batches",
	 "Law, Simulation Modeling and Analysis, chapter 9"},
	{"Kolmogorov-Smirnov distance", "sup |F(x) - G(x)|, F and G the shares up to x",
	 "Kolmogorov 1933; Smirnov 1939"},
	{"earth mover's distance", "integral of |F(x) - G(x)| dx, in the unit of x",
	 "Vallender 1974"},
};

static void add_quantities(struct page *page)
{
	struct table *table = page_table(page, "Definitions of the other numbers.");

	table_heads(table, quantity_fields);
	table_list(table, quantity_fields, quantities, sizeof(quantities) / sizeof(*quantities),
		   sizeof(*quantities));
}

void methods_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t count = report_streams(report, list, REPORT_STREAMS);

	say_counts(report, page);
	add_quantities(page);
	for (size_t i = 0; i < count; i++)
		if (list[i]->hurst.count > 0) {
			section_methods_add_table(page, list[i]);
			return;
		}
}
