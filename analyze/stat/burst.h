// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts of one stream of packets (one sender and class), for a list of windows at once: a burst
// ends where the next packet comes more than the window after the last. Yates 1997. Time per packet is constant but after a silence longer than a window. Memory:
// about 240 bytes a window.
#ifndef STAT_BURST_H
#define STAT_BURST_H

#include <stddef.h>
#include <stdint.h>

#include "stat/moments.h"
#include "trace/status.h"

#define BURST_WINDOWS_MAX 1024

// Rising windows in ticks, each > 0.
struct burst_windows {
	size_t count;
	int64_t ticks[BURST_WINDOWS_MAX];
};

// What is known of the bursts by one window. The first and the last burst are kept apart, since
// what comes before or after may belong to them.
struct burst_window {
	uint64_t splits;      // silences longer than the window
	uint64_t head_pulses; // packets of the first burst, where there is a second
	int64_t second_start; // time at which that begins
	uint64_t tail_first;  // number of packets before the last burst
	int64_t tail_start;   // its first packet's time
	struct moments pulses; // packets of each burst that is neither first nor last
	struct moments starts; // from start to start, from the second burst on
};

struct burst {
	const struct burst_windows *list; // lent
	uint64_t packets;
	int64_t first_ticks;
	int64_t last_ticks;
	struct moments size_bytes;
	struct burst_window *windows;
	struct moments *gaps; // gaps[i]: longer than window i - 1, up to window i; one more than windows
};

// Bursts by one window. Times are in ticks.
struct burst_statistics {
	struct moments interarrival; // from the start of a burst to the start of the next
	struct moments silence;      // from the last packet of a burst to the first of the next
	struct moments pulses;       // packets per burst
	struct moments delay;        // between the packets inside bursts
	struct moments size_bytes;
};

// Makes an empty one for a list of windows, which must outlive it. TR_ERROR without memory;
// burst_close is then allowed.
enum tr_status burst_open(struct burst *burst, const struct burst_windows *list,
			  struct tr_error *err);

// Adds a packet; times must not step back.
void burst_add(struct burst *burst, int64_t time_ticks, uint64_t size_bytes);

// Adds the packets of later, none of which is before the last of burst; both have equal windows.
// The same as if they had been added one by one.
void burst_merge(struct burst *burst, const struct burst *later);

// Bursts by window number i, the first and last one included.
struct burst_statistics burst_get(const struct burst *burst, size_t i);

// Adds the bursts of another stream.
void burst_statistics_merge(struct burst_statistics *into, const struct burst_statistics *from);

void burst_close(struct burst *burst);

#endif
