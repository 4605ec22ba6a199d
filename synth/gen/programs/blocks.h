// SPDX-License-Identifier: GPL-3.0-or-later
// Which blocks of a rank's data a message carries. The data are so many bytes in so many parts, block b
// being bytes floor(b bytes / parts) up to those of b + 1: equal parts where they divide, else within a
// byte of each other.
#ifndef GEN_PROGRAMS_BLOCKS_H
#define GEN_PROGRAMS_BLOCKS_H

#include <stdint.h>

struct blocks {
	uint32_t first; // 0 .. parts - 1
	uint32_t count; // first, first + 1, ..., going round; 0 .. parts
	uint32_t bit;	// where not 0, a power of two: instead all blocks whose number has it
};

// Bytes of the blocks.
uint64_t blocks_bytes(const struct blocks *blocks, uint64_t bytes, uint32_t parts);

#endif
