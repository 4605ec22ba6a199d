// SPDX-License-Identifier: GPL-3.0-or-later
// Whether queues grow: banks of queues below and above saturation, which is at a utilisation of 1.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stat/intervals/saturation.h"
#include "value/random.h"

#define ARRIVALS 10000
#define MEAN_TICKS 1e6 // of a service

static double exponential(struct tr_random *random, double mean)
{
	return -mean * log(1 - tr_random_unit(random));
}

static int in_order(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

// So many queues with exponential service, each with its own server, for bursts of so many arrivals
// that make a Poisson process.
static enum saturation_answer answer_of(uint64_t seed, double utilisation, uint32_t queues,
					uint32_t burst)
{
	static int64_t departures[ARRIVALS];
	struct saturation saturation = {0};
	struct tr_random random;
	double now = 0, free_at[64] = {0};

	tr_random_open(&random, seed, "queues");
	for (uint32_t i = 0; i < ARRIVALS; i++) {
		const uint64_t queue = tr_random_below(&random, queues);

		if (i % burst == 0)
			now += exponential(&random, MEAN_TICKS * burst / utilisation / queues);
		free_at[queue] = fmax(free_at[queue], now) + exponential(&random, MEAN_TICKS);
		departures[i] = (int64_t)free_at[queue];
		saturation_arrive(&saturation, (int64_t)now);
	}
	qsort(departures, ARRIVALS, sizeof(*departures), in_order);
	for (uint32_t i = 0; i < ARRIVALS; i++)
		saturation_depart(&saturation, departures[i]);
	return saturation_find(&saturation);
}

static unsigned runs(void)
{
	return getenv("FLIT_LONG") ? 50 : 12;
}

static unsigned saturated(double utilisation, uint32_t queues, uint32_t burst)
{
	unsigned count = 0;

	for (uint64_t seed = 0; seed < runs(); seed++)
		count += answer_of(seed, utilisation, queues, burst) == SATURATION_YES;
	return count;
}

static void stable_queues_are_not_saturated(void **state)
{
	static const double utilisations[] = {.1, .3, .6, .8};

	(void)state;
	for (size_t i = 0; i < sizeof(utilisations) / sizeof(*utilisations); i++)
		for (uint32_t queues = 1; queues <= 64; queues *= 8) {
			assert_int_equal(saturated(utilisations[i], queues, 1), 0);
			assert_int_equal(saturated(utilisations[i] / 2, queues, 40), 0);
		}
}

static void overloaded_queues_are_saturated(void **state)
{
	static const double utilisations[] = {1.2, 2, 20, 1000};

	(void)state;
	for (size_t i = 0; i < sizeof(utilisations) / sizeof(*utilisations); i++)
		for (uint32_t queues = 1; queues <= 64; queues *= 8)
			assert_int_equal(saturated(utilisations[i], queues, 1), runs());
}

// What never departs counts as what departs late.
static void losses_are_saturation(void **state)
{
	struct saturation half = {0}, none = {0};

	(void)state;
	for (int64_t i = 0; i < ARRIVALS; i++) {
		saturation_arrive(&half, i);
		saturation_arrive(&none, i);
		saturation_depart(&none, i + 3);
		if (i % 2 == 0)
			saturation_depart(&half, i + 3);
	}
	assert_int_equal(saturation_find(&half), SATURATION_YES);
	assert_int_equal(saturation_find(&none), SATURATION_NO);
}

static void few_events_say_nothing(void **state)
{
	struct saturation at_once = {0}, few = {0}, empty = {0};

	(void)state;
	for (int64_t i = 0; i < ARRIVALS; i++) {
		saturation_arrive(&at_once, 7);
		saturation_depart(&at_once, 8 + i);
	}
	for (int64_t i = 0; i < SATURATION_LEAST; i++) {
		saturation_arrive(&few, 10 * i);
		saturation_depart(&few, 10 * i + 1);
	}
	assert_int_equal(saturation_find(&at_once), SATURATION_UNKNOWN);
	assert_int_equal(saturation_find(&few),
			 SATURATION_UNKNOWN); // the last one departs after the last arrival
	assert_int_equal(saturation_find(&empty), SATURATION_UNKNOWN);
	saturation_depart(&empty, 1); // of a program, which offers nothing
	assert_int_equal(saturation_find(&empty), SATURATION_UNKNOWN);
	saturation_arrive(&few, 10 * SATURATION_LEAST);
	assert_int_equal(saturation_find(&few), SATURATION_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stable_queues_are_not_saturated),
		cmocka_unit_test(overloaded_queues_are_saturated),
		cmocka_unit_test(losses_are_saturation),
		cmocka_unit_test(few_events_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
