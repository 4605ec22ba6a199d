// SPDX-License-Identifier: GPL-3.0-or-later
// A network: its nodes, and the ports that its cables connect. Hosts are nodes 0 .. hosts-1,
// switches hosts .. hosts+switches-1 (one id space, as in the Yates route tables). Such a host has
// one port, 0; of hosts with several ports each port is one (net/topology/adapters.h).
#ifndef NET_TOPOLOGY_H
#define NET_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/num.h"
#include "value/status.h"

#define NET_PORTS_MAX 1024u    // of a switch
#define NET_NODES_MAX 4194304u // hosts and switches
#define NET_CABLES_MAX 16777216u
#define NET_ALL_PORTS_MAX 33554432u // of all switches
#define NET_NAME_MAX 100u	    // bytes of a node's name
#define NET_HOST_NAME_MAX 95u	    // of a host with several ports, for ".PORT" behind it
#define NET_LINK_NAME_MAX 256u	    // room for a link's name with its terminating zero

struct net_end {
	uint32_t node;
	uint32_t port;
};

// A two-way cable. length_m, rate_bps and conversion_s of 0/0: the model's defaults.
struct net_cable {
	struct net_end ends[2];
	struct num_ratio length_m;
	struct num_ratio rate_bps; // each way
	struct num_ratio
		conversion_s; // how long a switch holds the end of a worm on it: 0 on a SAN cable
};

// Position of a switch in a drawing: columns to the right, rows down. For drawings only.
struct net_place {
	int32_t column;
	int32_t row;
};

// Which adapters a host has; first NULL: every host has one, of its own number.
struct net_adapters {
	uint32_t hosts;
	uint32_t *first; // by host: its first adapter; behind the last host where its adapters end
	uint32_t *host;	 // by adapter
	size_t first_room, host_room;
};

struct net_topology {
	uint32_t hosts; // or adapters
	uint32_t switches;
	uint32_t *ports; // of each switch
	struct net_cable *cables;
	size_t cable_count;
	char **names;		      // of each node; NULL, or a NULL entry: the default name
	struct net_place *places;     // of each switch; NULL where none are given
	struct net_adapters adapters; // of hosts, whose own name their first one has
	uint32_t group; // so many switches, one behind the other, are a group; 0: there are none
};

// Makes the topology given by a generator's name and its arguments ("switch:8",
// "torus:4x4,hosts=2"; see flit-topology(5)). The caller clears it. TR_ERROR, and an empty one,
// where the generator does not exist, the arguments are not its own, or memory runs out.
enum tr_status net_topology_make(struct net_topology *topology, const char *text,
				 struct tr_error *err);

// TR_ERROR where an end names a node or port that does not exist, a port has two cables, or a host
// has none.
enum tr_status net_topology_check(const struct net_topology *topology, struct tr_error *err);

// Ports of a node: 1 for a host.
uint32_t net_topology_ports(const struct net_topology *topology, uint32_t node);

// Writes the node's name to out: its own, else "hostN" and "switchN" (N counts hosts and switches
// separately); behind that of a host with several ports ".PORT". Returns out.
const char *net_topology_name(const struct net_topology *topology, uint32_t node, char *out,
			      size_t out_bytes);

// Frees what it holds; it is empty afterwards.
void net_topology_clear(struct net_topology *topology);

// Lookup of nodes by name.

// The nodes with names of their own, sorted by name. The topology is lent and must not change.
struct net_names {
	const struct net_topology *topology;
	uint32_t *nodes;
	size_t count;
};

// TR_ERROR where two nodes have one name, or memory runs out. Close it in any case.
enum tr_status net_names_open(struct net_names *names, const struct net_topology *topology,
			      struct tr_error *err);

// The host of this name, or the switch, whose number counts from 0, which is said by *is_host;
// false if there is none.
bool net_names_find_whole(const struct net_names *names, const char *text, bool *is_host,
			  uint32_t *number);

// The node of this name, as net_topology_name writes it; false if there is none.
bool net_names_find(const struct net_names *names, const char *text, uint32_t *node);

// Frees what it holds; it is empty then.
void net_names_close(struct net_names *names);

// Whether text has the form of a default name, "hostN" (is_host) or "switchN", with N in decimal,
// without leading zeros.
bool net_name_is_usual(const char *text, bool *is_host, uint32_t *number);

// TR_ERROR where text is not valid as a node's own name: 1 to NET_NAME_MAX bytes, no blank, control
// character or '#', and not the form of a default name.
enum tr_status net_name_check(const char *text, struct tr_error *err);

#endif
