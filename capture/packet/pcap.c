// SPDX-License-Identifier: GPL-3.0-or-later
// Classic capture files: pcap-savefile(5), and variants with other magics.
//
//   header  magic, version (2 x u16), 8 bytes unused, snap length, link type
//   record  seconds, fraction, captured length, length; modified files add 8 bytes; then the frame
//
// The byte order is the writer's, known from the magic. Versions before 2.3 have the two lengths
// swapped, 2.3 has either order. AIX wrote 2.2 with nanoseconds and interface types. The link
// type's upper half holds the length of the frame check sequence, and ten bits that must be zero.
#include "packet/capture_input.h"
#include "packet/checked_bytes.h"
#include "value/ticks.h"

#include <stdlib.h>

#define DG_UX 543u // its version, for 2.2
#define HEADER_BYTES 24u
#define RECORD_BYTES 16u
#define LINK_OFFSET 20u
#define LINK_RESERVED 0x03ff0000u

struct variant {
	uint32_t magic;
	uint8_t header_more_bytes; // after the header
	uint8_t record_more_bytes; // after a record's four numbers
	uint16_t unit_ns;	   // of the fraction
};

static const struct variant variants[] = {
	{0xa1b2c3d4, 0, 0, 1000}, // the usual one
	{0xa1b23c4d, 0, 0, 1},	  // nanoseconds
	{0xa1b2cd34, 0, 8, 1000}, // "modified": interface, protocol, packet type
	{0x1c0001ac, 4, 0, 1000}, // Ixia, hardware stamps: the size of the records follows
	{0x1c0001ab, 4, 0, 1000}, // Ixia, software stamps
};

enum lengths { CAPTURED_FIRST, LENGTH_FIRST, EITHER };

struct pcap {
	struct pk_link link;
	uint32_t unit_ns;
	uint32_t record_bytes;
	enum lengths lengths;
	bool big_endian;
	uint32_t pass_bytes;   // of the last frame, still to be skipped
	uint64_t offset_bytes; // of the record that is read, for messages
};

static const struct variant *find_variant(const uint8_t *magic, bool *big_endian)
{
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
		*big_endian = pk_be32(magic) == variants[i].magic;
		if (*big_endian || pk_le32(magic) == variants[i].magic)
			return &variants[i];
	}
	return NULL;
}

static enum tr_status pcap_claims(struct pk_input *in, struct tr_error *err)
{
	const enum tr_status status = pk_input_need(in, 4, err);
	bool big_endian;

	if (status != TR_OK)
		return status;
	return find_variant(in->at, &big_endian) ? TR_OK : TR_END;
}

static enum lengths order_of_lengths(unsigned major, unsigned minor)
{
	if (major == DG_UX || (major == 2 && minor < 3))
		return LENGTH_FIRST;
	return major == 2 && minor == 3 ? EITHER : CAPTURED_FIRST;
}

// The Ethernet, token ring, FDDI and loopback numbers of interfaces (RFC 1573) as link types.
static uint16_t link_of_aix(uint32_t type)
{
	return type == 6 ? 1 : type == 9 ? 6 : type == 15 ? 10 : type == 24 ? 0 : UINT16_MAX;
}

static void pcap_read_header(struct pcap *pcap, const uint8_t *header,
			     const struct variant *variant)
{
	const unsigned major = pk_u16(header + 4, pcap->big_endian);
	const unsigned minor = pk_u16(header + 6, pcap->big_endian);
	const uint32_t type = pk_u32(header + LINK_OFFSET, pcap->big_endian);
	const bool aix = major == 2 && minor == 2 && link_of_aix(type) != UINT16_MAX;

	pcap->link = pk_link_of(aix ? link_of_aix(type) : (uint16_t)(type & 0xffff),
				pcap->big_endian);
	pcap->unit_ns = aix ? 1 : variant->unit_ns;
	pcap->lengths = order_of_lengths(major, minor);
	pcap->record_bytes = RECORD_BYTES + variant->record_more_bytes;
}

// Checks the version and the reserved bits.
static enum tr_status check_header(const struct pk_input *in, bool big_endian, struct tr_error *err)
{
	const unsigned major = pk_u16(in->at + 4, big_endian);
	const uint32_t type = pk_u32(in->at + LINK_OFFSET, big_endian);

	if (major != 2 && major != DG_UX)
		return tr_fail(err, "%s: offset 4: pcap version %u; expected 2", pk_input_name(in),
			       major);
	if (type & LINK_RESERVED)
		return tr_fail(
			err, "%s: offset %u: link type 0x%08x, bits 16 to 25 were expected to be 0",
			pk_input_name(in), LINK_OFFSET, type);
	return TR_OK;
}

static void *pcap_open(struct pk_input *in, struct tr_error *err)
{
	const enum tr_status status = pk_input_need(in, HEADER_BYTES + 4, err);
	const struct variant *variant;
	struct pcap *pcap;
	bool big_endian;

	if (status == TR_ERROR)
		return NULL;
	variant = find_variant(in->at, &big_endian);
	if (in->left < HEADER_BYTES + variant->header_more_bytes) {
		(void)tr_fail(err, "%s: offset %zu: the file ends inside its header of %u bytes",
			      pk_input_name(in), in->left, HEADER_BYTES);
		return NULL;
	}
	if (check_header(in, big_endian, err) != TR_OK)
		return NULL;
	pcap = calloc(1, sizeof(*pcap));
	if (!pcap) {
		(void)tr_no_memory(err, "%s", pk_input_name(in));
		return NULL;
	}
	pcap->big_endian = big_endian;
	pcap_read_header(pcap, in->at, variant);
	pk_input_skip(in, HEADER_BYTES + variant->header_more_bytes);
	return pcap;
}

static enum tr_status pcap_fail_cut(const struct pcap *pcap, const struct pk_input *in,
				    const char *what, uint32_t size_bytes, struct tr_error *err)
{
	return tr_fail(err, "%s: offset %llu: the file ends inside the %s of %u bytes",
		       pk_input_name(in), (unsigned long long)pcap->offset_bytes, what, size_bytes);
}

// Skips the bytes of the last frame that were not lent, and finds the next record.
static enum tr_status find_record(struct pcap *pcap, struct pk_input *in, struct tr_error *err)
{
	enum tr_status status;

	if (pcap->pass_bytes) {
		status = pk_input_pass(in, pcap->pass_bytes, err);
		if (status == TR_END)
			return pcap_fail_cut(pcap, in, "frame", pcap->pass_bytes, err);
		if (status == TR_ERROR)
			return TR_ERROR;
		pcap->pass_bytes = 0;
	}
	pcap->offset_bytes = in->offset_bytes;
	status = pk_input_need(in, pcap->record_bytes, err);
	if (status == TR_END && in->left)
		return pcap_fail_cut(pcap, in, "record header", pcap->record_bytes, err);
	return status;
}

// The record's four numbers.
static inline void pcap_read_record(const struct pcap *pcap, const uint8_t *record, bool big_endian,
				    struct pk_frame *frame)
{
	const uint32_t seconds = pk_u32(record, big_endian);
	const uint32_t fraction = pk_u32(record + 4, big_endian);
	const uint32_t first = pk_u32(record + 8, big_endian);
	const uint32_t second = pk_u32(record + 12, big_endian);
	const bool swapped = pcap->lengths == LENGTH_FIRST ||
			     (pcap->lengths == EITHER && first > second);

	frame->time_ns = (int64_t)seconds * TR_NS_PER_S + (int64_t)fraction * pcap->unit_ns;
	frame->time_state = (uint64_t)fraction * pcap->unit_ns < TR_NS_PER_S ? PK_TIME_KNOWN
									     : PK_TIME_CARRIED;
	frame->captured_bytes = swapped ? second : first;
	frame->wire_bytes = swapped ? first : second;
}

// Reads one frame, and more of the file if needed.
static enum tr_status pcap_read_one(struct pcap *pcap, struct pk_input *in, struct pk_frame *frame,
				    struct tr_error *err)
{
	enum tr_status status = find_record(pcap, in, err);
	uint32_t lent_bytes;

	if (status != TR_OK)
		return status;
	pcap_read_record(pcap, in->at, pcap->big_endian, frame);
	if (frame->captured_bytes > pcap->link.frame_bytes_max)
		return tr_fail(err, "%s: offset %llu: captured length %u; expected at most %u",
			       pk_input_name(in), (unsigned long long)pcap->offset_bytes,
			       frame->captured_bytes, pcap->link.frame_bytes_max);
	lent_bytes = frame->captured_bytes;
	if (lent_bytes > PK_FRAME_BYTES_MAX)
		lent_bytes = PK_FRAME_BYTES_MAX;
	status = pk_input_need(in, pcap->record_bytes + lent_bytes, err);
	if (status == TR_END)
		return pcap_fail_cut(pcap, in, "frame", frame->captured_bytes, err);
	if (status == TR_ERROR)
		return TR_ERROR;
	pcap->pass_bytes = frame->captured_bytes - lent_bytes;
	frame->captured_bytes = lent_bytes;
	frame->interface = 0;
	frame->after_loss = frame->decoded = false;
	frame->data = in->at + pcap->record_bytes;
	frame->link = &pcap->link;
	pk_input_skip(in, pcap->record_bytes + lent_bytes);
	return TR_OK;
}

// Reads frames while they are complete and ordinary; compiled once for each byte order.
static inline __attribute__((always_inline)) size_t walk(const struct pcap *pcap,
							 struct pk_input *in,
							 struct pk_frame *frames, size_t max,
							 bool big_endian)
{
	const size_t record_bytes = pcap->record_bytes;
	const uint8_t *at = in->at;
	size_t left = in->left, count = 0;

	for (; count < max && left >= record_bytes; count++) {
		struct pk_frame *frame = &frames[count];
		size_t size_bytes;

		pcap_read_record(pcap, at, big_endian, frame);
		size_bytes = record_bytes + frame->captured_bytes;
		if (frame->captured_bytes > PK_FRAME_BYTES_MAX || size_bytes > left)
			break;
		frame->interface = 0;
		frame->after_loss = frame->decoded = false;
		frame->data = at + record_bytes;
		frame->link = &pcap->link;
		at += size_bytes;
		left -= size_bytes;
	}
	pk_input_skip(in, in->left - left);
	return count;
}

static enum tr_status pcap_read(void *state, struct pk_input *in, struct pk_frame *frames,
				size_t max, size_t *count, struct tr_error *err)
{
	struct pcap *pcap = state;
	enum tr_status status;

	if (!pcap->pass_bytes)
		*count = pcap->big_endian ? walk(pcap, in, frames, max, true)
					  : walk(pcap, in, frames, max, false);
	if (*count)
		return TR_OK;
	status = pcap_read_one(pcap, in, frames, err);
	*count = status == TR_OK;
	return status;
}

// The format does not record losses.
static bool pcap_lost(const void *state, uint64_t *frames)
{
	(void)state;
	(void)frames;
	return false;
}

const struct pk_format pk_format_pcap = {
	"pcap", pcap_claims, pcap_open, pcap_read, pcap_lost, free,
};
