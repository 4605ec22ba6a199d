// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a running program. A task needs a rank's processor: an operation, or a message to be
// received or sent on. Tasks of one kind, processor and interface wait in one queue, first come
// first served; queues compete by the age of their first tasks.
#ifndef PROGRAM_STATE_H
#define PROGRAM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "program/program.h"
#include "sim/agenda.h"
#include "sim/arena.h"
#include "sim/timers.h"
#include "value/fifo.h"
#include "value/random.h"

// Messages that mostly come in the order (time, order) in which they are due: a list inserts a new
// one near its end, which is cheaper than an agenda.

struct program;

struct lineup {
	uint32_t first;
	uint32_t last;
};

// Inserts a message, due at its due_ticks; returns false, without effect, if its place is not near
// the end. It must be in no lineup and not among the unexpected, which use the same links.
bool lineup_add(struct program *program, struct lineup *lineup, uint32_t message);

// Removes and returns the first; the lineup must not be empty.
uint32_t lineup_take(struct program *program, struct lineup *lineup);

// The steps of a run, if kept.

// The latest end of an operation, and the step in which that was, by the numbers and times that are
// reported.
struct path_end {
	int64_t ticks;
	uint32_t step;
};

struct path {
	struct program_step *steps; // NULL: not kept
	uint32_t count;
	uint32_t room;
	uint32_t present;	// the current step
	struct path_end last;	// of the steps since the begin of what may be a period,
	struct path_end before; // and of those before it
	uint32_t *op_ready;	// by operation: the step of its last dependency
	uint32_t *of_message;	// by message: its last step
	uint32_t *of_cpu;
	uint32_t *of_send; // by interface
	uint32_t *of_receive;
	uint32_t skip_first; // what was left out would have come before this step,
	uint32_t skip_steps; // and had as many in a period as follow it
	struct program_repeat skip;
};

struct program;

// Allocates room for all steps that the program can take.
void path_layout(struct program *program, struct sim_arena *arena);
void path_fill(struct program *program);

// A task, in terms of queues, starts now; its times are those before it takes the processor.
struct path_start {
	uint32_t task;
	uint32_t rank;
	unsigned cpu;
	unsigned nic;
	bool sends;    // uses the interface to send
	bool receives; // or to receive
};

// Notes the step and its cause when it begins; and its end, once it has taken the processor.
void path_begin(struct program *program, const struct path_start *start);
void path_end(struct program *program, const struct path_start *start);

// A receive is posted now.
void path_post(struct program *program, uint32_t op);

// The current step is the cause of what happens next with the message, or of the operation's
// readiness.
void path_of_message(struct program *program, uint32_t message);
void path_of_op(struct program *program, uint32_t op);

// A receive whose dependencies are met, but waits for the processor, is posted when that is free.
void path_wait_cpu(struct program *program, uint32_t op, uint32_t rank, unsigned cpu);

// A receive has found its message waiting, and the processor is still receiving it: that becomes
// the current step.
void path_taken_in(struct program *program, uint32_t message);

// The message has been sent whole; its send ends in the step that sends it, which lasts until then.
void path_sent(struct program *program, uint32_t message, int64_t end_ticks);

// The message is matched with its receive: the current step becomes its last one, and the
// receive's.
void path_meet(struct program *program, uint32_t message, uint32_t recv);

// An operation of the rank ends at end_ticks, in the current step.
void path_finish(struct program *program, int64_t end_ticks);

// What comes from now on may be a period.
void path_mark(struct program *program);

// The steps of a program that was in parts, places[i] that of step i, become those of the whole;
// numbers: of each place, whose contents are overwritten.
void path_unite(struct program *program, const uint32_t *places, uint32_t *numbers);

// The steps from first on are a period, and it comes again; the operations at work have not moved
// yet.
void path_skip(struct program *program, uint32_t first, const struct program_repeat *skip);

#define NOTHING CHAIN_NONE
#define TASK_MESSAGE 0x80000000u // a task that is a message, not an operation
#define PROGRAM_TURNS \
	6 // three kinds of operations, released by the begin or by the end of a dependency

enum what {
	WHAT_QUEUE,  // a queue's first task may start
	WHAT_POST,   // a receive is posted
	WHAT_READY,  // an operation enters its queue
	WHAT_HAND,   // a message that found no place in its lineup is handed to the network,
	WHAT_ARRIVE, // or arrives
	WHAT_FINISH, // a rank's operations have ended
	WHAT_ACK,    // latest time to acknowledge what a flow has heard
	WHAT_PACE,   // the next segment of a rank may leave
	WHAT_ANSWER, // a host comes to the acknowledgements of a flow
	WHAT_NOTE,   // a note that was lost is due again
	WHAT_BEGIN,  // a rank begins
	WHAT_AGAIN,  // a job may begin again
};

enum op_state {
	OP_WAITS,  // for others
	OP_READY,  // in a queue, or about to be posted
	OP_BEGUN,  // a send waiting for its receiver, a matched receive
	OP_POSTED, // a receive waiting for its message
	OP_ENDED,
};

enum stage {
	STAGE_EAGER,   // the message itself, sent without a request
	STAGE_REQUEST, // to the receiver
	STAGE_REPLY,   // to the sender
	STAGE_DATA,    // the message itself
};

// Links to the elder and younger message, NOTHING if there is none.
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
	int64_t free_ticks;   // with MPI: when the processor has sent it, at the stage of its data
	int64_t arrived_ticks;
	uint32_t send;	 // operations; NOTHING: no message has this number now
	uint32_t recv;	 // NOTHING before the match
	uint32_t source; // ranks
	uint32_t destination;
	uint32_t next;	     // in a queue, outbox or bucket
	struct kept kept;    // in a lineup, or among the unexpected ones of its bucket
	uint32_t worms_made; // at this stage
	uint32_t worms_due;  // that have not come
	uint8_t stage;	     // enum stage
	bool lost;
};

struct task_queue {
	struct chain tasks;
	bool awake; // it has an agenda entry
};

struct rank {
	struct chain
		outbox; // messages not yet wholly offered; with MPI flows that have such messages
	struct chain noting; // flows that have notes to send
	uint32_t window_used;
	uint32_t next_sending; // rank
	uint32_t ops_left;     // with MPI: unfinished
	uint32_t greetings;    // still expected
	int64_t due_ticks;     // with MPI's pace: of the next segment
	bool paced;	       // it waits until then
	bool sending;	       // in the list of ranks with something to offer
	uint64_t joined;       // of a part: the order of the event by which it came into that list
	bool finished;
	struct program_rank sums;
};

// Posted receives and unexpected messages of one (rank, source, tag).
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
	struct kept *kept;	    // of each message, and three more for wildcards
	struct program_wait *waits; // of each bucket, without its names; NULL: not kept
};

// An operation: what a step of it touches is in a line of the cache, or two.
struct operation {
	int64_t ready_ticks; // latest end among its dependencies that are met
	uint64_t order;	     // when it became ready; of a posted receive: its post number
	uint32_t rank;
	uint32_t waits;	      // unmet dependencies
	uint32_t next;	      // in a queue, a bucket or a batch
	uint32_t first_after; // index of its successors
	uint8_t state;	      // enum op_state
};

struct operations {
	struct operation *all; // and one more, for the end of the successors
	uint32_t *after;       // successors: operation, times 2, plus 1 if the begin counts
};

// The messages of a run: a number is free again when its message has been received.
struct message_pool {
	struct message *messages;
	uint32_t message_capacity;
	uint32_t fresh_message;
	uint32_t fresh_end; // of the numbers from there on
	uint32_t free_message;
};

// What waits for processors and interfaces, and when they are free.
struct processors {
	struct task_queue *queues;
	uint32_t queues_per_rank;
	int64_t *cpu_free_ticks;  // by rank and cpu
	int64_t *send_free_ticks; // by rank and nic
	int64_t *receive_free_ticks;
};

// The state of MPI over TCP.
struct mpi_state {
	struct sim_arena arena; // of flows, and their TCP
	struct flow *flows;
	uint32_t *first_flow; // of each rank, and one more
	uint32_t flow_count;
	struct tcp *tcp;		     // of each flow; NULL: packets are not sent again
	struct sent *first_rings;	     // of each flow, the places that it begins with
	struct score *first_scores;	     // likewise, if acknowledgements are selective
	const struct tcp_recovery *recovery; // if they are
	struct rdma *rdma;		     // of each flow, if they are RDMA's
	struct sim_timers timers;	     // of each flow, if they are
	uint64_t notes;			     // sent
	struct tr_random random;	     // of the times of its laws
};

// What happens next.
struct program_due {
	struct agenda agenda;
	struct lineup hands;		   // messages to be handed to the network
	struct lineup arrivals;		   // messages that arrive
	struct chain sending;		   // ranks
	struct chain posts;		   // receives to be posted before this tick ends
	struct chain batch[PROGRAM_TURNS]; // operations that have just become ready, by turn
	bool batch_mixed;		   // not all in text order
	uint64_t orders;
	struct job *jobs; // that may begin again; NULL: none repeats
};

struct program {
	const struct goal_program *goal;
	struct program_params params;
	struct program_listener listener;
	struct sim_arena arena;
	const uint32_t *host_of; // NULL: the same numbers
	struct operations ops;
	struct rank *ranks;
	struct processors processors;
	struct message_pool pool;
	struct mpi_state mpi;
	struct matching matching;
	struct path path;
	struct repeat *repeat; // NULL: nothing is left out
	struct parts *parts;   // that it was divided into, or that it is one of; NULL: it was not
	struct part_log *log;  // of a part: what it has done; NULL: this is the whole program
	struct program_due due;
	int64_t now_ticks;
	int64_t skipped_ticks; // left out: what is reported is later by this
	bool offered;	       // an offer is outstanding
	struct net_offer offer;
	bool overflow; // a time exceeded the clock
	struct program_totals totals;
	enum tr_status status; // of the listener
	struct tr_error *err;
};

// --- parts_log.c
// The order of an event is a number that the whole program counts. A part gives its own, with this
// bit, until it is known which numbers they are; they are above those that are known, as they come
// later.
#define PART_ORDER ((uint64_t)1 << 63)

// What a number that a part gave itself is in the whole; the same if that is not known.
uint64_t parts_order(const struct program *part, uint64_t order);

// An order as far as it is known now.
static inline uint64_t order_now(const struct program *program, uint64_t order)
{
	return (order & PART_ORDER) == 0 ? order : parts_order(program, order);
}

// Whether a task is a message, not an operation.
static inline bool is_message(uint32_t task)
{
	return (task & TASK_MESSAGE) != 0;
}

// The message of a task that is one.
static inline struct message *message_of(const struct program *program, uint32_t task)
{
	return &program->pool.messages[task & ~TASK_MESSAGE];
}

// The task behind it in its queue.
static inline uint32_t *task_next(const struct program *program, uint32_t task)
{
	return is_message(task) ? &message_of(program, task)->next : &program->ops.all[task].next;
}

// Adds dt_ticks to a time; a sum beyond the clock sets overflow.
int64_t later(struct program *program, int64_t ticks, int64_t dt_ticks);

// Schedules a message to be handed over, or to arrive, at its due_ticks.
void message_due(struct program *program, uint32_t message, struct lineup *lineup, enum what what);

// Puts an entry on the agenda: what is due, about which number. order: of entries at the same time.
static inline void remind(struct program *program, int64_t time_ticks, uint64_t order,
			  enum what what, uint32_t about)
{
	const struct entry entry = {time_ticks, order, what, about};

	agenda_push(&program->due.agenda, &entry);
}

// --- task_queues.c
// Queues a task for its processor (and interface) from now on.
void queue_add_op(struct program *program, uint32_t op);
void queue_add_send(struct program *program, uint32_t message);
void queue_add_arrival(struct program *program, uint32_t message);

// The rank begins, and so do the tasks that have come meanwhile.
void queues_begin(struct program *program, uint32_t rank);

// Handler of WHAT_QUEUE: starts the first task, or postpones it.
void queue_wake(struct program *program, uint32_t queue);

// Processor and interface of a rank.
int64_t *cpu_free(struct program *program, uint32_t rank, unsigned cpu);
int64_t *send_free(struct program *program, uint32_t rank, unsigned nic);
int64_t *receive_free(struct program *program, uint32_t rank, unsigned nic);

// --- operations.c
// Begins all ranks, now or at the start of their jobs.
void operations_begin(struct program *program);

// Handler of WHAT_BEGIN: the rank connects, if it does so first; else its operations without
// dependencies become ready.
void operations_start(struct program *program, uint32_t rank);

// A greeting for the rank has arrived; after the last its operations begin.
void operations_greet(struct program *program, uint32_t rank);

// A task starts now.
void operation_execute(struct program *program, uint32_t task);

// Handler of WHAT_POST.
void operation_post(struct program *program, uint32_t op);

// The operation ends at end_ticks (now or later).
void operation_end(struct program *program, uint32_t op, int64_t end_ticks);

// Distributes operations that became ready since the last call: sends, receives, computations, each
// in text order.
void operations_release(struct program *program);

// The rank of an operation.
static inline uint32_t rank_of(const struct program *program, uint32_t op)
{
	return program->ops.all[op].rank;
}

// --- order.c
// Sorts a list of operations, linked by next and ended by NOTHING, by their numbers; returns its
// first.
uint32_t order_sort(struct operation *operations, uint32_t first);

// --- messages.c
// The send takes the processor: the message or its request is handed over an overhead later.
void message_send(struct program *program, uint32_t op);

// Sends on a reply or the message itself, depending on its stage.
void message_send_on(struct program *program, uint32_t message);

// Receives an arrived message.
void message_receive(struct program *program, uint32_t message);

// Matches the message with the receive.
void message_meet(struct program *program, uint32_t message, uint32_t recv, int64_t end_ticks);

// Handles the first message that is to be handed over, or arrives.
void message_hand(struct program *program, uint32_t message);
void message_arrive(struct program *program, uint32_t message);

// --- outbox.c
// Starts offering the message's worms.
void outbox_add(struct program *program, uint32_t message);

// Adds the rank to those that send, if it has something and may.
void outbox_join(struct program *program, uint32_t rank);

// Largest part of a message in a worm.
uint32_t outbox_segment_bytes(const struct program *program);

// The rank's host.
uint32_t outbox_host(const struct program *program, uint32_t rank);

// Writes the next worm to *offer, at this tick; false if none may go. No other visible change.
bool outbox_next(struct program *program, struct net_offer *offer);

// The engine has taken the offer.
void outbox_take(struct program *program, const struct net_offer *offer);

// A packet of the message has arrived, and all before it.
void outbox_arrive(struct program *program, uint32_t message);

// A worm has arrived (or was lost, if not arrived); replaces *id by the program's, as outbox_name
// does for a worm still under way at the end.
void outbox_done(struct program *program, uint64_t *id, bool arrived, bool marked);
void outbox_name(struct program *program, uint64_t *id);

// The same, without MPI, where the part of the receiver learns of a worm that has arrived.
void outbox_come(struct program *part, uint64_t id);

// The same, but for notes, which get their name only then: false.
bool outbox_find_name(const struct program *program, uint64_t *id);

// --- matching.c
// Prefetches the bucket of messages or receives that are about to be matched.
void matching_expect(const struct program *program, uint32_t rank, uint32_t source, uint32_t tag);

// Takes the tables from the arena: as many places as the program's messages and receives need.
void matching_layout(struct program *program, struct sim_arena *arena);

// The same for a part, with this many messages and receives; and moves what the whole has matched
// to its parts, or back.
void matching_layout_part(struct program *part, struct sim_arena *arena, uint64_t most);
void matching_divide(struct program *program);
void matching_unite(struct program *program);

// The oldest posted receive that matches the message, NOTHING if there is none; it is removed.
uint32_t matching_take_posted(struct program *program, const struct message *message);

// The oldest unexpected message that matches the receive, likewise.
uint32_t matching_take_unexpected(struct program *program, uint32_t op);

// Records that a processor was idle before it received this message.
void matching_wait(struct program *program, const struct message *message, int64_t sender_ticks,
		   int64_t network_ticks);

// Puts a receive behind the others that wait for a message; or a message behind the others that no
// receive has asked for.
void matching_post(struct program *program, uint32_t op);
void matching_keep(struct program *program, uint32_t message);

// Takes a message out of those; the oldest with its source and tag, NOTHING if there is none.
void matching_forget(struct program *program, uint32_t message);
uint32_t matching_unexpected(struct program *program, uint32_t message);

// Takes all posted receives with the source and tag of this one out.
void matching_take_all(struct program *program, uint32_t op);

#endif
