// SPDX-License-Identifier: GPL-3.0-or-later
// A program of processes (processes/proc.h) executed over a network: closed-loop traffic whose
// messages carry values. Time is cut into quanta: in each, every processor executes its processes
// for one quantum of cost, and what arrives during a quantum is seen from the next one on. Rules:
// man/flit-program.5. The engine is that of Qu (2001, section 3.2.2).
#ifndef PROGRAM_VALUES_VALUES_H
#define PROGRAM_VALUES_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "program/program.h"
#include "processes/proc.h"

enum values_type {
	VALUES_SEND,  // SEND_DATA: a value for a mailbox
	VALUES_WRITE, // IGNORE_ME: a value for a shared variable of the parent
	VALUES_BIRTH,
	VALUES_DEATH,
	VALUES_TYPES,
};

struct values_params {
	int64_t unit_ticks;    // of a cost unit, above 0
	uint32_t mtu_bytes;    // of a worm, above 0
	uint32_t window_worms; // of a host, entered and not yet delivered; above 0
	bool keeps_waits;      // for values_waits
	bool keeps_path;       // for values_step
};

// What a process waited for.
enum values_wait { VALUES_RECEIVES, VALUES_MEETS, VALUES_JOINS, VALUES_WAITS };

// A process that was created, by number; main is 0. Ticks, -1: not yet.
struct values_process {
	int64_t begin_ticks;
	int64_t end_ticks;
	int64_t wait_ticks[VALUES_WAITS];
};

struct values_totals {
	uint32_t processes;
	uint32_t ended;
	int64_t parallel_ticks; // when the last process ended, in whole quanta
	uint64_t messages[VALUES_TYPES];
	uint64_t local; // of these within a processor
	uint64_t bytes;
	uint64_t worms;
	uint64_t lost_worms;
	uint64_t unread; // messages in mailboxes or without an owner to go to
};

// The waits of a process in one statement for one thing from one process. Of each the first part
// is until the message was sent (at a barrier: until the last came), the second until it arrived,
// the third until the quantum that sees it begins.
struct values_wait_sum {
	uint32_t process;
	uint32_t source; // of the message, or the last at the barrier
	enum values_wait wait;
	uint32_t cell; // mailbox, UINT32_MAX: none
	uint64_t count;
	int64_t sender_ticks, network_ticks, quantum_ticks;
};

enum values_since {
	VALUES_SINCE_START,
	VALUES_SINCE_BIRTH,
	VALUES_SINCE_VALUE,
	VALUES_SINCE_DEATH,
	VALUES_SINCE_MEETING,
	VALUES_SINCE_TURN, // of the processor
};

#define VALUES_NO_STEP UINT32_MAX

// What a process executed without waiting for anything. since is what it waited for last, cause the
// step that did that, VALUES_NO_STEP: none; at since_ticks the message left, or the other's turn
// ended, at came_ticks the message arrived.
struct values_step {
	int64_t begin_ticks, end_ticks;
	int64_t since_ticks, came_ticks;
	uint32_t process;
	uint32_t line; // of its first instructions
	uint32_t cause;
	enum values_since since;
};

struct values;

// Makes a run of program, which must outlive it: processor p is host host_of[p] (NULL: host p) of
// hosts. Memory: that of proc_machine_open, 100 B for each message under way or unread, 24 B a
// mailbox, 80 B a processor, 90 B a process; with keeps_waits up to 128 B for each different wait,
// with keeps_path up to 96 B a step. TR_ERROR where memory runs out or the program does not
// fit the network. The listener's messages have the operations send, ignore_me, birth and death.
enum tr_status values_open(struct values **out, const struct proc_program *program,
			   const struct values_params *params, uint32_t hosts,
			   const uint32_t *host_of, const struct program_listener *listener,
			   struct tr_error *err);

// For an engine's setup; both are valid until values_close. A failure of the program (a wrong
// index, a mailbox of another) is one of the traffic.
struct net_traffic values_traffic(struct values *values);
struct net_results values_results(struct values *values);

// After the run.
void values_totals(const struct values *values, struct values_totals *out);
const struct values_process *values_process(const struct values *values, uint32_t process);
struct proc_machine *values_machine(struct values *values);

// After a run with keeps_waits: the longest waits first; *waits is lent. Returns how many.
uint32_t values_waits(struct values *values, const struct values_wait_sum **waits);

// After a run with keeps_path: the step that ended last, VALUES_NO_STEP: none has; and a step.
uint32_t values_last_step(const struct values *values);
struct values_step values_step(const struct values *values, uint32_t step);

// After a run: calls tell with a line for each of the first PROGRAM_VERDICT_LINES processes that
// have not ended, which says what it waits for. Returns how many there are.
size_t values_leftovers(const struct values *values, void (*tell)(void *context, const char *line),
			void *context);

// Frees it; NULL does nothing.
void values_close(struct values *values);

#endif
