// SPDX-License-Identifier: GPL-3.0-or-later
// Whether threads move busy windows faster than one does, which depends on what else the processors
// do: one thread is tried now and then, ever more rarely while threads are faster. Where they are
// not the regions are united. Nothing that is written depends on it.
#include <time.h>

#include "net/drive/region.h"

#define PACE_WINDOWS 16u // after which the clock is read
#define PACE_TRIAL_NS 5000000
#define PACE_MOST 511u // trials of threads between two of one
#define PACE_SLOW 4u   // times that threads were slower, one after the other
#define PACE_WHOLE 0.8 // what one thread takes of a whole network, of what it takes in regions

static int64_t pace_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pace_end_trial(struct net_pace *pace, double ns_per_event)
{
	if (!pace->alone) {
		pace->threads_ns = ns_per_event;
		pace->alone = pace->trials == 0;
		pace->trials -= pace->trials > 0;
		return;
	}
	pace->alone = false;
	if (pace->threads_ns > PACE_WHOLE * ns_per_event) {
		pace->slow++;
		pace->rests = 0;
	} else {
		pace->slow = 0;
		pace->rests = pace->rests < PACE_MOST ? 2 * pace->rests + 1 : PACE_MOST;
	}
	pace->trials = pace->rests;
}

bool net_pace_is_slow(struct net_pace *pace, uint64_t events)
{
	int64_t past_ns;

	pace->events += events;
	if (pace->windows++ % PACE_WINDOWS != 0)
		return false;
	past_ns = pace_now_ns() - pace->since_ns;
	if (pace->since_ns != 0 && past_ns < PACE_TRIAL_NS)
		return false;
	if (pace->since_ns != 0)
		pace_end_trial(pace, (double)past_ns / (double)pace->events);
	pace->since_ns += past_ns;
	pace->events = 0;
	return pace->slow >= PACE_SLOW;
}
