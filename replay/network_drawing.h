// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing of a network, laid out by what there is: the switches' places, Graphviz, or a circle.
#ifndef REPLAY_NETWORK_DRAWING_H
#define REPLAY_NETWORK_DRAWING_H

#include "net/topology.h"
#include "trace/tool.h"

struct network_drawing {
	const char *title;
	const char *links; // a stream of link samples that colours the links; NULL: none
};

// Writes the SVG to path (NULL, "-": standard output). Returns false after reporting an error; warns where Graphviz fails to lay the
// network out.
bool network_drawing_write(struct tool *tool, const struct net_topology *topology, const struct network_drawing *drawing,
			   const char *path);

#endif
