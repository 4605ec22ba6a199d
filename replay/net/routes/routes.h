// SPDX-License-Identifier: GPL-3.0-or-later
// For each pair of hosts, the output port of the worm at each switch on its route, and the lane.
#ifndef NET_ROUTES_H
#define NET_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/status.h"

#define NET_NO_ROUTE UINT32_MAX

#define NET_LANES_MAX 64u // of a link

// A step of a list: the port by which a worm leaves a switch, in the low 10 bits, and the lane that
// it takes of the link behind it, 0 where links have one lane. Who is sure of that may read a step
// as a port.
#define NET_STEP_PORT_BITS 10

_Static_assert(NET_PORTS_MAX == 1u << NET_STEP_PORT_BITS &&
		       NET_LANES_MAX << NET_STEP_PORT_BITS == UINT16_MAX + 1u,
	       "a step has room for each port and lane");

// The step by a port, below NET_PORTS_MAX, on a lane, below NET_LANES_MAX.
static inline uint16_t net_step(uint32_t port, uint32_t lane)
{
	return (uint16_t)(port | lane << NET_STEP_PORT_BITS);
}

// The port of a step.
static inline uint32_t net_step_port(uint16_t step)
{
	return step & (NET_PORTS_MAX - 1);
}

// The lane of a step.
static inline uint32_t net_step_lane(uint16_t step)
{
	return step >> NET_STEP_PORT_BITS;
}

struct net_choices;

// How routes are held: all pairs in a table, or a rule that works out one pair at a time. get must
// not allocate; it writes at most net_routes.longest steps and returns their number, or
// NET_NO_ROUTE. NULL: it is that of the ways, for the way 0.
struct net_routes_form {
	uint32_t (*get)(const void *state, uint32_t source, uint32_t destination, uint16_t *steps);
	void (*clear)(void *state);
	const struct net_routes_ways *ways; // of routes that spread packets; NULL
};

// What of a packet takes part in the hash that chooses among equally good ports, at each switch.
enum net_spread {
	NET_SPREAD_NONE,   // a pair has one route
	NET_SPREAD_FLOW,   // its flow
	NET_SPREAD_PACKET, // how many packets its source sent before
};

// A port that leads on; next is the caller's name of the place that it leads to.
struct net_branch {
	uint32_t port;
	uint32_t link;
	uint32_t next;
	uint32_t lane;
};

// The ways of a pair: get gives that of one number as net_routes_form's does, of any 32-bit number.
// A place is a number of the rule's own. branches gives the ports that a packet may take from one
// to a destination, 0: it is the destination's switch, for all hosts of that switch the same.
//
// A packet begins at one of starts() places (NULL: one), each as likely as the others: start gives
// number n for a source, NET_NO_ROUTE where there is none. If it chooses by what waits, adapts,
// number 0 is its way if nothing does, to which shares belong. turns (NULL: none) gives the place
// to which it may turn from another on its way, likewise. Where each
// start is one way, nth (NULL: of others) gives the steps of the way that begins at number n, if
// there is one, and draw the number of that which get gives. apart (NULL: never) says of a place
// that packets to this destination do there what those to any other do that may begin at the same
// number, up to a place of which it does not say so.
struct net_routes_ways {
	uint32_t (*get)(const void *state, uint32_t source, uint32_t destination, uint32_t way,
			uint16_t *ports);
	uint32_t (*start)(const void *state, uint32_t source, uint32_t destination, uint32_t n);
	uint32_t (*branches)(const void *state, uint32_t place, uint32_t destination,
			     struct net_branch branches[NET_PORTS_MAX]);
	uint32_t (*starts)(const void *state);
	uint32_t (*turns)(const void *state, uint32_t place, uint32_t destination, uint32_t n);
	uint32_t (*nth)(const void *state, uint32_t source, uint32_t destination, uint32_t n,
			uint16_t *steps);
	uint32_t (*draw)(const void *state, uint32_t source, uint32_t destination, uint32_t way);
	bool (*apart)(const void *state, uint32_t place, uint32_t destination);
	bool adapts;
};

// Where a packet of lists is that may choose another way.
struct net_choosing {
	uint32_t source; // hosts
	uint32_t destination;
	uint32_t at;   // switch, from 0
	uint32_t hops; // switches passed before
	uint32_t way;  // drawn anew for each packet
};

// How packets choose between the rest of their list and detours.
struct net_chooser {
	uint64_t candidates; // detours that are drawn
	uint64_t threshold;  // flits that a detour must be better by
	bool everywhere;     // what waits on all links of a way counts, else on the first
	// Writes the steps of detour n, below candidates, from the switch on; returns their number,
	// 0 where there is none or packets do not choose here.
	uint32_t (*get)(const void *state, const struct net_choosing *choosing, uint32_t n,
			uint16_t *steps);
};

// Zero is a valid empty one. Routes with a choice are lists, too: of the best options.
struct net_routes {
	uint32_t hosts;
	uint32_t longest; // switches on the longest route, at least 1
	const struct net_routes_form *form;
	void *state;
	bool by_switch; // all hosts of a switch have the same ports to a destination, so that these
			// need to be asked for once
	bool acyclic;	// by their rule, worms of lists never wait for each other in a cycle
	const struct net_choices *choices; // net/routes/choices.h; NULL: none. The state's
	enum net_spread spread;		   // net_routes_get gives the way 0
	const struct net_chooser *chooser; // of lists that are left for detours; NULL. The state's
	uint32_t lanes; // of each link between switches that the routes need, 1 to NET_LANES_MAX;
			// 0: one
	bool changes_lane; // of lists: a worm may go from one lane to another
	uint32_t group;	   // of so many switches, one behind the other, that they go by; 0, 1: none
};

// Shortest routes by the lowest ports, as a table: net_routing_make of "shortest:tie=lowest". The
// caller clears *routes.
enum tr_status net_routes_shortest(struct net_routes *routes, const struct net_topology *topology,
				   struct tr_error *err);

// Writes the steps from host source to host destination (both below routes->hosts), first switch
// first, to steps, which has room for routes->longest. Returns the number of switches passed (0 on
// a direct link), NET_NO_ROUTE if there is no route.
uint32_t net_routes_get(const struct net_routes *routes, uint32_t source, uint32_t destination,
			uint16_t *steps);

// The same for the way of a packet, which counts where the routes spread packets.
uint32_t net_routes_get_way(const struct net_routes *routes, uint32_t source, uint32_t destination,
			    uint32_t way, uint16_t *steps);

// TR_ERROR where the routes spread packets, for what, which names itself, needs one for each pair.
enum tr_status net_routes_need_one(const struct net_routes *routes, const char *what,
				   struct tr_error *err);

// Lanes that lists of steps may take. Those of choices, the best options' ports, say none.
static inline uint32_t net_routes_list_lanes(const struct net_routes *routes)
{
	return routes->choices || routes->lanes == 0 ? 1 : routes->lanes;
}

// Frees what it holds; it is empty afterwards.
void net_routes_clear(struct net_routes *routes);

// Routes of all pairs held one by one: what a file gives, or what a rule gives at the cost of
// memory for the speed of looking up.

#define NET_ROUTE_LENGTH_MAX 65533u // switches on one route of a table
#define NET_ROUTE_TABLE_HOSTS_MAX 16384u

// Makes *routes an empty table for hosts hosts, at most NET_ROUTE_TABLE_HOSTS_MAX; 8 bytes a pair.
// The caller clears it, also after TR_ERROR.
enum tr_status net_route_table_open(struct net_routes *routes, uint32_t hosts,
				    struct tr_error *err);

// Adds the route of a pair to a table, once for each pair; steps are copied. TR_ERROR where memory
// runs out or all routes together have more than 2^32 - 1 steps.
enum tr_status net_route_table_put(struct net_routes *routes, uint32_t source, uint32_t destination,
				   const uint16_t *steps, uint32_t count, struct tr_error *err);

// Whether the pair is in the table.
bool net_route_table_has(const struct net_routes *routes, uint32_t source, uint32_t destination);

// Tabulates routes that a rule computes: where none is long each pair when it is asked for first,
// which pairs of different sources may be at the same time.
enum tr_status net_route_table_make(struct net_routes *routes, struct tr_error *err);

// ---- route_memo.c

// Whether no route is longer than a memo holds.
bool net_route_memo_fits(const struct net_routes *routes);

// The routes that a memo keeps, or these where they are none: for who asks while threads ask the
// memo. Lent.
const struct net_routes *net_route_memo_rule(const struct net_routes *routes);

// The same as net_route_table_make, for routes that fit.
enum tr_status net_route_memo_make(struct net_routes *routes, struct tr_error *err);

#endif
