// SPDX-License-Identifier: GPL-3.0-or-later
// What the writers of the forms of routes work with.
#ifndef NET_ROUTES_WRITING_H
#define NET_ROUTES_WRITING_H

#include <stdio.h>

#include "net/graph.h"
#include "net/routes.h"

struct net_routes_writing {
	const struct net_routes *routes;
	const struct net_topology *topology;
	struct net_graph graph;
	const char *comments;
	FILE *out;
	uint16_t *ports; // room for a route
};

enum tr_status net_routes_write_text(struct net_routes_writing *writing, struct tr_error *err);
enum tr_status net_gm_routes_write(struct net_routes_writing *writing, struct tr_error *err);
enum tr_status net_yates_table_write(struct net_routes_writing *writing, struct tr_error *err);

#endif
