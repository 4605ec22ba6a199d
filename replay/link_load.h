// SPDX-License-Identifier: GPL-3.0-or-later
// How busy the links of a network were, from the samples of a run.
#ifndef REPLAY_LINK_LOAD_H
#define REPLAY_LINK_LOAD_H

#include "net/topology.h"
#include "trace/reader.h"

// Zero is a valid empty one.
struct link_load {
	double *busy; // of each link (2c and 2c + 1 for cable c), the share of the time, 0 .. 1
	size_t links;
};

// Reads the samples to their end. The time is that from the first sample's start to the last one's end. The caller
// clears it. TR_ERROR, and an empty one, where the stream holds something else, its links are not those of the
// topology by number and name, it has no samples or memory ends; what the reader itself failed at is in
// tr_reader_error and err is empty.
enum tr_status link_load_read(struct link_load *load, const struct net_topology *topology, struct tr_reader *in,
			      struct tr_error *err);

// Frees what it holds; it is empty afterwards.
void link_load_clear(struct link_load *load);

#endif
