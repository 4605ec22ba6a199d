// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcmp.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "stat/counts/distance.h"
#include "stat/intervals/verdict.h"
#include "table/table_rows.h"

// ---- the table of the distances between the distributions of traces

#define DISTANCE_DIGITS 6
#define WIDE 2 // intervals this many times as wide as for independent blocks get a note

// The distances of one pair in one class.
struct pair {
	const struct compare_trace *a, *b;
	unsigned class;
	struct distance_test tests[COMPARE_QUANTITIES];
	bool both[COMPARE_QUANTITIES]; // both sides have the quantity
	double joint[COMPARE_QUANTITIES];
};

static const struct block_sample *compare_report_sample_of(const struct compare_trace *trace,
							   unsigned class, unsigned quantity)
{
	const struct compare_values *values = trace->values[class][quantity];

	return values && values->sample.all.n > 0 ? &values->sample : NULL;
}

// TR_ERROR if out of memory; *any: both have a quantity in common.
static enum tr_status test_pair(struct pair *pair, double level, bool *any, struct tr_error *err)
{
	double p[COMPARE_QUANTITIES];

	*any = false;
	for (unsigned i = 0; i < COMPARE_QUANTITIES; i++) {
		const struct block_sample *a = compare_report_sample_of(pair->a, pair->class, i),
					  *b = compare_report_sample_of(pair->b, pair->class, i);

		p[i] = NAN;
		pair->both[i] = a && b;
		if (!a || !b)
			continue;
		*any = true;
		if (distance_test_make(a, b, level, &pair->tests[i], err) != TR_OK)
			return TR_ERROR;
		p[i] = pair->tests[i].ad_p;
	}
	holm_adjust(p, COMPARE_QUANTITIES, pair->joint);
	return TR_OK;
}

TABLE_ROW(distance_class, (text, class));
TABLE_ROW(distances, (text, of), (text, from), (text, values), (count, n_of), (count, n_from),
	  (real, ks, DISTANCE_DIGITS), (real, ks_lo, DISTANCE_DIGITS),
	  (real, ks_hi, DISTANCE_DIGITS), (real, ks_p, 3), (real, ad, DISTANCE_DIGITS),
	  (real, ad_p, 3), (real, emd, DISTANCE_DIGITS), (real, emd_lo, DISTANCE_DIGITS),
	  (real, emd_hi, DISTANCE_DIGITS), (text, are));

static bool has_classes(const struct compare_report *report)
{
	return !report->settings->by_default && report->settings->by.count > 0;
}

static void put_row(struct table *table, const struct compare_report *report,
		    const struct pair *pair, unsigned quantity)
{
	const struct distance_test *test = &pair->tests[quantity];
	const double per = compare_quantity_per(quantity),
		     wide = fmax(test->widened_a, test->widened_b);
	const char *const *names = (const char *const *)report->cells->alternatives.names;
	const char *are = pair->joint[quantity] <= 1 - report->level_percent / 100.0 ? "differ"
										     : "same";

	if (has_classes(report))
		TABLE_PUT(table, distance_class, .class = compare_class_name(pair->class));
	TABLE_PUT(table, distances, .of = names[pair->a->alternative],
		  .from = names[pair->b->alternative], .values = compare_quantity_column(quantity),
		  .n_of = compare_report_sample_of(pair->a, pair->class, quantity)->all.n,
		  .n_from = compare_report_sample_of(pair->b, pair->class, quantity)->all.n,
		  .ks = test->apart.ks, .ks_lo = test->ks.lo, .ks_hi = test->ks.hi,
		  .ks_p = test->ks_p, .ad = test->apart.ad, .ad_p = test->ad_p,
		  .emd = test->apart.emd / per, .emd_lo = test->emd.lo / per,
		  .emd_hi = test->emd.hi / per, .are = isnan(test->ad_p) ? NULL : are);
	if (wide > WIDE)
		table_note(table,
			   "%s of %s and %s: neighbouring blocks are correlated; this widens the "
			   "intervals up to %.2g times",
			   compare_quantity_column(quantity), names[pair->a->alternative],
			   names[pair->b->alternative], wide);
}

static enum tr_status add_pair(struct table *table, struct compare_report *report,
			       struct pair *pair, struct tr_error *err)
{
	const double alpha = 1 - report->level_percent / 100.0;
	bool any, tested = false;

	if (test_pair(pair, report->level_percent / 100.0, &any, err) != TR_OK)
		return TR_ERROR;
	for (unsigned i = 0; i < COMPARE_QUANTITIES; i++) {
		if (!pair->both[i])
			continue;
		put_row(table, report, pair, i);
		tested = tested || !isnan(pair->joint[i]);
		report->differ = report->differ || pair->joint[i] <= alpha;
	}
	report->pairs += tested;
	return TR_OK;
}

static struct table *compare_report_open_table(const struct compare_report *report)
{
	struct table *table = table_new("distances", "Distances between distributions");

	if (has_classes(report))
		table_heads(table, distance_class_fields);
	table_heads(table, distances_fields);
	table_note(table,
		   "ks: Kolmogorov-Smirnov, ad: Anderson-Darling, emd: earth mover's, in the "
		   "values' unit; %d %% intervals and p by a bootstrap of 16 to 63 blocks of "
		   "consecutive values; verdict by ad_p, jointly for all rows of a pair (Holm)",
		   report->level_percent);
	return table;
}

// All pairs of report->traces (at least two), by every quantity that both have. Sets report->differ
// if a pair differs and counts the pairs that could be tested. NULL if out of memory.
static struct table *compare_distances(struct compare_report *report, struct tr_error *err)
{
	const struct compare_traces *traces = report->traces;
	struct table *table = compare_report_open_table(report);
	enum tr_status status = TR_OK;

	for (unsigned class = 0; class < COMPARE_CLASSES; class ++)
		for (size_t i = 0; i < traces->count; i++)
			for (size_t k = i + 1; k < traces->count && status == TR_OK; k++) {
				struct pair pair = {.a = &traces->list[i],
						    .b = &traces->list[k],
						    .class = class};

				status = add_pair(table, report, &pair, err);
			}
	if (status == TR_OK)
		return table;
	table_free(table);
	return NULL;
}

// ---- the tables of the cells

#define DIGITS 8

static const int levels[] = {90, 95, 99};
#define LEVELS (sizeof(levels) / sizeof(*levels))

const char *compare_name(const struct compare_report *report, const struct compare_cell *cell)
{
	return report->cells->alternatives.names[cell->alternative];
}

// Intervals of non-negative quantities stay above 0.
static struct interval interval_of(const struct compare_report *report,
				   const struct compare_cell *cell)
{
	const double level = report->level_percent / 100.0;
	const struct interval interval = sample_interval(&cell->sample, level);

	if (cell->dependent > 0)
		return mean_error_interval(cell->sample.mean, &cell->error, level, 0);
	return column_sense(report->settings->column).not_negative ? interval_above(interval, 0)
								   : interval;
}

// What the interval of a trace is worth that is not like that of independent values.
static void note_memory(struct table *table, const struct compare_report *report,
			const struct compare_cell *cell)
{
	if (cell->dependent == 0)
		return;
	if (!cell->error.known)
		table_note(table,
			   "%s: no interval, the trace is too short for its memory; it needs %.3g "
			   "values or more, or replications",
			   compare_name(report, cell),
			   cell->error.longer * (double)cell->dependent);
	else if (cell->error.h > .5)
		table_note(table, "%s: long memory (H %.2f), its interval narrows as n^-%.2f",
			   compare_name(report, cell), cell->error.h, 1 - cell->error.h);
}

static bool any_spoiled(const struct compare_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->cells[i].end.word)
			return true;
	return false;
}

TABLE_ROW(means, (text, of), (count, n), (real, mean, DIGITS), (real, sd, DIGITS),
	  (real, lo, DIGITS), (real, hi, DIGITS));
TABLE_ROW(means_end, (text, spoiled_by));

static struct table *means_table(const struct compare_report *report)
{
	struct table *table = table_new("means", "Means and confidence intervals");
	const bool spoiled = any_spoiled(report->cells);

	compare_block_columns(table, report->settings);
	table_heads(table, means_fields);
	if (spoiled)
		table_heads(table, means_end_fields);
	for (size_t i = 0; i < report->cells->count; i++) {
		const struct compare_cell *cell = &report->cells->cells[i];
		const struct interval interval = interval_of(report, cell);
		const double n = cell->dependent > 0 ? (double)cell->dependent : cell->sample.n;

		compare_put_block(table, report, cell->block);
		TABLE_PUT(table, means, .of = compare_name(report, cell), .n = (uint64_t)n,
			  .mean = cell->sample.mean,
			  .sd = cell->dependent > 0 ? cell->error.se * sqrt(n) : cell->sample.sd,
			  .lo = interval.lo, .hi = interval.hi);
		if (spoiled)
			TABLE_PUT(table, means_end, .spoiled_by = cell->end.word);
		if (cell->end.word)
			table_note(table,
				   "%s: %s in %zu run%s: these values do not characterise it",
				   compare_name(report, cell), cell->end.word, cell->spoiled,
				   cell->spoiled == 1 ? "" : "s");
		note_memory(table, report, cell);
	}
	table_note(table, "%s; %d %% confidence intervals, Student's%s", report->settings->column,
		   report->level_percent,
		   column_sense(report->settings->column).not_negative ? ", kept above 0" : "");
	return table;
}

static double needed_of(const struct compare_report *report, const struct compare_cell *cell,
			double level)
{
	if (cell->dependent > 0)
		return mean_error_needed(cell->sample.mean, &cell->error, level,
					 report->accuracy_percent, (double)cell->dependent);
	return sample_needed(&cell->sample, level, report->accuracy_percent);
}

// Half intervals in percent of the mean, equation 3.8 with the normal quantile, equation 3.7.
static struct table *sizes_table(const struct compare_report *report)
{
	struct table *table = table_new("sizes", "Precision and sample sizes");
	char key[32];

	compare_block_columns(table, report->settings);
	table_column(table, "of");
	for (size_t i = 0; i < 2 * LEVELS; i++) {
		snprintf(key, sizeof(key), i < LEVELS ? "half%d_percent" : "needed%d",
			 levels[i % LEVELS]);
		table_column(table, key);
	}
	table_column(table, "attained_percent");
	for (size_t i = 0; i < report->cells->count; i++) {
		const struct compare_cell *cell = &report->cells->cells[i];
		const struct sample *sample = &cell->sample;

		compare_put_block(table, report, cell->block);
		table_text(table, compare_name(report, cell));
		for (size_t k = 0; k < LEVELS; k++) {
			const struct interval interval = sample_interval(sample, levels[k] / 100.0);

			table_real(table, 100 * (interval.hi - sample->mean) / fabs(sample->mean),
				   6);
		}
		for (size_t k = 0; k < LEVELS; k++)
			table_real(table, needed_of(report, cell, levels[k] / 100.0), 6);
		table_real(table, 100 * sample_attained(sample, report->accuracy_percent), 6);
	}
	table_note(table,
		   "needed: replications, or values of a trace, to know the mean to %g %%; "
		   "attained: confidence level reached now",
		   report->accuracy_percent);
	return table;
}

enum tr_status compare_report_print(struct compare_report *report, struct table_style style,
				    FILE *out, struct tr_error *err)
{
	struct table *tables[7] = {means_table(report), sizes_table(report)};
	enum tr_status status = TR_OK;
	size_t count = 2;

	if (report->cells->alternatives.count > 1) {
		tables[count] = compare_pairs(report, err);
		status = tables[count++] ? TR_OK : TR_ERROR;
	}
	if (report->traces->count > 1 && status == TR_OK) {
		tables[count++] = compare_talkers(report, err);
		tables[count++] = compare_distances(report, err);
		status = tables[count - 2] && tables[count - 1] ? TR_OK : TR_ERROR;
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
