// SPDX-License-Identifier: GPL-3.0-or-later
// Priorities of frames (IEEE 802.1Q, which has eight): which a packet has, and whose turn it is at
// an output.
#ifndef NET_ETHERNET_PRIORITY_H
#define NET_ETHERNET_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/ethernet/ethernet_params.h"
#include "net/priorities.h"

#define ETHERNET_PRIORITIES NET_LINK_PRIORITIES

struct ethernet_priorities {
	struct net_priorities rules;
	uint8_t used;			       // priorities that packets can have, by bit
	uint64_t weights[ETHERNET_PRIORITIES]; // of deficit round robin, above 0
};

// Reads the texts of net_priorities_read and "PRIORITY:WEIGHT/...". TR_ERROR, naming the key, where
// one is malformed, or a host is none of the network.
enum tr_status ethernet_priorities_read(struct ethernet_priorities *priorities,
					const struct ethernet_priority_params *params,
					const struct net_topology *topology, struct tr_error *err);

// An output whose priorities share it by weights (Shreedhar and Varghese, "Efficient fair queueing
// using deficit round robin", SIGCOMM 1995).
struct ethernet_turns {
	uint64_t deficit_B[ETHERNET_PRIORITIES];
	uint8_t turn; // the priority that is served
	bool visited; // it has got its quantum
};

// Which priority of a set, by bit, not empty, is served next; first_B: the bytes of the first frame
// of each of these that waits. A quantum is the weight times most_B, the largest frame; waiting:
// priorities with a frame, ready or not: others lose what they have saved, and one that is not
// ready keeps what is too little for its first.
uint32_t ethernet_turns_take(struct ethernet_turns *turns,
			     const struct ethernet_priorities *priorities, uint64_t most_B,
			     const uint32_t *first_B, unsigned ready, unsigned waiting);

#endif
