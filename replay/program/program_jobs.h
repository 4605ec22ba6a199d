// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that were joined run side by side, each as a job: ranks that begin and end together.
#ifndef PROGRAM_PROGRAM_JOBS_H
#define PROGRAM_PROGRAM_JOBS_H

#include "program/state.h"

// A job of a program in which one repeats.
struct job {
	uint32_t ops_left;    // that have not ended in this run
	uint32_t first_need;  // of the program's
	int64_t begun_ticks;  // this run
	int64_t finish_ticks; // latest end so far
	int64_t moved_ticks;  // when something of it was due last
	uint64_t runs;	      // that have ended
	int64_t ran_ticks;    // in all these
	uint64_t moves;	      // things of it that were due, or packets that came to their ends
	uint64_t seen;	      // moves of all others that do not repeat, at its last end
	uint32_t idle;	      // runs on end in which these had none
};

// When the rank's job begins; and how many ranks it has.
int64_t job_start_ticks(const struct program *program, uint32_t rank);
uint32_t job_ranks(const struct program *program, uint32_t rank);

// Whether the job of a rank runs.
bool job_runs(const struct program *program, uint32_t rank);

// Makes program->due.jobs, if one repeats. TR_ERROR where memory runs out.
enum tr_status jobs_open(struct program *program, struct tr_error *err);

// Where there are jobs: an operation of the rank ends at end_ticks.
void job_operation_ended(struct program *program, uint32_t rank, int64_t end_ticks);

// Likewise: an entry of the agenda is handled.
void job_moves(struct program *program, const struct entry *entry);

// Likewise: a packet of the rank has come to its end.
void job_packet_ended(struct program *program, uint32_t rank);

// Handler of WHAT_AGAIN.
void job_again(struct program *program, uint32_t job);

#endif
