// SPDX-License-Identifier: GPL-3.0-or-later
// Building a topology: with a builder, if its size is known beforehand, or cable by cable.
#ifndef NET_TOPOLOGY_BUILD_H
#define NET_TOPOLOGY_BUILD_H

#include <stdbool.h>

#include "net/topology/topology.h"

// The builder numbers switches from 0, and hosts too.

// The sizes to allocate.
struct net_size {
	uint64_t hosts;
	uint64_t switches;
	uint64_t ports;	 // of every switch
	uint64_t cables; // at most
	bool placed;	 // the switches have places
};

// A topology in progress; it is the caller's.
struct net_builder {
	struct net_topology *topology;
	size_t room; // for cables
};

// Starts without cables, and with positions of 0. TR_ERROR, and an empty topology, where it would
// exceed the bounds of net/topology/topology.h or memory runs out.
enum tr_status net_build_open(struct net_builder *builder, struct net_topology *topology,
			      struct net_size size, struct tr_error *err);

// Lays a cable between ports of two switches. There must be room (assert).
void net_build_cable(struct net_builder *builder, uint32_t from, uint32_t from_port, uint32_t to,
		     uint32_t to_port);

// Lays a host's cable, to a port of a switch. There must be room.
void net_build_host(struct net_builder *builder, uint32_t host, uint32_t to, uint32_t to_port);

// Connects hosts first .. first + count - 1 to ports 0 .. count - 1 of a switch. There must be
// room.
void net_build_hosts(struct net_builder *builder, uint32_t first, uint32_t count, uint32_t to);

// Sets where a drawing has the switch of this index.
void net_build_place(struct net_builder *builder, uint32_t index, int64_t column, int64_t row);

// The groups of a network in a drawing, each of two rows of switches.
struct net_groups {
	uint32_t count;
	uint32_t width; // switches of the longer row
};

// Sets where a drawing has the switch of this index: in which group, in its row 0 or 1, and which
// of the row.
void net_build_place_group(struct net_builder *builder, uint32_t index, struct net_groups groups,
			   uint32_t group, uint32_t row, uint32_t column);

// Lays cables one by one between the nodes of a topology; each port is used once.

// The topology has all its nodes; it is lent and gets the cables.
struct net_cabling {
	struct net_topology *topology;
	struct net_names names;
	size_t room;	     // of the topology's cables
	size_t *first;	     // by node: its port 0 in used
	unsigned char *used; // of each port: has a cable
};

// TR_ERROR where two nodes have one name or memory runs out. Close it in any case.
enum tr_status net_cabling_open(struct net_cabling *cabling, struct net_topology *topology,
				struct tr_error *err);

// Reads an end: a host's name, or a dot and a port behind the name of a switch or of a host with
// several.
enum tr_status net_cabling_parse_end(const struct net_cabling *cabling, const char *text,
				     struct net_end *end, struct tr_error *err);

// Lays a cable. TR_ERROR, and no cable, where an end does not exist or is taken, or memory runs
// out.
enum tr_status net_cabling_lay(struct net_cabling *cabling, const struct net_cable *cable,
			       struct tr_error *err);

// TR_ERROR where a host has no cable.
enum tr_status net_cabling_end(const struct net_cabling *cabling, struct tr_error *err);

// Frees what it holds; it is empty then.
void net_cabling_close(struct net_cabling *cabling);

#endif
