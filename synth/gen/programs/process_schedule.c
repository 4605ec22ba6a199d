// SPDX-License-Identifier: GPL-3.0-or-later
// The processes run one after the other until each waits. The operations of a process are a chain;
// a message that nobody waits for at once (a birth, a death, a value written back) is received by
// an operation of its own.
#include "gen/programs/process_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "text/goal.h"

#define NOTHING UINT32_MAX
#define ROOM_FIRST 1024u

// Tags after those of the mailboxes, for each process.
enum tag { TAG_BIRTH, TAG_DEATH, TAG_WRITE, TAG_MEET, TAG_LEAVE, TAGS };

struct made {
	struct goal_op op;
	uint32_t rank;
	uint32_t cell; // of a receive from a mailbox; otherwise NOTHING
};

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

struct process_schedule_value { // in a mailbox
	struct proc_value value;
	uint32_t send;
	uint32_t next;
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
	struct made *ops;
	uint32_t op_count, op_room;
	struct goal_need *needs;
	uint32_t need_count, need_room;
	struct process_schedule_value *values;
	uint32_t value_count, value_room;
	uint32_t ready_first, ready_last;
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

// Makes room for one more item; false after reporting an error.
static bool process_schedule_make_room(struct schedule *s, void **items, uint32_t count,
				       uint32_t *room, size_t each)
{
	const uint32_t bigger = *room > 0 ? 2 * *room : ROOM_FIRST;
	void *grown;

	if (count < *room)
		return true;
	grown = bigger <= GOAL_NEEDS_MAX ? reallocarray(*items, bigger, each) : NULL;
	if (!grown) {
		process_schedule_fail_memory(s);
		return false;
	}
	*items = grown;
	*room = bigger;
	return true;
}

static void process_schedule_need(struct schedule *s, uint32_t op, uint32_t after)
{
	if (op == NOTHING || after == NOTHING ||
	    !process_schedule_make_room(s, (void **)&s->needs, s->need_count, &s->need_room,
					sizeof(*s->needs)))
		return;
	s->needs[s->need_count++] = (struct goal_need){.op = op, .after = after};
}

static uint32_t process_schedule_add_op(struct schedule *s, uint32_t rank, const struct goal_op *op)
{
	if (s->op_count >= GOAL_OPS_MAX ||
	    !process_schedule_make_room(s, (void **)&s->ops, s->op_count, &s->op_room,
					sizeof(*s->ops))) {
		process_schedule_fail_memory(s);
		return NOTHING;
	}
	s->ops[s->op_count] = (struct made){.op = *op, .rank = rank, .cell = NOTHING};
	return s->op_count++;
}

static uint32_t process_schedule_rank_of(const struct schedule *s, uint32_t process)
{
	return s->machine.processes[process].processor;
}

// The next operation of a process: after its last one.
static uint32_t process_schedule_chain(struct schedule *s, uint32_t process,
				       const struct goal_op *op)
{
	const uint32_t number = process_schedule_add_op(s, process_schedule_rank_of(s, process),
							op);

	process_schedule_need(s, number, s->processes[process].last);
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

static void make_ready(struct schedule *s, uint32_t process)
{
	s->processes[process].next = NOTHING;
	if (s->ready_first == NOTHING)
		s->ready_first = process;
	else
		s->processes[s->ready_last].next = process;
	s->ready_last = process;
}

// ---- what processes do

static void create(struct schedule *s, uint32_t parent, uint32_t child)
{
	const uint32_t bytes = s->program->settings.control_bytes;
	const uint32_t tag = process_schedule_tag_of(s, child, TAG_BIRTH);
	const struct goal_op send = process_schedule_message(
		GOAL_SEND, process_schedule_rank_of(s, child), bytes, tag);
	const struct goal_op recv = process_schedule_message(
		GOAL_RECV, process_schedule_rank_of(s, parent), bytes, tag);

	s->processes[child] = (struct process_schedule_waiting){
		.last = NOTHING, .deaths = NOTHING, .cell = NOTHING};
	process_schedule_chain(s, parent, &send);
	process_schedule_chain(s, child, &recv);
	make_ready(s, child);
}

static void send_value(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	const struct goal_op send = process_schedule_message(
		GOAL_SEND, 0, s->program->settings.value_bytes, act->cell);
	struct process_schedule_mailbox *mailbox = &s->mailboxes[act->cell];
	const uint32_t owner = s->machine.owners[act->cell];
	const uint32_t number = process_schedule_chain(s, process, &send);

	if (s->failed || !process_schedule_make_room(s, (void **)&s->values, s->value_count,
						     &s->value_room, sizeof(*s->values)))
		return;
	s->values[s->value_count] = (struct process_schedule_value){act->value, number, NOTHING};
	if (mailbox->first == NOTHING)
		mailbox->first = s->value_count;
	else
		s->values[mailbox->last].next = s->value_count;
	mailbox->last = s->value_count++;
	if (!mailbox->used)
		mailbox->source = process_schedule_rank_of(s, process);
	else if (mailbox->source != process_schedule_rank_of(s, process))
		mailbox->source = GOAL_ANY;
	mailbox->used = true;
	if (owner != PROC_NOBODY && s->processes[owner].cell == act->cell) {
		s->processes[owner].cell = NOTHING;
		make_ready(s, owner);
	}
}

// Returns whether the process goes on.
static bool receive(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	const struct goal_op recv = process_schedule_message(
		GOAL_RECV, 0, s->program->settings.value_bytes, act->cell);
	struct process_schedule_mailbox *mailbox = &s->mailboxes[act->cell];
	uint32_t number;

	s->processes[process].line = act->line;
	if (mailbox->first == NOTHING) {
		s->processes[process].cell = act->cell;
		return false;
	}
	s->ops[s->values[mailbox->first].send].op.peer = process_schedule_rank_of(s, process);
	number = process_schedule_chain(s, process, &recv);
	if (s->failed)
		return false;
	s->ops[number].cell = act->cell;
	process_schedule_compute(s, process,
				 proc_give(&s->machine, process, s->values[mailbox->first].value));
	mailbox->first = s->values[mailbox->first].next;
	return true;
}

static void write_back(struct schedule *s, uint32_t process, const struct proc_act *act)
{
	const uint32_t parent = s->machine.processes[process].parent;
	const uint32_t tag = process_schedule_tag_of(s, process, TAG_WRITE);
	const struct goal_op send = process_schedule_message(GOAL_SEND,
							     process_schedule_rank_of(s, parent),
							     s->program->settings.value_bytes, tag);
	const struct goal_op recv = process_schedule_message(GOAL_RECV,
							     process_schedule_rank_of(s, process),
							     s->program->settings.value_bytes, tag);

	process_schedule_chain(s, process, &send);
	process_schedule_add_op(s, process_schedule_rank_of(s, parent), &recv);
	s->machine.shared[act->cell] = act->value;
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
		process_schedule_need(s, here, s->processes[child].death);
	waiting->deaths = NOTHING;
}

static void process_schedule_end(struct schedule *s, uint32_t process)
{
	const uint32_t parent = s->machine.processes[process].parent;
	const uint32_t tag = process_schedule_tag_of(s, process, TAG_DEATH);
	struct goal_op op;

	if (parent == PROC_NOBODY)
		return;
	op = process_schedule_message(GOAL_SEND, process_schedule_rank_of(s, parent),
				      s->program->settings.control_bytes, tag);
	process_schedule_chain(s, process, &op);
	op = process_schedule_message(GOAL_RECV, process_schedule_rank_of(s, process),
				      s->program->settings.control_bytes, tag);
	s->processes[process].death = process_schedule_add_op(
		s, process_schedule_rank_of(s, parent), &op);
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
	struct goal_op op;

	for (uint32_t i = s->meet_first; i != NOTHING; i = s->processes[i].next) {
		if (i == root)
			continue;
		op = process_schedule_message(GOAL_SEND, process_schedule_rank_of(s, root), 0,
					      process_schedule_tag_of(s, i, TAG_MEET));
		process_schedule_chain(s, i, &op);
		op = process_schedule_message(GOAL_RECV, process_schedule_rank_of(s, i), 0, op.tag);
		process_schedule_need(
			s, here,
			process_schedule_add_op(s, process_schedule_rank_of(s, root), &op));
	}
	for (uint32_t i = s->meet_first; i != NOTHING; i = next) {
		next = s->processes[i].next;
		if (i != root) {
			op = process_schedule_message(GOAL_SEND, process_schedule_rank_of(s, i), 0,
						      process_schedule_tag_of(s, i, TAG_LEAVE));
			process_schedule_chain(s, root, &op);
			op = process_schedule_message(GOAL_RECV, process_schedule_rank_of(s, root),
						      0, op.tag);
			process_schedule_chain(s, i, &op);
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
		case PROC_SENDS: send_value(s, process, &act); break;
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
	while (s->ready_first != NOTHING && !s->failed) {
		const uint32_t process = s->ready_first;

		s->ready_first = s->processes[process].next;
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
		const struct goal_op recv = process_schedule_message(
			GOAL_RECV, 0, s->program->settings.value_bytes, cell);
		char name[64];

		for (uint32_t value = s->mailboxes[cell].first; value != NOTHING && !s->failed;
		     value = s->values[value].next) {
			uint32_t number;

			if (owner == PROC_NOBODY) {
				tr_fail(s->err,
					"%s: values were sent to the mailbox %s, which nobody owns",
					s->program->name,
					proc_cell_name(s->program, cell, name, sizeof(name)));
				s->failed = true;
				break;
			}
			s->ops[s->values[value].send].op.peer = process_schedule_rank_of(s, owner);
			number = process_schedule_add_op(s, process_schedule_rank_of(s, owner),
							 &recv);
			if (!s->failed)
				s->ops[number].cell = cell;
		}
	}
	return !s->failed;
}

// ---- writing

static int by_op(const void *a, const void *b)
{
	const struct goal_need *x = a;
	const struct goal_need *y = b;

	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return (x->after > y->after) - (x->after < y->after);
}

// Sorts the operations by rank, in their order.
static bool sort_ops(const struct schedule *s, struct goal_program *goal, uint32_t *places)
{
	for (uint32_t i = 0; i < s->op_count; i++)
		goal->first[s->ops[i].rank + 1]++;
	for (uint32_t rank = 0; rank < goal->ranks; rank++)
		goal->first[rank + 1] += goal->first[rank];
	for (uint32_t i = s->op_count; i-- > 0;) {
		const struct made *made = &s->ops[i];
		const uint32_t place = --goal->first[made->rank + 1];

		places[i] = place;
		goal->ops[place] = made->op;
		if (made->cell != NOTHING)
			goal->ops[place].peer = s->mailboxes[made->cell].source;
	}
	memmove(goal->first, goal->first + 1, goal->ranks * sizeof(*goal->first));
	goal->first[goal->ranks] = s->op_count;
	for (uint32_t i = 0; i < s->need_count; i++)
		goal->needs[i] = (struct goal_need){.op = places[s->needs[i].op],
						    .after = places[s->needs[i].after]};
	qsort(goal->needs, s->need_count, sizeof(*goal->needs), by_op);
	return true;
}

static enum tr_status process_schedule_write_goal(struct schedule *s, FILE *out)
{
	struct goal_program goal = {.ranks = s->program->settings.processors,
				    .cpus = 1,
				    .nics = 1,
				    .op_count = s->op_count,
				    .need_count = s->need_count};
	uint32_t *places = calloc((size_t)s->op_count + 1, sizeof(*places));
	enum tr_status status = TR_OK;

	goal.first = calloc((size_t)goal.ranks + 2, sizeof(*goal.first));
	goal.ops = calloc((size_t)s->op_count + 1, sizeof(*goal.ops));
	goal.needs = calloc((size_t)s->need_count + 1, sizeof(*goal.needs));
	if (places && goal.first && goal.ops && goal.needs && sort_ops(s, &goal, places)) {
		fprintf(out, "// %s\n", s->program->name);
		goal_write(&goal, out);
	} else {
		status = tr_no_memory(s->err, "the operations of %s", s->program->name);
	}
	free(places);
	goal_clear(&goal);
	return status;
}

static bool process_schedule_start(struct schedule *s)
{
	s->processes = calloc((size_t)s->program->settings.processes + 1, sizeof(*s->processes));
	s->mailboxes = calloc((size_t)s->program->channel_cells + 1, sizeof(*s->mailboxes));
	if (!s->processes || !s->mailboxes) {
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
	struct schedule s = {.program = program,
			     .ready_first = NOTHING,
			     .ready_last = NOTHING,
			     .meet_first = NOTHING,
			     .err = err};
	enum tr_status status = TR_ERROR;

	if (proc_machine_open(&s.machine, program, err) == TR_OK && process_schedule_start(&s) &&
	    run_all(&s) && receive_rest(&s))
		status = process_schedule_write_goal(&s, out);
	proc_machine_close(&s.machine);
	free(s.processes);
	free(s.mailboxes);
	free(s.ops);
	free(s.needs);
	free(s.values);
	return status;
}
