// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of several traces as one set: nodes of the same name are one. A trace that has no name
// in common with the first has its nodes matched with those of the first by role and order of
// traffic: its busiest worker is the first's busiest worker.
#ifndef STAT_JOINT_NODES_H
#define STAT_JOINT_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/nodes/matrix.h"
#include "stream/names.h"
#include "value/status.h"

// A trace's nodes, all lent.
struct node_side {
	const struct matrix *matrix;  // of the nodes that count: those that send or receive
	const struct tr_names *names; // NULL: they have none
	const uint8_t *roles;	      // enum tr_role by node; NULL: unknown
	size_t role_count;	      // of roles
};

enum node_basis { NODES_BY_NAME, NODES_BY_ROLE, NODES_BY_TRAFFIC };

struct joint_node {
	char *label;
	enum tr_role role;
	uint32_t number; // in the set
};

// Zero is a valid empty one.
struct joint_nodes {
	struct joint_node *nodes; // by number
	size_t count, capacity;
	uint32_t *ranked; // nodes of the first trace, that with most bytes first
	size_t ranked_count;
};

// Adds a trace's nodes and copies its matrix, with the numbers of the set, to *renamed, an empty
// one. *basis: how the nodes were found in the set. TR_ERROR if out of memory.
enum tr_status joint_nodes_add(struct joint_nodes *joint, const struct node_side *side,
			       struct matrix *renamed, enum node_basis *basis,
			       struct tr_error *err);

// "node" or what it is called in the traces.
const char *joint_nodes_label(const struct joint_nodes *joint, uint32_t number);

// Frees what it holds; it is empty then.
void joint_nodes_clear(struct joint_nodes *joint);

#endif
