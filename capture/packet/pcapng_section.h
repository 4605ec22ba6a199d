// SPDX-License-Identifier: GPL-3.0-or-later
// A section of a pcapng file: its byte order and its interfaces; and what goes on from one to the
// next.
#ifndef PACKET_PCAPNG_SECTION_H
#define PACKET_PCAPNG_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/interface.h"
#include "packet/pcapng_block.h"

// Zero is a valid one before the first.
struct pk_section {
	bool big_endian;
	struct pk_interface *interfaces;
	uint32_t interface_count;
	uint32_t interface_capacity;
	uint64_t lost;	 // frames, in the sections before
	bool lost_known; // something said how many
	int64_t time_ns; // of the last frame that had one
};

// Each reads a block that was taken. TR_ERROR: it is damaged, or memory ends.
enum tr_status pk_section_begin(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct tr_error *err);
enum tr_status pk_section_interface(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				    struct tr_error *err);
enum tr_status pk_section_statistics(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				     struct tr_error *err);
enum tr_status pk_section_names(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct tr_error *err);
enum tr_status pk_section_secrets(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				  struct tr_error *err);

// Frames lost in this section and those before.
uint64_t pk_section_lost(const struct pk_section *section);

void pk_section_clear(struct pk_section *section);

#endif
