// SPDX-License-Identifier: GPL-3.0-or-later
// Anomalies in the times of a stream that make its statistics meaningless: all times equal, or a
// single gap that covers most of the span, as one stamp of 1970 or of the future causes.
#ifndef STREAM_ODD_TIMES_H
#define STREAM_ODD_TIMES_H

#include <stddef.h>
#include <stdint.h>

// Zero is a valid empty one.
struct tr_times {
	uint64_t count;
	int64_t first_ticks, last_ticks; // earliest and latest
	int64_t before_ticks;		 // the last one taken
	int64_t gap_ticks;		 // the longest
	uint64_t before_gap;		 // times before it
	uint64_t back;			 // times before the one taken before them
};

// Adds the next time of the stream.
static inline void tr_times_add(struct tr_times *times, int64_t ticks)
{
	int64_t gap_ticks;

	if (!times->count) {
		times->first_ticks = times->last_ticks = times->before_ticks = ticks;
	} else if (ticks < times->before_ticks) {
		times->back++;
	} else {
		if (__builtin_sub_overflow(ticks, times->before_ticks, &gap_ticks))
			gap_ticks = INT64_MAX;
		if (gap_ticks > times->gap_ticks) {
			times->gap_ticks = gap_ticks;
			times->before_gap = times->count;
		}
	}
	times->first_ticks = ticks < times->first_ticks ? ticks : times->first_ticks;
	times->last_ticks = ticks > times->last_ticks ? ticks : times->last_ticks;
	times->before_ticks = ticks;
	times->count++;
}

// Adds the times of count records, stride bytes apart, each of which begins with its time.
void tr_times_add_records(struct tr_times *times, const void *records, size_t stride, size_t count);

#define TR_ODD_TIMES_BYTES 160u

// Writes what is odd into out[TR_ODD_TIMES_BYTES], "" if nothing is; returns out.
const char *tr_times_odd(const struct tr_times *times, uint64_t ticks_per_s, char *out);

// The same of a stream of a kind of records (enum tr_kind): "" for those that are no events;
// messages may step back.
const char *tr_times_odd_of(const struct tr_times *times, unsigned kind, uint64_t ticks_per_s,
			    char *out);

#endif
