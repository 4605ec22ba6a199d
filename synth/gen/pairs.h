// SPDX-License-Identifier: GPL-3.0-or-later
// What each node of a model sends each other one, on average: the traffic matrix that the model
// stands for, without a run.
#ifndef GEN_PAIRS_H
#define GEN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

#define PAIRS_NODES_MAX 4096u // of a table of all pairs

// Zero is a valid empty one; pairs_clear frees it.
struct pairs {
	uint32_t nodes;
	double *wire_Bps;     // [from * nodes + to]: bytes a second on the wire
	const char **classes; // of each node; lent from the model; NULL in it: none
	double *rates_bps;    // of each node's link; NaN: the model has none
	bool *servers;	      // of each node
};

// Starts with all 0. TR_ERROR where there are more than PAIRS_NODES_MAX nodes or memory runs out.
enum tr_status pairs_open(struct pairs *pairs, uint64_t nodes, struct tr_error *err);
void pairs_clear(struct pairs *pairs);

#endif
