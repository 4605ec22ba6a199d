// SPDX-License-Identifier: GPL-3.0-or-later
// Each model compared with the trace: distances by criterion, and the curves compared.
#include <math.h>
#include <stdio.h>

#include "page/figure.h"
#include "page/palette.h"
#include "report/section.h"
#include "value/number.h"

#define BATCH 5u   // models in a figure: as many as there are colours beside the trace's
#define HEIGHT 310 // with some lines for the legend
#define LABEL_WIDTH 12

// The trace's curves, and those of the models that were measured.
struct compared {
	const struct likeness_measure *measure;
	const struct input *trace;
	const struct input *models[REPORT_MODELS];
	size_t count;
};

static struct compared find_compared(const struct report *report)
{
	struct compared out = {.measure = &report->measure,
			       .trace = report_first(report, INPUT_PACKETS)};

	const struct input *models[REPORT_MODELS];
	const size_t count = report_models(report, models, REPORT_MODELS);

	for (size_t i = 0; i < count; i++)
		if (models[i]->likeness && models[i]->likeness->curve[0])
			out.models[out.count++] = models[i];
	return out;
}

// The criterion that adds most to the score.
static unsigned weakest(const struct compared *compared, const struct likeness *likeness)
{
	unsigned worst = 0;
	double most = -1;

	for (unsigned c = 0; c < JUDGE_CRITERIA; c++) {
		double points = judge_panel_points(&compared->measure->panel, c,
						   likeness->distance[c].value);

		worst = points > most ? c : worst;
		most = fmax(most, points);
	}
	return worst;
}

static void section_likeness_add_row(struct table *table, const struct compared *compared,
				     const struct input *model)
{
	const struct likeness *likeness = model->likeness;
	unsigned worst = weakest(compared, likeness);
	char words[JUDGE_WORDS_BYTES];

	judge_criteria[worst]->tell(&likeness->distance[worst], words);
	table_text(table, model->name);
	table_real(table, likeness->score, 3);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_real(table, likeness->distance[c].value, 3);
	table_text(table, words);
}

static void section_likeness_add_table(struct page *page, const struct compared *compared)
{
	struct table *table = page_table(
		page, "Distances between %s and one run of each model, the nearest first.",
		compared->trace->name);

	table_words(table, "model");
	table_numbers(table, "score");
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_numbers(table, judge_criteria[c]->name);
	table_words(table, "largest difference");
	for (size_t i = 0; i < compared->count; i++)
		section_likeness_add_row(table, compared, compared->models[i]);
	table_text(table, "halves of the trace");
	table_real(table, 1, 3);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_real(table, compared->measure->panel.yardstick[c], 3);
	table_text(table, "");
	table_note(table, "The score is the mean of log2(1 + distance / distance between the "
			  "halves of the trace): 0 means equal traffic, 1 means as different as "
			  "the two halves. flitfit(1) defines the distances.");
}

// Widens the axes to the picture.
static void section_likeness_widen(const struct judge_plot *picture, double lo[2], double hi[2])
{
	for (size_t i = 0; i < picture->count; i++) {
		lo[0] = fmin(lo[0], picture->x[i]);
		hi[0] = fmax(hi[0], picture->x[i]);
		lo[1] = fmin(lo[1], picture->y[i]);
		hi[1] = fmax(hi[1], picture->y[i]);
	}
}

static void section_likeness_set_axes(struct figure *figure, struct plot *plot,
				      const struct judge_plot *picture, const double lo[2],
				      const double hi[2])
{
	if (picture->x_log && picture->x_times && hi[0] > 0)
		axis_times(figure, &plot->x, lo[0], hi[0]);
	else if (picture->x_log && hi[0] > 0)
		axis_decades(figure, &plot->x, lo[0], fmax(hi[0], 1.1 * lo[0]));
	if (picture->y_log && hi[1] > 0)
		axis_decades(figure, &plot->y, lo[1] / 1.2, hi[1] * 1.2);
}

static const double *section_likeness_curve_of(const struct compared *compared, size_t from,
					       size_t i, unsigned criterion)
{
	const struct input *input = i == 0 ? compared->trace : compared->models[from + i - 1];

	return input->likeness->curve[criterion];
}

// The trace's as in the other figures; the text colour comes last.
static unsigned section_likeness_colour_of(size_t i)
{
	return (unsigned)(i + 1) % PALETTE_CURVES;
}

// One picture of a criterion, with the trace and the models from .. end; false where the criterion
// has no such picture.
static bool section_likeness_add_picture(struct figure *figure, const struct compared *compared,
					 size_t from, size_t end, unsigned criterion,
					 unsigned which)
{
	const struct judge_criterion *of = judge_criteria[criterion];
	double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
	struct judge_plot picture;
	struct plot *plot;

	if (!of->draw(&compared->measure->panel.scales,
		      section_likeness_curve_of(compared, from, 0, criterion), which, &picture))
		return false;
	figure_panel(figure, picture.title, HEIGHT);
	figure_about(figure, "%s of the trace and of the models.", picture.title);
	for (size_t i = 0; i <= end - from; i++) {
		(void)of->draw(&compared->measure->panel.scales,
			       section_likeness_curve_of(compared, from, i, criterion), which,
			       &picture);
		section_likeness_widen(&picture, lo, hi);
	}
	plot = figure_plot(figure, picture.x_label, picture.y_label);
	section_likeness_set_axes(figure, plot, &picture, lo, hi);
	for (size_t i = 0; i <= end - from; i++) {
		char label[TEXT_LABEL_BYTES];
		const char *name = i == 0 ? "trace"
					  : report_model_name(compared->models[from + i - 1],
							      LABEL_WIDTH, label);

		(void)of->draw(&compared->measure->panel.scales,
			       section_likeness_curve_of(compared, from, i, criterion), which,
			       &picture);
		figure_curve(figure, CURVE_LINE, section_likeness_colour_of(i), name);
		for (size_t p = 0; p < picture.count; p++)
			figure_row(figure, picture.x[p], picture.y[p], 0, 0);
	}
	return true;
}

static void section_likeness_add_figure(struct page *page, const struct compared *compared,
					size_t from, size_t end)
{
	struct figure *figure = page_figure(page, 3, "The models against the trace");

	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		for (unsigned which = 0;
		     section_likeness_add_picture(figure, compared, from, end, c, which); which++)
			;
	page_caption(page, figure,
		     "All packets of the network together; one run of each model, as long as the "
		     "trace. Waiting times are those of a single queue whose server handles wire "
		     "bytes at a fixed rate, set by the load of the trace.");
}

void likeness_build(const struct report *report, struct page *page)
{
	struct compared compared = find_compared(report);

	if (!report->measure.open || compared.count == 0) {
		page_paragraph(page,
			       "The models are not ranked: the trace must have at least %u packets "
			       "in each half, and at most %s.",
			       JUDGE_PACKETS_MIN, number_count(LIKENESS_PACKETS).text);
		return;
	}
	section_likeness_add_table(page, &compared);
	for (size_t from = 0; from < compared.count; from += BATCH)
		section_likeness_add_figure(page, &compared, from,
					    from + BATCH < compared.count ? from + BATCH
									  : compared.count);
}
