// SPDX-License-Identifier: GPL-3.0-or-later
// A program of processes (processes/proc.h) as a schedule of operations, GOAL: what its processes
// compute, send and receive, where that does not depend on the values received. Rules:
// man/flit-program.5.
#ifndef GEN_PROCESSES_PROCESS_SCHEDULE_H
#define GEN_PROCESSES_PROCESS_SCHEDULE_H

#include <stdio.h>

#include "processes/proc.h"
#include "value/status.h"

// Runs the program without time and writes its operations to out; rank r is processor r. Memory: 40
// B an operation, and that of the machine. TR_ERROR, and nothing written, where a received value
// decides something, a process waits for ever, or memory runs out; err names the line. For write
// failures check out.
enum tr_status process_schedule_write(const struct proc_program *program, FILE *out,
				      struct tr_error *err);

#endif
