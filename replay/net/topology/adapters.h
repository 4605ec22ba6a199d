// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts with several ports. The nodes of a network that routes, engines, faults and samples know as
// its hosts are adapters: the ports of hosts, each with one cable. A host has its adapters side by
// side, by the number of the port. Where every host has one port, a host and its adapter are one.
#ifndef NET_ADAPTERS_H
#define NET_ADAPTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/status.h"

// Whether some host has several ports.
static inline bool net_has_adapters(const struct net_topology *topology)
{
	return topology->adapters.first;
}

// How many hosts there are.
static inline uint32_t net_host_count(const struct net_topology *topology)
{
	return topology->adapters.first ? topology->adapters.hosts : topology->hosts;
}

// The host of an adapter.
static inline uint32_t net_host_of(const struct net_topology *topology, uint32_t adapter)
{
	return topology->adapters.first ? topology->adapters.host[adapter] : adapter;
}

// The adapter of a host's port 0; those of its other ports follow.
static inline uint32_t net_host_first(const struct net_topology *topology, uint32_t host)
{
	return topology->adapters.first ? topology->adapters.first[host] : host;
}

// How many ports a host has.
static inline uint32_t net_host_ports(const struct net_topology *topology, uint32_t host)
{
	return net_host_first(topology, host + 1) - net_host_first(topology, host);
}

// Appends so many hosts of so many ports, behind the adapters that there are. No switch has been
// numbered yet. TR_ERROR, and an unchanged topology, if out of memory.
enum tr_status net_adapters_add(struct net_topology *topology, uint32_t hosts, uint32_t ports,
				struct tr_error *err);

// Writes the host's name to out: its own, else "hostN". Returns out.
const char *net_host_name(const struct net_topology *topology, uint32_t host, char *out,
			  size_t out_bytes);

// Makes of a network another one in which a host is one node, with all its cables: for what knows
// hosts and no routes, such as maps and drawings; net_topology_check refuses it. An end at a host
// has its port. The caller clears it. TR_ERROR, and an empty one, if out of memory.
enum tr_status net_hosts_join(struct net_topology *joined, const struct net_topology *topology,
			      struct tr_error *err);

// Numbers the connected parts of a network without its dead cables (a flag for each; NULL: none is)
// from 0, in the order of their lowest nodes. Returns those of all nodes, which the caller frees,
// and how many there are; NULL, which err explains, where the network is invalid or memory runs
// out.
uint32_t *net_parts_find(const struct net_topology *topology, const bool *dead, uint32_t *parts,
			 struct tr_error *err);

// How many pairs of hosts, in both orders, have no two adapters in one part. of: as above.
// UINT64_MAX: no memory.
uint64_t net_hosts_apart(const struct net_topology *topology, const uint32_t *of);

#endif
