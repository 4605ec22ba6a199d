// SPDX-License-Identifier: GPL-3.0-or-later
// The table of pairs: which of two alternatives is better, by independent values or by pairs of
// runs.
#include "flitcmp.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 8

// What the notes below the table tell.
struct pairs_told {
	size_t single; // pairs that are not compared
	bool exact;    // a single value was compared
};

// The word for the first of two that differ: better or worse, or just higher or lower if unknown.
static const char *word_for(const struct compare_report *report, bool more)
{
	if (report->better == COLUMN_NEITHER)
		return more ? "more" : "less";
	return more == (report->better == COLUMN_HIGHER_BETTER) ? "better" : "worse";
}

static void put_head(struct table *table, struct compare_report *report,
		     const struct compare_cell *a, const struct compare_cell *b, const char *is,
		     const char *by)
{
	report->pairs++;
	compare_put_block(table, report, a->block);
	table_text(table, compare_name(report, a));
	table_text(table, compare_name(report, b));
	table_text(table, is);
	table_text(table, by);
}

static void put_decided(struct table *table, struct compare_report *report,
			const struct compare_cell *a, const struct compare_cell *b, const char *by,
			const struct comparison *found)
{
	report->differ = report->differ || found->differ;
	put_head(table, report, a, b,
		 found->differ ? word_for(report, found->difference > 0) : "same", by);
	table_real(table, found->difference, DIGITS);
	table_real(table, found->interval.lo, DIGITS);
	table_real(table, found->interval.hi, DIGITS);
	table_real(table, found->freedom, 6);
}

static void put_independent(struct table *table, struct compare_report *report,
			    const struct compare_cell *a, const struct compare_cell *b)
{
	static const char *const rules[] = {[COMPARE_DISJOINT] = "disjoint",
					    [COMPARE_INSIDE] = "inside",
					    [COMPARE_T_TEST] = "t-test"};
	const struct comparison found = sample_compare(&a->sample, &b->sample,
						       report->level_percent / 100.0);

	put_decided(table, report, a, b, rules[found.rule], &found);
}

// One row, of an exact simulation or a formula, beside several.
static bool is_exact(const struct compare_cell *cell)
{
	return cell->n == 1 && cell->dependent == 0;
}

static void put_exact(struct table *table, struct compare_report *report,
		      const struct compare_cell *a, const struct compare_cell *b)
{
	const struct interval interval = sample_difference(&a->sample, &b->sample,
							   report->level_percent / 100.0);
	const struct comparison found = {.differ = interval.lo > 0 || interval.hi < 0,
					 .difference = a->sample.mean - b->sample.mean,
					 .interval = interval,
					 .freedom = fmax(a->sample.n, b->sample.n) - 1};

	put_decided(table, report, a, b, "exact", &found);
}

// A pair of which a side did not end as it should: the one that ended better is better, whatever
// the means.
static void put_by_end(struct table *table, struct compare_report *report,
		       const struct compare_cell *a, const struct compare_cell *b)
{
	report->differ = report->differ || a->end.ending != b->end.ending;
	put_head(table, report, a, b,
		 a->end.ending == b->end.ending	 ? NULL
		 : a->end.ending < b->end.ending ? "better"
						 : "worse",
		 "end");
	for (int i = 0; i < 4; i++)
		table_none(table);
}

// ---- paired runs

// The differences of runs that both have.
struct paired_runs {
	struct compare_cell differences;
	size_t alone; // runs of either that have no partner
};

// The place of each run's value in the cell, SIZE_MAX where it has none, for the caller to free;
// NULL if out of memory, or a run has two values.
static size_t *places_of_runs(const struct compare_report *report, const struct compare_cell *cell,
			      struct tr_error *err)
{
	const struct compare_names *runs = &report->cells->runs;
	size_t *places = calloc(runs->count, sizeof(*places));

	if (!places)
		(void)tr_no_memory(err, "the pairs of runs");
	for (size_t i = 0; places && i < runs->count; i++)
		places[i] = SIZE_MAX;
	for (size_t i = 0; places && i < cell->n; i++) {
		size_t *place = &places[cell->values[i].run];

		if (*place == SIZE_MAX) {
			*place = i;
			continue;
		}
		(void)tr_fail(err,
			      "--paired: %s has two rows whose %s is %s; separate them by --within "
			      "or --where",
			      compare_name(report, cell), report->settings->paired,
			      runs->names[cell->values[i].run]);
		free(places);
		return NULL;
	}
	return places;
}

static enum tr_status pair_runs(const struct compare_report *report, const struct compare_cell *a,
				const struct compare_cell *b, struct paired_runs *out,
				struct tr_error *err)
{
	size_t *of_a = places_of_runs(report, a, err),
	       *of_b = of_a ? places_of_runs(report, b, err) : NULL;
	enum tr_status status = of_b ? TR_OK : TR_ERROR;

	for (size_t run = 0; status == TR_OK && run < report->cells->runs.count; run++) {
		const size_t i = of_a[run], k = of_b[run];

		if (i != SIZE_MAX && k != SIZE_MAX &&
		    !compare_add(&out->differences, a->values[i].value - b->values[k].value, run))
			status = tr_no_memory(err, "the pairs of runs");
		out->alone += (i == SIZE_MAX) != (k == SIZE_MAX);
	}
	free(of_a);
	free(of_b);
	if (status == TR_OK)
		compare_settle_cell(&out->differences);
	return status;
}

// Student's interval of the mean difference (Jain 1991, 13.4.1).
static void put_paired(struct table *table, struct compare_report *report,
		       const struct compare_cell *a, const struct compare_cell *b,
		       const struct sample *differences)
{
	const struct interval interval = sample_interval(differences,
							 report->level_percent / 100.0);
	const struct comparison found = {.differ = interval.lo > 0 || interval.hi < 0,
					 .difference = differences->mean,
					 .interval = interval,
					 .freedom = differences->n - 1};

	put_decided(table, report, a, b, "paired", &found);
}

static enum tr_status add_paired(struct table *table, struct compare_report *report,
				 const struct compare_cell *a, const struct compare_cell *b,
				 struct pairs_told *told, struct tr_error *err)
{
	struct paired_runs runs = {.alone = 0};
	const enum tr_status status = pair_runs(report, a, b, &runs, err);

	if (status == TR_OK && runs.differences.n >= 2)
		put_paired(table, report, a, b, &runs.differences.sample);
	else
		told->single++;
	if (status == TR_OK && runs.alone > 0)
		table_note(table,
			   "%s and %s: left out %zu row%s whose %s occurs in only one of them",
			   compare_name(report, a), compare_name(report, b), runs.alone,
			   runs.alone == 1 ? "" : "s", report->settings->paired);
	free(runs.differences.values);
	return status;
}

// ---- all pairs

static enum tr_status add_two(struct table *table, struct compare_report *report,
			      const struct compare_cell *a, const struct compare_cell *b,
			      struct pairs_told *told, struct tr_error *err)
{
	if (a->end.ending != TR_ENDED || b->end.ending != TR_ENDED)
		put_by_end(table, report, a, b);
	else if (report->settings->paired)
		return add_paired(table, report, a, b, told, err);
	else if (a->sample.n >= 2 && b->sample.n >= 2)
		put_independent(table, report, a, b);
	else if ((is_exact(a) && b->sample.n >= 2) || (is_exact(b) && a->sample.n >= 2)) {
		put_exact(table, report, a, b);
		told->exact = true;
	} else
		told->single++;
	return TR_OK;
}

static void note_rule(struct table *table, const struct compare_report *report,
		      const struct pairs_told *told)
{
	static const char ends[] = "by their end: completed runs before saturated ones, and these "
				   "before runs that stood still";

	if (told->single > 0 && report->settings->paired)
		table_note(table,
			   "%zu pairs are not compared, since fewer than two rows have partners",
			   told->single);
	else if (told->single > 0)
		table_note(table,
			   "%zu pairs are not compared, since both sides have a single value, or "
			   "one has no interval",
			   told->single);
	if (report->settings->paired)
		table_note(table,
			   "paired: differences of rows of the same %s; lo, hi: Student's interval "
			   "of their mean at %d %%; %s",
			   report->settings->paired, report->level_percent, ends);
	else
		table_note(table,
			   "by the visual test at %d %%: intervals disjoint, or one mean inside "
			   "the other interval, or else the unpaired t-test; lo, hi: t-test "
			   "interval of the difference; %s%s",
			   report->level_percent, ends,
			   told->exact
				   ? "; exact: a single value counts as exact, and differs outside "
				     "the interval of the other mean"
				   : "");
}

struct table *compare_pairs(struct compare_report *report, struct tr_error *err)
{
	const struct compare_cells *cells = report->cells;
	struct table *table = table_new("pairs", "Pairs");
	enum tr_status status = TR_OK;
	struct pairs_told told = {0};

	compare_block_columns(table, report->settings);
	table_columns(table, "of than is by difference lo hi freedom");
	for (size_t block = 0; block < cells->blocks.count; block++)
		for (size_t i = 0; i < cells->alternatives.count; i++)
			for (size_t k = i + 1; k < cells->alternatives.count && status == TR_OK;
			     k++) {
				const struct compare_cell *a = compare_cell_find(cells, block, i);
				const struct compare_cell *b = compare_cell_find(cells, block, k);

				if (a && b)
					status = add_two(table, report, a, b, &told, err);
			}
	note_rule(table, report, &told);
	if (status == TR_OK)
		return table;
	table_free(table);
	return NULL;
}
