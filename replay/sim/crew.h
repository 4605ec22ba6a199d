// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that do the tasks of one round after another: each takes the next task that nobody has,
// and so does the caller, so a round ends without a thread that the system does not run.
#ifndef SIM_CREW_H
#define SIM_CREW_H

#include <stdint.h>

#include "value/status.h"

struct sim_crew;

// A task: a number below tasks. Tasks of one round run at the same time as each other.
typedef void sim_task(void *context, uint32_t task);

// A crew of up to this many threads, with the caller's: of fewer, or of the caller alone, where the
// system gives no more. NULL with err if out of memory. The caller closes it; NULL is closed
// already.
struct sim_crew *sim_crew_open(uint32_t threads, uint32_t tasks, sim_task *work, void *context,
			       struct tr_error *err);
void sim_crew_close(struct sim_crew *crew);

// Begins a round, in which each task is done once: the other threads start with what the caller
// has written.
void sim_crew_start(struct sim_crew *crew);

// The caller does what is left, and waits for what others have begun: it sees what they have
// written.
void sim_crew_finish(struct sim_crew *crew);

#endif
