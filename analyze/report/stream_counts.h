// SPDX-License-Identifier: GPL-3.0-or-later
// Packets per bin of one stream, counted in a separate thread.
#ifndef REPORT_STREAM_COUNTS_H
#define REPORT_STREAM_COUNTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/timeline.h"
#include "stat/counts/bins.h"
#include "stat/counts/lost_bins.h"
#include "stat/counts/scales.h"
#include "stat/counts/widths.h"
#include "stat/hurst/dyadic.h"
#include "stream/header.h"
#include "stream/record.h"
#include "value/status.h"

// ---- a short stretch of counts at each of several widths of bins, a decade apart: what Leland,
// Taqqu, Willinger and Wilson (On the self-similar nature of Ethernet traffic, 1994, figure 4)
// show; one pass over a stream of any length

#define ZOOM_BINS 256
#define ZOOM_DECADES 8

// ZOOM_BINS bins in a row.
struct zoom_window {
	int64_t begin; // bin of counts[0]
	uint64_t packets;
	double counts[ZOOM_BINS];
};

// Windows are consecutive from the second bin of the stream on: keeps the fullest whole one (the
// first of several), and the open one.
struct zoom_decade {
	int64_t factor;	     // finest bins in one of its bins
	int64_t first, last; // bin of the first and the last packet
	struct zoom_window fullest, open;
	bool has_whole;
};

// 33 KiB. Zero is not valid.
struct zoom {
	bool started;
	struct zoom_decade decades[ZOOM_DECADES];
};

// Starts decades of factor, 10 factor, 100 factor, ... finest bins.
void zoom_open(struct zoom *zoom, int64_t factor);

// Adds a run of the finest grid, not earlier than the last one.
void zoom_add(struct zoom *zoom, const struct bin_run *run);

// The fullest window of a decade, or the open one if none is whole, without the first and the last
// bin of the stream: its bins in counts[ZOOM_BINS], the first bin's number in begin. Returns their
// number.
size_t zoom_get(const struct zoom *zoom, size_t decade, int64_t *begin, double counts[ZOOM_BINS]);

// ---- packets per bin of one stream at the 13 widths of Yates 1997: the statistics of stat/scales,
// columns to draw, and series for the estimators of long-range dependence

// The series is that of the widest of these widths with at least BINS_SERIES_MIN complete bins,
// else of the narrowest; in the widest one neighbours are joined if it has more than
// BINS_SERIES_MAX, or in the end more than bins_worth of the packets.
#define COUNTS_SERIES 3

// Counts per bin in order, from the first non-empty bin on.
struct counts_series {
	size_t scale;	// index of its width in the list
	int64_t first;	// bin of values[0]
	unsigned shift; // values[i] is of 2^shift bins
	double *values;
	size_t count, capacity, max; // max: values held at most
	bool joins;		     // neighbours if there are more; else the series ends there
	bool full;
	struct lost_points lost;
};

struct counts {
	struct widths widths;
	struct scales scales;
	struct binner binner;
	struct timeline *timelines; // of packets per bin, by width; empty bins have no value
	struct counts_series series[COUNTS_SERIES]; // from narrow to wide
	struct dyadic dyadic;			    // of packets per bin of the finest grid
	struct zoom zoom;			    // decades from 0.1 ms on
	struct lost_bins lost;			    // of the finest grid
	bool lossy;				    // packets say where the capture lost some
	bool open; // the widths are whole ticks; else nothing is counted
};

// Starts counting, in a zeroed struct, a sorted stream with this header, on bins from the Unix
// epoch. If the widths are not whole ticks, open is false and adding does nothing. The struct must
// not move. TR_ERROR if out of memory.
enum tr_status counts_open(struct counts *counts, const struct tr_header *header,
			   struct tr_error *err);

// Adds count packets or deliveries, stride_bytes apart.
enum tr_status counts_add(struct counts *counts, const void *records, size_t stride_bytes,
			  size_t count, struct tr_error *err);

// Completes the bins. No more may be added.
enum tr_status counts_finish(struct counts *counts, struct tr_error *err);

// The series for estimators: the complete bins, *width_s wide, but those in which the capture lost
// packets. NULL if there is none.
const double *counts_series(const struct counts *counts, size_t *n, double *width_s);

// The bins of that series in which it did.
struct lost_points counts_lost(const struct counts *counts);

// Frees what it holds.
void counts_close(struct counts *counts);

// ---- counting.c
// Counts packets in a separate thread.

#define COUNTING_SLOTS 4
#define COUNTING_PACKETS 4096 // in a slot

struct counting_slots {
	size_t used[COUNTING_SLOTS];
	struct tr_packet packets[COUNTING_SLOTS][COUNTING_PACKETS];
};

struct counting {
	struct counts *counts;
	size_t seen;		      // packets before the thread started
	bool begun;		      // an attempt was made to start the thread
	struct counting_slots *slots; // NULL without a thread
	pthread_t thread;
	pthread_mutex_t lock; // of what follows
	pthread_cond_t moved;
	size_t given, taken; // slots so far; slot number % COUNTING_SLOTS
	bool ended;
	enum tr_status status;
	struct tr_error err;
};

// counts is the caller's; nobody else uses it until counting_end.
void counting_open(struct counting *counting, struct counts *counts);

// Adds records as counts_add does. Counts the first packets of a stream in the caller's thread, and
// all if the thread or its 640 KiB cannot be had. A later call returns an error of the thread.
enum tr_status counting_add(struct counting *counting, const void *records, size_t stride_bytes,
			    size_t count, struct tr_error *err);

// Waits until all are counted, and ends the thread. May be called again. TR_ERROR as counts_add.
enum tr_status counting_end(struct counting *counting, struct tr_error *err);

#endif
