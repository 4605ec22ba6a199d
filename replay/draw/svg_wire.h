// SPDX-License-Identifier: GPL-3.0-or-later
// A wire between two cards.
#ifndef REPLAY_DRAW_SVG_WIRE_H
#define REPLAY_DRAW_SVG_WIRE_H

#include <stdio.h>

#include "draw/heat.h"
#include "draw/picture.h"

// How far a bowed wire goes out of the line between its ends.
double draw_svg_bow(const struct draw_wire *wire);

// Writes it as one line, or as two halves with the colours of what leaves at either end.
void draw_svg_wire(const struct net_topology *topology, const struct draw_wire *wire, const struct draw_heat *heat, FILE *out);

#endif
