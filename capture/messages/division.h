// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the bytes of one direction into messages, by the shortest description of how they came:
// the principle of Rissanen, "Modeling by shortest data description", Automatica 14 (1978), over
// all divisions at once by dynamic programming.
//
// TCP delivers bytes in pieces: full segments without a pause, and what ends them, a short segment
// or a pause. A message usually is a piece. Where the window of the sender cuts it, it is several;
// where TCP joins two writes, a message ends inside a piece. What each such event costs, in bits,
// is set against what the sizes cost: a size seen before costs less than a new one.
#ifndef MESSAGES_DIVISION_H
#define MESSAGES_DIVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/sizes.h"

#define PIECES_MAX 48u	      // that are divided at once
#define PIECE_WINDOW_GAPS 16u // multiples of the usual gap: a sender waits no longer for its window
#define PIECE_SILENCE_GAPS 64u // longer than this is a silence
#define DIVISION_MAX 144u      // messages that they are divided into

struct piece {
	int64_t first_ticks, end_ticks; // of its first and last segment
	uint64_t payload_B;		// above 0
	uint32_t segments;
	uint32_t request_B, answer_B; // sizes of the handshake before it, 0: not seen
	int64_t pause_ticks;	      // before its first segment
	int64_t begin_ticks;	      // of the request
	int64_t answered_ticks;
	bool small;	// a single segment that may be of a protocol
	bool full;	// its last segment is full: a pause ended it
	bool requested; // a handshake came before it, so a message may begin here
	bool sure;	// and had the size of others
	bool learnt;	// its size was noted already
	bool taken;	// it is of a handshake itself
	bool resumed;	// it came at once after an acknowledgement that its sender waited for
	bool part;	// its begin was cut off
};

// Makes a piece of each segment of piece at, all of which have the same size; there is room for
// them.
void pieces_part(struct piece *pieces, uint32_t *count, uint32_t at);

// Divides count pieces (up to PIECES_MAX) given known sizes and the usual gap within pieces (above
// 0). Writes where messages end, in bytes from the begin of the first piece, rising; the last one
// is the end of the last piece. Returns how many, 0 for no pieces.
size_t divide(const struct piece *pieces, size_t count, const struct sizes_seen *sizes,
	      int64_t gap_ticks, uint64_t ends_B[DIVISION_MAX]);

#endif
