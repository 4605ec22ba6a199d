// SPDX-License-Identifier: GPL-3.0-or-later
// A plain simulation of ringlets, for tests: it looks at all packets in every nanosecond.
#ifndef TESTS_SCI_PLAIN_H
#define TESTS_SCI_PLAIN_H

#include "sci_bed.h"
#include "sci_plan.h"

struct packet;

struct plain {
	const struct bed *bed;
	struct plan *plan;
	struct packet *packets;
	uint32_t count;
	uint64_t queued;
	int64_t now;
	uint32_t host_message[NODES]; // the next that it hands over, or does
	uint32_t host_index[NODES];
	int64_t host_due[NODES];   // INT64_MAX: it has nothing
	int64_t host_spent[NODES]; // its overhead for that
	int64_t bus_free[2 * NODES];
	bool reads[MESSAGES];
	uint32_t left[MESSAGES];
	int64_t done[MESSAGES];
	uint32_t open;
};

// Of zeros but bed and plan; ticks are nanoseconds. Fills in done.
void sci_plain_run(struct plain *plain);

#endif
