// SPDX-License-Identifier: GPL-3.0-or-later
// The rings of a network: what leaves a switch by an odd port, comes in at an even one and goes on
// by the odd port before that. A switch is a node of each ring that passes it, and takes packets
// from one to another.
#ifndef NET_SCI_RINGLETS_H
#define NET_SCI_RINGLETS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/studies/sci/rings.h"
#include "net/topology/graph.h"

// An output of a node: where one of its rings leaves it.
struct sci_line {
	uint32_t node;
	uint32_t next;	  // the next node's output
	uint32_t link;	  // of the topology, to that node
	uint32_t link_in; // by which the ring comes in
	uint32_t ring;
	uint32_t at; // place on the ring, from 0 at the node with the lowest number
	uint16_t port;
	bool back; // of the opposite ring over the same cables
};

struct sci_ringlets {
	struct sci_rings torus; // where is_torus
	bool is_torus;		// a ring or torus, switch i of which has host i
	uint32_t nodes;
	uint32_t hosts;
	uint32_t outputs;
	uint32_t longest;  // links of a way
	uint32_t *first;   // by node: its first output, by port; nodes + 1 of them
	uint32_t *homes;   // by host: its node
	uint32_t *sizes;   // by ring: its nodes
	uint32_t *targets; // unless is_torus: by node and host, where what goes to the host leaves
			   // the node's ring
	struct sci_line *lines;
};

// both: each cable also carries a ring in the opposite direction, but where a ring of two needs
// both of its ways. TR_ERROR, naming the place, where the network has no rings or two of its hosts
// no way. Keeps no pointer to the topology; close it also after a failure.
enum tr_status sci_ringlets_open(struct sci_ringlets *ringlets, const struct net_topology *topology,
				 bool both, struct tr_error *err);
void sci_ringlets_close(struct sci_ringlets *ringlets);

// The output by which a packet from one host to another goes on at a node, and the node where it
// leaves that ring; UINT32_MAX at its end. It takes the fewest rings, of such ways the shortest, of
// these that by the lowest ports; a response goes back from ring to ring at the nodes at which its
// request came. Of both directions the shorter; of equal ones, a node at an odd place the second.
uint32_t sci_ringlets_output(const struct sci_ringlets *ringlets, uint32_t node, uint32_t from,
			     uint32_t to, bool response, uint32_t *target);

// Links of its whole way.
uint32_t sci_ringlets_links(const struct sci_ringlets *ringlets, uint32_t from, uint32_t to,
			    bool response);

#endif
