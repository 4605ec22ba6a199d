// SPDX-License-Identifier: GPL-3.0-or-later
// What a processor does in a quantum. An instruction may end after the quantum: what is over is
// taken from the next ones.
#include "program/values/values_state.h"

#define COST_SCALE 1000 // a processor of speed 1 does this much work in a cost unit

static int64_t slices_round_up(int64_t ticks, int64_t quantum_ticks)
{
	return ticks / quantum_ticks + (ticks % quantum_ticks != 0);
}

static bool is_earlier(const struct process *processes, uint32_t a, uint32_t b)
{
	return processes[a].since != processes[b].since ? processes[a].since < processes[b].since
							: a < b;
}

// Inserts a process into the list of its processor.
static void insert(struct process *processes, struct processor *processor, uint32_t process)
{
	uint32_t *place = &processor->first;

	if (processor->last != NOTHING && is_earlier(processes, processor->last, process))
		place = &processes[processor->last].next;
	while (*place != NOTHING && is_earlier(processes, *place, process))
		place = &processes[*place].next;
	processes[process].next = *place;
	*place = process;
	if (processes[process].next == NOTHING)
		processor->last = process;
}

static void remove_first(const struct process *processes, struct processor *processor)
{
	processor->first = processes[processor->first].next;
	if (processor->first == NOTHING)
		processor->last = NOTHING;
}

// Moves the processor's account to a later quantum.
static void move_on(struct processor *processor, int64_t quantum)
{
	const int64_t passed = quantum - processor->quantum;

	if (passed > processor->used / processor->capacity)
		processor->used = 0;
	else
		processor->used -= passed * processor->capacity;
	processor->quantum = quantum;
}

static void fail_late(struct values *values)
{
	if (values->status == TR_OK)
		values->status = tr_fail(values->err,
					 "%s: its times do not fit the simulation's clock",
					 values->program->name);
}

// Puts the next slice of a processor that has a ready process on the agenda.
static void slices_plan(struct values *values, uint32_t number)
{
	struct processor *processor = &values->processors[number];
	int64_t quantum = processor->quantum + processor->used / processor->capacity;

	if (processor->pending || processor->first == NOTHING)
		return;
	if (values->processes[processor->first].since > quantum)
		quantum = values->processes[processor->first].since;
	if (quantum > INT64_MAX / 4 / values->quantum_ticks) {
		fail_late(values);
		return;
	}
	processor->pending = true;
	agenda_push(&values->slices, &(struct entry){.time_ticks = quantum * values->quantum_ticks,
						     .order = number,
						     .about = number});
}

void slices_wake(struct values *values, uint32_t number, const struct wake *wake)
{
	struct process *process = &values->processes[number];
	const uint32_t processor = values->machine.processes[number].processor;

	process->since = slices_round_up(wake->ticks, values->quantum_ticks);
	if (values->params.keeps_path) {
		process->wake = *wake;
		process->woken = true;
	}
	if (process->state == PROCESS_WAITS) {
		process->sums.wait_ticks[process->wait] += process->since * values->quantum_ticks -
							   process->waits_ticks;
		if (values->params.keeps_waits)
			causes_wait(values, number, wake);
	} else {
		process->sums.begin_ticks = process->since * values->quantum_ticks;
	}
	process->state = PROCESS_READY;
	insert(values->processes, &values->processors[processor], number);
	slices_plan(values, processor);
}

int64_t slices_done_ticks(const struct values *values, const struct processor *processor)
{
	const __int128 work = (__int128)processor->used * values->quantum_ticks +
			      processor->capacity - 1;

	return processor->quantum * values->quantum_ticks + (int64_t)(work / processor->capacity);
}

static void slices_wait_for(struct values *values, uint32_t number, enum values_wait wait,
			    const struct proc_act *act)
{
	struct process *process = &values->processes[number];
	struct processor *processor =
		&values->processors[values->machine.processes[number].processor];

	remove_first(values->processes, processor);
	process->state = PROCESS_WAITS;
	process->wait = (uint8_t)wait;
	process->waits_ticks = slices_done_ticks(values, processor);
	process->cell = act->cell;
	process->line = act->line;
}

// The last of those that meet has come.
static void slices_meet_all(struct values *values)
{
	uint32_t next;

	for (uint32_t number = values->meet_first; number != NOTHING; number = next) {
		next = values->processes[number].next;
		values->processes[number].met = true;
		slices_wake(values, number, &values->meet);
	}
	values->meet_first = NOTHING;
	values->meet_count = 0;
}

static void slices_meet(struct values *values, uint32_t number, const struct proc_act *act)
{
	struct process *process = &values->processes[number];

	if (values->meet_count > 0 && values->meet_number != act->meet) {
		values->status = tr_fail(values->err,
					 "%s:%u: a barrier of %u, and one of %u waits at line %u",
					 values->program->name, act->line, act->meet,
					 values->meet_number, values->meet_line);
		return;
	}
	slices_wait_for(values, number, VALUES_MEETS, act);
	if (values->meet_count == 0 || process->waits_ticks > values->meet.ticks)
		values->meet = (struct wake){
			.ticks = process->waits_ticks,
			.sent_ticks = process->waits_ticks,
			.source = number,
			.step = values->processors[values->machine.processes[number].processor]
					.step,
			.since = VALUES_SINCE_MEETING};
	process->next = values->meet_first;
	values->meet_first = number;
	values->meet_number = act->meet;
	values->meet_line = act->line;
	if (++values->meet_count == act->meet)
		slices_meet_all(values);
}

static void slices_end(struct values *values, uint32_t number, int64_t ticks)
{
	const struct proc_process *process = &values->machine.processes[number];

	remove_first(values->processes, &values->processors[process->processor]);
	values->processes[number].state = PROCESS_ENDED;
	values->processes[number].sums.end_ticks = ticks;
	values->totals.ended++;
	causes_end(values, number, ticks);
	if (ticks > values->totals.parallel_ticks)
		values->totals.parallel_ticks = ticks;
	if (process->parent == PROC_NOBODY)
		return;
	exchange_send(values,
		      &(struct message){
			      .type = VALUES_DEATH,
			      .source = process->processor,
			      .destination = values->machine.processes[process->parent].processor,
			      .sender = number,
			      .about = process->parent,
			      .bytes = values->program->settings.control_bytes},
		      ticks);
}

static void slices_create(struct values *values, uint32_t number, const struct proc_act *act,
			  int64_t ticks)
{
	const struct proc_process *child = &values->machine.processes[act->process];

	values->processes[act->process].sums = (struct values_process){.begin_ticks = -1,
								       .end_ticks = -1};
	exchange_send(values,
		      &(struct message){.type = VALUES_BIRTH,
					.source = values->machine.processes[number].processor,
					.destination = child->processor,
					.sender = number,
					.about = act->process,
					.bytes = values->program->settings.control_bytes},
		      ticks);
	exchange_release(values, act->owned, act->owned_count, ticks);
}

// Values for a mailbox, or for those of an array but the process's own; or one for a shared
// variable of the parent.
static void slices_put_values(struct values *values, uint32_t number, const struct proc_act *act,
			      int64_t ticks)
{
	const struct proc_process *process = &values->machine.processes[number];
	struct message message = {.type = act->event == PROC_SENDS ? VALUES_SEND : VALUES_WRITE,
				  .source = process->processor,
				  .sender = number,
				  .bytes = values->program->settings.value_bytes *
					   act->value_count};

	if (message.type == VALUES_WRITE)
		message.destination = values->machine.processes[process->parent].processor;
	for (uint32_t i = 0; i == 0 || i < act->cells; i++) {
		message.about = act->cell + i;
		if (act->cells == 0 || values->machine.owners[message.about] != number)
			exchange_send_values(values, &message, act, ticks);
	}
}

static void tell_turn(struct values *values, uint32_t number, uint32_t line, int64_t begin_ticks)
{
	const uint32_t processor = values->machine.processes[number].processor;
	const struct program_turn turn = {
		.begin_ticks = begin_ticks,
		.end_ticks = slices_done_ticks(values, &values->processors[processor]),
		.processor = processor,
		.line = line};

	if (values->params.keeps_path)
		causes_step(values, number, line, begin_ticks);
	if (values->listener.turn && values->status == TR_OK && turn.end_ticks > begin_ticks)
		values->status = values->listener.turn(values->listener.context, &turn,
						       values->err);
}

static void slices_receive(struct values *values, struct processor *processor, uint32_t number,
			   const struct proc_act *act)
{
	const int64_t begin_ticks = slices_done_ticks(values, processor);
	const uint32_t count = exchange_take(values, act->cell);
	uint32_t cost;

	if (count == 0) {
		slices_wait_for(values, number, VALUES_RECEIVES, act);
		return;
	}
	values->status = proc_give(&values->machine, number, values->taken, count, &cost,
				   values->err);
	if (values->status != TR_OK)
		return;
	processor->used += (int64_t)cost * COST_SCALE;
	tell_turn(values, number, act->line, begin_ticks);
}

// Handles what a process needs from outside.
static void slices_serve(struct values *values, struct processor *processor, uint32_t number,
			 const struct proc_act *act)
{
	const int64_t ticks = slices_done_ticks(values, processor);

	switch (act->event) {
	case PROC_RAN: break;
	case PROC_SENDS:
	case PROC_WRITES: slices_put_values(values, number, act, ticks); break;
	case PROC_RECEIVES: slices_receive(values, processor, number, act); break;
	case PROC_CREATES: slices_create(values, number, act, ticks); break;
	case PROC_JOINS: slices_wait_for(values, number, VALUES_JOINS, act); break;
	case PROC_MEETS: slices_meet(values, number, act); break;
	case PROC_ENDS: slices_end(values, number, ticks); break;
	case PROC_FAILS: values->status = TR_ERROR; break;
	}
}

// Executes the first ready process until it needs something or the quantum ends.
static void execute_first(struct values *values, struct processor *processor)
{
	const uint32_t number = processor->first;
	int64_t budget = processor->capacity - processor->used;
	struct proc_act act = {.event = PROC_RAN};
	const int64_t begin_ticks = slices_done_ticks(values, processor);

	if (values->processes[number].met) {
		values->processes[number].met = false;
		processor->used += (int64_t)proc_go_on(&values->machine, number) * COST_SCALE;
		tell_turn(values, number, values->processes[number].line, begin_ticks);
		return;
	}
	proc_run(&values->machine, number, &budget, COST_SCALE, &act, values->err);
	processor->used = processor->capacity - budget;
	tell_turn(values, number, act.line, begin_ticks);
	slices_serve(values, processor, number, &act);
}

void slices_run(struct values *values, uint32_t number)
{
	struct processor *processor = &values->processors[number];
	const int64_t quantum = values->now_ticks / values->quantum_ticks;
	uint32_t current = NOTHING;

	processor->pending = false;
	move_on(processor, quantum);
	while (values->status == TR_OK && processor->used < processor->capacity &&
	       processor->first != NOTHING &&
	       values->processes[processor->first].since <= quantum) {
		current = processor->first;
		execute_first(values, processor);
	}
	if (current != NOTHING && processor->first == current &&
	    values->processes[current].since <= quantum) { // its turn is over
		remove_first(values->processes, processor);
		values->processes[current].since = quantum + 1;
		insert(values->processes, processor, current);
	}
	slices_plan(values, number);
}
