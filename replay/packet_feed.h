// SPDX-License-Identifier: GPL-3.0-or-later
// A packet trace as a network's traffic: each record becomes an offer in the simulation's ticks.
#ifndef REPLAY_PACKET_FEED_H
#define REPLAY_PACKET_FEED_H

#include "net/engine.h"
#include "node_map.h"
#include "sim_options.h"
#include "trace/reader.h"

struct packet_feed {
	struct tr_reader *in;
	struct node_map map;
	const struct sim_traffic_options *options;
	uint32_t hosts;
	int64_t factor;		// ticks of the simulation in one of the trace
	uint64_t unmapped;	// packets of nodes that are not in the network
	char unmapped_node[64]; // address of the first of these
	bool keep_going;	// damage in the trace ends it, no more
};

// The next offer, for a struct net_traffic whose context is the feed. A packet with an end outside
// the network, or with one host for both, is refused where it may be ignored. TR_ERROR for a
// damaged trace (err is the reader's), a packet that is too large, a time that does not fit, or, at
// the end of the trace, for packets that may not be ignored.
enum tr_status packet_feed_next(void *feed, struct net_offer *offer, struct tr_error *err);

#endif
