// SPDX-License-Identifier: GPL-3.0-or-later
// A program in parts, each with the ranks of the hosts of one region of a network, which threads
// move at the same time (net/drive/regions_loops.c).
//
// A part is a program of its own whose arrays are those of all: of these it touches what belongs to
// its ranks. A message belongs to its sender until its packets have left, to its receiver once they
// come, and so on at each stage of a rendezvous; in between lies the end of a window, at least. A
// part has its own agenda, matching, numbers of messages, steps and sums.
//
// The whole program counts its events: of two that are due at one time the one with the lower
// number comes first, and messages, packets and steps are numbered as they come. So a part notes
// what it has done, and the numbers that it gave itself (PART_ORDER). At the end of a window the
// notes of all parts are merged by time and number (parts_settle), as the whole would have taken
// its events, which gives the numbers that the whole would have given; none is needed before, since
// what comes from another part was sent in an earlier window. While the parts are in the next
// window, what is reported is numbered and passed on in that order (parts_pass).
#ifndef PROGRAM_DIVIDED_H
#define PROGRAM_DIVIDED_H

#include "program/state.h"

#define PART_SHIFT 40 // of a part's number in an order that it gave itself
#define PART_CREDIT \
	((uint64_t)1 << 61) // of the order by which a rank came to send: as a worm ended

// What an event of a part has done, or packets that have entered.
struct part_item {
	int64_t ticks;
	uint64_t order;	 // of the event, or of the latest before it at its time, if that is above;
			 // of packets, that of the event by which their rank came to send
	uint32_t orders; // that it gave
	uint32_t steps;	 // that began
	uint32_t ended;	 // operations
	uint32_t number; // of a message,
	uint32_t worms;	 // of which so many are to enter; or have entered
	bool message;	 // one was received: the next of the notes
	bool enters;
};

struct part_items {
	struct part_item *items;
	uint32_t count;
	uint32_t room;
	uint32_t merged;
	uint32_t passed;
};

struct part_messages {
	struct tr_message *items;
	uint32_t count;
	uint32_t room;
	uint32_t passed;
};

struct part_notes {
	struct part_items items;
	struct part_messages messages;
};

struct part_log {
	struct part_notes notes[2]; // of this window, and of the one before
	struct part_item item;	    // of the present event,
	struct part_item before;    // and the counts before it
	uint64_t high;		    // the highest order at this time
	struct part_item last;	    // the event in which the last end of an operation was noted
	uint64_t first_order;	    // that it gave itself
	bool exact;		    // it knows of all its ranks what has ended
	bool stale; // the orders of the last window have become known, which the agenda has not
};

struct part {
	_Alignas(64) struct program program;
	struct part_log log;
	uint64_t *orders; // of the whole, of each that it gave itself, as far as they are known
	uint64_t order_count;
	uint64_t order_room;
	uint32_t first_message; // its numbers begin there
	uint32_t next_step;	// the place of the next that is passed on
};

struct parts {
	struct part *all;
	uint32_t count;
	uint16_t *of_ranks;
	struct sim_arena arena;
	uint64_t *names;    // of each message: of its first worm
	uint32_t *ended;    // of each rank: of its worms
	uint32_t *known;    // the same, as far as an exact part knows
	uint64_t credits;   // ranks that came to send as a worm ended
	uint64_t orders;    // that the whole has given
	uint16_t *sequence; // of the last window: the parts, in the order of what they noted
	size_t sequence_count;
	size_t sequence_room;
	size_t passed;
	struct agenda heads; // of what is merged
	uint32_t *places;    // of each step, in the order in which they began: where it is;
	uint32_t *numbers;   // and of each place the number
	unsigned turn;	     // of this window
	uint32_t numbers_of; // the whole takes those of messages from this part on, once it is
			     // united
	bool united;
	bool apart; // but not what is matched: the run has ended
};

// The part in which a rank is.
static inline struct program *part_of_rank(const struct program *program, uint32_t rank)
{
	return &program->parts->all[program->parts->of_ranks[rank]].program;
}

// Whether a rank of a part may have one more worm under way.
static inline bool part_has_window(const struct program *part, uint32_t rank)
{
	return !part->log->exact ||
	       part->ranks[rank].window_used - part->parts->known[rank] < part->params.window_worms;
}

extern const struct net_division program_division;

// --- program_traffic.c
// The traffic of a part.
struct net_traffic program_traffic_part(struct program *part);

// --- parts_log.c: in a part
// An event begins, and ends.
void part_log_begin(struct program *part, uint64_t order);
void part_log_end(struct program *part);

// The present event hands the worms of a message to the network; ends a message; an operation,
// later than all before.
void part_log_worms(struct program *part, uint32_t message);
void part_log_message(struct program *part, const struct tr_message *message);
void part_log_last(struct program *part);

// A packet has entered, of a rank that came to send in the event with this order.
void part_log_entry(struct program *part, uint64_t joined);

// Before anything else of a window.
void part_refresh(struct program *part);

// --- parts_log.c: of the whole
// Merges the notes of the window that has ended. TR_ERROR if out of memory.
enum tr_status parts_settle(void *context, struct tr_error *err);

// Passes on what happened in that window at or before a tick, up to the next packet that entered,
// whose part is *part; TR_END if there is none.
enum tr_status parts_pass(void *context, int64_t ticks, uint32_t *part, struct tr_error *err);

// The name of a worm.
uint64_t parts_name(const struct program *program, uint64_t id);

// --- parts_divide.c
// Tells of a worm's end.
enum tr_status parts_done(struct program *program, const struct net_worm *worm,
			  const struct tr_delivery *delivery, struct tr_error *err);

// --- parts_unite.c
// Of struct net_division.
void parts_unite(void *context, bool goes_on);

// For a program that is united again, which is out of numbers of messages.
void parts_next_numbers(struct program *program);

// Behind the numbers of messages of a part that were used.
uint32_t parts_numbers_end(const struct program *program, uint32_t part);

// Frees them; a program without any has none to free.
void parts_close(struct program *program);

#endif
