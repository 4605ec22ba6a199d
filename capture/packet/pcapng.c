// SPDX-License-Identifier: GPL-3.0-or-later
// pcapng files: draft-ietf-opsawg-pcapng. Any number of sections, each of its own byte order and
// with its own interfaces. Blocks other than those of pcapng_block.h are stepped over.
#include "packet/format.h"
#include "packet/pcapng_packet.h"

#include <stdlib.h>

// Reads a block that is no packet.
static enum tr_status read_other(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct tr_error *err)
{
	enum tr_status (*const read)(struct pk_section *, struct pk_input *, struct pk_block *,
				     struct tr_error *) = block->type == PK_BLOCK_SECTION      ? pk_section_begin
							  : block->type == PK_BLOCK_INTERFACE  ? pk_section_interface
							  : block->type == PK_BLOCK_STATISTICS ? pk_section_statistics
							  : block->type == PK_BLOCK_NAMES      ? pk_section_names
							  : block->type == PK_BLOCK_SECRETS    ? pk_section_secrets
											       : NULL;

	if (!read)
		return pk_block_pass(in, block, err);
	if (pk_block_take(in, block, err) != TR_OK)
		return TR_ERROR;
	return read(section, in, block, err);
}

// Reads up to and with the next packet.
static enum tr_status read_one(struct pk_section *section, struct pk_input *in, struct pk_frame *frame, struct tr_error *err)
{
	struct pk_block block;
	enum tr_status status;

	for (;;) {
		status = pk_block_head(in, &section->big_endian, &block, err);
		if (status != TR_OK)
			return status;
		if (pk_block_is_packet(block.type))
			break;
		if (read_other(section, in, &block, err) != TR_OK)
			return TR_ERROR;
	}
	if (pk_block_take(in, &block, err) != TR_OK)
		return TR_ERROR;
	return pk_block_packet(section, in, &block, frame, err);
}

// Whether a packet follows, in whole: reading it takes nothing away from the frames before it.
static bool packet_follows(const struct pk_section *section, const struct pk_input *in)
{
	return in->left >= PK_BLOCK_BYTES_MIN && pk_block_is_packet(pk_u32(in->at, section->big_endian)) &&
	       in->left >= pk_u32(in->at + 4, section->big_endian);
}

static enum tr_status pcapng_read(void *state, struct pk_input *in, struct pk_frame *frames, size_t max, size_t *count,
				  struct tr_error *err)
{
	struct pk_section *section = state;
	enum tr_status status;

	do {
		status = read_one(section, in, &frames[*count], err);
		*count += status == TR_OK;
	} while (status == TR_OK && *count < max && packet_follows(section, in));
	return status;
}

static enum tr_status pcapng_claims(struct pk_input *in, struct tr_error *err)
{
	const enum tr_status status = pk_input_need(in, 4, err);

	if (status != TR_OK)
		return status;
	return pk_be32(in->at) == PK_BLOCK_SECTION ? TR_OK : TR_END;
}

static void *pcapng_open(struct pk_input *in, struct tr_error *err)
{
	struct pk_section *section = calloc(1, sizeof(*section));
	struct pk_block block;
	enum tr_status status;

	if (!section) {
		(void)tr_no_memory(err, "%s", pk_input_name(in));
		return NULL;
	}
	status = pk_block_head(in, &section->big_endian, &block, err);
	if (status == TR_OK)
		status = read_other(section, in, &block, err);
	if (status == TR_OK)
		return section;
	free(section);
	return NULL;
}

static bool pcapng_lost(const void *state, uint64_t *frames)
{
	const struct pk_section *section = state;

	*frames = pk_section_lost(section);
	return section->lost_known;
}

static void pcapng_close(void *state)
{
	pk_section_clear(state);
	free(state);
}

const struct pk_format pk_format_pcapng = {
	"pcapng", pcapng_claims, pcapng_open, pcapng_read, pcapng_lost, pcapng_close,
};
