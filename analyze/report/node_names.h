// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes as tables and axes call them, and which of many a heat map shows.
#ifndef REPORT_NODE_NAMES_H
#define REPORT_NODE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "stat/matrix.h"
#include "trace/escape.h"
#include "trace/names.h"

#define NODES_SHOWN 48u // in a heat map

// The node's address in at most max characters; "node7" where there are no names. Returns out.
const char *node_label(const struct tr_names *names, uint32_t node, size_t max, char out[TEXT_LABEL_BYTES]);

// The nodes of a matrix that send or receive most bytes, at most NODES_SHOWN, in order of id; returns how
// many. *all is how many there are.
size_t nodes_choose(const struct matrix *matrix, uint32_t chosen[NODES_SHOWN], size_t *all);

// The up to max pairs with most bytes, largest first, then by source and destination; pointers into the matrix. Returns
// how many.
size_t pairs_choose(const struct matrix *matrix, const struct matrix_cell **chosen, size_t max);

#endif
