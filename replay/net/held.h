// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that hosts hold back until others have come, in any kind of network: by windows, end to
// end, and copies of a multicast, which the hosts that have one send on. What is held enters later
// than planned.
#ifndef NET_HELD_H
#define NET_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

struct net_rules;
struct net_setup;
struct net_totals;

struct net_hold_rule {
	uint64_t window;  // packets of a pair of hosts that are not acknowledged; 0: any number
	bool of_bytes;	  // or bytes of these, if there are several
	uint64_t ack_B;	  // of an acknowledgement; 0: none travels, and the sender knows at once
	uint64_t fan_out; // copies of a multicast that a host sends on; 0: the source sends all
};

// The keys of kinds whose hosts can hold packets back, at the offset of a struct net_hold_rule of
// the parameters, and their defaults.
#define NET_KEYS_HELD(at) \
	{"window", \
	 KEY_COUNT, \
	 (at) + offsetof(struct net_hold_rule, window), \
	 NULL, \
	 NULL, \
	 "what a pair of hosts may have without an acknowledgement; 0: any number"}, \
		{"window-of",	  KEY_FLAG, (at) + offsetof(struct net_hold_rule, of_bytes), \
		 "packets|bytes", "window", "what the window counts"}, \
		{"ack", KEY_BYTES, (at) + offsetof(struct net_hold_rule, ack_B), \
		 NULL,	"window",  "size of an acknowledgement; 0: it takes no time"}, \
	{ \
		"multicast", KEY_COUNT, (at) + offsetof(struct net_hold_rule, fan_out), NULL, \
			NULL, \
			"copies of a multicast that a host sends on; 0: its source sends all" \
	}
#define NET_HOLD_USUAL \
	{ \
		.ack_B = 64 \
	}

// Whether the rule holds anything back.
static inline bool net_hold_is_on(const struct net_hold_rule *rule)
{
	return rule && (rule->window > 0 || rule->fan_out > 0);
}

// What hosts held back in a run.
struct net_hold_counts {
	bool on;
	uint64_t waited; // packets, for a window
	uint64_t acks;	 // acknowledgements that were sent
	uint64_t acks_lost;
	uint64_t sent_on; // copies of multicasts
};

// net_drive (net/drive/drive.h), whose hosts hold nothing back.
enum tr_status net_drive_go(void *run, const struct net_setup *setup, const struct net_rules *rules,
			    uint64_t worms_max, struct net_totals *totals, struct tr_error *err);

#endif
