// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage of the intervals of means of dependent values. Of series of each kind, drawn from its
// definition, an interval is printed or withheld; at most a few may be printed and not hold the
// true mean. FLIT_LONG tries 200 of each, and prints the table of flitline-intervals(7).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dependent_series.h"
#include "stat/counts/dispersion.h"
#include "stat/intervals/batches.h"

#define LEVEL .95
#define CYCLES 5 // of two states that a series has at least
#define UNIT 1e9 // of a value, which batches hold as a whole number

struct coverage {
	int series, known, covered;
	double width; // of the intervals, over that for independent values, in the mean
};

static void take(struct coverage *out, const struct dependent_maker *maker)
{
	const double mean = round(UNIT * maker->kind->mean);
	struct batches batches = {0};
	struct moments moments = {0};
	struct known_mean known;
	struct interval student;

	for (size_t i = 0; i < maker->n; i++) {
		batches_add(&batches, llround(UNIT * maker->x[i]));
		moments_add(&moments, llround(UNIT * maker->x[i]));
	}
	known = batches_known(&batches, LEVEL);
	student = mean_interval(&moments, LEVEL);
	assert_true(known.error.known == !isnan(known.interval.lo));
	out->series++;
	if (!known.error.known)
		return;
	assert_true(known.interval.lo > 0 && known.interval.lo <= known.mean &&
		    known.mean <= known.interval.hi);
	out->width += (known.interval.hi - known.interval.lo) / (student.hi - student.lo);
	out->known++;
	out->covered += known.interval.lo <= mean && mean <= known.interval.hi;
}

static struct coverage cover(const struct dependent_kind *kind, size_t n, int series)
{
	struct coverage out = {0};
	struct dependent_maker maker;

	dependent_maker_open(&maker, kind, n);
	for (int i = 0; i < series; i++) {
		dependent_draw(&maker, (uint64_t)i);
		take(&out, &maker);
	}
	dependent_maker_close(&maker);
	return out;
}

static void print_row(const struct dependent_kind *kind, size_t n, const struct coverage *got)
{
	print_message("%-16s %7zu %4d  known %5.3f  covered %5.3f  wrong %5.3f  width %6.2f%s\n",
		      kind->name, n, got->series, (double)got->known / got->series,
		      got->known ? (double)got->covered / got->known : NAN,
		      (double)(got->known - got->covered) / got->series, got->width / got->known,
		      kind->held_back ? "  held back" : "");
}

// Of 95 % intervals 7 in 100 may be wrong, and four deviations of the binomial more.
static int wrong_at_most(int series)
{
	return (int)floor(.07 * series + 4 * sqrt(.07 * .93 * series));
}

static void cover_all(size_t n, int series)
{
	struct coverage all = {0};

	for (const struct dependent_kind *kind = dependent_kinds; kind->name; kind++) {
		const struct coverage got = cover(kind, n, series);

		print_row(kind, n, &got);
		if (n < CYCLES * kind->cycle)
			continue; // many show one state only, and nothing of the other
		assert_true(got.known - got.covered <= wrong_at_most(series));
		all.series += got.series;
		all.known += got.known;
		all.covered += got.covered;
	}
	assert_true(all.known - all.covered <= wrong_at_most(all.series));
}

static void intervals_hold_the_mean(void **state)
{
	const bool all = getenv("FLIT_LONG") != NULL;

	(void)state;
	cover_all(2000, all ? 200 : 20);
	cover_all(20000, all ? 200 : 10);
	if (all)
		cover_all(200000, 10);
}

// Independent values pay little for the doubt.
static void independent_values_have_narrow_intervals(void **state)
{
	const struct coverage got = cover(&dependent_kinds[0], 2000, 100);

	(void)state;
	assert_int_equal(got.known, 100);
	assert_true(got.width / got.known < 1.35);
}

// Five of the series are as one: what is drawn five times is no more than drawn once.
static void repeated_values_count_once(void **state)
{
	struct dependent_maker maker;
	double once = 0, again = 0;

	(void)state;
	dependent_maker_open(&maker, &dependent_kinds[0], 2000);
	for (int i = 0; i < 20; i++) {
		struct batches singly = {0}, repeated = {0};

		dependent_draw(&maker, (uint64_t)i);
		for (size_t k = 0; k < maker.n; k++) {
			batches_add(&singly, llround(UNIT * maker.x[k]));
			batches_add_repeated(&repeated, llround(UNIT * maker.x[k]), 5);
		}
		once += batches_known(&singly, LEVEL).error.se;
		again += batches_known(&repeated, LEVEL).error.se;
	}
	assert_true(fabs(again / once - 1) < .15);
	dependent_maker_close(&maker);
}

// A series that is added several times is as if its samples were added one by one, from whatever
// batch on.
static void a_series_is_its_samples(void **state)
{
	static struct batches singly, series;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "series");
	for (int i = 0; i < 300; i++) {
		const uint64_t count = 1 + tr_random_below(&random, 700);
		const uint64_t times = tr_random_below(&random, 40);
		__int128 sums[701] = {0};

		if (i % 20 == 0)
			singly = series = (struct batches){0};
		for (uint64_t k = 0; k < count; k++)
			sums[k + 1] = sums[k] + (int64_t)tr_random_below(&random, 1000) - 500;
		for (uint64_t k = 0; k < count * times; k++)
			batches_add(&singly, (int64_t)(sums[k % count + 1] - sums[k % count]));
		batches_add_series(&series, sums, count, times);
		assert_int_equal(singly.count, series.count);
		assert_int_equal(singly.n, series.n);
		assert_int_equal(singly.open, series.open);
		assert_true(singly.sum == series.sum && singly.open_sum == series.open_sum);
		for (uint32_t k = 0; k < singly.count; k++)
			assert_true(singly.sums[k] == series.sums[k]);
	}
}

// With H .8 a mean is known twice as well by 2^5 times the length.
static void long_memory_narrows_slowly(void **state)
{
	struct dependent_maker maker;

	(void)state;
	dependent_maker_open(&maker, &dependent_kinds[8], 1000);
	for (int i = 0; i < 20; i++) {
		struct mean_error error;
		double needed;

		dependent_draw(&maker, (uint64_t)i);
		error = mean_error_find(maker.x, 1000, LEVEL);
		assert_true(error.known && error.h > .65 && error.h < .95);
		error.h = .8;
		needed = mean_error_needed(10, &error, LEVEL, 1, 1000);
		assert_true(fabs(mean_error_needed(10, &error, LEVEL, 2, 1000) * 32 / needed - 1) <
			    1e-9);
	}
	dependent_maker_close(&maker);
}

#define PARTS 48
#define WIDTH 16.
#define INDEX 7.12 // of counts in such windows, of 32 million packets

// Indices of dispersion of counts of packets whose rate has H .8, from segments of time.
static void an_index_of_dispersion_is_held(void **state)
{
	struct dependent_maker maker;
	int64_t *counts = calloc(20000, sizeof(*counts));
	int wrong = 0;

	(void)state;
	dependent_maker_open(&maker, &dependent_kinds[7], 20000);
	for (int i = 0; i < 100; i++) {
		struct moments parts[PARTS] = {{.n = 0}};
		struct dispersion found;
		double time = 0;
		size_t windows = 0;

		dependent_draw(&maker, (uint64_t)i);
		memset(counts, 0, 20000 * sizeof(*counts));
		for (size_t k = 0; k < maker.n; k++) {
			time += maker.x[k];
			windows = (size_t)(time / WIDTH);
			assert_true(windows < 20000);
			counts[windows]++;
		}
		for (size_t k = 0; k < windows; k++)
			moments_add(&parts[k * PARTS / windows], counts[k]);
		found = dispersion_of_parts(parts, PARTS, DISPERSION_COUNTS, 1, LEVEL);
		wrong += found.hi < INDEX || found.lo > INDEX;
	}
	assert_true(wrong <= wrong_at_most(100));
	dependent_maker_close(&maker);
	free(counts);
}

// A random walk has no mean; fewer than two values, or equal ones, are told apart.
static void there_may_be_no_interval(void **state)
{
	const double equal[] = {3, 3, 3, 3};
	double walk[512] = {0};
	struct tr_random random;
	struct mean_error error;

	(void)state;
	tr_random_open(&random, 1, "walk");
	for (size_t i = 1; i < 512; i++)
		walk[i] = walk[i - 1] + tr_random_unit(&random) - .5;
	error = mean_error_find(walk, 512, LEVEL);
	assert_false(error.known);
	assert_true(error.longer >= 4);
	assert_true(isnan(mean_error_interval(1, &error, LEVEL, 0).lo));
	assert_true(mean_error_needed(1, &error, LEVEL, 1, 512) == 512 * error.longer);
	assert_false(mean_error_find(equal, 1, LEVEL).known);
	error = mean_error_find(equal, 4, LEVEL);
	assert_true(error.known && error.se == 0);
	assert_true(mean_error_interval(3, &error, LEVEL, 0).hi == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_mean),
		cmocka_unit_test(independent_values_have_narrow_intervals),
		cmocka_unit_test(repeated_values_count_once),
		cmocka_unit_test(a_series_is_its_samples),
		cmocka_unit_test(long_memory_narrows_slowly),
		cmocka_unit_test(an_index_of_dispersion_is_held),
		cmocka_unit_test(there_may_be_no_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
