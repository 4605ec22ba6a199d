// SPDX-License-Identifier: GPL-3.0-or-later
// Records in order of time, those of one time in the order they came: in memory up to a bound, beyond
// it in sorted runs in one temporary file that are merged at the end.
#ifndef TRACE_SORT_H
#define TRACE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "trace/record.h"
#include "trace/status.h"

struct tr_sort;

// Sorts records of record_bytes bytes that begin with their time. Memory: memory_bytes (at least 64 KiB is
// used), all of it reserved at once, touched as it fills. folder is where the temporary file goes if
// one is needed (NULL: /tmp); it has no name and is gone with the process.
enum tr_status tr_sort_open(struct tr_sort **out, size_t record_bytes, size_t memory_bytes, const char *folder,
			    struct tr_error *err);

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
