// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine of flitline-program texts and its instructions share.
#ifndef PROCESSES_PROC_STEP_H
#define PROCESSES_PROC_STEP_H

#include "processes/proc_code.h"

// One instruction of one process.
struct step {
	struct proc_machine *machine;
	struct proc_process *process;
	uint32_t number; // of the process
	const struct proc_instruction *instruction;
	struct proc_value *locals;
	struct proc_value *stack; // its first value
	struct proc_act *act;
	uint64_t cost;
	struct tr_error *err;
};

// By what an instruction does: executes it. Returns PROC_RAN, or what the process needs; if that is
// a wait, the instruction is to be executed again or ended by proc_give or proc_go_on.
extern enum proc_event (*const proc_handlers[])(struct step *step);

// Writes the file, the line and the formatted text to the step's error; returns PROC_FAILS.
enum proc_event proc_step_fails(const struct step *step, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// A new process of the kind, at its first instruction; returns its number. There must be room.
uint32_t proc_create(struct proc_machine *machine, uint32_t kind, uint32_t parent,
		     uint32_t processor);

#endif
