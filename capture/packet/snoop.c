// SPDX-License-Identifier: GPL-3.0-or-later
// snoop files of Solaris (RFC 1761), and those of Shomiti's and Finisar's Surveyor, which wrote the
// same with link types of their own. All numbers are big-endian.
//
//   header  "snoop\0\0\0", version, link type
//   record  length, captured length, record length, drops so far, seconds, microseconds; the frame;
//           padding
#include "packet/capture_input.h"
#include "packet/checked_bytes.h"
#include "value/ticks.h"

#include <stdlib.h>

#define HEADER_BYTES 16u
#define RECORD_BYTES 24u
#define PADDING_MAX 4096u
#define SURVEYOR_PADDING 16u // that it adds after each frame
#define VERSION_MIN 2u
#define VERSION_MAX 5u // 3 to 5 are Surveyor's, for different capture hardware

struct snoop {
	struct pk_link link;
	uint32_t drops; // so far, by the last record
};

struct link_type {
	uint32_t number;
	uint16_t link;
};

static const struct link_type solaris[] = {
	{0, 1},
	{4, 1}, // 802.3, Ethernet
	{2, 6},
	{8, 10}, // token ring, FDDI
	{16, 122},
	{18, 123},
	{26, 242},	   // IP over Fibre Channel, SunATM, IP over InfiniBand
	{0x80000005, 226}, // ipnet
};

static const struct link_type surveyor[] = {
	{0, 1}, {4, 1},	 {10, 1}, {12, 1}, {19, 1}, // Ethernet of 10 Mb/s to 10 Gb/s
	{2, 6}, {11, 6}, {13, 6}, {14, 6}, {8, 10}, // token ring, FDDI
};

static enum tr_status snoop_claims(struct pk_input *in, struct tr_error *err)
{
	static const uint8_t magic[8] = "snoop";
	const enum tr_status status = pk_input_need(in, sizeof(magic), err);

	if (status != TR_OK)
		return status;
	return memcmp(in->at, magic, sizeof(magic)) == 0 ? TR_OK : TR_END;
}

// Whether the first record, if any, has the padding that Surveyor adds after frames.
static bool is_surveyor(const struct pk_input *in)
{
	const uint8_t *record = in->at + HEADER_BYTES;
	uint64_t used_bytes;

	if (in->left < HEADER_BYTES + RECORD_BYTES)
		return false;
	used_bytes = (uint64_t)pk_be32(record + 4) + RECORD_BYTES;
	return pk_be32(record + 8) >= used_bytes + SURVEYOR_PADDING;
}

static bool find_link(uint32_t number, bool of_surveyor, struct pk_link *link)
{
	const struct link_type *types = of_surveyor ? surveyor : solaris;
	const size_t count = of_surveyor ? sizeof(surveyor) / sizeof(*surveyor)
					 : sizeof(solaris) / sizeof(*solaris);

	for (size_t i = 0; i < count; i++)
		if (types[i].number == number) {
			*link = pk_link_of(types[i].link, true);
			return true;
		}
	return false;
}

static enum tr_status snoop_read_header(struct snoop *snoop, struct pk_input *in,
					struct tr_error *err)
{
	const uint32_t version = pk_be32(in->at + 8);
	const uint32_t number = pk_be32(in->at + 12);

	if (version < VERSION_MIN || version > VERSION_MAX)
		return tr_fail(err, "%s: offset 8: snoop version %u; expected 2", pk_input_name(in),
			       version);
	if (!find_link(number, is_surveyor(in), &snoop->link))
		return tr_fail(err, "%s: offset 12: unknown snoop link type %u", pk_input_name(in),
			       number);
	pk_input_skip(in, HEADER_BYTES);
	return TR_OK;
}

static void *snoop_open(struct pk_input *in, struct tr_error *err)
{
	struct snoop *snoop;

	if (pk_input_need(in, HEADER_BYTES + RECORD_BYTES, err) == TR_ERROR)
		return NULL;
	if (in->left < HEADER_BYTES) {
		(void)tr_fail(err, "%s: offset %zu: the file ends inside its header of %u bytes",
			      pk_input_name(in), in->left, HEADER_BYTES);
		return NULL;
	}
	snoop = calloc(1, sizeof(*snoop));
	if (!snoop)
		(void)tr_no_memory(err, "%s", pk_input_name(in));
	else if (snoop_read_header(snoop, in, err) == TR_OK)
		return snoop;
	free(snoop);
	return NULL;
}

// Whether the record at in->at, whose header is buffered, is buffered in whole.
static bool snoop_is_whole(const struct pk_input *in)
{
	return in->left >= RECORD_BYTES && in->left >= pk_be32(in->at + 8);
}

static enum tr_status check_record(const struct snoop *snoop, const struct pk_input *in,
				   struct tr_error *err)
{
	const uint32_t wire_bytes = pk_be32(in->at);
	const uint32_t captured_bytes = pk_be32(in->at + 4);
	const uint32_t record_bytes = pk_be32(in->at + 8);

	if (wire_bytes <= snoop->link.frame_bytes_max &&
	    captured_bytes <= snoop->link.frame_bytes_max &&
	    record_bytes >= RECORD_BYTES + captured_bytes &&
	    record_bytes <= RECORD_BYTES + captured_bytes + PADDING_MAX)
		return TR_OK;
	return tr_fail(err,
		       "%s: offset %llu: a snoop record of %u bytes with %u captured of a frame "
		       "of %u contradicts itself",
		       pk_input_name(in), (unsigned long long)in->offset_bytes, record_bytes,
		       captured_bytes, wire_bytes);
}

static enum tr_status snoop_fail_cut(const struct pk_input *in, struct tr_error *err)
{
	return tr_fail(err, "%s: offset %llu: the file ends inside a snoop record",
		       pk_input_name(in), (unsigned long long)in->offset_bytes);
}

// Buffers the whole next record and checks it. TR_END: there is none.
static enum tr_status snoop_need_record(const struct snoop *snoop, struct pk_input *in,
					struct tr_error *err)
{
	enum tr_status status = pk_input_need(in, RECORD_BYTES, err);

	if (status == TR_END && in->left)
		return snoop_fail_cut(in, err);
	if (status == TR_OK)
		status = check_record(snoop, in, err);
	if (status != TR_OK)
		return status;
	status = pk_input_need(in, pk_be32(in->at + 8), err);
	return status == TR_END ? snoop_fail_cut(in, err) : status;
}

static void snoop_take_record(struct snoop *snoop, struct pk_input *in, struct pk_frame *frame)
{
	const uint8_t *record = in->at;
	const uint32_t micros = pk_be32(record + 20), drops = pk_be32(record + 12);

	*frame = (struct pk_frame){
		.time_ns = (int64_t)pk_be32(record + 16) * TR_NS_PER_S + (int64_t)micros * 1000,
		.data = record + RECORD_BYTES,
		.link = &snoop->link,
		.captured_bytes = pk_be32(record + 4),
		.wire_bytes = pk_be32(record),
		.time_state = micros < 1000000 ? PK_TIME_KNOWN : PK_TIME_CARRIED,
		.after_loss = drops != snoop->drops,
	};
	snoop->drops = drops;
	pk_input_skip(in, pk_be32(record + 8));
}

static enum tr_status snoop_read(void *state, struct pk_input *in, struct pk_frame *frames,
				 size_t max, size_t *count, struct tr_error *err)
{
	struct snoop *snoop = state;
	enum tr_status status;

	do {
		status = snoop_need_record(snoop, in, err);
		if (status == TR_OK)
			snoop_take_record(snoop, in, &frames[(*count)++]);
	} while (status == TR_OK && *count < max && snoop_is_whole(in));
	return status;
}

// Systems that cannot count drops write 0 (RFC 1761), so 0 means unknown.
static bool snoop_lost(const void *state, uint64_t *frames)
{
	const struct snoop *snoop = state;

	*frames = snoop->drops;
	return snoop->drops > 0;
}

const struct pk_format pk_format_snoop = {
	"snoop", snoop_claims, snoop_open, snoop_read, snoop_lost, free,
};
