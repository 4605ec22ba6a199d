// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/verdicts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/constancy.h"
#include "stat/heavy_tail.h"
#include "stat/holm.h"
#include "stat/long_memory.h"
#include "stat/rising.h"
#include "stat/shuffled_control.h"
#include "stat/stationarity.h"

#define TAIL_SHARE 0.1
#define INTERVAL_S 1
#define SEED 1 // as flittest(1) has it

void verdicts_open(struct verdicts *verdicts, uint64_t ticks_per_s)
{
	poisson_open(&verdicts->poisson, ticks_per_s > 0 ? (int64_t)ticks_per_s * INTERVAL_S : 1, SEED);
	gap_sample_open(&verdicts->gaps);
	verdicts->gap_tail = (struct gap_tail){NAN, NAN, {NAN, NAN, NAN, NAN}};
}

enum tr_status verdicts_add(struct verdicts *verdicts, int64_t time_ticks, int64_t gap_ticks, struct tr_error *err)
{
	if (gap_ticks >= 0 && gap_sample_add(&verdicts->gaps, (double)gap_ticks, err) != TR_OK)
		return TR_ERROR;
	return poisson_add(&verdicts->poisson, time_ticks, err);
}

static void add_row(struct verdicts *verdicts, const char *question, const char *on, size_t n, enum verdict answer, double p,
		    const char *sentence)
{
	struct verdict_row *row = &verdicts->rows[verdicts->count++];

	row->question = question;
	row->on = on;
	row->n = n;
	row->answer = answer;
	row->p = p;
	(void)snprintf(row->sentence, sizeof(row->sentence), "%.*s", VERDICT_SENTENCE - 1, sentence);
}

static void ask_poisson(struct verdicts *verdicts)
{
	const struct poisson_verdict verdict = poisson_finish(&verdicts->poisson);
	char words[VERDICT_SENTENCE];

	if (verdict.tested == 0)
		return;
	(void)snprintf(words, sizeof(words),
		       "of %llu intervals of 1 s the gaps look exponential in %llu and independent in "
		       "%llu; those of Poisson arrivals do in 95 of 100",
		       (unsigned long long)verdict.tested, (unsigned long long)verdict.exponential,
		       (unsigned long long)verdict.independent);
	add_row(verdicts, "Are the arrivals Poisson?", "gaps, in intervals of 1 s", (size_t)verdict.gaps,
		poisson_answer(&verdict), verdict.p, words);
}

static enum tr_status ask_tail(struct verdicts *verdicts, double level, struct tr_error *err)
{
	const size_t n = gap_sample_count(&verdicts->gaps);
	double *work;
	struct heavy_tail *tail;

	if (n < 2)
		return TR_OK;
	work = malloc((heavy_tail_workspace(n) + 1) * sizeof(*work));
	tail = malloc(sizeof(*tail));
	if (work && tail) {
		rising_sort(verdicts->gaps.gaps, n);
		heavy_tail_judge(tail, verdicts->gaps.gaps, n, TAIL_SHARE, level, work);
		add_row(verdicts, "Have the gaps a heavy tail?", "gaps, the longest tenth", n, tail->answer, tail->p,
			tail->sentence);
		verdicts->gap_tail = (struct gap_tail){(double)tail->tail.k / (double)n, tail->threshold, tail->hill};
	}
	free(tail);
	free(work);
	return work && tail ? TR_OK : tr_no_memory(err, "the tail of %zu gaps", n);
}

// A test that cannot answer on these counts keeps its row and says why.
static enum tr_status add_unknown(struct verdicts *verdicts, const char *question, const char *on, size_t n,
				  const struct tr_error *why, struct tr_error *err)
{
	if (why->breakdown) {
		*err = *why;
		return TR_ERROR;
	}
	add_row(verdicts, question, on, n, VERDICT_UNKNOWN, NAN, why->text);
	return TR_OK;
}

static enum tr_status ask_stationarity(struct verdicts *verdicts, const double *x, size_t n, double *work, struct tr_error *err)
{
	static const char question[] = "Are the counts stationary?", on[] = "counts per bin";
	struct stationarity *result = malloc(sizeof(*result));
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!result)
		return tr_no_memory(err, "a test of %zu bins", n);
	if (stationarity_test(x, n, 0, work, result, &why) == TR_OK)
		add_row(verdicts, question, on, n, result->answer, result->p, result->sentence);
	else
		status = add_unknown(verdicts, question, on, n, &why, err);
	free(result);
	return status;
}

static enum tr_status ask_constancy(struct verdicts *verdicts, const double *x, size_t n, double *work, struct tr_error *err)
{
	static const char question[] = "Is H the same all over?", on[] = "counts per bin";
	struct constancy result;
	struct method_result said;
	struct tr_error why;

	if (constancy_test(x, n, 0, work, &result, &why) != TR_OK)
		return add_unknown(verdicts, question, on, n, &why, err);
	said = constancy_judge(&result, n, NULL);
	add_row(verdicts, question, on, n, said.verdict, said.p, said.sentence);
	return TR_OK;
}

static enum tr_status ask_memory(struct verdicts *verdicts, const double *x, size_t n, double *work, struct tr_error *err)
{
	struct long_memory result;

	if (long_memory_judge(x, n, 0, work, &result, err) != TR_OK)
		return TR_ERROR;
	add_row(verdicts, "Is the memory long?", "counts per bin", n, result.answer, result.p, result.sentence);
	return TR_OK;
}

// There are 156 shuffles: of long series the beginning is taken.
static enum tr_status ask_shuffled(struct verdicts *verdicts, const double *x, size_t all, double *work, struct tr_error *err)
{
	static const char question[] = "Does dependence reach beyond blocks?", on[] = "counts per bin, shuffled";
	const struct shuffled_options options = {.seed = SEED};
	const size_t n = all < VERDICT_SHUFFLED_MAX ? all : VERDICT_SHUFFLED_MAX;
	struct shuffled_control *result = malloc(sizeof(*result));
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!result)
		return tr_no_memory(err, "a test of %zu bins", n);
	if (shuffled_control_test(x, n, &options, work, result, &why) == TR_OK)
		add_row(verdicts, question, on, n, result->answer, result->across.p, result->sentence);
	else
		status = add_unknown(verdicts, question, on, n, &why, err);
	free(result);
	return status;
}

static size_t workspace(size_t n)
{
	const size_t shuffled_n = n < VERDICT_SHUFFLED_MAX ? n : VERDICT_SHUFFLED_MAX;
	size_t most = stationarity_workspace(n);

	if (constancy_workspace(n) > most)
		most = constancy_workspace(n);
	if (long_memory_workspace(n) > most)
		most = long_memory_workspace(n);
	if (shuffled_control_workspace(shuffled_n) > most)
		most = shuffled_control_workspace(shuffled_n);
	return most + 1;
}

// One joint level for all rows.
static void join(struct verdicts *verdicts)
{
	double p[VERDICTS] = {0}, joint[VERDICTS];

	for (size_t i = 0; i < verdicts->count; i++)
		p[i] = verdicts->rows[i].p;
	holm_adjust(p, verdicts->count, joint);
	for (size_t i = 0; i < verdicts->count; i++)
		verdicts->rows[i].answer = holm_verdict(verdicts->rows[i].answer, p[i], joint[i], verdicts->rows[i].sentence);
}

static enum tr_status ask_of_counts(struct verdicts *verdicts, const double *x, size_t n, struct tr_error *err)
{
	double *work = malloc(workspace(n) * sizeof(*work));
	enum tr_status status;

	if (!work)
		return tr_no_memory(err, "tests of %zu bins", n);
	status = ask_stationarity(verdicts, x, n, work, err);
	if (status == TR_OK)
		status = ask_constancy(verdicts, x, n, work, err);
	if (status == TR_OK)
		status = ask_memory(verdicts, x, n, work, err);
	if (status == TR_OK)
		status = ask_shuffled(verdicts, x, n, work, err);
	free(work);
	return status;
}

enum tr_status verdicts_finish(struct verdicts *verdicts, const struct counts *counts, double level, struct tr_error *err)
{
	double width_s;
	size_t n;
	const double *x = counts_series(counts, &n, &width_s);

	ask_poisson(verdicts);
	if (ask_tail(verdicts, level, err) != TR_OK)
		return TR_ERROR;
	if (x && n >= STATIONARITY_POINTS_MIN && ask_of_counts(verdicts, x, n, err) != TR_OK)
		return TR_ERROR;
	join(verdicts);
	return TR_OK;
}

void verdicts_close(struct verdicts *verdicts)
{
	poisson_close(&verdicts->poisson);
	gap_sample_close(&verdicts->gaps);
}
