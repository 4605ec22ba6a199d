// SPDX-License-Identifier: GPL-3.0-or-later
// An interface of a pcapng section: link type, unit of its time stamps, what it lost.
#ifndef PACKET_INTERFACE_H
#define PACKET_INTERFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/link.h"

struct pk_interface {
	struct pk_link link;
	uint32_t snap_bytes; // 0: no limit
	uint64_t multiplier; // nanoseconds = stamp * multiplier / divisor >> shift
	uint64_t divisor;    // 0: beyond 2^64, the quotient is 0
	unsigned shift;
	int64_t offset_s;	 // added to every stamp
	uint64_t dropped;	 // by interface and system, as its statistics last said
	uint64_t dropped_before; // summed over what its packets said
};

// Sets the unit as if_tsresol has it: 10^-n, or 2^-n with the top bit set.
void pk_interface_set_resolution(struct pk_interface *interface, uint8_t resolution);

// The stamp in nanoseconds since the Unix epoch, rounded down; false where it is not
// within 1677-09-21T00:12:45 .. 2262-04-11T23:47:16, what int64_t holds.
bool pk_interface_time(const struct pk_interface *interface, uint64_t stamp, int64_t *time_ns);

#endif
