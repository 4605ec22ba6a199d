// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of messages that a program has shown, to the byte: it sends few different ones, and each has the header of its protocol.
// So pieces that together have a known size are one message that TCP cut, and a piece that is a sum of known sizes is several
// messages that TCP joined.
#ifndef MESSAGES_SIZES_H
#define MESSAGES_SIZES_H

#include <stdint.h>

#define SIZES_KEPT 64u

// Zero is a valid empty one.
struct sizes_seen {
	uint64_t size_B[SIZES_KEPT];
	uint32_t times[SIZES_KEPT]; // 0: free
	uint32_t total;		    // messages noted
};

// Notes a message of this size; the rarest size makes room for a new one.
void sizes_note(struct sizes_seen *seen, uint64_t size_B);

// Bits that tell one of the known sizes from the others, by how often each was seen: 0 for the only one. -1: the size of this entry
// (below SIZES_KEPT) is not known: it was seen less than twice, or is a multiple of one that is seen more often.
int sizes_bits(const struct sizes_seen *seen, unsigned entry);

#endif
