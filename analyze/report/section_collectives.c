// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations found in messages: which, when each node takes part in one, and which nodes
// are late in which of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/palette.h"
#include "report/drawing.h"
#include "report/section.h"
#include "value/number.h"

#define KINDS_DRAWN 4u // those that take most time
#define COLUMNS 100u   // of late nodes; more operations share one
#define TICS 10u
#define ROW_HEIGHT 18.0

// What is drawn of the operations of a kind.
struct collective_view {
	const struct exchange_run *run;
	size_t kind;
	size_t typical; // an operation of median length
	uint32_t rows[NODES_SHOWN];
	size_t row_count;
	struct exchange_share *shares; // of the typical operation, by place
	size_t joined, columns;	       // operations in a column
	double *late_ticks;	       // the sums of a column, by place and column
	uint32_t *begins;	       // how many there are
	bool any_late;
};

struct kind_length {
	double ticks;
	size_t index;
};

static int longest_first(const void *left, const void *right)
{
	const struct kind_length *a = left, *b = right;

	return a->ticks != b->ticks ? (a->ticks < b->ticks) - (a->ticks > b->ticks)
				    : (a->index > b->index) - (a->index < b->index);
}

// Sorts by length, longest first.
static struct kind_length *collective_lengths(const struct exchange_run *run, size_t kind,
					      size_t count)
{
	struct kind_length *list = calloc(count, sizeof(*list));

	for (size_t i = 0; list && i < count; i++) {
		const struct exchange *one = kind == SIZE_MAX ? NULL : run->kinds[kind].of[i];

		list[i].index = i;
		if (one) {
			list[i].ticks = (double)(exchange_end(one) - exchange_begin(one));
		} else {
			const struct moments times = exchange_times(&run->kinds[i]);

			list[i].ticks = (double)times.sum;
		}
	}
	if (list)
		qsort(list, count, sizeof(*list), longest_first);
	return list;
}

static void view_clear(struct collective_view *view)
{
	free(view->shares);
	free(view->late_ticks);
	free(view->begins);
}

// The places that are latest in sum, in their order.
static void view_choose_rows(struct collective_view *view, uint32_t places)
{
	double least = -INFINITY;
	struct kind_length *late = calloc(places, sizeof(*late));

	for (uint32_t p = 0; late && p < places; p++) {
		late[p].index = p;
		for (size_t c = 0; c < view->columns; c++)
			late[p].ticks += view->late_ticks[p * view->columns + c];
	}
	if (late)
		qsort(late, places, sizeof(*late), longest_first);
	if (late && places > NODES_SHOWN)
		least = late[NODES_SHOWN - 1].ticks;
	free(late);
	for (uint32_t p = 0; p < places && view->row_count < NODES_SHOWN; p++) {
		double sum = 0;

		for (size_t c = 0; c < view->columns; c++)
			sum += view->late_ticks[p * view->columns + c];
		if (sum >= least)
			view->rows[view->row_count++] = p;
	}
}

// False: out of memory; view_clear frees it in any case.
static bool view_fill(struct collective_view *view)
{
	const struct exchange_kind *kind = &view->run->kinds[view->kind];
	const uint32_t places = kind->of[0]->places;
	struct kind_length *lengths = collective_lengths(view->run, view->kind, kind->count);
	struct tr_error err;
	bool ok = lengths != NULL;

	view->typical = ok ? lengths[kind->count / 2].index : 0;
	free(lengths);
	view->joined = (kind->count + COLUMNS - 1) / COLUMNS;
	view->columns = (kind->count + view->joined - 1) / view->joined;
	view->shares = calloc(places, sizeof(*view->shares));
	view->late_ticks = calloc(places * view->columns, sizeof(*view->late_ticks));
	view->begins = calloc(places * view->columns, sizeof(*view->begins));
	ok = ok && view->shares && view->late_ticks && view->begins;
	for (size_t i = 0; i < kind->count && ok; i++) {
		ok = exchange_shares(kind->of[i], view->shares, &err) == TR_OK;
		for (uint32_t p = 0; p < places && ok; p++) {
			const size_t at = p * view->columns + i / view->joined;

			if (view->shares[p].late_ticks == INT64_MIN)
				continue;
			view->late_ticks[at] += (double)view->shares[p].late_ticks;
			view->begins[at]++;
			view->any_late = view->any_late || view->shares[p].late_ticks > 0;
		}
	}
	ok = ok && exchange_shares(kind->of[view->typical], view->shares, &err) == TR_OK;
	if (ok)
		view_choose_rows(view, places);
	return ok;
}

static struct plot *node_plot(struct figure *figure, const struct collective_view *view,
			      const char *title, const char *x_label)
{
	const uint32_t *nodes = view->run->kinds[view->kind].of[0]->nodes;
	struct plot *plot;
	char text[32], label[TEXT_LABEL_BYTES];

	figure_panel(figure, title, 120 + ROW_HEIGHT * (double)view->row_count);
	plot = figure_plot(figure, x_label, "");
	plot->y.lo = (double)view->row_count - 0.5;
	plot->y.hi = -0.5;
	for (size_t row = 0; row < view->row_count; row++)
		figure_tic(figure, &plot->y, (double)row,
			   text_shorten(exchange_label(view->run, nodes[view->rows[row]], text), 18,
					label));
	return plot;
}

static bool is_late(const struct collective_view *view, uint32_t place)
{
	for (size_t i = 0; i < view->run->delay_count; i++) {
		const struct exchange_delay *delay = &view->run->delays[i];

		if (delay->kind == view->kind && delay->all == 1 &&
		    delay->of.dst == EXCHANGE_NONE && delay->of.src == place)
			return true;
	}
	return false;
}

// When each node takes part in the typical operation.
static void add_typical(struct figure *figure, const struct collective_view *view)
{
	const struct exchange_kind *kind = &view->run->kinds[view->kind];
	const struct exchange *one = kind->of[view->typical];
	const double length_s = (double)(exchange_end(one) - exchange_begin(one)) /
				(double)view->run->ticks_per_s;
	const struct number_unit unit = number_time_unit(length_s);
	const double scale = 1 / ((double)view->run->ticks_per_s * unit.factor);
	struct plot *plot;
	char title[120], label[60];
	bool late = false;

	(void)snprintf(title, sizeof(title), "Collective %zu: operation %zu of %zu", view->kind + 1,
		       view->typical + 1, kind->count);
	(void)snprintf(label, sizeof(label), "time since its first message (%s)", unit.name);
	plot = node_plot(figure, view, title, label);
	figure_about(figure, "From when to when each of %zu nodes takes part in one operation.",
		     view->row_count);
	plot->x.lo = 0;
	for (size_t row = 0; row < view->row_count; row++)
		late = late || is_late(view, view->rows[row]);
	for (int colour = 0; colour < 1 + late; colour++) {
		figure_curve(figure, CURVE_RANGES, palette_stream((unsigned)colour),
			     !late    ? NULL
			     : colour ? "late nodes"
				      : "other nodes");
		for (size_t row = 0; row < view->row_count; row++) {
			const struct exchange_share *share = &view->shares[view->rows[row]];

			if (is_late(view, view->rows[row]) == (colour == 1) &&
			    share->begin_ticks != INT64_MAX)
				figure_row(figure,
					   (double)(share->begin_ticks - exchange_begin(one)) *
						   scale,
					   (double)row,
					   (double)(share->end_ticks - exchange_begin(one)) * scale,
					   0);
		}
	}
}

// How late each node begins each operation.
static void add_lateness(struct figure *figure, const struct collective_view *view)
{
	const size_t operations = view->run->kinds[view->kind].count;
	const size_t step = (view->columns + TICS - 1) / TICS;
	struct number_unit unit;
	struct plot *plot;
	double most = 0;
	char label[80];

	for (size_t row = 0; row < view->row_count; row++)
		for (size_t c = 0; c < view->columns; c++) {
			const size_t at = view->rows[row] * view->columns + c;

			if (view->begins[at] > 0)
				most = fmax(most, view->late_ticks[at] / view->begins[at]);
		}
	most /= (double)view->run->ticks_per_s;
	unit = number_time_unit(most);
	plot = node_plot(figure, view, "Later than the median begin", "operation");
	figure_about(figure, "Heat map over %zu nodes and %zu operations: how late a node begins.",
		     view->row_count, operations);
	plot->x.lo = -0.5;
	plot->x.hi = (double)view->columns - 0.5;
	for (size_t c = 0; c < view->columns; c += step) {
		(void)snprintf(label, sizeof(label), "%zu", c * view->joined + 1);
		figure_tic(figure, &plot->x, (double)c, label);
	}
	(void)snprintf(label, sizeof(label), "late (%s)", unit.name);
	figure_heat(figure, label, false, 0, most / unit.factor);
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t row = 0; row < view->row_count; row++)
		for (size_t c = 0; c < view->columns; c++) {
			const size_t at = view->rows[row] * view->columns + c;

			if (view->begins[at] > 0)
				figure_row(figure, (double)c, (double)row,
					   fmax(0, view->late_ticks[at] / view->begins[at] /
							   (double)view->run->ticks_per_s /
							   unit.factor),
					   0);
		}
}

static void draw_kind(struct page *page, const struct exchange_run *run, size_t kind)
{
	struct collective_view view = {.run = run, .kind = kind};
	const struct exchange *first = run->kinds[kind].of[0];
	struct figure *figure;
	char text[160] = "";

	if (!view_fill(&view)) {
		page->failed = true;
	} else {
		figure = page_figure(page, view.any_late ? 2 : 1, "Collective operations by node");
		add_typical(figure, &view);
		if (view.any_late)
			add_lateness(figure, &view);
		if (view.row_count < first->places)
			text_append(text, sizeof(text),
				    " Only the %zu latest nodes of %u are shown.", view.row_count,
				    first->places);
		if (view.joined > 1)
			text_append(text, sizeof(text), " A column is the mean of %zu operations.",
				    view.joined);
		page_caption(page, figure,
			     "Collective %zu, %s by %s: an operation of median length, each node "
			     "from its first message to its last%s. Nodes are in the order of the "
			     "algorithm.%s",
			     kind + 1, first->operation, first->algorithm,
			     view.any_late ? "; and by how much each node begins each operation "
					     "after the median of all"
					   : "",
			     text);
	}
	view_clear(&view);
}

// Draws the kinds from first to last - 1, those that take most time first.
static void draw_kinds(struct page *page, const struct exchange_run *run, size_t first, size_t last)
{
	struct kind_length *lengths = collective_lengths(run, SIZE_MAX, run->kind_count);

	if (!lengths)
		page->failed = true;
	for (size_t i = first; lengths && i < run->kind_count && i < last; i++)
		draw_kind(page, run, lengths[i].index);
	free(lengths);
}

// The input whose figure is in the summary: the first, where nothing else is drawn there.
static const struct input *leading(const struct report *report)
{
	const struct input *input = report_first(report, INPUT_MESSAGES);

	return input && input->exchanges->kind_count > 0 && !report->compare &&
			       overview_of(report).count == 0 &&
			       !report_first(report, INPUT_DELIVERIES)
		       ? input
		       : NULL;
}

// Appends what one costs, or all of these.
static void say_delay(const struct exchange_run *run, const struct exchange_delay *delay,
		      char *text, size_t bytes)
{
	const struct exchange_kind *kind = &run->kinds[delay->kind];
	const uint32_t *nodes = kind->of[0]->nodes;
	const bool link = delay->of.dst != EXCHANGE_NONE;
	const struct moments times = exchange_times(kind);
	const struct table_interval cost_s = exchange_seconds(run, &delay->cost);
	char node[32], to[32];

	if (delay->all > 1)
		text_append(text, bytes, "; all %zu together", delay->all);
	else
		text_append(text, bytes, "; %s%s%s is %s, which alone",
			    exchange_label(run, nodes[delay->of.src], node), link ? " to " : "",
			    link ? exchange_label(run, nodes[delay->of.dst], to) : "",
			    link ? "slow" : "late");
	text_append(text, bytes, " %s %s (%s) of each", delay->all > 1 ? "cost" : "costs",
		    number_time(cost_s.value, 3).text,
		    number_percent(moments_mean(&delay->cost) / moments_mean(&times), 3).text);
}

static void say_kinds(struct page *page, const struct input *input)
{
	const struct exchange_run *run = input->exchanges;
	struct kind_length *lengths = collective_lengths(run, SIZE_MAX, run->kind_count);

	if (!lengths)
		page->failed = true;
	for (size_t i = 0; lengths && i < run->kind_count && i < KINDS_DRAWN; i++) {
		const struct exchange_kind *kind = &run->kinds[lengths[i].index];
		const struct exchange *first = kind->of[0];
		const struct moments times = exchange_times(kind);
		const struct table_interval time_s = exchange_seconds(run, &times);
		char text[1024] = "";

		for (size_t d = 0; d < run->delay_count; d++)
			if (run->delays[d].kind == lengths[i].index)
				say_delay(run, &run->delays[d], text, sizeof(text));
		page_answer(page, "%s: %s operations by %s of %u nodes (%s), %s each%s.",
			    input->name, number_count(kind->count).text, first->algorithm,
			    first->places, first->operation, number_time(time_s.value, 4).text,
			    text);
	}
	free(lengths);
}

void collectives_lead(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].exchanges)
			say_kinds(page, &report->inputs[i]);
	if (leading(report))
		draw_kinds(page, leading(report)->exchanges, 0, 1);
}

void collectives_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		const struct exchange_run *run = input->exchanges;
		struct table *table;

		if (!run || run->kind_count == 0)
			continue;
		table = page_table(page, "Collective operations in %s.", input->name);
		exchange_tabulate_kinds(table, run);
		if (run->cut)
			table_note(table, "These are those of the first %s messages.",
				   number_count(run->count + run->left_out).text);
		if (run->delay_count > 0) {
			table = page_table(page, "Late nodes and slow links in %s.", input->name);
			exchange_tabulate_delays(table, run);
		} else {
			page_paragraph(page,
				       "In %s no node is later and no link slower than the others "
				       "by what can be told from chance and costs 1 %%.",
				       input->name);
		}
		draw_kinds(page, run, leading(report) == input, KINDS_DRAWN);
		if (run->doubts[EXCHANGE_FOUND] < run->count) {
			table = page_table(page, "Messages of %s of no collective operation.",
					   input->name);
			exchange_tabulate_doubts(table, run);
		}
	}
}
