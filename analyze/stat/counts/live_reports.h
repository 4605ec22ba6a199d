// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that come every so often while packets arrive (--every).
#ifndef STAT_LIVE_REPORTS_H
#define STAT_LIVE_REPORTS_H

#include <stdint.h>

#include "stat/counts/bins.h"
#include "stream/header.h"
#include "value/num.h"
#include "value/status.h"

#define LIVE_REPORTS_SILENT_MAX 1000000 // without a packet between them

// Time goes from the next report that is due to now, period > 0 apart, all in one unit. TR_ERROR if
// more reports than LIVE_REPORTS_SILENT_MAX are due, as where one time is years from the others.
enum tr_status live_reports_check(int64_t due, int64_t now, int64_t period, struct tr_error *err);

// Reports at the multiples of a period since the Unix epoch, from the first packet on.
struct live_reports {
	struct bin_grid grid; // width_ticks 0: no reports
	int64_t due_ticks;    // the next; INT64_MIN before the first packet, INT64_MAX for none
	bool begun;
};

// Sets the period, in seconds; 0: no reports. TR_ERROR if it is not a whole number of ticks.
enum tr_status live_reports_open(struct live_reports *reports, struct num_ratio period,
				 const struct tr_header *header, struct tr_error *err);

// Makes a report of what came before due_ticks, when time has reached now_ticks.
typedef enum tr_status live_report(void *context, int64_t due_ticks, int64_t now_ticks,
				   struct tr_error *err);

// A packet comes at time_ticks, or the trace is complete up to there: calls report for each that is
// due, but none before the first packet. Packets before due_ticks need no call. Returns the first
// status that is not TR_OK.
enum tr_status live_reports_packet(struct live_reports *reports, int64_t time_ticks,
				   live_report *report, void *context, struct tr_error *err);
enum tr_status live_reports_time(struct live_reports *reports, int64_t time_ticks,
				 live_report *report, void *context, struct tr_error *err);

// A time of a trace in seconds since the Unix epoch, as text of at least 64 bytes, to the
// nanosecond. Returns out.
const char *live_reports_time_text(const struct tr_header *header, int64_t time_ticks, char *out,
				   size_t out_bytes);

#endif
