// SPDX-License-Identifier: GPL-3.0-or-later
#include "flittest.h"

#include <math.h>

#include "series/series_periods.h"
#include "stat/hurst/estimator.h"
#include "stat/intervals/verdict.h"
#include "stat/tests/partial_sums.h"
#include "stat/tests/tail.h"

#define DIGITS 4

struct test_report_layout {
	const char *name;
	const char *title;
	const char *columns;
};

static const struct test_report_layout layouts[TEST_TABLES] = {
	[TEST_TABLE_ANSWERS] = {"answers", "Answers", "input of test answer p p_joint words"},
	[TEST_TABLE_METHODS] = {"tests", "Hypothesis tests", "input of test method statistic threshold p n verdict words"},
	[TEST_TABLE_VERDICT] = {"verdict", "Self-similarity", "input of"},
	[TEST_TABLE_POISSON] = {"poisson", "Poisson arrivals",
				"input clock_tick_s intervals tested exponential p_exponential independent p_independent "
				"positive_lag1 p_sign poisson"},
	[TEST_TABLE_SHIFTS] = {"shifts", "Level shifts", "input of point before after p"},
	[TEST_TABLE_TAILS] = {"tails", "Tails", "input of threshold k method index se lo hi"},
	[TEST_TABLE_FITS] = {"fits", "Distributions fitted to the tails",
			     "input of law parameter value se parameter2 value2 se2 log_likelihood aic vuong p"},
	[TEST_TABLE_BLOCKS] = {"blocks", "H by block", "input of block points scale_min scale_max H se"},
	[TEST_TABLE_CONTROLS] = {"controls", "H of shuffled controls", "input of series method block controls H sd least most"},
	[TEST_TABLE_INTERVALS] = {"intervals", "Intervals", "input start_s gaps mean_gap_s A2 lag1 exponential independent"},
	[TEST_TABLE_POINTS] = {"points", "Tails: log-log distribution and Hill plot",
			       "input of k value share_above hill hill_lo hill_hi"},
	[TEST_TABLE_LAGS] = {"lags", "Long-memory statistics by number of lags", "input of lags V p V_S p_V_S"},
	[TEST_TABLE_PERIODS] = {"periods", "Periods", "input of"},
};

void test_report_open(struct test_report *report, bool intervals, bool points)
{
	report->intervals = intervals;
	report->points = points;
	report->answer_count = 0;
	for (size_t i = 0; i < TEST_TABLES; i++) {
		report->tables[i] = table_new(layouts[i].name, layouts[i].title);
		table_columns(report->tables[i], layouts[i].columns);
	}
	table_heads(report->tables[TEST_TABLE_VERDICT], series_verdict_fields);
	table_heads(report->tables[TEST_TABLE_PERIODS], series_period_fields);
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
		table_note(table, "%s: joint significance level 5 %% for %zu tests (p_joint: Holm's procedure)",
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

// ---- tables of details, after an answer

#define TIES_MANY 0.1
#define POINTS_MAX 100
#define LAGS_MAX 25

// ---- Poisson

static void add_intervals(struct table *table, const char *input, const struct poisson *poisson, double ticks_per_s)
{
	for (size_t i = 0; i < poisson->count; i++) {
		const struct poisson_interval *interval = &poisson->intervals[i];

		table_text(table, input);
		table_real(table, (double)interval->start_ticks / ticks_per_s, 10);
		table_count(table, interval->gaps);
		table_real(table, interval->mean_ticks / ticks_per_s, DIGITS);
		table_real(table, interval->statistic, DIGITS);
		table_real(table, interval->lag1, DIGITS);
		if (isnan(interval->p_exponential)) {
			table_none(table);
			table_none(table);
			continue;
		}
		table_text(table, interval->p_exponential >= VERDICT_LEVEL ? "yes" : "no");
		table_text(table, interval->p_independent >= VERDICT_LEVEL ? "yes" : "no");
	}
}

void test_details_poisson(struct test_report *report, const char *input, const struct poisson *poisson,
			  const struct poisson_verdict *verdict, uint64_t ticks_per_s)
{
	struct table *table = report->tables[TEST_TABLE_POISSON];

	if (table_rows(table) == 0)
		table_note(table, "intervals with at least %d gaps are tested at 5 %% each", POISSON_GAPS_MIN);
	table_text(table, input);
	if (verdict->tested + verdict->coarse > 0) // fewer arrivals have a larger divisor
		table_real(table, (double)verdict->clock_ticks / (double)ticks_per_s, DIGITS);
	else
		table_none(table);
	table_count(table, verdict->intervals);
	table_count(table, verdict->tested);
	table_count(table, verdict->exponential);
	table_real(table, verdict->p_exponential, DIGITS);
	table_count(table, verdict->independent);
	table_real(table, verdict->p_independent, DIGITS);
	table_count(table, verdict->positive);
	table_real(table, verdict->p_sign, DIGITS);
	table_text(table, verdict_word(poisson_answer(verdict)));
	if (verdict->tested == 0 && verdict->coarse == 0)
		table_note(table, "%s: no interval has %d gaps; use a longer --rate-interval", input, POISSON_GAPS_MIN);
	if (verdict->coarse > 0)
		table_note(table, "%s: %llu intervals are not tested: they have more than %d arrivals per clock tick", input,
			   (unsigned long long)verdict->coarse, POISSON_TICK_ARRIVALS_MAX);
	if (report->intervals)
		add_intervals(report->tables[TEST_TABLE_INTERVALS], input, poisson, (double)ticks_per_s);
}

// ---- tails

static void test_report_add_index(struct table *table, const struct test_subject *subject, const struct heavy_tail *tail,
				  const char *method, const struct tail_index *index)
{
	table_text(table, subject->input);
	table_text(table, subject->of);
	table_real(table, tail->threshold, DIGITS);
	table_count(table, tail->tail.k);
	table_text(table, method);
	table_real(table, index->index, DIGITS);
	table_real(table, index->se, DIGITS);
	table_real(table, index->lo, DIGITS);
	table_real(table, index->hi, DIGITS);
}

static void test_report_add_fit(struct table *table, const struct test_subject *subject, const struct heavy_tail *tail,
				size_t i)
{
	const struct tail_fit *fit = &tail->fits[i];
	const double logs = (double)tail->tail.k * log(tail->threshold);

	table_text(table, subject->input);
	table_text(table, subject->of);
	table_text(table, fit->law->name);
	for (size_t p = 0; p < TAIL_LAW_PARAMETERS_MAX; p++) {
		if (p >= fit->law->parameters) {
			table_none(table);
			table_none(table);
			table_none(table);
			continue;
		}
		table_text(table, fit->law->parameter_names[p]);
		table_real(table, tail_fit_parameter(fit, p, tail->threshold), DIGITS);
		table_real(table, tail_fit_se(fit, p, tail->threshold), DIGITS);
	}
	table_real(table, tail_fit_unbounded(fit) ? NAN : fit->log_likelihood - logs, 9);
	table_real(table, tail_fit_unbounded(fit) ? NAN : fit->aic + 2 * logs, 9);
	table_real(table, tail->against_pareto[i].z, DIGITS);
	table_real(table, tail->against_pareto[i].p, DIGITS);
}

static void test_report_add_points(struct table *table, const struct test_subject *subject, const struct tail *tail,
				   double level)
{
	struct hill_point points[POINTS_MAX];
	const size_t count = hill_plot(tail->rising, tail->n, level, points, POINTS_MAX);

	for (size_t i = 0; i < count; i++) {
		table_text(table, subject->input);
		table_text(table, subject->of);
		table_count(table, points[i].k);
		table_real(table, points[i].value, 7);
		table_real(table, (double)points[i].k / (double)tail->n, 7);
		table_real(table, points[i].index.index, DIGITS);
		table_real(table, points[i].index.lo, DIGITS);
		table_real(table, points[i].index.hi, DIGITS);
	}
}

void test_details_tail(struct test_report *report, const struct test_subject *subject, const struct heavy_tail *tail,
		       double level)
{
	struct table *table = report->tables[TEST_TABLE_TAILS], *fits = report->tables[TEST_TABLE_FITS];
	const struct tail_index moment = moment_estimator_index(&tail->moment);

	if (report->points)
		test_report_add_points(report->tables[TEST_TABLE_POINTS], subject, &tail->tail, level);
	if (isnan(tail->hill.index))
		return;
	test_report_add_index(table, subject, tail, "log-log", &tail->log_log);
	test_report_add_index(table, subject, tail, "hill", &tail->hill);
	test_report_add_index(table, subject, tail, "moment", &moment);
	if (tail->ties > TIES_MANY)
		table_note(table, "%s: %s: %.3g %% of the values in the tail are ties; the distributions are continuous",
			   subject->input, subject->of, 100 * tail->ties);
	for (size_t i = 0; i < HEAVY_TAIL_LAWS; i++)
		test_report_add_fit(fits, subject, tail, i);
	if (table_rows(fits) == HEAVY_TAIL_LAWS)
		table_note(
			fits,
			"fitted beyond the threshold of the tail; vuong, p: against pareto, above 0 if the distribution fits better; - : the parameters are at the boundary of the distribution");
}

// ---- series

void test_details_shifts(struct test_report *report, const struct test_subject *subject, const struct change_points *shifts)
{
	struct table *table = report->tables[TEST_TABLE_SHIFTS];

	for (size_t i = 0; i < shifts->count; i++) {
		table_text(table, subject->input);
		table_text(table, subject->of);
		table_count(table, shifts->points[i].at);
		table_real(table, shifts->points[i].before, DIGITS);
		table_real(table, shifts->points[i].after, DIGITS);
		table_real(table, shifts->points[i].p, DIGITS);
	}
}

void test_details_constancy(struct test_report *report, const struct test_subject *subject, const struct constancy *constancy)
{
	struct table *table = report->tables[TEST_TABLE_BLOCKS];

	for (size_t i = 0; i < constancy->blocks; i++) {
		table_text(table, subject->input);
		table_text(table, subject->of);
		table_count(table, i + 1);
		table_count(table, constancy->length);
		table_real(table, constancy->scale_min, 12);
		table_real(table, constancy->scale_max, 12);
		table_real(table, constancy->h[i], DIGITS);
		table_real(table, constancy->se[i], DIGITS);
	}
}

void test_details_memory(struct test_report *report, const struct test_subject *subject, const double *x, size_t n)
{
	struct table *table = report->tables[TEST_TABLE_LAGS];
	size_t lags[LAGS_MAX];
	const size_t count = report->points ? estimate_scales(1, (double)n / 10, LAGS_MAX, lags) : 0;

	for (size_t i = 0; i < count; i++) {
		const struct lo_rescaled_range test = lo_rescaled_range_test(x, n, lags[i]);

		table_text(table, subject->input);
		table_text(table, subject->of);
		table_count(table, test.lags);
		table_real(table, test.statistic, DIGITS);
		table_real(table, test.p, DIGITS);
		table_real(table, test.rescaled_variance, DIGITS);
		table_real(table, test.p_variance, DIGITS);
	}
}

static void begin_control(struct table *table, const struct test_subject *subject, const struct shuffled_control *control,
			  const char *series, size_t method)
{
	table_text(table, subject->input);
	table_text(table, subject->of);
	table_text(table, series);
	table_text(table, control->methods[method]);
	table_count(table, control->block);
}

void test_details_shuffled(struct test_report *report, const struct test_subject *subject,
			   const struct shuffled_control *control)
{
	struct table *table = report->tables[TEST_TABLE_CONTROLS];

	if (control->answer == VERDICT_UNKNOWN)
		return;
	for (size_t m = 0; m < SHUFFLED_METHODS; m++) {
		begin_control(table, subject, control, "itself", m);
		table_count(table, 0);
		table_real(table, control->h[m], DIGITS);
		table_none(table);
		table_none(table);
		table_none(table);
		for (int kind = 0; kind < SHUFFLED_KINDS; kind++) {
			const struct shuffled_h *h = &control->by_kind[kind][m];

			begin_control(table, subject, control, shuffled_kind_name((enum shuffled_kind)kind), m);
			table_count(table, h->count);
			table_real(table, h->mean, DIGITS);
			table_real(table, h->sd, DIGITS);
			table_real(table, h->least, DIGITS);
			table_real(table, h->most, DIGITS);
		}
	}
	table_note(table, "%s: H estimated from scales of %g to %g points", subject->input, control->scale_min,
		   control->scale_max);
}
