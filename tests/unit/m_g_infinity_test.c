// SPDX-License-Identifier: GPL-3.0-or-later
// M/G/infinity sessions: the closed-form dispersion by a second algorithm and by simulation, and
// the stationary start.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals_bed.h"
#include "gen/families/processes.h"

#define EXPONENTIAL "session-gap 50 ms\nsession 200 ms\ninter-packet 5 ms\n"
#define PARETO "session-gap 50 ms\nsession 200 ms\ninter-packet 5 ms\nsession-law pareto 1.5\n"
#define LOGNORMAL \
	"session-gap 50 ms\nsession 200 ms\ninter-packet 5 ms\nsession-law lognormal 1.2\n"

static void near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", value, expected, tolerance);
}

// 1 + 2 / (gap mean t) times the integral of (t - u) R(u), where R(u) is that of P(L > x) from u
// on: by sums over fine steps.
static double by_sums(const struct m_g_infinity *parameters, double t_s)
{
	const int steps = 200000;
	const double step = t_s / steps;
	struct law_plan plan;
	double left = parameters->session.mean, sum = 0;

	assert_int_equal(law_plan_make(&plan, &parameters->session, 1, NULL), TR_OK);
	for (int i = 0; i < steps; i++) {
		const double half = left - step / 2 * plan.kind->survival(&plan, (i + 0.25) * step);

		sum += (t_s - (i + 0.5) * step) * half * step;
		left -= step * plan.kind->survival(&plan, (i + 0.5) * step);
	}
	law_plan_clear(&plan);
	return 1 + 2 * sum / (parameters->packet_gap_s * parameters->session.mean * t_s);
}

static void test_dispersion(void **unused)
{
	static const char *const texts[] = {EXPONENTIAL, PARETO, LOGNORMAL};

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
		void *sessions = arrivals_bed_open(&m_g_infinity_family, texts[i]);

		for (double t_s = 0.003; t_s < 20; t_s *= 7) {
			const double expected = by_sums(sessions, t_s);

			near(m_g_infinity_dispersion(sessions, t_s), expected, 1e-4 * expected);
		}
		arrivals_bed_close(&m_g_infinity_family, sessions);
	}
}

// Without a tail there is a limit, 1 + E(L^2) / E(L) / gap: here 1 + 2 x 200/5.
static void test_limit(void **unused)
{
	void *sessions = arrivals_bed_open(&m_g_infinity_family, EXPONENTIAL);

	(void)unused;
	near(m_g_infinity_dispersion(sessions, 1e6), 81, 1e-3);
	near(m_g_infinity_family.arrivals->rate(sessions), 800, 1e-9);
	arrivals_bed_close(&m_g_infinity_family, sessions);
}

// Tolerances are some three standard errors of this seed's estimate.
static void test_made(void **unused)
{
	static const char *const texts[] = {EXPONENTIAL, PARETO, LOGNORMAL};

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
		void *sessions = arrivals_bed_open(&m_g_infinity_family, texts[i]);
		struct arrival_times times = arrivals_bed_times(&m_g_infinity_family, sessions, 3,
								1e9, 1e18, 1000000);

		for (double t_s = 0.002; t_s < 2; t_s *= 10) {
			const double expected = m_g_infinity_dispersion(sessions, t_s);

			near(arrivals_bed_dispersion(&times, t_s * 1e9), expected, 0.15 * expected);
		}
		near((double)times.count / (double)times.end_ticks * 1e9, 800, i == 1 ? 80 : 30);
		free((void *)times.ticks);
		arrivals_bed_close(&m_g_infinity_family, sessions);
	}
}

// Over seeds the first 10 ms have the mean of all, 8 packets; its deviation is 4.8, that of 4000
// runs' mean .08.
static void test_start(void **unused)
{
	void *sessions = arrivals_bed_open(&m_g_infinity_family, PARETO);
	double packets = 0;

	(void)unused;
	for (unsigned seed = 0; seed < 4000; seed++) {
		struct arrival_times times = arrivals_bed_times(&m_g_infinity_family, sessions,
								seed, 1e9, 1e7, 1000);

		packets += (double)times.count;
		free((void *)times.ticks);
	}
	near(packets / 4000, 8, 0.25);
	arrivals_bed_close(&m_g_infinity_family, sessions);
}

static void test_text(void **unused)
{
	void *sessions = arrivals_bed_open(&m_g_infinity_family, PARETO);
	char *text = arrivals_bed_text(&m_g_infinity_family, sessions);

	(void)unused;
	assert_string_equal(text, PARETO);
	free(text);
	arrivals_bed_close(&m_g_infinity_family, sessions);
	assert_non_null(
		strstr(arrivals_bed_refuses(&m_g_infinity_family,
					    "session-gap 1 ns\nsession 1 s\ninter-packet 1 s\n"),
		       "t:3: session: 1e+09 sessions at a time"));
	assert_non_null(strstr(
		arrivals_bed_refuses(&m_g_infinity_family, "session 1 s\ninter-packet 1 s\n"),
		"session-gap is missing"));
	assert_non_null(strstr(
		arrivals_bed_refuses(&m_g_infinity_family, EXPONENTIAL "session-law pareto 1\n"),
		"t:5: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dispersion), cmocka_unit_test(test_limit),
		cmocka_unit_test(test_made), cmocka_unit_test(test_start),
		cmocka_unit_test(test_text)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
