// SPDX-License-Identifier: GPL-3.0-or-later
// A text of arrivals: a time in seconds a line and, where there is a second word, bytes, as the traces of Bellcore have it.
#ifndef ANALYZE_ARRIVAL_TEXT_H
#define ANALYZE_ARRIVAL_TEXT_H

#include <stdint.h>

#include "trace/source.h"
#include "trace/status.h"

#define ARRIVAL_TICKS_PER_S 1000000000

// Takes an arrival, its time to the nearest nanosecond, and its bytes, 0 where the line has none.
typedef enum tr_status arrival_sink(void *context, int64_t time_ticks, uint64_t size_bytes, struct tr_error *err);

// Hands the arrivals on in the order of the lines; other words of a line are left unread. TR_ERROR names the line, also
// of what take refuses; and where there are no arrivals.
enum tr_status arrival_text_each(struct tr_source *source, arrival_sink *take, void *context, struct tr_error *err);

#endif
