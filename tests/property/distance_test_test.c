// SPDX-License-Identifier: GPL-3.0-or-later
// Rejection rates at 5 % of the tests of two series, with equal and with different laws, by kind of
// traffic.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/counts/distance.h"
#include "traffic_kinds.h"

#define POINTS 8192u

static double series[POINTS];

static size_t kind_of(const char *name)
{
	for (size_t i = 0; traffic_kinds[i].name; i++)
		if (strcmp(traffic_kinds[i].name, name) == 0)
			return i;
	fail_msg("no kind %s", name);
	return 0;
}

// The counts of a series; Gaussian values in hundredths above -100.
static void fill(struct block_sample *sample, struct traffic_maker *maker, size_t kind,
		 uint64_t number)
{
	traffic_draw(maker, number, series);
	for (size_t i = 0; i < POINTS; i++) {
		const double value = traffic_kinds[kind].mean > 0
					     ? series[i]
					     : fmax(0, 100 * (series[i] + 100));

		assert_int_equal(block_sample_add(sample, (uint64_t)value, 1, NULL), TR_OK);
	}
}

// Shares of the pairs: rejected at 5 %, by ks and ad and as if the values were independent; the
// intervals at 95 % hold 0.
struct rates {
	double ks, ad, independent, ks_held, emd_held;
};

// Of pairs of series of two kinds.
static struct rates measure(const char *one, const char *two, unsigned rounds)
{
	const size_t kinds[] = {kind_of(one), kind_of(two)};
	struct traffic_maker *makers[] = {traffic_maker_open(kinds[0], POINTS),
					  traffic_maker_open(kinds[1], POINTS)};
	struct rates rates = {0, 0, 0, 0, 0};

	for (unsigned r = 0; r < rounds; r++) {
		struct block_sample a = {.count = 0}, b = {.count = 0};
		struct distance_test test;

		fill(&a, makers[0], kinds[0], 2 * r);
		fill(&b, makers[1], kinds[1], 2 * r + 1);
		assert_int_equal(distance_test_make(&a, &b, 0.95, &test, NULL), TR_OK);
		rates.ks += (test.ks_p <= 0.05) / (double)rounds;
		rates.ad += (test.ad_p <= 0.05) / (double)rounds;
		rates.independent += (test.apart.ks > 1.3581 * sqrt(2.0 / POINTS)) /
				     (double)rounds; // Kolmogorov's limit law
		rates.ks_held += (test.ks.lo <= 0) / (double)rounds;
		rates.emd_held += (test.emd.lo <= 0) / (double)rounds;
		block_sample_clear(&a);
		block_sample_clear(&b);
	}
	traffic_maker_close(makers[0]);
	traffic_maker_close(makers[1]);
	if (getenv("FLIT_LONG"))
		print_message("%-16s %-16s ks %.3f ad %.3f, as if independent %.3f; ks held %.3f "
			      "emd held %.3f\n",
			      one, two, rates.ks, rates.ad, rates.independent, rates.ks_held,
			      rates.emd_held);
	return rates;
}

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 200 : 20;
}

// Two series of one law: at most 5 % of rejections where dependence is short, 15 % where it is
// long.
static void one_law_is_seldom_rejected(void **state)
{
	static const struct {
		const char *kind;
		double most;
	} rows[] = {
		{"poisson .5", 0.05},	   {"poisson 5", 0.05}, {"poisson 500", 0.05},
		{"batch poisson", 0.05},   {"ar1 .6", 0.05},	{"ar1 .9", 0.05},
		{"ar1 .99", 0.05},	   {"mmpp 10", 0.05},	{"mmpp 100", 0.05},
		{"mmpp 1000", 0.05},	   {"lrd .6", 0.15},	{"lrd .7", 0.15},
		{"lrd .8", 0.15},	   {"lrd .9", 0.15},	{"lrd .8 mean .5", 0.15},
		{"lrd .8 mean 500", 0.15}, {"fgn .8", 0.15},	{"farima .3", 0.15},
		{"on-off", 0.15},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct rates rates = measure(rows[i].kind, rows[i].kind, rounds());
		const double most = rows[i].most + 3.5 * sqrt(rows[i].most / rounds());

		if (rates.ks > most || rates.ad > most || rates.ks_held < 1 - most ||
		    rates.emd_held < 1 - most)
			fail_msg("%s: ks %g, ad %g rejected; ks %g, emd %g held", rows[i].kind,
				 rates.ks, rates.ad, rates.ks_held, rates.emd_held);
	}
}

// Of means that are all the same, 5.
static void other_laws_are_rejected(void **state)
{
	static const struct {
		const char *one, *two;
		double least;
	} rows[] = {
		{"poisson 5", "batch poisson", 0.99},
		{"poisson 5", "mmpp 10", 0.99},
		{"mmpp 10", "batch poisson", 0.99},
		{"poisson 5", "lrd .8", 0.4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct rates rates = measure(rows[i].one, rows[i].two, rounds());

		if (rates.ad < rows[i].least)
			fail_msg("%s, %s: %g", rows[i].one, rows[i].two, rates.ad);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_law_is_seldom_rejected),
		cmocka_unit_test(other_laws_are_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
