// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the counts per bin at many widths at once.
#ifndef STAT_SCALES_H
#define STAT_SCALES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/counts/bin_values.h"
#include "stat/counts/bins.h"
#include "stat/counts/scale_sums.h"
#include "stat/intervals/moments.h"
#include "value/status.h"

// Statistics of the counts per bin at many widths at once, from one pass over the bins of the
// finest grid in rising order. A coarser width whose bins are whole numbers of finer ones is fed by
// the finer one, so a packet touches only the finest. Empty bins between the first and the last
// packet count. The bins of the first and the last packet were observed only in part: they are kept
// apart (the edges), since a single one of them can outweigh the whole variance of a steady stream.
//
// Silence costs nothing, at any width: a run with silences before and after it as long as the k
// finest widths is alone in its bins there, so that they all get the same two numbers. It is added
// once for all of them, and fed only to the widths above.
//
// Each width's complete bins are also kept by segments of time, for jackknife intervals. Memory: 10
// KiB a width and 10 KiB, whatever the length, plus the values if kept. Depends on order and cannot
// be merged: merge the struct bins instead.

struct scale {
	int64_t factor;		    // finest bins in one of its bins
	int parent;		    // the width that feeds it, -1: the finest grid
	uint64_t feeds;		    // set of the widths that it feeds
	int64_t first;		    // finest bin with which its bin with the first packet begins
	struct bin_run open;	    // index: the finest bin with which it begins
	struct scale_moments edges; // of the one or two bins at the ends
};

// Called with every non-empty bin of every width when complete: scale is the index in the list
// of factors. A width's bins come in rising order.
typedef enum tr_status scale_hook(void *context, size_t scale, const struct bin_run *bin,
				  struct tr_error *err);

struct scales {
	struct scale *scales; // in the order of the factors given
	size_t count;
	size_t order[SCALES_MAX];	// rising by factor
	int64_t rising[SCALES_MAX + 1]; // the factors in that order, and one above all
	uint64_t fed_by_grid;		// set of the widths that have no parent
	scale_hook *hook;		// may be NULL; set before the first bin
	void *context;
	struct bin_values *values; // NULL: not kept; set before the first bin, lent
	bool from_start; // set before the first bin: bin 0 of every width begins with the first
			 // packet
	bool started;
	bool finishing;
	int64_t last_index;		 // of the finest grid, if started
	struct bin_run last;		 // placed when the length of the silence after it is known
	int64_t gap;			 // finest bins since the previous run; 0 for the first
	uint64_t open;			 // set of the widths whose open bin may be non-empty
	uint64_t finest[SCALES_MAX + 1]; // finest[k]: set of the k finest widths
	uint64_t fed_above[SCALES_MAX + 1]; // set of the other widths that these, or the grid, feed
	struct scale_sums sums;
};

// Makes the widths: factors[i] > 0 finest bins each, 1 <= count <= SCALES_MAX. TR_ERROR if out of
// memory.
enum tr_status scales_open(struct scales *scales, const int64_t *factors, size_t count,
			   struct tr_error *err);

// Adds a run of the finest grid; a bin_sink whose context is the struct scales. TR_ERROR if it
// is earlier than the last one (the same bin is allowed), or from the hook.
enum tr_status scales_take(void *scales, const struct bin_run *run, struct tr_error *err);

// Time has reached a bin of the finest grid: completes the bins of every width that end before it,
// for the hook. The statistics then count the silence up to there.
enum tr_status scales_pass(struct scales *scales, int64_t index, struct tr_error *err);

// Completes the open bins. No more may be added.
enum tr_status scales_finish(struct scales *scales, struct tr_error *err);

// First bin of a width; valid once started.
int64_t scales_first(const struct scales *scales, size_t scale);

// The complete bins of a width, empty ones included; after scales_finish.
struct scale_moments scales_get(const struct scales *scales, size_t scale);

// The bins of a width with the first (unless from_start) and the last packet; after scales_finish.
struct scale_moments scales_edges(const struct scales *scales, size_t scale);

// The complete bins of a width that begin in one segment, 0 <= segment < SCALE_SEGMENTS.
struct scale_moments scales_segment(const struct scales *scales, size_t scale, size_t segment);

// Makes an independent copy, with the same hook and without values; does not free the old content
// of to. TR_ERROR if out of memory; both may be closed.
enum tr_status scales_copy(struct scales *to, const struct scales *from, struct tr_error *err);

// Frees what it holds; it is empty then.
void scales_close(struct scales *scales);

#endif
