// SPDX-License-Identifier: GPL-3.0-or-later
// Time stamps in every unit that pcapng allows, converted to nanoseconds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "packet/pcapng_block.h"

static const struct {
	uint8_t resolution; // if_tsresol
	int64_t offset_s;
	uint64_t stamp;
	bool held;
	int64_t time_ns;
} stamps[] = {
	{6, 0, 1700000000123456, true, 1700000000123456000},
	{9, 0, 1700000000123456789, true, 1700000000123456789},
	{0, 0, 1700000000, true, 1700000000000000000},
	{3, 0, 1700000000123, true, 1700000000123000000},
	{12, 0, 1700000000123456789, true, 1700000000123456},
	{9 + 19, 0, 18446744073709551615u, true, 1},
	{9 + 20, 0, 18446744073709551615u, true, 0}, // a quotient below one
	{127, 0, 18446744073709551615u, true, 0},
	{0x80, 0, 1700000000, true, 1700000000000000000},
	{0x80 | 1, 0, 3, true, 1500000000},
	{0x80 | 20, 0, 1700000000ull << 20 | 524288, true, 1700000000500000000},
	{0x80 | 32, 0, 1700000000ull << 32 | 1, true, 1700000000000000000}, // .23 ns, down
	{0x80 | 32, 0, 1700000000ull << 32 | 5, true, 1700000000000000001},
	{0x80 | 63, 0, 18446744073709551615u, true, 1999999999},
	{0x80 | 127, 0, 18446744073709551615u, true, 0},
	{6, 1700000000, 5, true, 1700000000000005000},
	{6, -1, 1700000001000000, true, 1700000000000000000},
	{6, -3600, 0, true, -3600000000000},
	// Beyond what 64 bits of nanoseconds hold, at both ends.
	{9, 0, 9223372036854775807, true, 9223372036854775807},
	{9, 0, 9223372036854775808u, false, 0},
	{6, 0, 18446744073709551615u, false, 0},
	{0, 0, 18446744073709551615u, false, 0},
	{9, INT64_MAX, 0, false, 0},
	{9, INT64_MIN, 0, false, 0},
	{9, -9223372036, 0, false, 0}, // within the last second that could not be a whole origin
	{9, -9223372035, 0, true, -9223372035000000000},
};

static void test_stamps(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(stamps) / sizeof(*stamps); i++) {
		struct pk_interface interface = {.offset_s = stamps[i].offset_s};
		int64_t time_ns = 42;

		pk_interface_set_resolution(&interface, stamps[i].resolution);
		if (pk_interface_time(&interface, stamps[i].stamp, &time_ns) != stamps[i].held)
			fail_msg("row %zu", i);
		assert_int_equal(time_ns, stamps[i].held ? stamps[i].time_ns : 42);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_stamps)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
