// SPDX-License-Identifier: GPL-3.0-or-later
// A ring that the kernel fills with the frames of an interface, by libpcap.
// Memory: the ring (buffer_bytes).
#ifndef PACKET_SOCKET_RING_H
#define PACKET_SOCKET_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/frame.h"
#include "packet/live.h"
#include "value/status.h"

struct pcap;

// Frames that were dropped, in 64 bits, though the counters of the kernel have 32.
struct pk_ring_dropped {
	uint64_t frames;
	uint32_t kernel, interface; // libpcap's counters, which wrap, when they were last read
};

// Zero is one that is not open.
struct pk_ring {
	struct pcap *pcap;
	struct pk_link link;
	struct pk_ring_dropped dropped;
	int64_t unit_ns; // of the fraction in a stamp
	int descriptor;	 // readable when there are frames
	unsigned index;	 // the kernel's number of the interface; 0: all, or one without a number
	bool leaves_interface; // drops of the interface itself are not counted
};

// Opens the interface and starts capturing; the kernel hands over a block of frames that is not
// full after block_ms, or up to twice as long. warning receives libpcap's, or an empty text. On
// TR_ERROR nothing is open.
enum tr_status pk_ring_open(struct pk_ring *ring, const struct pk_live_options *options,
			    int block_ms, struct tr_error *warning, struct tr_error *err);

// The next frame, lent until the next call; TR_END: none is there now, and none is waited for.
enum tr_status pk_ring_next(struct pk_ring *ring, struct pk_frame *frame, struct tr_error *err);

// Counts what is dropped from now on; returns how many frames the ring then held, at most.
uint64_t pk_ring_begin(struct pk_ring *ring);

// Adds to ring->dropped what was dropped since the last call; false if unknown.
bool pk_ring_count_dropped(struct pk_ring *ring);

// The state of the interface, which was `before`. By its number, since it may be renamed.
enum pk_live_state pk_ring_look_up(const struct pk_ring *ring, enum pk_live_state before);

// Ends the capture; one that is not open is accepted.
void pk_ring_close(struct pk_ring *ring);

#endif
