// SPDX-License-Identifier: GPL-3.0-or-later
// The question whether a series repeats, and whether arrivals do.
#include <math.h>
#include <stdlib.h>

#include "series/series_periods.h"
#include "stat/arrival_periods.h"
#include "stat/period_power.h"
#include "test_details.h"
#include "test_run.h"

// Two methods share the level.
#define LEVEL (VERDICT_LEVEL / 2)

static enum verdict verdict_of(double p)
{
	return isnan(p) ? VERDICT_UNKNOWN : p <= LEVEL ? VERDICT_YES : VERDICT_NO;
}

static void begin_row(struct table *table, const void *context)
{
	const struct test_subject *subject = context;

	table_text(table, subject->input);
	table_text(table, subject->of);
}

static void report_methods(struct test_report *report, const struct test_subject *subject, const struct periods *periods)
{
	struct method_result g = method_result_make("fisher g", periods->n), combs = method_result_make("combs", periods->n);

	g.statistic = periods->g.g;
	g.p = periods->g.p;
	g.verdict = verdict_of(g.p);
	method_result_say(&g, "%zu single lines stand out", periods->g.lines);
	combs.p = periods->search_p;
	combs.verdict = verdict_of(combs.p);
	method_result_say(&combs, "the best of all combs of 1 to 8 lines, sharp or spread by jitter");
	test_report_method(report, subject, &g, "");
	test_report_method(report, subject, &combs, "");
}

// point_s: from one point to the next; 0 where that is not known.
static void answer(struct test_report *report, const struct test_subject *subject, const struct periods *periods,
		   double point_s)
{
	const double p = fmin(1, 2 * fmin(periods->g.p, periods->search_p));
	char words[SERIES_PERIOD_WORDS];

	if (!(periods->search_p > 0)) {
		test_report_answer(report, subject, VERDICT_UNKNOWN, NAN, "the series is constant, or shorter than 256 points");
		return;
	}
	report_methods(report, subject, periods);
	if (periods->count > 0) {
		series_periods_say(words, point_s, periods);
		test_report_answer(report, subject, VERDICT_YES, p, words);
	} else {
		period_say_none(words, sizeof(words), periods);
		test_report_answer(report, subject, VERDICT_NO, p, words);
	}
	series_periods_rows(report->tables[TEST_TABLE_PERIODS], point_s, periods, begin_row, subject);
}

static enum tr_status run_arrivals(const struct series *times, double level, const char *name, struct test_report *report,
				   struct tr_error *err)
{
	const struct test_subject subject = {name, "arrivals", "periods"};
	double *work = malloc(arrival_periods_workspace(times->n) * sizeof(*work));
	struct periods periods;
	double bin_s;

	if (!work)
		return tr_no_memory(err, "a search for periods in %zu arrivals", times->n);
	arrival_periods_find(times->x, times->n, level, work, &periods, &bin_s);
	answer(report, &subject, &periods, bin_s);
	free(work);
	return TR_OK;
}

enum tr_status test_periods_run(const struct test_input *input, const struct test_settings *settings, const char *name,
				struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "periods"};

	answer(report, &subject, &input->periods, series_point_s(&input->counts.series));
	if (input->arrivals.n < PERIODS_POINTS_MIN)
		return TR_OK;
	return run_arrivals(&input->arrivals, settings->level, name, report, err);
}
