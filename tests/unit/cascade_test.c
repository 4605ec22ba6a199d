// SPDX-License-Identifier: GPL-3.0-or-later
// The cascade: variances at each octave of the tree compared with their closed form, and rejected
// models.
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

#define TEXT \
	"finest 1 ms\npackets 3\nspread 0.2\nsplit 5  # 16 ms\nsplit 3  # 8 ms\nsplit 1.5  # 4 " \
	"ms\nsplit 0.5  # 2 " \
	"ms\n"

static void near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", value, expected, tolerance);
}

// By hand: a split of shape 1/2 has the variance 1/2, of 3/2 1/4, of 3 1/7, of 5 1/11.
static void test_closed_form(void **unused)
{
	void *cascade = arrivals_bed_open(&cascade_family, TEXT);

	(void)unused;
	near(cascade_dispersion(cascade, 4), 1 + 48 * 0.2, 1e-9);
	near(cascade_dispersion(cascade, 3), 1 + 24 * (1.2 * (1 + 1.0 / 11) - 1), 1e-9);
	near(cascade_dispersion(cascade, 0),
	     1 + 3 * (1.2 * (1 + 1.0 / 11) * (1 + 1.0 / 7) * 1.25 * 1.5 - 1), 1e-9);
	near(cascade_family.arrivals->rate(cascade), 3000, 1e-9);
	arrivals_bed_close(&cascade_family, cascade);
}

// Of 40,000 segments; the estimates err by a hundredth or so.
static void test_made(void **unused)
{
	void *cascade = arrivals_bed_open(&cascade_family, TEXT);
	struct arrival_times times = arrivals_bed_times(&cascade_family, cascade, 5, 1e9,
							40000 * 16e6, 3000000);

	(void)unused;
	near((double)times.count, 40000 * 48, 0.012 * 40000 * 48);
	for (unsigned octave = 0; octave <= 4; octave++) {
		const double expected = cascade_dispersion(cascade, octave);

		near(arrivals_bed_dispersion(&times, ldexp(1e6, (int)octave)), expected,
		     0.05 * expected);
	}
	// Two segments have nothing in common.
	near(arrivals_bed_dispersion(&times, 64e6), cascade_dispersion(cascade, 4),
	     0.05 * cascade_dispersion(cascade, 4));
	free((void *)times.ticks);
	arrivals_bed_close(&cascade_family, cascade);
}

// Each bin of a segment has the same mean, from the first on.
static void test_start(void **unused)
{
	void *cascade = arrivals_bed_open(&cascade_family, TEXT);
	double packets[16] = {0};

	(void)unused;
	for (unsigned seed = 0; seed < 4000; seed++) {
		struct arrival_times times = arrivals_bed_times(&cascade_family, cascade, seed, 1e9,
								16e6, 4000);

		for (size_t i = 0; i < times.count; i++)
			packets[times.ticks[i] / 1000000]++;
		free((void *)times.ticks);
	}
	for (int i = 0; i < 16; i++)
		near(packets[i] / 4000, 3, 4 * sqrt(3 * cascade_dispersion(cascade, 0) / 4000));
	arrivals_bed_close(&cascade_family, cascade);
}

static void test_text(void **unused)
{
	void *cascade = arrivals_bed_open(&cascade_family, TEXT);
	char *text = arrivals_bed_text(&cascade_family, cascade),
	     many[1000] = "finest 1 ms\npackets 3\n";

	(void)unused;
	assert_string_equal(text, TEXT);
	free(text);
	arrivals_bed_close(&cascade_family, cascade);
	assert_non_null(strstr(arrivals_bed_refuses(&cascade_family, "finest 1 ms\npackets 3\n"),
			       "split is missing"));
	assert_non_null(
		strstr(arrivals_bed_refuses(&cascade_family, "finest 1 ms\npackets 3\nsplit 0\n"),
		       "t:4: split: 0 is outside"));
	assert_non_null(
		strstr(arrivals_bed_refuses(&cascade_family, "finest 1 ms\npackets 3\nsplit 1 s\n"),
		       "t:4: split: "));
	for (size_t i = 0, used = strlen(many); i < 33; i++)
		used += (size_t)snprintf(many + used, sizeof(many) - used, "split 1\n");
	assert_non_null(strstr(arrivals_bed_refuses(&cascade_family, many),
			       "t:36: split: there are more than 32 octaves"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_form), cmocka_unit_test(test_made),
		cmocka_unit_test(test_start), cmocka_unit_test(test_text)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
