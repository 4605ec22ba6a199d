// SPDX-License-Identifier: GPL-3.0-or-later
// Whether another tie of the same rule would carry far more of uniform traffic.
#ifndef NET_ROUTINGS_ADVICE_H
#define NET_ROUTINGS_ADVICE_H

#include "net/routings/routing.h"

// Loads at which the first link is full, as shares of the hosts' links.
struct net_tie_advice {
	double own;
	double best;
	enum net_tie best_tie;
};

// Whether routes, made over topology by the rule that text names, saturate below half of what another
// tie reaches. Of more than 256 hosts a sample of some 65,536 pairs is followed; of more than 4,096,
// and of routes that are no rule's, nothing is said. False also where memory ends.
bool net_tie_advice_find(struct net_tie_advice *advice, const struct net_topology *topology, const char *text,
			 const struct net_routes *routes);

#endif
