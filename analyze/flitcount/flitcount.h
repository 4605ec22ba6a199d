// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitcount share: the tables and the series of what was counted, and what is
// counted while packets arrive.
#ifndef FLITCOUNT_FLITCOUNT_H
#define FLITCOUNT_FLITCOUNT_H

#include <stdio.h>

#include "stat/counts/live_reports.h"
#include "stat/counts/scales.h"
#include "stat/counts/widths.h"
#include "stat/nodes/matrix.h"
#include "stream/reader.h"
#include "stream/writer.h"
#include "table/table.h"
#include "tool/tool.h"
#include "value/status.h"

// ---- count_report.c

// Prints the tables of the widths, of the percentiles of rates and of the variance-time slopes,
// these with intervals at level (0..1); wire: bytes are those of frames. The scales keep values;
// the empty bins are added to them.
enum tr_status count_report(const struct scales *scales, const struct widths *widths, double level,
			    bool wire, struct table_style style, FILE *out, struct tr_error *err);

// ---- count_series.c
// Bins as series records: every bin of every width, empty ones between the first and the last
// included.

struct count_series {
	struct tr_writer *writer;
	const struct scales *scales;
	struct bin_grid finest;	  // on the output's time base
	uint64_t max_bins;	  // empty bins in a row at most
	int64_t next[SCALES_MAX]; // bin after the last written
	bool begun[SCALES_MAX];
	int64_t promised_ticks; // the stream is complete up to here
};

// A scale_hook whose context is the struct count_series. TR_ERROR if writing failed or a silence
// is longer than max_bins.
enum tr_status count_series_put(void *context, size_t scale, const struct bin_run *bin,
				struct tr_error *err);

// Writes the bins that end before a bin of the finest grid, also empty ones, once the scales have
// passed it.
enum tr_status count_series_pass(struct count_series *series, int64_t finest_index,
				 struct tr_error *err);

// ---- count_metrics.c
// Counters and a histogram of rates as OpenMetrics.

#define COUNT_RATES_PER_S 10000 // windows of 100 us
#define COUNT_RATE_BOUNDS 16
extern const double count_rate_bounds[COUNT_RATE_BOUNDS]; // bytes per second

// Rates over the windows that were observed in full, empty ones included.
struct count_rates {
	struct bin_grid grid;
	uint64_t windows; // begun; 0: none
	int64_t index;	  // of the last, which ends at end_ticks
	int64_t end_ticks;
	uint64_t wire_bytes; // in it
	uint64_t buckets[COUNT_RATE_BOUNDS + 1];
	double sum;
};

// TR_ERROR: 100 us are not a whole number of ticks, or a time is too far from the epoch.
enum tr_status count_rates_open(struct count_rates *rates, const struct tr_header *header,
				struct tr_error *err);
enum tr_status count_rates_add(struct count_rates *rates, int64_t time_ticks, uint32_t wire_bytes,
			       struct tr_error *err);

// The trace is complete up to time_ticks, so the windows before it are.
enum tr_status count_rates_pass(struct count_rates *rates, int64_t time_ticks,
				struct tr_error *err);

struct count_live;

// Writes the metrics up to time_ticks; a file has them whole, by a rename. TR_END if that failed,
// which the tool reports.
enum tr_status count_metrics_write(const struct count_live *live, int64_t time_ticks);

// ---- count_live.c
// What is counted while packets arrive: a line every so often, or metrics.

#define COUNT_CLASSES 9 // of pauses: the last is the whole link

struct count_totals {
	uint64_t packets, wire_bytes, payload_bytes;
	uint64_t markable, marked, notifications;
	uint64_t pause_frames;
	uint64_t pauses[COUNT_CLASSES], pause_ends[COUNT_CLASSES];
};

struct count_live {
	// Set by the caller.
	struct tool *tool;
	struct num_ratio every; // seconds; 0: at the end only
	struct table_style style;
	const char *path; // of metrics; NULL: standard output
	bool metrics;
	// The rest is zero.
	struct tr_reader *in;
	struct live_reports reports;
	bool headed;
	int64_t begin_ticks, last_ticks; // of the interval, and the latest time
	struct count_totals totals, before;
	struct matrix pairs;	  // of the interval, by bytes on the wire
	struct count_rates rates; // for metrics
};

// Counts all packets of a trace in order of time. TR_END if the output failed, which the tool
// reports.
enum tr_status count_live_stream(struct count_live *live, struct tr_reader *in,
				 struct tr_error *err);

#endif
