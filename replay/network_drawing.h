// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing of a network, laid out by what there is: the switches' places, Graphviz, or a circle.
#ifndef REPLAY_NETWORK_DRAWING_H
#define REPLAY_NETWORK_DRAWING_H

#include "net/topology.h"
#include "trace/tool.h"

// Writes the SVG to out; a layout by Graphviz that fails is told as a warning. TR_ERROR where memory ends.
enum tr_status network_drawing_write(struct tool *tool, const struct net_topology *topology,
				     const char *title, FILE *out, struct tr_error *err);

#endif
