// SPDX-License-Identifier: GPL-3.0-or-later
// Paxson and Floyd, Wide-area traffic: the failure of Poisson modeling, IEEE/ACM Transactions on
// Networking 3 (1995) 226-244, appendix A.
#include "stat/poisson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/anderson_darling.h"
#include "stat/binomial.h"
#include "stat/rising.h"

#define LEVEL 0.05
#define VERDICTS 3 // that together refuse 5 of 100 Poisson traces at most
#define TWO_SIDED_5 1.959963984540054

void poisson_open(struct poisson *poisson, int64_t width_ticks)
{
	*poisson = (struct poisson){.width_ticks = width_ticks};
}

// Sample autocorrelation at lag 1; NaN where all are equal.
static double lag1_of(const double *gaps, size_t n, double mean)
{
	double squares = 0, products = 0;

	for (size_t i = 0; i < n; i++) {
		squares += (gaps[i] - mean) * (gaps[i] - mean);
		if (i > 0)
			products += (gaps[i - 1] - mean) * (gaps[i] - mean);
	}
	return squares > 0 ? products / squares : NAN;
}

// Tests the open interval and closes it.
static void test_interval(struct poisson *poisson)
{
	struct poisson_interval *interval = &poisson->intervals[poisson->count - 1];
	const size_t n = poisson->gap_count;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += poisson->gaps[i];
		interval->zeros += poisson->gaps[i] <= 0;
	}
	interval->gaps = n;
	interval->mean_ticks = n > 0 ? sum / (double)n : NAN;
	if (n >= POISSON_GAPS_MIN) {
		memcpy(poisson->sorted, poisson->gaps, n * sizeof *poisson->gaps);
		rising_sort(poisson->sorted, n);
		interval->statistic = anderson_darling_exponential(poisson->sorted, n);
		interval->lag1 = lag1_of(poisson->gaps, n, interval->mean_ticks);
		interval->exponential = interval->statistic < ANDERSON_DARLING_EXPONENTIAL_5;
		interval->independent = fabs(interval->lag1) < TWO_SIDED_5 / sqrt((double)n);
	}
	poisson->gap_count = 0;
	poisson->open = false;
}

static enum tr_status grow(void **items, size_t *capacity, size_t size_bytes, struct tr_error *err)
{
	const size_t wanted = *capacity ? 2 * *capacity : 256;
	void *grown = reallocarray(*items, wanted, size_bytes);

	if (!grown)
		return tr_no_memory(err, "the intervals of the Poisson test");
	*items = grown;
	*capacity = wanted;
	return TR_OK;
}

static enum tr_status open_interval(struct poisson *poisson, int64_t time_ticks, struct tr_error *err)
{
	uint64_t passed;

	if (poisson->count == 0)
		poisson->anchor_ticks = time_ticks;
	if (poisson->count == poisson->capacity &&
	    grow((void **)&poisson->intervals, &poisson->capacity, sizeof *poisson->intervals, err) != TR_OK)
		return TR_ERROR;
	passed = ((uint64_t)time_ticks - (uint64_t)poisson->anchor_ticks) / (uint64_t)poisson->width_ticks;
	poisson->intervals[poisson->count++] = (struct poisson_interval){
		.start_ticks = poisson->anchor_ticks + (int64_t)passed * poisson->width_ticks,
		.mean_ticks = NAN, .statistic = NAN, .lag1 = NAN};
	poisson->open = true;
	return TR_OK;
}

static enum tr_status add_gap(struct poisson *poisson, double gap, struct tr_error *err)
{
	size_t room = poisson->gap_capacity;

	if (poisson->gap_count == poisson->gap_capacity &&
	    (grow((void **)&poisson->gaps, &poisson->gap_capacity, sizeof *poisson->gaps, err) != TR_OK ||
	     grow((void **)&poisson->sorted, &room, sizeof *poisson->sorted, err) != TR_OK))
		return TR_ERROR;
	poisson->gaps[poisson->gap_count++] = gap;
	return TR_OK;
}

enum tr_status poisson_add(struct poisson *poisson, int64_t time_ticks, struct tr_error *err)
{
	bool same = poisson->open &&
		    (uint64_t)time_ticks - (uint64_t)poisson->intervals[poisson->count - 1].start_ticks <
			    (uint64_t)poisson->width_ticks;

	if (same && add_gap(poisson, (double)(time_ticks - poisson->last_ticks), err) != TR_OK)
		return TR_ERROR;
	if (!same && poisson->open)
		test_interval(poisson);
	if (!same && open_interval(poisson, time_ticks, err) != TR_OK)
		return TR_ERROR;
	poisson->last_ticks = time_ticks;
	return TR_OK;
}

static void count_interval(struct poisson_verdict *verdict, const struct poisson_interval *interval)
{
	verdict->intervals++;
	if (interval->gaps < POISSON_GAPS_MIN)
		return;
	verdict->tested++;
	verdict->exponential += interval->exponential;
	verdict->independent += interval->independent;
	verdict->positive += interval->lag1 > 0;
	verdict->gaps += interval->gaps;
	verdict->zeros += interval->zeros;
}

struct poisson_verdict poisson_finish(struct poisson *poisson)
{
	struct poisson_verdict verdict = {.p_exponential = NAN, .p_independent = NAN, .p_sign = NAN};
	uint64_t uneven;

	if (poisson->open)
		test_interval(poisson);
	for (size_t i = 0; i < poisson->count; i++)
		count_interval(&verdict, &poisson->intervals[i]);
	if (verdict.tested == 0)
		return verdict;
	uneven = verdict.positive > verdict.tested / 2 ? verdict.tested - verdict.positive : verdict.positive;
	verdict.p_exponential = binomial_cdf(verdict.exponential, verdict.tested, 1 - LEVEL);
	verdict.p_independent = binomial_cdf(verdict.independent, verdict.tested, 1 - LEVEL);
	verdict.p_sign = fmin(1, 2 * binomial_cdf(uneven, verdict.tested, 0.5));
	verdict.poisson = fmin(fmin(verdict.p_exponential, verdict.p_independent), verdict.p_sign) >=
			  LEVEL / VERDICTS;
	return verdict;
}

// One interval that fails is what chance does in one of twenty: too little to refuse, and nothing to accept.
static bool fails_unrefused(uint64_t passed, uint64_t tested)
{
	return 2 * passed < tested;
}

static struct method_result share_result(const char *method, const struct poisson_verdict *verdict, uint64_t passed,
					 double p)
{
	struct method_result result = method_result_make(method, verdict->tested);

	if (verdict->tested == 0) {
		method_result_say(&result, "no interval has %d gaps", POISSON_GAPS_MIN);
		return result;
	}
	result.statistic = (double)passed / (double)verdict->tested;
	result.threshold = 1 - LEVEL;
	result.p = p;
	result.verdict = verdict_by_p(p, LEVEL / VERDICTS);
	return result;
}

void poisson_judge(const struct poisson_verdict *verdict, struct method_result methods[POISSON_METHODS])
{
	methods[0] = share_result("exponential", verdict, verdict->exponential, verdict->p_exponential);
	methods[1] = share_result("independent", verdict, verdict->independent, verdict->p_independent);
	methods[2] = share_result("sign", verdict, verdict->positive, verdict->p_sign);
	if (verdict->tested == 0)
		return;
	for (size_t i = 0; i < 2; i++)
		if (methods[i].verdict == VERDICT_YES &&
		    fails_unrefused(i == 0 ? verdict->exponential : verdict->independent, verdict->tested))
			methods[i].verdict = VERDICT_UNKNOWN;
	methods[2].threshold = 0.5;
	method_result_say(&methods[0], "in %llu of %llu intervals the gaps pass for exponential",
			  (unsigned long long)verdict->exponential, (unsigned long long)verdict->tested);
	method_result_say(&methods[1], "in %llu of %llu intervals a gap tells nothing of the next",
			  (unsigned long long)verdict->independent, (unsigned long long)verdict->tested);
	method_result_say(&methods[2], "in %llu of %llu intervals neighbouring gaps correlate positively",
			  (unsigned long long)verdict->positive, (unsigned long long)verdict->tested);
}

enum verdict poisson_answer(const struct poisson_verdict *verdict)
{
	if (verdict->tested == 0)
		return VERDICT_UNKNOWN;
	if (!verdict->poisson)
		return VERDICT_NO;
	return fails_unrefused(verdict->exponential, verdict->tested) ||
	       fails_unrefused(verdict->independent, verdict->tested) ? VERDICT_UNKNOWN : VERDICT_YES;
}

void poisson_close(struct poisson *poisson)
{
	free(poisson->intervals);
	free(poisson->gaps);
	free(poisson->sorted);
	*poisson = (struct poisson){0};
}
