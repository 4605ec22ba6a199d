// SPDX-License-Identifier: GPL-3.0-or-later
// Packets counted by a thread of its own, beside what else is read of them.
#ifndef REPORT_COUNTING_H
#define REPORT_COUNTING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "report/counts.h"
#include "trace/record.h"
#include "trace/status.h"

#define COUNTING_SLOTS 4
#define COUNTING_PACKETS 4096 // in a slot

struct counting_slots {
	size_t used[COUNTING_SLOTS];
	struct tr_packet packets[COUNTING_SLOTS][COUNTING_PACKETS];
};

struct counting {
	struct counts *counts;
	size_t seen;		      // packets before there was a thread
	bool begun;		      // the thread was tried for
	struct counting_slots *slots; // NULL while there is none
	pthread_t thread;
	pthread_mutex_t lock; // of what follows
	pthread_cond_t moved;
	size_t given, taken; // slots so far; slot number % COUNTING_SLOTS
	bool ended;
	enum tr_status status;
	struct tr_error err;
};

// counts is the caller's; nobody else uses it until counting_end.
void counting_open(struct counting *counting, struct counts *counts);

// Adds records as counts_add does. The first packets of a stream are counted at once; where a thread and its 640 KiB cannot be had,
// all are. A later call returns an error of the thread.
enum tr_status counting_add(struct counting *counting, const void *records, size_t stride_bytes, size_t count,
			    struct tr_error *err);

// Waits until all are counted; ends the thread. May be called again. TR_ERROR as counts_add.
enum tr_status counting_end(struct counting *counting, struct tr_error *err);

#endif
