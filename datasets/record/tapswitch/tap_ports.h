// SPDX-License-Identifier: GPL-3.0-or-later
// What each host saw, by a clock of its own that is off by up to an hour and drifts by up to 100
// ppm, and the truth: for what joins captures of several points.
#ifndef TAPSWITCH_TAP_PORTS_H
#define TAPSWITCH_TAP_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PORTS_MAX = 64 };

// What became of a frame that a host sent to another.
struct fate {
	uint64_t to; // Ethernet address
	uint8_t from;
	uint8_t copies; // that arrived, up to 255
};

struct port {
	FILE *file;
	int64_t offset_ns, drift_ppb; // of the clock, which began with the switch
	int64_t first_ns;	      // by the true clock: the first IPv4 frame; 0: none yet
	uint64_t mac;		      // 0: has sent nothing yet
};

struct ports {
	const char *prefix; // lent; NULL: nothing is written
	int count;
	uint32_t snap; // bytes to keep of each frame
	int64_t begin_ns;
	struct port port[PORTS_MAX];
	struct fate *fates; // by serial number of the frame
	size_t fate_count, fate_capacity;
};

// Opens PREFIX0.pcap and so on; the clocks are drawn from the seed. Returns false if a file cannot
// be written.
bool ports_open(struct ports *ports, uint64_t seed, int64_t now_ns);

// A host hands a frame to its device: it is captured, and gets the serial number *serial. Returns
// false if it cannot be written or there is no memory.
bool ports_sent(struct ports *ports, int host, int64_t now_ns, const uint8_t *bytes, size_t length,
		uint64_t *serial);

// A frame with this serial number arrives at a host.
bool ports_arrived(struct ports *ports, int host, int64_t now_ns, const uint8_t *bytes,
		   size_t length, uint64_t serial);

// Writes PREFIXtruth and closes all. A line "clock I NS" says how far host I's clock was ahead of
// host 0's when it saw its first IPv4 frame; "way I J SENT LOST DUPLICATES" counts the IPv4 frames
// that host I sent to host J alone.
bool ports_close(struct ports *ports);

#endif
