// SPDX-License-Identifier: GPL-3.0-or-later
// The collective operations in a trace of messages (messages/exchanges.h), alike ones together, and
// what late nodes and slow links cost them.
#ifndef STAT_EXCHANGE_RUN_H
#define STAT_EXCHANGE_RUN_H

#include "messages/exchanges.h"
#include "stat/intervals/moments.h"
#include "stream/header.h"
#include "stream/names.h"
#include "stream/record.h"
#include "table/table_rows.h"
#include "value/status.h"

#define EXCHANGE_MESSAGE_B 512u // of memory for a message, at most, with all that is made of it

// Operations with the same messages between the same nodes.
struct exchange_kind {
	const struct exchange **of; // owned
	size_t count, capacity;
	int64_t *free_ticks; // of each place of each: when what came to it before had come;
			     // INT64_MAX: there was nothing
};

// A node, or a link if dst is a place, that is late, or slow, in the operations of a kind; or all
// of these that are listed before it, where there are several.
struct exchange_delay {
	int64_t sum_ticks;	      // above the medians; of all: undefined
	size_t kind, all;	      // how many it stands for
	struct exchange_undone of;    // the node or link; of all: the last one's
	struct exchange_undone nodes; // likewise, by node
	double mean_ticks;	      // of an operation, with it
	struct moments beyond; // an operation's, above the mean of those that are listed after it
	struct moments pause;  // likewise, of times since nodes were free
	struct moments cost;   // ticks of an operation
};

// Zero is a valid empty one.
struct exchange_run {
	struct exchange_message *list;
	size_t count, capacity;
	uint32_t *ranks; // by node: one more than the first rank seen there, 0: none
	uint32_t node_capacity;
	uint64_t calls, left_out, partly, doubts[EXCHANGE_DOUBTS];
	bool by_rank; // a node has several ranks
	bool headers; // some messages were not found by rule
	bool cut;     // the caller's: there were more messages
	const struct tr_names *names;
	uint64_t ticks_per_s;
	double level;
	struct exchanges found;
	struct exchange_kind *kinds;
	size_t kind_count, kind_capacity;
	struct exchange_delay *delays; // that are listed: by kind, nodes before links
	size_t delay_count, delay_capacity;
	size_t late_by_others; // nodes of kinds, which are not listed
};

// Adds a message, in any order, before exchange_run_find. TR_ERROR: out of memory.
enum tr_status exchange_run_take(struct exchange_run *run, const struct tr_message *message,
				 struct tr_error *err);

// Finds the operations, and what is late in them. names: of the nodes, lent until the end; header:
// of the stream; level: of the intervals. TR_ERROR: out of memory.
enum tr_status exchange_run_find(struct exchange_run *run, const struct tr_names *names,
				 const struct tr_header *header, double level,
				 struct tr_error *err);

// Frees what it holds; it is empty then.
void exchange_run_clear(struct exchange_run *run);

// The mean of times in ticks, in seconds, with its interval.
struct table_interval exchange_seconds(const struct exchange_run *run,
				       const struct moments *moments);

// From the first begin to the last end of each operation, in ticks.
struct moments exchange_times(const struct exchange_kind *kind);

// The name of a node or rank: text, or one that the run lends.
const char *exchange_label(const struct exchange_run *run, uint32_t node, char text[32]);

// Each makes a table of what was found.
void exchange_tabulate_messages(struct table *table, const struct exchange_run *run);
void exchange_tabulate_kinds(struct table *table, const struct exchange_run *run);
void exchange_tabulate_order(struct table *table, const struct exchange_run *run);
void exchange_tabulate_doubts(struct table *table, const struct exchange_run *run);

// ---- exchange_delays.c

// Fills run->delays. TR_ERROR: out of memory.
enum tr_status exchange_delays_find(struct exchange_run *run, struct tr_error *err);

// The delays that are listed, with what they cost.
void exchange_tabulate_delays(struct table *table, const struct exchange_run *run);

// The part that a node has in an operation, in ticks.
struct exchange_share {
	int64_t begin_ticks; // of the first message it sends, or else gets; INT64_MAX: none
	int64_t end_ticks;   // of its last message; INT64_MIN: none
	int64_t late_ticks;  // from the median begin to its own; INT64_MIN: it waits for others
	int64_t slow_ticks;  // by which the message that is slowest beside its like is slower
	uint32_t slow_to;    // its receiver; EXCHANGE_NONE: no message is slower
};

// Fills shares, one for each place of the exchange. TR_ERROR: out of memory.
enum tr_status exchange_shares(const struct exchange *exchange, struct exchange_share *shares,
			       struct tr_error *err);

// Each operation at each node.
void exchange_tabulate_shares(struct table *table, const struct exchange_run *run);

#endif
