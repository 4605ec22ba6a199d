// SPDX-License-Identifier: GPL-3.0-or-later
// The packet blocks of a pcapng file: enhanced, old and simple.
#ifndef PACKET_PCAPNG_PACKET_H
#define PACKET_PCAPNG_PACKET_H

#include "packet/frame.h"
#include "packet/pcapng_section.h"

static inline bool pk_block_is_packet(uint32_t type)
{
	return type == PK_BLOCK_PACKET || type == PK_BLOCK_OLD_PACKET || type == PK_BLOCK_SIMPLE;
}

// Reads a packet block that was taken; the frame's bytes are lent as the block's are. TR_ERROR: it
// is damaged.
enum tr_status pk_block_packet(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct pk_frame *frame,
			       struct tr_error *err);

#endif
