// SPDX-License-Identifier: GPL-3.0-or-later
// A network as Graphviz text.
#ifndef REPLAY_DRAW_DOT_H
#define REPLAY_DRAW_DOT_H

#include <stdio.h>

#include "net/topology.h"

// Writes it after comments (lines; NULL for none): boxes for switches, ellipses for hosts, edges labelled with their ports, and
// the switches' places where they have some. Failures stay in out (ferror).
void draw_dot(const struct net_topology *topology, const char *title, const char *comments, FILE *out);

#endif
