// SPDX-License-Identifier: GPL-3.0-or-later
// The options at the end of pcapng blocks.
#ifndef PACKET_PCAPNG_OPTION_H
#define PACKET_PCAPNG_OPTION_H

#include <stdbool.h>
#include <stdbool.h>
#include <stdint.h>

#include "packet/bytes.h"
#include "trace/status.h"

// Codes that matter here; each belongs to one type of block.
enum {
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

// Takes the next option from what is left of a block. TR_END: no more; TR_ERROR: it is longer than
// what is left.
enum tr_status pk_option_next(struct pk_bytes *body, bool big_endian, struct pk_option *option);

// Steps over the options of which nothing is wanted; false where one is longer than what is left.
bool pk_options_fit(struct pk_bytes *body, bool big_endian);

#endif
