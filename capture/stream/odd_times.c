// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/odd_times.h"

#include <stdio.h>
#include <string.h>

#include "stream/record.h"
#include "value/ticks.h"

#define LONG_S 3600.0 // gaps below are no sign of a wrong clock
#define DAY_S 86400.0
#define YEAR_S (365.2425 * DAY_S)

// A long time in the unit of which it has more than two.
static const char *format_long(double seconds, char *out, size_t out_bytes)
{
	if (seconds > 2 * YEAR_S)
		(void)snprintf(out, out_bytes, "%.1f years", seconds / YEAR_S);
	else if (seconds > 2 * DAY_S)
		(void)snprintf(out, out_bytes, "%.1f days", seconds / DAY_S);
	else
		(void)snprintf(out, out_bytes, "%.1f hours", seconds / 3600);
	return out;
}

void tr_times_add_records(struct tr_times *times, const void *records, size_t stride, size_t count)
{
	for (const uint8_t *at = records; count > 0; count--, at += stride) {
		int64_t time_ticks;

		memcpy(&time_ticks, at, sizeof(time_ticks));
		tr_times_add(times, time_ticks);
	}
}

const char *tr_times_odd(const struct tr_times *times, uint64_t ticks_per_s, char *out)
{
	const uint64_t after = times->count - times->before_gap;
	const double gap_s = tr_ticks_seconds(times->gap_ticks, ticks_per_s);
	int64_t span_ticks;
	char gap[48];

	*out = '\0';
	if (__builtin_sub_overflow(times->last_ticks, times->first_ticks, &span_ticks))
		span_ticks = INT64_MAX;
	if (times->count > 2 && !span_ticks)
		(void)snprintf(out, TR_ODD_TIMES_BYTES,
			       "all %llu times are equal, so there are no gaps and no rates",
			       (unsigned long long)times->count);
	else if (gap_s >= LONG_S && times->gap_ticks >= span_ticks / 2)
		(void)snprintf(out, TR_ODD_TIMES_BYTES,
			       "the %s %llu of %llu times are %s %s the others: rates over the "
			       "whole mean little",
			       times->before_gap <= after ? "first" : "last",
			       (unsigned long long)(times->before_gap <= after ? times->before_gap
									       : after),
			       (unsigned long long)times->count,
			       format_long(gap_s, gap, sizeof(gap)),
			       times->before_gap <= after ? "before" : "after");
	else if (times->back)
		(void)snprintf(out, TR_ODD_TIMES_BYTES,
			       "%llu of %llu times are before the one that precedes them",
			       (unsigned long long)times->back, (unsigned long long)times->count);
	return out;
}

const char *tr_times_odd_of(const struct tr_times *times, unsigned kind, uint64_t ticks_per_s,
			    char *out)
{
	struct tr_times own = *times;

	*out = '\0';
	if (kind == TR_MESSAGE)
		own.back = 0;
	else if (!tr_kind_has_packet(kind))
		return out;
	return tr_times_odd(&own, ticks_per_s, out);
}
