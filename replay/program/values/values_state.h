// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a running program of processes.
#ifndef PROGRAM_VALUES_STATE_H
#define PROGRAM_VALUES_STATE_H

#include "program/values/values.h"
#include "sim/agenda.h"
#include "sim/arena.h"
#include "value/fifo.h"

#define NOTHING CHAIN_NONE

enum process_state {
	PROCESS_UNBORN,
	PROCESS_READY, // in its processor's list
	PROCESS_WAITS, // for wait
	PROCESS_ENDED,
};

// Why a process becomes ready.
struct wake {
	int64_t ticks; // when what it waited for came
	int64_t sent_ticks;
	uint32_t source; // process
	uint32_t step;	 // of it
	enum values_since since;
};

struct process {
	struct values_process sums;
	struct wake wake; // its last one
	int64_t since;	  // READY: the quantum from which it can run
	int64_t waits_ticks;
	uint32_t next; // in its processor's list, or among those that meet
	uint32_t cell; // of the receive
	uint32_t line; // where it waits
	uint8_t state; // enum process_state
	uint8_t wait;  // enum values_wait
	bool met;      // it may go on from a barrier
	bool woken;    // and has not run since
};

// Its quantum of work is capacity units, and an instruction takes 1000 times its cost.
struct processor {
	int64_t capacity;
	int64_t quantum; // the one that used is of
	int64_t used;	 // work done in it; beyond the capacity, it is that of later quanta
	uint32_t first;	 // ready processes, by since and number
	uint32_t last;
	uint32_t under_way;  // worms
	struct chain parked; // messages that wait until fewer are
	uint32_t step;	     // its last one
	bool pending;	     // a slice is on the agenda
};

struct message {
	struct proc_value value;
	int64_t begun_ticks;
	int64_t arrived_ticks;
	uint64_t order; // of sending
	uint64_t first_id;
	uint32_t source; // processors
	uint32_t destination;
	uint32_t about;	 // mailbox, shared variable or process
	uint32_t sender; // process
	uint32_t next;
	uint32_t later; // among those on the way to its mailbox
	uint32_t step;	// of its sender
	uint32_t more;	// a message that has its next value; NOTHING
	uint32_t bytes;
	uint32_t left_bytes;
	uint32_t worms_made;
	uint32_t worms_left;
	uint8_t type; // enum values_type
	bool lost;
	bool early; // it has arrived before one that its sender sent earlier to the mailbox
};

struct mailbox {
	struct chain values; // by arrival, then by sending
	struct chain held;   // sent while it has no owner
	struct chain coming; // on the way, by sending; linked by later
};

// Room kept as long as needed.
struct causes {
	struct values_wait_sum *waits;
	uint32_t wait_count, wait_room;
	struct values_step *steps;
	uint32_t step_count, step_room;
	uint32_t last; // step
};

struct values {
	const struct proc_program *program;
	struct values_params params;
	int64_t quantum_ticks;
	struct program_listener listener;
	const uint32_t *host_of; // NULL: the same numbers
	struct proc_machine machine;
	struct sim_arena arena;
	struct process *processes;
	struct processor *processors;
	struct mailbox *mailboxes;
	struct message *messages;
	uint32_t free_message;
	uint32_t fresh_message;
	struct proc_value *taken; // of the message being received
	struct agenda slices;	  // what a processor does in a quantum
	struct agenda sends;	  // messages for the network
	struct agenda locals;	  // messages within a processor
	uint32_t meet_first;	  // processes that wait at the barrier
	uint32_t meet_count;
	uint32_t meet_number; // that are to meet
	uint32_t meet_line;
	struct wake meet; // by the last of them
	struct causes causes;
	uint64_t orders;
	int64_t now_ticks;
	bool offered; // an offer is outstanding; its message is not on the agenda
	struct net_offer offer;
	struct values_totals totals;
	enum tr_status status;
	struct tr_error *err;
};

// --- slices.c

// A process becomes ready: it can run from the next quantum on.
void slices_wake(struct values *values, uint32_t process, const struct wake *wake);

// When the processor has done its work so far.
int64_t slices_done_ticks(const struct values *values, const struct processor *processor);

// Executes the processor's processes in the quantum that begins now.
void slices_run(struct values *values, uint32_t processor);

// --- causes.c

// With keeps_waits: a process that waits becomes ready; since is set.
void causes_wait(struct values *values, uint32_t process, const struct wake *wake);

// With keeps_path: the process has executed from begin_ticks on; its end.
void causes_step(struct values *values, uint32_t process, uint32_t line, int64_t begin_ticks);
void causes_end(struct values *values, uint32_t process, int64_t ticks);

// --- exchange.c

// A message leaves at a time, no earlier than now: to another processor over the network. The
// second has values.
void exchange_send(struct values *values, const struct message *message, int64_t ticks);
void exchange_send_values(struct values *values, const struct message *message,
			  const struct proc_act *act, int64_t ticks);

// The child owns these mailboxes: what was held for them leaves.
void exchange_release(struct values *values, const uint32_t *cells, uint32_t count, int64_t ticks);

// Takes the values of the first message of the mailbox, and returns how many; 0 if it is empty.
uint32_t exchange_take(struct values *values, uint32_t cell);

// A message has wholly arrived now.
void exchange_arrive(struct values *values, uint32_t message);

#endif
