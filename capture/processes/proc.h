// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of processes whose values matter: the text flitline-program 1 of man/flit-program.5,
// compiled to instructions of a stack machine, and the machine. It executes one process until that
// needs something from outside: time, a message, another process. Who runs it
// (replay/program/values, synth/gen/programs) decides when each process runs and what messages
// take.
#ifndef PROCESSES_PROC_H
#define PROCESSES_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "value/random.h"
#include "value/status.h"

#define PROC_NOBODY UINT32_MAX
#define PROC_NAME_MAX 31u	  // characters
#define PROC_KINDS_MAX 64u	  // processes in the text
#define PROC_ARRAYS_MAX 64u	  // of shared variables, and of mailboxes
#define PROC_SIDES_MAX 3u	  // of an array
#define PROC_OWNED_MAX 16u	  // mailboxes that a create gives a process
#define PROC_ITEMS_MAX 16u	  // of a composite message
#define PROC_MESSAGE_MAX 65535u	  // values of one
#define PROC_PARAMS_MAX 64u	  // of the text
#define PROC_SLOTS_MAX 128u	  // of a process: its variables and its stack
#define PROC_CODE_MAX 65536u	  // instructions
#define PROC_CELLS_MAX (1u << 24) // shared variables, and mailboxes
#define PROC_COST_MAX 1000000000u // cost units of one instruction
#define PROC_COMPUTE_MAX 1e12	  // cost units of one compute

// Kinds of instructions in the cost table; from PROC_SEND on they communicate. PROC_LOCAL is the
// time that a message takes within a processor.
enum proc_cost {
	PROC_LOAD,
	PROC_STORE,
	PROC_INDEX,
	PROC_ARITHMETIC,
	PROC_BRANCH,
	PROC_SEND,
	PROC_BROADCAST,
	PROC_RECEIVE,
	PROC_WRITE,
	PROC_CREATE,
	PROC_JOIN,
	PROC_BARRIER,
	PROC_END,
	PROC_LOCAL,
	PROC_COSTS,
	PROC_FREE = PROC_COSTS, // no cost
};

extern const char *const proc_cost_names[PROC_COSTS];

struct proc_instruction {
	double number;	// a constant
	uint32_t where; // slot, array, process of the text or instruction
	uint32_t line;
	uint8_t what;  // enum proc_what
	uint8_t count; // of a create: mailboxes that the child owns; of an address or a mailbox:
		       // sides without an index; of a send or receive: DO_ITEM that follow
	uint8_t cost; // enum proc_cost
};

// Shared variables or mailboxes of one name. Its cells are first to first + cells - 1 among all of
// its sort.
struct proc_array {
	char name[PROC_NAME_MAX + 1];
	uint32_t sides[PROC_SIDES_MAX];
	uint32_t side_count; // 0: a single cell
	uint32_t first;
	uint32_t cells;
};

// A process of the text: its variables are slots 0 to slots - 1, the parameters first; then comes
// its stack.
struct proc_kind {
	char name[PROC_NAME_MAX + 1];
	uint32_t line;
	uint32_t code; // its first instruction
	uint32_t parameters;
	uint32_t slots;
	uint32_t stack;	     // largest
	uint64_t references; // a bit for each parameter that is a reference to a shared variable
};

struct proc_param {
	char name[PROC_NAME_MAX + 1];
	double value;
};

// Settings: the parameters of the text with these names, or their defaults.
struct proc_settings {
	uint32_t processors;
	uint32_t quantum;	// cost units
	uint32_t unit_ns;	// of a cost unit
	uint32_t value_bytes;	// of a message with a value
	uint32_t control_bytes; // of the birth and the death of a process
	uint32_t processes;	// most created
	uint32_t messages;	// most under way or unread
	uint64_t seed;
	uint64_t steps; // most instructions
};

// A compiled program. Zero is a valid empty one.
struct proc_program {
	char *name; // of the text, for messages
	struct proc_settings settings;
	uint32_t costs[PROC_COSTS];
	struct proc_param params[PROC_PARAMS_MAX];
	uint32_t param_count;
	struct proc_array shared[PROC_ARRAYS_MAX];
	uint32_t shared_count, shared_cells;
	struct proc_array channels[PROC_ARRAYS_MAX];
	uint32_t channel_count, channel_cells;
	struct proc_kind kinds[PROC_KINDS_MAX];
	uint32_t kind_count;
	uint32_t main, after;	 // among kinds; after PROC_NOBODY: none
	uint32_t message_values; // most of a message
	struct proc_instruction *code;
	uint32_t code_count, code_room;
	uint32_t *speeds; // thousandths, by processor; NULL: all 1000
};

// Opens the table of costs that a text names; NULL after reporting an error.
struct proc_opener {
	struct tr_source *(*open)(void *context, const char *path);
	void *context;
};

// Reads a whole text. overrides, "NAME=VALUE,...", replace parameters of the text, and costs=FILE
// its table of costs; NULL for none. opener NULL: a text that names a table is refused. TR_ERROR,
// and an empty program, if it is malformed (err names it and the line) or beyond the bounds above.
enum tr_status proc_read(struct proc_program *out, struct tr_source *source, const char *overrides,
			 const struct proc_opener *opener, struct tr_error *err);

// Reads a table of costs, a name and a number in each line; costs that it does not name stay.
// TR_ERROR names the line.
enum tr_status proc_costs_read(uint32_t costs[PROC_COSTS], struct tr_source *source,
			       struct tr_error *err);

// Frees what it holds; it is empty then.
void proc_clear(struct proc_program *program);

// ---- the machine

struct proc_value {
	double number;
	bool received; // it depends on a received value
};

// A process that was created. Costs in cost units.
struct proc_process {
	uint32_t kind;
	uint32_t code; // the instruction to execute
	uint32_t stack;
	uint32_t parent;
	uint32_t processor;
	uint32_t children; // created and not known to have ended
	bool untimed;
	bool drawn; // random is open
	bool ended;
	uint64_t compute;
	uint64_t communicate;
	struct tr_random random;
};

enum proc_event {
	PROC_RAN,      // the budget is used up
	PROC_SENDS,    // values to the mailboxes from cell on
	PROC_RECEIVES, // from the mailbox cell: proc_give
	PROC_WRITES,   // a value to the shared cell, which is at the parent
	PROC_CREATES,  // process, which owns the mailboxes owned
	PROC_JOINS,    // waits until it has no children: run it again then
	PROC_MEETS,    // others, meet in all: proc_go_on
	PROC_ENDS,     // it has no children left
	PROC_FAILS,    // err says why
};

struct proc_act {
	enum proc_event event;
	uint32_t line;
	uint32_t cell;
	uint32_t cells;	  // of a broadcast, which leaves out the process's own; 0: not one
	uint32_t process; // the child
	uint32_t meet;
	uint32_t owned[PROC_OWNED_MAX];
	uint32_t owned_count;
	const struct proc_value *values; // lent until the next proc_run
	uint32_t value_count;
};

#define PROC_FAILURES_MAX 10u // described

// A check that failed.
struct proc_failure {
	uint32_t line;
	double found, expected, within;
};

struct proc_machine {
	const struct proc_program *program; // lent
	struct proc_value *shared;
	uint32_t *owners; // by mailbox: process, PROC_NOBODY
	struct proc_process *processes;
	uint32_t process_count;
	struct proc_value *message; // being sent
	struct proc_value *slots;
	uint32_t slots_each;
	uint64_t steps;	     // instructions executed
	uint64_t sequential; // their costs
	uint64_t checks;
	uint64_t failed;
	struct proc_failure failures[PROC_FAILURES_MAX];
	bool strict; // a received value must not decide
};

// Starts main, on processor 0. Memory: 16 B a shared variable, 4 B a mailbox, and for each process
// created about 140 B and 16 B a variable and place of its stack.
enum tr_status proc_machine_open(struct proc_machine *machine, const struct proc_program *program,
				 struct tr_error *err);

// Executes instructions of a process until *budget, from which cost_scale times their cost is
// taken, is no longer above zero, or something else happens. An instruction that waits (receive,
// join, meet) is not charged before it is done.
void proc_run(struct proc_machine *machine, uint32_t process, int64_t *budget, int64_t cost_scale,
	      struct proc_act *act, struct tr_error *err);

// Ends a receive with the values of a message. TR_ERROR if it takes another number of them.
enum tr_status proc_give(struct proc_machine *machine, uint32_t process,
			 const struct proc_value *values, uint32_t count, uint32_t *cost,
			 struct tr_error *err);

// Ends a meeting; returns the cost.
uint32_t proc_go_on(struct proc_machine *machine, uint32_t process);

// Runs the part after, if there is one, until its end. TR_ERROR where it fails or waits.
enum tr_status proc_after(struct proc_machine *machine, struct tr_error *err);

// Writes "in[3,4]" for a mailbox; returns out.
const char *proc_cell_name(const struct proc_program *program, uint32_t cell, char *out,
			   size_t out_bytes);

// Frees what it holds; it is empty then.
void proc_machine_close(struct proc_machine *machine);

#endif
