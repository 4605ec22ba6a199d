// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/pcapng_block.h"

#include "value/ticks.h"

#define ORDER_MAGIC 0x1a2b3c4du
#define HEAD_BYTES 8u // type and total length
#define TAIL_BYTES 4u // total length again

enum tr_status pk_block_fail(const struct pk_input *in, const struct pk_block *block,
			     const char *what, struct tr_error *err)
{
	return tr_fail(err, "%s: offset %llu: pcapng block of type 0x%08x, %u bytes: %s",
		       pk_input_name(in), (unsigned long long)block->offset_bytes, block->type,
		       block->total_bytes, what);
}

// The byte order of the section that begins at head (12 bytes); false if it is neither.
static bool section_order(const uint8_t *head, bool *big_endian)
{
	*big_endian = pk_be32(head + HEAD_BYTES) == ORDER_MAGIC;
	return *big_endian || pk_le32(head + HEAD_BYTES) == ORDER_MAGIC;
}

enum tr_status pk_block_head(struct pk_input *in, bool *big_endian, struct pk_block *block,
			     struct tr_error *err)
{
	enum tr_status status = pk_input_need(in, PK_BLOCK_BYTES_MIN, err);

	block->offset_bytes = in->offset_bytes;
	if (status == TR_END && in->left)
		return tr_fail(err, "%s: offset %llu: the file ends inside a block header",
			       pk_input_name(in), (unsigned long long)in->offset_bytes);
	if (status != TR_OK)
		return status;
	block->type = pk_u32(in->at, *big_endian);
	block->total_bytes = 0;
	if (block->type == PK_BLOCK_SECTION && !section_order(in->at, big_endian))
		return pk_block_fail(in, block, "wrong byte-order magic", err);
	block->big_endian = *big_endian;
	block->total_bytes = pk_u32(in->at + 4, *big_endian);
	if (block->total_bytes < PK_BLOCK_BYTES_MIN || block->total_bytes % 4 != 0)
		return pk_block_fail(in, block, "expected a length of at least 12, divisible by 4",
				     err);
	return TR_OK;
}

enum tr_status pk_block_pass(struct pk_input *in, const struct pk_block *block,
			     struct tr_error *err)
{
	enum tr_status status = pk_input_pass(in, block->total_bytes - TAIL_BYTES, err);

	if (status == TR_OK)
		status = pk_input_need(in, TAIL_BYTES, err);
	if (status == TR_END)
		return pk_block_fail(in, block, "the file ends inside it", err);
	if (status != TR_OK)
		return status;
	if (pk_u32(in->at, block->big_endian) != block->total_bytes)
		return pk_block_fail(in, block, "its two lengths differ", err);
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
		return pk_block_fail(in, block, "its two lengths differ", err);
	block->body.at = in->at + HEAD_BYTES;
	block->body.left = total_bytes - HEAD_BYTES - TAIL_BYTES;
	pk_input_skip(in, total_bytes);
	return TR_OK;
}

bool pk_options_fit(struct pk_bytes *body, bool big_endian)
{
	struct pk_option option;
	enum tr_status status;

	while ((status = pk_option_next(body, big_endian, &option)) == TR_OK)
		;
	return status == TR_END;
}

enum tr_status pk_option_next(struct pk_bytes *body, bool big_endian, struct pk_option *option)
{
	const uint8_t *head;

	if (!body->left)
		return TR_END;
	head = pk_take(body, 4);
	if (!head)
		return TR_ERROR;
	option->code = pk_u16(head, big_endian);
	option->size_bytes = pk_u16(head + 2, big_endian);
	if (option->code == 0) {
		const bool fits = option->size_bytes <= body->left;

		body->left = 0; // bytes after the end of the options are meaningless
		return fits ? TR_END : TR_ERROR;
	}
	option->value = pk_take(body, option->size_bytes);
	if (!option->value)
		return TR_ERROR;
	// Blocks end on a boundary of four bytes, so the padding is there.
	return pk_take(body, -(size_t)option->size_bytes & 3u) ? TR_OK : TR_ERROR;
}

#define NS_DIGITS 9u
#define DIGITS_MAX 19u // 10^19 < 2^64

static uint64_t power_of_ten(unsigned digits)
{
	uint64_t power = 1;

	while (digits-- > 0)
		power *= 10;
	return power;
}

void pk_interface_set_resolution(struct pk_interface *interface, uint8_t resolution)
{
	const unsigned exponent = resolution & 0x7f;

	interface->multiplier = 1;
	interface->divisor = 1;
	interface->shift = 0;
	if (resolution & 0x80) {
		interface->multiplier = TR_NS_PER_S;
		interface->shift = exponent;
	} else if (exponent <= NS_DIGITS) {
		interface->multiplier = power_of_ten(NS_DIGITS - exponent);
	} else {
		interface->divisor = exponent - NS_DIGITS > DIGITS_MAX
					     ? 0
					     : power_of_ten(exponent - NS_DIGITS);
	}
}

bool pk_interface_time(const struct pk_interface *interface, uint64_t stamp, int64_t *time_ns)
{
	__int128 time = 0;

	if (interface->divisor == 1)
		time = (__int128)stamp * (__int128)interface->multiplier >> interface->shift;
	else if (interface->divisor)
		time = (__int128)(stamp / interface->divisor);
	time += (__int128)interface->offset_s * TR_NS_PER_S;
	if (time > INT64_MAX || time < (__int128)INT64_MIN + TR_NS_PER_S)
		return false;
	*time_ns = (int64_t)time;
	return true;
}
