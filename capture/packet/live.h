// SPDX-License-Identifier: GPL-3.0-or-later
// Frames from a network interface, by libpcap, in one ring or several.
// Memory: the ring that the kernel fills (buffer_bytes); with several see fanout.h.
#ifndef PACKET_LIVE_H
#define PACKET_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/frame.h"
#include "value/status.h"

struct pk_live_options {
	const char *interface;
	const char *filter;    // NULL: all frames
	uint32_t snap_bytes;   // of each frame
	uint32_t buffer_bytes; // of each ring of the kernel; 0: its own choice, of a single one
	unsigned rings;	       // 1 to PK_RINGS_MAX; each but a single one is read by a thread
	bool promiscuous;
	bool whole; // frames are wanted as they are; else threads of rings decode what they can
};

#define PK_RINGS_MAX 64u

// What a ring gave and the kernel dropped.
struct pk_ring_count {
	uint64_t frames, lost;
};

struct pk_live;

// Opens the interface and starts capturing, with nanosecond stamps if it supports them. From here
// until pk_live_close SIGINT and SIGTERM are blocked: they end the frames, see pk_live_read.
// warning receives libpcap's warning, or an empty text.
enum tr_status pk_live_open(struct pk_live **out, const struct pk_live_options *options,
			    struct tr_error *warning, struct tr_error *err);

// Waits for the next 1 to max frames, lent until the next call. TR_END: after SIGINT or SIGTERM, or
// when the interface was removed, and all frames received until then were returned (the kernel
// hands over a block of frames after up to 100 ms, so the end is late by as much; a second signal
// does not wait). While the interface is down no frames come; they resume when it is up again. The
// first call starts the threads of several rings: drop privileges before.
enum tr_status pk_live_read(struct pk_live *live, struct pk_frame *frames, size_t max,
			    size_t *count, struct tr_error *err);

enum pk_live_state { PK_LIVE_UP, PK_LIVE_DOWN, PK_LIVE_GONE };

// The interface's state at the last check: once a second, and when the kernel reports a change.
enum pk_live_state pk_live_state(const struct pk_live *live);

// Frames that the kernel and the interface dropped so far; false if unknown. Counted in 64 bits,
// though the counters of the kernel have 32: they are read every 2^20 frames. Those of several
// rings are up to a tenth of a second old before pk_live_stop.
bool pk_live_lost(struct pk_live *live, uint64_t *frames);

// No more frames are wanted: ends the threads, after which the counts are final.
void pk_live_stop(struct pk_live *live);

// What each of several rings gave and lost, into counts[PK_RINGS_MAX]; returns how many there are,
// 0 of a single one.
unsigned pk_live_rings(struct pk_live *live, struct pk_ring_count *counts);

// Frames that came after later ones of another ring, later than the kernel should hold them.
uint64_t pk_live_late(const struct pk_live *live);

// Whether all frames from before the last half second were returned: of several rings, that is not
// known while one is behind.
bool pk_live_is_current(struct pk_live *live);

// idle(context) is called after each block of frames, and once a second while there is none; if it
// returns false, no more frames are wanted: TR_END.
void pk_live_set_idle(struct pk_live *live, bool (*idle)(void *context), void *context);

// Ends the capture, unblocks the signals (pending ones are discarded) and frees; NULL is accepted.
void pk_live_close(struct pk_live *live);

// Calls each(context, name, description) for every interface; description may be NULL.
enum tr_status pk_live_list(void (*each)(void *context, const char *name, const char *description),
			    void *context, struct tr_error *err);

#endif
