// SPDX-License-Identifier: GPL-3.0-or-later
// Topologies in files: the text of flit-topology(5), and Myricom's GM maps.
#ifndef NET_TOPOLOGY_TEXT_H
#define NET_TOPOLOGY_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "file/source.h"
#include "net/topology/topology.h"

// Topologies as text, described in flit-topology(5).

#define NET_TOPOLOGY_MAGIC "flitline-topology"
#define NET_TOPOLOGY_VERSION "1"

// Reads a topology from source, which is lent, in the format that its first bytes show. The caller
// clears it. TR_ERROR, and an empty one, where the format is unknown, the text is damaged (the
// error names file and line), or it exceeds the bounds of net/topology/topology.h.
enum tr_status net_topology_read(struct net_topology *topology, struct tr_source *source,
				 struct tr_error *err);

// Reads the format that net_topology_write writes.
enum tr_status net_topology_read_text(struct net_topology *topology, struct tr_source *source,
				      struct tr_error *err);

// Writes a topology that passes net_topology_check, after comments (lines; NULL for none). Reading
// restores it. TR_ERROR where a name cannot be written; for write failures check ferror(out).
enum tr_status net_topology_write(const struct net_topology *topology, const char *comments,
				  FILE *out, struct tr_error *err);

// Myricom's GM map files as topologies: "HOSTS SWITCHES", then for each node a line
//   s PORTS "NAME"   or   h - "NAME"
// the number of its cables, for each a line
//   PORT s PORTS "NAME" FAR-PORT   or   PORT h - "NAME" 0
// and a label. Cables are listed at both ends and must agree; hosts may appear at their switches
// alone. Nodes are numbered in the order in which the file first names them.

// Whether a file that begins with head (zero-terminated) is a map.
bool net_gm_map_is(const char *head);

// Reads a map from source, which is lent. The caller clears *topology. TR_ERROR, and an empty one,
// where it is damaged (the error names file and line).
enum tr_status net_gm_map_read(struct net_topology *topology, struct tr_source *source,
			       struct tr_error *err);

// Writes a topology that passes net_topology_check; lengths and rates are lost. For write failures
// check ferror(out). TR_ERROR where memory runs out.
enum tr_status net_gm_map_write(const struct net_topology *topology, FILE *out,
				struct tr_error *err);

#endif
