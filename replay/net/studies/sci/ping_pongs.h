// SPDX-License-Identifier: GPL-3.0-or-later
// Measured ping-pong latencies (half a round trip) of SCI rings and tori, as a table of text.
#ifndef NET_SCI_PING_PONGS_H
#define NET_SCI_PING_PONGS_H

#include <stdbool.h>
#include <stdint.h>

#include "file/source.h"
#include "value/status.h"

#define SCI_PING_PONGS_MAX 4096u

struct sci_ping_pong {
	bool torus;	   // else a ring with the two nodes half-way round, so that both directions are equal
	uint32_t hops;	   // links of the ping, 1 to 65535
	uint32_t switches; // changes of the ring, fewer than hops; 0 on a ring
	uint32_t size_B;   // 0 B to 256 MiB
	double ns;	   // above 0
};

// Zero is a valid empty one.
struct sci_ping_pongs {
	struct sci_ping_pong rows[SCI_PING_PONGS_MAX];
	uint32_t count;
};

// Adds the first table of source whose heading has the columns network (ring or torus), hops, switches, size_B and pp_ns, as
// TSV or CSV, up to a blank line, a comment or the end; what stands before it is skipped. TR_ERROR, naming the line, where a
// value is no such, a path has a second time for a size, or there are too many rows.
enum tr_status sci_ping_pongs_read(struct sci_ping_pongs *pongs, struct tr_source *source, struct tr_error *err);

// The time of this path and size; NULL: none.
const struct sci_ping_pong *sci_ping_pongs_find(const struct sci_ping_pongs *pongs, struct sci_ping_pong path);

#endif
