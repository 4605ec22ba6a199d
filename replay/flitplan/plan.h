// SPDX-License-Identifier: GPL-3.0-or-later
// Planning and tuning of a network of switches for given traffic (W. Qiao, Network Routing and
// Planning in Switch-Based Networks, PhD thesis, Michigan State University, 1997, chapter 5): where
// nodes, cables and routes may go, what each change does to the channels between switches, and the
// steps that lower the utilisation of the busiest. The thesis does not say which change comes first
// and what counts as better; our choices are stated here.
#ifndef REPLAY_FLITPLAN_PLAN_H
#define REPLAY_FLITPLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/studies/designs/blocks.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "value/status.h"

#define PLAN_NODES_MAX 4096u // the traffic is a table of all pairs
#define PLAN_SWITCHES_MAX 256u
#define PLAN_STEPS_MAX 64u // channels of a route

// A cable between switches, by the ports that it joins. Its channels are 2c (from ends[0] to
// ends[1]) and 2c + 1.
struct plan_cable {
	struct net_end ends[2]; // node is a switch from 0
	double rate_Bps;
	size_t given; // its number in the topology that was given; SIZE_MAX: new
};

// The channels that each ordered pair of switches uses: count of them at steps + pair *
// PLAN_STEPS_MAX.
struct plan_routes {
	uint8_t *counts;
	uint32_t *steps;
};

// How the pairs are routed.
struct plan_rule {
	const char *text;	   // as net_routing_make takes it; NULL: inside blocks
	struct net_blocks *blocks; // the network is a block design: not NULL where text is
	uint32_t *cable_of_place;  // of blocks
};

// What was changed, by which step, and what came of it.
struct plan_move {
	unsigned step;
	char *what;
	const char *why; // static
	double most_before;
	double most; // utilisation of the busiest channel after it
	uint64_t hops;
	uint64_t local;
};

struct plan {
	const struct net_topology *given; // lent: names, cables of hosts
	uint32_t nodes;			  // hosts
	uint32_t switches;
	const uint64_t *traffic; // X: [from * nodes + to], bytes; lent. What a node sends itself
				 // counts nowhere
	double unit_Bps;	 // of a byte of the traffic
	const bool *servers;	 // of each node; lent

	uint32_t *at;	  // switch of each node, from 0
	uint32_t *held;	  // nodes on each switch
	uint32_t *ports;  // of each switch
	uint32_t *share;  // nodes that a switch may hold in steps 1 and 2: equal shares, or what it
			  // was given
	uint32_t *room;	  // nodes that it may hold now
	uint32_t *served; // servers on each switch
	uint32_t servers_most; // that a switch may hold

	struct plan_cable *cables;
	uint32_t cable_count;
	struct plan_rule rule;
	struct plan_routes routes;
	bool acyclic; // no cycle of channels that wait for one another, at first; then steps close
		      // none

	uint64_t *out;	   // [node * switches + s]: what it sends to the nodes of s
	uint64_t *in;	   // and gets from them
	uint64_t *between; // Y
	uint64_t *flow;	   // of each channel
	double *weight;	   // utilisation of a channel by a byte of flow
	double *measured;  // of each channel: what a simulation had above (below) flow * weight; 0
			   // at first
	uint64_t local;	   // L
	uint64_t hops;	   // R
	uint64_t offered;  // W

	int64_t left; // changes that the step at work may still weigh

	struct plan_move *moves;
	size_t move_count;
};

// What a plan is made of.
struct plan_setup {
	const struct net_topology *topology; // every host on a switch
	const uint64_t *traffic;
	double unit_Bps;
	const bool *servers;		 // NULL: none are known
	double link_rate_Bps;		 // of cables without a rate of their own
	const char *rule;		 // NULL: inside blocks
	const struct net_blocks *blocks; // copied; NULL: none
};

// --- plan.c

// As the topology is. TR_ERROR, which err explains, where a host is on no switch, the sums of the
// traffic do not fit, two switches are not joined, or memory runs out. The caller closes it in any
// case.
enum tr_status plan_open(struct plan *plan, const struct plan_setup *setup, struct tr_error *err);
void plan_close(struct plan *plan);

// Sets how many changes a step may evaluate, fewer for more switches, so that its time is bounded.
// Steps 1 and 2 call it themselves; before steps 3 and 4 the caller does.
void plan_begin(struct plan *plan);

// Recomputes all sums of nodes, Y and channels.
void plan_count(struct plan *plan);

// Adds to the flow of a pair of switches, modulo 2^64.
void plan_put(struct plan *plan, uint32_t from, uint32_t to, uint64_t amount);

// Channels: two for each cable, 2 c and 2 c + 1.
static inline uint32_t plan_channels(const struct plan *plan)
{
	return 2 * plan->cable_count;
}

// Share of the channel's rate that the flow takes, with what was measured.
static inline double plan_utilisation(const struct plan *plan, uint32_t channel)
{
	return (double)plan->flow[channel] * plan->weight[channel] + plan->measured[channel];
}

// The switch where a channel begins.
static inline uint32_t plan_channel_from(const struct plan *plan, uint32_t channel)
{
	return plan->cables[channel / 2].ends[channel & 1].node;
}

// The switch where a channel ends.
static inline uint32_t plan_channel_to(const struct plan *plan, uint32_t channel)
{
	return plan->cables[channel / 2].ends[~channel & 1].node;
}

// The channels on the way between two switches, *count of them; lent.
static inline const uint32_t *plan_route(const struct plan *plan, uint32_t from, uint32_t to,
					 uint32_t *count)
{
	const size_t pair = (size_t)from * plan->switches + to;

	*count = plan->routes.counts[pair];
	return plan->routes.steps + pair * PLAN_STEPS_MAX;
}

// Whether a node is a server.
static inline bool plan_is_server(const struct plan *plan, uint32_t node)
{
	return plan->servers && plan->servers[node];
}

// The busiest channel above delta of those not tried (flags by channel); NET_NOBODY.
uint32_t plan_next_busy(const struct plan *plan, const bool *tried, double delta);

// Whether a cable joins two switches.
bool plan_joined(const struct plan *plan, uint32_t a, uint32_t b);

// Whether the pair's route uses the channel.
bool plan_uses(const struct plan *plan, uint32_t from, uint32_t to, uint32_t channel);

// What a plan is judged by.
struct plan_score {
	double most;	  // utilisation of the busiest channel
	uint32_t busiest; // the first such one; NET_NOBODY without channels
	double mean;	  // of all channels
	double uneven;	  // sum of the eighth powers of the utilisations
	uint64_t hops;	  // R
};
struct plan_score plan_score(const struct plan *plan);

// most is not above that of before (but for rounding).
bool plan_not_above(double most, double before);

#define PLAN_CHANNEL_NAME_BYTES (2 * NET_NAME_MAX + 40)

// The switch's name, and "a>b" of two switches or of a channel as its cable is now ("-" of
// NET_NOBODY), into out (>= PLAN_CHANNEL_NAME_BYTES). Returns out.
const char *plan_switch_name(const struct plan *plan, uint32_t at, char *out, size_t out_bytes);
const char *plan_hop_name(const struct plan *plan, uint32_t from, uint32_t to, char *out,
			  size_t out_bytes);
const char *plan_channel_name(const struct plan *plan, uint32_t channel, char *out,
			      size_t out_bytes);

// Remembers a move; the format says what. TR_ERROR where memory runs out.
enum tr_status plan_note(struct plan *plan, unsigned step, const char *why, double most_before,
			 struct tr_error *err, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

// Forgets all moves but the first count.
void plan_forget_moves(struct plan *plan, size_t count);

// --- plan_routes.c

// Room for the routes of so many switches. TR_ERROR if out of memory; close it all the same.
enum tr_status plan_routes_open(struct plan_routes *routes, uint32_t switches,
				struct tr_error *err);
void plan_routes_close(struct plan_routes *routes);

// Routes all pairs of the plan's cables by its rule. TR_ERROR where two switches are not joined, a
// route is longer than PLAN_STEPS_MAX, or memory runs out: the routes are then not to be used.
enum tr_status plan_routes_make(const struct plan *plan, struct plan_routes *routes,
				struct tr_error *err);

#define PLAN_ENDLESS UINT32_MAX

// The longest chain of channels, each of which may wait for the next on a route of a pair that has
// traffic: a blocked worm can hold up others over so many. PLAN_ENDLESS: on all routes, some wait
// for one another in a cycle. TR_ERROR where memory runs out.
enum tr_status plan_routes_chain(const struct plan *plan, const struct plan_routes *routes,
				 uint32_t *chain, struct tr_error *err);

// --- plan_topology.c

// The network as it is planned: nodes keep their numbers, names and cables, those that stay on
// their switch their ports. The caller clears it.
enum tr_status plan_topology(const struct plan *plan, struct net_topology *topology,
			     struct tr_error *err);

// The routes over that network, as a table. The caller clears them, also after TR_ERROR.
enum tr_status plan_net_routes(const struct plan *plan, const struct net_topology *topology,
			       struct net_routes *routes, struct tr_error *err);

// --- plan_place.c: step 1

// Puts nodes on switches at random, in equal shares, servers as far apart as their number allows.
enum tr_status plan_place_random(struct plan *plan, uint64_t seed, struct tr_error *err);

// Puts all nodes on switches.
void plan_place_at(struct plan *plan, const uint32_t *at);

// Where a node goes: to a switch, or in exchange with another node there (NET_NOBODY: none).
struct plan_shift {
	uint32_t node;
	uint32_t other;
	uint32_t to;
};

// Whether ports, shares and the rule of servers allow it.
bool plan_shift_allowed(const struct plan *plan, struct plan_shift shift);

// Does it to the flows alone; a second call with plan_shift_back undoes it. plan_shift_keep does
// the rest of what has been done.
void plan_shift_try(struct plan *plan, struct plan_shift shift);
void plan_shift_back(struct plan *plan, struct plan_shift shift);
void plan_shift_keep(struct plan *plan, struct plan_shift shift);

// Change of R, exact.
int64_t plan_shift_hops(const struct plan *plan, struct plan_shift shift);

// Notes a move that was kept, with its reason: shift is the way back, before and local_before what
// there was. TR_ERROR if out of memory.
enum tr_status plan_shift_note(struct plan *plan, unsigned step, struct plan_shift shift,
			       const struct plan_score *before, uint64_t local_before,
			       struct tr_error *err);

// Step 1: moves and exchanges of nodes. First those that lower R, as long as the busiest channel
// does not get busier; then, until none is left, those that lower the sum of the eighth powers of
// the utilisations, under the same condition. Ends early when no channel is above delta.
enum tr_status plan_place(struct plan *plan, double delta, uint64_t seed, struct tr_error *err);

// The same within the changes that the current step may still evaluate.
enum tr_status plan_place_on(struct plan *plan, double delta, uint64_t seed, struct tr_error *err);

#define PLAN_PARTNERS \
	128u // that a node may change places with are weighed, random ones where there are more

// --- plan_cables.c: step 2

// Two cables (a b) and (c d) become (a c) and (b d), or a cable's end goes to a free port. In a
// block design: the inner objects b and c of a block (a b c d) change places, if y_ac + y_bd > y_ab
// + y_cd. Of the changes that do not make the busiest channel busier, and no double channel, each
// time the best by (busiest, R).
//
// Where none of these is left, a change is tried with step 1 behind it, and both stay if the
// busiest channel is less busy then.
struct plan_follow {
	double delta;
	uint64_t seed; // of step 1
};
enum tr_status plan_cables(struct plan *plan, const struct plan_follow *follow,
			   struct tr_error *err);

// --- plan_reroute.c: step 3

// For each channel above delta, the busiest first: another route of a pair that uses it.
enum tr_status plan_reroute(struct plan *plan, double delta, uint32_t *changed,
			    struct tr_error *err);

// --- plan_relieve.c: step 4

// For each channel above delta: moves and exchanges of nodes whose traffic uses it; switches may
// hold a tenth more than their share.
enum tr_status plan_relieve(struct plan *plan, double delta, uint32_t *changed,
			    struct tr_error *err);

// --- plan_keep.c

// All that steps 3 and 4 and a measurement after them change.
struct plan_kept {
	uint32_t *at;
	uint32_t *room;
	double *measured;
	struct plan_routes routes;
	size_t moves;
};

// For plan_keep of this plan. The caller closes it, also after TR_ERROR.
enum tr_status plan_kept_open(struct plan_kept *kept, const struct plan *plan,
			      struct tr_error *err);
void plan_kept_close(struct plan_kept *kept);

// Keeps the plan as it is, instead of what was kept before.
void plan_keep(const struct plan *plan, struct plan_kept *kept);

// Restores the plan to the state kept; the number of changes that it may still evaluate does not
// grow. Since then only steps 3 and 4 may have changed it.
void plan_take_back(struct plan *plan, const struct plan_kept *kept);

#endif
