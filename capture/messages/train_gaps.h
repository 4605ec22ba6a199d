// SPDX-License-Identifier: GPL-3.0-or-later
// The usual gap between the segments of a train, from the gaps after full segments, of which some
// are silences between trains. Memory: 16 bytes for each power of two that gaps reach, up to twice
// as much while it grows.
#ifndef MESSAGES_TRAIN_GAPS_H
#define MESSAGES_TRAIN_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Gaps that reach the same power of two.
struct train_gap_bin {
	uint64_t ticks; // their sum
	uint32_t count; // above 0
	uint32_t bits;
};

// Made by train_gaps_open.
struct train_gaps {
	struct train_gap_bin *bins; // owned; those with gaps, by their powers
	uint32_t bin_count, bin_capacity;
	uint32_t all;
	int64_t first_ticks; // told beforehand
	int64_t usual_ticks; // mean within trains
};

// Starts with a gap within trains that is known beforehand, counted twice.
void train_gaps_open(struct train_gaps *gaps, int64_t usual_ticks);

// Counts a gap after a full segment. False if out of memory.
bool train_gaps_note(struct train_gaps *gaps, int64_t gap_ticks);

// Forgets the gaps, but not the usual one.
void train_gaps_clear(struct train_gaps *gaps);

// Bytes that are held, without the struct itself.
size_t train_gaps_held_bytes(const struct train_gaps *gaps);

#endif
