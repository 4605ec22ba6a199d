// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts by role and class: the statistics of Yates 1997 (figure 4-1), with the number of samples that each needs.
#include <math.h>

#include "page/figure.h"
#include "report/drawing.h"
#include "report/section.h"
#include "value/number.h"

#define HEIGHT 280

static const enum tr_role roles[] = {TR_ROLE_CONTROLLER, TR_ROLE_WORKER, TR_ROLE_UNKNOWN};

static double seconds(const struct stream *stream, double ticks)
{
	return ticks / (double)stream->ticks_per_s;
}

static void say_controller(struct page *page, const struct input *input)
{
	const struct stream_findings *found = &input->stream->found;
	const struct role_finding *finding = &found->controller;
	char label[TEXT_LABEL_BYTES];

	if (found->roles_given) {
		page_paragraph(page, "Roles in %s come from its names.", input->name);
		return;
	}
	(void)node_label(tr_reader_names(input->in), finding->node, 40, label);
	if (finding->basis == ROLE_BY_SHARE)
		page_paragraph(page,
			       "The controller of %s was found to be %s: it takes part in %s of the data "
			       "bytes, the next node in %s; among equal nodes such a lead would come with a "
			       "probability of %s at most.",
			       input->name, label, number_percent(finding->share, 3).text,
			       number_percent(finding->next_share, 3).text, number_real(fmax(finding->chance, 1e-4), 1).text);
	else if (finding->basis == ROLE_BY_ORDER)
		page_paragraph(page,
			       "The controller of %s was found to be %s: of the two nodes that exchange data it is "
			       "the one that gives before it gets back (ahead in %s episodes, behind in %s; by "
			       "chance with a probability of %s).",
			       input->name, label, number_count(finding->ahead).text, number_count(finding->behind).text,
			       number_real(fmax(finding->chance, 1e-4), 1).text);
	else if (finding->nodes > 0)
		page_paragraph(
			page,
			"Roles in %s are unknown, because no node is significantly ahead of the others; the most likely controller is %s.",
			input->name, label);
}

static void add_columns(struct table *table)
{
	table_words(table, "role");
	table_words(table, "class");
	table_numbers(table, "streams");
	table_numbers(table, "bursts");
	table_numbers(table, "time between bursts (s)");
	table_numbers(table, "packets per burst");
	table_numbers(table, "interval");
	table_numbers(table, "gap in bursts (ms)");
	table_numbers(table, "mean payload (B)");
	table_numbers(table, "variance (B²)");
	table_numbers(table, "sizes");
	table_numbers(table, "sizes for 1 % error");
}

// Streams (senders of one class) of a role.
static uint64_t count_streams(const struct stream *stream, enum tr_role role, unsigned class)
{
	uint64_t count = 0;

	for (size_t i = 0; i < stream->traffic.node_count; i++)
		count += stream->traffic.streams[i][class].list && stream->found.roles[i] == role;
	return count;
}

static struct interval role_interval(const struct moments *moments, const struct mean_error *error, double level, double least)
{
	return mean_error_interval(moments_mean(moments), error, level, least);
}

// How many sizes, rounded up to two digits: the interval of an interval is wide.
static double role_needed(const struct moments *moments, const struct mean_error *error, double level)
{
	const double n = (double)moments->n;
	const double needed = n < 2 ? NAN : mean_error_needed(moments_mean(moments), error, level, 1, n);
	const double place = needed >= 100 ? pow(10, floor(log10(needed)) - 1) : 1;

	return ceil(needed / place) * place;
}

static void section_roles_add_row(struct table *table, const struct stream *stream, size_t window, enum tr_role role,
				  unsigned class, double level)
{
	uint64_t streams = count_streams(stream, role, class);
	struct burst_statistics bursts = traffic_bursts(&stream->traffic, stream->found.roles, role, (enum tr_class) class,
							window);
	struct interval pulses, apart, delay, sizes;
	struct burst_errors errors = {.pulses.known = false};

	if (streams == 0)
		return;
	if (traffic_errors(&stream->traffic, stream->found.roles, role, (enum tr_class) class, window, &bursts, level, &errors,
			   NULL) != TR_OK)
		table_fail(table);
	pulses = role_interval(&bursts.pulses, &errors.pulses, level, 1);
	apart = role_interval(&bursts.interarrival, &errors.interarrival, level, 0);
	delay = role_interval(&bursts.delay, &errors.delay, level, 0);
	sizes = role_interval(&bursts.size_bytes, &errors.size_bytes, level, 0);
	table_text(table, tr_role_name(role));
	table_text(table, stream_class_name(class));
	table_count(table, streams);
	table_count(table, bursts.pulses.n);
	table_error(table, seconds(stream, moments_mean(&bursts.interarrival)), seconds(stream, apart.lo),
		    seconds(stream, apart.hi));
	table_error(table, moments_mean(&bursts.pulses), pulses.lo, pulses.hi);
	table_error_range(table, pulses.lo, pulses.hi);
	table_error(table, 1e3 * seconds(stream, moments_mean(&bursts.delay)), 1e3 * seconds(stream, delay.lo),
		    1e3 * seconds(stream, delay.hi));
	table_error(table, moments_mean(&bursts.size_bytes), sizes.lo, sizes.hi);
	table_variance(table, moments_variance(&bursts.size_bytes), bursts.size_bytes.n);
	table_count(table, bursts.size_bytes.n);
	table_text(table, number_real(role_needed(&bursts.size_bytes, &errors.size_bytes, level), 2).text);
}

static double window_seconds(const struct stream *stream, size_t window)
{
	return seconds(stream, (double)stream->settings.windows.ticks[window]);
}

// Tables below one another have the same window: that of the first stream with one, else the one of 1 s. Its index is the
// same in all streams' lists.
static const struct stream *find_window(const struct stream *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i]->found.window_found)
			return list[i];
	return list[0];
}

static void section_roles_add_table(struct page *page, const struct stream *stream, const struct stream *by, double level)
{
	struct number width = number_width(window_seconds(by, by->found.window));
	struct table *table = page_table(page, "Bursts by role and class, %s. Gaps longer than %s end a burst (%s).",
					 stream->label, width.text,
					 by == stream && by->found.window_found ? "the window found below"
					 : by->found.window_found ? "the window found for the first traffic that has one"
								  : "no plateau was found; 1 s as in Yates 1997");

	add_columns(table);
	for (size_t r = 0; r < sizeof(roles) / sizeof(*roles); r++)
		for (unsigned class = 0; class < TRAFFIC_CLASSES; class ++)
			section_roles_add_row(table, stream, by->found.window, roles[r], class, level);
	table_note(
		table,
		"Means over all streams (packets of one class from one node) of a role. Last column: number of sizes for a mean with a relative error of 1 %% at this level, or the least that may give an interval. Intervals at %g %% and numbers are for dependent packets (flitline-intervals(7)); without an interval the trace is too short for one.",
		level * 100);
}

static void section_roles_add_curve(struct figure *figure, const struct stream *stream, unsigned colour, const char *name)
{
	const struct stream_findings *found = &stream->found;

	figure_curve(figure, CURVE_LINE, colour, name);
	for (size_t i = 0; i < stream->settings.windows.count; i++)
		figure_row(figure, window_seconds(stream, i), window_curve_pulses(&found->curve, i), 0, 0);
	if (!found->window_found)
		return;
	figure_curve(figure, CURVE_MARKS, colour, "taken");
	figure_row(figure, window_seconds(stream, found->window), window_curve_pulses(&found->curve, found->window), 0, 0);
}

// Packets per burst at the shortest and the longest window of all streams.
static void set_range(struct figure *figure, struct plot *plot, const struct stream *const *list, size_t count)
{
	double lo = INFINITY, hi = 1;

	for (size_t i = 0; i < count; i++) {
		const struct stream_findings *found = &list[i]->found;

		lo = fmin(lo, window_curve_pulses(&found->curve, 0));
		hi = fmax(hi, window_curve_pulses(&found->curve, list[i]->settings.windows.count - 1));
	}
	if (lo <= hi)
		axis_decades(figure, &plot->y, lo / 1.3, hi * 1.3);
	plot->x.lo = 0;
}

static void section_roles_add_figure(const struct report *report, struct page *page, const struct stream *const *list,
				     size_t count)
{
	struct figure *figure = page_figure(page, 1, "Window search");
	struct plot *plot;
	char label[TEXT_LABEL_BYTES];

	figure_panel(figure, NULL, HEIGHT);
	figure_about(figure, "Mean number of packets per burst over the window, the gap that ends a burst.");
	plot = figure_plot(figure, "window: gap that ends a burst (s)", "packets per burst");
	set_range(figure, plot, list, count);
	for (size_t i = 0; i < count; i++)
		section_roles_add_curve(figure, list[i], (unsigned)i + 1,
					count > 1 ? report_short_name(report, list[i], label) : NULL);
	page_caption(
		page, figure,
		"Mean packets per burst for windows from 0.05 to 5 s by 0.025 s. A window is taken where from it to twice its length each step adds less than %g %%, all steps less than %g %%, and at least %d longer silences are left; without such a plateau, no window is chosen.",
		WINDOW_STEP_GROWTH * 100, WINDOW_TOTAL_GROWTH * 100, WINDOW_SILENCES_MIN);
}

void roles_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	size_t all = report_streams(report, list, REPORT_STREAMS), count = 0;

	for (size_t i = 0; i < all; i++)
		if (stream_packets(list[i]) > 0)
			list[count++] = list[i];
	if (count == 0) {
		page_paragraph(page, "No packets.");
		return;
	}
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].kind == INPUT_PACKETS)
			say_controller(page, &report->inputs[i]);
	for (size_t i = 0; i < count; i++)
		section_roles_add_table(page, list[i], find_window(list, count), report->level);
	section_roles_add_figure(report, page, list, count);
}
