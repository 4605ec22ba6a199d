// SPDX-License-Identifier: GPL-3.0-or-later
// Bins of whatever tells of packets: a trace, a series stream, or a text of arrivals.
#ifndef ANALYZE_BIN_FEED_H
#define ANALYZE_BIN_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/binner.h"
#include "trace/num.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/status.h"

// Width of a bin where none was given: 10 ms.
#define BIN_FEED_DEFAULT ((struct num_ratio){1, 100})

struct bin_feed {
	// Seconds; num 0: 10 ms, and that of a series stream which has only one. Afterwards the width that was used.
	struct num_ratio bin;
	bool wire;	// sizes are those of the frames, not of the payload
	bin_sink *sink; // in the order of the input
	// May be NULL: told after each chunk of a trace of the bin up to which it is complete.
	enum tr_status (*time)(void *context, int64_t index, struct tr_error *err);
	void *context;
};

// Feeds the packets, the deliveries that arrived, or the bins of all nodes and classes of a series
// stream. TR_ERROR with err (without the input's name) for other records, or where a series stream has
// several widths and none was asked for; the reader's own failure is left to it.
enum tr_status bin_feed_trace(struct bin_feed *feed, struct tr_reader *in, struct tr_error *err);

// Feeds lines of an arrival's time in seconds and, where there is a second word, its bytes: the form of
// the Bellcore traces. Times are taken to the nearest nanosecond after the Unix epoch. TR_ERROR names
// the line.
enum tr_status bin_feed_arrivals(struct bin_feed *feed, struct tr_source *source, struct tr_error *err);

#endif
