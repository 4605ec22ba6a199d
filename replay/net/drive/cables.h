// SPDX-License-Identifier: GPL-3.0-or-later
// The times of cables on which bytes move at a rate: from their own rates and lengths, or the
// kind's keys (NET_KEYS_CABLES, net/fabric.h).
#ifndef NET_CABLES_H
#define NET_CABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/num.h"
#include "value/status.h"

// The part of a kind's parameters that these keys set.
struct net_cables {
	struct num_ratio rate_bps;	// of a cable without its own, each way; above 0
	struct num_ratio propagation_s; // of a cable without a length
	struct num_ratio speed_mps;	// of a signal on a cable with a length; above 0
};

// Of a cable, each way, in ticks: a packet of n bytes is whole at the far end n * byte_ticks +
// propagation_ticks after its start. With up to 2 GiB that is less than 2^62 + INT64_MAX / 8.
struct net_cable_times {
	int64_t byte_ticks;
	int64_t propagation_ticks;
};

// A host's cable: a packet of n bytes takes (max(n, least_B) + around_B) * byte_ticks on it, with
// the gap behind it.
struct net_wire {
	int64_t byte_ticks; // above 0
	uint32_t least_B;
	uint32_t around_B;
	bool marks; // switches mark packets where they wait (ECN)
};

static inline uint32_t net_wire_B(const struct net_wire *wire, uint32_t bytes)
{
	return (bytes < wire->least_B ? wire->least_B : bytes) + wire->around_B;
}

// Least clock that is a multiple of base_ticks_per_s and in which both are whole on each cable.
// TR_ERROR, naming the kind, where a parameter is out of range or there is no such clock.
enum tr_status net_cables_clock(const struct net_cables *cables, const char *kind,
				const struct net_topology *topology, uint64_t base_ticks_per_s,
				uint64_t *ticks_per_s, struct tr_error *err);

// Sets the times of a cable. TR_ERROR, naming the kind, where they are not whole or out of range.
enum tr_status net_cables_times(const struct net_cables *cables, const char *kind,
				const struct net_cable *cable, uint64_t ticks_per_s,
				struct net_cable_times *times, struct tr_error *err);

#endif
