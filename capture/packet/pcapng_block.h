// SPDX-License-Identifier: GPL-3.0-or-later
// What a pcapng file is made of: blocks, their options, and interfaces.
#ifndef PACKET_PCAPNG_BLOCK_H
#define PACKET_PCAPNG_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/capture_input.h"
#include "packet/checked_bytes.h"
#include "packet/frame.h"
#include "value/status.h"

// ---- blocks

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

// Type and length of the next block in a section of byte order *big_endian; a section header sets
// its own. Consumes nothing. TR_END at the end of the file.
enum tr_status pk_block_head(struct pk_input *in, bool *big_endian, struct pk_block *block,
			     struct tr_error *err);

// Returns the whole block, lent until the input's next read, and consumes it.
enum tr_status pk_block_take(struct pk_input *in, struct pk_block *block, struct tr_error *err);

// Skips a block.
enum tr_status pk_block_pass(struct pk_input *in, const struct pk_block *block,
			     struct tr_error *err);

// Returns TR_ERROR, with the input, the offset, the block and what is wrong in err.
enum tr_status pk_block_fail(const struct pk_input *in, const struct pk_block *block,
			     const char *what, struct tr_error *err);

// ---- the options at the end of a block

// The codes used here; each belongs to one type of block.
enum {
	PK_IF_SPEED = 8,
	PK_IF_TSRESOL = 9,
	PK_IF_TSOFFSET = 14, // interface description
	PK_ISB_IFDROP = 5,
	PK_ISB_OSDROP = 7,    // interface statistics
	PK_EPB_DROPCOUNT = 4, // enhanced packet
};

// value is lent from the block.
struct pk_option {
	uint16_t code;
	uint16_t size_bytes;
	const uint8_t *value;
};

// Takes the next option from the rest of a block. TR_END: no more; TR_ERROR: it is longer than the
// rest.
enum tr_status pk_option_next(struct pk_bytes *body, bool big_endian, struct pk_option *option);

// Skips the options; false if one is longer than the rest.
bool pk_options_fit(struct pk_bytes *body, bool big_endian);

// ---- an interface of a section: link type, unit of its time stamps, what it lost

struct pk_interface {
	struct pk_link link;
	uint32_t snap_bytes; // 0: no limit
	uint64_t multiplier; // nanoseconds = stamp * multiplier / divisor >> shift
	uint64_t divisor;    // 0: beyond 2^64, the quotient is 0
	unsigned shift;
	int64_t offset_s;	 // added to every stamp
	uint64_t dropped;	 // by interface and system, from its last statistics
	uint64_t dropped_before; // summed over its packets' drop counts
};

// Sets the unit from if_tsresol: 10^-n, or 2^-n with the top bit set.
void pk_interface_set_resolution(struct pk_interface *interface, uint8_t resolution);

// The stamp in nanoseconds since the Unix epoch, rounded down; false if it is not
// within 1677-09-21T00:12:45 .. 2262-04-11T23:47:16, the range of int64_t.
bool pk_interface_time(const struct pk_interface *interface, uint64_t stamp, int64_t *time_ns);

#endif
