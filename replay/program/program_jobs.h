// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that were joined run side by side, each as a job: ranks that begin and end together.
#ifndef PROGRAM_PROGRAM_JOBS_H
#define PROGRAM_PROGRAM_JOBS_H

#include "program/state.h"

// When the rank's job begins; and how many ranks it has.
int64_t job_start_ticks(const struct program *program, uint32_t rank);
uint32_t job_ranks(const struct program *program, uint32_t rank);

// Whether the job of a rank runs.
bool job_runs(const struct program *program, uint32_t rank);

#endif
