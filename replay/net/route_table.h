// SPDX-License-Identifier: GPL-3.0-or-later
// Routes of all pairs held one by one: what a file gives, or what a rule gives at the cost of memory
// for the speed of looking up.
#ifndef NET_ROUTE_TABLE_H
#define NET_ROUTE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes.h"
#include "trace/status.h"

#define NET_ROUTE_LENGTH_MAX 65533u // switches on one route of a table
#define NET_ROUTE_TABLE_HOSTS_MAX 16384u

// Starts *routes as an empty table for so many hosts, at most NET_ROUTE_TABLE_HOSTS_MAX; 8 bytes a
// pair. The caller clears it, also after TR_ERROR.
enum tr_status net_route_table_open(struct net_routes *routes, uint32_t hosts, struct tr_error *err);

// Puts the route of a pair into a table, once for each pair; ports are copied. TR_ERROR where memory
// ends or all routes together have more than 2^32 - 1 ports.
enum tr_status net_route_table_put(struct net_routes *routes, uint32_t source, uint32_t destination, const uint16_t *ports,
				   uint32_t count, struct tr_error *err);

// Whether the pair was put into the table.
bool net_route_table_has(const struct net_routes *routes, uint32_t source, uint32_t destination);

// Turns routes that a rule works out into a table of the same routes.
enum tr_status net_route_table_make(struct net_routes *routes, struct tr_error *err);

#endif
