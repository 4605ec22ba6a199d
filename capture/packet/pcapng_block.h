// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a pcapng file: type, length, body, length again.
#ifndef PACKET_PCAPNG_BLOCK_H
#define PACKET_PCAPNG_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/bytes.h"
#include "packet/input.h"
#include "trace/status.h"

enum {
	PK_BLOCK_INTERFACE = 1,
	PK_BLOCK_OLD_PACKET = 2,
	PK_BLOCK_SIMPLE = 3,
	PK_BLOCK_NAMES = 4,
	PK_BLOCK_STATISTICS = 5,
	PK_BLOCK_PACKET = 6,
	PK_BLOCK_SECRETS = 10,
	PK_BLOCK_SECTION = 0x0a0d0d0a,
};

#define PK_BLOCK_BYTES_MIN 12u

// body is what lies between the two lengths; lent by the input.
struct pk_block {
	uint32_t type;
	uint32_t total_bytes;
	bool big_endian; // the section's order
	uint64_t offset_bytes;
	struct pk_bytes body;
};

// Type and length of the next block, whose section has the order *big_endian; a section header says
// its own. The input stays before it. TR_END at the end of the file.
enum tr_status pk_block_head(struct pk_input *in, bool *big_endian, struct pk_block *block, struct tr_error *err);

// Shows the whole block and steps over it: what is shown lasts until the input's next read.
enum tr_status pk_block_take(struct pk_input *in, struct pk_block *block, struct tr_error *err);

// Steps over a block that nothing is wanted of.
enum tr_status pk_block_pass(struct pk_input *in, const struct pk_block *block, struct tr_error *err);

// TR_ERROR with the input, the offset, the block and what is wrong with it.
enum tr_status pk_block_fail(const struct pk_input *in, const struct pk_block *block, const char *what, struct tr_error *err);

#endif
