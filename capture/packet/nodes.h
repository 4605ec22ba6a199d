// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and flows, and their numbers in a trace, in order of appearance.
//
// A node keeps its number, which records name: of nodes beyond the bound nothing is kept. Flows
// that have been idle longest are forgotten to make room for others, and get a new number if they
// come back.
#ifndef PACKET_NODES_H
#define PACKET_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "file/source.h"
#include "packet/decode.h"
#include "stream/names.h"
#include "value/status.h"

// ---- nodes

#define PK_ADDRESS_TEXT_BYTES 64u

// An address in network order, as in a flow's key; with its port if nodes are made by port, else 0.
struct pk_address {
	uint8_t bytes[16];
	uint16_t port;
	uint8_t family; // enum pk_family
};

// What makes a node.
enum pk_nodes_by { PK_NODES_BY_ADDRESS, PK_NODES_BY_PORT, PK_NODES_BY_MAC };

struct pk_nodes;

// Bytes that a node with one address takes, at most, with its name in two streams.
#define PK_NODE_BYTES 256u
#define PK_NODES_MAX 65536u // of a capture

// A table of at most max_nodes nodes; NULL if out of memory.
struct pk_nodes *pk_nodes_new(uint32_t max_nodes, enum pk_nodes_by by);

// What identifies a node of the table.
enum pk_nodes_by pk_nodes_by(const struct pk_nodes *nodes);

// The node of an address; else the node named for the address without its port; else a new one.
// TR_NODE_OTHER: the bound is reached, or memory ran out (pk_nodes_failed).
uint32_t pk_nodes_find(struct pk_nodes *nodes, const struct pk_address *address);

// Assigns an address to the node called name (copied; several addresses may share it), with a role.
// An empty name is the address itself. TR_ERROR: the address is named already, the bound is reached
// or memory ran out.
enum tr_status pk_nodes_name(struct pk_nodes *nodes, const struct pk_address *address,
			     const char *name, enum tr_role role, struct tr_error *err);

// Nodes so far.
uint32_t pk_nodes_count(const struct pk_nodes *nodes);

// The node's name, NULL where none was given; its first address; its role. node < the count.
const char *pk_nodes_given_name(const struct pk_nodes *nodes, uint32_t node);
const struct pk_address *pk_nodes_address(const struct pk_nodes *nodes, uint32_t node);
enum tr_role pk_nodes_role(const struct pk_nodes *nodes, uint32_t node);

// Whether memory ran out in pk_nodes_find.
bool pk_nodes_failed(const struct pk_nodes *nodes);

// Frees the table; NULL is accepted.
void pk_nodes_free(struct pk_nodes *nodes);

// Reads "10.0.0.1", "10.0.0.1:5001", "fe80::1", "[fe80::1]:5001", "02:00:00:00:00:01" or "lid:5";
// false if it is none of them. Writes it into out[PK_ADDRESS_TEXT_BYTES] and returns out.
bool pk_address_parse(const char *text, struct pk_address *address);
const char *pk_address_format(const struct pk_address *address, char *out);

// ---- files that name a cluster's nodes, one address a line:
//
//   # address	name	role
//   10.77.0.1	node0	controller
//   10.77.0.2	node1	worker
//
// Tabs separate the fields; name and role may be left out or "-". Empty lines and those that begin
// with # are ignored. Several addresses with one name are one node.

// Enters the names in source, which stays the caller's. TR_ERROR: err names the input and the line.
enum tr_status pk_nodefile_read(struct tr_source *source, struct pk_nodes *nodes,
				struct tr_error *err);

// ---- flows: source, destination, protocol, ports

// A flow and its nodes. flow is TR_FLOW_NONE beyond the bounds and if a node is TR_NODE_OTHER.
struct pk_ids {
	uint32_t flow;
	uint32_t src;
	uint32_t dst;
};

struct pk_flows;

// How many flows take at most so many bytes.
uint32_t pk_flows_within(uint64_t memory_bytes);

// A table of at most max_flows flows at a time, TR_FLOWS_MAX in all, over nodes, which stay the
// caller's; NULL if out of memory.
struct pk_flows *pk_flows_new(uint32_t max_flows, struct pk_nodes *nodes);

// The ids of a key; new ones if it has none.
struct pk_ids pk_flows_find(struct pk_flows *flows, const struct pk_flow_key *key);

// The same in two steps, for an unfragmented IPv4 packet without options that carries TCP or UDP.
// The first step prefetches what the second will look up, so call it for several packets in a row;
// it returns the hash for the second.
uint64_t pk_flows_expect_ipv4(const struct pk_flows *flows, const struct pk_ipv4_key *key);
struct pk_ids pk_flows_find_ipv4(struct pk_flows *flows, const struct pk_ipv4_key *key,
				 uint64_t hash);

// Numbers given to flows so far; those below it are of flows that are in the table or were given
// up.
uint32_t pk_flows_numbers(const struct pk_flows *flows);

// Its table of nodes.
const struct pk_nodes *pk_flows_nodes(const struct pk_flows *flows);

// The first flow in the table from this number on; TR_FLOW_NONE if there is none.
uint32_t pk_flows_next(const struct pk_flows *flows, uint32_t flow);

// Key and ids of a flow in the table. Lent until the next pk_flows_find or pk_flows_give_up.
const struct pk_flow_key *pk_flows_key(const struct pk_flows *flows, uint32_t flow);
struct pk_ids pk_flows_ids(const struct pk_flows *flows, uint32_t flow);

// Two numbers that belong to whoever follows the flow, 0 at first; NULL if the flow was given up.
// Lent like the key.
uint32_t *pk_flows_words(struct pk_flows *flows, uint32_t flow);

// ---- room for more flows

// Whether flows have to be given up before PK_FLOWS_STEP new ones are looked up.
#define PK_FLOWS_STEP 64u
bool pk_flows_are_due(const struct pk_flows *flows);

// Keeps a flow, or TR_FLOW_NONE, from being given up next time: a record names it that has not been
// written.
void pk_flows_keep(struct pk_flows *flows, uint32_t flow);

// Gives up the flows whose last packet is the oldest, an eighth of the table. Packets between two
// new flows count as simultaneous; of those the lower number goes first. False if too many were to
// be kept: flows are still due.
bool pk_flows_give_up(struct pk_flows *flows);

// Flows given up so far.
uint64_t pk_flows_given_up(const struct pk_flows *flows);

// Whether memory ran out in pk_flows_find or pk_flows_give_up.
bool pk_flows_failed(const struct pk_flows *flows);

// Frees the table; NULL is accepted.
void pk_flows_free(struct pk_flows *flows);

#endif
