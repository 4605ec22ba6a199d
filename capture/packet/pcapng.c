// SPDX-License-Identifier: GPL-3.0-or-later
// pcapng files: draft-ietf-opsawg-pcapng. Any number of sections, each of its own byte order and with its
// own interfaces. Blocks other than those below are stepped over.
#include "packet/format.h"
#include "packet/bytes.h"
#include "packet/interface.h"
#include "packet/pcapng_option.h"

#include <stdlib.h>

enum {
	BLOCK_INTERFACE = 1, BLOCK_OLD_PACKET = 2, BLOCK_SIMPLE = 3, BLOCK_STATISTICS = 5,
	BLOCK_PACKET = 6, BLOCK_SECTION = 0x0a0d0d0a,
};

#define ORDER_MAGIC 0x1a2b3c4du
#define MIN_BLOCK_BYTES 12u
#define HEAD_BYTES 8u  // type and total length
#define TAIL_BYTES 4u  // total length again
#define INTERFACES_MAX 65536u
#define MICROSECONDS 6

struct pcapng {
	bool big_endian;
	struct pk_interface *interfaces;
	uint32_t interface_count;
	uint32_t interface_capacity;
	uint64_t lost; // in sections before this one
	bool lost_known;
	int64_t time_ns; // of the last frame that had one
};

// A block as read: what lies between its two lengths.
struct block {
	uint32_t type;
	uint32_t total_bytes;
	uint64_t offset_bytes;
	struct pk_bytes body;
};

static enum tr_status fail(const struct pk_input *in, const struct block *block, const char *what,
			   struct tr_error *err)
{
	return tr_fail(err, "%s: offset %llu: pcapng block of type 0x%08x, %u bytes: %s",
		       pk_input_name(in), (unsigned long long)block->offset_bytes, block->type,
		       block->total_bytes, what);
}

// ---- blocks

// The order of the section that begins at head (12 bytes); false where it is neither.
static bool section_order(const uint8_t *head, bool *big_endian)
{
	*big_endian = pk_be32(head + HEAD_BYTES) == ORDER_MAGIC;
	return *big_endian || pk_le32(head + HEAD_BYTES) == ORDER_MAGIC;
}

// Type and length of the next block. TR_END at the end of the file.
static enum tr_status read_head(struct pcapng *pcapng, struct pk_input *in, struct block *block,
				struct tr_error *err)
{
	enum tr_status status = pk_input_need(in, MIN_BLOCK_BYTES, err);

	block->offset_bytes = in->offset_bytes;
	if (status == TR_END && in->left)
		return tr_fail(err, "%s: offset %llu: the file ends inside a block header",
			       pk_input_name(in), (unsigned long long)in->offset_bytes);
	if (status != TR_OK)
		return status;
	block->type = pk_u32(in->at, pcapng->big_endian);
	block->total_bytes = 0;
	if (block->type == BLOCK_SECTION && !section_order(in->at, &pcapng->big_endian))
		return fail(in, block, "its byte-order magic is neither way round", err);
	block->total_bytes = pk_u32(in->at + 4, pcapng->big_endian);
	if (block->total_bytes < MIN_BLOCK_BYTES || block->total_bytes % 4 != 0)
		return fail(in, block, "a multiple of 4 from 12 on was expected as its length", err);
	return TR_OK;
}

// Steps over a block that nothing is wanted of.
static enum tr_status pass_block(struct pcapng *pcapng, struct pk_input *in,
				 const struct block *block, struct tr_error *err)
{
	enum tr_status status = pk_input_pass(in, block->total_bytes - TAIL_BYTES, err);

	if (status == TR_OK)
		status = pk_input_need(in, TAIL_BYTES, err);
	if (status == TR_END)
		return fail(in, block, "the file ends inside it", err);
	if (status != TR_OK)
		return status;
	if (pk_u32(in->at, pcapng->big_endian) != block->total_bytes)
		return fail(in, block, "the length at its end is another", err);
	pk_input_skip(in, TAIL_BYTES);
	return TR_OK;
}

// Shows the whole block and steps over it: what is shown lasts until the next read.
static enum tr_status take_block(struct pcapng *pcapng, struct pk_input *in, struct block *block,
				 struct tr_error *err)
{
	const uint32_t total_bytes = block->total_bytes;
	enum tr_status status;

	if (total_bytes > PK_INPUT_NEED_MAX)
		return fail(in, block, "longer than 16 MiB", err);
	status = pk_input_need(in, total_bytes, err);
	if (status == TR_END)
		return fail(in, block, "the file ends inside it", err);
	if (status != TR_OK)
		return status;
	if (pk_u32(in->at + total_bytes - TAIL_BYTES, pcapng->big_endian) != total_bytes)
		return fail(in, block, "the length at its end is another", err);
	block->body.at = in->at + HEAD_BYTES;
	block->body.left = total_bytes - HEAD_BYTES - TAIL_BYTES;
	pk_input_skip(in, total_bytes);
	return TR_OK;
}

// ---- sections and interfaces

// Frames lost in this section: the statistics where there are any, else what the packets said.
static uint64_t section_lost(const struct pcapng *pcapng)
{
	uint64_t lost = 0;

	for (uint32_t i = 0; i < pcapng->interface_count; i++) {
		const struct pk_interface *interface = &pcapng->interfaces[i];

		lost += interface->dropped ? interface->dropped : interface->dropped_before;
	}
	return lost;
}

static enum tr_status read_section(struct pcapng *pcapng, struct pk_input *in,
				   struct block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 16);
	unsigned major, minor;

	if (!head)
		return fail(in, block, "too short for a section header", err);
	major = pk_u16(head + 4, pcapng->big_endian);
	minor = pk_u16(head + 6, pcapng->big_endian);
	if (major != 1 || (minor != 0 && minor != 2)) // these two are the same
		return fail(in, block, "its version is not 1.0 or 1.2", err);
	pcapng->lost += section_lost(pcapng);
	pcapng->interface_count = 0;
	return TR_OK;
}

static bool grow(struct pcapng *pcapng)
{
	const uint32_t capacity = pcapng->interface_capacity ? pcapng->interface_capacity * 2 : 4;
	struct pk_interface *larger;

	if (pcapng->interface_count < pcapng->interface_capacity)
		return true;
	larger = realloc(pcapng->interfaces, capacity * sizeof *larger);
	if (!larger)
		return false;
	pcapng->interfaces = larger;
	pcapng->interface_capacity = capacity;
	return true;
}

static enum tr_status read_interface(struct pcapng *pcapng, struct pk_input *in,
				     struct block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 8);
	struct pk_interface *interface;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return fail(in, block, "too short for an interface description", err);
	if (pcapng->interface_count == INTERFACES_MAX || !grow(pcapng))
		return fail(in, block, "more interfaces than there is room for", err);
	interface = &pcapng->interfaces[pcapng->interface_count];
	*interface = (struct pk_interface){
		.link = pk_link_of(pk_u16(head, pcapng->big_endian), pcapng->big_endian),
		.snap_bytes = pk_u32(head + 4, pcapng->big_endian),
	};
	pk_interface_set_resolution(interface, MICROSECONDS);
	while ((status = pk_option_next(&block->body, pcapng->big_endian, &option)) == TR_OK) {
		if (option.code == PK_IF_TSRESOL && option.size_bytes == 1)
			pk_interface_set_resolution(interface, option.value[0]);
		else if (option.code == PK_IF_TSOFFSET && option.size_bytes == 8)
			interface->offset_s = (int64_t)pk_u64(option.value, pcapng->big_endian);
	}
	if (status == TR_ERROR)
		return fail(in, block, "an option is longer than what is left", err);
	pcapng->interface_count++;
	return TR_OK;
}

static enum tr_status read_statistics(struct pcapng *pcapng, struct pk_input *in,
				      struct block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 12);
	uint32_t number;
	uint64_t dropped = 0;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return fail(in, block, "too short for interface statistics", err);
	number = pk_u32(head, pcapng->big_endian);
	if (number >= pcapng->interface_count)
		return fail(in, block, "it names an interface that was not described", err);
	while ((status = pk_option_next(&block->body, pcapng->big_endian, &option)) == TR_OK) {
		if ((option.code != PK_ISB_IFDROP && option.code != PK_ISB_OSDROP) ||
		    option.size_bytes != 8)
			continue;
		dropped += pk_u64(option.value, pcapng->big_endian);
		pcapng->lost_known = true;
	}
	if (status == TR_ERROR)
		return fail(in, block, "an option is longer than what is left", err);
	pcapng->interfaces[number].dropped = dropped;
	return TR_OK;
}

// ---- packets

// Interface and stamp of a packet; the frame's link and time.
static enum tr_status set_origin(struct pcapng *pcapng, struct pk_input *in,
				 const struct block *block, uint32_t number, uint64_t stamp,
				 struct pk_frame *frame, struct tr_error *err)
{
	struct pk_interface *interface;

	if (number >= pcapng->interface_count)
		return fail(in, block, "it names an interface that was not described", err);
	interface = &pcapng->interfaces[number];
	frame->link = &interface->link;
	frame->time_state = pk_interface_time(interface, stamp, &pcapng->time_ns)
				    ? PK_TIME_KNOWN
				    : PK_TIME_OUTSIDE;
	frame->time_ns = pcapng->time_ns;
	return TR_OK;
}

// The frame's bytes out of what is left of the block.
static enum tr_status set_data(struct pk_input *in, struct block *block, uint32_t captured_bytes,
			       uint32_t wire_bytes, struct pk_frame *frame, struct tr_error *err)
{
	const size_t padding = -captured_bytes & 3u;

	frame->data = pk_take(&block->body, captured_bytes);
	if (!frame->data)
		return fail(in, block, "its captured length is longer than what is left", err);
	if (captured_bytes > frame->link->frame_bytes_max)
		return fail(in, block, "its captured length is beyond what its link has", err);
	if (!pk_take(&block->body, padding))
		block->body.left = 0;
	frame->captured_bytes = captured_bytes;
	if (captured_bytes > PK_FRAME_BYTES_MAX)
		frame->captured_bytes = PK_FRAME_BYTES_MAX;
	frame->wire_bytes = wire_bytes;
	return TR_OK;
}

static enum tr_status read_packet(struct pcapng *pcapng, struct pk_input *in, struct block *block,
				  struct pk_frame *frame, struct tr_error *err)
{
	const bool big_endian = pcapng->big_endian;
	const uint8_t *head = pk_take(&block->body, 20);
	uint32_t number;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return fail(in, block, "too short for a packet", err);
	number = pk_u32(head, big_endian);
	status = set_origin(pcapng, in, block, number,
			    (uint64_t)pk_u32(head + 4, big_endian) << 32 |
				    pk_u32(head + 8, big_endian), frame, err);
	if (status == TR_OK)
		status = set_data(in, block, pk_u32(head + 12, big_endian),
				  pk_u32(head + 16, big_endian), frame, err);
	if (status != TR_OK)
		return status;
	while ((status = pk_option_next(&block->body, big_endian, &option)) == TR_OK) {
		if (option.code != PK_EPB_DROPCOUNT || option.size_bytes != 8)
			continue;
		pcapng->interfaces[number].dropped_before += pk_u64(option.value, big_endian);
		pcapng->lost_known = true;
	}
	if (status == TR_ERROR)
		return fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

static enum tr_status read_old_packet(struct pcapng *pcapng, struct pk_input *in,
				      struct block *block, struct pk_frame *frame,
				      struct tr_error *err)
{
	const bool big_endian = pcapng->big_endian;
	const uint8_t *head = pk_take(&block->body, 20);
	uint16_t number, dropped;

	if (!head)
		return fail(in, block, "too short for a packet", err);
	number = pk_u16(head, big_endian);
	if (set_origin(pcapng, in, block, number,
		       (uint64_t)pk_u32(head + 4, big_endian) << 32 | pk_u32(head + 8, big_endian),
		       frame, err) != TR_OK)
		return TR_ERROR;
	dropped = pk_u16(head + 2, big_endian);
	if (dropped != UINT16_MAX) { // which says "unknown"
		pcapng->interfaces[number].dropped_before += dropped;
		pcapng->lost_known |= dropped > 0;
	}
	return set_data(in, block, pk_u32(head + 12, big_endian), pk_u32(head + 16, big_endian),
			frame, err);
}

// A packet of interface 0 without a time: it has that of the one before.
static enum tr_status read_simple(struct pcapng *pcapng, struct pk_input *in, struct block *block,
				  struct pk_frame *frame, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 4);
	uint32_t captured_bytes, wire_bytes;

	if (!head)
		return fail(in, block, "too short for a packet", err);
	if (!pcapng->interface_count)
		return fail(in, block, "it names an interface that was not described", err);
	wire_bytes = pk_u32(head, pcapng->big_endian);
	captured_bytes = wire_bytes;
	if (pcapng->interfaces[0].snap_bytes && captured_bytes > pcapng->interfaces[0].snap_bytes)
		captured_bytes = pcapng->interfaces[0].snap_bytes;
	if (captured_bytes > block->body.left)
		captured_bytes = (uint32_t)block->body.left;
	frame->link = &pcapng->interfaces[0].link;
	frame->time_state = PK_TIME_NONE;
	frame->time_ns = pcapng->time_ns;
	return set_data(in, block, captured_bytes, wire_bytes, frame, err);
}

// ---- the format

// Reads a block that is no packet.
static enum tr_status read_other(struct pcapng *pcapng, struct pk_input *in, struct block *block,
				 struct tr_error *err)
{
	enum tr_status (*const read)(struct pcapng *, struct pk_input *, struct block *,
				     struct tr_error *) =
		block->type == BLOCK_SECTION ? read_section
		: block->type == BLOCK_INTERFACE ? read_interface
		: block->type == BLOCK_STATISTICS ? read_statistics
						  : NULL;

	if (!read)
		return pass_block(pcapng, in, block, err);
	if (take_block(pcapng, in, block, err) != TR_OK)
		return TR_ERROR;
	return read(pcapng, in, block, err);
}

static bool is_packet(uint32_t type)
{
	return type == BLOCK_PACKET || type == BLOCK_OLD_PACKET || type == BLOCK_SIMPLE;
}

// Reads up to and with the next packet.
static enum tr_status read_one(struct pcapng *pcapng, struct pk_input *in, struct pk_frame *frame,
			       struct tr_error *err)
{
	struct block block;
	enum tr_status status;

	for (;;) {
		status = read_head(pcapng, in, &block, err);
		if (status != TR_OK)
			return status;
		if (is_packet(block.type))
			break;
		if (read_other(pcapng, in, &block, err) != TR_OK)
			return TR_ERROR;
	}
	if (take_block(pcapng, in, &block, err) != TR_OK)
		return TR_ERROR;
	if (block.type == BLOCK_PACKET)
		return read_packet(pcapng, in, &block, frame, err);
	if (block.type == BLOCK_OLD_PACKET)
		return read_old_packet(pcapng, in, &block, frame, err);
	return read_simple(pcapng, in, &block, frame, err);
}

// Whether a packet follows, in whole: reading it takes nothing away from the frames before it.
static bool packet_follows(const struct pcapng *pcapng, const struct pk_input *in)
{
	return in->left >= MIN_BLOCK_BYTES && is_packet(pk_u32(in->at, pcapng->big_endian)) &&
	       in->left >= pk_u32(in->at + 4, pcapng->big_endian);
}

static enum tr_status pcapng_read(void *state, struct pk_input *in, struct pk_frame *frames,
				  size_t max, size_t *count, struct tr_error *err)
{
	struct pcapng *pcapng = state;
	enum tr_status status;

	do {
		status = read_one(pcapng, in, &frames[*count], err);
		*count += status == TR_OK;
	} while (status == TR_OK && *count < max && packet_follows(pcapng, in));
	return status;
}

static bool pcapng_claims(const uint8_t *magic)
{
	return pk_be32(magic) == BLOCK_SECTION;
}

static void *pcapng_open(struct pk_input *in, struct tr_error *err)
{
	struct pcapng *pcapng = calloc(1, sizeof *pcapng);
	struct block block;
	enum tr_status status;

	if (!pcapng) {
		(void)tr_fail(err, "%s: out of memory", pk_input_name(in));
		return NULL;
	}
	status = read_head(pcapng, in, &block, err);
	if (status == TR_OK)
		status = read_other(pcapng, in, &block, err);
	if (status == TR_OK)
		return pcapng;
	free(pcapng);
	return NULL;
}

static bool pcapng_lost(const void *state, uint64_t *frames)
{
	const struct pcapng *pcapng = state;

	*frames = pcapng->lost + section_lost(pcapng);
	return pcapng->lost_known;
}

static void pcapng_close(void *state)
{
	struct pcapng *pcapng = state;

	free(pcapng->interfaces);
	free(pcapng);
}

const struct pk_format pk_format_pcapng = {
	"pcapng", pcapng_claims, pcapng_open, pcapng_read, pcapng_lost, pcapng_close,
};
