// SPDX-License-Identifier: GPL-3.0-or-later
// A series of numbers from whatever an input holds: counts or bytes per bin of a trace or a text of arrivals, the bins of
// a series stream, or a column of text.
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/bins.h"
#include "trace/num.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/status.h"

struct series_settings {
	struct num_ratio bin; // seconds; num 0 where none was given
	bool of_bytes;	      // bytes per bin, not packets
	bool wire;	      // bytes are those of the frames, not of the payload
	uint64_t column;      // of text, from 1
	uint64_t max_points;
};

// Zero is a valid empty one; the caller owns x.
struct series {
	double *x;
	size_t n;
	size_t capacity;
	struct num_ratio bin; // seconds from point to point; num 0 where that is not known
};

// Bins of a trace: the complete ones between the first packet and the last. Of a series
// stream the same of its bins of all nodes and classes, of the width asked for or of its only width. TR_ERROR with err (without the input's name), also where the reader fails
// and keep_going is not set.
enum tr_status series_from_trace(struct series *series, struct tr_reader *in, const struct series_settings *settings,
				 bool keep_going, struct tr_error *err);

// The same of lines of arrivals; see bin_feed_arrivals.
enum tr_status series_from_arrivals(struct series *series, struct tr_source *source, const struct series_settings *settings,
				    struct tr_error *err);

// Numbers in a column of lines; words are separated by blanks, tabs or commas. Empty lines and what
// follows a # are skipped. TR_ERROR names the line, also of a number beyond 1e100; and where all are closer to 0 than
// 1e-100 and not all 0.
enum tr_status series_from_text(struct series *series, struct tr_source *source, const struct series_settings *settings,
				struct tr_error *err);

// Makes room for count points in all. TR_ERROR beyond most, or without memory.
enum tr_status series_reserve(struct series *series, uint64_t count, uint64_t most, struct tr_error *err);

void series_clear(struct series *series);

// ---- series_text.c
// A text of arrivals: a time in seconds a line and, where there is a second word, bytes, as the traces of Bellcore have it.

#define ARRIVAL_TICKS_PER_S 1000000000

// Takes an arrival, its time to the nearest nanosecond, and its bytes, 0 where the line has none.
typedef enum tr_status arrival_sink(void *context, int64_t time_ticks, uint64_t size_bytes, struct tr_error *err);

// Hands the arrivals on in the order of the lines; other words of a line are left unread. TR_ERROR names the line, also
// of what take refuses; and where there are no arrivals.
enum tr_status arrival_text_each(struct tr_source *source, arrival_sink *take, void *context, struct tr_error *err);

// ---- bin_feed.c
// Bins of whatever tells of packets: a trace, a series stream, or a text of arrivals.

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

// ---- series_bins.c
// Bins that come in any order, on their way to a series.

// Zero is a valid empty one but for bins.max_bins, which the caller sets. Freed with bins_clear of bins.
struct series_bins {
	struct bins bins;    // of join bins as they come
	int64_t first, last; // indices as they come, where any came
	bool any;
	uint64_t packets;
	bool widens;   // neighbours may be joined, as bins.h says of a series for the estimators; set by the caller
	unsigned tens; // so many joins of ten make the bins that come 10 ms wide; set by the caller
	int64_t join;  // 0: 1
};

// A bin_sink whose context is a struct series_bins.
enum tr_status series_bins_take(void *context, const struct bin_run *run, struct tr_error *err);

// The width of the bins to be fed where the width of the series is left open: the narrowest that whole ticks hold. Sets widens
// and tens.
struct num_ratio series_bins_finest(struct series_bins *store, uint64_t ticks_per_s);

// Fills the series with the bins between the first and the last, which were observed in part only, and 0 where none
// came. series->bin is the bins' width as they came; afterwards that of the series. TR_ERROR beyond the settings' points or
// without memory.
enum tr_status series_bins_make(struct series *series, const struct series_bins *store, const struct series_settings *settings,
				struct tr_error *err);

#endif
