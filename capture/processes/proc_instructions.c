// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions of flitline-program texts: a small function for each kind.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "processes/proc_step.h"

enum proc_event proc_step_fails(const struct step *step, const char *format, ...)
{
	char text[256];
	va_list list;

	va_start(list, format);
	(void)vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	tr_fail(step->err, "%s:%u: %s", step->machine->program->name, step->instruction->line,
		text);
	return PROC_FAILS;
}

const char *proc_cell_name(const struct proc_program *program, uint32_t cell, char *out,
			   size_t out_bytes)
{
	const struct proc_array *array = program->channels;
	char indices[64] = "";
	uint32_t rest;

	while (cell >= array->first + array->cells)
		array++;
	rest = cell - array->first;
	for (uint32_t side = array->side_count; side-- > 0; rest /= array->sides[side]) {
		char after[64];

		(void)snprintf(after, sizeof(after), "%s", indices);
		(void)snprintf(indices, sizeof(indices), "%s%u%.40s", side == 0 ? "[" : ",",
			       rest % array->sides[side], *after ? after : "]");
	}
	(void)snprintf(out, out_bytes, "%s%s", array->name, indices);
	return out;
}

uint32_t proc_create(struct proc_machine *machine, uint32_t kind, uint32_t parent,
		     uint32_t processor)
{
	const uint32_t number = machine->process_count++;

	machine->processes[number] = (struct proc_process){
		.kind = kind,
		.code = machine->program->kinds[kind].code,
		.parent = parent,
		.processor = processor};
	return number;
}

static void proc_instructions_push(const struct step *step, struct proc_value value)
{
	step->stack[step->process->stack++] = value;
}

static struct proc_value pop(const struct step *step)
{
	return step->stack[--step->process->stack];
}

static enum proc_event proc_instructions_next(const struct step *step)
{
	step->process->code++;
	return PROC_RAN;
}

// Takes a whole number min .. max that decides what happens; false after a failure.
static bool pop_whole(const struct step *step, double min, double max, const char *what,
		      uint32_t *out)
{
	const struct proc_value value = pop(step);

	if (step->machine->strict && value.received) {
		proc_step_fails(step,
				"%s depends on a received value, which a schedule of operations "
				"does not have",
				what);
		return false;
	}
	if (!(value.number >= min && value.number <= max) || floor(value.number) != value.number) {
		proc_step_fails(step, "expected %s of %.0f to %.0f, found %.10g", what, min, max,
				value.number);
		return false;
	}
	*out = (uint32_t)value.number;
	return true;
}

// Takes the indices of a cell of the array, the first of those that sides without an index make.
static bool pop_cell(const struct step *step, const struct proc_array *array, uint32_t *cell)
{
	uint32_t stride = 1;
	uint32_t side = array->side_count;
	uint32_t index;

	*cell = array->first;
	for (uint32_t left_out = 0; left_out < step->instruction->count; left_out++)
		stride *= array->sides[--side];
	for (; side-- > 0; stride *= array->sides[side]) {
		char what[PROC_NAME_MAX + 16];

		(void)snprintf(what, sizeof(what), "an index of %s", array->name);
		if (!pop_whole(step, 0, (double)array->sides[side] - 1, what, &index))
			return false;
		*cell += index * stride;
	}
	return true;
}

static const struct proc_array *shared_of(const struct step *step)
{
	return &step->machine->program->shared[step->instruction->where];
}

// ---- values

static enum proc_event do_constant(struct step *step)
{
	proc_instructions_push(step, (struct proc_value){step->instruction->number, false});
	return proc_instructions_next(step);
}

static enum proc_event do_local(struct step *step)
{
	proc_instructions_push(step, step->locals[step->instruction->where]);
	return proc_instructions_next(step);
}

static enum proc_event do_set(struct step *step)
{
	step->locals[step->instruction->where] = pop(step);
	return proc_instructions_next(step);
}

static enum proc_event do_element(struct step *step)
{
	uint32_t cell;

	if (!pop_cell(step, shared_of(step), &cell))
		return PROC_FAILS;
	proc_instructions_push(step, step->machine->shared[cell]);
	return proc_instructions_next(step);
}

static enum proc_event do_set_element(struct step *step)
{
	const struct proc_value value = pop(step);
	uint32_t cell;

	if (!pop_cell(step, shared_of(step), &cell))
		return PROC_FAILS;
	step->machine->shared[cell] = value;
	return proc_instructions_next(step);
}

static enum proc_event do_address(struct step *step)
{
	uint32_t cell;

	if (!pop_cell(step, shared_of(step), &cell))
		return PROC_FAILS;
	proc_instructions_push(step, (struct proc_value){cell, false});
	return proc_instructions_next(step);
}

static enum proc_event do_mailbox(struct step *step)
{
	uint32_t cell;

	if (!pop_cell(step, &step->machine->program->channels[step->instruction->where], &cell))
		return PROC_FAILS;
	proc_instructions_push(step, (struct proc_value){cell, false});
	return proc_instructions_next(step);
}

static enum proc_event do_binary(struct step *step)
{
	const struct proc_value b = pop(step);
	const struct proc_value a = pop(step);
	const char *why;
	const double number = proc_arithmetic((enum proc_what)step->instruction->what, a.number,
					      b.number, &why);

	if (why)
		return proc_step_fails(step, "%s", why);
	proc_instructions_push(step, (struct proc_value){number, a.received || b.received});
	return proc_instructions_next(step);
}

static enum proc_event do_unary(struct step *step)
{
	const struct proc_value a = pop(step);
	const char *why;

	proc_instructions_push(
		step, (struct proc_value){proc_arithmetic((enum proc_what)step->instruction->what,
							  a.number, 0, &why),
					  a.received});
	return proc_instructions_next(step);
}

static enum proc_event do_random(struct step *step)
{
	struct proc_process *process = step->process;
	char name[32];

	if (!process->drawn) {
		(void)snprintf(name, sizeof(name), "process%u", step->number);
		tr_random_open(&process->random, step->machine->program->settings.seed, name);
		process->drawn = true;
	}
	proc_instructions_push(step, (struct proc_value){tr_random_unit(&process->random), false});
	return proc_instructions_next(step);
}

// ---- control

static enum proc_event do_jump(struct step *step)
{
	step->process->code = step->instruction->where;
	return PROC_RAN;
}

static enum proc_event do_jump_unless(struct step *step)
{
	const struct proc_value value = pop(step);

	if (step->machine->strict && value.received)
		return proc_step_fails(step, "a branch depends on a received value, which a "
					     "schedule of operations does not have");
	return value.number != 0 ? proc_instructions_next(step) : do_jump(step);
}

static enum proc_event do_compute(struct step *step)
{
	const struct proc_value value = pop(step);

	if (step->machine->strict && value.received)
		return proc_step_fails(step, "the cost depends on a received value, which a "
					     "schedule of operations does not have");
	if (!(value.number >= 0 && value.number <= PROC_COMPUTE_MAX))
		return proc_step_fails(step, "expected a cost of 0 to %.0f, found %.10g",
				       PROC_COMPUTE_MAX, value.number);
	step->cost = step->process->untimed ? 0 : (uint64_t)llround(value.number);
	return proc_instructions_next(step);
}

static enum proc_event do_off(struct step *step)
{
	step->process->untimed = true;
	return proc_instructions_next(step);
}

static enum proc_event do_on(struct step *step)
{
	step->process->untimed = false;
	return proc_instructions_next(step);
}

static enum proc_event do_check(struct step *step)
{
	struct proc_machine *machine = step->machine;
	const double within = pop(step).number;
	const double expected = pop(step).number;
	const double found = pop(step).number;

	machine->checks++;
	if (!(fabs(found - expected) <= within) && !machine->strict) {
		if (machine->failed < PROC_FAILURES_MAX)
			machine->failures[machine->failed] = (struct proc_failure){
				step->instruction->line, found, expected, within};
		machine->failed++;
	}
	return proc_instructions_next(step);
}

// ---- what others are needed for

// The values of a message, of its items on the stack. Each counts as received.
static enum proc_event do_send(struct step *step)
{
	const struct proc_instruction *items = step->instruction + 1;
	struct proc_value *out = step->machine->message;
	const uint32_t count = step->instruction->count > 0 ? step->instruction->count : 1;
	const struct proc_value *on_stack;

	step->act->cell = (uint32_t)pop(step).number;
	step->process->stack -= count;
	on_stack = &step->stack[step->process->stack];
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t cells = step->instruction->count > 0 ? items[i].where : 0;

		if (cells == 0)
			*out++ = on_stack[i];
		for (uint32_t cell = 0; cell < cells; cell++)
			*out++ = step->machine->shared[(uint32_t)on_stack[i].number + cell];
	}
	step->act->values = step->machine->message;
	step->act->value_count = (uint32_t)(out - step->machine->message);
	while (out > step->machine->message)
		(--out)->received = true;
	step->process->code += 1u + step->instruction->count;
	return PROC_SENDS;
}

static enum proc_event do_broadcast(struct step *step)
{
	step->act->cells = step->instruction->where;
	return do_send(step);
}

enum tr_status proc_give(struct proc_machine *machine, uint32_t process,
			 const struct proc_value *values, uint32_t count, uint32_t *cost,
			 struct tr_error *err)
{
	struct proc_process *p = &machine->processes[process];
	const struct proc_instruction *receive = &machine->program->code[p->code], *item;
	struct proc_value *locals = machine->slots + (size_t)process * machine->slots_each;
	struct proc_value *stack = locals + machine->program->kinds[p->kind].slots;
	uint32_t expected = receive->count == 0;

	for (item = receive + 1; item <= receive + receive->count; item++)
		expected += item->count > 0 ? 1 : item->where;
	if (receive->count == 0 && count == 1) {
		*cost = proc_go_on(machine, process); // takes the mailbox
		stack[p->stack++] = *values;
		return TR_OK;
	}
	if (count != expected)
		return tr_fail(err, "%s:%u: process %u takes %u values of a message that has %u",
			       machine->program->name, receive->line, process, expected, count);
	*cost = proc_go_on(machine, process);
	for (item = receive + receive->count, values += count; item > receive; item--) {
		if (item->count > 0) {
			locals[item->where] = *--values;
			continue;
		}
		values -= item->where;
		memcpy(&machine->shared[(uint32_t)stack[--p->stack].number], values,
		       item->where * sizeof(*values));
	}
	p->code += receive->count;
	return TR_OK;
}

static enum proc_event do_receive(struct step *step)
{
	const uint32_t cell = (uint32_t)step->stack[step->process->stack - 1].number;
	const uint32_t owner = step->machine->owners[cell];
	char name[64];

	step->act->cell = cell;
	if (owner == step->number)
		return PROC_RECEIVES;
	proc_cell_name(step->machine->program, cell, name, sizeof(name));
	if (owner == PROC_NOBODY)
		return proc_step_fails(step, "process %u reads the mailbox %s, which nobody owns",
				       step->number, name);
	return proc_step_fails(step, "process %u reads the mailbox %s, which process %u owns",
			       step->number, name, owner);
}

static enum proc_event do_write(struct step *step)
{
	step->act->cell = (uint32_t)step->locals[step->instruction->where].number;
	*step->machine->message = pop(step);
	step->act->values = step->machine->message;
	step->act->value_count = 1;
	proc_instructions_next(step);
	return PROC_WRITES;
}

// The child owns the mailboxes on the stack, of which the last is on top.
static bool own(const struct step *step, uint32_t child)
{
	uint32_t *owners = step->machine->owners;
	char name[64];

	step->act->owned_count = step->instruction->count;
	for (uint8_t i = 0; i < step->instruction->count; i++) {
		const uint32_t cell = (uint32_t)pop(step).number;
		const uint32_t owner = owners[cell];

		if (owner != PROC_NOBODY && !step->machine->processes[owner].ended) {
			proc_cell_name(step->machine->program, cell, name, sizeof(name));
			proc_step_fails(step, "the mailbox %s has an owner, process %u", name,
					owner);
			return false;
		}
		owners[cell] = child;
		step->act->owned[i] = cell;
	}
	return true;
}

static enum proc_event do_create(struct step *step)
{
	struct proc_machine *machine = step->machine;
	const struct proc_settings *settings = &machine->program->settings;
	const uint32_t kind = step->instruction->where;
	const uint32_t child = machine->process_count;
	struct proc_value *values = machine->slots + (size_t)child * machine->slots_each;
	uint32_t processor;

	if (child >= settings->processes)
		return proc_step_fails(step, "more than %u processes; processes=N allows more",
				       settings->processes);
	if (!own(step, child) ||
	    !pop_whole(step, 0, (double)settings->processors - 1, "a processor", &processor))
		return PROC_FAILS;
	proc_create(machine, kind, step->number, processor);
	for (uint32_t i = machine->program->kinds[kind].parameters; i-- > 0;)
		values[i] = pop(step);
	step->process->children++;
	step->act->process = child;
	proc_instructions_next(step);
	return PROC_CREATES;
}

static enum proc_event do_join(struct step *step)
{
	if (step->process->children > 0)
		return PROC_JOINS;
	return proc_instructions_next(step);
}

static enum proc_event do_meet(struct step *step)
{
	const struct proc_value number = step->stack[step->process->stack - 1];

	if (!pop_whole(step, 1, (double)step->machine->program->settings.processes,
		       "a number of processes", &step->act->meet))
		return PROC_FAILS;
	proc_instructions_push(step, number);
	return PROC_MEETS;
}

static enum proc_event do_end(struct step *step)
{
	if (step->process->children > 0)
		return PROC_JOINS;
	step->process->ended = true;
	return PROC_ENDS;
}

enum proc_event (*const proc_handlers[])(struct step *step) = {
	[DO_CONSTANT] = do_constant,
	[DO_LOCAL] = do_local,
	[DO_SET] = do_set,
	[DO_ELEMENT] = do_element,
	[DO_SET_ELEMENT] = do_set_element,
	[DO_ADDRESS] = do_address,
	[DO_MAILBOX] = do_mailbox,
	[DO_ADD... DO_MAX] = do_binary,
	[DO_NEGATE... DO_ABS] = do_unary,
	[DO_RANDOM] = do_random,
	[DO_JUMP] = do_jump,
	[DO_JUMP_UNLESS] = do_jump_unless,
	[DO_COMPUTE] = do_compute,
	[DO_SEND] = do_send,
	[DO_BROADCAST] = do_broadcast,
	[DO_RECEIVE] = do_receive,
	[DO_WRITE] = do_write,
	[DO_CREATE] = do_create,
	[DO_JOIN] = do_join,
	[DO_MEET] = do_meet,
	[DO_OFF] = do_off,
	[DO_ON] = do_on,
	[DO_CHECK] = do_check,
	[DO_END] = do_end,
};
