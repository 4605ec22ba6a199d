// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of --collectives share.
#ifndef FLITSTAT_STAT_COLLECTIVES_H
#define FLITSTAT_STAT_COLLECTIVES_H

#include "flitstat.h"
#include "messages/exchanges.h"
#include "stat/intervals/moments.h"
#include "table/table_rows.h"

// Operations with the same messages between the same nodes.
struct exchange_kind {
	const struct exchange **of; // owned
	size_t count, capacity;
};

struct exchange_run {
	struct exchange_message *list;
	size_t count, capacity;
	uint32_t *ranks; // by node: one more than the first rank seen there, 0: none
	uint32_t node_capacity;
	uint64_t calls, left_out, partly, doubts[EXCHANGE_DOUBTS];
	bool by_rank; // a node has several ranks
	bool headers; // some messages were not found by rule
	const struct tr_names *names;
	uint64_t ticks_per_s;
	double level;
	struct exchanges found;
	struct exchange_kind *kinds;
	size_t kind_count, kind_capacity;
};

// The mean of times in ticks, in seconds, with its interval.
struct table_interval exchange_seconds(const struct exchange_run *run,
				       const struct moments *moments, double level);

// From the first begin to the last end of each operation, in ticks.
struct moments exchange_times(const struct exchange_kind *kind);

// The name of a node or rank: text, or one that the run lends.
const char *exchange_label(const struct exchange_run *run, uint32_t node, char text[32]);

// ---- stat_delays.c

// Late nodes and slow links, and what they cost; of each collective, its operations one after the
// other. *out: a table, the caller's, in any case. TR_ERROR: out of memory.
enum tr_status exchange_delays_table(const struct exchange_run *run, struct table **out,
				     struct tr_error *err);
enum tr_status exchange_moments_table(const struct exchange_run *run, struct table **out,
				      struct tr_error *err);

#endif
