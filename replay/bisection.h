// SPDX-License-Identifier: GPL-3.0-or-later
// How many cables part the hosts of a network into halves.
#ifndef REPLAY_BISECTION_H
#define REPLAY_BISECTION_H

#include "net/topology.h"

// The least number of cables found whose cutting leaves half of the hosts (one more where they are odd) on
// either side: an upper bound of the bisection width, by METIS (G. Karypis and V. Kumar, SIAM Journal on
// Scientific Computing 20(1), 1998) on the switches with the hosts as weights, from several seeds, and by cutting
// the cables of single hosts for what is then uneven. The same number each time. TR_ERROR where
// memory ends or this was built without METIS.
enum tr_status bisection_find(const struct net_topology *topology, uint64_t *cables, struct tr_error *err);

#endif
