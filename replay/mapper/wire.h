// SPDX-License-Identifier: GPL-3.0-or-later
// What the network does to a route of port differences. The mapper knows differences alone; the model's
// worms carry ports, and a switch takes the one for the other.
#ifndef MAPPER_WIRE_H
#define MAPPER_WIRE_H

#include <stdint.h>

#include "net/graph.h"

// Writes the ports that the differences (count of them) mean for a worm from source into ports, as many;
// behind a port that is not there, ports that are not there either. Returns the host that the worm comes
// to with its route used up, NET_NOBODY where it is lost.
uint32_t wire_follow(const struct net_graph *graph, uint32_t source, const int16_t *deltas, uint32_t count, uint16_t *ports);

#endif
