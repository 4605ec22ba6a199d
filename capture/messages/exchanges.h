// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations found in messages: which algorithm, between which nodes, in which order.
//
// Each algorithm is a row of a table (exchange_algorithms.c): the program that writes it, whose
// messages these must be, one after the other. Nodes take their places by following their messages,
// so late nodes change nothing. An operation is named only if its sizes are the algorithm's, too,
// and no node sends a message before that which it waits for has come.
//
// Operations must explain all messages of a group, to the last; only if they explain half of it
// and repeat, others may remain behind them (there the capture ends, or loses some). A group is all
// messages between nodes; what these leave is looked at again by iterations (iterations.h), and in
// each channel, and in each tag.
//
// Messages cannot tell operations apart whose messages are the same; their names are joined by
// "or". A program whose own exchanges are those of an algorithm gets its name.
#ifndef MESSAGES_EXCHANGES_H
#define MESSAGES_EXCHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectives/schedule.h"
#include "value/status.h"

#define EXCHANGE_NONE UINT32_MAX

struct exchange_message {
	int64_t begin_ticks, end_ticks;
	uint64_t id, size_bytes;
	uint64_t channel;	     // a number for each communicator, operation and so on
	uint32_t tag;		     // likewise for each tag
	uint32_t src, dst;	     // nodes, or ranks
	uint32_t src_rank, dst_rank; // these are the caller's
	uint32_t turn;		     // as is this, of those that begin in one tick
	bool by_rule;
	uint32_t doubt;	    // enum exchange_doubt, set by exchanges_find, as is the next
	uint32_t iteration; // that repeats, from 1 on; 0: unknown. No operation is in two, but
			    // trees that explain all: one-way operations overtake each other
};

// Why a message is not explained.
enum exchange_doubt {
	EXCHANGE_FOUND, // it is
	EXCHANGE_FEW,	// fewer than three nodes, where all algorithms are alike
	EXCHANGE_PEERS, // no algorithm sends to these peers in this order
	EXCHANGE_SIZES, // the peers are those of an algorithm, sizes are not
	EXCHANGE_EARLY, // so are the sizes, but messages begin before those they would wait for end
	EXCHANGE_SPREAD, // it would be in two iterations
	EXCHANGE_DOUBTS,
};

// A message of an operation, from place to place.
struct exchange_part {
	struct exchange_message *of; // lent
	uint32_t src, dst;
	uint32_t step; // what a place sends in a step waits for what came to it in earlier ones
};

// A collective operation.
struct exchange {
	const char *algorithm, *operation; // static
	uint32_t places, steps;
	uint32_t *nodes;	     // of each place
	struct exchange_part *parts; // by step and places
	size_t count;
	bool weak; // a tree between silences, where no other algorithm was: kept if it comes again
};

struct exchanges {
	struct exchange *list; // by groups and begins
	size_t count, capacity;
	struct exchange_schedules { // of algorithms among so many places, while they are found
		struct exchange_schedule *list;
		size_t count, capacity;
		uint32_t places;
	} schedules;
};

// Finds the operations in messages, which are sorted by begin and lent until exchanges_clear; out
// is empty at first. TR_ERROR: out of memory.
enum tr_status exchanges_find(struct exchanges *out, struct exchange_message *messages,
			      size_t count, struct tr_error *err);

// Frees what it holds; it is empty then.
void exchanges_clear(struct exchanges *exchanges);

// Whether two operations have the same messages between the same nodes.
bool exchange_is_like(const struct exchange *a, const struct exchange *b);

// Frees what it holds; dropped, its messages are not explained.
void exchange_clear(struct exchange *exchange);
void exchange_drop(struct exchange *exchange);

// The times of the first begin and the last end.
int64_t exchange_begin(const struct exchange *exchange);
int64_t exchange_end(const struct exchange *exchange);

// ---- exchange_group.c: messages between nodes that have a path of messages between them

struct exchange_edge {
	struct exchange_message *of; // taken by an operation: EXCHANGE_FOUND
	uint32_t src, dst;	     // rows
};

enum exchange_end { EXCHANGE_SENDS, EXCHANGE_RECEIVES, EXCHANGE_ENDS };

// A node of a group, by rising number.
struct exchange_row {
	uint32_t node;
	// Edges that it sends, and receives: lists[end][next], the first that is not taken, and on.
	size_t next[EXCHANGE_ENDS], end[EXCHANGE_ENDS];
	int64_t came_ticks; // the last message that it waits for
	int64_t tried_ticks;
	uint32_t place;	  // of an operation being tried, as is the rest
	uint32_t parent;  // row
	uint32_t kids;	  // whose subtrees are not yet counted
	uint32_t subtree; // nodes
};

struct exchange_group {
	uint32_t count;
	struct exchange_row *rows;
	struct exchange_edge *edges; // by begin
	size_t edge_count, left;     // all, those not taken
	size_t *lists[EXCHANGE_ENDS];
	struct exchange_schedules *schedules; // lent
	struct exchange_part *parts;	      // of an operation being tried
	size_t part_capacity;
	uint32_t *order, *room; // of it, by place: the row, and for two words
	bool trees;		// whether to look for trees
	bool mixed;		// whether one was in several tags or iterations
	bool failed;		// out of memory
};

// The first edge of the row at or after lists[end][*at] that is not taken; *at is behind it then.
// NULL: none.
struct exchange_edge *exchange_next(const struct exchange_group *group, enum exchange_end end,
				    uint32_t row, size_t *at);

// Adds the operations that messages, sorted by begin, are made of, whose nodes all are connected by
// them. trees: whether to look for trees: a silence may cut one out of anything. weak: whether
// trees alone are weak.
enum tr_status exchange_explain(struct exchanges *out, struct exchange_message *const *of,
				size_t count, bool trees, bool weak, struct tr_error *err);

// ---- exchange_places.c

// The messages of an algorithm among so many places.
struct exchange_schedule {
	size_t algorithm;
	uint32_t number;
	struct schedule of;
	size_t *by_src, *firsts; // messages by sender: by_src[firsts[place]] to the next place's
	bool alike;		 // each place sends as many
	size_t too_many;	 // there are more than this, if of.list is NULL
	struct exchange_point {
		uint32_t from;
		int64_t bytes, last;
		bool seen;
	} * points; // room: between blocks
};

// Sets parts to the messages not taken that the next operation of the schedule would have, and
// order to who has which place. False: there is none.
typedef bool (*exchange_finder)(struct exchange_group *group,
				const struct exchange_schedule *schedule);

// Each sends to the schedule's places in its order.
bool exchange_find_by_sends(struct exchange_group *group, const struct exchange_schedule *schedule);
// Everyone sends to all others at once, in any order.
bool exchange_find_all(struct exchange_group *group, const struct exchange_schedule *schedule);
// Trees: all but the root get one message, or send one.
bool exchange_find_down(struct exchange_group *group, const struct exchange_schedule *schedule);
bool exchange_find_up(struct exchange_group *group, const struct exchange_schedule *schedule);

// ---- exchange_algorithms.c

extern const size_t exchange_algorithm_count;

// Whether the first messages not taken are an operation by the algorithm, but for when they begin;
// if EXCHANGE_FOUND, out has it, with the group's parts and no nodes. *tree: whether it is one.
enum exchange_doubt exchange_identify(struct exchange_group *group, size_t algorithm,
				      struct exchange *out, bool *tree);

// Frees what it holds; it is empty then.
void exchange_schedules_clear(struct exchange_schedules *schedules);

// ---- exchange_cost.c: what late nodes and slow links cost

// A message's own time is that from the last of these to its end: it begins, the message before it
// of its sender ends, and, where ends are receipts, its receiver begins the same step.
struct exchange_time {
	int64_t own_ticks;
	int64_t usual_ticks; // the median of those of its size in its step, or of their times
			     // without the wait for one before if it had none; INT64_MAX: under
			     // three
	size_t before;	     // part whose end it waits for, SIZE_MAX: none
	size_t receiver;     // part whose begin it waits for, SIZE_MAX: none
};

struct exchange_like {
	uint32_t step;
	uint64_t size_bytes;
	size_t part;
};

struct exchange_costs {
	const struct exchange *exchange;
	struct exchange_part *parts; // its own, those of a place in a step by begin
	struct exchange_time *times; // of parts
	struct exchange_like *likes; // parts by step and size
	int64_t *begins;	     // of each place that begins by itself, else INT64_MIN
	int64_t usual_begin_ticks;   // their median; INT64_MIN: under three
	int64_t *room;		     // two words a place and two a message
};

// Sets up costs. TR_ERROR: out of memory. exchange_costs_close frees it in any case.
enum tr_status exchange_costs_open(struct exchange_costs *costs, const struct exchange *exchange,
				   struct tr_error *err);
void exchange_costs_close(struct exchange_costs *costs);

// The end of the parts that are compared with that of likes[at], their first.
size_t exchange_likes_end(const struct exchange_costs *costs, size_t at);

// What is undone: the node at place src began late if dst is EXCHANGE_NONE, else the messages from
// src to dst were slow.
struct exchange_undone {
	uint32_t src, dst;
};

// When the last message would have ended if these nodes had begun no later than the median of all,
// and the messages of these links had own times no longer than usual. All else takes as long as it
// did: own times, and the time from when a node has sent and got a step's messages until it begins
// the next one.
int64_t exchange_end_without(struct exchange_costs *costs, const struct exchange_undone *undone,
			     size_t count);

#endif
