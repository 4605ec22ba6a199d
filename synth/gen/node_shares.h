// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of nodes as lines of a model: "from 3 25 %", "to 5 10 %". Only their ratios matter.
#ifndef GEN_NODE_SHARES_H
#define GEN_NODE_SHARES_H

#include <stddef.h>
#include <stdint.h>

#include "trace/model.h"

struct node_share {
	uint32_t node;
	double share; // 0 .. 1
};

// Zero is a valid empty one.
struct node_shares {
	struct node_share *each; // owned
	size_t count;
};

// The lines of this key in the section, in their order; to be freed by node_shares_clear. TR_ERROR with file and line, and
// nothing to free: a line that is malformed, a node of nodes or more, or one that stands twice.
enum tr_status node_shares_get(const struct model *model, const char *section, const char *key, uint64_t nodes,
			       struct node_shares *out, struct tr_error *err);

// Adds them as lines.
void node_shares_put(struct model *model, const char *key, const struct node_shares *shares);

// The node's share; 0 where it has none.
double node_shares_of(const struct node_shares *shares, uint32_t node);

// The sum of all but the node's.
double node_shares_of_others(const struct node_shares *shares, uint32_t node);

void node_shares_clear(struct node_shares *shares);

#endif
