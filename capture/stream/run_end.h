// SPDX-License-Identifier: GPL-3.0-or-later
// How a simulated run ended: words in a table's columns ended_by and saturated, and counters in a
// stream of deliveries. Measurements of a run that stood still, or whose queues grew to its end, do
// not characterise its network: the latencies are those of the packets that arrived, or grow with
// the length of the run.
#ifndef STREAM_RUN_END_H
#define STREAM_RUN_END_H

#include "stream/names.h"

#define TR_ENDED_BY "ended_by"	 // column; with a blank and a word, counter: of so many runs
#define TR_SATURATED "saturated" // column: yes, no or -; counter: of so many runs

// In the order in which runs are ranked.
enum tr_ending {
	TR_ENDED, // by its traffic or a stop rule, or as far as is known
	TR_GREW,  // so, but saturated
	TR_STOOD, // in a deadlock or a livelock, or with a program that waits for ever
};

struct tr_run_end {
	enum tr_ending ending;
	const char *word; // deadlock, livelock, unfinished, saturated; static; NULL for TR_ENDED
};

// From the cells of a row; NULL: the table has no such column.
struct tr_run_end tr_run_end_of(const char *ended_by, const char *saturated);

// From the counters of a stream that was read to its end: the worst of its runs.
struct tr_run_end tr_run_end_of_stream(const struct tr_names *names);

// The worse of two; the first if they are alike.
struct tr_run_end tr_run_end_worse(struct tr_run_end a, struct tr_run_end b);

// Whether the entry is one of these counters.
bool tr_run_end_counts(const struct tr_name *name);

#endif
