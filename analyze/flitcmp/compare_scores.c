// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcmp.h"

#include <stdlib.h>
#include <string.h>

#include "stat/intervals/compare.h"
#include "value/num.h"

// scores[alternative * blocks + block]; room for one block's work.
struct work {
	double *scores;
	double *means;
	double *ranked;
	double *weights;
	size_t *order;
	size_t blocks, alternatives;
};

void compare_block_columns(struct table *table, const struct compare_settings *settings)
{
	for (size_t i = 0; i < settings->by.count; i++)
		table_column(table, settings->by.words[i]);
}

// Writes a word; numbers stay numbers in JSON.
static void put_word(struct table *table, const char *word)
{
	uint64_t count;

	if (num_parse_count(word, 0, UINT64_MAX, &count, NULL) == TR_OK)
		table_count(table, count);
	else
		table_text(table, word);
}

void compare_put_block(struct table *table, const struct compare_report *report, size_t block)
{
	const char *name = report->cells->blocks.names[block];
	char word[200];

	for (size_t i = 0; i < report->settings->by.count; i++) {
		size_t bytes = strcspn(name, "\t");

		snprintf(word, sizeof(word), "%.*s", (int)bytes, name);
		put_word(table, word);
		name += bytes + (name[bytes] == '\t');
	}
}

// A block whose alternatives are ranked.
struct rivals {
	const struct compare_report *report;
	size_t block;
};

static bool differ(const void *context, size_t a, size_t b)
{
	const struct rivals *rivals = context;
	const struct compare_cell *first = compare_cell_find(rivals->report->cells, rivals->block,
							     a);
	const struct compare_cell *second = compare_cell_find(rivals->report->cells, rivals->block,
							      b);

	if (first->end.ending != TR_ENDED || second->end.ending != TR_ENDED)
		return first->end.ending != second->end.ending;
	return sample_compare(&first->sample, &second->sample,
			      rivals->report->level_percent / 100.0)
		.differ;
}

static enum tr_status rank_block(const struct compare_report *report, size_t block,
				 struct work *work, struct tr_error *err)
{
	const struct rivals rivals = {report, block};
	const struct ranking ranking = {work->means, work->alternatives,
					report->better == COLUMN_LOWER_BETTER, differ, &rivals};

	for (size_t i = 0; i < work->alternatives; i++) {
		const struct compare_cell *cell = compare_cell_find(report->cells, block, i);

		if (!cell || (!(cell->sample.n >= 2) && cell->end.ending == TR_ENDED))
			return tr_fail(err,
				       "scores require at least two values of %s in each block",
				       report->cells->alternatives.names[i]);
		work->means[i] = cell->sample.mean;
		if (cell->end.ending != TR_ENDED) // behind all others
			work->means[i] = (ranking.lower ? 1e300 : -1e300) *
					 (double)cell->end.ending;
	}
	scores_rank(&ranking, work->ranked, work->order);
	for (size_t i = 0; i < work->alternatives; i++)
		work->scores[i * work->blocks + block] = work->ranked[i];
	return TR_OK;
}

static struct table *scores_table(const struct compare_report *report, const struct work *work)
{
	struct table *table = table_new("scores", "Scores");

	compare_block_columns(table, report->settings);
	for (size_t i = 0; i < work->alternatives; i++)
		table_column(table, report->cells->alternatives.names[i]);
	for (size_t block = 0; block < work->blocks; block++) {
		compare_put_block(table, report, block);
		for (size_t i = 0; i < work->alternatives; i++)
			table_real(table, work->scores[i * work->blocks + block], 6);
	}
	return table;
}

// "1.625,1.625,.75" with one number for each block.
static enum tr_status read_weights(const char *text, struct work *work, struct tr_error *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	enum tr_status status = copy ? TR_OK : tr_no_memory(err, "the weights");
	double sum = 0;
	size_t n = 0;

	while (status == TR_OK && (word = strsep(&rest, ","))) {
		double weight;

		status = num_parse_real(word, &weight, err);
		if (status == TR_OK && n < work->blocks)
			sum += work->weights[n] = weight;
		n++;
	}
	free(copy);
	if (status == TR_OK && (n != work->blocks || !(sum > 0)))
		return tr_fail(err,
			       "--weights %s: expected a number for each of %zu blocks, their "
			       "sum above 0",
			       text, work->blocks);
	return status;
}

enum mean_kind { PLAIN, WEIGHTED, PRINTED };

static void put_means(struct table *table, const char *weights, enum mean_kind kind,
		      const struct work *work)
{
	static const char *const names[] = {
		[PLAIN] = "mean", [WEIGHTED] = "weighted", [PRINTED] = "weighted / blocks"};

	table_text(table, names[kind]);
	table_text(table, weights);
	for (size_t i = 0; i < work->alternatives; i++) {
		const struct score_means means = scores_means(work->scores + i * work->blocks,
							      work->weights, work->blocks);

		table_real(table,
			   kind == PLAIN      ? means.plain
			   : kind == WEIGHTED ? means.weighted
					      : means.printed,
			   6);
	}
}

static enum tr_status compare_scores_fill_means(const struct compare_report *report,
						struct work *work, struct table *table,
						struct tr_error *err)
{
	table_columns(table, "kind weights");
	for (size_t i = 0; i < work->alternatives; i++)
		table_column(table, report->cells->alternatives.names[i]);
	put_means(table, "-", PLAIN, work);
	for (size_t i = 0; i < report->weights.count; i++) {
		if (read_weights(report->weights.words[i], work, err) != TR_OK)
			return TR_ERROR;
		put_means(table, report->weights.words[i], WEIGHTED, work);
		put_means(table, report->weights.words[i], PRINTED, work);
	}
	if (report->weights.count > 0)
		table_note(table,
			   "weighted: sum of weight x score divided by the sum of the weights; "
			   "weighted / blocks: divided by the square of the number of blocks");
	return TR_OK;
}

static enum tr_status rank_all(const struct compare_report *report, struct work *work,
			       struct tr_error *err)
{
	if (!work->scores || !work->means || !work->ranked || !work->weights || !work->order)
		return tr_no_memory(err, "the scores");
	for (size_t block = 0; block < work->blocks; block++)
		if (rank_block(report, block, work, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status compare_scores(const struct compare_report *report, struct table **scores,
			      struct table **means, struct tr_error *err)
{
	struct work work = {.blocks = report->cells->blocks.count,
			    .alternatives = report->cells->alternatives.count};
	enum tr_status status;

	work.scores = calloc(work.blocks * work.alternatives, sizeof(*work.scores));
	work.means = calloc(work.alternatives, sizeof(*work.means));
	work.ranked = calloc(work.alternatives, sizeof(*work.ranked));
	work.weights = calloc(work.blocks, sizeof(*work.weights));
	work.order = calloc(work.alternatives, sizeof(*work.order));
	*scores = *means = NULL;
	status = rank_all(report, &work, err);
	if (status == TR_OK) {
		*scores = scores_table(report, &work);
		*means = table_new("averages", "Mean scores");
		status = compare_scores_fill_means(report, &work, *means, err);
	}
	if (status != TR_OK) {
		table_free(*scores);
		table_free(*means);
		*scores = *means = NULL;
	}
	free(work.scores);
	free(work.means);
	free(work.ranked);
	free(work.weights);
	free(work.order);
	return status;
}
