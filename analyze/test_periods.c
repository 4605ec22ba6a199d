// SPDX-License-Identifier: GPL-3.0-or-later
// The question whether a series repeats.
#include <math.h>

#include "series_periods.h"
#include "test_details.h"
#include "test_run.h"

// Two methods share the level.
#define LEVEL (VERDICT_LEVEL / 2)

// Both say that nothing repeats unless chance is refuted.
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

enum tr_status test_periods_run(const struct test_input *input, const struct test_settings *settings, const char *name,
				struct test_report *report, bool *answered_no, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "periods"};
	const struct periods *periods = &input->periods;
	struct method_result g = method_result_make("fisher g", periods->n), combs = method_result_make("combs", periods->n);
	char words[SERIES_PERIOD_WORDS];

	(void)settings;
	(void)err;
	if (!(periods->search_p > 0)) {
		test_report_answer(report, &subject, VERDICT_UNKNOWN, "the series is constant, or shorter than 256 points");
		return TR_OK;
	}
	g.statistic = periods->g.g;
	g.p = periods->g.p;
	g.verdict = verdict_of(g.p);
	method_result_say(&g, "%zu single lines stand out", periods->g.lines);
	combs.p = periods->search_p;
	combs.verdict = verdict_of(combs.p);
	method_result_say(&combs, "the best of all combs of 1 to 8 lines, sharp or spread by jitter");
	test_report_method(report, &subject, &g, "");
	test_report_method(report, &subject, &combs, "");
	if (periods->count > 0) {
		series_periods_say(words, &input->counts.series, periods);
		test_report_answer(report, &subject, VERDICT_YES, words);
	} else {
		test_report_answer(report, &subject, VERDICT_NO, "no period that came 8 times and more stands out");
	}
	*answered_no |= periods->count == 0;
	series_periods_rows(report->tables[TEST_TABLE_PERIODS], &input->counts.series, periods, begin_row, &subject);
	return TR_OK;
}
