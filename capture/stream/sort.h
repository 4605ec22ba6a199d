// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts records by time; also the heap that merges sorted sequences.
#ifndef STREAM_SORT_H
#define STREAM_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "stream/record.h"
#include "value/status.h"

// ---- merging sorted sequences by time, equal times by the sequence's number: a binary heap

// The next item of sequence number.
struct tr_order_item {
	int64_t time_ticks;
	size_t number;
};

// Sifts items[0], whose time has grown or which is new, down to its place, so that items[0] is the
// first of the count items again.
void tr_order_sift(struct tr_order_item *items, size_t count);

// Adds an item at items[*count], for which there is room.
void tr_order_add(struct tr_order_item *items, size_t *count, struct tr_order_item item);

// ---- stable sorting by time: in memory up to a bound, beyond it in sorted runs in one temporary
// file, merged at the end

struct tr_sort;

// Sorts records of record_bytes bytes that begin with their time. Memory: memory_bytes (at least 64
// KiB is used), all reserved at once, touched as it fills. folder is where the temporary file goes
// if one is needed (NULL: /tmp); it has no name and is gone with the process.
enum tr_status tr_sort_open(struct tr_sort **out, size_t record_bytes, size_t memory_bytes,
			    const char *folder, struct tr_error *err);

// Takes a copy of a record.
enum tr_status tr_sort_add(struct tr_sort *sort, const void *record, struct tr_error *err);

// The next record in order, lent until the next call; no tr_sort_add may follow the first of these.
// TR_END after the last.
enum tr_status tr_sort_next(struct tr_sort *sort, const void **record, struct tr_error *err);

// Runs written to the temporary file so far.
size_t tr_sort_runs(const struct tr_sort *sort);

// Frees everything; NULL is accepted.
void tr_sort_close(struct tr_sort *sort);

#endif
