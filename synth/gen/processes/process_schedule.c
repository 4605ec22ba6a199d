// SPDX-License-Identifier: GPL-3.0-or-later
// The processes run one after the other until each waits. The operations of a process are a chain;
// a message that nobody waits for at once (a birth, a death, a value written back) is received by
// an operation of its own.
#include "gen/processes/process_schedule.h"

#include <stdlib.h>

#include "gen/programs/goal_ops.h"
#include "value/fifo.h"
#include "value/grow.h"

#define NOTHING CHAIN_NONE

// Tags after those of the mailboxes, for each process.
enum tag { TAG_BIRTH, TAG_DEATH, TAG_WRITE, TAG_MEET, TAG_LEAVE, TAGS };

struct process_schedule_waiting { // of a process
	uint32_t last;		  // its last operation
	uint32_t deaths; // receives of its children's deaths, since the last join: a chain by
			 // next_death
	uint32_t next;	 // in the list of those that can run, or that meet
	uint32_t cell;	 // mailbox; NOTHING
	bool joins;
	bool meets;
	bool met;
	uint32_t line;
	uint32_t next_death; // of its own death's receive
	uint32_t death;
};

struct process_schedule_value { // in a mailbox; those of a message lie one after the other
	struct proc_value value;
	uint32_t send;
	uint32_t next;	// of the next message
	uint32_t count; // of the message
};

struct process_schedule_mailbox {
	uint32_t first, last;
	uint32_t source; // rank of all senders; GOAL_ANY for several
	bool used;
};

struct schedule {
	const struct proc_program *program;
	struct proc_machine machine;
	struct process_schedule_waiting *processes;
	struct process_schedule_mailbox *mailboxes;
	struct goal_ops ops;
	struct process_schedule_value *values;
	struct proc_value *taken; // of the message being received
	uint32_t value_count, value_room;
	struct chain ready;
	uint32_t meet_first, meet_count, meet_number;
	bool failed; // err says why
	struct tr_error *err;
};

static void process_schedule_fail_memory(struct schedule *s)
{
	if (!s->failed)
		tr_no_memory(s->err, "the operations of %s", s->program->name);
	s->failed = true;
}

// Makes room for one more value; false after reporting an error.
static bool reserve_value(struct schedule *s)
{
	if (s->value_count < GOAL_OPS_MAX && GROW(s->values, s->value_room, s->value_count))
		return true;
	process_schedule_fail_memory(s);
	return false;
}

static uint32_t process_schedule_rank_of(const struct schedule *s, uint32_t process)
{
	return s->machine.processes[process].processor;
}

static uint32_t process_schedule_add_op(struct schedule *s, uint32_t process,
					const struct goal_op *op)
{
	const uint32_t number = goal_ops_add(&s->ops, process_schedule_rank_of(s, process), op);

	if (number == GOAL_OPS_NONE)
		process_schedule_fail_memory(s);
	return number;
}

// The next operation of a process: after its last one.
static uint32_t process_schedule_chain(struct schedule *s, uint32_t process,
				       const struct goal_op *op)
{
	const uint32_t number = process_schedule_add_op(s, process, op);

	goal_ops_need(&s->ops, number, s->processes[process].last);
	s->processes[process].last = number;
	return number;
}

static void process_schedule_compute(struct schedule *s, uint32_t process, int64_t cost)
{
	if (cost > 0)
		process_schedule_chain(
			s, process,
			&(struct goal_op){.kind = GOAL_CALC,
					  .size = (uint64_t)cost * s->program->settings.unit_ns});
}

static uint32_t process_schedule_tag_of(const struct schedule *s, uint32_t process, enum tag tag)
{
	return s->program->channel_cells + TAGS * process + (uint32_t)tag;
}

static struct goal_op process_schedule_message(enum goal_kind kind, uint32_t peer, uint32_t bytes,
					       uint32_t tag)
{
	return (struct goal_op){.kind = (uint8_t)kind, .peer = peer, .size = bytes, .tag = tag};
}

// The next operation of a process: a message to another one, or from it.
static void chain_message(struct schedule *s, uint32_t process, enum goal_kind kind, uint32_t other,
			  uint32_t bytes, uint32_t tag)
{
	const struct goal_op op = process_schedule_message(kind, process_schedule_rank_of(s, other),
							   bytes, tag);

	process_schedule_chain(s, process, &op);
}

// The receive of a message from a process, for another one that does not wait for it at once.
static uint32_t receive_apart(struct schedule *s, uint32_t process, uint32_t from, uint32_t bytes,
			      uint32_t tag)
{
	const struct goal_op op = process_schedule_message(
		GOAL_RECV, process_schedule_rank_of(s, from), bytes, tag);

	return process_schedule_add_op(s, process, &op);
}

static void make_ready(struct schedule *s, uint32_t process)
{
	s->processes[process].next = NOTHING;
	CHAIN_APPEND(&s->ready, s->processes, next, process);
}

// ---- what processes do

static void create(struct schedule *s, uint32_t parent, uint32_t child)
{
	const uint32_t bytes = s->program->settings.control_bytes;
	const uint32_t tag = process_schedule_tag_of(s, child, TAG_BIRTH);

	s->processes[child] = (struct process_schedule_waiting){
		.last = NOTHING, .deaths = NOTHING, .cell = NOTHING};
	chain_message(s, parent, GOAL_SEND, child, bytes, tag);
	chain_message(s, child, GOAL_RECV, parent, bytes, tag);
	make_ready(s, child);
}

static void send_values(struct schedule *s, uint32_t process, const struct proc_act *act,
			uint32_t cell)
{
	const struct goal_op send = process_schedule_message(
		GOAL_SEND, 0, s->program->settings.value_bytes * act->value_count, cell);
	struct process_schedule_mailbox *mailbox = &s->mailboxes[cell];
	const uint32_t owner = s->machine.owners[cell];
	const uint32_t number = process_schedule_chain(s, process, &send);
	const uint32_t first = s->value_count;

	for (uint32_t i = 0; i < act->value_count && !s->failed && reserve_value(s); i++)
		s->values[s->value_count++] = (struct process_schedule_value){
			act->values[i], number, NOTHING, act->value_count};
	if (s->failed)
		return;
	CHAIN_APPEND(mailbox, s->values, next, first);
	if (!mailbox->used)
		mailbox->source = process_schedule_rank_of(s, process);
	else if (mailbox->source != process_schedule_rank_of(s, process))
		mailbox->source = GOAL_ANY;
	mailbox->used = true;
	if (owner != PROC_NOBODY && s->processes[owner].cell == cell) {
		s->processes[owner].cell = NOTHING;
		make_ready(s, owner);
	}
}

// To a mailbox, or to those of an array but the process's own.
static void send_all(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	for (uint32_t i = 0; i == 0 || i < act->cells; i++)
		if (act->cells == 0 || s->machine.owners[act->cell + i] != process)
			send_values(s, process, act, act->cell + i);
}

// Returns whether the process goes on.
static bool receive(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	struct process_schedule_mailbox *mailbox = &s->mailboxes[act->cell];
	const struct process_schedule_value *first;
	struct goal_op recv;
	uint32_t cost = 0;

	s->processes[process].line = act->line;
	if (mailbox->first == NOTHING) {
		s->processes[process].cell = act->cell;
		return false;
	}
	first = &s->values[mailbox->first];
	recv = process_schedule_message(GOAL_RECV, 0,
					s->program->settings.value_bytes * first->count, act->cell);
	s->ops.ops[first->send].op.peer = process_schedule_rank_of(s, process);
	process_schedule_chain(s, process, &recv);
	for (uint32_t i = 0; i < first->count; i++)
		s->taken[i] = first[i].value;
	s->failed |= proc_give(&s->machine, process, s->taken, first->count, &cost, s->err) !=
		     TR_OK;
	process_schedule_compute(s, process, cost);
	mailbox->first = first->next;
	return true;
}

static void write_back(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	const uint32_t parent = s->machine.processes[process].parent;
	const uint32_t bytes = s->program->settings.value_bytes;
	const uint32_t tag = process_schedule_tag_of(s, process, TAG_WRITE);

	chain_message(s, process, GOAL_SEND, parent, bytes, tag);
	receive_apart(s, parent, process, bytes, tag);
	s->machine.shared[act->cell] = *act->values;
}

// The receives of its children's deaths end before what comes next.
static void process_schedule_join(struct schedule *s, uint32_t process)
{
	struct process_schedule_waiting *waiting = &s->processes[process];
	const struct goal_op nothing = {.kind = GOAL_CALC};
	uint32_t here;

	if (waiting->deaths == NOTHING)
		return;
	here = process_schedule_chain(s, process, &nothing);
	for (uint32_t child = waiting->deaths; child != NOTHING;
	     child = s->processes[child].next_death)
		goal_ops_need(&s->ops, here, s->processes[child].death);
	waiting->deaths = NOTHING;
}

static void process_schedule_end(struct schedule *s, uint32_t process)
{
	const uint32_t parent = s->machine.processes[process].parent;
	const uint32_t bytes = s->program->settings.control_bytes;
	const uint32_t tag = process_schedule_tag_of(s, process, TAG_DEATH);

	if (parent == PROC_NOBODY)
		return;
	chain_message(s, process, GOAL_SEND, parent, bytes, tag);
	s->processes[process].death = receive_apart(s, parent, process, bytes, tag);
	s->processes[process].next_death = s->processes[parent].deaths;
	s->processes[parent].deaths = process;
	if (--s->machine.processes[parent].children > 0 || !s->processes[parent].joins)
		return;
	s->processes[parent].joins = false;
	process_schedule_join(s, parent);
	make_ready(s, parent);
}

// All have come: each but the first tells that one, and goes on when it answers.
static void meet_all(struct schedule *s, uint32_t root)
{
	const struct goal_op nothing = {.kind = GOAL_CALC};
	const uint32_t here = process_schedule_chain(s, root, &nothing);
	uint32_t next;

	for (uint32_t i = s->meet_first; i != NOTHING; i = s->processes[i].next) {
		const uint32_t tag = process_schedule_tag_of(s, i, TAG_MEET);

		if (i == root)
			continue;
		chain_message(s, i, GOAL_SEND, root, 0, tag);
		goal_ops_need(&s->ops, here, receive_apart(s, root, i, 0, tag));
	}
	for (uint32_t i = s->meet_first; i != NOTHING; i = next) {
		const uint32_t tag = process_schedule_tag_of(s, i, TAG_LEAVE);

		next = s->processes[i].next;
		if (i != root) {
			chain_message(s, root, GOAL_SEND, i, 0, tag);
			chain_message(s, i, GOAL_RECV, root, 0, tag);
		}
		s->processes[i].meets = false;
		s->processes[i].met = true;
		make_ready(s, i);
	}
	s->meet_first = NOTHING;
	s->meet_count = 0;
}

static void meet(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	uint32_t root = process;

	if (s->meet_count > 0 && s->meet_number != act->meet) {
		tr_fail(s->err, "%s:%u: a barrier of %u, and %u processes wait at one of %u",
			s->program->name, act->line, act->meet, s->meet_count, s->meet_number);
		s->failed = true;
		return;
	}
	s->processes[process].meets = true;
	s->processes[process].line = act->line;
	s->processes[process].next = s->meet_first;
	s->meet_first = process;
	s->meet_number = act->meet;
	if (++s->meet_count < act->meet)
		return;
	for (uint32_t i = s->meet_first; i != NOTHING; i = s->processes[i].next)
		if (i < root)
			root = i;
	meet_all(s, root);
}

// Runs a process until it waits or ends.
static void process_schedule_run(struct schedule *s, uint32_t process)
{
	bool goes_on = true;

	if (s->processes[process].met) {
		s->processes[process].met = false;
		process_schedule_compute(s, process, proc_go_on(&s->machine, process));
	}
	while (goes_on && !s->failed) {
		int64_t budget = INT64_MAX;
		struct proc_act act = {.event = PROC_RAN};

		proc_run(&s->machine, process, &budget, 1, &act, s->err);
		process_schedule_compute(s, process, INT64_MAX - budget);
		switch (act.event) {
		case PROC_RAN: break;
		case PROC_SENDS: send_all(s, process, &act); break;
		case PROC_RECEIVES: goes_on = receive(s, process, &act); break;
		case PROC_WRITES: write_back(s, process, &act); break;
		case PROC_CREATES: create(s, process, act.process); break;
		case PROC_JOINS:
			s->processes[process].joins = true;
			s->processes[process].line = act.line;
			goes_on = false;
			break;
		case PROC_MEETS:
			meet(s, process, &act);
			goes_on = false;
			break;
		case PROC_ENDS:
			process_schedule_end(s, process);
			goes_on = false;
			break;
		case PROC_FAILS: s->failed = true; break;
		}
	}
}

static bool run_all(struct schedule *s)
{
	while (s->ready.first != NOTHING && !s->failed) {
		const uint32_t process = s->ready.first;

		s->ready.first = s->processes[process].next;
		process_schedule_run(s, process);
	}
	for (uint32_t i = 0; i < s->machine.process_count && !s->failed; i++) {
		if (s->machine.processes[i].ended)
			continue;
		tr_fail(s->err, "%s:%u: process %u (%s) waits for ever", s->program->name,
			s->processes[i].line, i,
			s->program->kinds[s->machine.processes[i].kind].name);
		s->failed = true;
	}
	return !s->failed;
}

// Values that are left over in the mailboxes are received too, by nobody.
static bool receive_rest(struct schedule *s)
{
	for (uint32_t cell = 0; cell < s->program->channel_cells && !s->failed; cell++) {
		const uint32_t owner = s->machine.owners[cell];
		char name[64];

		for (uint32_t value = s->mailboxes[cell].first; value != NOTHING && !s->failed;
		     value = s->values[value].next) {
			if (owner == PROC_NOBODY) {
				tr_fail(s->err,
					"%s: values were sent to the mailbox %s, which nobody owns",
					s->program->name,
					proc_cell_name(s->program, cell, name, sizeof(name)));
				s->failed = true;
				break;
			}
			s->ops.ops[s->values[value].send].op.peer = process_schedule_rank_of(s,
											     owner);
			process_schedule_add_op(
				s, owner,
				&(struct goal_op){.kind = GOAL_RECV,
						  .size = (uint64_t)s->values[value].count *
							  s->program->settings.value_bytes,
						  .tag = cell});
		}
	}
	return !s->failed;
}

// Receives from mailboxes get the rank of all that sent to them. Tags below those of processes are
// mailboxes.
static void name_sources(struct schedule *s)
{
	for (uint32_t i = 0; i < s->ops.op_count; i++) {
		struct goal_op *op = &s->ops.ops[i].op;

		if (op->kind == GOAL_RECV && op->tag < s->program->channel_cells)
			op->peer = s->mailboxes[op->tag].source;
	}
}

static bool process_schedule_start(struct schedule *s)
{
	s->processes = calloc((size_t)s->program->settings.processes + 1, sizeof(*s->processes));
	s->mailboxes = calloc((size_t)s->program->channel_cells + 1, sizeof(*s->mailboxes));
	s->taken = calloc((size_t)s->program->message_values + 1, sizeof(*s->taken));
	if (!s->processes || !s->mailboxes || !s->taken) {
		process_schedule_fail_memory(s);
		return false;
	}
	for (uint32_t cell = 0; cell < s->program->channel_cells; cell++)
		s->mailboxes[cell] = (struct process_schedule_mailbox){.first = NOTHING,
								       .last = NOTHING};
	s->machine.strict = true;
	s->processes[0] = (struct process_schedule_waiting){
		.last = NOTHING, .deaths = NOTHING, .cell = NOTHING};
	make_ready(s, 0);
	return true;
}

enum tr_status process_schedule_write(const struct proc_program *program, FILE *out,
				      struct tr_error *err)
{
	struct schedule s = {
		.program = program, .ready.first = NOTHING, .meet_first = NOTHING, .err = err};
	enum tr_status status = TR_ERROR;

	if (proc_machine_open(&s.machine, program, err) == TR_OK && process_schedule_start(&s) &&
	    run_all(&s) && receive_rest(&s)) {
		name_sources(&s);
		status = goal_ops_write(&s.ops, program->settings.processors, program->name, out,
					err);
	}
	proc_machine_close(&s.machine);
	free(s.processes);
	free(s.mailboxes);
	goal_ops_clear(&s.ops);
	free(s.values);
	free(s.taken);
	return status;
}
