// SPDX-License-Identifier: GPL-3.0-or-later
// Integer time. Ticks are converted to text or seconds here and nowhere else.
#ifndef VALUE_TICKS_H
#define VALUE_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/num.h"
#include "value/status.h"

#define TR_NS_PER_S 1000000000
#define TR_TICKS_PER_S_MAX ((uint64_t)1 << 62)

// The later of two times.
static inline int64_t ticks_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// floor(a * b / c) exactly; c > 0. The result must fit (checked with assert).
int64_t tr_mul_div_floor(int64_t a, uint64_t b, uint64_t c);

// Least common multiple; false where it is beyond TR_TICKS_PER_S_MAX.
bool tr_ticks_lcm(uint64_t a, uint64_t b, uint64_t *out);

// A duration in seconds as ticks. TR_ERROR if it is not a whole number (err suggests the nearest)
// or does not fit.
enum tr_status tr_ticks_exact(struct num_ratio seconds, uint64_t ticks_per_s, int64_t *out,
			      struct tr_error *err);

// The same, to the nearest tick, halves up; only "does not fit" fails.
enum tr_status tr_ticks_round(struct num_ratio seconds, uint64_t ticks_per_s, int64_t *out,
			      struct tr_error *err);

// ticks as seconds, rounded once.
double tr_ticks_seconds(int64_t ticks, uint64_t ticks_per_s);

// ticks as decimal seconds: exact if ticks_per_s divides a power of ten up to 1e18, else to 18
// decimals, rounded to nearest. No exponent, no trailing zeros beyond the point's first digit.
// Returns out (>= 48 bytes).
const char *tr_ticks_format(int64_t ticks, uint64_t ticks_per_s, char *out, size_t out_bytes);

// Reads decimal seconds (an optional minus, digits, a point and at most 18 decimals; nothing else)
// as the nearest tick: exactly what tr_ticks_format wrote if ticks_per_s <= 10^18. TR_ERROR if text
// is something else or does not fit.
enum tr_status tr_ticks_parse(const char *text, uint64_t ticks_per_s, int64_t *out,
			      struct tr_error *err);

// Reads a decimal number of units (a sign, digits, a point, an exponent; of any length) as the
// nearest tick, halves away from zero; ticks_per_unit <= 10^9. TR_ERROR as above.
enum tr_status tr_ticks_near(const char *text, uint64_t ticks_per_unit, int64_t *out,
			     struct tr_error *err);

// The instant ticks after the origin (seconds since the Unix epoch and nanoseconds below 1e9) as
// "2026-11-20T21:57:53.677629088Z", rounded down to a nanosecond; "-" where no calendar has it.
// Returns out (>= 48 bytes).
const char *tr_ticks_utc(int64_t ticks, uint64_t ticks_per_s, int64_t origin_s, uint32_t origin_ns,
			 char *out, size_t out_bytes);

#endif
