// SPDX-License-Identifier: GPL-3.0-or-later
// All connected networks of so many switches and cables between them, no two alike (isomorphic),
// from the programs geng and multig of nauty (B. D. McKay and A. Piperno, Practical graph
// isomorphism, II, Journal of Symbolic Computation 60, 2014) in the order in which these print
// them.
#ifndef NET_TOPOLOGIES_ALL_NETWORKS_H
#define NET_TOPOLOGIES_ALL_NETWORKS_H

#include <stdbool.h>

#include "net/topology/topology.h"
#include "value/status.h"

#define NET_ALL_SWITCHES_MAX 16u
#define NET_ALL_CABLES_MAX 240u
#define NET_ALL_INDEX_MAX 999999u
#define NET_ALL_LISTED_MAX 100000u // networks that a program lists at a time

struct net_all;

// Whether text asks for the generator "all" without saying which network.
bool net_all_is_list(const char *text);

// Starts the programs for what text asks for: "all:6,12" and options but for index=. NULL, with
// err, where the arguments are wrong or a program is missing. The caller closes it.
struct net_all *net_all_open(const char *text, struct tr_error *err);

// Makes the next network, which the caller clears, also after TR_ERROR. TR_END: no more.
enum tr_status net_all_next(struct net_all *all, struct net_topology *topology,
			    struct tr_error *err);

// Accepts NULL.
void net_all_close(struct net_all *all);

#endif
