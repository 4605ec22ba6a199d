// SPDX-License-Identifier: GPL-3.0-or-later
// Trains of packets whose bursts are known, made directly from their definitions, independently of
// the programs' generators.
#ifndef TESTS_BURST_TRAINS_H
#define TESTS_BURST_TRAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/random.h"

#define BURST_TRAIN_MOST ((size_t)60000) // packets

struct burst_train {
	size_t count;
	int64_t ticks[BURST_TRAIN_MOST]; // rising, from 0; nanoseconds
	bool ends[BURST_TRAIN_MOST];	 // the last packet of a burst; false for the train's last
	size_t bursts;
	double burst_ns; // mean length, from first to last packet
};

struct burst_kind {
	const char *name;
	bool held_back; // made after the rule stood, to judge it
	bool none;	// the packets form no bursts: the train is one
	void (*draw)(struct tr_random *random, struct burst_train *train);
};

extern const struct burst_kind burst_kinds[];
extern const size_t burst_kind_count;

// The n-th train of a kind. Frees with free. NULL if out of memory.
struct burst_train *burst_train_new(const struct burst_kind *kind, unsigned n);

#endif
