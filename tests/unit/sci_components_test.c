// SPDX-License-Identifier: GPL-3.0-or-later
// Components from ping-pongs (Gonzalez, 2000, section 5): times made from Table 1 give Table 1
// back.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/studies/sci/components.h"
#include "value/random.h"

static void assert_near(double value, double expected, double tolerance)
{
	assert_true(fabs(value - expected) <= tolerance);
}

static const double l_p = 7, l_f = 60, l_s = 670;

static double overhead(uint32_t size_B)
{
	return 2085 + 11.6 * (size_B - 64.);
}

static void add(struct sci_ping_pongs *pongs, struct sci_ping_pong row)
{
	pongs->rows[pongs->count++] = row;
}

// Rings of 2 to 8 nodes, and both paths of a torus; each time off by noise, which is +-1 at most.
// back: links of the straight path's pong.
static struct sci_ping_pongs *measured(uint32_t back, double noise, uint64_t seed)
{
	struct sci_ping_pongs *pongs = calloc(1, sizeof(*pongs));
	struct tr_random random;

	assert_non_null(pongs);
	tr_random_open(&random, seed, "noise");
	for (uint32_t m = 64; m <= 512; m += 64) {
		const double straight_hops = (2 + back) / 2.;

		for (uint32_t k = 1; k <= 4; k++)
			add(pongs, (struct sci_ping_pong){.hops = k,
							  .size_B = m,
							  .ns = 2 * overhead(m) + k * l_p +
								(k - 1) * l_f});
		add(pongs, (struct sci_ping_pong){.torus = true,
						  .hops = 2,
						  .size_B = m,
						  .ns = 2 * overhead(m) + straight_hops * l_p +
							(straight_hops - 1) * l_f});
		add(pongs, (struct sci_ping_pong){.torus = true,
						  .hops = 3,
						  .switches = 1,
						  .size_B = m,
						  .ns = 2 * overhead(m) + 3 * l_p + l_f + l_s});
	}
	for (uint32_t i = 0; i < pongs->count; i++)
		pongs->rows[i].ns *= 1 + noise * (2 * tr_random_unit(&random) - 1);
	return pongs;
}

static void table_1_comes_back(void **state)
{
	struct sci_ping_pongs *pongs = measured(2, 0, 1);
	const struct sci_point at = sci_components_at(pongs, 512, l_p);
	struct sci_components found;

	(void)state;
	sci_components_find(&found, pongs, l_p);
	assert_near(found.forwarding.value, l_f, 1e-6);
	assert_near(found.switching.value, l_s, 1e-6);
	assert_near(found.overhead.value, 2085, 1e-6);
	assert_near(found.slope.value, 11.6, 1e-6);
	assert_near(found.fitted.value, 2085, 1e-6);
	assert_near(found.fitted_slope.value, 11.6, 1e-6);
	assert_near(at.overhead_ns, 7281.8, 1e-6);
	assert_near(at.forwarding_ns, l_f, 1e-6);
	assert_near(at.switching_ns, l_s, 1e-6);
	free(pongs);
}

// On a ring of three the straight pong takes one hop: eq. 20 as printed is (60 + 7) / 2 too high,
// the exact form is not.
static void the_bias_of_equation_20(void **state)
{
	struct sci_ping_pongs *pongs = measured(1, 0, 1);
	struct sci_components found;

	(void)state;
	sci_components_find(&found, pongs, l_p);
	assert_near(found.switching.value, 703.5, 1e-6);
	assert_near(found.switching_exact.value, l_s, 1e-6);
	assert_near(sci_components_at(pongs, 64, l_p).exact_ns, l_s, 1e-6);
	free(pongs);
}

// By hand, at 64 B alone: sqrt(4378^2 + 4177^2) / 3 per cent is 20.17 ns, a third of 60.
static void the_noise_gain_by_hand(void **state)
{
	struct sci_ping_pongs *pongs = measured(2, 0, 1);
	struct sci_components found;

	(void)state;
	pongs->count = 6;
	sci_components_find(&found, pongs, l_p);
	assert_near(found.forwarding.percent_ns, 20.17, .005);
	assert_near(found.overhead.percent_ns, 20.885, 1e-9);
	free(pongs);
}

// Noise that is uniform within 1 % has a standard deviation of 1/sqrt(3) %: four of its errors hold
// each of 200 cases, and the root mean square is the error, within 20 % (five standard errors,
// 1/sqrt(400) each).
static void noise_stays_within_the_error(void **state)
{
	double square[4] = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct sci_ping_pongs *pongs = measured(2, .01, seed);
		struct sci_components found;

		sci_components_find(&found, pongs, l_p);
		const double off[] = {found.forwarding.value - l_f, found.switching.value - l_s,
				      found.overhead.value - 2085, found.fitted_slope.value - 11.6};
		const double error[] = {found.forwarding.percent_ns, found.switching.percent_ns,
					found.overhead.percent_ns, found.fitted_slope.percent_ns};

		for (int i = 0; i < 4; i++) {
			assert_true(fabs(off[i]) < 4 * error[i] / sqrt(3));
			square[i] += pow(off[i] / error[i], 2) * 3;
		}
		free(pongs);
	}
	for (int i = 0; i < 4; i++)
		assert_near(sqrt(square[i] / 200), 1, .25);
}

static void missing_times_give_nothing(void **state)
{
	struct sci_ping_pongs *pongs = measured(2, 0, 1);
	struct sci_components found;

	(void)state;
	pongs->count = 1;
	sci_components_find(&found, pongs, l_p);
	assert_near(found.overhead.value, 2085, 1e-9);
	assert_true(isnan(found.slope.value) && isnan(found.forwarding.value) &&
		    isnan(found.switching.value));
	pongs->count = 0;
	sci_components_find(&found, pongs, l_p);
	assert_true(isnan(found.overhead.value) && isnan(found.fitted.value));
	free(pongs);
}

// 3.76 ns of deviation per hop, 1.88 per node, are 5 % of 37,610 ns at 1000 nodes.
static void deviations_on_a_line(void **state)
{
	struct sci_ping_pongs *pongs = measured(2, 0, 1);
	const struct sci_costs costs = sci_costs_of(&sci_params_usual, 64);
	struct sci_trend trend;

	(void)state;
	for (uint32_t i = 0; i < pongs->count; i++)
		pongs->rows[i].ns += 3.76 * pongs->rows[i].hops;
	trend = sci_trend_find(pongs, &costs, 64, 1000);
	assert_int_equal(trend.rings, 4);
	assert_near(trend.slope_ns, 1.88, 1e-9);
	assert_near(trend.deviation_ns, 1880, 1e-6);
	assert_near(trend.model_ns, 37610, 1e-9);
	free(pongs);
}

static enum tr_status read_text(const char *text, struct sci_ping_pongs *pongs,
				struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	*pongs = (struct sci_ping_pongs){.count = 0};
	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "table", err), TR_OK);
	status = sci_ping_pongs_read(pongs, source, err);
	tr_source_close(source);
	return status;
}

static void tables_are_read(void **state)
{
	struct sci_ping_pongs *pongs = calloc(1, sizeof(*pongs));
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(read_text("# p. "
				   "25\nsize_B,pp_ns,network,hops,switches\n64,4177.5,ring,1,"
				   "0\n512,1e4,torus,3,1\n\nrest\n",
				   pongs, &err),
			 TR_OK);
	assert_int_equal(pongs->count, 2);
	assert_true(pongs->rows[0].ns == 4177.5 && !pongs->rows[0].torus &&
		    pongs->rows[0].size_B == 64);
	assert_true(pongs->rows[1].torus && pongs->rows[1].hops == 3 &&
		    pongs->rows[1].switches == 1);
	free(pongs);
}

static void bad_tables_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{"ring\t0\t0\t64\t1\n", "table:2: hops: expected 1 to 65535, found \"0\""},
		{"ring\t1\t1\t64\t1\n", "table:2: switches: expected 0 to 0, found \"1\""},
		{"torus\t1\t1\t64\t1\n", "table:2: switches: expected 0 to 0, found \"1\""},
		{"star\t1\t0\t64\t1\n", "table:2: network: expected ring or torus, found \"star\""},
		{"ring\t1\t0\t64\t-1\n",
		 "table:2: pp_ns: expected nanoseconds above zero, found \"-1\""},
		{"ring\t1\t0\t64\tnan\n",
		 "table:2: pp_ns: expected nanoseconds above zero, found \"nan\""},
		{"ring\t1\t0\n", "table:2: expected more columns after \"ring\""},
		{"ring\t1\t0\t64\t5\nring\t1\t0\t64\t6\n",
		 "table:3: a second time of this path and size"},
	};
	struct sci_ping_pongs *pongs = calloc(1, sizeof(*pongs));
	struct tr_error err = {""};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		strcpy(text, "network\thops\tswitches\tsize_B\tpp_ns\n");
		strcat(text, bad[i][0]);
		assert_int_equal(read_text(text, pongs, &err), TR_ERROR);
		assert_string_equal(err.text, bad[i][1]);
	}
	assert_int_equal(read_text("size_B\tpp_ns\n1\t2\n", pongs, &err), TR_ERROR);
	free(pongs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_1_comes_back),
		cmocka_unit_test(the_bias_of_equation_20),
		cmocka_unit_test(the_noise_gain_by_hand),
		cmocka_unit_test(noise_stays_within_the_error),
		cmocka_unit_test(missing_times_give_nothing),
		cmocka_unit_test(deviations_on_a_line),
		cmocka_unit_test(tables_are_read),
		cmocka_unit_test(bad_tables_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
