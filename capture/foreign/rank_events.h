// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks of a parallel program did, the form that every foreign trace is read into: for
// each rank its calls of MPI in order, with their times. Messages (messages.h) and programs
// (program.h) are made from it.
//
// A reader calls events_open, adds communicators and events rank by rank, each rank's in the order
// in which it made its calls, then events_finish. Ranks of peers are those of the communicator, as
// the caller of MPI gave them, until events_finish.
//
// Memory: 48 B an event, 8 B a count of a collective operation of differing counts, 60 B for each
// communicator of each rank, 32 B for each group of each rank and 4 for each number that made it, 4
// B a member of each different list of members, and 40 B for each number that a rank gives to
// requests.
#ifndef FOREIGN_RANK_EVENTS_H
#define FOREIGN_RANK_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

#define EVENTS_RANKS_MAX 1048576u
#define EVENTS_MAX ((uint64_t)1 << 31) // of all ranks
#define EVENT_ANY UINT32_MAX	       // any source
#define EVENT_NOBODY (UINT32_MAX - 1)  // MPI_PROC_NULL, no root, no other end
#define EVENT_ANY_TAG INT32_MIN
#define EVENT_WORLD 0u // the communicator of all ranks, which every rank has first

enum event_kind {
	EVENT_CALL,  // a call that moves no message (MPI_Init, MPI_Comm_split): its time is not
		     // computing
	EVENT_SEND,  // blocking
	EVENT_RECV,  // blocking
	EVENT_ISEND, // begins a request
	EVENT_IRECV, // begins a request
	EVENT_WAIT,  // one request is known to have ended (also by a test)
	EVENT_COLLECTIVE, // blocking, or begins a request
	EVENT_MESSAGE,	  // a whole message, seen from outside: sent to peer, from its first to its
			  // last byte
	EVENT_KINDS,
};

// Collective operations. bytes is what MPI's caller gives as count and type: of one rank's data, or
// of one block of those that every member gives or gets.
enum event_collective {
	COLLECTIVE_BARRIER,
	COLLECTIVE_BCAST,	   // bytes: the root's data
	COLLECTIVE_REDUCE,	   // of each rank
	COLLECTIVE_ALLREDUCE,	   // of each rank
	COLLECTIVE_GATHER,	   // of the block that this rank gives
	COLLECTIVE_ALLGATHER,	   // of the block that this rank gives
	COLLECTIVE_SCATTER,	   // of the block that this rank gets
	COLLECTIVE_ALLTOALL,	   // of one block, or a count for each member
	COLLECTIVE_REDUCE_SCATTER, // of all blocks together
	COLLECTIVE_SCAN,	   // of each rank
	COLLECTIVE_EXSCAN,	   // of each rank
	COLLECTIVES,
};

// Whether it goes from or to one member.
static inline bool event_collective_is_rooted(uint8_t collective)
{
	return collective == COLLECTIVE_BCAST || collective == COLLECTIVE_REDUCE ||
	       collective == COLLECTIVE_GATHER || collective == COLLECTIVE_SCATTER;
}

struct event {
	int64_t begin_ticks; // the call was entered
	int64_t end_ticks;   // and left, not before it was entered
	uint64_t bytes;	     // sent; of a receive received if known, otherwise the room for it
	// Destination, source, or root; also EVENT_ANY, EVENT_NOBODY. A rank of the communicator;
	// of a send and receive after events_finish of the world.
	uint32_t peer;
	// Also EVENT_ANY_TAG. Of a collective operation after events_finish: how many of its
	// communicator came before it.
	int32_t tag;
	uint32_t communicator; // the rank's own number of it
	// Of EVENT_WAIT: the rank's event that has ended. Of a send and receive after events_match:
	// the event at the other rank. Of a collective operation the kernel that ran it, a number
	// of a word, which its reader sets after events_add. EVENT_NOBODY: none.
	uint32_t link;
	// Of a collective operation: 1 + where its counts begin in events.counts; 0: there are
	// none, all blocks are of bytes. Of an all-to-all what each member gets; of the root's
	// scatter one, what all get together; of a gather until events_finish what each member
	// gives, which becomes bytes.
	uint32_t counts;
	uint8_t kind;	    // enum event_kind
	uint8_t collective; // enum event_collective
	bool pending;	    // ends with its EVENT_WAIT: a request
	bool guessed;	    // after events_match: its other end is the likely one (match.h)
};

enum event_made {
	EVENT_MADE_BY_LIST,
	EVENT_MADE_BY_SPLIT,
	EVENT_MADE_OF_GROUP,
	EVENT_MADE_OF_GRID,
	EVENT_MADE_BETWEEN, // two groups
	EVENT_MADE_BY_MERGE // of two groups
};

// A communicator as one rank has it.
struct event_communicator {
	uint32_t members; // list of the members, EVENT_NOBODY while it is not known
	uint32_t parent;  // the rank's own number of what it was made from; EVENT_NOBODY: none
	uint8_t made;	  // enum event_made
	uint32_t from; // the rank's own number of the group, or where the grid or the leaders are
	int32_t color; // same color: same communicator
	int32_t key;   // orders the members
	uint32_t said; // its place, as the rank was told it; EVENT_NOBODY: unknown
	uint32_t id; // after events_finish: the same at all its members; EVENT_NOBODY: never known
	uint32_t place;	      // the rank in it
	uint32_t first_group; // of one between two groups: the members of the first, before those
			      // of the second; 0: it is of one
	uint32_t depth;	 // of splits of splits
	uint32_t nth;	 // of the splits of parent
	uint32_t splits; // of this one
	uint32_t collectives;
	uint32_t name; // 1 + the number of a word; 0: the trace does not name it
};

struct event_rank {
	struct event *events;
	uint32_t count, capacity;
	struct event_communicator *communicators;
	uint32_t communicator_count, communicator_capacity;
	struct event_group *groups; // groups.h
	uint32_t group_count, group_capacity;
	uint64_t other_calls; // calls that the reader left out: they move no message and belong to
			      // computing
};

struct event_members;  // lists of ranks
struct event_requests; // by rank and number

struct events {
	uint32_t ranks;
	uint64_t ticks_per_s;
	int64_t origin_s; // of tick 0, from the Unix epoch; 0: unknown
	char library[64]; // of MPI, as it calls itself; "": unknown
	bool computed; // times were made from computing alone: the trace has none of communication
	struct event_rank *by_rank;
	char **names; // of ranks, NULL: "rank" and the number
	uint64_t total;
	uint64_t *counts; // of collective operations
	uint64_t count_total, count_capacity;
	uint64_t count_last; // where those begin that were added last
	int32_t *numbers;    // of groups and grids
	uint64_t number_total, number_capacity;
	char **words; // names of kernels and communicators
	uint32_t word_count, word_room;
	struct event_members *members;
	struct event_requests *requests;
	uint32_t communicators;	    // after events_finish
	uint64_t unknown_waits;	    // waits for a request that no event began
	uint64_t unknown_members;   // calls on communicators whose members are not known: left out
	uint64_t between;	    // collective operations between two groups: left out
	uint64_t unknown_sizes;	    // calls whose type has no known size: of 0 bytes
	uint64_t unsaid;	    // calls left out: what they send or receive is not said
	uint64_t unknown_waits_any; // waits for any of several requests, taken as for the oldest
	uint64_t in_place;  // collective operations whose bytes are others if they were in place,
			    // which the trace does not say
	uint64_t one_sided; // MPI_Put and its like, left out
	uint64_t one_sided_bytes;
	uint64_t stepped; // calls that end before they begin, by the trace: taken as of no length
};

// Begins an empty trace of ranks ranks with ticks_per_s > 0; 0: a trace without any. TR_ERROR: too
// many, or out of memory; *out is then empty, and events_clear may still be called.
enum tr_status events_open(struct events *out, uint32_t ranks, uint64_t ticks_per_s,
			   struct tr_error *err);

// Names a rank; text is copied.
enum tr_status events_name(struct events *events, uint32_t rank, const char *text,
			   struct tr_error *err);

// Adds an event of the rank, copied, but for link. Of ISEND, IRECV and a pending collective,
// request is the trace's own number of it, unique among the rank's pending ones (a reused number
// ends the older); of WAIT the one that has ended, and peer, tag and bytes are those of the
// receive's status: EVENT_ANY, EVENT_ANY_TAG and UINT64_MAX where they are unknown. Of others it is
// ignored. TR_ERROR: err says what is wrong with the event (the caller adds where it is), or out of
// memory.
enum tr_status events_add(struct events *events, uint32_t rank, const struct event *event,
			  uint64_t request, struct tr_error *err);

// The request ends without a message (MPI_Cancel).
void events_cancel(struct events *events, uint32_t rank, uint64_t request);

// Adds the counts of a collective operation in bytes; *at goes to event.counts. Counts that equal
// those before are kept once.
enum tr_status events_add_counts(struct events *events, const uint64_t *counts, uint32_t count,
				 uint32_t *at, struct tr_error *err);

// The number of a word, which is copied if it is new.
enum tr_status events_word(struct events *events, const char *text, size_t bytes, uint32_t *number,
			   struct tr_error *err);

// Moves the words and counts of another, which may be zero but for them, to events, which has none.
void events_adopt(struct events *events, struct events *from);

// Adds a communicator of the rank by its members, ranks of the world in their order; *number is the
// rank's own number of it. Members of a communicator must all do so, each in the same order for
// communicators of the same members.
enum tr_status events_communicator(struct events *events, uint32_t rank, const uint32_t *members,
				   uint32_t count, uint32_t *number, struct tr_error *err);

// Adds one that was made from parent by a call of all its members: those of one color are a
// communicator, ordered by key and then by their places in parent. It is known after events_finish.
// A rank of the color EVENT_NO_COLOR takes part in the call alone.
#define EVENT_NO_COLOR INT32_MIN
enum tr_status events_split(struct events *events, uint32_t rank, uint32_t parent, int32_t color,
			    int32_t key, uint32_t *number, struct tr_error *err);

// Adds one that was made by a call of all members of parent, of those in a group of the rank
// (groups.h), in its order.
enum tr_status events_create(struct events *events, uint32_t rank, uint32_t parent, uint32_t group,
			     uint32_t *number, struct tr_error *err);

// Adds one of the parts of a grid: parent's places are those of a grid of count sides, the last
// running fastest; those who differ only in the sides that are kept are together. kept: a bit a
// side.
enum tr_status events_part(struct events *events, uint32_t rank, uint32_t parent,
			   const uint32_t *sides, uint32_t count, uint32_t kept, uint32_t *number,
			   struct tr_error *err);

// Adds one between two groups (MPI_Intercomm_create), of which the rank's is local. What the leader
// of a group gave of the other's counts; a peer is a rank of the other group, and collective
// operations are left out.
struct event_leaders {
	int32_t local;	// place in local
	uint32_t peers; // the rank's own number of the communicator that has the other leader;
			// EVENT_NOBODY: none
	int32_t remote; // its place there
	int32_t tag;
};
enum tr_status events_between(struct events *events, uint32_t rank, uint32_t local,
			      struct event_leaders leaders, uint32_t *number, struct tr_error *err);

// Adds one of both groups of such a communicator; that of those who are high comes last.
enum tr_status events_merge(struct events *events, uint32_t rank, uint32_t between, bool high,
			    uint32_t *number, struct tr_error *err);

// The rank was told its place in a communicator. If all members were, and in different ones, their
// order follows from it.
void events_said(struct events *events, uint32_t rank, uint32_t number, uint32_t place);

// The place of the rank in a communicator; EVENT_NOBODY: it is not known before events_finish.
uint32_t events_place(const struct events *events, uint32_t rank, uint32_t number);

// Bytes that a rank gives to a collective operation, after events_finish: its own block for each
// member that gets one.
uint64_t events_given(const struct events *events, uint32_t rank, const struct event *event);

// Moves the times, so that the origin is the whole second before the first call; without a date
// (origin_s 0) if that is before 1973, when the clock is one that begins with the machine. To be
// called before events_finish, with times since the Unix epoch.
void events_rebase(struct events *events);

// Resolves communicators and ranks. TR_ERROR: a rank that its communicator does not have (err names
// who calls), or out of memory.
enum tr_status events_finish(struct events *events, struct tr_error *err);

// The members of a rank's communicator, ranks of the world, lent; *count of them. After
// events_finish.
const uint32_t *events_members(const struct events *events, uint32_t rank, uint32_t number,
			       uint32_t *count);

// The communicator of a rank's event. After events_finish.
static inline const struct event_communicator *event_communicator_of(const struct events *events,
								     uint32_t rank,
								     const struct event *event)
{
	return &events->by_rank[rank].communicators[event->communicator];
}

// The word of a collective operation: "allreduce".
const char *event_collective_word(enum event_collective collective);

// Frees everything; zero is accepted.
void events_clear(struct events *events);

#endif
