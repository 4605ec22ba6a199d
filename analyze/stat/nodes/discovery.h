// SPDX-License-Identifier: GPL-3.0-or-later
// Packets by which hosts discover each other and get addresses (multicast, broadcast, DHCP,
// neighbour discovery): the background of any network, not the traffic of its nodes.
#ifndef STAT_DISCOVERY_H
#define STAT_DISCOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/nodes/matrix.h"
#include "stream/names.h"
#include "stream/record.h"
#include "value/status.h"

// Whether the address is that of a group (IPv4 and IPv6 multicast, broadcast; of Ethernet too) or
// of no host yet (0.0.0.0, ::).
bool discovery_address(const char *address);

// The packets left out. Zero is a valid empty one; freed with discovery_clear.
struct discovery {
	uint64_t packets, kept; // set aside, and not
	uint8_t *nodes; // by id: bit 0 in packets set aside, bit 1 in others, bit 2 its address is
			// known, bit 3 a discovery_address
	uint32_t count;
};

// Counts the packet; *aside: it is one of discovery, by the address it goes to or comes from, or by
// its flow's ports. TR_ERROR if out of memory.
enum tr_status discovery_add(struct discovery *discovery, const struct tr_packet *packet,
			     const struct tr_names *names, bool *aside, struct tr_error *err);

// Nodes that are in no packets but those set aside.
uint32_t discovery_nodes(const struct discovery *discovery);

// Frees what it holds; it is empty then.
void discovery_clear(struct discovery *discovery);

// ---- in a traffic matrix

#define DISCOVERY_NODE (TR_NODE_OTHER - 1) // all nodes that are joined; "multicast"
#define DISCOVERY_SHARE .01

// Joins those nodes of the matrix that are a discovery_address and in less than DISCOVERY_SHARE of
// all bytes each, if there are several. Returns their number, 0: nothing was changed. TR_ERROR if
// out of memory, with nothing changed.
enum tr_status discovery_join(struct matrix *matrix, const struct tr_names *names, uint32_t *joined,
			      struct tr_error *err);

// As tr_names_node, also for DISCOVERY_NODE.
const char *discovery_node_name(const struct tr_names *names, uint32_t node);

#endif
