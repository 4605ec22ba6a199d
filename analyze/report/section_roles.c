// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts by role and class: the statistics of Yates 1997, section 2.5, with the samples that each would need.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/node_names.h"
#include "report/number.h"
#include "report/section.h"
#include "trace/ticks.h"

#define LEVEL 0.99
#define HEIGHT 280
#define TRAFFICS 4

static const enum tr_role roles[] = {TR_ROLE_CONTROLLER, TR_ROLE_WORKER, TR_ROLE_UNKNOWN};

static double seconds(const struct traffic *traffic, double ticks)
{
	return ticks / (double)traffic->ticks_per_s;
}

static void say_controller(struct page *page, const struct input *input)
{
	const struct traffic *traffic = input->traffic;
	const struct role_finding *finding = &traffic->finding;
	char label[TEXT_LABEL_BYTES];

	if (traffic->roles_given) {
		page_paragraph(page, "Roles in %s are those that its names give.", input->name);
		return;
	}
	(void)node_label(tr_reader_names(input->in), finding->node, 40, label);
	if (finding->basis == ROLE_BY_SHARE)
		page_paragraph(page, "The controller of %s was found to be %s: it takes part in %s of the data "
			       "bytes, the next node in %s; among equal nodes such a lead would come with a "
			       "probability below %s.", input->name, label,
			       number_percent(finding->share, 3).text,
			       number_percent(finding->next_share, 3).text,
			       number_real(fmax(finding->chance, 1e-4), 2).text);
	else if (finding->basis == ROLE_BY_ORDER)
		page_paragraph(page, "The controller of %s was found to be %s: of the two nodes that exchange data it "
			       "is the one that gives first and gets back (order %s; by chance with a probability of %s).",
			       input->name, label, number_real(finding->order, 2).text,
			       number_real(finding->chance, 2).text);
	else
		page_paragraph(page, "No node of %s leads the others, so that roles stay unknown%s%s.",
			       input->name, finding->nodes > 0 ? "; the likeliest controller is " : "",
			       finding->nodes > 0 ? label : "");
}

static void add_columns(struct grid *grid)
{
	grid_words(grid, "role");
	grid_words(grid, "class");
	grid_numbers(grid, "streams");
	grid_numbers(grid, "bursts");
	grid_numbers(grid, "from burst to burst (s)");
	grid_numbers(grid, "packets per burst");
	grid_numbers(grid, "99 % interval");
	grid_numbers(grid, "delay in bursts (ms)");
	grid_numbers(grid, "mean size (B)");
	grid_numbers(grid, "variance (B²)");
	grid_numbers(grid, "sizes");
	grid_numbers(grid, "needed for 1 %");
}

static void add_row(struct grid *grid, const struct traffic *traffic, enum tr_role role, unsigned class,
		    size_t window)
{
	size_t streams;
	struct burst_statistics bursts =
		senders_bursts(&traffic->senders, traffic->roles, role, class, window, &streams);
	struct interval pulses = mean_interval(&bursts.pulses, LEVEL);

	if (streams == 0)
		return;
	grid_text(grid, tr_role_name(role));
	grid_text(grid, traffic_class_name(class));
	grid_count(grid, streams);
	grid_count(grid, bursts.pulses.n);
	grid_real(grid, seconds(traffic, moments_mean(&bursts.interarrival)), 4);
	grid_real(grid, moments_mean(&bursts.pulses), 4);
	grid_range(grid, pulses.lo, pulses.hi, 4);
	grid_real(grid, 1e3 * seconds(traffic, moments_mean(&bursts.delay)), 4);
	grid_real(grid, moments_mean(&bursts.size_bytes), 6);
	grid_real(grid, moments_variance(&bursts.size_bytes), 6);
	grid_count(grid, bursts.size_bytes.n);
	grid_text(grid, number_real(ceil(moments_needed(&bursts.size_bytes, LEVEL, 1)), 4).text);
}

static void add_table(struct page *page, const struct traffic *traffic)
{
	struct window_curve *curve = calloc(1, sizeof *curve);
	size_t window;
	bool found;
	struct number width;
	struct grid *grid;

	if (!curve) {
		page->failed = true;
		return;
	}
	found = senders_window(&traffic->senders, curve, &window);
	width = number_time(seconds(traffic, (double)traffic->senders.windows.ticks[window]), 3);
	grid = page_grid(page, "Bursts by role and class, %s. A silence longer than %s ends a burst (%s).",
			 traffic->label, width.text, found ? "the window found below"
							  : "no plateau was found, so the 1 s of Yates 1997 is taken");
	add_columns(grid);
	for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
		for (unsigned class = 0; class < TRAFFIC_ALL; class++)
			add_row(grid, traffic, roles[r], class, window);
	grid_note(grid, "Means over all streams (a node's packets of one class) of a role. Last column: sizes "
		  "that make the mean right to 1 %% at 99 %% confidence, (100 · 2.576 · s / mean)².");
	free(curve);
}

static void add_curve(struct figure *figure, const struct traffic *traffic, unsigned colour)
{
	struct window_curve *curve = calloc(1, sizeof *curve);
	size_t window;
	bool found;

	if (!curve) {
		figure->failed = true;
		return;
	}
	found = senders_window(&traffic->senders, curve, &window);
	figure_curve(figure, CURVE_LINE, colour, traffic->generated ? "model" : "trace");
	for (size_t i = 0; i < traffic->senders.windows.count; i++)
		figure_row(figure, seconds(traffic, (double)traffic->senders.windows.ticks[i]),
			   window_curve_pulses(curve, i), 0, 0);
	if (found) {
		figure_curve(figure, CURVE_MARKS, colour, "window");
		figure_row(figure, seconds(traffic, (double)traffic->senders.windows.ticks[window]),
			   window_curve_pulses(curve, window), 0, 0);
	}
	free(curve);
}

static void add_figure(struct page *page, const struct traffic *const *list, size_t count)
{
	struct figure *figure = page_figure(page, 1, "Window search");
	struct plot *plot;

	figure_panel(figure, NULL, HEIGHT);
	figure_about(figure, "Mean number of packets per burst against the silence that ends a burst.");
	plot = figure_plot(figure, "silence that ends a burst (s)", "packets per burst");
	plot->x.lo = 0;
	plot->y.lo = 0;
	for (size_t i = 0; i < count; i++)
		add_curve(figure, list[i], (unsigned)i + 1);
	page_caption(page, figure,
		     "Mean packets per burst for windows from 0.05 to 5 s by 0.025 s. A window is taken where from it to "
		     "twice its length each step adds less than %g %%, all steps less than %g %%, and at least %d "
		     "longer silences are left; where there is no such plateau none is invented.",
		     WINDOW_STEP_GROWTH * 100, WINDOW_TOTAL_GROWTH * 100, WINDOW_SILENCES_MIN);
}

void roles_build(const struct report *report, struct page *page)
{
	const struct traffic *list[TRAFFICS];
	size_t count = report_traffics(report, list, TRAFFICS);

	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].kind == INPUT_PACKETS)
			say_controller(page, &report->inputs[i]);
	for (size_t i = 0; i < count; i++)
		add_table(page, list[i]);
	add_figure(page, list, count);
}
