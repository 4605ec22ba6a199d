// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations as figures: the messages of one over time, and how late each node begins
// each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/palette.h"
#include "report/drawing.h"
#include "report/section.h"
#include "value/number.h"
#include "value/order.h"

#define COLUMNS 100u // of late nodes; more operations share one
#define TICS 10u
#define ARROWS_MAX 400u // messages of an operation; of more, none is drawn
#define ROW_HEIGHT 24.0
#define LEGEND_HEIGHT 50.0

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

static int longest_first(const void *left, const void *right)
{
	const struct collective_length *a = left, *b = right;

	return a->ticks != b->ticks ? (a->ticks < b->ticks) - (a->ticks > b->ticks)
				    : (a->index > b->index) - (a->index < b->index);
}

struct collective_length *collective_lengths(const struct exchange_run *run, size_t kind,
					     size_t count)
{
	struct collective_length *list = calloc(count, sizeof(*list));

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

// The places that are latest in sum, in their order. False: out of memory.
static bool view_choose_rows(struct collective_view *view, uint32_t places)
{
	struct collective_length *late = calloc(places, sizeof(*late));

	for (uint32_t p = 0; late && p < places; p++) {
		late[p].index = p;
		for (size_t c = 0; c < view->columns; c++)
			late[p].ticks += view->late_ticks[p * view->columns + c];
	}
	if (!late)
		return false;
	qsort(late, places, sizeof(*late), longest_first);
	for (uint32_t p = 0; p < places && p < NODES_SHOWN; p++)
		view->rows[view->row_count++] = (uint32_t)late[p].index;
	free(late);
	qsort(view->rows, view->row_count, sizeof(*view->rows), order_u32);
	return true;
}

// False: out of memory; view_clear frees it in any case.
static bool view_fill(struct collective_view *view)
{
	const struct exchange_kind *kind = &view->run->kinds[view->kind];
	const uint32_t places = kind->of[0]->places;
	struct collective_length *lengths = collective_lengths(view->run, view->kind, kind->count);
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
	return ok && exchange_shares(kind->of[view->typical], view->shares, &err) == TR_OK &&
	       view_choose_rows(view, places);
}

static struct plot *node_plot(struct figure *figure, const struct collective_view *view,
			      const char *title, const char *x_label)
{
	const uint32_t *nodes = view->run->kinds[view->kind].of[0]->nodes;
	struct plot *plot;
	char text[32], label[TEXT_LABEL_BYTES];

	figure_panel(figure, title, 120 + LEGEND_HEIGHT + ROW_HEIGHT * (double)view->row_count);
	plot = figure_plot(figure, x_label, "");
	plot->y.lo = (double)view->row_count - 0.5;
	plot->y.hi = -0.5;
	for (size_t row = 0; row < view->row_count; row++)
		figure_tic(figure, &plot->y, (double)row,
			   text_shorten(exchange_label(view->run, nodes[view->rows[row]], text), 18,
					label));
	return plot;
}

// Whether the node, or the link if dst is a place, is listed.
static bool is_delayed(const struct collective_view *view, uint32_t src, uint32_t dst)
{
	for (size_t i = 0; i < view->run->delay_count; i++) {
		const struct exchange_delay *delay = &view->run->delays[i];

		if (delay->kind == view->kind && delay->all == 1 && delay->of.dst == dst &&
		    delay->of.src == src)
			return true;
	}
	return false;
}

static bool is_late(const struct collective_view *view, uint32_t place)
{
	return is_delayed(view, place, EXCHANGE_NONE);
}

// The messages of the typical operation, if they are few and all nodes are shown.
static void collective_add_messages(struct figure *figure, const struct collective_view *view,
				    double scale)
{
	const struct exchange *one = view->run->kinds[view->kind].of[view->typical];
	const int64_t begin_ticks = exchange_begin(one);
	bool slow = false;

	if (one->count > ARROWS_MAX || view->row_count < one->places)
		return;
	for (size_t i = 0; i < one->count; i++)
		slow = slow || is_delayed(view, one->parts[i].src, one->parts[i].dst);
	for (unsigned colour = 0; colour < 1 + (unsigned)slow; colour++) {
		figure_curve(figure, CURVE_ARROWS, colour ? palette_stream(2) : 0,
			     colour ? "messages of slow links" : "messages");
		for (size_t i = 0; i < one->count; i++) {
			const struct exchange_part *part = &one->parts[i];

			if (is_delayed(view, part->src, part->dst) == (colour == 1))
				figure_row(figure,
					   (double)(part->of->begin_ticks - begin_ticks) * scale,
					   part->src,
					   (double)(part->of->end_ticks - begin_ticks) * scale,
					   part->dst);
		}
	}
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
	collective_add_messages(figure, view, scale);
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

void collective_draw(struct page *page, const struct exchange_run *run, size_t kind)
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
			     "from its first message to its last, arrows from senders to "
			     "receivers%s. Nodes are in the order of the algorithm.%s",
			     kind + 1, first->operation, first->algorithm,
			     view.any_late ? "; and by how much each node begins each operation "
					     "after the median of all"
					   : "",
			     text);
	}
	view_clear(&view);
}
