// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's --loggops: the costs of messages that are not the network's, named as in Hoefler, Schneider and Lumsdaine (2010);
// L is the network.
#ifndef REPLAY_LOGGOPS_OPTIONS_H
#define REPLAY_LOGGOPS_OPTIONS_H

#include "keys_input.h"

struct loggops_options {
	struct num_ratio overhead_s;	  // o
	struct num_ratio byte_overhead_s; // O
	struct num_ratio gap_s;		  // g
	struct num_ratio byte_gap_s;	  // G
	uint64_t eager_bytes;		  // S
};

// The keys, over struct loggops_options.
extern const struct key_kind loggops_keys;

#endif
