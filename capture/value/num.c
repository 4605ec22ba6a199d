// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/num.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct num_unit {
	enum num_dimension dimension;
	const char *word;
	int64_t num; // the unit is num/den of the dimension's base unit
	int64_t den;
	bool shown; // num_format may choose it
};

// All units, the shown ones of each dimension from small to large; ends with a NULL word.
static const struct num_unit num_units[] = {
	{NUM_PLAIN, "%", 1, 100, false},
	{NUM_TIME, "ps", 1, 1000000000000, true},
	{NUM_TIME, "ns", 1, 1000000000, true},
	{NUM_TIME, "us", 1, 1000000, true},
	{NUM_TIME, "ms", 1, 1000, true},
	{NUM_TIME, "s", 1, 1, true},
	{NUM_TIME, "m", 60, 1, false},
	{NUM_TIME, "min", 60, 1, false},
	{NUM_TIME, "h", 3600, 1, false},
	{NUM_TIME, "d", 86400, 1, false},
	{NUM_RATE, "b/s", 1, 1, true},
	{NUM_RATE, "kb/s", 1000, 1, true},
	{NUM_RATE, "Mb/s", 1000000, 1, true},
	{NUM_RATE, "Gb/s", 1000000000, 1, true},
	{NUM_RATE, "Tb/s", 1000000000000, 1, true},
	{NUM_RATE, "B/s", 8, 1, false},
	{NUM_RATE, "kB/s", 8000, 1, false},
	{NUM_RATE, "MB/s", 8000000, 1, false},
	{NUM_RATE, "GB/s", 8000000000, 1, false},
	{NUM_RATE, "KiB/s", 8192, 1, false},
	{NUM_RATE, "MiB/s", 8388608, 1, false},
	{NUM_RATE, "GiB/s", 8589934592, 1, false},
	{NUM_SIZE, "B", 1, 1, true},
	{NUM_SIZE, "kB", 1000, 1, true},
	{NUM_SIZE, "MB", 1000000, 1, true},
	{NUM_SIZE, "GB", 1000000000, 1, true},
	{NUM_SIZE, "TB", 1000000000000, 1, true},
	{NUM_SIZE, "KiB", 1024, 1, false},
	{NUM_SIZE, "MiB", 1048576, 1, false},
	{NUM_SIZE, "GiB", 1073741824, 1, false},
	{NUM_SIZE, "TiB", 1099511627776, 1, false},
	{NUM_LENGTH, "um", 1, 1000000, true},
	{NUM_LENGTH, "mm", 1, 1000, true},
	{NUM_LENGTH, "cm", 1, 100, false},
	{NUM_LENGTH, "m", 1, 1, true},
	{NUM_LENGTH, "km", 1000, 1, true},
	{NUM_LENGTH, "ft", 381, 1250, false},
	{NUM_SPEED, "m/s", 1, 1, true},
	{NUM_SPEED, "km/s", 1000, 1, true},
	{NUM_SPEED, "c", 299792458, 1, false},
	{NUM_PLAIN, NULL, 0, 1, false},
};

// The row of a word, NULL if the dimension has no such unit.
static const struct num_unit *num_unit_find(enum num_dimension dimension, const char *word)
{
	for (const struct num_unit *unit = num_units; unit->word; unit++)
		if (unit->dimension == dimension && !strcmp(unit->word, word))
			return unit;
	return NULL;
}

#define EXPONENT_MAX 36 // |power of ten| beyond which a number cannot fit

__int128 num_gcd(__int128 a, __int128 b)
{
	while (b) {
		__int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

bool num_ratio_make(__int128 num, __int128 den, struct num_ratio *out)
{
	__int128 common;

	if (!den)
		return false;
	common = num_gcd(num, den);
	num /= den < 0 ? -common : common;
	den /= den < 0 ? -common : common;
	if (num > INT64_MAX || num < INT64_MIN || den > INT64_MAX)
		return false;
	*out = (struct num_ratio){(int64_t)num, (int64_t)den};
	return true;
}

// mantissa * 10^power.
static bool ratio_decimal(__int128 mantissa, int power, struct num_ratio *out)
{
	__int128 num = mantissa;
	__int128 den = 1;

	if (!mantissa)
		return num_ratio_make(0, 1, out);
	if (power > EXPONENT_MAX || power < -EXPONENT_MAX)
		return false;
	for (; power > 0; power--)
		if (__builtin_mul_overflow(num, 10, &num))
			return false;
	for (; power < 0; power++)
		den *= 10;
	return num_ratio_make(num, den, out);
}

static bool num_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

// Reads digits at *at into *value, counting them; digits beyond 10^36 make *fits false.
static int num_read_digits(const char **at, __int128 *value, bool *fits)
{
	const __int128 bound = (__int128)1000000000000000000 * 1000000000000000000;
	int count = 0;

	for (; num_is_digit(**at); ++*at, count++) {
		if (*value >= bound)
			*fits = false;
		else
			*value = *value * 10 + (**at - '0');
	}
	return count;
}

// Reads an optional exponent ("e-3") at *at; false if malformed.
static bool read_exponent(const char **at, int *power, bool *fits)
{
	const char *digits = *at + 1;
	__int128 value = 0;
	bool negative;

	if (**at != 'e' && **at != 'E')
		return true;
	negative = *digits == '-';
	if (*digits == '-' || *digits == '+')
		digits++;
	if (!num_read_digits(&digits, &value, fits))
		return false;
	if (value > 1000)
		value = 1000;
	*power += negative ? -(int)value : (int)value;
	*at = digits;
	return true;
}

enum num_reading { READ_OK, READ_MALFORMED, READ_TOO_LARGE };

// Reads an unsigned decimal or fraction at *at.
static enum num_reading num_read_number(const char **at, struct num_ratio *out)
{
	__int128 mantissa = 0;
	__int128 den = 0;
	bool fits = true;
	int power = 0;
	int digits = num_read_digits(at, &mantissa, &fits);

	if (digits && **at == '/') {
		++*at;
		if (!num_read_digits(at, &den, &fits))
			return READ_MALFORMED;
		return fits && num_ratio_make(mantissa, den, out) ? READ_OK : READ_TOO_LARGE;
	}
	if (**at == '.') {
		++*at;
		power = -num_read_digits(at, &mantissa, &fits);
		digits -= power;
	}
	if (!digits || !read_exponent(at, &power, &fits))
		return READ_MALFORMED;
	return fits && ratio_decimal(mantissa, power, out) ? READ_OK : READ_TOO_LARGE;
}

// "a number followed by s, ms, ...", for messages.
static const char *expectation(enum num_dimension dimension, char *out, size_t out_bytes)
{
	size_t used;

	if (dimension == NUM_PLAIN) {
		(void)snprintf(out, out_bytes, "a number, with %% if it is a percentage");
		return out;
	}
	used = (size_t)snprintf(out, out_bytes, "a number and one of the units");
	for (const struct num_unit *unit = num_units; unit->word; unit++)
		if (unit->dimension == dimension && used < out_bytes)
			used += (size_t)snprintf(out + used, out_bytes - used, " %s", unit->word);
	return out;
}

enum tr_status num_parse(const char *text, enum num_dimension dimension, struct num_ratio *out,
			 struct tr_error *err)
{
	const char *at = text + (*text == '-');
	const struct num_unit *unit = NULL;
	struct num_ratio value = {0, 1};
	char expected[256];
	enum num_reading reading = num_read_number(&at, &value);

	if (reading != READ_MALFORMED && *at) {
		unit = num_unit_find(dimension, at + (*at == ' '));
		if (!unit)
			reading = READ_MALFORMED;
	}
	if (reading == READ_MALFORMED)
		return tr_fail(err, "'%.100s' is not %s", text,
			       expectation(dimension, expected, sizeof(expected)));
	if (unit && reading == READ_OK &&
	    !num_ratio_make((__int128)value.num * unit->num, (__int128)value.den * unit->den,
			    &value))
		reading = READ_TOO_LARGE;
	if (reading == READ_TOO_LARGE)
		return tr_fail(err, "'%.100s' has too many digits", text);
	*out = value;
	if (*text == '-')
		out->num = -out->num;
	return TR_OK;
}

// An unsigned decimal of digits only.
static enum num_reading read_whole(const char *text, __int128 *value)
{
	bool fits = true;

	*value = 0;
	if (!num_read_digits(&text, value, &fits) || *text)
		return READ_MALFORMED;
	return fits ? READ_OK : READ_TOO_LARGE;
}

enum tr_status num_parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *out,
			       struct tr_error *err)
{
	__int128 value;

	if (read_whole(text, &value) != READ_OK || value < min || value > max)
		return tr_fail(err, "'%.100s' is not a whole number from %" PRIu64 " to %" PRIu64,
			       text, min, max);
	*out = (uint64_t)value;
	return TR_OK;
}

enum tr_status num_parse_signed(const char *text, int64_t min, int64_t max, int64_t *out,
				struct tr_error *err)
{
	bool negative = *text == '-';
	__int128 value;
	enum num_reading reading = read_whole(text + negative, &value);

	if (negative)
		value = -value;
	if (reading != READ_OK || value < min || value > max)
		return tr_fail(err, "'%.100s' is not a whole number from %" PRId64 " to %" PRId64,
			       text, min, max);
	*out = (int64_t)value;
	return TR_OK;
}

// Whether text is a decimal real (digits, point, exponent) and nothing else.
static bool is_decimal_real(const char *text)
{
	const char *at = text + (*text == '-' || *text == '+');
	__int128 ignored = 0;
	bool fits = true;
	int power = 0;
	int digits = num_read_digits(&at, &ignored, &fits);

	if (*at == '.') {
		at++;
		digits += num_read_digits(&at, &ignored, &fits);
	}
	return digits && read_exponent(&at, &power, &fits) && !*at;
}

enum tr_status num_parse_real(const char *text, double *out, struct tr_error *err)
{
	locale_t c_locale;
	double value;

	if (!is_decimal_real(text))
		return tr_fail(err, "'%.100s' is not a real number", text);
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c_locale)
		return tr_fail(err, "cannot read '%.100s': %s", text, strerror(errno));
	value = strtod_l(text, NULL, c_locale);
	freelocale(c_locale);
	if (!isfinite(value))
		return tr_fail(err, "'%.100s' is too large", text);
	*out = value;
	return TR_OK;
}

double num_value(struct num_ratio ratio)
{
	return (double)((long double)ratio.num / (long double)ratio.den);
}

// ---- numbers as text

#define TEXT_MAX 64 // longest written number

// The largest shown unit that the value reaches, else the smallest; NULL: no units.
static const struct num_unit *suited(long double size, enum num_dimension dimension)
{
	const struct num_unit *found = NULL;

	for (const struct num_unit *unit = num_units; unit->word; unit++) {
		bool reaches = size * (long double)unit->den >= (long double)unit->num;
		bool base = unit->num == 1 && unit->den == 1;

		if (unit->dimension == dimension && unit->shown &&
		    (!found || reaches || (base && size == 0)))
			found = unit;
	}
	return found;
}

// Writes a whole multiple of the largest binary unit of size that divides ratio.
static bool write_binary(struct num_ratio ratio, char *out, size_t out_bytes)
{
	const struct num_unit *found = NULL;

	for (const struct num_unit *unit = num_units; unit->word; unit++)
		if (unit->dimension == NUM_SIZE && !unit->shown && ratio.num && ratio.den == 1 &&
		    ratio.num % unit->num == 0)
			found = unit;
	if (found)
		(void)snprintf(out, out_bytes, "%" PRId64 " %s", ratio.num / found->num,
			       found->word);
	return found;
}

const char *num_format(struct num_ratio ratio, enum num_dimension dimension, char *out,
		       size_t out_bytes)
{
	long double value = (long double)ratio.num / (long double)ratio.den;
	const struct num_unit *unit = suited(fabsl(value), dimension);
	char binary[TEXT_MAX];

	if (unit)
		value = value / (long double)unit->num * (long double)unit->den;
	(void)snprintf(out, out_bytes, "%.6Lg%s%s", value, unit ? " " : "", unit ? unit->word : "");
	if (dimension == NUM_SIZE && write_binary(ratio, binary, sizeof(binary)) &&
	    strlen(binary) <= strlen(out))
		(void)snprintf(out, out_bytes, "%s", binary);
	return out;
}

const char *num_show(double value, enum num_dimension dimension, int digits, char *out,
		     size_t out_bytes)
{
	const struct num_unit *unit = suited(fabs(value), dimension);
	const double factor = unit ? (double)unit->num / (double)unit->den : 1;

	(void)snprintf(out, out_bytes, "%.*g%s%s", digits, value / factor, unit ? " " : "",
		       unit ? unit->word : "");
	return out;
}

const char *num_format_real(double value, int least_digits, char *out, size_t out_bytes)
{
	for (int digits = least_digits; digits <= 17; digits++) {
		(void)snprintf(out, out_bytes, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	return out;
}

// Writes ratio as an exact decimal; false if that takes more than 18 decimals.
static bool write_decimal(struct num_ratio ratio, char *out, size_t out_bytes)
{
	char digits[44];
	int64_t power = 1;
	int places = 0;
	__int128 scaled;
	int length;

	for (; power % ratio.den; power *= 10)
		if (++places > 18)
			return false;
	scaled = (__int128)ratio.num * (power / ratio.den);
	if (scaled < 0)
		scaled = -scaled;
	if (scaled / power > INT64_MAX)
		return false;
	length = snprintf(digits, sizeof(digits), "%" PRId64 ".%0*" PRId64,
			  (int64_t)(scaled / power), places, (int64_t)(scaled % power));
	if (!places)
		digits[length - 2] = '\0';
	(void)snprintf(out, out_bytes, "%s%s", ratio.num < 0 ? "-" : "", digits);
	return true;
}

const char *num_format_exact(struct num_ratio ratio, enum num_dimension dimension, char *out,
			     size_t out_bytes)
{
	char best[TEXT_MAX] = "";
	char text[TEXT_MAX];
	char number[TEXT_MAX / 2 + 16];
	struct num_ratio in_unit;

	if (dimension == NUM_PLAIN && write_decimal(ratio, number, sizeof(number)))
		(void)snprintf(best, sizeof(best), "%s", number);
	for (const struct num_unit *unit = num_units; unit->word && dimension != NUM_PLAIN;
	     unit++) {
		if (unit->dimension != dimension ||
		    !num_ratio_make((__int128)ratio.num * unit->den,
				    (__int128)ratio.den * unit->num, &in_unit) ||
		    !write_decimal(in_unit, number, sizeof(number)))
			continue;
		(void)snprintf(text, sizeof(text), "%s%s", number, unit->word);
		if (!*best || strlen(text) < strlen(best) ||
		    (unit->shown && strlen(text) == strlen(best)))
			(void)snprintf(best, sizeof(best), "%s", text);
	}
	if (*best)
		(void)snprintf(out, out_bytes, "%s", best);
	else
		(void)snprintf(out, out_bytes, "%" PRId64 "/%" PRId64, ratio.num, ratio.den);
	return out;
}
