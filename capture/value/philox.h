// SPDX-License-Identifier: GPL-3.0-or-later
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; SC 2011),
// block by block and many blocks at a time. All engines give the same words; which of them is
// fastest depends on the processor.
#ifndef VALUE_PHILOX_H
#define VALUE_PHILOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PHILOX_GROUP 4u			// blocks
#define PHILOX_WORDS (4 * PHILOX_GROUP) // of a group

struct philox_engine {
	const char *name;
	bool (*runs)(void); // whether this processor supports it
	// The blocks of the counters first, first + 1, ... (64 bits, may wrap to 0) in order:
	// groups of PHILOX_GROUP blocks, PHILOX_WORDS words each.
	void (*fill)(uint64_t first, const uint32_t key[2], uint32_t *out, size_t groups);
};

// The block function: out = Philox4x32-10(counter, key).
void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

// The engines in this build, fastest first; the last one is plain C. Ended by NULL.
extern const struct philox_engine *const philox_engines[];

// The first that runs on this processor.
const struct philox_engine *philox_best(void);

#endif
