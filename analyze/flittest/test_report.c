// SPDX-License-Identifier: GPL-3.0-or-later
#include "flittest.h"

#include <math.h>

#include "series/series_periods.h"
#include "stat/hurst/estimator.h"
#include "stat/intervals/verdict.h"
#include "stat/tests/partial_sums.h"
#include "stat/tests/tail.h"
#include "table/table_rows.h"
#include "value/ticks.h"

#define DIGITS 4

TABLE_VIEW(test_of, struct test_subject, (text, input), (text, of));
TABLE_VIEW(test_subject, struct test_subject, (text, input), (text, of), (text, test));
TABLE_ROW(test_joint, (text, answer), (real, p, DIGITS), (real, p_joint, DIGITS), (text, words));
TABLE_ROW(test_method, (text, method), (real, statistic, DIGITS), (real, threshold, DIGITS),
	  (real, p, DIGITS), (count, n), (text, verdict), (text, words));
TABLE_ROW(test_clock, (text, input), (real, clock_tick_s, DIGITS));
TABLE_VIEW(test_poisson, struct poisson_verdict, (count, intervals), (count, tested),
	   (count, exponential), (real, p_exponential, DIGITS), (count, independent),
	   (real, p_independent, DIGITS), (count, positive, 0, "positive_lag1"),
	   (real, p_sign, DIGITS));
TABLE_ROW(test_answer, (text, poisson));
TABLE_VIEW(test_shift, struct change_point, (count, at, 0, "point"), (real, before, DIGITS),
	   (real, after, DIGITS), (real, p, DIGITS));
TABLE_ROW(test_bursts, (text, input), (real, burst_gap_s, DIGITS), (text, basis),
	  (real, depth, DIGITS), (count, bursts), (count, whole));
TABLE_ROW(test_tail, (real, threshold, DIGITS), (count, k), (text, method), (real, index, DIGITS),
	  (real, se, DIGITS), (real, lo, DIGITS), (real, hi, DIGITS));
TABLE_ROW(test_law, (text, law));
TABLE_ROW(test_parameters, (text, parameter), (real, value, DIGITS), (real, se, DIGITS),
	  (text, parameter2), (real, value2, DIGITS), (real, se2, DIGITS));
TABLE_ROW(test_likelihood, (real, log_likelihood, 9), (real, aic, 9), (real, vuong, DIGITS),
	  (real, p, DIGITS));
TABLE_ROW(test_block, (count, block), (count, points), (real, scale_min, 12), (real, scale_max, 12),
	  (real, H, DIGITS), (real, se, DIGITS));
TABLE_ROW(test_control, (text, series), (text, method), (count, block), (count, controls),
	  (real, H, DIGITS), (real, sd, DIGITS), (real, least, DIGITS), (real, most, DIGITS));
TABLE_ROW(test_interval, (text, input), (real, start_s, 10), (count, gaps),
	  (real, mean_gap_s, DIGITS), (real, A2, DIGITS), (real, lag1, DIGITS), (text, exponential),
	  (text, independent));
TABLE_ROW(test_point, (count, k), (real, value, 7), (real, share_above, 7), (real, hill, DIGITS),
	  (real, hill_lo, DIGITS), (real, hill_hi, DIGITS));
TABLE_VIEW(test_lag, struct lo_rescaled_range, (count, lags), (real, statistic, DIGITS, "V"),
	   (real, p, DIGITS), (real, rescaled_variance, DIGITS, "V_S"),
	   (real, p_variance, DIGITS, "p_V_S"));

struct test_report_layout {
	const char *name, *title;
	const struct table_field *fields[4]; // one after the other
};

static const struct test_report_layout layouts[TEST_TABLES] = {
	[TEST_TABLE_ANSWERS] = {"answers", "Answers", {test_subject_fields, test_joint_fields}},
	[TEST_TABLE_METHODS] = {"tests",
				"Hypothesis tests",
				{test_subject_fields, test_method_fields}},
	[TEST_TABLE_VERDICT] = {"verdict",
				"Self-similarity",
				{test_of_fields, series_verdict_fields}},
	[TEST_TABLE_POISSON] = {"poisson",
				"Poisson arrivals",
				{test_clock_fields, test_poisson_fields, test_answer_fields}},
	[TEST_TABLE_SHIFTS] = {"shifts", "Level shifts", {test_of_fields, test_shift_fields}},
	[TEST_TABLE_BURSTS] = {"bursts", "Bursts", {test_bursts_fields}},
	[TEST_TABLE_TAILS] = {"tails", "Tails", {test_of_fields, test_tail_fields}},
	[TEST_TABLE_FITS] = {"fits",
			     "Distributions fitted to the tails",
			     {test_of_fields, test_law_fields, test_parameters_fields,
			      test_likelihood_fields}},
	[TEST_TABLE_BLOCKS] = {"blocks", "H by block", {test_of_fields, test_block_fields}},
	[TEST_TABLE_CONTROLS] = {"controls",
				 "H of shuffled controls",
				 {test_of_fields, test_control_fields}},
	[TEST_TABLE_INTERVALS] = {"intervals", "Intervals", {test_interval_fields}},
	[TEST_TABLE_POINTS] = {"points",
			       "Tails: log-log distribution and Hill plot",
			       {test_of_fields, test_point_fields}},
	[TEST_TABLE_LAGS] = {"lags",
			     "Long-memory statistics by number of lags",
			     {test_of_fields, test_lag_fields}},
	[TEST_TABLE_PERIODS] = {"periods", "Periods", {test_of_fields, series_period_fields}},
};

void test_report_open(struct test_report *report, bool intervals, bool points)
{
	report->intervals = intervals;
	report->points = points;
	report->answer_count = 0;
	for (size_t i = 0; i < TEST_TABLES; i++) {
		report->tables[i] = table_new(layouts[i].name, layouts[i].title);
		for (size_t k = 0; k < 4 && layouts[i].fields[k]; k++)
			table_heads(report->tables[i], layouts[i].fields[k]);
	}
}

void test_report_answer(struct test_report *report, const struct test_subject *subject,
			enum verdict verdict, double p, const char *sentence)
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
		const enum verdict verdict = holm_verdict(answer->verdict, p[i], joint[i],
							  answer->sentence);

		table_row(table, test_subject_fields, &answer->subject);
		TABLE_PUT(table, test_joint, .answer = verdict_word(verdict), .p = p[i],
			  .p_joint = joint[i], .words = answer->sentence);
		no |= verdict == VERDICT_NO;
	}
	if (count > 1)
		table_note(table,
			   "%s: joint significance level 5 %% for %zu tests (p_joint: Holm's "
			   "procedure)",
			   report->answers[0].subject.input, count);
	report->answer_count = 0;
	return no;
}

void test_report_method(struct test_report *report, const struct test_subject *subject,
			const struct method_result *result, const char *answer)
{
	struct table *table = report->tables[TEST_TABLE_METHODS];

	table_row(table, test_subject_fields, subject);
	TABLE_PUT(table, test_method, .method = result->method, .statistic = result->statistic,
		  .threshold = result->threshold, .p = result->p, .n = result->n,
		  .verdict = verdict_word(result->verdict),
		  .words = result->sentence[0] ? result->sentence : answer);
}

enum tr_status test_report_print(const struct test_report *report, struct table_style style,
				 FILE *out, struct tr_error *err)
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

// Whether an interval passes; NULL: not tested.
static const char *interval_word(double p)
{
	return isnan(p) ? NULL : p >= VERDICT_LEVEL ? "yes" : "no";
}

static void add_intervals(struct table *table, const char *input, const struct poisson *poisson,
			  double ticks_per_s)
{
	for (size_t i = 0; i < poisson->count; i++) {
		const struct poisson_interval *interval = &poisson->intervals[i];

		TABLE_PUT(table, test_interval, .input = input,
			  .start_s = (double)interval->start_ticks / ticks_per_s,
			  .gaps = interval->gaps, .mean_gap_s = interval->mean_ticks / ticks_per_s,
			  .A2 = interval->statistic, .lag1 = interval->lag1,
			  .exponential = interval_word(interval->p_exponential),
			  .independent = interval_word(interval->p_independent));
	}
}

void test_details_poisson(struct test_report *report, const char *input,
			  const struct poisson *poisson, const struct poisson_verdict *verdict,
			  uint64_t ticks_per_s)
{
	struct table *table = report->tables[TEST_TABLE_POISSON];

	if (table_rows(table) == 0)
		table_note(table, "intervals with at least %d gaps are tested at 5 %% each",
			   POISSON_GAPS_MIN);
	TABLE_PUT(table, test_clock, .input = input, // fewer arrivals have a larger divisor
		  .clock_tick_s = verdict->tested + verdict->coarse > 0
					  ? (double)verdict->clock_ticks / (double)ticks_per_s
					  : NAN);
	table_row(table, test_poisson_fields, verdict);
	TABLE_PUT(table, test_answer, .poisson = verdict_word(poisson_answer(verdict)));
	if (verdict->tested == 0 && verdict->coarse == 0)
		table_note(table, "%s: no interval has %d gaps; use a longer --rate-interval",
			   input, POISSON_GAPS_MIN);
	if (verdict->coarse > 0)
		table_note(table,
			   "%s: %llu intervals are not tested: they have more than %d arrivals per "
			   "clock tick",
			   input, (unsigned long long)verdict->coarse, POISSON_TICK_ARRIVALS_MAX);
	if (report->intervals)
		add_intervals(report->tables[TEST_TABLE_INTERVALS], input, poisson,
			      (double)ticks_per_s);
}

// ---- tails

static void test_report_add_index(struct table *table, const struct test_subject *subject,
				  const struct heavy_tail *tail, const char *method,
				  const struct tail_index *index)
{
	table_row(table, test_of_fields, subject);
	TABLE_PUT(table, test_tail, .threshold = tail->threshold, .k = tail->tail.k,
		  .method = method, .index = index->index, .se = index->se, .lo = index->lo,
		  .hi = index->hi);
}

static void test_report_add_fit(struct table *table, const struct test_subject *subject,
				const struct heavy_tail *tail, size_t i)
{
	const struct tail_fit *fit = &tail->fits[i];
	const double logs = (double)tail->tail.k * log(tail->threshold);

	table_row(table, test_of_fields, subject);
	TABLE_PUT(table, test_law, .law = fit->law->name);
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
	TABLE_PUT(table, test_likelihood,
		  .log_likelihood = tail_fit_unbounded(fit) ? NAN : fit->log_likelihood - logs,
		  .aic = tail_fit_unbounded(fit) ? NAN : fit->aic + 2 * logs,
		  .vuong = tail->against_pareto[i].z, .p = tail->against_pareto[i].p);
}

static void test_report_add_points(struct table *table, const struct test_subject *subject,
				   const struct tail *tail, double level)
{
	struct hill_point points[POINTS_MAX];
	const size_t count = hill_plot(tail->rising, tail->n, level, points, POINTS_MAX);

	for (size_t i = 0; i < count; i++) {
		const struct tail_index *index = &points[i].index;

		table_row(table, test_of_fields, subject);
		TABLE_PUT(table, test_point, .k = points[i].k, .value = points[i].value,
			  .share_above = (double)points[i].k / (double)tail->n,
			  .hill = index->index, .hill_lo = index->lo, .hill_hi = index->hi);
	}
}

void test_details_tail(struct test_report *report, const struct test_subject *subject,
		       const struct heavy_tail *tail, double level)
{
	struct table *table = report->tables[TEST_TABLE_TAILS],
		     *fits = report->tables[TEST_TABLE_FITS];
	const struct tail_index moment = moment_estimator_index(&tail->moment);

	if (report->points)
		test_report_add_points(report->tables[TEST_TABLE_POINTS], subject, &tail->tail,
				       level);
	if (isnan(tail->hill.index))
		return;
	test_report_add_index(table, subject, tail, "log-log", &tail->log_log);
	test_report_add_index(table, subject, tail, "hill", &tail->hill);
	test_report_add_index(table, subject, tail, "moment", &moment);
	if (tail->ties > TIES_MANY)
		table_note(table,
			   "%s: %s: %.3g %% of the values in the tail are ties; the distributions "
			   "are continuous",
			   subject->input, subject->of, 100 * tail->ties);
	for (size_t i = 0; i < HEAVY_TAIL_LAWS; i++)
		test_report_add_fit(fits, subject, tail, i);
	if (table_rows(fits) == HEAVY_TAIL_LAWS)
		table_note(fits, "fitted beyond the threshold of the tail; vuong, p: against "
				 "pareto, above 0 if the distribution fits better; - : the "
				 "parameters are at the boundary of the distribution");
}

void test_details_bursts(struct test_report *report, const char *name,
			 const struct test_input *input)
{
	struct table *table = report->tables[TEST_TABLE_BURSTS];
	const struct burst_gap *gap = &input->burst_gap;
	char text[BURST_GAP_TEXT];

	TABLE_PUT(table, test_bursts, .input = name,
		  .burst_gap_s = gap->ticks > 0 ? tr_ticks_seconds(gap->ticks, input->ticks_per_s)
						: NAN,
		  .basis = burst_gap_basis(gap), .depth = gap->depth, .bursts = gap->bursts,
		  .whole = input->whole_bursts);
	if (gap->basis == BURST_BASIS_NONE)
		table_note(table, "%s: %s", name, burst_gap_say(gap, input->ticks_per_s, text));
}

// ---- series

void test_details_shifts(struct test_report *report, const struct test_subject *subject,
			 const struct change_points *shifts)
{
	struct table *table = report->tables[TEST_TABLE_SHIFTS];

	for (size_t i = 0; i < shifts->count; i++) {
		table_row(table, test_of_fields, subject);
		table_row(table, test_shift_fields, &shifts->points[i]);
	}
}

void test_details_constancy(struct test_report *report, const struct test_subject *subject,
			    const struct constancy *constancy)
{
	struct table *table = report->tables[TEST_TABLE_BLOCKS];

	for (size_t i = 0; i < constancy->blocks; i++) {
		table_row(table, test_of_fields, subject);
		TABLE_PUT(table, test_block, .block = i + 1, .points = constancy->length,
			  .scale_min = constancy->scale_min, .scale_max = constancy->scale_max,
			  .H = constancy->h[i], .se = constancy->se[i]);
	}
}

void test_details_memory(struct test_report *report, const struct test_subject *subject,
			 const double *x, size_t n)
{
	struct table *table = report->tables[TEST_TABLE_LAGS];
	size_t lags[LAGS_MAX];
	const size_t count = report->points ? estimate_scales(1, (double)n / 10, LAGS_MAX, lags)
					    : 0;

	for (size_t i = 0; i < count; i++) {
		const struct lo_rescaled_range test = lo_rescaled_range_test(x, n, lags[i]);

		table_row(table, test_of_fields, subject);
		table_row(table, test_lag_fields, &test);
	}
}

static void add_control(struct table *table, const struct test_subject *subject,
			const struct shuffled_control *control, size_t method, const char *series,
			const struct shuffled_h *h)
{
	table_row(table, test_of_fields, subject);
	TABLE_PUT(table, test_control, .series = series, .method = control->methods[method],
		  .block = control->block, .controls = h->count, .H = h->mean, .sd = h->sd,
		  .least = h->least, .most = h->most);
}

void test_details_shuffled(struct test_report *report, const struct test_subject *subject,
			   const struct shuffled_control *control)
{
	struct table *table = report->tables[TEST_TABLE_CONTROLS];

	if (control->answer == VERDICT_UNKNOWN)
		return;
	for (size_t m = 0; m < SHUFFLED_METHODS; m++) {
		const struct shuffled_h itself = {
			.mean = control->h[m], .sd = NAN, .least = NAN, .most = NAN};

		add_control(table, subject, control, m, "itself", &itself);
		for (int kind = 0; kind < SHUFFLED_KINDS; kind++)
			add_control(table, subject, control, m,
				    shuffled_kind_name((enum shuffled_kind)kind),
				    &control->by_kind[kind][m]);
	}
	table_note(table, "%s: H estimated from scales of %g to %g points", subject->input,
		   control->scale_min, control->scale_max);
}
