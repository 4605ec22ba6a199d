// SPDX-License-Identifier: GPL-3.0-or-later
// The bursts of every node and class by one window, or by the windows of the search of Yates 1997:
// 0.05, 0.075, ... 5 s.
#ifndef GEN_PULSE_BURSTS_H
#define GEN_PULSE_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/pulse_model.h"
#include "stat/burst.h"
#include "trace/status.h"

// Zero is a valid empty one; windows must be set before the first packet.
struct pulse_bursts {
	struct burst_windows windows;
	struct burst (*nodes)[PULSE_CLASSES]; // opened with the first packet
	size_t count;
	size_t chosen;	 // of the windows
	bool no_plateau; // the search found none; the window nearest to 1 s is chosen
};

// window_ticks > 0: this window. 0: those of the search, as far as ticks can tell them apart.
void pulse_bursts_set(struct pulse_bursts *bursts, int64_t window_ticks, uint64_t ticks_per_s);

// Adds a packet. TR_ERROR without memory.
enum tr_status pulse_bursts_add(struct pulse_bursts *bursts, uint32_t node, enum pulse_class class, int64_t ticks,
				uint64_t size_bytes, struct tr_error *err);

// Chooses the window by all streams together.
void pulse_bursts_choose(struct pulse_bursts *bursts);

// Adds the bursts of a node by the chosen window.
void pulse_bursts_pool(const struct pulse_bursts *bursts, uint32_t node, enum pulse_class class, struct burst_statistics *into);

void pulse_bursts_clear(struct pulse_bursts *bursts);

#endif
