// SPDX-License-Identifier: GPL-3.0-or-later
// Myricom's GM map files as topologies: "HOSTS SWITCHES", then for each node a line
//   s PORTS "NAME"   or   h - "NAME"
// the number of its cables, for each a line
//   PORT s PORTS "NAME" FAR-PORT   or   PORT h - "NAME" 0
// and a label. Cables stand at both ends and must agree; hosts may be told of by their switches alone.
// Nodes are numbered in the order in which the file first names them.
#ifndef NET_GM_MAP_H
#define NET_GM_MAP_H

#include <stdbool.h>
#include <stdio.h>

#include "net/topology.h"
#include "trace/source.h"

// Whether a file that begins with head (zero-terminated) is one.
bool net_gm_map_is(const char *head);

// Reads a map from source, which is lent. The caller clears *topology. TR_ERROR, and an empty one, where it is
// damaged (the error names file and line).
enum tr_status net_gm_map_read(struct net_topology *topology, struct tr_source *source, struct tr_error *err);

// Writes a topology that passes net_topology_check; lengths and rates are lost. Failures to write stay in
// out (ferror). TR_ERROR where memory ends.
enum tr_status net_gm_map_write(const struct net_topology *topology, FILE *out, struct tr_error *err);

#endif
