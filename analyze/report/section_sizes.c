// SPDX-License-Identifier: GPL-3.0-or-later
// How large the packets are.
#include <math.h>
#include <stdio.h>

#include "report/distribution.h"
#include "report/number.h"
#include "report/section.h"

#define TRAFFICS 4
#define BARS 40
#define HEIGHT 300

static double largest_of(const struct traffic *const *list, size_t count)
{
	double largest = 1;

	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, (double)list[i]->classes[TRAFFIC_ALL].sizes.max);
	return largest;
}

// "data", or "data, model" where there are several streams.
static const char *curve_name(const struct traffic *traffic, unsigned class, size_t count, char out[160])
{
	char label[TEXT_LABEL_BYTES];

	if (count == 1)
		(void)snprintf(out, 160, "%s", traffic_class_name(class));
	else
		(void)snprintf(out, 160, "%s, %s", traffic_class_name(class),
			       traffic->generated ? "model" : count == 2 ? "trace"
						  : text_shorten(traffic->label, 16, label));
	return out;
}

static void add_shares(struct figure *figure, const struct traffic *const *list, size_t count)
{
	struct plot *plot;
	unsigned colour = 1;
	char name[160];

	figure_panel(figure, "Share of packets up to a size", HEIGHT);
	figure_about(figure, "Cumulative distribution of payload sizes by class.");
	plot = figure_plot(figure, "payload (B)", "share of the class's packets");
	plot->x.lo = -0.02 * largest_of(list, count);
	plot->x.hi = 1.02 * largest_of(list, count);
	plot->y.lo = 0;
	plot->y.hi = 1.02;
	for (unsigned class = 0; class < TRAFFIC_ALL; class++)
		for (size_t i = 0; i < count; i++) {
			if (list[i]->classes[class].sizes.n == 0)
				continue;
			figure_curve(figure, CURVE_LINE, colour++, curve_name(list[i], class, count, name));
			distribution_below(figure, &list[i]->classes[class].sizes, 1, 0);
		}
}

static void add_bars(struct figure *figure, const struct traffic *const *list, size_t count)
{
	double width = ceil((largest_of(list, count) + 1) / BARS);
	struct plot *plot;

	figure_panel(figure, "Packets by size", HEIGHT);
	figure_about(figure, "Histogram of payload sizes.");
	plot = figure_plot(figure, "payload (B)", "share of packets (%)");
	plot->x.lo = -0.02 * width * BARS;
	plot->x.hi = 1.02 * width * BARS;
	plot->y.lo = 0;
	for (size_t i = 0; i < count; i++) {
		const struct quantile *sizes = &list[i]->classes[TRAFFIC_ALL].sizes;
		double below = 0;

		figure_curve(figure, i ? CURVE_STEPS : CURVE_BARS, (unsigned)i + 1,
			     count == 1 ? NULL : list[i]->generated ? "model" : "trace");
		for (int bar = 0; bar < BARS; bar++) {
			double upto = quantile_share(sizes, (uint64_t)((bar + 1) * width) - 1);
			double share = 100 * (upto - below);

			figure_row(figure, bar * width, i ? share : width, share, 0);
			below = upto;
		}
	}
}

static void add_row(struct grid *grid, const struct traffic *traffic, unsigned class, double level)
{
	const struct traffic_class *own = &traffic->classes[class];
	const struct traffic_class *all = &traffic->classes[TRAFFIC_ALL];
	struct interval interval = mean_interval(&own->size_bytes, level);

	grid_text(grid, traffic->label);
	grid_text(grid, traffic_class_name(class));
	grid_count(grid, own->size_bytes.n);
	grid_real(grid, 100 * (double)own->size_bytes.n / (double)all->size_bytes.n, 4);
	grid_real(grid, 100 * (double)own->size_bytes.sum / (double)all->size_bytes.sum, 4);
	grid_real(grid, moments_mean(&own->size_bytes), 5);
	grid_range(grid, interval.lo, interval.hi, 5);
	grid_real(grid, moments_sd(&own->size_bytes), 4);
	grid_count(grid, quantile_get(&own->sizes, 0.5));
	grid_count(grid, quantile_get(&own->sizes, 0.99));
	grid_count(grid, own->sizes.max);
}

static void add_table(const struct report *report, struct page *page,
		      const struct traffic *const *list, size_t count)
{
	struct grid *grid = page_grid(page, "Payload per packet, by class. Sizes in bytes; intervals of the mean "
				      "%g %%, for independent packets.", report->level * 100);

	grid_words(grid, "traffic");
	grid_words(grid, "class");
	grid_numbers(grid, "packets");
	grid_numbers(grid, "% of packets");
	grid_numbers(grid, "% of bytes");
	grid_numbers(grid, "mean");
	grid_numbers(grid, "interval");
	grid_numbers(grid, "deviation");
	grid_numbers(grid, "median");
	grid_numbers(grid, "99 %");
	grid_numbers(grid, "largest");
	for (size_t i = 0; i < count; i++)
		for (unsigned class = 0; class < TRAFFIC_CLASSES; class++)
			if (list[i]->classes[class].sizes.n > 0)
				add_row(grid, list[i], class, report->level);
}

void sizes_build(const struct report *report, struct page *page)
{
	const struct traffic *list[TRAFFICS];
	size_t count = report_traffics(report, list, TRAFFICS);
	struct figure *figure = page_figure(page, 2, "Sizes of packets");

	add_shares(figure, list, count);
	add_bars(figure, list, count);
	page_caption(page, figure, "Payload, not frame: what TCP or UDP carried. Left: share of the packets of a class "
		     "that are no larger. Right: share of all packets in each of %d equal ranges of size. From a "
		     "histogram that is exact below 128 B and within 0.4 %% above.", BARS);
	add_table(report, page, list, count);
}
