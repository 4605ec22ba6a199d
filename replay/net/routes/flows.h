// SPDX-License-Identifier: GPL-3.0-or-later
// The flow of a traffic matrix over each channel of given routes, updated pair by pair (Qiao 1997,
// section 5.2).
#ifndef NET_FLOWS_H
#define NET_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/route_path.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "value/status.h"

#define NET_FLOWS_OPTIONS 65u

enum net_link_role {
	NET_LINK_FIRST, // from a host
	NET_LINK_TRUNK, // between switches
	NET_LINK_LAST,	// from a switch to a host
};

// A channel is a link: one direction of a cable. Amounts are whole numbers in the unit of the
// matrix (bytes of a capture, say), so that a flow that is added and removed leaves nothing behind.
// A pair's flow goes to its list, which with choices is that of the best options. What a host sends
// to itself goes to its switch and back.
struct net_flows {
	const struct net_graph *graph;	 // lent
	const struct net_routes *routes; // lent
	uint8_t *roles;	   // of each link: enum net_link_role; between two hosts it is LAST
	uint64_t *links;   // of each link: f_k (eq. 5.7)
	uint64_t *later;   // and of that, what came to it from another switch
	uint64_t *between; // Y: [from * switches + to], switches from 0
	uint64_t offered;  // W (eq. 5.2)
	uint64_t local;	   // L: between hosts of one switch (eq. 5.4)
	uint64_t hops;	   // R: each flow times the links between switches on its route (eq. 5.5)
	// What came from one switch and went on to another, by the options that the routes gave it:
	// [1] for lists; the last row is for that many and more.
	uint64_t options[NET_FLOWS_OPTIONS];
	struct net_path path; // of the pair followed last
	uint16_t *ports;
};

// No flows yet, over the routes. TR_ERROR where memory runs out; the caller clears it in any case.
enum tr_status net_flows_open(struct net_flows *flows, const struct net_graph *graph,
			      const struct net_routes *routes, struct tr_error *err);
void net_flows_clear(struct net_flows *flows);

// Adds to, or removes from, what one host sends another: time in proportion to the route's length.
// What is removed must have been added. TR_ERROR, and nothing done, where the pair has no route or
// one that is not sound, or the sums of all flows would not fit 64 bits.
enum tr_status net_flows_add(struct net_flows *flows, uint32_t source, uint32_t destination,
			     uint64_t amount, struct tr_error *err);
enum tr_status net_flows_remove(struct net_flows *flows, uint32_t source, uint32_t destination,
				uint64_t amount, struct tr_error *err);

// The path of a pair into flows->path. TR_ERROR as above.
enum tr_status net_flows_follow(struct net_flows *flows, uint32_t source, uint32_t destination,
				struct tr_error *err);

// Adds a matrix, [source * hosts + destination]. matrix NULL: 1 for each pair of different hosts
// that has a route.
enum tr_status net_flows_add_matrix(struct net_flows *flows, const uint64_t *matrix,
				    struct tr_error *err);

// 1 from each host to itself.
enum tr_status net_flows_add_selves(struct net_flows *flows, struct tr_error *err);

// The largest amount / rate of the links of some roles (bits 1 << role), rates[link] above 0 in any
// unit; *fullest is the first such link (NULL: not wanted), NET_NOBODY where nothing is sent on
// any.
#define NET_LINKS_ALL 7u
#define NET_LINKS_TRUNK (1u << NET_LINK_TRUNK)
double net_flows_fullest(const struct net_flows *flows, const double *rates, unsigned roles,
			 uint32_t *fullest);

// P: the mean route in links between switches, weighted by the traffic: R / W. NaN where nothing is
// sent.
double net_flows_mean_route(const struct net_flows *flows);

// alpha: L / W. NaN where nothing is sent.
double net_flows_locality(const struct net_flows *flows);

// The bound of W that eq. 5.3 gives: the rates of all links between switches over the mean route,
// in the rates' unit. Infinite where no flow leaves its switch, NaN where nothing is sent.
double net_flows_bound(const struct net_flows *flows, const double *rates);

// Routes of all pairs of hosts, in links between switches.
struct net_route_lengths {
	uint64_t pairs; // that have a route
	uint64_t hops;	// of all together
	uint32_t longest;
};

// The lengths of the routes between different hosts and, where selves, of each host's to itself,
// which is 0. TR_ERROR where one is not sound or memory runs out.
enum tr_status net_route_lengths_find(struct net_route_lengths *lengths,
				      const struct net_graph *graph,
				      const struct net_routes *routes, bool selves,
				      struct tr_error *err);

#endif
