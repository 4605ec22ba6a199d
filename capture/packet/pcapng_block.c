// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/pcapng_block.h"

#define ORDER_MAGIC 0x1a2b3c4du
#define HEAD_BYTES 8u // type and total length
#define TAIL_BYTES 4u // total length again

enum tr_status pk_block_fail(const struct pk_input *in, const struct pk_block *block, const char *what, struct tr_error *err)
{
	return tr_fail(err, "%s: offset %llu: pcapng block of type 0x%08x, %u bytes: %s", pk_input_name(in),
		       (unsigned long long)block->offset_bytes, block->type, block->total_bytes, what);
}

// The order of the section that begins at head (12 bytes); false where it is neither.
static bool section_order(const uint8_t *head, bool *big_endian)
{
	*big_endian = pk_be32(head + HEAD_BYTES) == ORDER_MAGIC;
	return *big_endian || pk_le32(head + HEAD_BYTES) == ORDER_MAGIC;
}

enum tr_status pk_block_head(struct pk_input *in, bool *big_endian, struct pk_block *block, struct tr_error *err)
{
	enum tr_status status = pk_input_need(in, PK_BLOCK_BYTES_MIN, err);

	block->offset_bytes = in->offset_bytes;
	if (status == TR_END && in->left)
		return tr_fail(err, "%s: offset %llu: the file ends inside a block header", pk_input_name(in),
			       (unsigned long long)in->offset_bytes);
	if (status != TR_OK)
		return status;
	block->type = pk_u32(in->at, *big_endian);
	block->total_bytes = 0;
	if (block->type == PK_BLOCK_SECTION && !section_order(in->at, big_endian))
		return pk_block_fail(in, block, "its byte-order magic is neither way round", err);
	block->big_endian = *big_endian;
	block->total_bytes = pk_u32(in->at + 4, *big_endian);
	if (block->total_bytes < PK_BLOCK_BYTES_MIN || block->total_bytes % 4 != 0)
		return pk_block_fail(in, block, "a multiple of 4 from 12 on was expected as its length", err);
	return TR_OK;
}

enum tr_status pk_block_pass(struct pk_input *in, const struct pk_block *block, struct tr_error *err)
{
	enum tr_status status = pk_input_pass(in, block->total_bytes - TAIL_BYTES, err);

	if (status == TR_OK)
		status = pk_input_need(in, TAIL_BYTES, err);
	if (status == TR_END)
		return pk_block_fail(in, block, "the file ends inside it", err);
	if (status != TR_OK)
		return status;
	if (pk_u32(in->at, block->big_endian) != block->total_bytes)
		return pk_block_fail(in, block, "the length at its end is another", err);
	pk_input_skip(in, TAIL_BYTES);
	return TR_OK;
}

enum tr_status pk_block_take(struct pk_input *in, struct pk_block *block, struct tr_error *err)
{
	const uint32_t total_bytes = block->total_bytes;
	enum tr_status status;

	if (total_bytes > PK_INPUT_NEED_MAX)
		return pk_block_fail(in, block, "longer than 16 MiB", err);
	status = pk_input_need(in, total_bytes, err);
	if (status == TR_END)
		return pk_block_fail(in, block, "the file ends inside it", err);
	if (status != TR_OK)
		return status;
	if (pk_u32(in->at + total_bytes - TAIL_BYTES, block->big_endian) != total_bytes)
		return pk_block_fail(in, block, "the length at its end is another", err);
	block->body.at = in->at + HEAD_BYTES;
	block->body.left = total_bytes - HEAD_BYTES - TAIL_BYTES;
	pk_input_skip(in, total_bytes);
	return TR_OK;
}
