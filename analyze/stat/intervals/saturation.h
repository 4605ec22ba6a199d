// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the queues of a network grow to the end of a run, from its arrivals and departures alone
// (Wieland, Pasupathy and Schmeiser: Queueing-network stability: simulation-based checking, WSC
// 2003, ask the question for this view of a network).
//
// The n-th departure is W(n) later than the n-th arrival: the horizontal distance of the two counts
// over time. In a stable network W varies about a mean; in one that is offered more than it carries
// it grows by offered/carried - 1 for each second of arrivals. Of the departures until the last
// arrival (those after it empty the queues) the last half is cut into eight parts. A run is
// saturated if the mean growth of W in a part is above 0 by Student's test at 99 % (one-sided), and
// the whole growth is above 1 % of the time of the arrivals. In a stable network the growths of
// neighbouring parts cancel, so that the test rejects there less often than it may. Known values:
// an M/M/1 queue at a utilisation below 1 is stable, one above 1 is not.
#ifndef STAT_SATURATION_H
#define STAT_SATURATION_H

#include <stdint.h>

#define SATURATION_MARKS 1024u
#define SATURATION_LEAST 256u // departures until the last arrival

// The times of every width-th event. The width doubles when the marks are full.
struct event_marks {
	int64_t times_ticks[SATURATION_MARKS];
	uint32_t count;
	uint64_t width; // a power of two; 0 before the first event
	uint64_t n;	// events
	int64_t last_ticks;
};

// Zero is a valid empty one. 16 KiB.
struct saturation {
	struct event_marks arrivals;
	struct event_marks departures;
};

// Each in order of time. A departure is of an earlier arrival, not necessarily of the first of
// these.
void saturation_arrive(struct saturation *saturation, int64_t time_ticks);
void saturation_depart(struct saturation *saturation, int64_t time_ticks);

enum saturation_answer { SATURATION_UNKNOWN, SATURATION_NO, SATURATION_YES };

// Where fewer than SATURATION_LEAST departures, or one in 64, precede the last arrival: yes if
// there are as many in all, and W grows by more than the time of the arrivals; else unknown.
enum saturation_answer saturation_find(const struct saturation *saturation);

// "-", "no" or "yes". Static.
const char *saturation_word(enum saturation_answer answer);

#endif
