// SPDX-License-Identifier: GPL-3.0-or-later
// Markovian arrival processes: closed forms, the likelihood by a second algorithm, expectations by
// their identities.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals_bed.h"
#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_fit.h"
#include "gen/arrivals/dense.h"
#include "gen/families/processes.h"

#define TWO "state 1000 packets/s for 20 ms\nstate 50 packets/s for 100 ms\n"
#define THREE \
	"state 5000 packets/s for 2 ms\nstate 300 packets/s for 30 ms\nstate 0 packets/s for 10 " \
	"ms\n" \
	"jump 1 to 2 100 %\njump 2 to 1 40 %\njump 2 to 3 60 %\njump 3 to 1 100 %\n"

static const struct chain *chain_of(const void *parameters)
{
	return &((const struct map *)parameters)->chain;
}

static double log_likelihood_of(const struct chain *chain, const struct arrival_sample *sample)
{
	double out = 0;

	assert_int_equal(chain_log_likelihood(chain, sample, &out, NULL), TR_OK);
	return out;
}

static void near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.12g is not %.12g within %g", value, expected, tolerance);
}

// Heffes and Lucantoni, IEEE JSAC 4 (1986) 856, equations 4 and 5 of their appendix: two states.
static void test_two_states(void **unused)
{
	const double l1 = 1000, l2 = 50, r1 = 50, r2 = 10, rate = (l1 * r2 + l2 * r1) / (r1 + r2);
	const double limit = 1 + 2 * (l1 - l2) * (l1 - l2) * r1 * r2 /
					 (pow(r1 + r2, 2) * (l1 * r2 + l2 * r1));
	const double t_s[3] = {0.001, 0.1, INFINITY};
	double found[3], moments[CHAIN_MOMENTS], correlation;
	void *mmpp = arrivals_bed_open(&mmpp_family, TWO);

	(void)unused;
	near(mmpp_family.arrivals->rate(mmpp), rate, 1e-9);
	assert_int_equal(chain_dispersion(chain_of(mmpp), t_s, 3, found, NULL), TR_OK);
	for (int i = 0; i < 2; i++) {
		const double x = (r1 + r2) * t_s[i];

		near(found[i], 1 + (limit - 1) * (1 + expm1(-x) / x), 1e-9 * limit);
	}
	near(found[2], limit, 1e-9 * limit);
	assert_int_equal(chain_gaps(chain_of(mmpp), moments, 1, &correlation, NULL), TR_OK);
	near(moments[0] * rate, 1, 1e-12);
	// Joint moments of the gaps, by hand from the inverse of -d0.
	const double det = (l1 + r1) * (l2 + r2) - r1 * r2, p1 = l1 * r2 / (l1 * r2 + l2 * r1);
	const double m1 = (l2 + r2 + r1) / det, m2 = (l1 + r1 + r2) / det;

	near(moments[1],
	     2 * (p1 * ((l2 + r2) * m1 + r1 * m2) + (1 - p1) * (r2 * m1 + (l1 + r1) * m2)) / det,
	     1e-12 * moments[1]);
	arrivals_bed_close(&mmpp_family, mmpp);
}

// The product of matrix exponentials, gap by gap.
static double by_the_book(const struct chain *chain, const struct arrival_times *times,
			  double ticks_per_s)
{
	const unsigned n = chain->states;
	double row[CHAIN_STATES_MAX], scratch[CHAIN_STATES_MAX], e[64], work[128], sum = 0;
	int64_t before = times->begin_ticks;

	chain_stationary(chain, row);
	for (size_t i = 0; i <= times->count; i++) {
		const int64_t now = i < times->count ? times->ticks[i] : times->end_ticks;
		double total = 0;

		dense_exponential(n, chain->d0, (double)(now - before) / ticks_per_s, e, work);
		dense_row(n, row, e, scratch);
		if (i < times->count)
			dense_row(n, row, chain->d1, scratch);
		for (unsigned k = 0; k < n; k++)
			total += row[k];
		for (unsigned k = 0; k < n; k++)
			row[k] /= total;
		sum += log(total) - (i < times->count ? log(ticks_per_s) : 0);
		before = now;
	}
	return sum;
}

static void check_likelihood(const char *keys, double ticks_per_s)
{
	void *mmpp = arrivals_bed_open(&mmpp_family, keys);
	struct arrival_times times = arrivals_bed_times(&mmpp_family, mmpp, 3, ticks_per_s, 1e18,
							3000);
	const struct arrival_sample sample = {&times, 1, ticks_per_s, 0.95};
	const double expected = by_the_book(chain_of(mmpp), &times, ticks_per_s);

	near(log_likelihood_of(chain_of(mmpp), &sample), expected, 1e-10 * fabs(expected));
	free((void *)times.ticks);
	arrivals_bed_close(&mmpp_family, mmpp);
}

// Ticks of picoseconds, of microseconds, and so long that a state is left within one.
static void test_likelihood(void **unused)
{
	(void)unused;
	check_likelihood(TWO, 1e12);
	check_likelihood(TWO, 1e6);
	check_likelihood(TWO, 40);
	check_likelihood(THREE, 1e9);
	check_likelihood("state 12.5 packets/s\n", 1e9);
}

// A gap of a million mean gaps has a likelihood, though its density is no double.
static void test_long_silence(void **unused)
{
	const int64_t ticks[2] = {1000, 1000000001000};
	const struct arrival_times times = {.ticks = ticks, .count = 2, .end_ticks = 1000000002000};
	const struct arrival_sample sample = {&times, 1, 1e9, 0.95};
	void *mmpp = arrivals_bed_open(&mmpp_family, "state 1000 packets/s\n");

	(void)unused;
	near(log_likelihood_of(chain_of(mmpp), &sample), -1000 * 1000.000002 + 2 * log(1000 / 1e9),
	     1e-5);
	arrivals_bed_close(&mmpp_family, mmpp);
}

static double sum_of(const double *values, unsigned count)
{
	double sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

// At parameters beside the true ones: time is all there is, packets are all there are, what enters
// a state leaves it, and Fisher's identity gives the derivative of the likelihood (but for the
// first state's share in it, of order 1).
static void check_expectations(const char *truth, const char *beside, double ticks_per_s)
{
	void *mmpp = arrivals_bed_open(&mmpp_family, truth),
	     *other = arrivals_bed_open(&mmpp_family, beside);
	struct chain *chain = &((struct map *)other)->chain;
	struct arrival_times times = arrivals_bed_times(&mmpp_family, mmpp, 5, ticks_per_s, 1e18,
							5000);
	const struct arrival_sample sample = {&times, 1, ticks_per_s, 0.95};
	const unsigned n = chain->states;
	unsigned cells[32];
	struct chain_pass pass;

	assert_int_equal(chain_pass_new(&pass, n, &sample, NULL), TR_OK);
	assert_int_equal(chain_pass_run(&pass, chain, NULL), TR_OK);
	near(pass.log_likelihood, log_likelihood_of(chain, &sample),
	     1e-9 * fabs(pass.log_likelihood));
	near(sum_of(pass.time_s, n), (double)times.end_ticks / ticks_per_s,
	     1e-9 * (double)times.end_ticks / ticks_per_s);
	near(sum_of(pass.sends, n * n), 5000, 1e-6);
	const unsigned count = chain_free_cells(chain, cells);
	double score[32], steep = 0;

	for (unsigned i = 0; i < count; i++) {
		const unsigned cell = cells[i] % (n * n);

		score[i] = (cells[i] < n * n ? pass.silent : pass.sends)[cell] -
			   chain->d0[cells[i]] * pass.time_s[cell / n];
	}
	for (unsigned i = 0; i < count; i++) {
		const double rate = chain->d0[cells[i]];

		chain->d0[cells[i]] = rate * exp(1e-4);
		chain_balance(chain);
		double slope = log_likelihood_of(chain, &sample);

		chain->d0[cells[i]] = rate * exp(-1e-4);
		chain_balance(chain);
		slope = (slope - log_likelihood_of(chain, &sample)) / 2e-4;
		chain->d0[cells[i]] = rate;
		chain_balance(chain);
		steep += fabs(score[i]);
		near(score[i], slope, 1);
	}
	assert_true(steep > 20); // the parameters are beside the true ones
	chain_pass_clear(&pass);
	free((void *)times.ticks);
	arrivals_bed_close(&mmpp_family, mmpp);
	arrivals_bed_close(&mmpp_family, other);
}

static void test_expectations(void **unused)
{
	(void)unused;
	check_expectations(TWO, "state 1200 packets/s for 15 ms\nstate 70 packets/s for 70 ms\n",
			   1e9);
	check_expectations(TWO, "state 1200 packets/s for 15 ms\nstate 70 packets/s for 70 ms\n",
			   500);
	check_expectations(
		THREE,
		"state 4000 packets/s for 3 ms\nstate 400 packets/s for 20 ms\nstate 50 packets/s "
		"for 30 ms\n"
		"jump 1 to 2 100 %\njump 2 to 1 40 %\njump 2 to 3 60 %\njump 3 to 1 100 %\n",
		1e9);
}

// Of 64 states a ring, of which the sum is known: all time, all packets.
static void test_many_states(void **unused)
{
	char text[8192];
	size_t used = 0;

	(void)unused;
	for (int i = 1; i <= 64; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "state %d packets/s for 1 s\njump %d to %d 100 %%\n",
					 10 * i, i, i % 64 + 1);
	void *mmpp = arrivals_bed_open(&mmpp_family, text);
	struct arrival_times times = arrivals_bed_times(&mmpp_family, mmpp, 5, 1e6, 1e18, 300);
	const struct arrival_sample sample = {&times, 1, 1e6, 0.95};
	struct chain_pass pass;

	near(mmpp_family.arrivals->rate(mmpp), 325, 1e-9);
	assert_int_equal(chain_pass_new(&pass, 64, &sample, NULL), TR_OK);
	assert_int_equal(chain_pass_run(&pass, chain_of(mmpp), NULL), TR_OK);
	near(sum_of(pass.time_s, 64), (double)times.end_ticks / 1e6, 1e-9);
	near(sum_of(pass.sends, 64 * 64), 300, 1e-8);
	chain_pass_clear(&pass);
	free((void *)times.ticks);
	arrivals_bed_close(&mmpp_family, mmpp);
}

// What is made has the rate, dispersion and correlations of the closed forms. The tolerances are
// some three standard errors of these seeds' estimates.
static void test_walk(void **unused)
{
	const double t_s[3] = {0.002, 0.02, 0.2};
	double dispersion[3], moments[CHAIN_MOMENTS], correlation[5];
	void *mmpp = arrivals_bed_open(&mmpp_family, THREE);
	struct arrival_times times = arrivals_bed_times(&mmpp_family, mmpp, 11, 1e9, 1e18, 400000);

	(void)unused;
	near((double)times.count / (double)times.end_ticks * 1e9, mmpp_family.arrivals->rate(mmpp),
	     0.02 * mmpp_family.arrivals->rate(mmpp));
	assert_int_equal(chain_dispersion(chain_of(mmpp), t_s, 3, dispersion, NULL), TR_OK);
	for (int i = 0; i < 3; i++)
		near(arrivals_bed_dispersion(&times, t_s[i] * 1e9), dispersion[i],
		     0.05 * dispersion[i]);
	assert_int_equal(chain_gaps(chain_of(mmpp), moments, 5, correlation, NULL), TR_OK);
	for (size_t i = 0; i < 5; i++)
		near(arrivals_bed_correlation(&times, i + 1), correlation[i], 0.01);
	free((void *)times.ticks);
	arrivals_bed_close(&mmpp_family, mmpp);
}

// Stationary from its first tick: over seeds the first 5 ms have the mean of all.
static void test_start(void **unused)
{
	void *mmpp = arrivals_bed_open(&mmpp_family, TWO);
	double packets = 0;

	(void)unused;
	for (unsigned seed = 0; seed < 4000; seed++) {
		struct arrival_times times = arrivals_bed_times(&mmpp_family, mmpp, seed, 1e9, 5e6,
								1000);

		packets += (double)times.count;
		free((void *)times.ticks);
	}
	// A window's count has mean 1.04 and a deviation of about 2: 4000 of them err by .03.
	near(packets / 4000, 5e-3 * mmpp_family.arrivals->rate(mmpp), 0.1);
	arrivals_bed_close(&mmpp_family, mmpp);
}

static void test_text(void **unused)
{
	void *mmpp = arrivals_bed_open(&mmpp_family, THREE);
	char *text = arrivals_bed_text(&mmpp_family, mmpp);

	(void)unused;
	assert_string_equal(text, THREE);
	free(text);
	arrivals_bed_close(&mmpp_family, mmpp);
	mmpp = arrivals_bed_open(&mmpp_family, TWO);
	text = arrivals_bed_text(&mmpp_family, mmpp);
	assert_string_equal(text, TWO);
	free(text);
	arrivals_bed_close(&mmpp_family, mmpp);
}

// A diagonal that is given, and one that is computed.
static void test_map_text(void **unused)
{
	void *map = arrivals_bed_open(&map_family,
				      "d0 -100 0 /s\nd0 2.5 - /s\nd1 50 50 /s\nd1 0 0 /s\n");
	char *text = arrivals_bed_text(&map_family, map);

	(void)unused;
	assert_string_equal(text, "d0 - 0 /s\nd0 2.5 - /s\nd1 50 50 /s\nd1 0 0 /s\n");
	// Half the packets follow a gap of mean 10 ms, the others one of 400 ms more.
	near(map_family.arrivals->rate(map), 1 / (0.01 + 0.5 * 0.4), 1e-12);
	free(text);
	arrivals_bed_close(&map_family, map);
}

static void refuse_of(const struct family *family, const char *keys, const char *expected)
{
	const char *found = arrivals_bed_refuses(family, keys);

	if (!strstr(found, expected))
		fail_msg("\"%s\" does not say \"%s\"", found, expected);
}

static void refuse(const char *keys, const char *expected)
{
	refuse_of(&mmpp_family, keys, expected);
}

static void test_map_refusals(void **unused)
{
	static const struct {
		const char *keys, *expected;
	} cases[] = {
		{"d0 - /s\n", "d1 is missing"},
		{"d0 - 1 /s\nd1 1 1 /s\n",
		 "t:2: d0: expected 1 rates in a row, found 2, and /s at its end; expected such as "
		 "d0 - 30 5 /s, one rate for each state and - on the diagonal"},
		{"d0 - /s\nd1 1\n", "t:3: d1: expected 1 rates in a row, found 1; expected such as "
				    "d0 - 30 5 /s, one rate for each state and - on the diagonal"},
		{"d0 - /s\nd1 1 ms\n",
		 "t:3: d1: expected 1 rates in a row, found 2, and /s at its end; expected such as "
		 "d0 - 30 5 /s, one rate for each state and - on the diagonal"},
		{"d0 - /s\nd0 - /s\nd1 1 /s\n",
		 "t:2: expected as many rows of d0 as of d1, 1 to 64; found 2 and 1"},
		{"d0 -5.1 /s\nd1 5 /s\n", "row 1 of d0 and d1 sums to -0.1"},
		{"d0 - -1 /s\nd0 1 - /s\nd1 1 1 /s\nd1 1 1 /s\n",
		 "the rate -1 is outside 0 .. 1e12"},
		{"d0 5 /s\nd1 5 /s\n", "the rate 5 is outside -1e12 .. 0"},
		{"d0 - x /s\nd0 1 - /s\nd1 1 1 /s\nd1 1 1 /s\n", "t:2: d0: "},
		{"d0 - 0 /s\nd0 0 - /s\nd1 1 0 /s\nd1 0 1 /s\n", "do not reach each other"},
		{"d0 - 1 /s\nd0 1 - /s\nd1 0 0 /s\nd1 0 0 /s\n", "no state sends"},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		refuse_of(&map_family, cases[i].keys, cases[i].expected);
}

static void test_refusals(void **unused)
{
	(void)unused;
	refuse("state 5 packets/s for 1 s\nstate 6 packets/s\n", "t:3: state: expected such as");
	refuse("state 5 for 1 s\n", "t:2: state: expected such as");
	refuse("state -5 packets/s\n", "outside 0 ..");
	refuse("state 5 packets/s for 0 s\nstate 1 packets/s for 1 s\n", "outside 1 ns");
	refuse("state 0 packets/s\n", "no state sends");
	refuse(TWO "jump 1 to 2 50 %\n", "sum to 50 %");
	refuse(TWO "jump 1 to 1 50 %\n",
	       "t:4: jump: expected another state and a share above 0 % and up to 100 %");
	refuse(TWO "jump 1 to 3 50 %\n", "t:4: jump:");
	refuse(TWO "jump 1 to 2 50 %\njump 1 to 2 50 %\n", "t:5: jump: from 1 to 2 is given twice");
	refuse(TWO "jump 1 2 50 %\n", "expected such as jump");
	refuse("state 1 packets/s for 1 s\nstate 1 packets/s for 1 s\nstate 1 packets/s for 1 "
	       "s\njump 1 to 2 100 %\n"
	       "jump 2 to 1 100 %\n",
	       "do not reach each other");
	refuse("jump 1 to 2 5 %\n", "state is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_states),   cmocka_unit_test(test_likelihood),
		cmocka_unit_test(test_long_silence), cmocka_unit_test(test_expectations),
		cmocka_unit_test(test_many_states),  cmocka_unit_test(test_walk),
		cmocka_unit_test(test_start),	     cmocka_unit_test(test_text),
		cmocka_unit_test(test_map_text),     cmocka_unit_test(test_map_refusals),
		cmocka_unit_test(test_refusals)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
