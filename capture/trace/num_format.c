// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/unit.h"

#define TEXT_MAX 64 // longest written number

// The largest shown unit that the value reaches, the smallest where it reaches none; NULL: no units.
static const struct num_unit *suited(long double size, enum num_dimension dimension)
{
	const struct num_unit *found = NULL;

	for (const struct num_unit *unit = num_units; unit->word; unit++) {
		bool reaches = size * (long double)unit->den >= (long double)unit->num;
		bool base = unit->num == 1 && unit->den == 1;

		if (unit->dimension == dimension && unit->shown && (!found || reaches || (base && size == 0)))
			found = unit;
	}
	return found;
}

// Whole multiples of the binary units of size: the largest that divides.
static bool write_binary(struct num_ratio ratio, char *out, size_t out_bytes)
{
	const struct num_unit *found = NULL;

	for (const struct num_unit *unit = num_units; unit->word; unit++)
		if (unit->dimension == NUM_SIZE && !unit->shown && ratio.num && ratio.den == 1 && ratio.num % unit->num == 0)
			found = unit;
	if (found)
		(void)snprintf(out, out_bytes, "%" PRId64 " %s", ratio.num / found->num, found->word);
	return found;
}

const char *num_format(struct num_ratio ratio, enum num_dimension dimension, char *out, size_t out_bytes)
{
	long double value = (long double)ratio.num / (long double)ratio.den;
	const struct num_unit *unit = suited(fabsl(value), dimension);
	char binary[TEXT_MAX];

	if (unit)
		value = value / (long double)unit->num * (long double)unit->den;
	(void)snprintf(out, out_bytes, "%.6Lg%s%s", value, unit ? " " : "", unit ? unit->word : "");
	if (dimension == NUM_SIZE && write_binary(ratio, binary, sizeof(binary)) && strlen(binary) <= strlen(out))
		(void)snprintf(out, out_bytes, "%s", binary);
	return out;
}

const char *num_show(double value, enum num_dimension dimension, int digits, char *out, size_t out_bytes)
{
	const struct num_unit *unit = suited(fabs(value), dimension);
	const double factor = unit ? (double)unit->num / (double)unit->den : 1;

	(void)snprintf(out, out_bytes, "%.*g%s%s", digits, value / factor, unit ? " " : "", unit ? unit->word : "");
	return out;
}

// Writes ratio as a finite decimal; false where it has none of at most 18 decimals.
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
	length = snprintf(digits, sizeof(digits), "%" PRId64 ".%0*" PRId64, (int64_t)(scaled / power), places,
			  (int64_t)(scaled % power));
	if (!places)
		digits[length - 2] = '\0';
	(void)snprintf(out, out_bytes, "%s%s", ratio.num < 0 ? "-" : "", digits);
	return true;
}

const char *num_format_exact(struct num_ratio ratio, enum num_dimension dimension, char *out, size_t out_bytes)
{
	char best[TEXT_MAX] = "";
	char text[TEXT_MAX];
	char number[TEXT_MAX / 2 + 16];
	struct num_ratio in_unit;

	if (dimension == NUM_PLAIN && write_decimal(ratio, number, sizeof(number)))
		(void)snprintf(best, sizeof(best), "%s", number);
	for (const struct num_unit *unit = num_units; unit->word && dimension != NUM_PLAIN; unit++) {
		if (unit->dimension != dimension ||
		    !num_ratio_make((__int128)ratio.num * unit->den, (__int128)ratio.den * unit->num, &in_unit) ||
		    !write_decimal(in_unit, number, sizeof(number)))
			continue;
		(void)snprintf(text, sizeof(text), "%s%s", number, unit->word);
		if (!*best || strlen(text) < strlen(best) || (unit->shown && strlen(text) == strlen(best)))
			(void)snprintf(best, sizeof(best), "%s", text);
	}
	if (*best)
		(void)snprintf(out, out_bytes, "%s", best);
	else
		(void)snprintf(out, out_bytes, "%" PRId64 "/%" PRId64, ratio.num, ratio.den);
	return out;
}
