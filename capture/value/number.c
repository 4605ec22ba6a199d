// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FURTHER 2 // extra places beyond those of the error

static const struct number nothing = {"-"};

static const struct number_unit time_units[] = {
	{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}, {0, NULL},
};
static const struct number_unit byte_units[] = {
	{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {0, NULL},
};
static const struct number_unit bit_rate_units[] = {
	{1, "b/s"}, {1e3, "kb/s"}, {1e6, "Mb/s"}, {1e9, "Gb/s"}, {1e12, "Tb/s"}, {0, NULL},
};

// Puts commas between the thousands of the digits before the point.
static struct number grouped(const char *plain)
{
	struct number out = {""};
	size_t sign = *plain == '-', whole = sign + strspn(plain + sign, "0123456789"), at = 0;

	for (size_t i = 0; plain[i] && at + 2 < sizeof(out.text); i++) {
		if (i > sign && i < whole && (whole - i) % 3 == 0)
			out.text[at++] = ',';
		out.text[at++] = plain[i];
	}
	out.text[at] = '\0';
	return out;
}

struct number number_count(uint64_t value)
{
	char plain[24];

	(void)snprintf(plain, sizeof(plain), "%" PRIu64, value);
	return grouped(plain);
}

// Decimal exponent of size once it is rounded to digits significant digits; 0 for 0 and what is not
// finite.
static int exponent_of(double size, int digits)
{
	if (size == 0 || !isfinite(size))
		return 0;
	int exponent = (int)floor(log10(size));
	double unit = pow(10, exponent - digits + 1);

	return exponent + (rint(size / unit) >= pow(10, digits));
}

struct number number_real(double value, int digits)
{
	double size = fabs(value);
	char plain[40];

	if (!isfinite(value))
		return nothing;
	if (size == 0)
		return number_count(0);
	if (size < 1e-4 || size >= 1e9) {
		(void)snprintf(plain, sizeof(plain), "%.*e", digits - 1, value);
		return grouped(plain);
	}
	int exponent = exponent_of(size, digits);
	int decimals = digits - 1 - exponent;

	(void)snprintf(plain, sizeof(plain), "%.*f", decimals > 0 ? decimals : 0, value);
	return grouped(plain);
}

static struct number with_unit(double value, struct number_unit unit, int digits)
{
	struct number number = number_real(value / unit.factor, digits), out;

	if (!isfinite(value))
		return nothing;
	(void)snprintf(out.text, sizeof(out.text), "%.32s %s", number.text, unit.name);
	return out;
}

static struct number_unit unit_for(const struct number_unit *units, double largest)
{
	size_t i = 0;

	while (units[i + 1].name && fabs(largest) >= units[i + 1].factor)
		i++;
	return units[i];
}

// Also the next unit, where a value rounded to digits reaches it: "1.00 ms" and not "1,000 µs".
static struct number_unit unit_shown(const struct number_unit *units, double value, int digits)
{
	const double place = pow(10, exponent_of(fabs(value), digits) - digits + 1);

	return unit_for(units, isfinite(value) ? rint(value / place) * place * (1 + 1e-12) : 0);
}

struct number number_percent(double share, int digits)
{
	return with_unit(share * 100, (struct number_unit){1, "%"}, digits);
}

struct number number_time(double seconds, int digits)
{
	return with_unit(seconds, unit_shown(time_units, seconds, digits), digits);
}

struct number number_bytes(double bytes, int digits)
{
	return with_unit(bytes, unit_shown(byte_units, bytes, digits), digits);
}

struct number number_bit_rate(double bits_per_s, int digits)
{
	return with_unit(bits_per_s, unit_shown(bit_rate_units, bits_per_s, digits), digits);
}

struct number number_width(double seconds)
{
	const struct number_unit unit = unit_for(time_units, seconds * (1 + 1e-9));
	struct number out = nothing;

	if (isfinite(seconds))
		(void)snprintf(out.text, sizeof(out.text), "%.4g %s", seconds / unit.factor,
			       unit.name);
	return out;
}

struct number number_range(double lo, double hi, int digits)
{
	struct number a = number_real(lo, digits), b = number_real(hi, digits), out;

	if (!isfinite(lo) || !isfinite(hi))
		return nothing;
	(void)snprintf(out.text, sizeof(out.text), "%.20s to %.20s", a.text, b.text);
	return out;
}

// Rounds to decimals, negative ones to tens and hundreds; as number_real if that makes no sense.
static struct number to_place(double value, int decimals)
{
	const double place = pow(10, -decimals);
	char plain[40];

	if (decimals > 9 || fabs(value) >= 1e9)
		return number_real(value, 2);
	// Adding 0 turns -0 into 0.
	(void)snprintf(plain, sizeof(plain), "%.*f", decimals > 0 ? decimals : 0,
		       rint(value / place) * place + 0.0);
	return grouped(plain);
}

// A value without an interval, or one of no width: 4 digits, but no point after a whole number.
static struct number without_error(double value)
{
	return isfinite(value) && fabs(value) < 1e9 && rint(value) == value ? to_place(value, 0)
									    : number_real(value, 4);
}

struct number number_error(double value, double lo, double hi)
{
	const double half = (hi - lo) / 2;
	int decimals;

	if (!isfinite(value) || !isfinite(half) || !(half > 0))
		return without_error(value);
	decimals = 1 - exponent_of(half, 2);
	// A value small against its error keeps two digits.
	for (int more = 0;
	     more < FURTHER && value != 0 && 1 - exponent_of(fabs(value), 2) > decimals; more++)
		decimals++;
	return to_place(value, decimals);
}

struct number number_error_range(double lo, double hi)
{
	const double half = (hi - lo) / 2;
	struct number a, b, out;

	if (!isfinite(half))
		return nothing;
	a = half > 0 ? to_place(lo, 1 - exponent_of(half, 2)) : without_error(lo);
	b = half > 0 ? to_place(hi, 1 - exponent_of(half, 2)) : without_error(hi);
	(void)snprintf(out.text, sizeof(out.text), "%.20s to %.20s", a.text, b.text);
	return out;
}

struct number_unit number_time_unit(double largest_s)
{
	return unit_for(time_units, largest_s);
}

struct number_unit number_bytes_unit(double largest_bytes)
{
	return unit_for(byte_units, largest_bytes);
}
