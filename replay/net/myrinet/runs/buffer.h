// SPDX-License-Identifier: GPL-3.0-or-later
// The slack buffer at a link's far end, as runs of what comes and what leaves.
#ifndef NET_MYRINET_RUNS_BUFFER_H
#define NET_MYRINET_RUNS_BUFFER_H

#include "net/myrinet/runs/crossing.h"
#include "net/myrinet/runs/state.h"

#define RUN_SINGLES 3u

// takes points into singles: it is lent as long as the buffer's view lives and is not copied.
struct run_buffer {
	struct run_view arrivals;
	struct run_takes takes;
	struct run singles[RUN_SINGLES]; // takes that follow no output's runs
};

// Everything known of the link's buffer.
void run_buffer_view(const struct run_net *runs, const struct run_link *link,
		     struct run_buffer *buffer);

// Brings the buffer's peak, and its area where links are sampled, up to before_ticks, which is not
// after now. Must be called before the runs of what has left are forgotten.
void run_buffer_settle(struct run_net *runs, struct run_link *link, int64_t before_ticks);

// The same up to now, and the peak of this tick: what leaves in it is about to be forgotten.
void run_buffer_settle_now(struct run_net *runs, struct run_link *link);

// Occupancy at the beginning of a tick that was settled last.
uint32_t run_buffer_occupancy(const struct run_net *runs, const struct run_link *link,
			      int64_t ticks);

// Forgets the link's runs of characters that have left its buffer.
void run_buffer_forget(struct run_net *runs, struct run_link *link);

// Number of arrivals up to and in this tick.
uint32_t run_buffer_arrived(const struct run_net *runs, const struct run_link *link);

// Sets the timer of the next crossing of the line that matters.
void run_buffer_watch(struct run_net *runs, struct run_link *link);

#endif
