// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_report.h"

#include <math.h>

#include "series/series_periods.h"
#include "stat/holm.h"

#define DIGITS 4
#define COLUMNS_MAX 14

struct layout {
	const char *name;
	const char *title;
	const char *columns[COLUMNS_MAX]; // ended by NULL
};

static const struct layout layouts[TEST_TABLES] = {
	[TEST_TABLE_ANSWERS] = {"answers", "answers", {"input", "of", "test", "answer", "p", "p_joint", "words"}},
	[TEST_TABLE_METHODS] = {"tests",
				"tests",
				{"input", "of", "test", "method", "statistic", "threshold", "p", "n", "verdict", "words"}},
	[TEST_TABLE_VERDICT] = {"verdict", "numbers of the verdict", {"input", "of"}},
	[TEST_TABLE_POISSON] = {"poisson",
				"Poisson arrivals",
				{"input", "clock_tick_s", "intervals", "tested", "exponential", "p_exponential", "independent",
				 "p_independent", "positive_lag1", "p_sign", "poisson"}},
	[TEST_TABLE_SHIFTS] = {"shifts", "changes of the level", {"input", "of", "point", "before", "after", "p"}},
	[TEST_TABLE_TAILS] = {"tails", "tails", {"input", "of", "threshold", "k", "method", "index", "se", "lo", "hi"}},
	[TEST_TABLE_FITS] = {"fits",
			     "laws fitted to the tails",
			     {"input", "of", "law", "parameter", "value", "se", "parameter2", "value2", "se2", "log_likelihood",
			      "aic", "vuong", "p"}},
	[TEST_TABLE_BLOCKS] = {"blocks",
			       "H of blocks",
			       {"input", "of", "block", "points", "scale_min", "scale_max", "H", "se"}},
	[TEST_TABLE_CONTROLS] = {"controls",
				 "H of shuffled controls",
				 {"input", "of", "series", "method", "block", "controls", "H", "sd", "least", "most"}},
	[TEST_TABLE_INTERVALS] = {"intervals",
				  "intervals",
				  {"input", "start_s", "gaps", "mean_gap_s", "A2", "lag1", "exponential", "independent"}},
	[TEST_TABLE_POINTS] = {"points",
			       "tails: log-log distribution and Hill plot",
			       {"input", "of", "k", "value", "share_above", "hill", "hill_lo", "hill_hi"}},
	[TEST_TABLE_LAGS] = {"lags", "memory by lags that count as short", {"input", "of", "lags", "V", "p", "V_S", "p_V_S"}},
	[TEST_TABLE_PERIODS] = {"periods", "periods", {"input", "of"}},
};

void test_report_open(struct test_report *report, bool intervals, bool points)
{
	report->intervals = intervals;
	report->points = points;
	report->answer_count = 0;
	for (size_t i = 0; i < TEST_TABLES; i++) {
		report->tables[i] = table_new(layouts[i].name, layouts[i].title);
		for (size_t c = 0; c < COLUMNS_MAX && layouts[i].columns[c]; c++)
			table_column(report->tables[i], layouts[i].columns[c]);
	}
	for (size_t c = 0; series_verdict_columns[c]; c++)
		table_column(report->tables[TEST_TABLE_VERDICT], series_verdict_columns[c]);
	for (size_t c = 0; series_period_columns[c]; c++)
		table_column(report->tables[TEST_TABLE_PERIODS], series_period_columns[c]);
}

static void add_subject(struct table *table, const struct test_subject *subject)
{
	table_text(table, subject->input);
	table_text(table, subject->of);
	table_text(table, subject->test);
}

void test_report_answer(struct test_report *report, const struct test_subject *subject, enum verdict verdict, double p,
			const char *sentence)
{
	struct test_answer *answer = &report->answers[report->answer_count++];

	answer->subject = *subject;
	answer->verdict = verdict;
	answer->p = p;
	(void)snprintf(answer->sentence, sizeof(answer->sentence), "%s", sentence);
}

bool test_report_join(struct test_report *report)
{
	struct table *table = report->tables[TEST_TABLE_ANSWERS];
	double p[TEST_ANSWERS_MAX] = {0}, joint[TEST_ANSWERS_MAX];
	size_t count = 0;
	bool no = false;

	for (size_t i = 0; i < report->answer_count; i++) {
		p[i] = report->answers[i].p;
		count += isnan(p[i]) ? 0 : 1;
	}
	holm_adjust(p, report->answer_count, joint);
	for (size_t i = 0; i < report->answer_count; i++) {
		struct test_answer *answer = &report->answers[i];
		const enum verdict verdict = holm_verdict(answer->verdict, p[i], joint[i], answer->sentence);

		add_subject(table, &answer->subject);
		table_text(table, verdict_word(verdict));
		table_real(table, p[i], DIGITS);
		table_real(table, joint[i], DIGITS);
		table_text(table, answer->sentence);
		no |= verdict == VERDICT_NO;
	}
	if (count > 1)
		table_note(table, "%s: what %zu tests reject holds at a joint level of 5 %% (Holm: p_joint)",
			   report->answers[0].subject.input, count);
	report->answer_count = 0;
	return no;
}

void test_report_method(struct test_report *report, const struct test_subject *subject, const struct method_result *result,
			const char *answer)
{
	struct table *table = report->tables[TEST_TABLE_METHODS];

	add_subject(table, subject);
	table_text(table, result->method);
	table_real(table, result->statistic, DIGITS);
	table_real(table, result->threshold, DIGITS);
	table_real(table, result->p, DIGITS);
	table_count(table, result->n);
	table_text(table, verdict_word(result->verdict));
	table_text(table, result->sentence[0] ? result->sentence : answer);
}

enum tr_status test_report_print(const struct test_report *report, struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[TEST_TABLES];
	size_t count = 0;

	for (size_t i = 0; i < TEST_TABLES; i++)
		if (i <= TEST_TABLE_METHODS || table_rows(report->tables[i]) > 0)
			tables[count++] = report->tables[i];
	return tables_print(tables, count, style, "flittest", out, err);
}

void test_report_close(struct test_report *report)
{
	for (size_t i = 0; i < TEST_TABLES; i++)
		table_free(report->tables[i]);
}
