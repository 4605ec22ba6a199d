// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends what in one run of a parallel 2-D FFT, by the algorithm (Yates 1997, equations 3.4 and 3.5): N x N points of 8 bytes on p
// nodes, of which one scatters and gathers.
//
// Row-column: the controller scatters p - 1 chunks of 8 N^2/p bytes; each node sends each other 8 (N/p)^2 bytes in the
// transposition; each worker returns its chunk. Vector radix: the same, but that each node sends half a chunk in each of log2 p
// stages in place of the transposition.
//
// Known value: all nodes together send what equations 3.4 and 3.5 say (stat/workload.h).
#ifndef GEN_FFT_VOLUME_H
#define GEN_FFT_VOLUME_H

#include <stdint.h>

#include "gen/families/pulse_train.h"
#include "trace/status.h"

enum fft_algorithm { FFT_ROW_COLUMN, FFT_VECTOR_RADIX };

struct fft_workload {
	enum fft_algorithm algorithm;
	uint64_t width; // N
};

// Messages of one size that a node sends in a run.
struct fft_messages {
	double count;
	double bytes; // of each
};

// What a node of a role sends in a run: the scatter or gather, and the exchanges.
struct fft_volume {
	struct fft_messages chunks, exchanges;
	unsigned phases; // in which it sends
};

// "rc:256" or "vr:256". TR_ERROR: neither.
enum tr_status fft_workload_get(const char *text, struct fft_workload *out, struct tr_error *err);

// What each node of the role sends. TR_ERROR: nodes is no power of two from 2 to N.
enum tr_status fft_volume_of(const struct fft_workload *workload, enum pulse_role role, uint64_t nodes, struct fft_volume *out,
			     struct tr_error *err);

double fft_volume_bytes(const struct fft_volume *volume);

// Packets of at most mtu_B bytes that the messages are cut into.
double fft_volume_packets(const struct fft_volume *volume, double mtu_B);

#endif
