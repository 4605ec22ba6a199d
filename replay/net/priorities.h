// SPDX-License-Identifier: GPL-3.0-or-later
// Priorities of packets, 0 the lowest: which a packet has, by the class of its record or by the
// host that sends it.
#ifndef NET_PRIORITIES_H
#define NET_PRIORITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/worm.h"
#include "net/topology/topology.h"
#include "value/status.h"

#define NET_PRIORITIES 8u // as IEEE 802.1Q has them
#define NET_PRIORITY_RULES_MAX 32u
#define NET_PRIORITY_WORD_MAX 64u

// Gives the packets that it is about a priority: those of a class of records, or those of some
// hosts.
struct net_priority_rule {
	uint32_t first_adapter; // of the hosts that send them; with classes: 0
	uint32_t last_adapter;
	uint8_t classes; // a set of enum tr_class, by bit; 0: any
	uint8_t priority;
};

struct net_priorities {
	struct net_priority_rule rules[NET_PRIORITY_RULES_MAX]; // the first that fits holds
	uint32_t count;
	uint8_t used; // priorities that packets can have, by bit
};

// Reads the text "WHAT:PRIORITY/...", of which WHAT is data, overhead, unclassed, hostN or
// hostN-M, with all their ports; an empty one has no rules. TR_ERROR, naming the kind of network
// and its key priority, where it is malformed, or a host is none of the network.
enum tr_status net_priorities_read(struct net_priorities *priorities, const char *kind,
				   const char *text, const struct net_topology *topology,
				   struct tr_error *err);

// The priority of a packet; 0 where no rule is about it.
uint8_t net_priority_of(const struct net_priorities *priorities, const struct net_worm *worm);

// Takes the next "WORD:NUMBER" of a text as above. False at its end; *ok, true before, is false
// where it is malformed, or the number is above most.
bool net_priorities_item(const char **text, char word[NET_PRIORITY_WORD_MAX], uint64_t most,
			 uint64_t *number, bool *ok);

// Reads a whole number at *text up to most, and moves behind it. False: there is none.
bool net_priorities_number(const char **text, uint64_t most, uint64_t *out);

#endif
