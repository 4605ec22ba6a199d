// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and throughput over load, as figures: the curves of one traffic in one panel for each
// quantity; of several, in a figure for each quantity with a panel for each traffic.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "page/figure.h"
#include "page/page.h"
#include "page/palette.h"
#include "report/drawing.h"
#include "report/printed_tables.h"

#define HEIGHT 320
#define CURVES_MOST (PALETTE_CURVES - 1) // in a panel, each of a colour
#define LEGEND_LINE 14.0
#define LEGEND_CHARACTER \
	30.0 // of a panel's width for each character of a name, of which two stand side by side

// Configurations that are drawn together.
struct batch {
	size_t from, count;
};

static const char *const titles[LOAD_DRAWN] = {"Mean latency", "99th percentile of the latency",
					       "Throughput"};
static const char *const labels[LOAD_DRAWN] = {"latency (µs)", "99th percentile (µs)",
					       "payload carried (MB/s)"};

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

// The same for all panels of a quantity.
static void set_load_axes(struct figure *figure, struct plot *plot,
			  const struct load_curves *curves, unsigned quantity)
{
	double lo = INFINITY, hi = 0, most = 0, least = INFINITY;

	for (size_t i = 0; i < curves->count; i++)
		for (size_t k = 0; k < curves->list[i].count; k++) {
			const struct load_point *point = &curves->list[i].points[k];

			widen_load_range(point->of[quantity].mean, &lo, &hi);
			widen_load_range(point->of[quantity].interval.hi, &lo, &hi);
			widen_load_range(point->load, &least, &most);
		}
	plot->x.lo = 0;
	if (most > 0)
		plot->x.hi = most * 1.03;
	if (is_log(quantity) && hi > 0)
		axis_decades(figure, &plot->y, lo / 1.5, hi * 1.2);
	else
		plot->y.lo = 0;
	if (!is_log(quantity) && hi > 0)
		plot->y.hi = hi * 1.05;
}

// Saturation spoils latencies, not what is carried.
static bool is_spoiled(const struct load_point *point, unsigned quantity)
{
	return point->end.ending == TR_STOOD ||
	       (point->end.ending == TR_GREW && quantity != LOAD_THROUGHPUT_MBPS);
}

// Whether there are points on the line, or open ones.
static bool load_has_points(const struct load_curve *curve, unsigned quantity, bool open)
{
	for (size_t k = 0; k < curve->count; k++)
		if (is_spoiled(&curve->points[k], quantity) == open &&
		    isfinite(curve->points[k].of[quantity].mean))
			return true;
	return false;
}

// The line joins the points that ended as they should; saturated ones are open, and where a run
// stood still there is none.
static void draw_load_points(struct figure *figure, const struct load_curve *curve, unsigned colour,
			     unsigned quantity, const char *open_title)
{
	figure_curve(figure, CURVE_INTERVAL, colour, NULL);
	for (size_t k = 0; k < curve->count; k++) {
		const struct load_measure *own = &curve->points[k].of[quantity];

		if (!is_spoiled(&curve->points[k], quantity))
			figure_row(figure, curve->points[k].load, own->mean, own->interval.lo,
				   own->interval.hi);
	}
	figure_curve(figure, CURVE_MARKS, colour, NULL);
	for (size_t k = 0; k < curve->count; k++)
		if (!is_spoiled(&curve->points[k], quantity) &&
		    !isfinite(curve->points[k].of[quantity].interval.lo))
			figure_row(figure, curve->points[k].load,
				   curve->points[k].of[quantity].mean, 0, 0);
	figure_curve(figure, CURVE_OPEN, colour, open_title);
	for (size_t k = 0; k < curve->count; k++)
		if (is_spoiled(&curve->points[k], quantity) &&
		    isfinite(curve->points[k].of[quantity].mean))
			figure_row(figure, curve->points[k].load,
				   curve->points[k].of[quantity].mean, 0, 0);
}

// Where runs stood still, at the foot of the plot.
static void mark_standstills(struct figure *figure, const struct load_curve *curve, unsigned colour,
			     double foot, const char *title)
{
	figure_curve(figure, CURVE_CROSSES, colour, title);
	for (size_t k = 0; k < curve->count; k++)
		if (curve->points[k].stood > 0)
			figure_row(figure, curve->points[k].load, foot, 0, 0);
}

static void draw_load_curve(struct figure *figure, const struct load_curve *curve, unsigned colour,
			    unsigned quantity, double foot)
{
	const struct load_point *saturated = curve->saturated == SIZE_MAX
						     ? NULL
						     : &curve->points[curve->saturated];
	const char *title = *curve->name ? curve->name : NULL;
	const bool line = load_has_points(curve, quantity, false),
		   open = load_has_points(curve, quantity, true);

	mark_standstills(figure, curve, colour, foot, line || open ? NULL : title);
	figure_curve(figure, CURVE_LINE, colour, title);
	for (size_t k = 0; k < curve->count; k++)
		if (!is_spoiled(&curve->points[k], quantity))
			figure_row(figure, curve->points[k].load,
				   curve->points[k].of[quantity].mean, 0, 0);
	draw_load_points(figure, curve, colour, quantity, line ? NULL : title);
	if (!saturated || !isfinite(saturated->of[quantity].mean))
		return;
	figure_curve(figure, CURVE_DASHED, colour, NULL);
	for (int end = 0; end < 2; end++)
		figure_row(figure, saturated->load,
			   end ? saturated->of[quantity].mean : curve->points[0].of[quantity].mean,
			   0, 0);
}

// Height of a panel: what a long legend takes above the plot is added.
static double panel_height(const struct figure *figure, const struct load_curves *curves,
			   size_t count)
{
	size_t widest = 0, rows;

	for (size_t i = 0; i < curves->count; i++)
		widest = strlen(curves->list[i].name) > widest ? strlen(curves->list[i].name)
							       : widest;
	rows = (double)widest > figure_panel_width(figure) / LEGEND_CHARACTER ? count
									      : (count + 1) / 2;
	return HEIGHT + (rows > 2 ? LEGEND_LINE * (double)(rows - 2) : 0);
}

// A panel of one quantity: the curves of the group that are of these configurations.
static void add_load_panel(struct figure *figure, const struct load_curves *curves, size_t group,
			   const struct batch *batch, unsigned quantity)
{
	const char *traffic = curves->groups[group];
	char title[LOAD_NAME_BYTES + 60];
	struct plot *plot;
	double foot;

	(void)snprintf(title, sizeof(title), "%s%s%s", titles[quantity], *traffic ? ", " : "",
		       traffic);
	figure_panel(figure, title, panel_height(figure, curves, batch->count));
	figure_about(figure, "%s against the load%s%s, a curve for each configuration.",
		     titles[quantity], *traffic ? ", traffic " : "", traffic);
	plot = figure_plot(figure, "load (fraction of link rate)", labels[quantity]);
	set_load_axes(figure, plot, curves, quantity);
	foot = plot->y.log ? plot->y.lo : 0;
	for (size_t i = 0; i < curves->count; i++) {
		const struct load_curve *curve = &curves->list[i];

		if (curve->group == group && curve->configuration >= batch->from &&
		    curve->configuration < batch->from + batch->count)
			draw_load_curve(figure, curve,
					(unsigned)(curve->configuration - batch->from) + 1,
					quantity, foot);
	}
}

static void caption_loads(struct page *page, struct figure *figure,
			  const struct load_curves *curves, const char *begin, bool first)
{
	char shared[8 * LOAD_NAME_BYTES + 200] = "";

	if (*curves->varied)
		text_append(shared, sizeof(shared), " A curve for each %s", curves->varied);
	if (*curves->follows)
		text_append(shared, sizeof(shared), ", with its %s", curves->follows);
	if (*curves->traffic)
		text_append(shared, sizeof(shared), "%s panel with the same axes for each %s",
			    *shared ? ", a" : " A", curves->traffic);
	for (size_t i = 0; *curves->traffic && i < curves->group_count; i++)
		text_append(shared, sizeof(shared), "%s%s", i ? ", " : ": ", curves->groups[i]);
	if (*shared)
		text_append(shared, sizeof(shared), ".");
	if (*curves->shared)
		text_append(shared, sizeof(shared), " All have %s.", curves->shared);
	if (!first) {
		page_caption(page, figure, "%s.%s Marks as in the previous figure.", begin, shared);
		return;
	}
	page_caption(page, figure,
		     "%s.%s Bars are intervals of the mean: over replications where there are "
		     "several, else the run's own. A dashed line marks the first load at which the "
		     "network does not keep up: it carries less than %g %% of the payload "
		     "extrapolated from the lowest load (without a throughput: latency is %d times "
		     "that at the lowest load), or its table calls the run saturated. Open points "
		     "are saturated runs, whose latencies grow with the length of the run. Crosses "
		     "at the bottom mark loads at which runs stood still.",
		     begin, shared, LOAD_KEEPS_UP * 100, LOAD_LATENCY_TIMES);
}

// "Mean latency over load: net, pattern", or with the table's title "Title, mean latency"; of one
// figure for all quantities without the quantity.
static void name_loads(const char *title, const char *what, const char *quantity, char *text,
		       size_t text_bytes)
{
	*text = '\0';
	if (!title)
		text_append(text, text_bytes, "%s over load%s%s",
			    quantity ? quantity : "Latency and throughput", *what ? ": " : "",
			    what);
	else
		text_append(text, text_bytes, "%s", title);
	if (title && quantity)
		text_append(text, text_bytes, ", %c%s", *quantity | ' ', quantity + 1);
}

void load_figures_draw(struct page *page, const struct load_curves *curves, const char *title,
		       const char *what, const char *begin)
{
	const bool grouped = curves->group_count > 1;
	const unsigned across = curves->group_count == 3 || curves->group_count > 4 ? 3 : 2;
	const size_t batches = (curves->configurations + CURVES_MOST - 1) / CURVES_MOST;
	const size_t most = batches > 0 ? (curves->configurations + batches - 1) / batches : 0;
	struct figure *figure = NULL;

	for (size_t from = 0; from < curves->configurations; from += most) {
		const struct batch batch = {from, most < curves->configurations - from
							  ? most
							  : curves->configurations - from};
		bool first = true;

		for (unsigned q = 0; q < LOAD_DRAWN; q++) {
			char full[400];

			if (!curves->has[q])
				continue;
			name_loads(title, what, grouped ? titles[q] : NULL, full, sizeof(full));
			if (grouped || first)
				figure = page_figure(page, across, full);
			for (size_t group = 0; group < curves->group_count; group++)
				add_load_panel(figure, curves, group, &batch, q);
			if (grouped || first)
				caption_loads(page, figure, curves, begin, first);
			first = false;
		}
	}
}
