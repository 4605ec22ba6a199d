// SPDX-License-Identifier: GPL-3.0-or-later
// Cables laid one by one between the nodes of a topology, each port taken once.
#ifndef NET_TOPOLOGY_CABLING_H
#define NET_TOPOLOGY_CABLING_H

#include "net/topology_names.h"

// The topology has all its nodes; it is lent and gets the cables.
struct net_cabling {
	struct net_topology *topology;
	struct net_names names;
	size_t room;	     // of the topology's cables
	size_t *first;	     // of a node: its port 0 in used
	unsigned char *used; // of each port: has a cable
};

// TR_ERROR where two nodes have one name or memory ends. Close it in any case.
enum tr_status net_cabling_open(struct net_cabling *cabling, struct net_topology *topology, struct tr_error *err);

// Reads an end: a host's name, or a switch's, a dot and a port.
enum tr_status net_cabling_parse_end(const struct net_cabling *cabling, const char *text, struct net_end *end,
				     struct tr_error *err);

// Lays a cable. TR_ERROR, and no cable, where an end does not exist or has one, or memory ends.
enum tr_status net_cabling_lay(struct net_cabling *cabling, const struct net_cable *cable, struct tr_error *err);

// TR_ERROR where a host has no cable.
enum tr_status net_cabling_end(const struct net_cabling *cabling, struct tr_error *err);

void net_cabling_close(struct net_cabling *cabling);

#endif
