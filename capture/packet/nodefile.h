// SPDX-License-Identifier: GPL-3.0-or-later
// Files that name a cluster's nodes, one address a line:
//
//   # address	name	role
//   10.77.0.1	node0	controller
//   10.77.0.2	node1	worker
//
// Fields are parted by tabs; name and role may be left out or "-". Empty lines and those that begin
// with # say nothing. Several addresses with one name are one node.
#ifndef PACKET_NODEFILE_H
#define PACKET_NODEFILE_H

#include "packet/nodes.h"
#include "trace/source.h"
#include "trace/status.h"

#define PK_NODEFILE_LINE_MAX 1024u // bytes, newline included

// Enters what source says; source stays the caller's. TR_ERROR: err names the input and the line.
enum tr_status pk_nodefile_read(struct tr_source *source, struct pk_nodes *nodes, struct tr_error *err);

#endif
