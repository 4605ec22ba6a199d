// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of flittest: a row each in the table at the end.
#include "flittest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "series/series_periods.h"
#include "stat/intervals/ranks.h"
#include "stat/spectra/periods.h"
#include "stat/tests/constancy.h"
#include "stat/tests/heavy_tail.h"
#include "stat/tests/long_memory.h"
#include "stat/tests/stationarity.h"

// ---- periods: whether a series repeats, and whether arrivals do

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

static void report_two(struct test_report *report, const struct test_subject *subject,
		       const struct periods *periods)
{
	struct method_result g = method_result_make("fisher g", periods->n),
			     combs = method_result_make("combs", periods->n);

	g.statistic = periods->g.g;
	g.p = periods->g.p;
	g.verdict = verdict_of(g.p);
	method_result_say(&g, "%zu lines stand out of the spectrum", periods->g.lines);
	combs.p = periods->search_p;
	combs.verdict = verdict_of(combs.p);
	method_result_say(&combs,
			  "the best of all combs of 1 to 8 lines, sharp or broadened by jitter");
	test_report_method(report, subject, &g, "");
	test_report_method(report, subject, &combs, "");
}

// point_s: seconds from one point to the next; 0 if unknown.
static void answer_periods(struct test_report *report, const struct test_subject *subject,
			   const struct periods *periods, double point_s)
{
	const double p = fmin(1, 2 * fmin(periods->g.p, periods->search_p));
	char words[SERIES_PERIOD_WORDS];

	if (!(periods->search_p > 0)) {
		test_report_answer(report, subject, VERDICT_UNKNOWN, NAN,
				   "the series is constant or shorter than 256 points");
		return;
	}
	report_two(report, subject, periods);
	if (periods->count > 0) {
		series_periods_say(words, point_s, periods);
		test_report_answer(report, subject, VERDICT_YES, p, words);
	} else {
		period_say_none(words, sizeof(words), periods);
		test_report_answer(report, subject, VERDICT_NO, p, words);
	}
	series_periods_rows(report->tables[TEST_TABLE_PERIODS], point_s, periods, begin_row,
			    subject);
}

static enum tr_status run_arrivals(const struct series *times, double level, const char *name,
				   struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, "arrivals", "periods"};
	double *work = malloc(arrival_periods_workspace(times->n) * sizeof(*work));
	struct periods periods;
	double bin_s;

	if (!work)
		return tr_no_memory(err, "a search for periods in %zu arrivals", times->n);
	arrival_periods_find(times->x, times->n, level, work, &periods, &bin_s);
	answer_periods(report, &subject, &periods, bin_s);
	free(work);
	return TR_OK;
}

static enum tr_status test_periods_run(const struct test_input *input,
				       const struct test_settings *settings, const char *name,
				       struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "periods"};

	answer_periods(report, &subject, &input->periods, series_point_s(&input->counts.series));
	if (input->arrivals.n < PERIODS_POINTS_MIN)
		return TR_OK;
	return run_arrivals(&input->arrivals, settings->level, name, report, err);
}

// Workspace of a test; NULL if out of memory.
static double *room_for(size_t doubles, struct tr_error *err)
{
	double *room = malloc((doubles + 1) * sizeof(*room));

	if (!room)
		(void)tr_no_memory(err, "a test of %zu numbers", doubles);
	return room;
}

static void report_methods(struct test_report *report, const struct test_subject *subject,
			   const struct method_result *methods, size_t count, const char *answer)
{
	for (size_t i = 0; i < count; i++)
		test_report_method(report, subject, &methods[i], answer);
}

// ---- Poisson

static enum tr_status run_poisson(const struct test_input *input,
				  const struct test_settings *settings, const char *name,
				  struct test_report *report, struct tr_error *err)
{
	struct poisson poisson = input->poisson;
	const struct poisson_verdict verdict = poisson_finish(&poisson);
	const struct test_subject subject = {name, "arrivals", "poisson"};
	struct method_result methods[POISSON_METHODS];
	const struct method_result *least = &methods[0];

	(void)settings;
	(void)err;
	poisson_decide(&verdict, methods);
	report_methods(report, &subject, methods, POISSON_METHODS, "");
	for (size_t i = 1; i < POISSON_METHODS; i++)
		if (methods[i].p < least->p)
			least = &methods[i];
	test_report_answer(
		report, &subject, poisson_answer(&verdict), verdict.p,
		poisson_answer(&verdict) == VERDICT_YES
			? "not rejected at 5 %: the gaps look exponential and independent"
			: least->sentence);
	test_details_poisson(report, name, &poisson, &verdict, input->ticks_per_s);
	return TR_OK;
}

// ---- tails

static enum tr_status run_tail(const struct test_values *values,
			       const struct test_settings *settings, const char *name,
			       struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(values->of), "tails"};
	const size_t n = values->series.n;
	double *room = room_for(n + heavy_tail_workspace(n), err);
	struct heavy_tail tail;

	if (!room)
		return TR_ERROR;
	if (n > 0)
		memcpy(room, values->series.x, n * sizeof(*room));
	rising_sort(room, n);
	heavy_tail_decide(&tail, room, n, settings->share, settings->level, room + n);
	report_methods(report, &subject, tail.methods, HEAVY_TAIL_METHODS, tail.sentence);
	test_report_answer(report, &subject, tail.answer, tail.p, tail.sentence);
	test_details_tail(report, &subject, &tail, settings->level);
	free(room);
	return TR_OK;
}

// On the values gathered for it, else on the series.
static enum tr_status run_tails(const struct test_input *input,
				const struct test_settings *settings, const char *name,
				struct test_report *report, struct tr_error *err)
{
	if (input->tail_count == 0)
		return run_tail(&input->counts, settings, name, report, err);
	for (size_t i = 0; i < input->tail_count; i++)
		if (run_tail(&input->tails[i], settings, name, report, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// ---- series

// A test that is impossible for this series: unknown, with the reason.
static enum tr_status report_nothing(struct test_report *report, const struct test_subject *subject,
				     const struct tr_error *why, struct tr_error *err)
{
	if (why->breakdown) {
		*err = *why;
		return TR_ERROR;
	}
	test_report_answer(report, subject, VERDICT_UNKNOWN, NAN, why->text);
	return TR_OK;
}

static enum tr_status run_stationarity(const struct test_input *input,
				       const struct test_settings *settings, const char *name,
				       struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "stationarity"};
	const size_t n = input->counts.series.n;
	double *room = room_for(stationarity_workspace(n), err);
	struct stationarity result;
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!room)
		return TR_ERROR;
	if (stationarity_test(input->counts.series.x, n, settings->lags, room, &result, &why) ==
	    TR_OK) {
		report_methods(report, &subject, result.methods, STATIONARITY_METHODS,
			       result.sentence);
		test_report_answer(report, &subject, result.answer, result.p, result.sentence);
		if (result.methods[STATIONARITY_SHIFTS].verdict == VERDICT_NO)
			test_details_shifts(report, &subject, &result.shifts);
	} else {
		status = report_nothing(report, &subject, &why, err);
	}
	free(room);
	return status;
}

static enum tr_status run_constancy(const struct test_input *input,
				    const struct test_settings *settings, const char *name,
				    struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "constancy"};
	const size_t n = input->counts.series.n;
	double *room = room_for(constancy_workspace(n), err);
	struct constancy constancy;
	struct method_result result;
	struct tr_error why;
	bool done;

	if (!room)
		return TR_ERROR;
	done = constancy_test(input->counts.series.x, n, settings->blocks, room, &constancy,
			      &why) == TR_OK;
	if (!done && why.breakdown) {
		free(room);
		*err = why;
		return TR_ERROR;
	}
	result = constancy_decide(&constancy, n, done ? NULL : why.text);
	report_methods(report, &subject, &result, 1, "");
	test_report_answer(report, &subject, result.verdict, result.p, result.sentence);
	if (done)
		test_details_constancy(report, &subject, &constancy);
	free(room);
	return TR_OK;
}

static enum tr_status run_memory(const struct test_input *input,
				 const struct test_settings *settings, const char *name,
				 struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "memory"};
	const size_t n = input->counts.series.n;
	double *room = room_for(long_memory_workspace(n), err);
	struct long_memory result;

	if (!room)
		return TR_ERROR;
	if (long_memory_decide(input->counts.series.x, n, settings->lags, room, &result, err) !=
	    TR_OK) {
		free(room);
		return TR_ERROR;
	}
	report_methods(report, &subject, result.methods, LONG_MEMORY_METHODS, result.sentence);
	test_report_answer(report, &subject, result.answer, result.p, result.sentence);
	test_details_memory(report, &subject, input->counts.series.x, n);
	free(room);
	return TR_OK;
}

static enum tr_status run_shuffle(const struct test_input *input,
				  const struct test_settings *settings, const char *name,
				  struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "shuffle"};
	const size_t n = input->counts.series.n;
	double *room = room_for(shuffled_control_workspace(n), err);
	struct shuffled_control result;
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!room)
		return TR_ERROR;
	if (shuffled_control_test(input->counts.series.x, n, &settings->shuffled, room, &result,
				  &why) == TR_OK) {
		test_report_method(report, &subject, &result.inside, result.sentence);
		test_report_method(report, &subject, &result.across, result.sentence);
		test_report_answer(report, &subject, result.answer, result.across.p,
				   result.sentence);
		test_details_shuffled(report, &subject, &result);
	} else {
		status = report_nothing(report, &subject, &why, err);
	}
	free(room);
	return status;
}

static enum tr_status run_self_similar(const struct test_input *input,
				       const struct test_settings *settings, const char *name,
				       struct test_report *report, struct tr_error *err)
{
	const struct test_subject subject = {name, test_of_name(input->counts.of), "self-similar"};
	const struct series *series = &input->counts.series;
	struct table *numbers = report->tables[TEST_TABLE_VERDICT];
	struct self_similarity result;
	char sentence[VERDICT_SENTENCE];

	(void)settings;
	if (series_verdict(series, input->spectrum, &input->periods, 0.95, &result, err) != TR_OK)
		return TR_ERROR;
	if (result.answer == VERDICT_YES)
		(void)snprintf(sentence, sizeof(sentence), "H %.2f (%.2f to %.2f): %.340s",
			       result.h, result.lo, result.hi, result.sentence);
	else
		(void)snprintf(sentence, sizeof(sentence), "%.*s", VERDICT_SENTENCE - 1,
			       result.sentence);
	test_report_answer(report, &subject, result.answer, NAN, sentence);
	if (isnan(result.power)) // the series was not judged
		return TR_OK;
	table_text(numbers, name);
	table_text(numbers, subject.of);
	series_verdict_cells(numbers, &result);
	return TR_OK;
}

const struct test_kind test_kinds[] = {
	{"self-similar", "whether the series is self-similar", false, true, false, false,
	 run_self_similar},
	{"poisson", "whether packets arrive as a Poisson process", true, false, false, false,
	 run_poisson},
	{"tails", "whether the largest values have a heavy tail", false, false, true, false,
	 run_tails},
	{"stationarity", "whether mean and variance stay the same", false, true, false, false,
	 run_stationarity},
	{"constancy", "whether blocks have the same mean", false, true, false, false,
	 run_constancy},
	{"memory", "how long values depend on earlier ones", false, true, false, false, run_memory},
	{"shuffle", "whether the order of the values matters", false, true, false, false,
	 run_shuffle},
	{"periods", "which periods the series has", false, true, false, true, test_periods_run},
	{NULL, NULL, false, false, false, false, NULL},
};
