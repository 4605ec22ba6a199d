// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/pcapng_packet.h"
#include "packet/pcapng_option.h"

// Interface and stamp of a packet; the frame's link and time.
static enum tr_status set_origin(struct pk_section *section, struct pk_input *in, const struct pk_block *block, uint32_t number,
				 uint64_t stamp, struct pk_frame *frame, struct tr_error *err)
{
	struct pk_interface *interface;

	if (number >= section->interface_count)
		return pk_block_fail(in, block, "it names an interface that was not described", err);
	interface = &section->interfaces[number];
	frame->link = &interface->link;
	frame->time_state = pk_interface_time(interface, stamp, &section->time_ns) ? PK_TIME_KNOWN : PK_TIME_OUTSIDE;
	frame->time_ns = section->time_ns;
	return TR_OK;
}

// The frame's bytes out of what is left of the block.
static enum tr_status set_data(struct pk_input *in, struct pk_block *block, uint32_t captured_bytes, uint32_t wire_bytes,
			       struct pk_frame *frame, struct tr_error *err)
{
	const size_t padding = -captured_bytes & 3u;

	frame->data = pk_take(&block->body, captured_bytes);
	if (!frame->data)
		return pk_block_fail(in, block, "its captured length is longer than what is left", err);
	if (captured_bytes > frame->link->frame_bytes_max)
		return pk_block_fail(in, block, "its captured length is beyond what its link has", err);
	if (!pk_take(&block->body, padding))
		block->body.left = 0;
	frame->captured_bytes = captured_bytes;
	if (captured_bytes > PK_FRAME_BYTES_MAX)
		frame->captured_bytes = PK_FRAME_BYTES_MAX;
	frame->wire_bytes = wire_bytes;
	return TR_OK;
}

static enum tr_status read_packet(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				  struct pk_frame *frame, struct tr_error *err)
{
	const bool big_endian = section->big_endian;
	const uint8_t *head = pk_take(&block->body, 20);
	uint32_t number;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return pk_block_fail(in, block, "too short for a packet", err);
	number = pk_u32(head, big_endian);
	status = set_origin(section, in, block, number,
			    (uint64_t)pk_u32(head + 4, big_endian) << 32 | pk_u32(head + 8, big_endian), frame, err);
	if (status == TR_OK)
		status = set_data(in, block, pk_u32(head + 12, big_endian), pk_u32(head + 16, big_endian), frame, err);
	if (status != TR_OK)
		return status;
	while ((status = pk_option_next(&block->body, big_endian, &option)) == TR_OK) {
		if (option.code != PK_EPB_DROPCOUNT || option.size_bytes != 8)
			continue;
		section->interfaces[number].dropped_before += pk_u64(option.value, big_endian);
		section->lost_known = true;
	}
	if (status == TR_ERROR)
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

static enum tr_status read_old_packet(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				      struct pk_frame *frame, struct tr_error *err)
{
	const bool big_endian = section->big_endian;
	const uint8_t *head = pk_take(&block->body, 20);
	uint16_t number, dropped;

	if (!head)
		return pk_block_fail(in, block, "too short for a packet", err);
	number = pk_u16(head, big_endian);
	if (set_origin(section, in, block, number, (uint64_t)pk_u32(head + 4, big_endian) << 32 | pk_u32(head + 8, big_endian),
		       frame, err) != TR_OK)
		return TR_ERROR;
	dropped = pk_u16(head + 2, big_endian);
	if (dropped != UINT16_MAX) { // which says "unknown"
		section->interfaces[number].dropped_before += dropped;
		section->lost_known |= dropped > 0;
	}
	if (set_data(in, block, pk_u32(head + 12, big_endian), pk_u32(head + 16, big_endian), frame, err) != TR_OK)
		return TR_ERROR;
	if (!pk_options_fit(&block->body, big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

// A packet of interface 0 without a time: it has that of the one before.
static enum tr_status read_simple(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				  struct pk_frame *frame, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 4);
	uint32_t captured_bytes, wire_bytes;

	if (!head)
		return pk_block_fail(in, block, "too short for a packet", err);
	if (!section->interface_count)
		return pk_block_fail(in, block, "it names an interface that was not described", err);
	wire_bytes = pk_u32(head, section->big_endian);
	captured_bytes = wire_bytes;
	if (section->interfaces[0].snap_bytes && captured_bytes > section->interfaces[0].snap_bytes)
		captured_bytes = section->interfaces[0].snap_bytes;
	if (captured_bytes > block->body.left)
		captured_bytes = (uint32_t)block->body.left;
	frame->link = &section->interfaces[0].link;
	frame->time_state = PK_TIME_NONE;
	frame->time_ns = section->time_ns;
	return set_data(in, block, captured_bytes, wire_bytes, frame, err);
}

enum tr_status pk_block_packet(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct pk_frame *frame,
			       struct tr_error *err)
{
	switch (block->type) {
	case PK_BLOCK_PACKET: return read_packet(section, in, block, frame, err);
	case PK_BLOCK_OLD_PACKET: return read_old_packet(section, in, block, frame, err);
	default: return read_simple(section, in, block, frame, err);
	}
}
