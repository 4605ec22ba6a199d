// SPDX-License-Identifier: GPL-3.0-or-later
// A link with a rate, a latency, faults and, if it has a bound, a queue that drops: frames leave it
// in the order in which they entered, except those that are late.
#ifndef TAPSWITCH_TAP_LINK_H
#define TAPSWITCH_TAP_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
	struct frame *next;
	int64_t due_ns;	 // when the last bit is at the link's far end
	uint64_t serial; // as it was sent with
	size_t length;
	uint8_t bytes[];
};

enum fault { FAULT_LOST, FAULT_TWICE, FAULT_LATE, FAULTS };

// Zero but for the first two is an empty link that is free, without a bound and without faults.
struct link {
	int64_t bits_per_s, latency_ns;
	bool ethernet;	      // frames take what IEEE 802.3 puts around them on a cable
	size_t room_B;	      // for frames that have not left; 0: without bound
	double share[FAULTS]; // of the frames that are lost, arrive twice, are late: 0 to 1
	uint64_t seed;	      // of the faults of this link
	int64_t free_ns;      // when the last bit of the last frame has left the near end
	uint64_t sent;
	uint64_t count[FAULTS];
	uint64_t dropped; // for want of room
	struct frame *first, *last;
};

// Puts a copy of a frame on the link, at now_ns or when it is free: it is due after its own time on
// the link and the latency. Counted are the frame's own bytes, as the kernel's tbf does; with
// `ethernet`, a frame is padded to 64 B with its check sequence, 8 B of preamble precede it and 12
// B of gap follow. A frame that finds no room is dropped: room is taken by what has not left, with
// padding and check sequence.
//
// Each fault is drawn by itself, from the seed and the number of frames sent before: the same seed
// and the same frames have the same faults. A lost frame takes its time on the link and does not
// arrive. The second copy of one that arrives twice follows as a frame of its own. A late one is
// due three times its own time later, so that two of its length that follow it overtake it.
//
// Returns false if there is no memory; nothing has changed then, except that a second copy may be
// missing.
bool link_send(struct link *link, int64_t now_ns, const uint8_t *bytes, size_t length,
	       uint64_t serial);

// A number uniform in [0, 1) for each seed, item and kind: SplitMix64's finaliser (Steele, Lea,
// Flood, OOPSLA 2014) over each in turn.
double link_draw(uint64_t seed, uint64_t item, uint64_t kind);

// When the first frame is due, ns; INT64_MAX on an empty link.
int64_t link_due(const struct link *link);

// Takes the first frame, which must be there, off the link; the caller frees it.
struct frame *link_take(struct link *link);

#endif
