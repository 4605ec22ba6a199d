// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/column_cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "value/ticks.h"

#define NUMBER_BYTES 128u

bool column_cell_is_missing(const char *cell)
{
	static const char *const words[] = {"",	    "NA",   "N/A", "#N/A",    "NaN",
					    "NULL", "None", "Inf", "Infinity"};

	cell += *cell == '-' || *cell == '+';
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasecmp(cell, words[i]) == 0)
			return true;
	return false;
}

static bool column_cell_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool column_cell_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool column_cell_is_doubtful(const char *line)
{
	while (column_cell_is_blank(*line))
		line++;
	line += *line == '-' || *line == '+';
	while (column_cell_is_digit(*line))
		line++;
	if (*line != ',' || !column_cell_is_digit(line[1]))
		return false;
	line++;
	while (column_cell_is_digit(*line))
		line++;
	while (column_cell_is_blank(*line))
		line++;
	return *line == '\0' || *line == 'e' || *line == 'E';
}

// Copies the number with a point as its decimal sign, and without a plus.
static enum tr_status plain_number(const struct column_form *form, const char *cell,
				   char out[NUMBER_BYTES], struct tr_error *err)
{
	const size_t plus = *cell == '+', bytes = strlen(cell + plus);

	if (column_cell_is_missing(cell))
		return *cell ? tr_fail(err, "'%.20s' is not a number: a missing value", cell)
			     : tr_fail(err, "an empty cell: a missing value");
	if (bytes >= NUMBER_BYTES)
		return tr_fail(err, "'%.60s' is too long for a number", cell);
	if (form->decimal_comma ? strchr(cell, '.') != NULL : strchr(cell, ',') != NULL)
		return tr_fail(err,
			       form->decimal_comma
				       ? "'%.60s' has a point, but dec=comma says that decimal "
					 "signs are commas; "
					 "separators of thousands are not read"
				       : "'%.60s' has a comma: if it is the decimal sign, add "
					 "dec=comma to --columns; "
					 "separators of thousands and lists of values are not read",
			       cell);
	memcpy(out, cell + plus, bytes + 1);
	if (form->decimal_comma && strchr(out, ','))
		*strchr(out, ',') = '.';
	return TR_OK;
}

enum tr_status column_cell_real(const struct column_form *form, const char *cell, double *out,
				struct tr_error *err)
{
	char number[NUMBER_BYTES];

	return plain_number(form, cell, number, err) == TR_OK ? num_parse_real(number, out, err)
							      : TR_ERROR;
}

enum tr_status column_cell_count(const struct column_form *form, const char *cell, uint64_t max,
				 uint64_t *out, struct tr_error *err)
{
	char number[NUMBER_BYTES];
	struct num_ratio ratio;

	if (plain_number(form, cell, number, err) != TR_OK)
		return TR_ERROR;
	if (num_parse(number, NUM_PLAIN, &ratio, NULL) == TR_OK && ratio.den == 1 &&
	    ratio.num >= 0 && !strpbrk(number, "/%")) {
		*out = (uint64_t)ratio.num;
		if (*out <= max)
			return TR_OK;
	}
	return tr_fail(err, "'%.60s' is not a whole number from 0 to %" PRIu64, cell, max);
}

// "2026-11-24 18:00:00.123", the fraction and a T between are free: UTC.
static bool take_date(const char *text, int64_t *ns)
{
	struct tm date = {0};
	const char *rest = strptime(text, "%Y-%m-%d", &date);
	int64_t part = 0, whole;
	char digits[NUMBER_BYTES];
	size_t bytes;

	if (!rest || (*rest != ' ' && *rest != 'T'))
		return false;
	rest = strptime(rest + 1, "%H:%M:%S", &date);
	if (!rest)
		return false;
	bytes = strspn(rest, ".0123456789");
	if ((rest[bytes] != '\0' && strcmp(rest + bytes, "Z") != 0) || bytes >= sizeof(digits) ||
	    (bytes > 0 && *rest != '.'))
		return false;
	(void)snprintf(digits, sizeof(digits), "0%.*s", (int)bytes, rest);
	return tr_ticks_near(digits, TR_NS_PER_S, &part, NULL) == TR_OK &&
	       !__builtin_mul_overflow((int64_t)timegm(&date), (int64_t)TR_NS_PER_S, &whole) &&
	       !__builtin_add_overflow(whole, part, ns);
}

enum tr_status column_cell_time(const struct column_form *form, const char *cell, bool round,
				int64_t *ns, struct tr_error *err)
{
	const struct num_ratio unit = form->unit_s;
	char number[NUMBER_BYTES];
	struct num_ratio value, seconds;
	double real;

	if (take_date(cell, ns))
		return TR_OK;
	if (plain_number(form, cell, number, err) != TR_OK)
		return TR_ERROR;
	if (round && tr_ticks_near(number, (uint64_t)(TR_NS_PER_S / unit.den), ns, NULL) == TR_OK)
		return TR_OK;
	if (num_parse(number, unit.den == 1 ? NUM_TIME : NUM_PLAIN, &value, NULL) == TR_OK &&
	    num_ratio_make((__int128)value.num * unit.num, (__int128)value.den * unit.den,
			   &seconds) &&
	    (round ? tr_ticks_round : tr_ticks_exact)(seconds, TR_NS_PER_S, ns, NULL) == TR_OK)
		return TR_OK;
	if (num_parse_real(number, &real, NULL) != TR_OK)
		return tr_fail(err,
			       "'%.60s' is not a time: expected seconds, a number with a unit such "
			       "as 10ms, or a date such as "
			       "2026-11-24 18:00:00.123",
			       cell);
	return tr_fail(err, "'%.60s' %s", cell,
		       round ? "is beyond the longest time"
			     : "is not a whole number of nanoseconds, or does not fit (--round "
			       "takes the nearest)");
}
