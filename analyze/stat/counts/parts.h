// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that are parts of one trace, each summed up by itself: their clocks, and their order in
// time. Each is held as its partial, so that all together take little more memory than these would
// as files.
#ifndef STAT_PARTS_H
#define STAT_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "stat/counts/partial.h"
#include "stream/header.h"
#include "value/status.h"

struct part {
	char *name; // of its file
	struct tr_header clock;
	uint64_t packets;		 // set by the caller before parts_order, as are
	int64_t first_ticks, last_ticks; // of its packets
	char *partial;
	size_t size_bytes;
};

// Zero but for the first four is a valid empty one.
struct parts {
	const char *maker, *settings; // of the partials; lent
	// Writes sums to a partial, or reads them into empty ones, whose clock is known. Failures
	// are the partial's.
	void (*exchange)(void *context, void *sums, const struct tr_header *clock,
			 struct partial *partial);
	void *context;
	struct part *list;
	size_t count, capacity;
};

// Adds a part with its sums and the clock of a header. *part is lent until the next one is added.
// TR_ERROR: other ticks than those before it, sums that no partial holds, or out of memory.
enum tr_status parts_add(struct parts *parts, const char *name, const struct tr_header *clock,
			 void *sums, struct part **part, struct tr_error *err);

// Adds a part that is a partial, and reads it into empty sums. TR_ERROR as parts_add, partial_open
// and partial_finish.
enum tr_status parts_take(struct parts *parts, struct tr_source *source, void *sums,
			  struct part **part, struct tr_error *err);

// Reads the sums of a part into empty ones.
enum tr_status parts_get(const struct parts *parts, const struct part *part, void *sums,
			 struct tr_error *err);

// Writes sums and their clock to a file as a partial. TR_ERROR: no partial holds them, or out of
// memory.
enum tr_status parts_write(const struct parts *parts, FILE *out, struct tr_header *clock,
			   void *sums, struct tr_error *err);

// Sorts them by their times, those without packets first. TR_ERROR: two overlap; err names them.
enum tr_status parts_order(struct parts *parts, struct tr_error *err);

// How much later the times of a part are on another clock. TR_ERROR: not a whole number of ticks,
// or too far.
enum tr_status part_shift(const struct part *part, const struct tr_header *clock, int64_t *ticks,
			  struct tr_error *err);

// Writes a clock to a partial, or reads it.
void part_exchange_clock(struct tr_header *clock, struct partial *partial);

// Frees the list of parts.
void parts_close(struct parts *parts);

#endif
