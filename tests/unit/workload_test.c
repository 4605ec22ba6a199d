// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/intervals/workload.h"

// Yates 1997, equations 3.4 and 3.5 for 256 x 256 points.
static void published_totals(void **state)
{
	static const struct {
		uint32_t nodes;
		uint64_t rc, vr;
	} rows[] = {{2, 786432, 786432},    {4, 1179648, 1310720},  {8, 1376256, 1703936},
		    {16, 1474560, 2031616}, {32, 1523712, 2326528}, {64, 1548288, 2605056},
		    {128, 1560576, 2875392}};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(workload_bytes("rc:256", rows[i].nodes, &bytes, NULL), TR_OK);
		assert_int_equal(bytes, rows[i].rc);
		assert_int_equal(workload_bytes("vr:256", rows[i].nodes, &bytes, NULL), TR_OK);
		assert_int_equal(bytes, rows[i].vr);
	}
}

static void others_are_refused(void **state)
{
	static const char *const bad[] = {"",	  "rc",	     "rc:",	"rc:0",
					  "rc:x", "fft:256", "rc:256 ", "rc:1048577"};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(workload_bytes(bad[i], 4, &bytes, NULL), TR_ERROR);
	assert_int_equal(workload_bytes("rc:256", 3, &bytes, NULL), TR_ERROR);
	assert_int_equal(workload_bytes("rc:256", 1, &bytes, NULL), TR_ERROR);
	assert_int_equal(workload_bytes("rc:2", 8, &bytes, NULL), TR_ERROR);
	assert_int_equal(workload_bytes("vr:1048576", 1048576, &bytes, NULL), TR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_totals),
		cmocka_unit_test(others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
