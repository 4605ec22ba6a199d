// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that other runs of the programs printed; for sweeps, also figures of latency and throughput over load.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/printed_tables.h"
#include "report/section.h"
#include "trace/num.h"
#include "trace/number.h"

#define HEIGHT 320
#define BATCH (PALETTE_CURVES - 1) // curves in a figure, each of a colour

static const char *const titles[LOAD_QUANTITIES] = {"Mean latency", "99th percentile of the latency", "Throughput"};
static const char *const labels[LOAD_QUANTITIES] = {"latency (µs)", "99th percentile (µs)", "carried (MB/s)"};

static bool is_log(unsigned quantity)
{
	return quantity != LOAD_THROUGHPUT_MBPS;
}

static void widen(double value, double *lo, double *hi)
{
	if (value > 0 && isfinite(value)) {
		*lo = fmin(*lo, value);
		*hi = fmax(*hi, value);
	}
}

static void set_axes(struct figure *figure, struct plot *plot, const struct load_curve *list, size_t count, unsigned quantity)
{
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < list[i].count; k++) {
			widen(list[i].points[k].of[quantity].mean, &lo, &hi);
			widen(list[i].points[k].of[quantity].interval.hi, &lo, &hi);
		}
	plot->x.lo = 0;
	if (is_log(quantity) && hi > 0)
		axis_decades(figure, &plot->y, lo / 1.5, hi * 1.2);
	else
		plot->y.lo = 0;
}

// Saturation spoils latencies, not what is carried.
static bool is_spoiled(const struct load_point *point, unsigned quantity)
{
	return point->end.ending == TR_STOOD || (point->end.ending == TR_GREW && quantity != LOAD_THROUGHPUT_MBPS);
}

// "deadlock at 0.3, 0.6; saturated at 0.8" for the points that ended so, or no worse; "" for none. Returns text.
static const char *ends_text(const struct load_curve *curve, enum tr_ending least, char *text, size_t text_bytes)
{
	const char *word = NULL;
	size_t used = 0;

	*text = '\0';
	for (size_t k = 0; k < curve->count && used < text_bytes; k++) {
		const struct load_point *point = &curve->points[k];

		if (point->end.ending < least)
			continue;
		if (point->end.word != word)
			used += (size_t)snprintf(text + used, text_bytes - used, "%s%s at ", word ? "; " : "", point->end.word);
		else
			used += (size_t)snprintf(text + used, text_bytes - used, ", ");
		word = point->end.word;
		if (used < text_bytes)
			used += (size_t)snprintf(text + used, text_bytes - used, "%.40s", number_real(point->load, 3).text);
	}
	return text;
}

// The line joins the points that ended as they should; saturated ones are open, and where a run stood still there is none.
static void add_points(struct figure *figure, const struct load_curve *curve, unsigned colour, unsigned quantity)
{
	figure_curve(figure, CURVE_INTERVAL, colour, NULL);
	for (size_t k = 0; k < curve->count; k++) {
		const struct load_measure *own = &curve->points[k].of[quantity];

		if (!is_spoiled(&curve->points[k], quantity))
			figure_row(figure, curve->points[k].load, own->mean, own->interval.lo, own->interval.hi);
	}
	figure_curve(figure, CURVE_OPEN, colour, NULL);
	for (size_t k = 0; k < curve->count; k++)
		if (is_spoiled(&curve->points[k], quantity) && isfinite(curve->points[k].of[quantity].mean))
			figure_row(figure, curve->points[k].load, curve->points[k].of[quantity].mean, 0, 0);
}

static void add_curve(struct figure *figure, const struct load_curve *curve, unsigned colour, unsigned quantity)
{
	const struct load_point *saturated = curve->saturated == SIZE_MAX ? NULL : &curve->points[curve->saturated];
	char title[LOAD_NAME_BYTES + 100], ends[96];

	ends_text(curve, TR_STOOD, ends, sizeof(ends));
	(void)snprintf(title, sizeof(title), *ends != '\0' ? "%s (%s)" : "%s", curve->name, ends);
	figure_curve(figure, CURVE_LINE, colour, *title ? title : NULL);
	for (size_t k = 0; k < curve->count; k++)
		if (!is_spoiled(&curve->points[k], quantity))
			figure_row(figure, curve->points[k].load, curve->points[k].of[quantity].mean, 0, 0);
	add_points(figure, curve, colour, quantity);
	if (!saturated || !isfinite(saturated->of[quantity].mean))
		return;
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	for (int end = 0; end < 2; end++)
		figure_row(figure, saturated->load, end ? saturated->of[quantity].mean : curve->points[0].of[quantity].mean, 0,
			   0);
}

static void add_figure(struct page *page, const struct input *input, const struct load_curves *curves, size_t from, size_t end)
{
	struct figure *figure = page_figure(page, 2, "Latency and throughput over load");
	struct plot *plot;

	for (unsigned q = 0; q < LOAD_QUANTITIES; q++) {
		if (!curves->has[q])
			continue;
		figure_panel(figure, titles[q], HEIGHT);
		figure_about(figure, "%s against the load, a curve for each configuration.", titles[q]);
		plot = figure_plot(figure, "load (fraction of link rate)", labels[q]);
		set_axes(figure, plot, curves->list + from, end - from, q);
		for (size_t i = from; i < end; i++)
			add_curve(figure, &curves->list[i], (unsigned)(i - from) + 1, q);
	}
	page_caption(
		page, figure,
		"%s. Bars are intervals of the mean: over replications where there are several, else the run's own. "
		"A dashed line stands at the first load at which the network does not keep up: it carries less than %g %% of "
		"what it would if it carried as the lowest load does (without a throughput: latency is %d times the lowest "
		"load's), or saturated by its table. Saturated runs are open points: their latencies grow with their length. Runs that "
		"stood still have no points.",
		input->name, LOAD_KEEPS_UP * 100, LOAD_LATENCY_TIMES);
}

static void add_saturation(struct table *shown, const struct load_curve *curve)
{
	const size_t at = curve->saturated;

	if (at == SIZE_MAX) {
		char above[48];

		(void)snprintf(above, sizeof(above), "above %.40s", number_real(curve->points[curve->count - 1].load, 3).text);
		table_text(shown, above);
	} else if (at == 0) {
		char below[48];

		(void)snprintf(below, sizeof(below), "up to %.40s", number_real(curve->points[0].load, 3).text);
		table_text(shown, below);
	} else {
		table_range(shown, curve->points[at - 1].load, curve->points[at].load, 3);
	}
}

static void add_table(const struct report *report, struct page *page, const struct input *input,
		      const struct load_curves *curves)
{
	struct table *shown = page_table(page, "Saturation, %s (%g %% confidence intervals over replications).", input->name,
					 report->level * 100);
	char ends[200];
	bool any = false;

	table_words(shown, "configuration");
	table_numbers(shown, "loads");
	table_numbers(shown, "saturation between loads");
	table_numbers(shown, "maximum throughput (MB/s)");
	table_numbers(shown, "latency at the lowest load (µs)");
	table_numbers(shown, "interval");
	table_numbers(shown, "99 % at the lowest load (µs)");
	for (size_t i = 0; i < curves->count; i++)
		any = any || *ends_text(&curves->list[i], TR_GREW, ends, sizeof(ends)) != '\0';
	if (any)
		table_words(shown, "ended by");
	for (size_t i = 0; i < curves->count; i++) {
		const struct load_curve *curve = &curves->list[i];
		const struct load_measure *latency = &curve->points[0].of[LOAD_LATENCY_US];
		double most = NAN;

		for (size_t k = 0; k < curve->count; k++)
			most = fmax(most, curve->points[k].of[LOAD_THROUGHPUT_MBPS].mean);
		table_text(shown, *curve->name ? curve->name : "all rows");
		table_count(shown, curve->count);
		add_saturation(shown, curve);
		table_real(shown, most, 4);
		table_error(shown, latency->mean, latency->interval.lo, latency->interval.hi);
		table_error_range(shown, latency->interval.lo, latency->interval.hi);
		table_real(shown, curve->points[0].of[LOAD_P99_US].mean, 4);
		if (any)
			table_text(shown, ends_text(curve, TR_GREW, ends, sizeof(ends)));
	}
}

static void add_curves(const struct report *report, struct page *page, const struct input *input,
		       const struct printed_table *table)
{
	struct load_curves curves;
	struct tr_error ignored;

	if (load_curves_make(&curves, table, report->level, &ignored) != TR_OK) {
		page->failed = true;
		return;
	}
	for (size_t from = 0; from < curves.count; from += BATCH)
		add_figure(page, input, &curves, from, from + BATCH < curves.count ? from + BATCH : curves.count);
	if (curves.count > 0)
		add_table(report, page, input, &curves);
	load_curves_clear(&curves);
}

static void build_load(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		for (size_t k = 0; k < report->inputs[i].tables.count; k++)
			add_curves(report, page, &report->inputs[i], &report->inputs[i].tables.list[k]);
}

// ---- the tables themselves

// Whether the column has a word: a cell that is neither a number nor "-".
static bool holds_words(const struct printed_table *table, size_t column)
{
	struct tr_error ignored;
	double value;

	for (size_t row = 0; row < table->rows; row++) {
		const char *text = table->cells[row * table->columns + column];

		if (strcmp(text, "-") != 0 && num_parse_real(text, &value, &ignored) != TR_OK)
			return true;
	}
	return false;
}

static void add_printed(struct page *page, const struct input *input, const struct printed_table *table)
{
	struct table *shown = page_table(page, "%s (%s).", table->title ? table->title : "A table", input->name);

	for (size_t column = 0; column < table->columns; column++)
		(holds_words(table, column) ? table_words : table_numbers)(shown, table->headings[column]);
	for (size_t i = 0; i < table->rows * table->columns; i++)
		table_text(shown, table->cells[i]);
	if (table->notes)
		table_note(shown, "%s", table->notes);
}

void tables_build(const struct report *report, struct page *page)
{
	build_load(report, page);
	for (size_t i = 0; i < report->count; i++) {
		const struct printed_tables *tables = &report->inputs[i].tables;

		for (size_t k = 0; k < tables->count; k++)
			add_printed(page, &report->inputs[i], &tables->list[k]);
	}
}
