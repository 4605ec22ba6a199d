// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/poisson_test.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/beta_gamma.h"
#include "stat/intervals/ranks.h"
#include "value/grow.h"

// ---- Anderson and Darling
// Stephens, EDF statistics for goodness of fit and some comparisons, Journal of the American
// Statistical Association 69 (1974) 730-737, case 4; probabilities by the formula of D'Agostino and
// Stephens, Goodness-of-Fit Techniques (1986): 1.321 at 5 %. (SciPy's 1.341 is exceeded by 4.7 % of
// exponential samples.)

#define A_MOST 10.0 // the vertex of the last piece's parabola: p is 1e-6 or less

double anderson_darling_exponential(const double *rising, size_t n)
{
	const double count = (double)n;
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += rising[i] / count;
	if (!(mean > 0))
		return NAN;
	// ln(1 - F) is -x / mean: computed from F it would be infinite for large x.
	for (size_t i = 0; i < n; i++)
		sum += (2 * (double)i + 1) *
		       (log(-expm1(-rising[i] / mean)) - rising[n - 1 - i] / mean);
	return (-count - sum / count) * (1 + 0.6 / count);
}

double anderson_darling_exponential_p(double a)
{
	if (isnan(a))
		return NAN;
	if (a < 0.26)
		return 1 - exp(-12.2204 + 67.459 * a - 110.3 * a * a);
	if (a < 0.51)
		return 1 - exp(-6.1327 + 20.218 * a - 18.663 * a * a);
	if (a < 0.95)
		return exp(0.9209 - 3.353 * a + 0.3 * a * a);
	a = fmin(a, A_MOST);
	return exp(0.731 - 3.009 * a + 0.15 * a * a);
}

// ---- intervals of time
// Paxson and Floyd, Wide-area traffic: the failure of Poisson modeling, IEEE/ACM Transactions on
// Networking 3 (1995) 226-244, appendix A. Two differences. Stamps are intervals, one clock tick
// long: arrivals are placed in them at random, as gaps of 0 would otherwise reject every trace of a
// microsecond clock. And independence is that of exp(-gap / mean), uniform where the gaps are
// exponential, instead of the gaps: their lag-1 correlation is skewed, and biased by -1 / n (Moran,
// Biometrika 35 (1948) 255-260), so that it is above 0 in 45 of 100 intervals and not in half of
// them.

#define VERDICTS 3 // that together reject at most 5 of 100 Poisson traces

void poisson_open(struct poisson *poisson, int64_t width_ticks, uint64_t seed)
{
	*poisson = (struct poisson){.width_ticks = width_ticks};
	tr_random_open(&poisson->random, seed, "poisson/tick");
}

// ---- one interval
// Moves the arrivals within their clock ticks, and orders those of one tick.
static void poisson_test_spread(struct poisson *poisson)
{
	double *offsets = poisson->offsets;
	const double clock = (double)poisson->clock_ticks;

	for (size_t i = 0; i < poisson->arrival_count; i++) {
		const double moved = offsets[i] + clock * tr_random_unit(&poisson->random);
		size_t at = i;

		for (; at > 0 && offsets[at - 1] > moved; at--)
			offsets[at] = offsets[at - 1];
		offsets[at] = moved;
	}
}

// The autocorrelation of u[n] at lag 1, without its bias, and its two-sided probability: the mean
// and the variance are those over all orders of the values, whatever their law.
static void poisson_test_correlate(const double *u, size_t n, struct poisson_interval *interval)
{
	const double count = (double)n, pairs = count * (count - 1);
	double mean = 0, squares = 0, fourths = 0, products = 0, last = 0, variance;

	for (size_t i = 0; i < n; i++)
		mean += u[i] / count;
	for (size_t i = 0; i < n; i++) {
		const double off = u[i] - mean;

		squares += off * off;
		fourths += off * off * off * off;
		products += off * last;
		last = off;
	}
	variance = (squares * squares - fourths) / count +
		   (squares * squares - 2 * fourths) / pairs - squares * squares / (count * count);
	if (!(variance > 0))
		return;
	interval->lag1 = (products + squares / count) / squares;
	interval->p_independent = 2 * gsl_cdf_ugaussian_P(-fabs(interval->lag1) * squares /
							  sqrt(variance));
}

static void test_gaps(struct poisson *poisson, struct poisson_interval *interval)
{
	const size_t n = poisson->arrival_count - 1;
	double mean;

	poisson_test_spread(poisson);
	for (size_t i = 0; i < n; i++)
		poisson->gaps[i] = poisson->offsets[i + 1] - poisson->offsets[i];
	mean = (poisson->offsets[n] - poisson->offsets[0]) / (double)n;
	memcpy(poisson->sorted, poisson->gaps, n * sizeof(*poisson->gaps));
	rising_sort(poisson->sorted, n);
	interval->statistic = anderson_darling_exponential(poisson->sorted, n);
	interval->p_exponential = anderson_darling_exponential_p(interval->statistic);
	for (size_t i = 0; i < n; i++)
		poisson->gaps[i] = exp(-poisson->gaps[i] / mean);
	poisson_test_correlate(poisson->gaps, n, interval);
}

// Tests the open interval and closes it.
static void test_interval(struct poisson *poisson)
{
	struct poisson_interval *interval = &poisson->intervals[poisson->count - 1];
	const size_t arrivals = poisson->arrival_count;

	interval->gaps = arrivals - 1;
	if (arrivals > 1)
		interval->mean_ticks = (poisson->offsets[arrivals - 1] - poisson->offsets[0]) /
				       (double)interval->gaps;
	interval->coarse = interval->gaps >= POISSON_GAPS_MIN &&
			   !(POISSON_TICK_ARRIVALS_MAX * interval->mean_ticks >=
				     (double)poisson->clock_ticks &&
			     interval->mean_ticks > 0);
	if (interval->gaps >= POISSON_GAPS_MIN && !interval->coarse)
		test_gaps(poisson, interval);
	poisson->arrival_count = 0;
	poisson->open = false;
}

// ---- gathering
static enum tr_status no_room(struct tr_error *err)
{
	return tr_no_memory(err, "the intervals of the Poisson test");
}

static enum tr_status open_interval(struct poisson *poisson, int64_t time_ticks,
				    struct tr_error *err)
{
	uint64_t passed;

	if (poisson->count == 0)
		poisson->anchor_ticks = time_ticks;
	if (!GROW(poisson->intervals, poisson->capacity, poisson->count))
		return no_room(err);
	passed = ((uint64_t)time_ticks - (uint64_t)poisson->anchor_ticks) /
		 (uint64_t)poisson->width_ticks;
	poisson->intervals[poisson->count++] = (struct poisson_interval){
		.start_ticks = poisson->anchor_ticks + (int64_t)passed * poisson->width_ticks,
		.mean_ticks = NAN,
		.statistic = NAN,
		.p_exponential = NAN,
		.lag1 = NAN,
		.p_independent = NAN};
	poisson->open = true;
	return TR_OK;
}

static enum tr_status poisson_test_add_arrival(struct poisson *poisson, double offset,
					       struct tr_error *err)
{
	const size_t count = poisson->arrival_count;
	size_t offsets = poisson->arrival_capacity, gaps = poisson->arrival_capacity;

	// All three have the room of the last one.
	if (!GROW(poisson->offsets, offsets, count) || !GROW(poisson->gaps, gaps, count) ||
	    !GROW(poisson->sorted, poisson->arrival_capacity, count))
		return no_room(err);
	poisson->offsets[poisson->arrival_count++] = offset;
	return TR_OK;
}

// Euclid's algorithm on the clock tick and one more time; most times are multiples already.
static void refine_clock(struct poisson *poisson, uint64_t since_ticks)
{
	uint64_t a = poisson->clock_ticks, b = since_ticks;

	if (a > 0 && b % a == 0)
		return;
	while (b > 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	poisson->clock_ticks = a;
}

enum tr_status poisson_add(struct poisson *poisson, int64_t time_ticks, struct tr_error *err)
{
	const bool same =
		poisson->open &&
		(uint64_t)time_ticks -
				(uint64_t)poisson->intervals[poisson->count - 1].start_ticks <
			(uint64_t)poisson->width_ticks;

	if (!same && poisson->open)
		test_interval(poisson);
	if (!same && open_interval(poisson, time_ticks, err) != TR_OK)
		return TR_ERROR;
	refine_clock(poisson, (uint64_t)time_ticks - (uint64_t)poisson->anchor_ticks);
	return poisson_test_add_arrival(
		poisson, (double)(time_ticks - poisson->intervals[poisson->count - 1].start_ticks),
		err);
}

// ---- the verdict

static void count_interval(struct poisson_verdict *verdict, const struct poisson_interval *interval)
{
	verdict->intervals++;
	verdict->coarse += interval->coarse;
	if (interval->gaps < POISSON_GAPS_MIN || interval->coarse)
		return;
	verdict->tested++;
	verdict->exponential += interval->p_exponential >= VERDICT_LEVEL;
	verdict->independent += interval->p_independent >= VERDICT_LEVEL;
	verdict->positive += interval->lag1 > 0;
	verdict->gaps += interval->gaps;
	verdict->p_exponential = interval->p_exponential;
	verdict->p_independent = interval->p_independent;
}

struct poisson_verdict poisson_finish(struct poisson *poisson)
{
	struct poisson_verdict verdict = {
		.p_exponential = NAN, .p_independent = NAN, .p_sign = NAN, .p = NAN};
	uint64_t uneven;

	if (poisson->open)
		test_interval(poisson);
	for (size_t i = 0; i < poisson->count; i++)
		count_interval(&verdict, &poisson->intervals[i]);
	verdict.clock_ticks = poisson->clock_ticks;
	if (verdict.tested == 0)
		return verdict;
	uneven = verdict.positive > verdict.tested / 2 ? verdict.tested - verdict.positive
						       : verdict.positive;
	if (verdict.tested > 1) {
		verdict.p_exponential = binomial_cdf(verdict.exponential, verdict.tested,
						     1 - VERDICT_LEVEL);
		verdict.p_independent = binomial_cdf(verdict.independent, verdict.tested,
						     1 - VERDICT_LEVEL);
	}
	verdict.p_sign = fmin(1, 2 * binomial_cdf(uneven, verdict.tested, 0.5));
	verdict.p = fmin(1, VERDICTS * fmin(fmin(verdict.p_exponential, verdict.p_independent),
					    verdict.p_sign));
	return verdict;
}

static struct method_result share_result(const char *method, const struct poisson_verdict *verdict,
					 uint64_t passed, double p)
{
	struct method_result result = method_result_make(method, verdict->tested);

	if (verdict->tested == 0) {
		if (verdict->coarse > 0)
			method_result_say(&result,
					  "more than %d arrivals share a tick of the clock",
					  POISSON_TICK_ARRIVALS_MAX);
		else
			method_result_say(&result, "no interval has %d gaps", POISSON_GAPS_MIN);
		return result;
	}
	result.statistic = (double)passed / (double)verdict->tested;
	result.threshold = 1 - VERDICT_LEVEL;
	result.p = p;
	result.verdict = verdict_by_p(p, VERDICT_LEVEL / VERDICTS);
	return result;
}

void poisson_decide(const struct poisson_verdict *verdict,
		    struct method_result methods[POISSON_METHODS])
{
	methods[0] = share_result("exponential", verdict, verdict->exponential,
				  verdict->p_exponential);
	methods[1] = share_result("independent", verdict, verdict->independent,
				  verdict->p_independent);
	methods[2] = share_result("sign", verdict, verdict->positive, verdict->p_sign);
	if (verdict->tested == 0)
		return;
	methods[2].threshold = 0.5;
	method_result_say(&methods[0],
			  "in %llu of %llu intervals the gaps are consistent with an exponential "
			  "distribution",
			  (unsigned long long)verdict->exponential,
			  (unsigned long long)verdict->tested);
	method_result_say(&methods[1], "in %llu of %llu intervals successive gaps are uncorrelated",
			  (unsigned long long)verdict->independent,
			  (unsigned long long)verdict->tested);
	method_result_say(
		&methods[2], "in %llu of %llu intervals successive gaps correlate positively",
		(unsigned long long)verdict->positive, (unsigned long long)verdict->tested);
}

enum verdict poisson_answer(const struct poisson_verdict *verdict)
{
	return verdict_by_p(verdict->p, VERDICT_LEVEL);
}

void poisson_close(struct poisson *poisson)
{
	free(poisson->intervals);
	free(poisson->offsets);
	free(poisson->gaps);
	free(poisson->sorted);
	*poisson = (struct poisson){0};
}
