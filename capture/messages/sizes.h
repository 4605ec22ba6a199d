// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of messages that a direction has shown, to the byte: a program sends few different ones, and each has the header of its
// protocol. So two pieces that together have a known size are one message that TCP cut in two (at the sender's window), and
// a piece of a small multiple of a known size is several messages that TCP joined.
#ifndef MESSAGES_SIZES_H
#define MESSAGES_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#define SIZES_KNOWN 8u
#define SIZES_MULTIPLE_MAX 8u

// Zero is a valid empty one.
struct sizes_seen {
	uint64_t size_B[SIZES_KNOWN];
	uint32_t times[SIZES_KNOWN];				   // 0: free
	uint64_t cut_sum_B[SIZES_KNOWN], cut_first_B[SIZES_KNOWN]; // the last sums of pieces
	uint32_t cuts;
};

// Notes a message of this size; the rarest size makes room for a new one.
void sizes_note(struct sizes_seen *seen, uint64_t size_B);

// Whether it was seen at least twice.
bool sizes_known(const struct sizes_seen *seen, uint64_t size_B);

// How many messages of one known size, 2 or more, sum_B is; 0 if it is none.
unsigned sizes_multiple(const struct sizes_seen *seen, uint64_t sum_B);

// Takes pieces that came together, the first of first_B and sum_B in all. Whether they are one message that was cut: pieces
// with the same sum had another first one before. Messages that follow each other always have the same sizes.
bool sizes_cut(struct sizes_seen *seen, uint64_t first_B, uint64_t sum_B);

#endif
