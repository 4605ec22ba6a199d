// SPDX-License-Identifier: GPL-3.0-or-later
// Cables between switches, counted.
#ifndef NET_TRAILS_DISTANCES_H
#define NET_TRAILS_DISTANCES_H

#include <stdint.h>

#include "net/topology/graph.h"
#include "value/status.h"

#define NET_APART UINT16_MAX
#define NET_DISTANCE_SWITCHES_MAX 65000u

// The fewest cables from each switch to each, [from * switches + to], NET_APART where there is no
// way. The caller frees it. NULL, which err explains, where there are more than
// NET_DISTANCE_SWITCHES_MAX switches or memory runs out.
uint16_t *net_switch_distances(const struct net_graph *graph, struct tr_error *err);

#endif
