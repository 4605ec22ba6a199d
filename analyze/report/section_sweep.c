// SPDX-License-Identifier: GPL-3.0-or-later
// Which network: tables of sweeps as latency and throughput over load, with what each configuration carries, on the first screen.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/printed_tables.h"
#include "report/section.h"
#include "trace/number.h"

#define HEIGHT 320
#define BATCH (PALETTE_CURVES - 1) // curves in a figure, each of a colour

static const char *const titles[LOAD_QUANTITIES] = {"Mean latency", "99th percentile of the latency", "Throughput"};
static const char *const labels[LOAD_QUANTITIES] = {"latency (µs)", "99th percentile (µs)", "payload carried (MB/s)"};

static bool is_log(unsigned quantity)
{
	return quantity != LOAD_THROUGHPUT_MBPS;
}

static void widen_load_range(double value, double *lo, double *hi)
{
	if (value > 0 && isfinite(value)) {
		*lo = fmin(*lo, value);
		*hi = fmax(*hi, value);
	}
}

static void set_load_axes(struct figure *figure, struct plot *plot, const struct load_curve *list, size_t count,
			  unsigned quantity)
{
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < list[i].count; k++) {
			widen_load_range(list[i].points[k].of[quantity].mean, &lo, &hi);
			widen_load_range(list[i].points[k].of[quantity].interval.hi, &lo, &hi);
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

// ---- the answer

#define TOLD 4u // configurations in the sentence

// What a configuration carries at most, as a load: its largest throughput as a multiple of that at the lowest load; NaN if that says
// nothing.
static double carried_load(const struct load_curve *curve)
{
	const struct load_point *first = &curve->points[0];
	double most = NAN;

	if (curve->saturated == 0 || !isfinite(first->of[LOAD_THROUGHPUT_MBPS].mean))
		return NAN;
	for (size_t k = 0; k < curve->count; k++)
		most = fmax(most, curve->points[k].of[LOAD_THROUGHPUT_MBPS].mean);
	return first->load * most / first->of[LOAD_THROUGHPUT_MBPS].mean;
}

// "stands still (deadlock) from .45 on in 17 of 18 runs"; false if no run did.
static bool say_standstill(const struct load_curve *curve, char *text, size_t text_bytes)
{
	size_t from = 0, runs = 0, stood = 0;

	while (from < curve->count && curve->points[from].stood == 0)
		from++;
	for (size_t k = from; k < curve->count; k++) {
		runs += curve->points[k].runs;
		stood += curve->points[k].stood;
	}
	if (stood > 0)
		text_append(text, text_bytes, "stands still (%s) from %s on in %zu of %zu run%s", curve->points[from].end.word,
			    number_real(curve->points[from].load, 3).text, stood, runs, runs == 1 ? "" : "s");
	return stood > 0;
}

static void say_curve(const struct load_curve *curve, char *text, size_t text_bytes)
{
	const double carried = carried_load(curve);
	const struct load_point *last = &curve->points[curve->count - 1];

	text_append(text, text_bytes, "%s%s ", *text ? ", " : "", *curve->name ? curve->name : "The network");
	if (say_standstill(curve, text, text_bytes))
		return;
	if (curve->saturated == 0)
		text_append(text, text_bytes, "is saturated at %s already", number_real(curve->points[0].load, 3).text);
	else if (curve->saturated == SIZE_MAX)
		text_append(text, text_bytes, "keeps up to a load of %s, the highest", number_real(last->load, 3).text);
	else if (isfinite(carried))
		text_append(text, text_bytes, "carries %s of its links", number_real(carried, 2).text);
	else
		text_append(text, text_bytes, "keeps up to a load of %s",
			    number_real(curve->points[curve->saturated - 1].load, 3).text);
}

static void lead_with_answer(struct page *page, const struct load_curves *curves)
{
	char text[1024] = "";
	size_t best = 0;

	for (size_t i = 0; i < curves->count && curves->count <= TOLD; i++)
		say_curve(&curves->list[i], text, sizeof(text));
	for (size_t i = 1; i < curves->count; i++)
		if (!(carried_load(&curves->list[i]) <= carried_load(&curves->list[best])) &&
		    isfinite(carried_load(&curves->list[i])))
			best = i;
	if (curves->count > TOLD) {
		text_append(text, sizeof(text), "Of %zu configurations ", curves->count);
		text_append(text, sizeof(text), "%s carries the most, %s of its links", curves->list[best].name,
			    number_real(carried_load(&curves->list[best]), 2).text);
	}
	page_answer(page, "%s.", text);
}

// ---- the figure

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
static void draw_load_points(struct figure *figure, const struct load_curve *curve, unsigned colour, unsigned quantity)
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

// Where runs stood still, at the foot of the plot.
static void mark_standstills(struct figure *figure, const struct load_curve *curve, unsigned colour, double foot,
			     const char *title)
{
	figure_curve(figure, CURVE_CROSSES, colour, title);
	for (size_t k = 0; k < curve->count; k++)
		if (curve->points[k].stood > 0)
			figure_row(figure, curve->points[k].load, foot, 0, 0);
}

static bool load_has_line(const struct load_curve *curve, unsigned quantity)
{
	for (size_t k = 0; k < curve->count; k++)
		if (!is_spoiled(&curve->points[k], quantity) && isfinite(curve->points[k].of[quantity].mean))
			return true;
	return false;
}

static void draw_load_curve(struct figure *figure, const struct load_curve *curve, unsigned colour, unsigned quantity,
			    double foot)
{
	const struct load_point *saturated = curve->saturated == SIZE_MAX ? NULL : &curve->points[curve->saturated];
	const char *title = *curve->name ? curve->name : NULL;

	mark_standstills(figure, curve, colour, foot, load_has_line(curve, quantity) ? NULL : title);
	figure_curve(figure, CURVE_LINE, colour, title);
	for (size_t k = 0; k < curve->count; k++)
		if (!is_spoiled(&curve->points[k], quantity))
			figure_row(figure, curve->points[k].load, curve->points[k].of[quantity].mean, 0, 0);
	draw_load_points(figure, curve, colour, quantity);
	if (!saturated || !isfinite(saturated->of[quantity].mean))
		return;
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	for (int end = 0; end < 2; end++)
		figure_row(figure, saturated->load, end ? saturated->of[quantity].mean : curve->points[0].of[quantity].mean, 0,
			   0);
}

static void say_shared(const struct load_curves *curves, char *text, size_t text_bytes)
{
	if (*curves->varied)
		text_append(text, text_bytes, " A curve for each %s.", curves->varied);
	if (*curves->shared)
		text_append(text, text_bytes, " All have %s.", curves->shared);
}

static void draw_loads(struct page *page, const struct input *input, const struct printed_table *table,
		       const struct load_curves *curves, size_t from, size_t end)
{
	struct figure *figure = page_figure(page, 2, table->title ? table->title : "Latency and throughput over load");
	struct plot *plot;
	char shared[LOAD_NAME_BYTES + 100] = "";
	double foot;

	for (unsigned q = 0; q < LOAD_QUANTITIES; q++) {
		if (!curves->has[q])
			continue;
		figure_panel(figure, titles[q], HEIGHT);
		figure_about(figure, "%s against the load, a curve for each configuration.", titles[q]);
		plot = figure_plot(figure, "load (fraction of link rate)", labels[q]);
		set_load_axes(figure, plot, curves->list + from, end - from, q);
		foot = plot->y.log ? plot->y.lo : 0;
		for (size_t i = from; i < end; i++)
			draw_load_curve(figure, &curves->list[i], (unsigned)(i - from) + 1, q, foot);
	}
	say_shared(curves, shared, sizeof(shared));
	page_caption(
		page, figure,
		"%s.%s Bars are intervals of the mean: over replications where there are several, else the run's own. "
		"A dashed line stands at the first load at which the network does not keep up: it carries less than %g %% of "
		"what it would if it carried as the lowest load does (without a throughput: latency is %d times the lowest "
		"load's), or saturated by its table. Saturated runs are open points: their latencies grow with their length. Crosses at the "
		"foot: loads at which runs stood still.",
		input->name, shared, LOAD_KEEPS_UP * 100, LOAD_LATENCY_TIMES);
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

static void tabulate_loads(const struct report *report, struct page *page, const struct input *input,
			   const struct load_curves *curves)
{
	struct table *shown = page_table(page, "Saturation, %s (%g %% confidence intervals over replications).", input->name,
					 report->level * 100);
	char ends[200];
	bool any = false;

	table_words(shown, "configuration");
	table_numbers(shown, "loads");
	table_numbers(shown, "saturation between loads");
	table_numbers(shown, "most payload carried (MB/s)");
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
	if (curves.count > 0)
		lead_with_answer(page, &curves);
	for (size_t from = 0; from < curves.count; from += BATCH)
		draw_loads(page, input, table, &curves, from, from + BATCH < curves.count ? from + BATCH : curves.count);
	if (curves.count > 0)
		tabulate_loads(report, page, input, &curves);
	load_curves_clear(&curves);
}

void sweeps_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		for (size_t k = 0; k < report->inputs[i].tables.count; k++)
			add_curves(report, page, &report->inputs[i], &report->inputs[i].tables.list[k]);
}
