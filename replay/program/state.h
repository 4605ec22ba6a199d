// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a program that runs. A task is something that needs a rank's processor: an operation, or a
// message that is to be taken in or sent on. Tasks of one kind, processor and interface wait in one
// lane, first come first served; lanes compete by the age of their first tasks.
#ifndef PROGRAM_STATE_H
#define PROGRAM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "program/program.h"
#include "sim/arena.h"

// What a program has still to do at known times, in the order (time, order of creation).
struct entry {
	int64_t time_ticks;
	uint64_t order; // no two pending ones have the same time and order
	uint32_t what;
	uint32_t about;
};

// A 4-ary heap.
struct agenda {
	struct entry *entries;
	size_t count;
	size_t capacity;
};

// Takes room for capacity entries.
void agenda_layout(struct agenda *agenda, struct sim_arena *arena, size_t capacity);

// Adds an entry; there must be room.
void agenda_push(struct agenda *agenda, const struct entry *entry);

// Removes the first; the agenda must not be empty. entries[0] is the first.
void agenda_pop(struct agenda *agenda, struct entry *out);

// Messages that mostly come in the order (time, order) in which they are due: a list takes a new one near its end, where
// an agenda has to look for its place.

struct program;

struct lineup {
	uint32_t first;
	uint32_t last;
};

// Puts in a message, due at its due_ticks; false, and nothing done, where its place is not near the end. It must be in no
// lineup and not among the unexpected, whose links are used.
bool lineup_add(struct program *program, struct lineup *lineup, uint32_t message);

// Removes the first, which must be there, and returns it.
uint32_t lineup_take(struct program *program, struct lineup *lineup);

// The steps of a run, where they are kept.

struct path {
	struct program_step *steps; // NULL: not kept
	uint32_t count;
	uint32_t present; // the step that is being taken
	uint32_t last;	  // that with the latest end of an operation
	int64_t last_ticks;
	uint32_t *op_ready;   // of each operation, the step that it needed last
	uint32_t *of_message; // of each message, its last one
	uint32_t *of_cpu;
	uint32_t *of_send; // by interface
	uint32_t *of_receive;
};

struct program;

// Takes room for all steps that the program can take.
void path_layout(struct program *program, struct sim_arena *arena);
void path_fill(struct program *program);

// A task, in a lane's words of state.h, starts now; its times are those before it takes the processor.
struct path_start {
	uint32_t task;
	uint32_t rank;
	unsigned cpu;
	unsigned nic;
	bool sends;    // uses the interface to send
	bool receives; // or to receive
};

void path_begin(struct program *program, const struct path_start *start);
void path_end(struct program *program, const struct path_start *start);

// A receive is posted now.
void path_post(struct program *program, uint32_t op);

// The present step is the cause of what happens next with the message, or of the operation's readiness.
void path_of_message(struct program *program, uint32_t message);
void path_of_op(struct program *program, uint32_t op);

// A receive that waits for the processor, not for its needs, is posted when that is free.
void path_wait_cpu(struct program *program, uint32_t op, uint32_t rank, unsigned cpu);

// A receive has found its message there, and the processor is still taking it in: that becomes the present step.
void path_taken_in(struct program *program, uint32_t message);

// The message has met its receive: its last step is the present one, and that of the receive.
void path_meet(struct program *program, uint32_t message, uint32_t recv);

// An operation of the rank ends at end_ticks, by the present step.
void path_finish(struct program *program, int64_t end_ticks);

#define NOTHING UINT32_MAX
#define TASK_MESSAGE 0x80000000u // a task that is a message, not an operation
#define PROGRAM_TURNS 6		 // three kinds of operations, let go by the begin or by the end of what they need

enum what {
	WHAT_LANE,   // a lane's first task may start
	WHAT_POST,   // a receive is posted
	WHAT_READY,  // an operation goes into its lane
	WHAT_HAND,   // a message that found no place in its lineup is handed to the network
	WHAT_ARRIVE, // or is there
	WHAT_FINISH, // a rank's operations have ended
	WHAT_ACK,    // what a flow has heard is acknowledged now at the latest
};

enum op_state {
	OP_WAITS,  // for others
	OP_READY,  // in a lane, or about to be posted
	OP_BEGUN,  // a send that waits for its receiver, a receive that has met its message
	OP_POSTED, // a receive that waits for one
	OP_ENDED,
};

enum stage {
	STAGE_EAGER,   // the message itself, sent without asking
	STAGE_REQUEST, // to the receiver
	STAGE_REPLY,   // to the sender
	STAGE_DATA,    // the message itself
};

// Between an elder and a younger message, NOTHING where there is none.
struct kept {
	uint32_t elder;
	uint32_t younger;
};

struct message {
	uint64_t order;
	uint64_t left_bytes;  // not yet offered as worms
	uint64_t first_id;    // of its worms
	int64_t begun_ticks;  // the send
	int64_t due_ticks;    // in a lineup
	int64_t handed_ticks; // to the network, at this stage
	int64_t arrived_ticks;
	uint32_t send;	 // operations; NOTHING: no message has this number now
	uint32_t recv;	 // NOTHING before the match
	uint32_t source; // ranks
	uint32_t destination;
	uint32_t next;	     // in a lane, an outbox or a bucket
	struct kept kept;    // in a lineup, or among the unexpected ones of its name
	uint32_t worms_made; // at this stage
	uint32_t worms_left; // made and not yet there
	uint8_t stage;	     // enum stage
	bool lost;
};

struct chain { // of tasks or messages
	uint32_t first;
	uint32_t last;
};

struct lane {
	struct chain tasks;
	bool awake; // an entry for it is on the agenda
};

struct rank {
	struct chain outbox; // messages handed over and not yet wholly offered; with MPI flows that have such
	struct chain noting; // flows that have notes to send
	uint32_t window_used;
	uint32_t next_sending; // rank
	uint32_t ops_left;     // with MPI: not ended
	uint32_t greetings;    // not yet heard, of those that it waits for
	bool sending;	       // in the list of those that have something to offer
	bool finished;
	struct program_rank sums;
};

// Receives and messages that wait for one another under one (rank, source, tag).
struct bucket {
	uint32_t rank;
	uint32_t source;
	uint32_t tag;
	bool used;
	struct chain posted;	 // operations
	struct chain unexpected; // messages, linked by kept
};

struct matching {
	struct bucket *buckets;
	uint32_t mask;
	uint64_t posts;
	bool wildcards;
	struct kept *kept;	    // of each message, three more where there are wildcards
	struct program_wait *waits; // of each bucket, its names not filled in; NULL: not kept
};

// Of each operation.
struct op_arrays {
	uint32_t *rank;
	uint32_t *waits;       // needs not yet met
	int64_t *ready_ticks;  // latest end among those met
	uint64_t *order;       // when it became ready; of a posted receive: among the posts
	uint32_t *next;	       // in a lane, a bucket or a batch
	uint8_t *state;	       // enum op_state
	uint32_t *first_after; // place of its successors; one more at the end
	uint32_t *after;       // successors: operation, times 2, plus 1 where the begin counts
};

struct program {
	const struct goal_program *goal;
	struct program_params params;
	struct program_listener listener;
	struct sim_arena arena;
	const uint32_t *host_of; // NULL: the same numbers
	uint32_t lanes_per_rank;
	struct op_arrays ops;
	struct rank *ranks;
	struct lane *lanes;
	int64_t *cpu_free_ticks;  // by rank and cpu
	int64_t *send_free_ticks; // by rank and nic
	int64_t *receive_free_ticks;
	struct message *messages;
	uint32_t message_capacity;
	uint32_t fresh_message;
	uint32_t free_message;
	struct flow *flows;   // with MPI
	uint32_t *first_flow; // of each rank, and one more
	uint32_t flow_count;
	uint64_t notes; // sent
	struct matching matching;
	struct path path;
	struct agenda agenda;
	struct lineup hands;		   // messages to be handed to the network
	struct lineup arrivals;		   // that are there
	struct chain sending;		   // ranks
	struct chain posts;		   // receives that are to be posted in this tick, before it ends
	struct chain batch[PROGRAM_TURNS]; // operations that have just become ready, by turn
	bool batch_mixed;		   // not all in the order of the text
	uint64_t orders;
	int64_t now_ticks;
	bool offered; // an offer is out and was not given back
	struct net_offer offer;
	bool overflow; // a time went beyond the clock
	struct program_totals totals;
	enum tr_status status; // of the listener
	struct tr_error *err;
};

static inline bool is_message(uint32_t task)
{
	return (task & TASK_MESSAGE) != 0;
}

static inline struct message *message_of(const struct program *program, uint32_t task)
{
	return &program->messages[task & ~TASK_MESSAGE];
}

// Adds dt_ticks to a time; a sum beyond the clock is remembered as overflow.
int64_t later(struct program *program, int64_t ticks, int64_t dt_ticks);

// A message is handed over, or is there, at its due_ticks.
void message_due(struct program *program, uint32_t message, struct lineup *lineup, enum what what);

static inline void remind(struct program *program, int64_t time_ticks, uint64_t order, enum what what, uint32_t about)
{
	const struct entry entry = {time_ticks, order, what, about};

	agenda_push(&program->agenda, &entry);
}

// --- lanes.c
// A task waits for its processor (and interface) from now on.
void lane_add_op(struct program *program, uint32_t op);
void lane_add_send(struct program *program, uint32_t message);
void lane_add_arrival(struct program *program, uint32_t message);

// The rank begins: so does what has come in the meantime.
void lanes_begin(struct program *program, uint32_t rank);

// Handler of WHAT_LANE: the first task starts, or its turn has been put off.
void lane_wake(struct program *program, uint32_t lane);

// Processor and interface of a rank.
int64_t *cpu_free(struct program *program, uint32_t rank, unsigned cpu);
int64_t *send_free(struct program *program, uint32_t rank, unsigned nic);
int64_t *receive_free(struct program *program, uint32_t rank, unsigned nic);

// --- operations.c
// All operations without needs become ready, of the ranks that need not wait for connections.
void operations_begin(struct program *program);

// A greeting for the rank has come: with the last its operations begin.
void operations_greet(struct program *program, uint32_t rank);

// A task starts now.
void operation_execute(struct program *program, uint32_t task);

// Handler of WHAT_POST.
void operation_post(struct program *program, uint32_t op);

// The operation ends at end_ticks (now or later).
void operation_end(struct program *program, uint32_t op, int64_t end_ticks);

// What became ready since the last call is put where it belongs: sends, receives, computations, each in the
// order of the text.
void operations_release(struct program *program);

static inline uint32_t rank_of(const struct program *program, uint32_t op)
{
	return program->ops.rank[op];
}

// --- order.c
// Sorts a list of operations, linked by next and ended by NOTHING, by their numbers; returns its first.
uint32_t order_sort(uint32_t *next, uint32_t first);

// --- messages.c
// The send takes the processor: the message or its request is handed over an overhead later.
void message_send(struct program *program, uint32_t op);

// A reply or the message itself is sent on, as its stage says.
void message_send_on(struct program *program, uint32_t message);

// A message that has come is taken in.
void message_receive(struct program *program, uint32_t message);

// It and the receive belong together.
void message_meet(struct program *program, uint32_t message, uint32_t recv, int64_t end_ticks);

// The first of those that are to be handed over, or are there, has its turn.
void message_hand(struct program *program, uint32_t message);
void message_arrive(struct program *program, uint32_t message);

// --- outbox.c
// The message's worms are offered from now on.
void outbox_add(struct program *program, uint32_t message);

// The rank is among those that send where it has something and may.
void outbox_join(struct program *program, uint32_t rank);

// The host that the rank is on.
uint32_t outbox_host(const struct program *program, uint32_t rank);

// The next worm into *offer, at this tick; false where none may go. Nothing else that counts changes.
bool outbox_next(struct program *program, struct net_offer *offer);

// The engine has taken it.
void outbox_take(struct program *program, const struct net_offer *offer);

// A worm is there (or lost, where not arrived); *id is made that of the program, as outbox_name does for one
// that is still under way at the end.
void outbox_done(struct program *program, uint64_t *id, bool arrived);
void outbox_name(struct program *program, uint64_t *id);

// --- matching.c
// Messages or receives of these are about to be matched: their bucket is fetched from memory meanwhile.
void matching_expect(const struct program *program, uint32_t rank, uint32_t source, uint32_t tag);

void matching_layout(struct program *program, struct sim_arena *arena);

// The oldest receive posted that takes the message, NOTHING where there is none; it is removed.
uint32_t matching_take_posted(struct program *program, const struct message *message);

// The oldest unexpected message that the receive takes, likewise.
uint32_t matching_take_unexpected(struct program *program, uint32_t op);

// A processor was idle before it took in this message.
void matching_wait(struct program *program, const struct message *message, int64_t sender_ticks, int64_t network_ticks);

void matching_post(struct program *program, uint32_t op);
void matching_keep(struct program *program, uint32_t message);

#endif
