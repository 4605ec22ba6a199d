// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest legal ways shared out so that no channel has many more routes than another.
#ifndef NET_ROUTINGS_WAYS_BY_LOAD_H
#define NET_ROUTINGS_WAYS_BY_LOAD_H

#include "net/routings/ways.h"

// Replaces routes, whose ways these are, by a table: pair after pair takes, among its shortest legal
// ways, the one whose fullest channel has the fewest routes so far, then the one with the smallest
// sum, then the lowest ports. TR_ERROR where memory ends; routes are then as before.
enum tr_status net_ways_spread(struct net_routes *routes, const struct net_ways *ways, struct tr_error *err);

#endif
