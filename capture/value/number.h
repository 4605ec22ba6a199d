// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers for people to read: grouped thousands, significant digits, a suitable unit.
#ifndef VALUE_NUMBER_H
#define VALUE_NUMBER_H

#include <stdint.h>

struct number {
	char text[48];
};

// "12,345,678".
struct number number_count(uint64_t value);

// digits (1..9) significant digits, without an exponent from 1e-4 up to 1e9 ("0.00123", "12,300"),
// else with one; "0" for 0; "-" if the value is not finite.
struct number number_real(double value, int digits);

// share * 100 to digits significant digits and "%".
struct number number_percent(double share, int digits);

// The value with a suitable unit: "1.23 ms", "34.2 MB", "1.28 Gb/s" (powers of 1,000).
struct number number_time(double seconds, int digits);
struct number number_bytes(double bytes, int digits);
struct number number_bit_rate(double bits_per_s, int digits);

// A width that was chosen and not measured, to at most 4 digits and without zeros at the end: "10
// ms", "2.5 s".
struct number number_width(double seconds);

// "0.71 to 0.84"; "-" where a bound is not finite.
struct number number_range(double lo, double hi, int digits);

// The value, or its interval as "0.71 to 0.84", to the decimal place of the second digit of the
// interval's half width; to 4 digits, or whole, if the interval is not finite or has no width; up
// to two more places for a value small against its interval.
struct number number_error(double value, double lo, double hi);
struct number number_error_range(double lo, double hi);

// One unit for a whole column or axis: value / factor is the number in unit.
struct number_unit {
	double factor;
	const char *name;
};

// The unit in which largest (s, B) is at least 1; the smallest unit for 0.
struct number_unit number_time_unit(double largest_s);
struct number_unit number_bytes_unit(double largest_bytes);

#endif
