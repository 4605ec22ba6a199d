// SPDX-License-Identifier: GPL-3.0-or-later
// A network: which ports its cables join, and its nodes by name. Hosts are nodes 0 .. hosts-1, switches hosts ..
// hosts+switches-1 (one id space, as in the Yates route tables). A host has one port, 0.
#ifndef NET_TOPOLOGY_H
#define NET_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/num.h"
#include "trace/status.h"

#define NET_PORTS_MAX 1024u    // of a switch
#define NET_NODES_MAX 1048576u // hosts and switches
#define NET_CABLES_MAX 4194304u
#define NET_ALL_PORTS_MAX 16777216u // of all switches
#define NET_NAME_MAX 100u	    // bytes of a node's name
#define NET_LINK_NAME_MAX 256u	    // room for a link's name, its zero included

struct net_end {
	uint32_t node;
	uint32_t port;
};

// A two-way cable. length_m, rate_bps and conversion_s of 0/0 are the model's usual ones.
struct net_cable {
	struct net_end ends[2];
	struct num_ratio length_m;
	struct num_ratio rate_bps;     // each way
	struct num_ratio conversion_s; // that a switch holds what ends a worm on it: 0 on a SAN cable
};

// Where a switch stands in a drawing: columns to the right, rows down. Means nothing else.
struct net_place {
	int32_t column;
	int32_t row;
};

struct net_topology {
	uint32_t hosts;
	uint32_t switches;
	uint32_t *ports; // of each switch
	struct net_cable *cables;
	size_t cable_count;
	char **names;		  // of each node; NULL, or NULL in it, for the usual name
	struct net_place *places; // of each switch; NULL where none are given
};

// Makes the topology that a generator's name and its arguments ask for ("switch:8", "torus:4x4,hosts=2"; see
// flit-topology(5)). The caller clears it. TR_ERROR, and an empty one, where there is no such generator,
// the arguments are none of its, or memory ends.
enum tr_status net_topology_make(struct net_topology *topology, const char *text, struct tr_error *err);

// TR_ERROR where an end names a node or port that does not exist, a port has two cables, or a host
// has none.
enum tr_status net_topology_check(const struct net_topology *topology, struct tr_error *err);

// Ports of a node: 1 for a host.
uint32_t net_topology_ports(const struct net_topology *topology, uint32_t node);

// The node's name into out: its own, else "hostN" and "switchN" (N counts hosts and switches apart).
// Returns out.
const char *net_topology_name(const struct net_topology *topology, uint32_t node, char *out, size_t out_bytes);

// Frees what it holds; it is empty afterwards.
void net_topology_clear(struct net_topology *topology);

// Nodes by their names.

// The nodes that have a name of their own, in the order of these. The topology is lent and must not change.
struct net_names {
	const struct net_topology *topology;
	uint32_t *nodes;
	size_t count;
};

// TR_ERROR where two nodes have one name, or memory ends. Close it in any case.
enum tr_status net_names_open(struct net_names *names, const struct net_topology *topology, struct tr_error *err);

// The node of this name, its own or the usual one; false where there is none.
bool net_names_find(const struct net_names *names, const char *text, uint32_t *node);

void net_names_close(struct net_names *names);

// Whether text is of the form of a usual name, "hostN" (is_host) or "switchN", with N in decimal, without
// leading zeros.
bool net_name_is_usual(const char *text, bool *is_host, uint32_t *number);

// TR_ERROR where text cannot be a node's own name: it has 1 to NET_NAME_MAX bytes, no blank, control
// character or '#', and is not of the form of a usual name.
enum tr_status net_name_check(const char *text, struct tr_error *err);

#endif
