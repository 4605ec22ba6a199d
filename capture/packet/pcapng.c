// SPDX-License-Identifier: GPL-3.0-or-later
// pcapng files: draft-ietf-opsawg-pcapng. Any number of sections, each of its own byte order and
// with its own interfaces. Blocks other than those of pcapng_block.h are skipped.
#include "packet/pcapng_block.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "packet/capture_input.h"
#include "packet/frame.h"
#include "value/grow.h"

// Zero is a valid one before the first.
struct pcapng_section {
	bool big_endian;
	struct pk_interface *interfaces;
	uint32_t interface_count;
	uint32_t interface_capacity;
	uint64_t lost;	 // frames, in earlier sections
	bool lost_known; // a block gave a number
	int64_t time_ns; // of the last frame with a time
};

static bool is_packet(uint32_t type)
{
	return type == PK_BLOCK_PACKET || type == PK_BLOCK_OLD_PACKET || type == PK_BLOCK_SIMPLE;
}

#define INTERFACES_MAX 65536u
#define MICROSECONDS 6

// Frames lost in this section and earlier ones. For each interface: by its statistics if there are
// any, else by its packets.
static uint64_t section_lost(const struct pcapng_section *section)
{
	uint64_t lost = section->lost;

	for (uint32_t i = 0; i < section->interface_count; i++) {
		const struct pk_interface *interface = &section->interfaces[i];

		lost += interface->dropped ? interface->dropped : interface->dropped_before;
	}
	return lost;
}

// Each reads a block already taken. TR_ERROR: damaged, or out of memory.
static enum tr_status section_begin(struct pcapng_section *section, struct pk_input *in,
				    struct pk_block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 16);
	unsigned major, minor;

	if (!head)
		return pk_block_fail(in, block, "too short for a section header", err);
	major = pk_u16(head + 4, section->big_endian);
	minor = pk_u16(head + 6, section->big_endian);
	if (major != 1 || (minor != 0 && minor != 2)) // these two are the same
		return pk_block_fail(in, block, "its version is not 1.0 or 1.2", err);
	if (!pk_options_fit(&block->body, section->big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	section->lost = section_lost(section);
	section->interface_count = 0;
	return TR_OK;
}

static bool pcapng_grow(struct pcapng_section *section)
{
	return GROW(section->interfaces, section->interface_capacity, section->interface_count);
}

static enum tr_status section_interface(struct pcapng_section *section, struct pk_input *in,
					struct pk_block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 8);
	struct pk_interface *interface;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return pk_block_fail(in, block, "too short for an interface description", err);
	if (section->interface_count == INTERFACES_MAX || !pcapng_grow(section))
		return pk_block_fail(in, block, "too many interfaces", err);
	interface = &section->interfaces[section->interface_count];
	*interface = (struct pk_interface){
		.link = pk_link_of(pk_u16(head, section->big_endian), section->big_endian),
		.snap_bytes = pk_u32(head + 4, section->big_endian),
	};
	pk_interface_set_resolution(interface, MICROSECONDS);
	while ((status = pk_option_next(&block->body, section->big_endian, &option)) == TR_OK) {
		if (option.code == PK_IF_TSRESOL && option.size_bytes == 1)
			pk_interface_set_resolution(interface, option.value[0]);
		else if (option.code == PK_IF_TSOFFSET && option.size_bytes == 8)
			interface->offset_s = (int64_t)pk_u64(option.value, section->big_endian);
		else if (option.code == PK_IF_SPEED && option.size_bytes == 8)
			interface->link.rate_bps = pk_u64(option.value, section->big_endian);
	}
	if (status == TR_ERROR)
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	section->interface_count++;
	return TR_OK;
}

static enum tr_status section_statistics(struct pcapng_section *section, struct pk_input *in,
					 struct pk_block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 12);
	uint32_t number;
	uint64_t dropped = 0;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return pk_block_fail(in, block, "too short for interface statistics", err);
	number = pk_u32(head, section->big_endian);
	if (number >= section->interface_count)
		return pk_block_fail(in, block, "unknown interface", err);
	while ((status = pk_option_next(&block->body, section->big_endian, &option)) == TR_OK) {
		if ((option.code != PK_ISB_IFDROP && option.code != PK_ISB_OSDROP) ||
		    option.size_bytes != 8)
			continue;
		dropped += pk_u64(option.value, section->big_endian);
		section->lost_known = true;
	}
	if (status == TR_ERROR)
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	section->interfaces[number].dropped = dropped;
	return TR_OK;
}

// Skips the name records: like options, up to an end record, followed by options.
static bool pass_names(struct pk_bytes *body, bool big_endian)
{
	while (body->left) {
		const uint8_t *head = pk_take(body, 4);
		unsigned size_bytes;

		if (!head)
			return false;
		if (pk_u16(head, big_endian) == 0)
			return true;
		size_bytes = pk_u16(head + 2, big_endian);
		if (!pk_take(body, size_bytes + (-size_bytes & 3u)))
			return false;
	}
	return true;
}

static enum tr_status section_names(struct pcapng_section *section, struct pk_input *in,
				    struct pk_block *block, struct tr_error *err)
{
	if (!pass_names(&block->body, section->big_endian))
		return pk_block_fail(in, block, "a name is longer than what is left", err);
	if (!pk_options_fit(&block->body, section->big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

static enum tr_status section_secrets(struct pcapng_section *section, struct pk_input *in,
				      struct pk_block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 8);
	uint64_t size_bytes;

	if (!head)
		return pk_block_fail(in, block, "too short for secrets", err);
	size_bytes = pk_u32(head + 4, section->big_endian);
	if (!pk_take(&block->body, size_bytes + (-size_bytes & 3u)))
		return pk_block_fail(in, block, "its secrets are longer than what is left", err);
	if (!pk_options_fit(&block->body, section->big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

static void section_clear(struct pcapng_section *section)
{
	free(section->interfaces);
	memset(section, 0, sizeof(*section));
}

// Interface and stamp of a packet; the frame's link and time.
static enum tr_status pcapng_set_origin(struct pcapng_section *section, struct pk_input *in,
					const struct pk_block *block, uint32_t number,
					uint64_t stamp, struct pk_frame *frame,
					struct tr_error *err)
{
	struct pk_interface *interface;

	if (number >= section->interface_count)
		return pk_block_fail(in, block, "unknown interface", err);
	interface = &section->interfaces[number];
	frame->interface = (uint16_t)number;
	frame->after_loss = frame->decoded = false;
	frame->link = &interface->link;
	frame->time_state = pk_interface_time(interface, stamp, &section->time_ns)
				    ? PK_TIME_KNOWN
				    : PK_TIME_OUTSIDE;
	frame->time_ns = section->time_ns;
	return TR_OK;
}

// Takes the frame's bytes from the rest of the block.
static enum tr_status set_data(struct pk_input *in, struct pk_block *block, uint32_t captured_bytes,
			       uint32_t wire_bytes, struct pk_frame *frame, struct tr_error *err)
{
	const size_t padding = -captured_bytes & 3u;

	frame->data = pk_take(&block->body, captured_bytes);
	if (!frame->data)
		return pk_block_fail(in, block, "its captured length is longer than what is left",
				     err);
	if (captured_bytes > frame->link->frame_bytes_max)
		return pk_block_fail(in, block,
				     "its captured length is too large for its link type", err);
	if (!pk_take(&block->body, padding))
		block->body.left = 0;
	frame->captured_bytes = captured_bytes;
	if (captured_bytes > PK_FRAME_BYTES_MAX)
		frame->captured_bytes = PK_FRAME_BYTES_MAX;
	frame->wire_bytes = wire_bytes;
	return TR_OK;
}

static enum tr_status read_packet(struct pcapng_section *section, struct pk_input *in,
				  struct pk_block *block, struct pk_frame *frame,
				  struct tr_error *err)
{
	const bool big_endian = section->big_endian;
	const uint8_t *head = pk_take(&block->body, 20);
	uint32_t number;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return pk_block_fail(in, block, "too short for a packet", err);
	number = pk_u32(head, big_endian);
	status = pcapng_set_origin(section, in, block, number,
				   (uint64_t)pk_u32(head + 4, big_endian) << 32 |
					   pk_u32(head + 8, big_endian),
				   frame, err);
	if (status == TR_OK)
		status = set_data(in, block, pk_u32(head + 12, big_endian),
				  pk_u32(head + 16, big_endian), frame, err);
	if (status != TR_OK)
		return status;
	while ((status = pk_option_next(&block->body, big_endian, &option)) == TR_OK) {
		if (option.code != PK_EPB_DROPCOUNT || option.size_bytes != 8)
			continue;
		section->interfaces[number].dropped_before += pk_u64(option.value, big_endian);
		frame->after_loss |= pk_u64(option.value, big_endian) > 0;
		section->lost_known = true;
	}
	if (status == TR_ERROR)
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

static enum tr_status read_old_packet(struct pcapng_section *section, struct pk_input *in,
				      struct pk_block *block, struct pk_frame *frame,
				      struct tr_error *err)
{
	const bool big_endian = section->big_endian;
	const uint8_t *head = pk_take(&block->body, 20);
	uint16_t number, dropped;

	if (!head)
		return pk_block_fail(in, block, "too short for a packet", err);
	number = pk_u16(head, big_endian);
	if (pcapng_set_origin(section, in, block, number,
			      (uint64_t)pk_u32(head + 4, big_endian) << 32 |
				      pk_u32(head + 8, big_endian),
			      frame, err) != TR_OK)
		return TR_ERROR;
	dropped = pk_u16(head + 2, big_endian);
	if (dropped != UINT16_MAX) { // which means unknown
		section->interfaces[number].dropped_before += dropped;
		frame->after_loss = dropped > 0;
		section->lost_known |= dropped > 0;
	}
	if (set_data(in, block, pk_u32(head + 12, big_endian), pk_u32(head + 16, big_endian), frame,
		     err) != TR_OK)
		return TR_ERROR;
	if (!pk_options_fit(&block->body, big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

// A packet of interface 0 without a time: it gets that of the previous one.
static enum tr_status read_simple(struct pcapng_section *section, struct pk_input *in,
				  struct pk_block *block, struct pk_frame *frame,
				  struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 4);
	uint32_t captured_bytes, wire_bytes;

	if (!head)
		return pk_block_fail(in, block, "too short for a packet", err);
	if (!section->interface_count)
		return pk_block_fail(in, block, "unknown interface", err);
	wire_bytes = pk_u32(head, section->big_endian);
	captured_bytes = wire_bytes;
	if (section->interfaces[0].snap_bytes && captured_bytes > section->interfaces[0].snap_bytes)
		captured_bytes = section->interfaces[0].snap_bytes;
	if (captured_bytes > block->body.left)
		captured_bytes = (uint32_t)block->body.left;
	frame->interface = 0;
	frame->after_loss = frame->decoded = false;
	frame->link = &section->interfaces[0].link;
	frame->time_state = PK_TIME_NONE;
	frame->time_ns = section->time_ns;
	return set_data(in, block, captured_bytes, wire_bytes, frame, err);
}

// Reads a packet block already taken; the frame's bytes are lent as the block's. TR_ERROR: damaged.
static enum tr_status read_packet_block(struct pcapng_section *section, struct pk_input *in,
					struct pk_block *block, struct pk_frame *frame,
					struct tr_error *err)
{
	switch (block->type) {
	case PK_BLOCK_PACKET: return read_packet(section, in, block, frame, err);
	case PK_BLOCK_OLD_PACKET: return read_old_packet(section, in, block, frame, err);
	default: return read_simple(section, in, block, frame, err);
	}
}

// Reads any other block.
static enum tr_status read_other(struct pcapng_section *section, struct pk_input *in,
				 struct pk_block *block, struct tr_error *err)
{
	enum tr_status (*const read)(
		struct pcapng_section *, struct pk_input *, struct pk_block *,
		struct tr_error *) = block->type == PK_BLOCK_SECTION	  ? section_begin
				     : block->type == PK_BLOCK_INTERFACE  ? section_interface
				     : block->type == PK_BLOCK_STATISTICS ? section_statistics
				     : block->type == PK_BLOCK_NAMES	  ? section_names
				     : block->type == PK_BLOCK_SECRETS	  ? section_secrets
									  : NULL;

	if (!read)
		return pk_block_pass(in, block, err);
	if (pk_block_take(in, block, err) != TR_OK)
		return TR_ERROR;
	return read(section, in, block, err);
}

// Reads up to and including the next packet.
static enum tr_status pcapng_read_one(struct pcapng_section *section, struct pk_input *in,
				      struct pk_frame *frame, struct tr_error *err)
{
	struct pk_block block;
	enum tr_status status;

	for (;;) {
		status = pk_block_head(in, &section->big_endian, &block, err);
		if (status != TR_OK)
			return status;
		if (is_packet(block.type))
			break;
		if (read_other(section, in, &block, err) != TR_OK)
			return TR_ERROR;
	}
	if (pk_block_take(in, &block, err) != TR_OK)
		return TR_ERROR;
	return read_packet_block(section, in, &block, frame, err);
}

// Whether a complete packet follows, which can be read without invalidating the frames before it.
static bool packet_follows(const struct pcapng_section *section, const struct pk_input *in)
{
	return in->left >= PK_BLOCK_BYTES_MIN && is_packet(pk_u32(in->at, section->big_endian)) &&
	       in->left >= pk_u32(in->at + 4, section->big_endian);
}

static enum tr_status pcapng_read(void *state, struct pk_input *in, struct pk_frame *frames,
				  size_t max, size_t *count, struct tr_error *err)
{
	struct pcapng_section *section = state;
	enum tr_status status;

	do {
		status = pcapng_read_one(section, in, &frames[*count], err);
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
	struct pcapng_section *section = calloc(1, sizeof(*section));
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
	const struct pcapng_section *section = state;

	*frames = section_lost(section);
	return section->lost_known;
}

static void pcapng_close(void *state)
{
	section_clear(state);
	free(state);
}

const struct pk_format pk_format_pcapng = {
	"pcapng", pcapng_claims, pcapng_open, pcapng_read, pcapng_lost, pcapng_close,
};
