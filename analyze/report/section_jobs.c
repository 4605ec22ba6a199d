// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that ran side by side, from the tables that flitsim printed: on the first screen how much
// longer each took than alone, and which stood in whose way.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/drawing.h"
#include "report/printed_tables.h"
#include "report/section.h"
#include "stat/intervals/compare.h"
#include "table/table_rows.h"
#include "value/num.h"
#include "value/number.h"

#define JOBS_SHOWN 24u
#define JOBS_HEIGHT 280
#define JOBS_HEIGHT_EACH 8
#define JOBS_SLOWED 1.0005 // less is none in the four digits that are shown

// Of a job, in microseconds but the third one.
enum jobs_measure {
	JOBS_TIME,
	JOBS_ALONE,
	JOBS_SLOWDOWN,
	JOBS_LATENCY,
	JOBS_ALONE_LATENCY,
	JOBS_MEASURES
};

static const char *const jobs_columns[JOBS_MEASURES] = {"time_us", "alone_us", "slowdown",
							"latency_us", "alone_latency_us"};

// What rows say of a job: one row, or one for each placement of a sweep.
struct jobs_row {
	char label[TEXT_LABEL_BYTES];
	struct sample_sums of[JOBS_MEASURES];
};

// Of one input. Jobs by their numbers, from 0.
struct jobs_view {
	const struct input *input;
	double level;
	struct jobs_row jobs[JOBS_SHOWN];
	size_t count, all;				     // shown, and of the table
	size_t left_out;				     // rows of the table
	struct sample_sums waits_us[JOBS_SHOWN][JOBS_SHOWN]; // by who waited, then for whom
	bool has_waits;
};

static struct table_interval jobs_slowdown(const struct jobs_row *job, double level)
{
	const struct sample sample = sample_of_sums(&job->of[JOBS_SLOWDOWN]);
	const struct interval interval = interval_above(sample_interval(&sample, level), 0);

	return (struct table_interval){sample.mean, interval.lo, interval.hi};
}

// ---- tables of an input

// Whether rows of a sweep are replications: what is before the jobs differs by its seed alone.
static bool jobs_are_alike(const struct printed_table *table)
{
	const size_t job = printed_column(table, "job");

	for (size_t row = 1; row < table->rows; row++)
		for (size_t i = 0; i < job; i++)
			if (strcmp(table->headings[i], "seed") != 0 &&
			    strcmp(table->cells[row * table->columns + i], table->cells[i]) != 0)
				return false;
	return true;
}

static bool jobs_has(const struct printed_table *table, const char *second, const char *third)
{
	return printed_column(table, "job") != SIZE_MAX &&
	       printed_column(table, second) != SIZE_MAX &&
	       printed_column(table, third) != SIZE_MAX && jobs_are_alike(table);
}

// A job's place in the view, from its number in a cell; SIZE_MAX: it has none.
static size_t jobs_place(const struct printed_table *table, size_t row, const char *heading)
{
	const double number = printed_number(table, row, printed_column(table, heading));

	return number >= 1 && number <= JOBS_SHOWN ? (size_t)number - 1 : SIZE_MAX;
}

static void jobs_take(struct jobs_view *view, const struct printed_table *table)
{
	const size_t job_column = printed_column(table, "job");
	const size_t program = printed_column(table, "program");
	size_t columns[JOBS_MEASURES];

	for (int i = 0; i < JOBS_MEASURES; i++)
		columns[i] = printed_column(table, jobs_columns[i]);
	view->left_out = table->left_out;
	for (size_t row = 0; row < table->rows; row++) {
		const size_t place = jobs_place(table, row, "job");
		const double number = printed_number(table, row, job_column);
		struct jobs_row *job;
		char label[TEXT_LABEL_BYTES];

		if (number > (double)view->all)
			view->all = (size_t)number;
		if (place == SIZE_MAX)
			continue;
		job = &view->jobs[place];
		view->count = place >= view->count ? place + 1 : view->count;
		(void)snprintf(job->label, sizeof(job->label), "%zu %s", place + 1,
			       text_shorten(printed_cell(table, row, program), HEAT_LABEL, label));
		for (int i = 0; i < JOBS_MEASURES; i++)
			sample_sums_add(&job->of[i], printed_number(table, row, columns[i]));
	}
}

static void jobs_take_waits(struct jobs_view *view, const struct printed_table *table)
{
	const size_t wait = printed_column(table, "wait_us");

	for (size_t row = 0; row < table->rows; row++) {
		const size_t job = jobs_place(table, row, "job"),
			     behind = jobs_place(table, row, "behind");

		if (job != SIZE_MAX && behind != SIZE_MAX)
			sample_sums_add(&view->waits_us[job][behind],
					printed_number(table, row, wait));
	}
	view->has_waits = true;
}

// Whether the input has jobs.
static bool jobs_view_open(struct jobs_view *view, const struct input *input, double level)
{
	const struct printed_tables *tables = &input->tables;

	*view = (struct jobs_view){.input = input, .level = level};
	for (size_t i = 0; i < tables->count; i++)
		if (view->count == 0 && jobs_has(&tables->list[i], "program", "slowdown"))
			jobs_take(view, &tables->list[i]);
		else if (!view->has_waits && jobs_has(&tables->list[i], "behind", "wait_us"))
			jobs_take_waits(view, &tables->list[i]);
	return view->count > 1;
}

// ---- the answer

// Whom a job waited for most, besides itself; SIZE_MAX: nobody.
static size_t jobs_hindrance(const struct jobs_view *view, size_t job)
{
	size_t most = SIZE_MAX;

	for (size_t i = 0; i < view->count; i++)
		if (i != job && view->waits_us[job][i].mean > 0 &&
		    (most == SIZE_MAX ||
		     view->waits_us[job][i].mean > view->waits_us[job][most].mean))
			most = i;
	return most;
}

// The job that was slowed down most; SIZE_MAX: that of none is known.
static size_t jobs_slowest(const struct jobs_view *view)
{
	size_t most = SIZE_MAX;

	for (size_t i = 0; i < view->count; i++)
		if (view->jobs[i].of[JOBS_SLOWDOWN].n > 0 &&
		    (most == SIZE_MAX || view->jobs[i].of[JOBS_SLOWDOWN].mean >
						 view->jobs[most].of[JOBS_SLOWDOWN].mean))
			most = i;
	return most;
}

static void jobs_say(const struct jobs_view *view, struct page *page)
{
	const size_t slowest = jobs_slowest(view);
	const struct jobs_row *job = &view->jobs[slowest < view->count ? slowest : 0];
	const struct table_interval slowdown = jobs_slowdown(job, view->level);
	char text[600] = "", of[40] = "";
	size_t behind;

	if (slowest == SIZE_MAX)
		return;
	if (view->all > JOBS_SHOWN)
		(void)snprintf(of, sizeof(of), ", the first %u of %zu", JOBS_SHOWN, view->all);
	if (slowdown.value < JOBS_SLOWED) {
		page_answer(page, "Jobs (%s%s): none takes longer beside the others than alone.",
			    view->input->name, of);
		return;
	}
	text_append(text, sizeof(text),
		    "Jobs (%s%s): %s is slowed down most by the others, %s times",
		    view->input->name, of, job->label,
		    number_error(slowdown.value, slowdown.lo, slowdown.hi).text);
	if (isfinite(slowdown.lo))
		text_append(text, sizeof(text), " (mean of %.0f, %g %% interval %s)",
			    job->of[JOBS_SLOWDOWN].n, 100 * view->level,
			    number_error_range(slowdown.lo, slowdown.hi).text);
	text_append(text, sizeof(text), ": it takes %s instead of %s",
		    number_time(job->of[JOBS_TIME].mean / 1e6, 4).text,
		    number_time(job->of[JOBS_ALONE].mean / 1e6, 4).text);
	behind = jobs_hindrance(view, slowest);
	if (behind != SIZE_MAX)
		text_append(text, sizeof(text), ", and its packets wait longest for those of %s",
			    view->jobs[behind].label);
	page_answer(page, "%s.", text);
}

// ---- pictures

static void jobs_ticks(struct figure *figure, struct axis *axis, const struct jobs_view *view)
{
	for (size_t i = 0; i < view->count; i++)
		figure_tic(figure, axis, (double)i, view->jobs[i].label);
}

static void jobs_draw_slowdowns(struct figure *figure, const struct jobs_view *view)
{
	struct plot *plot;

	figure_panel(figure, "Slowdown", JOBS_HEIGHT + JOBS_HEIGHT_EACH * (double)view->count);
	figure_about(figure, "Bars of the slowdown of %zu jobs, and a line at 1.", view->count);
	plot = figure_plot(figure, "job", "time / time alone");
	plot->x.lo = -0.6;
	plot->x.hi = (double)view->count - 0.4;
	plot->y.lo = 0;
	jobs_ticks(figure, &plot->x, view);
	figure_curve(figure, CURVE_BARS, 1, NULL);
	for (size_t i = 0; i < view->count; i++)
		if (view->jobs[i].of[JOBS_SLOWDOWN].n > 0)
			figure_row(figure, (double)i - 0.3, 0.6,
				   view->jobs[i].of[JOBS_SLOWDOWN].mean, 0);
	figure_curve(figure, CURVE_DASHED, 0, NULL);
	figure_row(figure, plot->x.lo, 1, 0, 0);
	figure_row(figure, plot->x.hi, 1, 0, 0);
	figure_curve(figure, CURVE_INTERVAL, 0, NULL);
	for (size_t i = 0; i < view->count; i++) {
		const struct table_interval known = jobs_slowdown(&view->jobs[i], view->level);

		figure_row(figure, (double)i, known.value, known.lo, known.hi);
	}
}

static void jobs_draw_waits(struct figure *figure, const struct jobs_view *view)
{
	double most_us = 0;
	struct number_unit unit;
	struct plot *plot;
	char label[80];

	for (size_t i = 0; i < view->count; i++)
		for (size_t k = 0; k < view->count; k++)
			most_us = i == k ? most_us : fmax(most_us, view->waits_us[i][k].mean);
	unit = number_time_unit(most_us > 0 ? most_us / 1e6 : 1);
	figure_panel(figure, "Waiting for links",
		     JOBS_HEIGHT + JOBS_HEIGHT_EACH * (double)view->count);
	figure_about(figure,
		     "Heat map of %zu by %zu jobs: how long packets of each waited for "
		     "those of each.",
		     view->count, view->count);
	plot = figure_plot(figure, "for", "who waited");
	plot->x.lo = -0.5;
	plot->x.hi = (double)view->count - 0.5;
	plot->y.lo = (double)view->count - 0.5;
	plot->y.hi = -0.5;
	jobs_ticks(figure, &plot->x, view);
	jobs_ticks(figure, &plot->y, view);
	(void)snprintf(label, sizeof(label), "waiting (%s)", unit.name);
	figure_heat(figure, label, false, 0, most_us > 0 ? most_us / 1e6 / unit.factor : 1);
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t i = 0; i < view->count; i++)
		for (size_t k = 0; k < view->count; k++)
			figure_row(figure, (double)k, (double)i,
				   view->waits_us[i][k].mean / 1e6 / unit.factor, 0);
}

TABLE_ROW(first_job, (text, job), (number, time), (number, alone), (error, slowdown),
	  (number, waited, 0, "waited for others"), (text, most, 0, "most for"),
	  (number, latency, 0, "packet latency"), (number, latency_alone, 0, "alone"));

static struct number jobs_time(const struct sample_sums *mean_us)
{
	return mean_us->n > 0 ? number_time(mean_us->mean / 1e6, 4) : (struct number){""};
}

static void jobs_tabulate(const struct jobs_view *view, struct page *page)
{
	struct table *table = page_table(page, "Jobs side by side, %s.", view->input->name);

	table_heads(table, first_job_fields);
	for (size_t i = 0; i < view->count; i++) {
		const struct jobs_row *job = &view->jobs[i];
		const size_t behind = jobs_hindrance(view, i);
		double waited_us = 0;

		for (size_t k = 0; k < view->count; k++)
			waited_us += k == i ? 0 : view->waits_us[i][k].mean;
		TABLE_PUT(table, first_job, .job = job->label,
			  .time = jobs_time(&job->of[JOBS_TIME]),
			  .alone = jobs_time(&job->of[JOBS_ALONE]),
			  .slowdown = jobs_slowdown(job, view->level),
			  .waited = view->has_waits ? number_time(waited_us / 1e6, 4)
						    : (struct number){""},
			  .most = behind == SIZE_MAX ? NULL : view->jobs[behind].label,
			  .latency = jobs_time(&job->of[JOBS_LATENCY]),
			  .latency_alone = jobs_time(&job->of[JOBS_ALONE_LATENCY]));
	}
	note_unlisted(table, view->left_out, "row", "");
	note_unlisted(table, view->all > JOBS_SHOWN ? view->all - JOBS_SHOWN : 0, "job", "");
	table_note(table, view->has_waits
				  ? "Waited: of all packets of the job together, at switches, for "
				    "links on which packets of other jobs of this table were."
				  : "flitsim --waits says which job stood in whose way.");
}

void jobs_build(const struct report *report, struct page *page)
{
	struct jobs_view *view = calloc(1, sizeof(*view));

	page->failed |= !view;
	for (size_t i = 0; view && i < report->count; i++) {
		struct figure *figure;

		if (!jobs_view_open(view, &report->inputs[i], report->level))
			continue;
		jobs_say(view, page);
		page_beside(page);
		figure = page_figure(page, view->has_waits ? 2 : 1, "Jobs side by side");
		jobs_draw_slowdowns(figure, view);
		if (view->has_waits)
			jobs_draw_waits(figure, view);
		page_caption(
			page, figure, "%s: time of each job beside the others over that alone%s.",
			view->input->name,
			view->has_waits ? "; and how long packets of one (row) waited for a "
					  "link while a packet of another (column) was on it; the "
					  "scale ends at the longest wait for another job"
					: "");
		jobs_tabulate(view, page);
	}
	free(view);
}
