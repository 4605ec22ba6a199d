// SPDX-License-Identifier: GPL-3.0-or-later
// Flows (source, destination, protocol, ports) and the small integers that a trace has for them, in
// order of appearance. Memory: 140 KiB, and at most about 270 bytes a flow.
#ifndef PACKET_FLOW_TABLE_H
#define PACKET_FLOW_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"
#include "packet/nodes.h"

// A flow and its nodes. flow is TR_FLOW_NONE beyond the bound and where a node is TR_NODE_OTHER.
struct pk_ids {
	uint32_t flow;
	uint32_t src;
	uint32_t dst;
};

struct pk_flows;

// A table of at most max_flows flows over nodes, which stay the caller's; NULL where memory ends.
struct pk_flows *pk_flows_new(uint32_t max_flows, struct pk_nodes *nodes);

// The ids of a key; new ones where it has none.
struct pk_ids pk_flows_find(struct pk_flows *flows, const struct pk_flow_key *key);

// The same in two steps, for the headers of an IPv4 packet without options that is no fragment, with
// those of TCP or UDP (24 bytes at header). The first fetches what the second will look at into the
// cache, so it is taken for some packets in a row, and answers what the second wants as hash; the
// bytes may then be any.
uint64_t pk_flows_expect_ipv4(const struct pk_flows *flows, const uint8_t *header);
struct pk_ids pk_flows_find_ipv4(struct pk_flows *flows, const uint8_t *header, uint64_t hash);

uint32_t pk_flows_count(const struct pk_flows *flows);

// Key and ids of a flow; flow < the count. Lent until the next pk_flows_find.
const struct pk_flow_key *pk_flows_key(const struct pk_flows *flows, uint32_t flow);
struct pk_ids pk_flows_ids(const struct pk_flows *flows, uint32_t flow);

// Whether memory ended in pk_flows_find.
bool pk_flows_failed(const struct pk_flows *flows);

// Frees the table; NULL is accepted.
void pk_flows_free(struct pk_flows *flows);

#endif
