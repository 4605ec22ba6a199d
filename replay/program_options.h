// SPDX-License-Identifier: GPL-3.0-or-later
// The options of flitsim that belong to --program.
#ifndef REPLAY_PROGRAM_OPTIONS_H
#define REPLAY_PROGRAM_OPTIONS_H

#include "trace/opt.h"

// The parameters of LogGOPS, but for L, which is the network.
struct program_options {
	const char *file;                  // NULL: no program
	const char *messages;              // NULL: not written
	struct num_ratio overhead_s;       // o
	struct num_ratio byte_overhead_s;  // O
	struct num_ratio gap_s;            // g
	struct num_ratio byte_gap_s;       // G
	struct num_ratio eager_B;          // S
	bool path;
	bool waits;
};

#define PROGRAM_OPTION_ROWS 9u

// The defaults, and the rows of the option table that change them; returns how many.
size_t program_options_start(struct program_options *options, struct opt *rows);

#endif
