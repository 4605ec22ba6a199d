// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of messages that a program has shown, to the byte: it sends few different ones, and each
// has the header of its protocol. So pieces that together have a known size are one message that
// TCP cut, and a piece that is a sum of known sizes is several messages that TCP joined. A size is
// best known from messages with silence before and after them.
#ifndef MESSAGES_SIZES_H
#define MESSAGES_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#define SIZES_KEPT 64u
#define CUTS_KEPT 16u

struct size_seen {
	uint64_t size_B;
	uint32_t times; // 0: free
	uint32_t alone; // of these, with silence before and after
};

// A size of pieces that others follow at once.
struct cut_seen {
	uint64_t piece_B;
	uint64_t rest_B;	 // that followed the last one
	uint32_t times, changes; // of rest_B
	uint32_t last;		 // times that silence followed
};

// Zero is a valid empty one.
struct sizes_seen {
	struct size_seen sizes[SIZES_KEPT];
	struct cut_seen cuts[CUTS_KEPT];
	uint32_t all, alone,
		fresh; // messages noted; of these, alone; and of sizes that were not known then
	uint32_t cut_count;
};

// Notes a message of this size; the rarest size makes room for a new one. alone: with silence
// before and after it.
void sizes_note(struct sizes_seen *seen, uint64_t size_B, bool alone);

// Bits that tell one of the known sizes from the others, by how often each was seen: 0 for the only
// one. -1: the size of this entry (below SIZES_KEPT) is not known: it was seen too rarely, or is a
// multiple of another one.
int sizes_bits(const struct sizes_seen *seen, unsigned entry);

// Bits, rounded down, of the share of messages whose size was not known.
int sizes_fresh_bits(const struct sizes_seen *seen);

// Notes a piece of several segments: how many bytes followed at once, 0 if a silence did.
void sizes_note_cut(struct sizes_seen *seen, uint64_t piece_B, uint64_t rest_B);

// Whether pieces of this size were followed at once by different sums, and hardly ever by a
// silence: a window of this size cut messages.
bool sizes_cut(const struct sizes_seen *seen, uint64_t piece_B);

#endif
