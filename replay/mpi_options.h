// SPDX-License-Identifier: GPL-3.0-or-later
// The options of flitsim that belong to --mpi.
#ifndef REPLAY_MPI_OPTIONS_H
#define REPLAY_MPI_OPTIONS_H

#include "program/mpi.h"
#include "trace/opt.h"
#include "trace/tool.h"

enum mpi_choice { MPI_CONNECT, MPI_ASK, MPI_ENVELOPE_IN, MPI_CHOICES };

struct mpi_options {
	bool on;
	int like; // whose values hold where others are not given
	int choices[MPI_CHOICES];
	uint64_t acks;
	struct num_ratio ack_delay_s;
	struct num_ratio header_B;
	struct num_ratio envelope_B;
	struct num_ratio window_B;
};

#define MPI_OPTION_ROWS 10u

// The defaults, and the rows of the option table that change them; returns how many.
size_t mpi_options_start(struct mpi_options *options, struct opt *rows);

// What was not given becomes that of the MPI that it is to be like; then the parameters of a run, whose clock has
// ticks_per_s and whose largest worm has mtu_bytes. TR_ERROR, naming the option, where one is out of range.
enum tr_status mpi_options_settle(struct mpi_options *options, const struct tool *tool,
				  uint64_t ticks_per_s, uint32_t mtu_bytes,
				  struct program_mpi *params, struct tr_error *err);

#endif
