// SPDX-License-Identifier: GPL-3.0-or-later
// The names of the traces of -G: no trace of a run may take the name of another of that run.
#include "flitcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/num.h"

#define MONDAY_S 1672617600 // 2 January 2023, 0:00 UTC
#define LONGEST_S 100000000000

// The pattern is the user's; strftime is safe with any pattern.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int format_time(const char *pattern, int64_t time_s, char *out, size_t out_bytes)
{
	const time_t time = time_s;
	struct tm parts;

	return gmtime_r(&time, &parts) ? (int)strftime(out, out_bytes, pattern, &parts) : 0;
}
#pragma GCC diagnostic pop

static bool is_pattern(const char *name)
{
	return strchr(name, '%');
}

int cap_period_name(const char *pattern, uint64_t period, int64_t time_s, char *name,
		    size_t name_bytes)
{
	const int bytes = is_pattern(pattern) ? format_time(pattern, time_s, name, name_bytes)
					      : snprintf(name, name_bytes, "%s.%05llu", pattern,
							 (unsigned long long)period);

	return bytes > 0 && (size_t)bytes < name_bytes ? bytes : 0;
}

// ---- before the first frame

static bool same_name(const char *pattern, int64_t one_s, int64_t other_s)
{
	char one[CAP_NAME_BYTES], other[CAP_NAME_BYTES];

	return format_time(pattern, one_s, one, sizeof(one)) &&
	       format_time(pattern, other_s, other, sizeof(other)) && strcmp(one, other) == 0;
}

// After how many seconds periods have the same name again, by the cycles of the calendar; 0: never.
static int64_t comes_round_after(const char *pattern, int64_t period_s)
{
	static const int64_t cycles_s[] = {
		60,	   3600,       43200,	    86400,
		7 * 86400, 31 * 86400, 365 * 86400, (int64_t)28 * 365 * 86400 + 7 * 86400};

	if (same_name(pattern, MONDAY_S, MONDAY_S + period_s))
		return period_s;
	for (size_t i = 0; i < sizeof(cycles_s) / sizeof(*cycles_s); i++) {
		const __int128 both_s = cycles_s[i] / num_gcd(cycles_s[i], period_s) * period_s;

		if (cycles_s[i] >= period_s && same_name(pattern, MONDAY_S, MONDAY_S + cycles_s[i]))
			return cycles_s[i];
		if (both_s < LONGEST_S && same_name(pattern, MONDAY_S, MONDAY_S + (int64_t)both_s))
			return (int64_t)both_s;
	}
	return 0;
}

// "2 hours"
static const char *in_words(int64_t time_s, char *text, size_t text_bytes)
{
	static const struct {
		int64_t unit_s;
		const char *name;
	} units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
	size_t i = 0;

	while (time_s % units[i].unit_s)
		i++;
	time_s /= units[i].unit_s;
	(void)snprintf(text, text_bytes, "%lld %s%s", (long long)time_s, units[i].name,
		       time_s == 1 ? "" : "s");
	return text;
}

#define ADVICE "a name with %%Y%%m%%dT%%H%%M%%S, or without %%, does not"

bool cap_check_pattern(struct cap *cap)
{
	const char *pattern = cap->options->write;
	const int64_t period_s = cap->options->period_s.num;
	int64_t round_s;
	char text[48];

	if (!period_s || period_s > LONGEST_S || !is_pattern(pattern))
		return true;
	round_s = comes_round_after(pattern, period_s);
	if (round_s && (cap->options->live || round_s == period_s)) {
		tool_error(cap->tool,
			   "%s: this pattern gives traces %s apart the same name; " ADVICE, pattern,
			   in_words(round_s, text, sizeof(text)));
		return false;
	}
	if (round_s)
		tool_warn(cap->tool,
			  "%s: this pattern gives traces %s apart the same name, which ends the "
			  "run; " ADVICE,
			  pattern, in_words(round_s, text, sizeof(text)));
	return true;
}

// ---- while it runs

// Whether an earlier period had this name; remembers the period otherwise.
static bool remember(struct cap_periods *periods, const char *pattern, int64_t period_s,
		     const char *name, bool *again)
{
	char words[CAP_NAME_BYTES] = "", earlier[CAP_NAME_BYTES];
	uint64_t value;
	uint32_t at, place;

	*again = false;
	if (!is_pattern(pattern))
		return true;
	if (periods->count == UINT32_MAX || !tr_hash_reserve(&periods->names))
		return false;
	(void)snprintf(words, sizeof(words), "%s", name);
	value = tr_hash_words(&periods->names, words, sizeof(words) / 8);
	at = tr_hash_first(value);
	while ((place = tr_hash_next(&periods->names, value, &at)) != TR_HASH_NONE)
		if (cap_period_name(pattern, 0, periods->begins_s[place], earlier,
				    sizeof(earlier)) &&
		    strcmp(earlier, name) == 0)
			*again = true;
	if (!GROW(periods->begins_s, periods->capacity, periods->count))
		return false;
	tr_hash_add(&periods->names, value, (uint32_t)periods->count);
	periods->begins_s[periods->count] = period_s;
	return true;
}

bool cap_name_period(struct cap *cap, int64_t period_s, char *name)
{
	const char *pattern = cap->options->write;
	struct cap_periods *periods = &cap->periods;
	struct tr_error err;
	bool again = false;

	if (!cap_period_name(pattern, periods->count, period_s, name, CAP_NAME_BYTES))
		(void)tr_fail(
			&err,
			"%.300s: this pattern gives no name, or one of more than %u characters",
			pattern, CAP_NAME_BYTES - 1);
	else if (!remember(periods, pattern, period_s, name, &again))
		(void)tr_no_memory(&err, "the names of traces");
	else if (again)
		(void)tr_fail(&err,
			      "%.300s: not replaced, since this run wrote it for an earlier "
			      "period; " ADVICE,
			      name);
	else {
		periods->count++;
		return true;
	}
	tool_output_error(cap->tool, err.text);
	return false;
}

void cap_close_periods(struct cap *cap)
{
	tr_hash_clear(&cap->periods.names);
	free(cap->periods.begins_s);
}
