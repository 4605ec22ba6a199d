// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes by their names.
#ifndef NET_TOPOLOGY_NAMES_H
#define NET_TOPOLOGY_NAMES_H

#include <stdbool.h>

#include "net/topology.h"

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
