// SPDX-License-Identifier: GPL-3.0-or-later
// The published equations and the values that follow from them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "fabric_bed.h"
#include "net/myrinet/formula.h"

static void share_of_busy_outputs(void **state)
{
	(void)state;
	assert_true(fabs(myr_occupancy(1) - 1) <= 0);
	assert_true(fabs(myr_occupancy(2) - 0.75) <= 1e-15);
	assert_true(fabs(myr_occupancy(7) - 0.6601) <= 5e-5);
}

// Values that the equations give at 1.28 Gb/s over one switch and two cables of 10 m.
static void printed_values(void **state)
{
	static const struct {
		uint32_t size;
		double c, peak_Mbps, one_way_ns;
	} rows[] = {
		{4, 1, 465.5, 167.4}, {4, .66, 307.2, 196.3},	{64, 1, 0, 542.4},
		{64, .66, 0, 764.6},  {8192, 1, 1278.9, 51340}, {8192, .66, 844, 77700},
	};
	const struct myr_params george = preset_called("george");
	const struct myr_params *params = &george;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double peak = myr_occupancy_peak_bps(params, rows[i].c, 1, rows[i].size) / 1e6;
		double one_way = 1e9 * myr_occupancy_one_way_s(params, rows[i].c, 1, rows[i].size);

		if (rows[i].peak_Mbps > 0)
			assert_true(fabs(peak - rows[i].peak_Mbps) <= 0.1);
		assert_true(fabs(one_way - rows[i].one_way_ns) <= rows[i].one_way_ns * 6e-4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(share_of_busy_outputs),
		cmocka_unit_test(printed_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
