// SPDX-License-Identifier: GPL-3.0-or-later
// Times of one stream in the ticks and from the origin of another.
#ifndef TRACE_REBASE_H
#define TRACE_REBASE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/header.h"
#include "trace/record.h"
#include "trace/status.h"

// Made by tr_rebase_make; read only afterwards.
struct tr_rebase {
	const struct tr_kind_info *kind;
	uint64_t from; // ticks per second
	uint64_t to;
	int64_t offset_ticks; // of from's origin after to's, in to's ticks
	bool round;	      // to the nearest tick what is not whole
	bool same;	      // nothing changes
};

// From the ticks and origin of one header to those of another of the same kind. TR_ERROR where the kinds
// differ, the difference of the origins is not whole in to's ticks (without round) or does not fit.
enum tr_status tr_rebase_make(struct tr_rebase *rebase, const struct tr_header *from, const struct tr_header *to, bool round,
			      struct tr_error *err);

// The time in the other's ticks. TR_ERROR where it is not whole (without round) or does not fit.
enum tr_status tr_rebase_time(const struct tr_rebase *rebase, int64_t ticks, int64_t *out, struct tr_error *err);

// Changes all times, spans and areas of a record in place; the -1 of a time that did not come stays.
// TR_ERROR as above, with the record in part changed.
enum tr_status tr_rebase_record(const struct tr_rebase *rebase, void *record, struct tr_error *err);

#endif
