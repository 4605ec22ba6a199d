// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts by role and class: the statistics of Yates 1997 (figure 4-1), with the number of samples
// that each needs.
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
			       "The controller of %s was found to be %s: it takes part in %s of "
			       "the data bytes, the next node in %s; among equal nodes such a lead "
			       "would occur with a probability of at most %s.",
			       input->name, label, number_percent(finding->share, 3).text,
			       number_percent(finding->next_share, 3).text,
			       number_real(fmax(finding->chance, 1e-4), 1).text);
	else if (finding->basis == ROLE_BY_ORDER)
		page_paragraph(page,
			       "The controller of %s was found to be %s: of the two nodes that "
			       "exchange data it is "
			       "the one that gives before it gets back (ahead in %s episodes, "
			       "behind in %s; by "
			       "chance with a probability of %s).",
			       input->name, label, number_count(finding->ahead).text,
			       number_count(finding->behind).text,
			       number_real(fmax(finding->chance, 1e-4), 1).text);
	else if (finding->nodes > 0)
		page_paragraph(page,
			       "Roles in %s are unknown, because no node is significantly ahead of "
			       "the others; the most likely controller is %s.",
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
static uint64_t count_streams(const struct stream *stream, enum tr_role role, enum tr_class class)
{
	uint64_t count = 0;

	for (uint32_t i = 0; traffic_next(&stream->traffic, &i); i++)
		count += traffic_stream(&stream->traffic, i, class) &&
			 stream->found.roles[i] == role;
	return count;
}

static struct interval role_interval(const struct moments *moments, const struct mean_error *error,
				     double level, double least)
{
	return mean_error_interval(moments_mean(moments), error, level, least);
}

// How many sizes, rounded up to two digits: the interval of an interval is wide.
static double role_needed(const struct moments *moments, const struct mean_error *error,
			  double level)
{
	const double n = (double)moments->n;
	const double needed = n < 2 ? NAN
				    : mean_error_needed(moments_mean(moments), error, level, 1, n);
	const double place = needed >= 100 ? pow(10, floor(log10(needed)) - 1) : 1;

	return ceil(needed / place) * place;
}

static void section_roles_add_row(struct table *table, const struct stream *stream,
				  enum tr_role role, unsigned class, double level)
{
	const struct burst_gap *gap = &stream->found.stream_gap;
	uint64_t streams = count_streams(stream, role, class);
	struct burst_statistics bursts = traffic_bursts(&stream->traffic, stream->found.roles, role,
							(enum tr_class) class, gap->index);
	struct interval pulses, apart, delay, sizes;
	struct burst_errors errors = {.pulses.known = false};

	if (streams == 0)
		return;
	if (traffic_errors(&stream->traffic, stream->found.roles, role, (enum tr_class) class,
			   gap->index, &bursts, level, &errors, NULL) != TR_OK)
		table_fail(table);
	if (gap->basis == BURST_BASIS_NONE)
		bursts.pulses = bursts.interarrival = bursts.delay = (struct moments){0};
	pulses = role_interval(&bursts.pulses, &errors.pulses, level, 1);
	apart = role_interval(&bursts.interarrival, &errors.interarrival, level, 0);
	delay = role_interval(&bursts.delay, &errors.delay, level, 0);
	sizes = role_interval(&bursts.size_bytes, &errors.size_bytes, level, 0);
	table_text(table, tr_role_name(role));
	table_text(table, stream_class_name(class));
	table_count(table, streams);
	table_count(table, bursts.pulses.n);
	table_error(table, seconds(stream, moments_mean(&bursts.interarrival)),
		    seconds(stream, apart.lo), seconds(stream, apart.hi));
	table_error(table, moments_mean(&bursts.pulses), pulses.lo, pulses.hi);
	table_error_range(table, pulses.lo, pulses.hi);
	table_error(table, 1e3 * seconds(stream, moments_mean(&bursts.delay)),
		    1e3 * seconds(stream, delay.lo), 1e3 * seconds(stream, delay.hi));
	table_error(table, moments_mean(&bursts.size_bytes), sizes.lo, sizes.hi);
	table_variance(table, moments_variance(&bursts.size_bytes), bursts.size_bytes.n);
	table_count(table, bursts.size_bytes.n);
	table_text(table,
		   number_real(role_needed(&bursts.size_bytes, &errors.size_bytes, level), 2).text);
}

static struct table *begin_bursts_table(struct page *page, const struct stream *stream)
{
	const struct burst_gap *all = &stream->found.gap, *each = &stream->found.stream_gap;
	char of_all[BURST_GAP_TEXT], of_each[BURST_GAP_TEXT];

	(void)burst_gap_say(all, stream->ticks_per_s, of_all);
	(void)burst_gap_say(each, stream->ticks_per_s, of_each);
	if (all->basis == BURST_BASIS_NONE && each->basis == BURST_BASIS_NONE)
		return page_table(page, "Packets by role and class, %s: %s.", stream->label,
				  of_all);
	return page_table(
		page,
		"Bursts by role and class, %s. All packets as one train: %s. Each stream: %s.",
		stream->label, of_all, of_each);
}

static void section_roles_add_table(struct page *page, const struct stream *stream, double level)
{
	struct table *table = begin_bursts_table(page, stream);

	add_columns(table);
	for (size_t r = 0; r < sizeof(roles) / sizeof(*roles); r++)
		for (unsigned class = 0; class < TRAFFIC_CLASSES; class ++)
			section_roles_add_row(table, stream, roles[r], class, level);
	table_note(table,
		   "Means over all streams (packets of one class from one node) of a role. Last "
		   "column: number of sizes for a mean with a relative error of 1 %% at this "
		   "level, or the least that may give an interval. Intervals at %g %% and numbers "
		   "are for dependent packets (flitline-intervals(7)); without an interval the "
		   "trace is too short for one.",
		   level * 100);
}

// Packets per burst by a listed gap.
static double burst_packets(const struct stream *stream, const struct burst_gap_counts *gaps,
			    size_t i)
{
	return (double)gaps->packets / (double)burst_gap_bursts(&stream->settings.gaps, gaps, i);
}

// The listed gaps [*from, *to] outside of which the bursts of all packets do not change.
static void find_changes(const struct stream *stream, struct burst_gap_counts *gaps, size_t *from,
			 size_t *to)
{
	const size_t count = stream->settings.gaps.count;

	traffic_gaps(&stream->traffic, TRAFFIC_ALL, gaps);
	*from = 0;
	*to = count - 1;
	while (*from < *to && gaps->counts[*from + 1] == 0)
		(*from)++;
	while (*to > *from && gaps->counts[*to] == 0)
		(*to)--;
}

static void section_roles_add_curve(struct figure *figure, const struct stream *stream,
				    unsigned colour, const char *name)
{
	const struct burst_gaps *list = &stream->settings.gaps;
	const struct burst_gap *gap = &stream->found.gap;
	struct burst_gap_counts gaps;
	size_t from, to;

	find_changes(stream, &gaps, &from, &to);
	figure_curve(figure, CURVE_LINE, colour, name);
	for (size_t i = from; i <= to; i++)
		figure_row(figure, seconds(stream, (double)list->ticks[i]),
			   burst_packets(stream, &gaps, i), 0, 0);
	if (gap->basis == BURST_BASIS_NONE)
		return;
	figure_curve(figure, CURVE_MARKS, colour, "taken");
	figure_row(figure, seconds(stream, (double)gap->ticks),
		   burst_packets(stream, &gaps, gap->index), 0, 0);
}

// The gaps by which bursts change, and the packets per burst by them, of all streams.
static void set_range(struct figure *figure, struct plot *plot, const struct stream *const *list,
		      size_t count)
{
	double lo = INFINITY, hi = 1, shortest = INFINITY, longest = 0;

	for (size_t i = 0; i < count; i++) {
		const struct burst_gaps *tried = &list[i]->settings.gaps;
		struct burst_gap_counts gaps;
		size_t from, to;

		find_changes(list[i], &gaps, &from, &to);
		shortest = fmin(shortest, seconds(list[i], fmax(1, (double)tried->ticks[from])));
		longest = fmax(longest, seconds(list[i], (double)tried->ticks[to]));
		lo = fmin(lo, burst_packets(list[i], &gaps, from));
		hi = fmax(hi, burst_packets(list[i], &gaps, to));
	}
	axis_decades(figure, &plot->y, lo / 1.3, hi * 1.3);
	axis_decades(figure, &plot->x, shortest / 1.3, longest * 1.3);
}

static void section_roles_add_figure(const struct report *report, struct page *page,
				     const struct stream *const *list, size_t count)
{
	struct figure *figure = page_figure(page, 1, "Packets per burst");
	struct plot *plot;
	char label[TEXT_LABEL_BYTES];

	figure_panel(figure, NULL, HEIGHT);
	figure_about(figure, "Mean number of packets per burst over the gap that ends a burst.");
	plot = figure_plot(figure, "gap that ends a burst (s)", "packets per burst");
	set_range(figure, plot, list, count);
	for (size_t i = 0; i < count; i++)
		section_roles_add_curve(figure, list[i], (unsigned)i + 1,
					count > 1 ? report_short_name(report, list[i], label)
						  : NULL);
	page_caption(page, figure,
		     "Mean packets per burst of all packets, by each gap that was tried. Where it "
		     "stays level there are few gaps: a valley of their histogram. The outermost "
		     "valley is taken, unless --burst-gap gave another rule or a gap; without a "
		     "valley there are no bursts (flitline-bursts(7)).");
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
		section_roles_add_table(page, list[i], report->level);
	section_roles_add_figure(report, page, list, count);
}
