// SPDX-License-Identifier: GPL-3.0-or-later
// The machine of flitline-program texts.
#include <stdio.h>
#include <stdlib.h>

#include "processes/proc_step.h"

static void charge(struct proc_machine *machine, struct proc_process *process,
		   const struct proc_instruction *instruction, uint64_t cost)
{
	machine->sequential += cost;
	if (instruction->cost >= PROC_SEND && instruction->cost < PROC_COSTS)
		process->communicate += cost;
	else
		process->compute += cost;
}

static uint32_t proc_machine_cost_of(const struct proc_machine *machine,
				     const struct proc_process *process,
				     const struct proc_instruction *instruction)
{
	return process->untimed || instruction->cost == PROC_FREE
		       ? 0
		       : machine->program->costs[instruction->cost];
}

static struct step step_of(struct proc_machine *machine, uint32_t number, struct proc_act *act,
			   struct tr_error *err)
{
	struct proc_process *process = &machine->processes[number];
	struct proc_value *values = machine->slots + (size_t)number * machine->slots_each;

	return (struct step){.machine = machine,
			     .process = process,
			     .number = number,
			     .locals = values,
			     .stack = values + machine->program->kinds[process->kind].slots,
			     .act = act,
			     .err = err};
}

void proc_run(struct proc_machine *machine, uint32_t process, int64_t *budget, int64_t cost_scale,
	      struct proc_act *act, struct tr_error *err)
{
	struct step step = step_of(machine, process, act, err);

	do {
		const struct proc_instruction *instruction =
			&machine->program->code[step.process->code];

		step.instruction = instruction;
		step.cost = proc_machine_cost_of(machine, step.process, instruction);
		act->line = instruction->line;
		if (machine->steps++ >= machine->program->settings.steps)
			act->event = proc_step_fails(
				&step, "more than %llu instructions; steps=N allows more",
				(unsigned long long)machine->program->settings.steps);
		else
			act->event = proc_handlers[instruction->what](&step);
		if (act->event == PROC_RECEIVES || act->event == PROC_JOINS ||
		    act->event == PROC_MEETS || act->event == PROC_FAILS)
			return;
		charge(machine, step.process, instruction, step.cost);
		*budget -= (int64_t)step.cost * cost_scale;
	} while (act->event == PROC_RAN && *budget > 0);
}

uint32_t proc_go_on(struct proc_machine *machine, uint32_t process)
{
	struct proc_process *p = &machine->processes[process];
	const struct proc_instruction *instruction = &machine->program->code[p->code];
	const uint32_t cost = proc_machine_cost_of(machine, p, instruction);

	p->stack--;
	p->code++;
	charge(machine, p, instruction, cost);
	return cost;
}

enum tr_status proc_machine_open(struct proc_machine *machine, const struct proc_program *program,
				 struct tr_error *err)
{
	const uint32_t processes = program->settings.processes + 1; // and the part after

	*machine = (struct proc_machine){.program = program, .slots_each = 1};
	for (uint32_t i = 0; i < program->kind_count; i++)
		if (program->kinds[i].slots + program->kinds[i].stack > machine->slots_each)
			machine->slots_each = program->kinds[i].slots + program->kinds[i].stack;
	machine->shared = calloc((size_t)program->shared_cells + 1, sizeof(*machine->shared));
	machine->owners = malloc(((size_t)program->channel_cells + 1) * sizeof(*machine->owners));
	machine->processes = calloc(processes, sizeof(*machine->processes));
	machine->message = calloc((size_t)program->message_values + 1, sizeof(*machine->message));
	machine->slots = calloc((size_t)processes * machine->slots_each, sizeof(*machine->slots));
	if (!machine->shared || !machine->owners || !machine->processes || !machine->message ||
	    !machine->slots) {
		proc_machine_close(machine);
		return tr_no_memory(err, "the processes of %s", program->name);
	}
	for (uint32_t i = 0; i < program->channel_cells; i++)
		machine->owners[i] = PROC_NOBODY;
	proc_create(machine, program->main, PROC_NOBODY, 0);
	return TR_OK;
}

enum tr_status proc_after(struct proc_machine *machine, struct tr_error *err)
{
	const uint64_t steps = machine->steps;
	int64_t budget = INT64_MAX;
	struct proc_act act = {.event = PROC_ENDS};
	uint32_t number;

	if (machine->program->after == PROC_NOBODY)
		return TR_OK;
	number = proc_create(machine, machine->program->after, PROC_NOBODY, 0);
	machine->processes[number].untimed = true;
	do
		proc_run(machine, number, &budget, 0, &act, err);
	while (act.event == PROC_RAN);
	machine->process_count--; // it is not one of the program's
	machine->steps = steps;
	if (act.event == PROC_FAILS)
		return TR_ERROR;
	if (act.event == PROC_ENDS)
		return TR_OK;
	return tr_fail(err,
		       "%s:%u: the part after runs at the very end: it cannot create, send or wait",
		       machine->program->name, act.line);
}

void proc_machine_close(struct proc_machine *machine)
{
	free(machine->shared);
	free(machine->owners);
	free(machine->processes);
	free(machine->message);
	free(machine->slots);
	*machine = (struct proc_machine){0};
}
