// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of switched networks (Qiao 1997, chapters 2 and 6): input-buffered switches whose
// links carry one byte at a time, what a switch waits for before it sends a packet on, and the
// times that follow.
#ifndef NET_SWITCHED_PARAMS_H
#define NET_SWITCHED_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/host_ports.h"
#include "net/routes/routes.h"
#include "net/topology/topology.h"
#include "value/num.h"
#include "value/status.h"

// When a packet at the head of an input may ask for an output.
enum switched_switching {
	SWITCHED_STORE,	      // when all of it is in
	SWITCHED_CUT_THROUGH, // when its header is in; once it was refused, when all of it is in
	SWITCHED_WORMHOLE,    // when its header is in
};

// When an output that no packet holds may be given to one.
enum switched_grant {
	SWITCHED_GRANT_ROUTES, // as the routes demand: room, or where they are deadlock-free only
			       // so, empty for wormhole switching and packet for the others, whose
			       // packets then never stand in two buffers
	SWITCHED_GRANT_EMPTY,  // when the buffer at its far end is empty
	SWITCHED_GRANT_PACKET, // when that buffer has room for all of the packet
	SWITCHED_GRANT_ROOM,   // when that buffer has room for a byte
};

// A message is a packet; its header_B count as part of its size, and a packet that is shorter is
// all header.
struct switched_params {
	enum switched_switching switching;
	struct num_ratio rate_bps; // of a cable without a rate of its own, each way; above 0
	uint64_t header_B;	   // at least 1
	uint64_t buffer_B; // of each input: store-and-forward and cut-through need the largest
			   // packet, wormhole the header
	uint64_t pool_B;   // of each switch, beside the inputs' buffers; 0: none. Only with
			   // SWITCHED_STORE
	bool first_come;   // serve requests by age; else round robin
	bool finite;	   // a source has one message outstanding, and thinks between two
	struct num_ratio timeout_s; // of a packet, its time at the source included; 0: none
	enum switched_grant grant;
	struct net_port_rule ports;
	struct net_hold_rule hold;
};

// Cut-through, 2000 B an input (section 3.1 of the thesis), 3-byte headers, and a byte a
// microsecond: its unit of time.
extern const struct switched_params switched_params_usual;

// The rate of a cable, each way, in b/s.
struct num_ratio switched_cable_rate(const struct switched_params *params,
				     const struct net_cable *cable);

// Least clock that is a multiple of base_ticks_per_s and on which a byte's time on each cable is
// whole. TR_ERROR, naming the key, where a parameter is out of range or there is no such clock.
enum tr_status switched_clock(const void *params, const struct net_topology *topology,
			      uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
			      struct tr_error *err);

// Ticks of a byte on a cable. TR_ERROR where they are not whole.
enum tr_status switched_byte_ticks(const struct switched_params *params,
				   const struct net_cable *cable, uint64_t ticks_per_s,
				   int64_t *ticks, struct tr_error *err);

// What grant says of these routes; never SWITCHED_GRANT_ROUTES.
enum switched_grant switched_granted(const struct switched_params *params,
				     const struct net_routes *routes);

#endif
