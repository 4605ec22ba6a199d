// SPDX-License-Identifier: GPL-3.0-or-later
// A series of numbers from any input: counts or bytes per bin of a trace or a text of arrivals, the
// bins of a series stream, or a column of text.
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "stat/counts/bins.h"
#include "stat/counts/lost_bins.h"
#include "stream/column_table.h"
#include "stream/odd_times.h"
#include "stream/reader.h"
#include "value/num.h"
#include "value/status.h"

// Of a text: which columns hold what, and afterwards which were taken of how many.
struct series_text {
	const char *columns; // see column_form_parse; NULL: the first ones, if there are no others
	bool needs_bytes;    // arrivals must have a column of bytes
	bool any_order;	     // the order of a series does not matter, so it may be sorted
	char note[COLUMN_NOTE_BYTES]; // "" if all
	char odd[TR_ODD_TIMES_BYTES]; // in the times of arrivals, see stream/odd_times.h; "" if
				      // nothing is
};

// The fields that a column of a text can be.
extern const struct opt_choice series_text_words[];

#define SERIES_POINT_BYTES 64u // of a point: its value, its bin and what the methods need

struct series_settings {
	struct num_ratio bin;	  // seconds; num 0: none given
	bool of_bytes;		  // bytes per bin, not packets
	bool wire;		  // bytes are those of the frames, not of the payload
	struct series_text *text; // lent
	uint64_t max_points;
};

// Zero is a valid empty one; the caller owns x.
struct series {
	double *x;
	size_t n;
	size_t capacity;
	struct num_ratio bin; // seconds from point to point; num 0: unknown
	struct lost_points lost;
};

// The complete bins of a trace between the first packet and the last. Of a series stream likewise
// its bins for all nodes and classes, of the given width or its only one. TR_ERROR with err
// (without the input's name), also if the reader fails and keep_going is not set.
enum tr_status series_from_trace(struct series *series, struct tr_reader *in,
				 const struct series_settings *settings, bool keep_going,
				 struct tr_error *err);

// The same of lines of arrivals; see bin_feed_arrivals. Messages about a text begin with its name.
enum tr_status series_from_arrivals(struct series *series, struct tr_source *source,
				    const struct series_settings *settings, struct tr_error *err);

// Numbers in a column of a text, a table of any form that column_table.h reads: of value where the
// text has several. Comments go from # on. TR_ERROR with the file and the line, also for a number
// beyond 1e100, if all numbers are below 1e-100 in size without all being 0, and if they only
// increase, as times do, and no column was described.
enum tr_status series_from_text(struct series *series, struct tr_source *source,
				const struct series_settings *settings, struct tr_error *err);

// Makes room for count points in all. TR_ERROR beyond most, or if out of memory.
enum tr_status series_reserve(struct series *series, uint64_t count, uint64_t most,
			      struct tr_error *err);

// Frees what it holds; it is empty then.
void series_clear(struct series *series);

// ---- series_text.c
// A text of arrivals, as the Bellcore traces: each line has a time in seconds and, optionally,
// bytes. A table of any form that column_table.h reads, of time and bytes.

#define ARRIVAL_TICKS_PER_S 1000000000

// Takes an arrival: its time to the nearest nanosecond, and its bytes, 0 if the line has none.
typedef enum tr_status arrival_sink(void *context, int64_t time_ticks, uint64_t size_bytes,
				    struct tr_error *err);

// Passes the arrivals on in the order of the lines. TR_ERROR names the file and the line, also if
// take fails, if a time is before the last, and if there are no arrivals.
enum tr_status arrival_text_each(struct tr_source *source, struct series_text *text,
				 arrival_sink *take, void *context, struct tr_error *err);

// ---- bin_feed.c
// Feeds bins from a trace, a series stream, or a text of arrivals.

// Default width of a bin: 10 ms.
#define BIN_FEED_DEFAULT ((struct num_ratio){1, 100})

struct bin_feed {
	// Seconds; num 0: 10 ms, or the only width of a series stream. Afterwards the width used.
	struct num_ratio bin;
	bool wire;	// sizes are those of the frames, not of the payload
	bool aligned;	// refuse bins of a series stream that do not begin at multiples of their
			// width, since the Unix epoch
	bin_sink *sink; // in the order of the input
	struct series_text *text; // of a text of arrivals; lent
	// May be NULL: called after each chunk of a trace with the bin up to which it is complete.
	enum tr_status (*time)(void *context, int64_t index, struct tr_error *err);
	void *context;
	struct lost_bins *lost; // NULL: losses of the capture are of no interest
};

// Feeds the packets, the successful deliveries, or the bins for all nodes and classes of a series
// stream. TR_ERROR with err (without the input's name) for other records, or if a series stream has
// several widths and none was given; a failure of the reader is not reported here.
enum tr_status bin_feed_trace(struct bin_feed *feed, struct tr_reader *in, struct tr_error *err);

// Feeds lines of an arrival's time in seconds and, optionally, its bytes: the form of the Bellcore
// traces. Times are rounded to nanoseconds since the Unix epoch. TR_ERROR names the file and the
// line.
enum tr_status bin_feed_arrivals(struct bin_feed *feed, struct tr_source *source,
				 struct tr_error *err);

// ---- series_bins.c
// Collects bins that come in any order, for a series.

// Zero is a valid empty one except for bins.max_bins, which the caller sets. Freed by
// series_bins_clear.
struct series_bins {
	struct bins bins;    // of join bins as they come
	int64_t first, last; // indices as they come; valid if any
	bool any;
	uint64_t packets;
	bool widens;	       // neighbours may be joined, see bins.h; set by the caller
	unsigned tens;	       // joins of ten that widen the bins fed to 10 ms; set by the caller
	int64_t join;	       // 0: 1
	struct lost_bins lost; // of the bins as they come
};

// A bin_sink whose context is a struct series_bins.
enum tr_status series_bins_take(void *context, const struct bin_run *run, struct tr_error *err);

// The width of the bins to feed if the width of the series is open: the narrowest that is whole
// ticks. Sets widens and tens.
struct num_ratio series_bins_finest(struct series_bins *store, uint64_t ticks_per_s);

// Fills the series with the bins between the first and the last, which were observed only in part,
// 0 for missing ones, and none for those in which the capture lost packets: series->lost.
// series->bin is the width of the bins fed; afterwards that of the series. TR_ERROR beyond the
// settings' points or if out of memory.
enum tr_status series_bins_make(struct series *series, struct series_bins *store,
				const struct series_settings *settings, struct tr_error *err);

// Frees what it holds.
void series_bins_clear(struct series_bins *store);

#endif
