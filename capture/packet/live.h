// SPDX-License-Identifier: GPL-3.0-or-later
// Frames from a network interface, by libpcap.
// Memory: the ring that the kernel fills (buffer_bytes).
#ifndef PACKET_LIVE_H
#define PACKET_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/frame.h"
#include "trace/status.h"

struct pk_live_options {
	const char *interface;
	const char *filter;    // NULL: all frames
	uint32_t snap_bytes;   // of each frame
	uint32_t buffer_bytes; // the kernel's ring; 0: its own choice
	bool promiscuous;
};

struct pk_live;

// Opens the interface and begins to capture, with nanosecond stamps where it gives them. SIGINT and
// SIGTERM are from here on held back until pk_live_close: they end the frames, see pk_live_read.
// warning (may be NULL) is filled where the interface was opened with something to say.
enum tr_status pk_live_open(struct pk_live **out, const struct pk_live_options *options, struct tr_error *warning,
			    struct tr_error *err);

// The next frame, lent until the next call; waits for it. TR_END: after SIGINT or SIGTERM, or when the interface was
// removed, and what had arrived until then was given out (the kernel hands over a block of frames after up to
// 100 ms, so the end comes that much later; a second signal does not wait). While the interface is down nothing
// comes; the frames go on when it is up again.
enum tr_status pk_live_read(struct pk_live *live, struct pk_frame *frame, struct tr_error *err);

enum pk_live_state { PK_LIVE_UP, PK_LIVE_DOWN, PK_LIVE_GONE };

// What the interface was when it was last looked at: once a second, and when the kernel says that something happened.
enum pk_live_state pk_live_state(const struct pk_live *live);

// Frames that the kernel and the interface dropped so far; false where that is not known.
bool pk_live_lost(const struct pk_live *live, uint64_t *frames);

// idle(context) is called when a block of frames has been worked off, and once a second while there
// is none; where it returns false no more frames are wanted: TR_END.
void pk_live_set_idle(struct pk_live *live, bool (*idle)(void *context), void *context);

// Ends the capture, lets the signals through again (those that came are gone) and frees; NULL is
// accepted.
void pk_live_close(struct pk_live *live);

// Calls each(context, name, description) for every interface; description may be NULL.
enum tr_status pk_live_list(void (*each)(void *context, const char *name, const char *description), void *context,
			    struct tr_error *err);

#endif
