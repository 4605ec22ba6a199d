// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's --mpi.
#ifndef REPLAY_MPI_OPTIONS_H
#define REPLAY_MPI_OPTIONS_H

#include "keys_input.h"
#include "program/mpi.h"

struct mpi_options {
	bool connects_first;
	bool asks;
	bool envelope_apart;
	uint64_t acks;
	struct num_ratio ack_delay_s;
	uint64_t header_bytes;
	uint64_t envelope_bytes;
	uint64_t window_bytes;
};

// The keys, over struct mpi_options.
extern const struct key_kind mpi_keys;

// The parameters of a run, whose clock has ticks_per_s and whose largest worm has mtu_bytes. TR_ERROR, naming the key, where
// one is out of range.
enum tr_status mpi_options_settle(const struct mpi_options *options, uint64_t ticks_per_s, uint32_t mtu_bytes,
				  struct program_mpi *params, struct tr_error *err);

#endif
