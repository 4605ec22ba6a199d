// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_report.h"

#include <math.h>
#include <string.h>

#include "compare_distances.h"
#include "compare_scores.h"

#define DIGITS 8

static const int levels[] = {90, 95, 99};
#define LEVELS (sizeof(levels) / sizeof(*levels))

static const char *name_of(const struct compare_report *report, const struct compare_cell *cell)
{
	return report->cells->alternatives.names[cell->alternative];
}

// What is not negative has no interval that is.
static struct interval interval_of(const struct compare_report *report, const struct sample *sample, int level_percent)
{
	const struct interval interval = sample_interval(sample, level_percent / 100.0);

	return column_sense(report->settings->column).not_negative ? interval_above(interval, 0) : interval;
}

static struct table *means_table(const struct compare_report *report)
{
	static const char *const keys[] = {"of", "n", "mean", "sd", "lo", "hi"};
	struct table *table = table_new("means", "Means and their intervals");

	compare_block_columns(table, report->settings);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		table_column(table, keys[i]);
	for (size_t i = 0; i < report->cells->count; i++) {
		const struct compare_cell *cell = &report->cells->cells[i];
		const struct interval interval = interval_of(report, &cell->sample, report->level_percent);

		compare_put_block(table, report, cell->block);
		table_text(table, name_of(report, cell));
		table_count(table, (uint64_t)cell->sample.n);
		table_real(table, cell->sample.mean, DIGITS);
		table_real(table, cell->sample.sd, DIGITS);
		table_real(table, interval.lo, DIGITS);
		table_real(table, interval.hi, DIGITS);
		if (cell->correlated)
			table_note(table, "%s varies slowly: its interval is too narrow", name_of(report, cell));
	}
	table_note(table, "%s; intervals: %d %%, Student's%s", report->settings->column, report->level_percent,
		   column_sense(report->settings->column).not_negative ? ", kept above 0" : "");
	return table;
}

// Half intervals in percent of the mean, equation 3.8 with the normal quantile, equation 3.7.
static struct table *sizes_table(const struct compare_report *report)
{
	struct table *table = table_new("sizes", "How well they are known");
	char key[32];

	compare_block_columns(table, report->settings);
	table_column(table, "of");
	for (size_t i = 0; i < 2 * LEVELS; i++) {
		snprintf(key, sizeof(key), i < LEVELS ? "half%d_percent" : "needed%d", levels[i % LEVELS]);
		table_column(table, key);
	}
	table_column(table, "attained_percent");
	for (size_t i = 0; i < report->cells->count; i++) {
		const struct compare_cell *cell = &report->cells->cells[i];
		const struct sample *sample = &cell->sample;

		compare_put_block(table, report, cell->block);
		table_text(table, name_of(report, cell));
		for (size_t k = 0; k < LEVELS; k++) {
			const struct interval interval = sample_interval(sample, levels[k] / 100.0);

			table_real(table, 100 * (interval.hi - sample->mean) / fabs(sample->mean), 6);
		}
		for (size_t k = 0; k < LEVELS; k++)
			table_real(table, sample_needed(sample, levels[k] / 100.0, report->accuracy_percent), 6);
		table_real(table, 100 * sample_attained(sample, report->accuracy_percent), 6);
	}
	table_note(table, "needed: replications for a mean to %g %%; attained: the level at which it is",
		   report->accuracy_percent);
	return table;
}

// What the first of two that differ is. Where it is not known which is better, only which has more.
static const char *word_for(const struct compare_report *report, bool more)
{
	if (report->better == COLUMN_NEITHER)
		return more ? "more" : "less";
	return more == (report->better == COLUMN_HIGHER_BETTER) ? "better" : "worse";
}

static void put_pair(struct table *table, struct compare_report *report, const struct compare_cell *a,
		     const struct compare_cell *b)
{
	static const char *const rules[] = {
		[COMPARE_DISJOINT] = "disjoint", [COMPARE_INSIDE] = "inside", [COMPARE_T_TEST] = "t-test"};
	const struct comparison found = sample_compare(&a->sample, &b->sample, report->level_percent / 100.0);

	report->differ = report->differ || found.differ;
	report->pairs++;
	compare_put_block(table, report, a->block);
	table_text(table, name_of(report, a));
	table_text(table, name_of(report, b));
	table_text(table, found.differ ? word_for(report, found.difference > 0) : "same");
	table_text(table, rules[found.rule]);
	table_real(table, found.difference, DIGITS);
	table_real(table, found.interval.lo, DIGITS);
	table_real(table, found.interval.hi, DIGITS);
	table_real(table, found.freedom, 6);
}

// All pairs of each block, in the order of the alternatives.
static struct table *pairs_table(struct compare_report *report)
{
	static const char *const keys[] = {"of", "than", "is", "by", "difference", "lo", "hi", "freedom"};
	const struct compare_cells *cells = report->cells;
	struct table *table = table_new("pairs", "Pairs");
	size_t single = 0;

	compare_block_columns(table, report->settings);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		table_column(table, keys[i]);
	for (size_t block = 0; block < cells->blocks.count; block++)
		for (size_t i = 0; i < cells->alternatives.count; i++)
			for (size_t k = i + 1; k < cells->alternatives.count; k++) {
				const struct compare_cell *a = compare_cell_find(cells, block, i);
				const struct compare_cell *b = compare_cell_find(cells, block, k);

				if (!a || !b)
					continue;
				if (a->sample.n >= 2 && b->sample.n >= 2)
					put_pair(table, report, a, b);
				else
					single++;
			}
	if (single > 0)
		table_note(table, "%zu pairs have a side of one value only: they are not compared", single);
	table_note(table,
		   "at %d %%: intervals disjoint; or one mean inside the other's; or else the "
		   "unpaired t test, whose interval of the difference is shown",
		   report->level_percent);
	return table;
}

enum tr_status compare_report_print(struct compare_report *report, struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[6] = {means_table(report), sizes_table(report), pairs_table(report)};
	enum tr_status status = TR_OK;
	size_t count = report->cells->alternatives.count > 1 ? 3 : 2;

	if (report->traces->count > 1) {
		tables[count] = compare_distances(report, err);
		status = tables[count++] ? TR_OK : TR_ERROR;
	}
	if (report->scores && status == TR_OK) {
		status = compare_scores(report, &tables[count], &tables[count + 1], err);
		count += 2;
	}
	if (status == TR_OK)
		status = tables_print(tables, count, style, "flitcmp", out, err);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		table_free(tables[i]);
	return status;
}
