// SPDX-License-Identifier: GPL-3.0-or-later
// Routes as files, in several forms, each known by its first bytes: the text of flit-routes(5),
// Myricom's GM route files, the tables of Yates (1997), and the blocks of a block design, inside
// which routes go.
#ifndef NET_ROUTES_FORMS_H
#define NET_ROUTES_FORMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"

#define NET_ROUTES_MAGIC "flitline-routes"
#define NET_ROUTES_VERSION "2" // the newest; version 1 has neither lanes nor choices

enum net_routes_form_name { NET_ROUTES_TEXT, NET_ROUTES_GM, NET_ROUTES_YATES };

// Reads routes for the topology from source, which is lent, in the format that its first bytes
// show. Every route must lead to its destination; pairs missing in the file have no route. The
// caller clears *routes. TR_ERROR, and empty routes, where the format is unknown, the file is
// damaged or does not fit the topology; the error names file and line.
enum tr_status net_routes_read(struct net_routes *routes, const struct net_topology *topology,
			       struct tr_source *source, struct tr_error *err);

// Writes routes in a form. comments: lines that go before (NULL: none; the text form alone has room
// for them). Text is of version 1 where that can say the routes; the other forms have no lanes and
// no choices. TR_ERROR where the form cannot say these routes or memory runs out; failures to write
// stay in out (ferror).
enum tr_status net_routes_write(const struct net_routes *routes,
				const struct net_topology *topology, enum net_routes_form_name form,
				const char *comments, FILE *out, struct tr_error *err);

// Myricom's representation of a route: at each switch, the difference of output and input port.

#define NET_GM_DELTA_MAX 31

// The route byte of a difference of -31 .. 31: 0x80 and its lower six bits.
static inline uint8_t net_gm_byte(int delta)
{
	return (uint8_t)(0x80u | ((unsigned)delta & 0x3fu));
}

// The difference encoded by a route byte; false if it is none.
bool net_gm_delta(uint8_t byte, int *delta);

// Writes the differences of a route that net_path_follow finds sound; deltas has room for count.
void net_gm_deltas(const struct net_graph *graph, uint32_t source, const uint16_t *ports,
		   uint32_t count, int *deltas);

#endif
