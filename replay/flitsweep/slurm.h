// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a sweep on other machines, which share its folder: as shell commands, and in Slurm's
// queue.
#ifndef REPLAY_FLITSWEEP_SLURM_H
#define REPLAY_FLITSWEEP_SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "flitsweep.h"
#include "table/opt.h"
#include "value/status.h"

// --- part.c

// The arguments, besides its runs, of a command that does a part of a sweep. All is lent.
struct sweep_part {
	const char *program; // flitsweep
	const char *jobs;    // how many runs at once, as the shell reads it
	const char *list;    // file; NULL: none
	const struct opt_list *parameters;
	const char *seeds; // NULL: none
	const struct sweep_folder *folder;
};

// Writes the shell command that does the runs with these numbers, from 1, such as "7", "3..12" or a
// shell expression for one. It is a line if no word has a newline.
void sweep_part_put(const struct sweep_part *part, const char *numbers, FILE *out);

// Writes such a command, a line, for each group of runs of which some are not kept; group: how
// many, 0: one. TR_ERROR: a word has a newline.
enum tr_status sweep_parts_put(const struct sweep_part *part, const bool *kept, size_t group,
			       FILE *out, struct tr_error *err);

// --- slurm_queue.c

// A task of an array in the output of Slurm's squeue, by %F %K %T %r.
enum sweep_task_state {
	SWEEP_TASK_RUNNING,
	SWEEP_TASK_WAITING,
	SWEEP_TASK_HELD,      // Slurm could not start it, and waits until it is released
	SWEEP_TASK_ENDED,     // whatever became of its runs
	SWEEP_TASK_LIMITED,   // it had used up its time or memory
	SWEEP_TASK_CANCELLED, // scancel
};

#define SWEEP_TASK_REST UINT64_MAX

struct sweep_queue_entry {
	uint64_t job;
	uint64_t task; // index in the array; SWEEP_TASK_REST: all that had none yet, when the rest
		       // of an array is cancelled
	enum sweep_task_state state;
};

// The next line of *text, which moves on. TR_END: no more. TR_ERROR: a line of another form.
enum tr_status sweep_queue_next(const char **text, struct sweep_queue_entry *entry,
				struct tr_error *err);

// Writes the indices that are set among count, as "0-9,12", until bytes are used up; returns the
// index after the last one.
size_t sweep_queue_indices(const bool *set, size_t count, size_t bytes, FILE *out);

// --- slurm.c

struct sweep_slurm {
	const struct sweep_part *part;
	const struct opt_list
		*options; // of sbatch; each word may be several with blanks between them
	size_t group;	  // runs in a task; 0: as few as the longest array allows
	size_t at_once;	  // tasks at once; 0: as many as Slurm likes
	bool *kept;	  // by run: its output is in the folder; kept up to date
	// Calls while it waits, for a person; failed once for each run that is not kept at the end.
	void (*progress)(void *context, const char *text);
	void (*warn)(void *context, const char *text);
	void (*failed)(void *context, size_t run, const char *why);
	void *context;
};

// Submits the runs that are not kept as an array of tasks, unless the same command did so before
// and they are still queued; waits; submits again what was lost with its task. A run that failed,
// was cancelled or used up its time or memory is not submitted again, nor one that was lost 16
// times in a row. The folder's slurm.log gets what the tasks write to their standard error.
// TR_ERROR: Slurm cannot be asked, or refuses the job; tasks stay queued.
enum tr_status sweep_slurm_runs(const struct sweep_slurm *slurm, struct tr_error *err);

#endif
