// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of networks with lanes (virtual channels; Dally, Virtual-channel flow control,
// IEEE Trans. Parallel and Distributed Systems 3(2), 1992): switches that move flits, one on each
// link in a cycle. man/flit-fabric.5 has the rules.
#ifndef NET_LANES_PARAMS_H
#define NET_LANES_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/host_ports.h"
#include "net/topology/topology.h"
#include "table/keys.h"
#include "value/num.h"
#include "value/status.h"

#define LANES_MOST 32u	       // on a link
#define LANES_CYCLES_MOST 255u // of a delay

enum lanes_switching { LANES_WORMHOLE, LANES_CUT_THROUGH, LANES_STORE, LANES_CIRCUIT };

// Behind whom a packet stands in a switch.
enum lanes_queues {
	LANES_FIFO,    // all that came by its lane
	LANES_VIRTUAL, // those of them that leave by its port
	LANES_OUTPUT,  // none: of all that leave by its port, in the order of the links
};

// Who is served first.
enum lanes_order {
	LANES_ROUND_ROBIN, // the next in cyclic order after the one chosen last
	LANES_FIRST_COME,  // who asked first at this switch, then by age
	LANES_AGE,	   // who entered the network first
	LANES_PRIORITY,	   // the highest priority, then by age
	LANES_ISLIP,  // as round robin, but a choice that the crossbar's input did not accept does
		      // not count
	LANES_INPUTS, // as iSLIP, but in turns of the crossbar's inputs, and of the lanes of each
};

// Delays of a flit, in cycles.
struct lanes_pipeline {
	uint64_t routing;    // from when a header leads its buffer until it asks for a lane
	uint64_t allocation; // from when it has the lane until it may ask for the link
	uint64_t header; // cycles of a header's hop where a flit's is one: header - 1 are added to
			 // the allocation; at least 1
	uint64_t arbitration; // from when a flit gets the link until it enters the crossbar
	uint64_t traversal;   // of the crossbar
	uint64_t link;	      // of a cable, at least 1
	uint64_t credit;      // from when a flit leaves a buffer until its sender knows; at least 1
};

struct lanes_params {
	enum lanes_switching switching;
	enum lanes_queues queues;
	uint64_t lanes; // of a link, 1 to LANES_MOST
	uint64_t buffer_flits;
	uint64_t flit_B;
	struct num_ratio rate_bps;  // of a link
	struct num_ratio timeout_s; // of a packet, its time at the source included; 0: none
	struct net_port_rule ports;
	struct net_hold_rule hold;
	struct lanes_pipeline pipeline;
	enum lanes_order lane_order; // not LANES_ISLIP
	enum lanes_order link_order;
	uint64_t iterations;	// of the links' arbitration in a cycle; 0: until nothing moves
	uint64_t input_speedup; // inputs of the crossbar for a port; a power of 2 to LANES_MOST
	uint64_t
		output_speedup; // flits that a port of a switch takes in a cycle, and its queue has
	uint64_t sends;		// packets of a class that a host sends at once
	uint64_t classes;	// of messages, with lanes of their own; 1 to LANES_MOST
	char priority[KEY_TEXT_BYTES]; // text of net_priorities_read
	uint64_t search; // cycles from one search for deadlocks to the next, and that a packet must
			 // have stood still
	struct {
		bool direct; // room is seen at once; else by credits
		bool shared; // a lane serves both directions of its cable
		bool inside; // hosts stand at their switches, without a cable
		bool quick;  // with inside: a host takes a flit as it arrives; else in the cycle
			     // after that
		bool empty; // a lane is given when its buffer is empty; else when the last packet's
			    // tail was sent
		bool from_lane; // each lane has an input of the crossbar; else the lanes of a link
				// share one
		bool finite;	// a source has one packet outstanding
		bool eject;	// a deadlock is broken by dropping a packet
	} is;
};

// One lane of 8 flits, the pipeline of BookSim2, a byte a microsecond.
extern const struct lanes_params lanes_params_usual;

// Least clock that is a multiple of base_ticks_per_s with a whole number of ticks in a cycle.
// TR_ERROR, naming the key, where a parameter is out of range or there is no such clock.
enum tr_status lanes_clock(const void *params, const struct net_topology *topology,
			   uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err);

// Ticks of a cycle, the time of a flit on a link. TR_ERROR where they are not whole.
enum tr_status lanes_cycle_ticks(const struct lanes_params *params, uint64_t ticks_per_s,
				 int64_t *ticks, struct tr_error *err);

// Flits of a packet; its header is part of it.
static inline uint32_t lanes_flits(const struct lanes_params *params, uint32_t size_bytes)
{
	return (uint32_t)((size_bytes + params->flit_B - 1) / params->flit_B);
}

// Cycles from the arrival of a header at a switch until it is at the next, in an empty network.
static inline uint32_t lanes_hop_cycles(const struct lanes_pipeline *pipeline)
{
	return (uint32_t)(pipeline->routing + pipeline->allocation + pipeline->header - 1 +
			  pipeline->arbitration + pipeline->traversal + pipeline->link);
}

#endif
