// SPDX-License-Identifier: GPL-3.0-or-later
// The load of each channel under a traffic matrix, and the offered load that saturates the fullest.
#ifndef NET_CHANNEL_LOAD_H
#define NET_CHANNEL_LOAD_H

#include "net/routes/route_path.h"
#include "net/routes/routes.h"
#include "net/routes/spread.h"
#include "net/topology/graph.h"
#include "value/status.h"

// What each pair of hosts sends, in any unit: weights[source * hosts + destination]; the diagonal
// is ignored. weights NULL: 1 for each pair (uniform traffic).
struct net_demand {
	const double *weights;
};

struct net_loads {
	const double *weights; // the demand's
	uint32_t hosts;
	double *links; // of each link (2c and 2c + 1 for cable c): its load in the demand's unit
	uint32_t count;
	double offered;	  // all of the demand that has a route
	uint64_t missing; // pairs without a route
	uint64_t pairs;	  // pairs with a route
	double switches;  // on the routes of all pairs together
	double *lengths;  // pairs by switches passed, 0 .. longest
	uint32_t longest;
};

// Room for the routes over the graph, none added yet. TR_ERROR where memory runs out.
enum tr_status net_loads_open(struct net_loads *loads, const struct net_graph *graph,
			      const struct net_routes *routes, struct net_demand demand,
			      struct tr_error *err);

// Adds a route: a visitor for net_paths_visit, with the loads as its context.
enum tr_status net_loads_take(void *loads, uint32_t source, uint32_t destination,
			      const struct net_path *path, struct tr_error *err);

// The same for routes that spread packets: a visitor for net_spread_visit.
enum tr_status net_loads_take_step(void *loads, const struct net_spread_step *step,
				   struct tr_error *err);

// Call after the last step: takes from the loads what comes of adding shares, so that links with
// equal loads have equal numbers; and from the lengths.
void net_loads_round(struct net_loads *loads);

// Adds the routes of all pairs of different hosts. TR_ERROR where a route is not sound or memory
// runs out. The caller clears *loads.
enum tr_status net_loads_find(struct net_loads *loads, const struct net_graph *graph,
			      const struct net_routes *routes, struct net_demand demand,
			      struct tr_error *err);

// The offered load, of the mean host as a fraction of its link, that saturates the first channel
// when traffic is proportional to the demand: (offered / hosts) / max(links[i] / rates[i]). rates
// are the links' relative to a host's (NULL: all 1); above 0. *fullest is that channel (NULL: not
// wanted). 0 if nothing is sent.
double net_loads_saturation(const struct net_loads *loads, uint32_t hosts, const double *rates,
			    uint32_t *fullest);

// Frees what it holds; it is empty then.
void net_loads_clear(struct net_loads *loads);

#endif
