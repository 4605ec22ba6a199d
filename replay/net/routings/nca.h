// SPDX-License-Identifier: GPL-3.0-or-later
// Routes of a regular tree, computed from the leaves below each switch.
#ifndef NET_ROUTINGS_NCA_H
#define NET_ROUTINGS_NCA_H

#include "net/routings/routing.h"

// Routes by the rule nca where the network is a regular tree (net/routings/tree_leaves.h): up to a
// nearest common ancestor and down. Their ports at each switch are all those of shortest routes, so
// with equal ties they are the routes of the rule shortest. Where it is none, or the tie is
// NET_TIE_LOAD, *routes is empty. The caller clears *routes. TR_ERROR where two hosts are not
// joined or memory runs out.
enum tr_status net_nca_regular(struct net_routes *routes, const struct net_topology *topology,
			       const struct net_tying *tying, struct tr_error *err);

#endif
