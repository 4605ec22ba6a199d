// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that are parts of one trace, each summed up by itself: their clocks, and their order in time.
#ifndef STAT_PARTS_H
#define STAT_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/partial.h"
#include "trace/header.h"
#include "trace/status.h"

struct part {
	char *name; // of its file
	struct tr_header clock;
	uint64_t packets;		 // set by the caller before parts_order, as are
	int64_t first_ticks, last_ticks; // of its packets
	void *sums;			 // the caller's
};

// Zero is a valid empty one.
struct parts {
	struct part *list;
	size_t count, capacity;
};

// Adds a part with the clock of a header. *part is lent until the next one is added. TR_ERROR: other ticks than those before
// it, or out of memory; the sums stay the caller's.
enum tr_status parts_add(struct parts *parts, const char *name, const struct tr_header *clock, void *sums, struct part **part,
			 struct tr_error *err);

// Sorts them by their times, those without packets first. TR_ERROR: two overlap; err names them.
enum tr_status parts_order(struct parts *parts, struct tr_error *err);

// How much later the times of a part are on another clock. TR_ERROR: not a whole number of ticks, or too far.
enum tr_status part_shift(const struct part *part, const struct tr_header *clock, int64_t *ticks, struct tr_error *err);

// Writes a clock to a partial, or reads it.
void part_exchange_clock(struct tr_header *clock, struct partial *partial);

// Frees the list; the sums go to release first.
void parts_close(struct parts *parts, void (*release)(void *sums));

#endif
