// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of a program as figures: those of a typical iteration as arrows from sender to
// receiver, and how the iterations repeat.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/palette.h"
#include "report/drawing.h"
#include "report/section.h"
#include "value/number.h"

#define ARROWS_MAX 2000u // drawn of an iteration: the first
#define ROWS_MAX 48u	 // of the overview; more iterations share one
#define COLUMNS 100u
#define TIMES_NAMED 10
#define ROW_HEIGHT 44
#define ROOM 1.3 // of the overview for iterations that last longer than the typical one

const char *message_end_label(const struct message_view *view, uint32_t end, size_t max,
			      char out[TEXT_LABEL_BYTES])
{
	if (!view->log->by_rank)
		return node_label(view->names, end, max, out);
	(void)snprintf(out, TEXT_LABEL_BYTES, "rank %u", end);
	return out;
}

// What silences separate: iterations only if most are alike.
static const char *part_word(const struct message_log *log)
{
	return iterations_repeat(&log->iterations) ? "iteration" : "part";
}

// ---- one iteration

// How the sender began: what its colour shows.
enum arrow_colour { ARROW_RENDEZVOUS, ARROW_EAGER, ARROW_UNKNOWN, ARROW_COLOURS };

static enum arrow_colour message_timeline_colour_of(const struct logged_message *message)
{
	if (message->flags & TR_MESSAGE_RENDEZVOUS)
		return ARROW_RENDEZVOUS;
	return message->flags & TR_MESSAGE_EAGER ? ARROW_EAGER : ARROW_UNKNOWN;
}

// The row of a node; the number of rows if it has none.
static size_t row_of(const uint32_t *ends, size_t count, uint32_t end)
{
	size_t row = 0;

	while (row < count && ends[row] != end)
		row++;
	return row;
}

static void add_arrows(struct figure *figure, const struct message_log *log, const uint32_t *ends,
		       size_t rows, double unit)
{
	static const char *const titles[ARROW_COLOURS] = {"rendezvous: asked first",
							  "eager: sent at once", "no request seen"};
	const struct iterations *all = &log->iterations;
	const size_t first = all->begins[all->typical], last = all->begins[all->typical + 1];
	const size_t drawn = last - first < ARROWS_MAX ? last : first + ARROWS_MAX;

	for (unsigned colour = 0; colour < ARROW_COLOURS; colour++) {
		figure_curve(figure, CURVE_ARROWS, palette_stream(colour), titles[colour]);
		for (size_t i = first; i < drawn; i++) {
			const struct logged_message *message = &log->list[i];
			const size_t from = row_of(ends, rows, message->src),
				     to = row_of(ends, rows, message->dst);

			if (message_timeline_colour_of(message) == colour && from < rows &&
			    to < rows)
				figure_row(figure,
					   (double)(message->begin_ticks -
						    log->list[first].begin_ticks) *
						   unit,
					   (double)from,
					   (double)(message->end_ticks -
						    log->list[first].begin_ticks) *
						   unit,
					   (double)to);
		}
	}
}

double message_iteration_length(const struct message_view *view)
{
	return (double)view->log->typical_ticks / view->ticks_per_s;
}

void message_iteration_panel(struct figure *figure, const struct message_view *view, double span_s,
			     double row_height)
{
	const struct message_log *log = view->log;
	const struct number_unit unit = number_time_unit(span_s);
	char label[TEXT_LABEL_BYTES + 80], end[TEXT_LABEL_BYTES];
	uint32_t ends[NODES_SHOWN];
	struct plot *plot;
	size_t all, rows;

	rows = nodes_choose(&log->pairs, ends, &all);
	(void)snprintf(label, sizeof(label), "%s: %s %zu of %zu", view->label, part_word(log),
		       log->iterations.typical + 1, log->iterations.count);
	figure_panel(figure, label, 120 + fmin(row_height, 1000 / (double)rows) * (double)rows);
	figure_about(figure,
		     "Arrows from senders to receivers over time: the messages of one %s between "
		     "%zu nodes.",
		     part_word(log), rows);
	(void)snprintf(label, sizeof(label), "time since the %s began (%s)", part_word(log),
		       unit.name);
	plot = figure_plot(figure, label, "");
	plot->x.lo = 0;
	plot->x.hi = span_s > 0 ? 1.02 * span_s / unit.factor : NAN;
	plot->y.lo = (double)rows - 0.5;
	plot->y.hi = -0.5;
	for (size_t i = 0; i < rows; i++)
		figure_tic(figure, &plot->y, (double)i, message_end_label(view, ends[i], 18, end));
	add_arrows(figure, log, ends, rows, 1 / view->ticks_per_s / unit.factor);
}

static void add_iteration(struct page *page, const struct message_view *view)
{
	const struct message_log *log = view->log;
	const struct iterations *all_iterations = &log->iterations;
	const size_t messages = all_iterations->begins[all_iterations->typical + 1] -
				all_iterations->begins[all_iterations->typical];
	struct figure *figure = page_figure(page, 0,
					    iterations_repeat(&log->iterations)
						    ? "Messages of an iteration"
						    : "Messages of a part");
	char text[160] = "";
	uint32_t ends[NODES_SHOWN];
	size_t all, rows = nodes_choose(&log->pairs, ends, &all);

	message_iteration_panel(figure, view, message_iteration_length(view), ROW_HEIGHT);
	if (rows < all)
		text_append(text, sizeof(text),
			    " Only the %zu with the most payload of %zu are shown.", rows, all);
	if (messages > ARROWS_MAX)
		text_append(text, sizeof(text), " Only the first %u messages are drawn.",
			    ARROWS_MAX);
	page_caption(page, figure,
		     "An arrow leads from the sender, at the beginning of its message, to the "
		     "receiver, at its end. %s%s",
		     iterations_repeat(&log->iterations)
			     ? "The iteration is one of median length among those with the most "
			       "frequent messages."
			     : "No part repeats; this is the one with the most messages.",
		     text);
}

// ---- all iterations

// Bytes under way in each column, over the time since each iteration began.
struct raster {
	double column_ticks;
	size_t joined; // iterations in a row
	size_t rows;
	double bytes[ROWS_MAX][COLUMNS]; // of an iteration, on average
	double most;
};

// Spreads a message evenly over the time that it takes.
static void message_timeline_spread(struct raster *raster, size_t row, double from, double to,
				    double bytes)
{
	const double begin = from / raster->column_ticks, end = to / raster->column_ticks;

	for (size_t c = (size_t)begin; c < COLUMNS && ((double)c < end || c == (size_t)begin);
	     c++) {
		const double part = end > begin
					    ? (fmin(end, (double)c + 1) - fmax(begin, (double)c)) /
						      (end - begin)
					    : 1;

		raster->bytes[row][c] += part * bytes;
	}
}

static void fill_raster(struct raster *raster, const struct message_log *log)
{
	const struct iterations *all = &log->iterations;

	for (size_t i = 0; i < all->count; i++) {
		const size_t row = i / raster->joined;
		const size_t joined = (row + 1) * raster->joined <= all->count
					      ? raster->joined
					      : all->count - row * raster->joined;
		const int64_t begin_ticks = log->list[all->begins[i]].begin_ticks;

		for (size_t k = all->begins[i]; k < all->begins[i + 1]; k++)
			message_timeline_spread(raster, row,
						(double)(log->list[k].begin_ticks - begin_ticks),
						(double)(log->list[k].end_ticks - begin_ticks),
						(double)log->list[k].size_bytes / (double)joined);
	}
	for (size_t row = 0; row < raster->rows; row++)
		for (size_t c = 0; c < COLUMNS; c++)
			raster->most = fmax(raster->most, raster->bytes[row][c]);
}

static void message_timeline_set_axes(struct figure *figure, struct plot *plot,
				      const struct raster *raster, double column_s)
{
	const struct axis_columns columns = {COLUMNS, 0, column_s,
					     number_time_unit(COLUMNS * column_s).factor};
	const size_t step = raster->rows > 12 ? 5 : 1;
	char label[32];

	plot->y.lo = (double)raster->rows - 0.5;
	plot->y.hi = -0.5;
	axis_columns(figure, &plot->x, &columns, TIMES_NAMED);
	for (size_t row = 0; row < raster->rows; row += step) {
		(void)snprintf(label, sizeof(label), "%zu", row * raster->joined + 1);
		figure_tic(figure, &plot->y, (double)row, label);
	}
}

static void draw_raster(struct page *page, const struct message_view *view,
			const struct raster *raster)
{
	const double column_s = raster->column_ticks / view->ticks_per_s;
	const char *part = part_word(view->log);
	struct figure *figure = page_figure(page, 0,
					    iterations_repeat(&view->log->iterations)
						    ? "How the iterations repeat"
						    : "The parts over time");
	struct plot *plot;
	char label[80];

	figure_panel(figure, NULL, fmax(300, 110 + 9 * (double)raster->rows));
	figure_about(figure,
		     "Heat map over %ss (rows) and the time since each began (columns): payload "
		     "under way.",
		     part);
	(void)snprintf(label, sizeof(label), "time since the %s began (%s)", part,
		       number_time_unit(COLUMNS * column_s).name);
	plot = figure_plot(figure, label, part);
	message_timeline_set_axes(figure, plot, raster, column_s);
	figure_heat(figure, "payload under way (MB/s)", false, 0, raster->most / column_s / 1e6);
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t row = 0; row < raster->rows; row++)
		for (size_t c = 0; c < COLUMNS; c++)
			if (raster->bytes[row][c] > 0)
				figure_row(figure, (double)c, (double)row,
					   raster->bytes[row][c] / column_s / 1e6, 0);
	(void)snprintf(label, sizeof(label), " A row is the mean of %zu.", raster->joined);
	page_caption(page, figure,
		     "%s: each row is one %s, from its first message on; the payload of each "
		     "message is spread evenly over its time, "
		     "in columns of %s.%s Later messages of a longer %s are cut off.",
		     view->label, part, number_time(column_s, 3).text,
		     raster->joined > 1 ? label : "", part);
}

static void add_iterations(struct page *page, const struct message_view *view)
{
	const struct message_log *log = view->log;
	const size_t joined = (log->iterations.count + ROWS_MAX - 1) / ROWS_MAX;
	const double room_ticks = ROOM * message_iteration_length(view) * view->ticks_per_s;
	struct raster *raster = calloc(1, sizeof(*raster));

	if (!raster) {
		page->failed = true;
		return;
	}
	raster->joined = joined;
	raster->rows = (log->iterations.count + joined - 1) / joined;
	raster->column_ticks = ceil(fmin((double)log->length_ticks.max, room_ticks) / COLUMNS);
	if (log->iterations.count > 1 && raster->column_ticks > 0) {
		fill_raster(raster, log);
		if (raster->most > 0)
			draw_raster(page, view, raster);
	}
	free(raster);
}

void message_timeline_draw(struct page *page, const struct message_view *view)
{
	add_iteration(page, view);
	add_iterations(page, view);
}
