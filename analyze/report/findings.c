// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/findings.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/hurst/estimation.h"
#include "stat/intervals/ranks.h"
#include "stat/intervals/verdict.h"
#include "stat/spectra/periods.h"
#include "stat/tests/constancy.h"
#include "stat/tests/heavy_tail.h"
#include "stat/tests/shuffled_control.h"
#include "stat/tests/stationarity.h"
#include "value/escape.h"
#include "value/grow.h"

// ---- estimates of H

static size_t estimator_count(void)
{
	size_t count = 0;

	while (estimators[count])
		count++;
	return count;
}

static enum tr_status findings_keep(struct hurst *out, const struct estimation *estimations,
				    size_t count, struct tr_error *err)
{
	size_t made = 0;

	for (size_t i = 0; i < count; i++)
		made += estimations[i].made;
	out->estimates = calloc(made + 1, sizeof(*out->estimates));
	if (!out->estimates)
		return tr_no_memory(err, "%zu estimates", made);
	for (size_t i = 0; i < count; i++)
		if (estimations[i].made)
			out->estimates[out->count++] = (struct hurst_estimate){
				estimations[i].estimator, estimations[i].estimate};
	return TR_OK;
}

static enum tr_status findings_run(struct hurst *out, const double *series, struct tr_error *err)
{
	const struct estimate_options options = {.level = out->level};
	const size_t count = estimator_count();
	struct estimation *estimations = calloc(count, sizeof(*estimations));
	enum tr_status status;

	if (!estimations)
		return tr_no_memory(err, "estimates");
	for (size_t i = 0; i < count; i++)
		estimations[i].estimator = estimators[i];
	status = estimations_make(series, out->n, NULL, &options, estimations, count, NULL, NULL,
				  err);
	if (status == TR_OK)
		status = findings_keep(out, estimations, count, err);
	free(estimations);
	return status;
}

enum tr_status hurst_make(struct hurst *out, const struct counts *counts, double level,
			  struct tr_error *err)
{
	const double *series = counts_series(counts, &out->n, &out->width_s);

	memset(&out->slope, 0, sizeof(out->slope));
	out->slope.slope = out->slope.lo = out->slope.hi = NAN;
	out->level = level;
	out->count = 0;
	out->estimates = NULL;
	if (counts->scales.started)
		out->slope = variance_slope(&counts->scales, SCALE_COUNT, level);
	if (!series) {
		out->n = 0;
		return TR_OK;
	}
	return findings_run(out, series, err);
}

double hurst_best(const struct estimate *estimate)
{
	return isfinite(estimate->h_corrected) ? estimate->h_corrected : estimate->h;
}

void hurst_close(struct hurst *hurst)
{
	free(hurst->estimates);
}

// ---- the spectrum and its periods

// Means and peaks of groups evenly spaced in the logarithm of the frequency.
static void fill_points(struct periodicity *out, const struct spectrum *spectrum)
{
	size_t edges[PERIODICITY_POINTS];
	const size_t count = estimate_scales(1, (double)spectrum->count, PERIODICITY_POINTS, edges);
	double all = 0;

	for (size_t j = 1; j <= spectrum->count; j++)
		all += spectrum->power[j] / (double)spectrum->count;
	for (size_t i = 0; i < count; i++) {
		const size_t end = i + 1 < count ? edges[i + 1] : spectrum->count + 1;
		struct periodicity_point *point = &out->points[out->count++];

		*point = (struct periodicity_point){
			.period_s = (double)spectrum->n * out->width_s /
				    sqrt((double)edges[i] * (double)(end - 1))};
		for (size_t j = edges[i]; j < end; j++) {
			point->mean += spectrum->power[j] / all / (double)(end - edges[i]);
			point->peak = fmax(point->peak, spectrum->power[j] / all);
		}
	}
}

enum tr_status periodicity_make(struct periodicity *out, const struct counts *counts, double level,
				struct tr_error *err)
{
	const double *series = counts_series(counts, &out->n, &out->width_s);
	struct spectrum spectrum;
	enum tr_status status = TR_OK;
	struct tr_error constant;
	double *work;

	out->count = 0;
	memset(&out->judged, 0, sizeof(out->judged));
	out->judged.answer = VERDICT_UNKNOWN;
	out->judged.h = out->judged.lo = out->judged.hi = NAN;
	if (!series || out->n < SELF_SIMILARITY_POINTS_MIN) {
		out->n = 0;
		return TR_OK;
	}
	work = malloc(spectrum_workspace(out->n) * sizeof(*work));
	if (!work)
		return tr_no_memory(err, "the spectrum of %zu bins", out->n);
	if (spectrum_make(series, out->n, work, &spectrum, &constant) == TR_OK) {
		fill_points(out, &spectrum);
		status = self_similarity_decide(series, &spectrum, NULL, level, &out->judged, err);
	} else {
		out->n = 0;
	}
	free(work);
	return status;
}

void periodicity_say_none(const struct periodicity *own, char *text, size_t bytes)
{
	char words[PERIOD_NONE_BYTES] = "too few frequencies to search for periods";

	if (own->judged.periods.ordinates > 0)
		period_say_none(words, sizeof(words), &own->judged.periods);
	words[0] = (char)toupper((unsigned char)words[0]);
	text_append(text, bytes, "%s.", words);
}

// ---- gaps drawn at random (Vitter, Random sampling with a reservoir, ACM Transactions on
// Mathematical Software 11 (1985) 37-57, algorithm R): each is equally likely to be kept

static void gap_sample_open(struct gap_sample *sample)
{
	tr_random_open(&sample->random, 1, "report/gaps");
	sample->seen = 0;
	sample->gaps = NULL;
	sample->capacity = 0;
}

static enum tr_status gap_sample_add(struct gap_sample *sample, double gap, struct tr_error *err)
{
	uint64_t place = sample->seen;

	if (place < GAP_SAMPLE_MAX && !GROW(sample->gaps, sample->capacity, place))
		return tr_no_memory(err, "a sample of %zu gaps", sample->capacity);
	sample->seen++;

	if (place >= GAP_SAMPLE_MAX)
		place = tr_random_below(&sample->random, sample->seen);
	if (place < GAP_SAMPLE_MAX)
		sample->gaps[place] = gap;
	return TR_OK;
}

static size_t gap_sample_count(const struct gap_sample *sample)
{
	return sample->seen < GAP_SAMPLE_MAX ? (size_t)sample->seen : GAP_SAMPLE_MAX;
}

static void gap_sample_close(struct gap_sample *sample)
{
	free(sample->gaps);
	sample->gaps = NULL;
	sample->capacity = 0;
}

// ---- the questions of flittest(1)

#define TAIL_SHARE 0.1
#define INTERVAL_S 1
#define SEED 1 // the default of flittest(1)

void verdicts_open(struct verdicts *verdicts, uint64_t ticks_per_s)
{
	poisson_open(&verdicts->poisson, ticks_per_s > 0 ? (int64_t)ticks_per_s * INTERVAL_S : 1,
		     SEED);
	gap_sample_open(&verdicts->gaps);
	verdicts->gap_tail = (struct gap_tail){NAN, NAN, {NAN, NAN, NAN, NAN}};
}

enum tr_status verdicts_add(struct verdicts *verdicts, int64_t time_ticks, int64_t gap_ticks,
			    struct tr_error *err)
{
	if (gap_ticks >= 0 && gap_sample_add(&verdicts->gaps, (double)gap_ticks, err) != TR_OK)
		return TR_ERROR;
	return poisson_add(&verdicts->poisson, time_ticks, err);
}

static void findings_add_row(struct verdicts *verdicts, const char *question, const char *on,
			     size_t n, enum verdict answer, double p, const char *sentence)
{
	struct verdict_row *row = &verdicts->rows[verdicts->count++];

	row->question = question;
	row->on = on;
	row->n = n;
	row->answer = answer;
	row->p = p;
	(void)snprintf(row->sentence, sizeof(row->sentence), "%.*s", VERDICT_SENTENCE - 1,
		       sentence);
}

static void ask_poisson(struct verdicts *verdicts)
{
	const struct poisson_verdict verdict = poisson_finish(&verdicts->poisson);
	char words[VERDICT_SENTENCE];

	if (verdict.tested == 0)
		return;
	(void)snprintf(words, sizeof(words),
		       "of %llu interval%s of 1 s, exponential gaps are not rejected in %llu and "
		       "independent gaps in %llu; for Poisson arrivals, in 95 of 100",
		       (unsigned long long)verdict.tested, verdict.tested == 1 ? "" : "s",
		       (unsigned long long)verdict.exponential,
		       (unsigned long long)verdict.independent);
	findings_add_row(verdicts, "Poisson arrivals", "gaps, in intervals of 1 s",
			 (size_t)verdict.gaps, poisson_answer(&verdict), verdict.p, words);
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
		heavy_tail_decide(tail, verdicts->gaps.gaps, n, TAIL_SHARE, level, work);
		findings_add_row(verdicts, "heavy-tailed gaps", "gaps, the longest tenth", n,
				 tail->answer, tail->p, tail->sentence);
		verdicts->gap_tail = (struct gap_tail){(double)tail->tail.k / (double)n,
						       tail->threshold, tail->hill};
	}
	free(tail);
	free(work);
	return work && tail ? TR_OK : tr_no_memory(err, "the tail of %zu gaps", n);
}

// A test that cannot answer for these counts keeps its row, with the reason.
static enum tr_status add_unknown(struct verdicts *verdicts, const char *question, const char *on,
				  size_t n, const struct tr_error *why, struct tr_error *err)
{
	if (why->breakdown) {
		*err = *why;
		return TR_ERROR;
	}
	findings_add_row(verdicts, question, on, n, VERDICT_UNKNOWN, NAN, why->text);
	return TR_OK;
}

static enum tr_status ask_stationarity(struct verdicts *verdicts, const double *x, size_t n,
				       double *work, struct tr_error *err)
{
	static const char question[] = "stationary counts", on[] = "counts per bin";
	struct stationarity *result = malloc(sizeof(*result));
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!result)
		return tr_no_memory(err, "a test of %zu bins", n);
	if (stationarity_test(x, n, 0, work, result, &why) == TR_OK)
		findings_add_row(verdicts, question, on, n, result->answer, result->p,
				 result->sentence);
	else
		status = add_unknown(verdicts, question, on, n, &why, err);
	free(result);
	return status;
}

static enum tr_status ask_constancy(struct verdicts *verdicts, const double *x, size_t n,
				    double *work, struct tr_error *err)
{
	static const char question[] = "constant H", on[] = "counts per bin";
	struct constancy result;
	struct method_result said;
	struct tr_error why;

	if (constancy_test(x, n, 0, work, &result, &why) != TR_OK)
		return add_unknown(verdicts, question, on, n, &why, err);
	said = constancy_decide(&result, n, NULL);
	findings_add_row(verdicts, question, on, n, said.verdict, said.p, said.sentence);
	return TR_OK;
}

// Because of its 156 shuffles, uses only the beginning of long series.
static enum tr_status ask_shuffled(struct verdicts *verdicts, const double *x, size_t all,
				   double *work, struct tr_error *err)
{
	static const char question[] = "dependence between blocks",
			  on[] = "counts per bin, shuffled";
	const struct shuffled_options options = {.seed = SEED};
	const size_t n = all < VERDICT_SHUFFLED_MAX ? all : VERDICT_SHUFFLED_MAX;
	struct shuffled_control *result = malloc(sizeof(*result));
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!result)
		return tr_no_memory(err, "a test of %zu bins", n);
	if (shuffled_control_test(x, n, &options, work, result, &why) == TR_OK)
		findings_add_row(verdicts, question, on, n, result->answer, result->across.p,
				 result->sentence);
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
	if (shuffled_control_workspace(shuffled_n) > most)
		most = shuffled_control_workspace(shuffled_n);
	return most + 1;
}

// One joint level for all rows.
static void findings_join(struct verdicts *verdicts)
{
	double p[VERDICTS] = {0}, joint[VERDICTS];

	for (size_t i = 0; i < verdicts->count; i++)
		p[i] = verdicts->rows[i].p;
	holm_adjust(p, verdicts->count, joint);
	for (size_t i = 0; i < verdicts->count; i++)
		verdicts->rows[i].answer = holm_verdict(verdicts->rows[i].answer, p[i], joint[i],
							verdicts->rows[i].sentence);
}

static enum tr_status ask_of_counts(struct verdicts *verdicts, const double *x, size_t n,
				    struct tr_error *err)
{
	double *work = malloc(workspace(n) * sizeof(*work));
	enum tr_status status;

	if (!work)
		return tr_no_memory(err, "tests of %zu bins", n);
	status = ask_stationarity(verdicts, x, n, work, err);
	if (status == TR_OK)
		status = ask_constancy(verdicts, x, n, work, err);
	if (status == TR_OK)
		status = ask_shuffled(verdicts, x, n, work, err);
	free(work);
	return status;
}

enum tr_status verdicts_finish(struct verdicts *verdicts, const struct counts *counts,
			       const struct periodicity *spectral, double level,
			       struct tr_error *err)
{
	double width_s;
	size_t n;
	const double *x = counts_series(counts, &n, &width_s);

	ask_poisson(verdicts);
	if (ask_tail(verdicts, level, err) != TR_OK)
		return TR_ERROR;
	if (x && n >= STATIONARITY_POINTS_MIN && ask_of_counts(verdicts, x, n, err) != TR_OK)
		return TR_ERROR;
	if (spectral->n > 0)
		findings_add_row(verdicts, "self-similar", "counts per bin", spectral->n,
				 spectral->judged.answer, NAN, spectral->judged.sentence);
	findings_join(verdicts);
	return TR_OK;
}

void verdicts_close(struct verdicts *verdicts)
{
	poisson_close(&verdicts->poisson);
	gap_sample_close(&verdicts->gaps);
}
