// SPDX-License-Identifier: GPL-3.0-or-later
// What is joined to what. Hosts are nodes 0 .. hosts-1, switches hosts .. hosts+switches-1 (one id
// space, as in the Yates route tables). A host has one port, 0.
#ifndef NET_TOPOLOGY_H
#define NET_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "trace/num.h"
#include "trace/status.h"

#define NET_PORTS_MAX 1024u

struct net_end {
	uint32_t node;
	uint32_t port;
};

// A two-way cable. length_m of 0/0 is the model's usual length.
struct net_cable {
	struct net_end ends[2];
	struct num_ratio length_m;
};

struct net_topology {
	uint32_t hosts;
	uint32_t switches;
	uint32_t *ports; // of each switch
	struct net_cable *cables;
	size_t cable_count;
};

// Makes the topology that text names: "direct" (two hosts, one cable) or "switch:N" (N hosts on one
// N-port switch, host i on port i, N of 1 .. NET_PORTS_MAX). The caller clears it. TR_ERROR, and an
// empty one, where text is no such name or memory ends.
enum tr_status net_topology_make(struct net_topology *topology, const char *text,
				 struct tr_error *err);

// TR_ERROR where an end names a node or port that does not exist, a port has two cables, or a host
// has none.
enum tr_status net_topology_check(const struct net_topology *topology, struct tr_error *err);

// Ports of a node: 1 for a host.
uint32_t net_topology_ports(const struct net_topology *topology, uint32_t node);

// Frees what it holds; it is empty afterwards.
void net_topology_clear(struct net_topology *topology);

#endif
