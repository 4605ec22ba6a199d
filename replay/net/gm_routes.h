// SPDX-License-Identifier: GPL-3.0-or-later
// Myricom's way to say a route: at each switch, the difference of the output's and the input's port.
#ifndef NET_GM_ROUTES_H
#define NET_GM_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/graph.h"

#define NET_GM_DELTA_MAX 31

// The route byte of a difference of -31 .. 31: 0x80 and its lower six bits.
static inline uint8_t net_gm_byte(int delta)
{
	return (uint8_t)(0x80u | ((unsigned)delta & 0x3fu));
}

// The difference that a route byte says; false where it is none.
bool net_gm_delta(uint8_t byte, int *delta);

// Writes the differences of a route that net_path_follow finds sound; deltas has room for count.
void net_gm_deltas(const struct net_graph *graph, uint32_t source, const uint16_t *ports, uint32_t count, int *deltas);

#endif
