// SPDX-License-Identifier: GPL-3.0-or-later
// Which of its host's ports a packet takes, and to which of the destination's: from offers between
// hosts to offers between adapters (net/topology/adapters.h).
#ifndef NET_HOST_PORTS_H
#define NET_HOST_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"

enum net_port_choice {
	NET_PORT_FLOW,	      // by a hash of the two hosts, in either order, and the flow
	NET_PORT_DESTINATION, // by the number of the destination
	NET_PORT_MESSAGE,     // the messages of a host take turns
	NET_PORT_PACKET,      // its packets do
	NET_PORT_FIXED,
	NET_PORT_EACH, // a port is a host of its own: nothing to choose
};

struct net_port_rule {
	enum net_port_choice choice;
	uint64_t port; // of NET_PORT_FIXED
	bool failover; // a host passes over its ports that are dead
};

// The keys of kinds that carry hosts with several ports, at the offset of a struct net_port_rule of
// the parameters.
#define NET_KEYS_PORTS(offset) \
	NET_KEY_OF_PORTS("ports", KEY_WORD, (offset) + offsetof(struct net_port_rule, choice), \
			 "flow|destination|message|packet|fixed|each", NULL, \
			 "what chooses a packet's ports where hosts have several"), \
		NET_KEY_OF_PORTS("port", KEY_COUNT, \
				 (offset) + offsetof(struct net_port_rule, port), NULL, \
				 "ports=fixed", "number of the port"), \
		NET_KEY_OF_PORTS("failover", KEY_FLAG, \
				 (offset) + offsetof(struct net_port_rule, failover), "no|yes", \
				 "ports=flow|destination|message|packet|fixed", \
				 "whether a host passes over its ports that are dead")
#define NET_KEY_OF_PORTS(key, type, offset, words, needs, meaning) \
	{ \
		key, type, offset, words, needs, meaning \
	}

// Zero is a valid closed one.
struct net_host_ports {
	const struct net_topology *topology; // lent
	const struct net_routes *routes;     // lent; threads may ask them at the same time
	struct net_port_rule rule;
	uint32_t *begun;   // by host: messages or packets that took turns
	uint16_t *scratch; // of a route
	uint8_t *joined;   // by pair of adapters: enum host_ports_joined; NULL: there are too many
	uint64_t others;   // packets for which the ports of the rule were not joined
	const struct net_fault *faults;	    // lent
	const struct net_reroute *reroutes; // lent: routes computed anew, in order of time
	uint32_t reroute_count;
	uint32_t *ends;	 // by what may fail: where its faults end in order; NULL: none is seen
	uint32_t *order; // of faults, by what fails
	uint32_t *cable; // by adapter: its own
	// The offer made last, which counts when the next one is asked for.
	uint32_t turn; // the host whose turn it took; NET_NO_TURN: of none
	bool is_other;
	struct net_traffic inner;
};

#define NET_NO_TURN UINT32_MAX

// Chooses by a rule other than NET_PORT_EACH. TR_ERROR where no host has the port of the rule, or
// memory runs out. Close it in any case.
enum tr_status net_host_ports_open(struct net_host_ports *ports,
				   const struct net_topology *topology,
				   const struct net_routes *routes, struct net_port_rule rule,
				   struct tr_error *err);

// Makes the ends of an offer adapters, once and for all unless it is given back. The number of the
// rule, modulo the most ports of the two hosts, is that of both ports, modulo each host's own.
// Where these have no route the next such numbers are tried, then all pairs of ports in order;
// where none has one the offer gets the first.
void net_host_ports_choose(struct net_host_ports *ports, struct net_offer *offer);

// Lets hosts pass over ports that the setup's faults kill, if the rule says so: a port whose cable,
// or the switch behind it, or itself is dead when a packet is offered; and over pairs of ports
// without a route in the routes then in force, where they are computed anew. The setup's faults and
// routes are lent. TR_ERROR if out of memory.
enum tr_status net_host_ports_watch(struct net_host_ports *ports, const struct net_setup *setup,
				    struct tr_error *err);

// Counts the offer that was made last, and so ends a run.
void net_host_ports_settle(struct net_host_ports *ports);

// Makes traffic between hosts traffic between adapters, of a new run. It cannot be divided.
void net_host_ports_join(struct net_host_ports *ports, struct net_traffic *traffic);

// Frees what it holds; it is empty then.
void net_host_ports_close(struct net_host_ports *ports);

#endif
