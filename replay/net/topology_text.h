// SPDX-License-Identifier: GPL-3.0-or-later
// Topologies as text, described in flit-topology(5).
#ifndef NET_TOPOLOGY_TEXT_H
#define NET_TOPOLOGY_TEXT_H

#include <stdio.h>

#include "net/topology.h"
#include "trace/source.h"

#define NET_TOPOLOGY_MAGIC "flitline-topology"
#define NET_TOPOLOGY_VERSION "1"

// Reads a topology from source, which is lent, in whichever form its first bytes show. The caller clears it.
// TR_ERROR, and an empty one, where it is in none, is damaged (the error names file and line), or is beyond the bounds
// of net/topology.h.
enum tr_status net_topology_read(struct net_topology *topology, struct tr_source *source, struct tr_error *err);

// Reads the form that net_topology_write writes.
enum tr_status net_topology_read_text(struct net_topology *topology, struct tr_source *source, struct tr_error *err);

// Writes a topology that passes net_topology_check, after comments (lines; NULL for none). Reading gives the same
// back. TR_ERROR where a name cannot be written; failures to write stay in out (ferror).
enum tr_status net_topology_write(const struct net_topology *topology, const char *comments, FILE *out, struct tr_error *err);

#endif
