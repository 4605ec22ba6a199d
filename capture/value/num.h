// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as users type them: strict, with units, exact.
#ifndef VALUE_NUM_H
#define VALUE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

// An exact number num/den, den > 0, in lowest terms.
struct num_ratio {
	int64_t num;
	int64_t den;
};

enum num_dimension {
	NUM_PLAIN,  // no unit, "%" allowed (2% is 1/50)
	NUM_TIME,   // s; ps ns us ms s m min h d
	NUM_RATE,   // b/s; b/s kb/s Mb/s Gb/s Tb/s, B/s kB/s MB/s GB/s, KiB/s MiB/s GiB/s
	NUM_SIZE,   // B; B kB MB GB TB KiB MiB GiB TiB
	NUM_LENGTH, // m; um mm cm m km ft
	NUM_SPEED,  // m/s; m/s km/s c (299,792,458 m/s)
};

// Reads a decimal number (12, 1.5, 2e-3) or a fraction (20/3) with an optional minus, followed by a
// unit of the dimension with at most one blank between; no unit means the base unit. Nothing may
// follow. TR_ERROR where it is malformed, has an unknown unit or does not fit; err then quotes the
// text and lists the units.
enum tr_status num_parse(const char *text, enum num_dimension dimension, struct num_ratio *out,
			 struct tr_error *err);

// A whole number min..max in decimal, no sign or blank before it.
enum tr_status num_parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *out,
			       struct tr_error *err);

// As num_parse_count, for a signed number.
enum tr_status num_parse_signed(const char *text, int64_t min, int64_t max, int64_t *out,
				struct tr_error *err);

// A finite real number, nothing after it, whatever the locale.
enum tr_status num_parse_real(const char *text, double *out, struct tr_error *err);

// num/den as a double.
double num_value(struct num_ratio ratio);

// Greatest common divisor of |a| and |b|; of a and 0 it is |a|.
__int128 num_gcd(__int128 a, __int128 b);

// floor(a/b), b > 0.
static inline int64_t num_floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

// num/den in lowest terms; false if it does not fit or den is 0.
bool num_ratio_make(__int128 num, __int128 den, struct num_ratio *out);

// Writes the number with the unit that suits it ("6.25 ns", "1.28 Gb/s", "64 KiB"), up to 6
// significant digits, into out; returns out.
const char *num_format(struct num_ratio ratio, enum num_dimension dimension, char *out,
		       size_t out_bytes);

// The same for a real number, to digits significant digits.
const char *num_show(double value, enum num_dimension dimension, int digits, char *out,
		     size_t out_bytes);

// Writes a finite number with the fewest digits, at least least_digits, that round-trip; returns
// out.
const char *num_format_real(double value, int least_digits, char *out, size_t out_bytes);

// Writes the number so that num_parse reads exactly the same ("6.25ns", "20/3"), in the unit that
// makes it shortest, into out (>= 64 bytes); returns out.
const char *num_format_exact(struct num_ratio ratio, enum num_dimension dimension, char *out,
			     size_t out_bytes);

#endif
