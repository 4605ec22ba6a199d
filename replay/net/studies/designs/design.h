// SPDX-License-Identifier: GPL-3.0-or-later
// A network from a block design, as the generators bbd, cbd and bibd make it from their arguments
// (flit-topology(5)).
#ifndef NET_DESIGNS_DESIGN_H
#define NET_DESIGNS_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/studies/designs/base_blocks.h"
#include "net/studies/designs/blocks.h"
#include "value/status.h"

// Zero is a valid empty one.
struct net_design {
	struct net_base base;
	struct net_blocks blocks;
	uint32_t hosts; // of all switches
	uint32_t ports; // of each switch; 0: as many as needed
};

// Whether text begins with the name of one of the generators.
bool net_design_is(const char *text);

// Makes the design that text asks for ("bbd:10,4", "cbd:14,4+2,hosts=2"). The caller closes it,
// also after TR_ERROR: the arguments are none of the generator's, there is no such design, or
// memory runs out.
enum tr_status net_design_open(struct net_design *design, const char *text, struct tr_error *err);
void net_design_close(struct net_design *design);

#endif
