// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/ticks.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#define DECIMALS 18
#define DECIMAL_SCALE UINT64_C(1000000000000000000)

// floor(num / den), den > 0.
static __int128 ticks_floor_div(__int128 num, __int128 den)
{
	__int128 quotient = num / den;

	return quotient - (num % den < 0);
}

static bool fits_i64(__int128 value)
{
	return value >= INT64_MIN && value <= INT64_MAX;
}

int64_t tr_mul_div_floor(int64_t a, uint64_t b, uint64_t c)
{
	__int128 result = ticks_floor_div((__int128)a * b, c);

	assert(fits_i64(result));
	return (int64_t)result;
}

bool tr_ticks_lcm(uint64_t a, uint64_t b, uint64_t *out)
{
	unsigned __int128 lcm;

	if (!a || !b)
		return false;
	lcm = (unsigned __int128)a / (unsigned __int128)num_gcd(a, b) * b;
	if (lcm > TR_TICKS_PER_S_MAX)
		return false;
	*out = (uint64_t)lcm;
	return true;
}

// Nearest tick, halves up. |num| <= 2^63 and ticks_per_s <= 2^62 keep all below 2^127.
static __int128 ticks_nearest(struct num_ratio seconds, uint64_t ticks_per_s)
{
	return ticks_floor_div((__int128)seconds.num * ticks_per_s * 2 + seconds.den,
			       (__int128)seconds.den * 2);
}

enum tr_status tr_ticks_round(struct num_ratio seconds, uint64_t ticks_per_s, int64_t *out,
			      struct tr_error *err)
{
	__int128 ticks = ticks_nearest(seconds, ticks_per_s);
	char text[64];

	if (!fits_i64(ticks))
		return tr_fail(err, "%s is beyond the longest time at %" PRIu64 " ticks per second",
			       num_format(seconds, NUM_TIME, text, sizeof(text)), ticks_per_s);
	*out = (int64_t)ticks;
	return TR_OK;
}

enum tr_status tr_ticks_exact(struct num_ratio seconds, uint64_t ticks_per_s, int64_t *out,
			      struct tr_error *err)
{
	struct num_ratio whole;
	int64_t ticks = 0;
	char text[64];
	char near[64];

	if (tr_ticks_round(seconds, ticks_per_s, &ticks, err) != TR_OK)
		return TR_ERROR;
	if ((__int128)ticks * seconds.den != (__int128)seconds.num * ticks_per_s) {
		num_format_exact(seconds, NUM_TIME, text, sizeof(text));
		if (!num_ratio_make(ticks, (__int128)ticks_per_s, &whole))
			return tr_fail(err, "%s is not a whole number of ticks", text);
		return tr_fail(err,
			       "%s is not a whole number of ticks at %" PRIu64
			       " per second; the nearest that is: %s",
			       text, ticks_per_s,
			       num_format_exact(whole, NUM_TIME, near, sizeof(near)));
	}
	*out = ticks;
	return TR_OK;
}

double tr_ticks_seconds(int64_t ticks, uint64_t ticks_per_s)
{
	uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks;
	unsigned __int128 scaled;
	unsigned __int128 quotient;
	double seconds;
	int shift;

	if (!size)
		return 0.0;
	// The quotient has at least 64 bits, the lowest a sticky bit: it is rounded only once.
	shift = 63 + __builtin_clzll(size);
	scaled = (unsigned __int128)size << shift;
	quotient = scaled / ticks_per_s;
	quotient |= scaled % ticks_per_s != 0;
	seconds = ldexp((double)quotient, -shift);
	return ticks < 0 ? -seconds : seconds;
}

const char *tr_ticks_format(int64_t ticks, uint64_t ticks_per_s, char *out, size_t out_bytes)
{
	uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks;
	uint64_t whole = size / ticks_per_s;
	unsigned __int128 part = (unsigned __int128)(size % ticks_per_s) * DECIMAL_SCALE;
	uint64_t decimals = (uint64_t)((part + ticks_per_s / 2) / ticks_per_s);
	int length;

	if (decimals == DECIMAL_SCALE) {
		decimals = 0;
		whole++;
	}
	length = snprintf(out, out_bytes, "%s%" PRIu64 ".%0*" PRIu64, ticks < 0 ? "-" : "", whole,
			  DECIMALS, decimals);
	if (length < 0 || (size_t)length >= out_bytes)
		return out;
	while (out[length - 1] == '0' && out[length - 2] != '.')
		out[--length] = '\0';
	return out;
}

// Reads digits at *at into *value, adding their number to *count; false if value exceeds 64 bits.
static bool ticks_read_digits(const char **at, uint64_t *value, int *count)
{
	for (; **at >= '0' && **at <= '9'; ++*at, ++*count)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(**at - '0'), value))
			return false;
	return true;
}

enum tr_status tr_ticks_parse(const char *text, uint64_t ticks_per_s, int64_t *out,
			      struct tr_error *err)
{
	const char *at = text + (*text == '-');
	uint64_t whole = 0;
	uint64_t decimals = 0;
	uint64_t scale = 1;
	int digits = 0;
	int places = 0;
	__int128 ticks;
	bool fits = ticks_read_digits(&at, &whole, &digits);

	if (*at == '.')
		at++;
	fits = fits && ticks_read_digits(&at, &decimals, &places);
	if (!fits || !digits || places > DECIMALS || *at)
		return tr_fail(err, "'%.60s' is not a time in decimal seconds", text);
	for (; places; places--)
		scale *= 10;
	ticks = (__int128)((unsigned __int128)decimals * ticks_per_s / scale);
	ticks += (unsigned __int128)decimals * ticks_per_s % scale >= scale - scale / 2;
	if (whole > (uint64_t)INT64_MAX + 1 ||
	    (__int128)whole * ticks_per_s > (__int128)INT64_MAX + 1)
		return tr_fail(err, "'%.60s' is beyond the longest time", text);
	ticks += (__int128)whole * ticks_per_s;
	if (*text == '-')
		ticks = -ticks;
	if (!fits_i64(ticks))
		return tr_fail(err, "'%.60s' is beyond the longest time", text);
	*out = (int64_t)ticks;
	return TR_OK;
}

#define KEPT_DIGITS 28 // of a decimal number; further ones are far below a tick of the largest time

// Reads digits at *at: the first KEPT_DIGITS significant ones into *value, of which *dropped more
// follow. Returns how many there are.
static int read_leading(const char **at, unsigned __int128 *value, int *kept, int *dropped)
{
	int count = 0;

	for (; **at >= '0' && **at <= '9' && count < INT16_MAX; ++*at, count++) {
		if (*kept >= KEPT_DIGITS) {
			++*dropped;
			continue;
		}
		*value = *value * 10 + (unsigned)(**at - '0');
		*kept += *value > 0;
	}
	return count;
}

// An optional exponent at *at, bounded; false if malformed.
static bool read_power(const char **at, int *power)
{
	int value = 0, digits = 0;
	bool negative;

	if (**at != 'e' && **at != 'E')
		return true;
	++*at;
	negative = **at == '-';
	*at += **at == '-' || **at == '+';
	for (; **at >= '0' && **at <= '9'; ++*at, digits++)
		value = value < INT16_MAX ? value * 10 + (**at - '0') : value;
	*power += negative ? -value : value;
	return digits > 0;
}

// The size of mantissa * 10^power units in ticks, rounded; false if it does not fit.
static bool scale_ticks(unsigned __int128 mantissa, int power, uint64_t ticks_per_unit,
			int64_t *out)
{
	unsigned __int128 ticks = mantissa * ticks_per_unit, half = 0;

	for (; power > 0 && ticks > 0; power--) {
		if (ticks > INT64_MAX)
			return false;
		ticks *= 10;
	}
	for (; power < 0 && (ticks > 0 || half > 0); power++) {
		half = ticks % 10;
		ticks /= 10;
	}
	ticks += half >= 5;
	*out = (int64_t)ticks;
	return ticks <= INT64_MAX;
}

enum tr_status tr_ticks_near(const char *text, uint64_t ticks_per_unit, int64_t *out,
			     struct tr_error *err)
{
	const char *at = text + (*text == '-' || *text == '+');
	int kept = 0, power = 0, digits, places = 0;
	unsigned __int128 mantissa = 0;

	digits = read_leading(&at, &mantissa, &kept, &power);
	if (*at == '.') {
		int dropped = 0;

		at++;
		places = read_leading(&at, &mantissa, &kept, &dropped);
		power -= places - dropped;
	}
	if (digits + places == 0 || !read_power(&at, &power) || *at)
		return tr_fail(err, "'%.60s' is not a decimal number", text);
	if (!scale_ticks(mantissa, power, ticks_per_unit, out))
		return tr_fail(err, "'%.60s' is beyond the longest time", text);
	if (*text == '-')
		*out = -*out;
	return TR_OK;
}

const char *tr_ticks_utc(int64_t ticks, uint64_t ticks_per_s, int64_t origin_s, uint32_t origin_ns,
			 char *out, size_t out_bytes)
{
	__int128 rate = (__int128)ticks_per_s;
	__int128 seconds = ticks_floor_div(ticks, rate);
	__int128 ns = (ticks - seconds * rate) * TR_NS_PER_S / rate + origin_ns;
	struct tm calendar;
	char date[40];
	time_t clock;

	(void)snprintf(out, out_bytes, "-");
	seconds += (__int128)origin_s + ns / TR_NS_PER_S;
	if (!fits_i64(seconds))
		return out;
	clock = (time_t)seconds;
	if (gmtime_r(&clock, &calendar) &&
	    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &calendar))
		(void)snprintf(out, out_bytes, "%s.%09dZ", date, (int)(ns % TR_NS_PER_S));
	return out;
}
