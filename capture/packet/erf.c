// SPDX-License-Identifier: GPL-3.0-or-later
// ERF, the extensible record format of Endace's DAG cards: records one after the other, with no
// header and no magic.
//
//   record  time (64 bits, little-endian, in 2^-32 s since 1970), type, flags, record length,
//           losses or color, length on the wire (16 bits each, big-endian); extension headers of 8
//           bytes while the top bit of the type or of the extension before is set; 2 bytes more for
//           Ethernet, 4 for multichannel types; the frame; padding
//
// The length on the wire includes the frame check sequence. A file counts as ERF if its first
// records look like it, by Wireshark's rules.
#include "packet/capture_input.h"
#include "packet/checked_bytes.h"
#include "value/ticks.h"

#include <stdlib.h>

#define HEAD_BYTES 16u
#define EXTENSION_BYTES 8u
#define MORE 0x80u // of a type: an extension header follows
#define TYPE_MAX 48u
#define CHECKED_RECORDS 20u
#define SURE_RECORDS 3u // a file cut after these still counts as ERF
#define YEAR_S (UINT64_C(365) * 86400)
#define LINK_ERF 197u
#define OTHER_LINKS 64u

enum erf_form { UNKNOWN, PASSED, OTHER, ETHERNET, HDLC, INFINIBAND, IPV4, IPV6 };

// By type number; colored: a color replaces the losses.
static const struct erf_type {
	enum erf_form form;
	uint8_t sub_bytes; // before the frame
	bool colored;
} types[TYPE_MAX + 1] = {
	[1] = {HDLC, 0, false},	       [2] = {ETHERNET, 2, false},
	[3] = {OTHER, 0, false},       [4] = {OTHER, 0, false},	 // ATM, AAL5
	[5] = {HDLC, 4, false},	       [6] = {OTHER, 4, false},	 // multichannel HDLC, raw
	[7] = {OTHER, 4, false},       [8] = {OTHER, 4, false},	 // ATM, raw channel
	[9] = {OTHER, 4, false},       [10] = {HDLC, 0, true},	 // AAL5
	[11] = {ETHERNET, 2, true},    [12] = {OTHER, 4, false}, // AAL2
	[13] = {OTHER, 0, false},      [14] = {OTHER, 0, false}, // counters
	[15] = {HDLC, 0, true},	       [16] = {ETHERNET, 2, true},
	[17] = {HDLC, 4, true},	       [18] = {OTHER, 4, false}, // AAL2
	[19] = {HDLC, 0, true},	       [20] = {ETHERNET, 2, true},
	[21] = {INFINIBAND, 0, false}, [22] = {IPV4, 0, false},
	[23] = {IPV6, 0, false},       [24] = {OTHER, 0, false}, // raw link
	[25] = {OTHER, 0, false},      [26] = {OTHER, 0, false}, // InfiniBand link packets
	[27] = {PASSED, 0, false},				 // metadata
	[28] = {OTHER, 0, false},      [29] = {OTHER, 0, false}, // Omni-Path
	[48] = {PASSED, 0, false},				 // padding
};

struct erf {
	struct pk_link ethernet, hdlc, infiniband, ipv4, ipv6;
	struct pk_link others[OTHER_LINKS]; // by a quarter of the bytes before the frame
	uint64_t lost;
	bool lost_known;
};

// A record's own numbers.
struct record {
	const struct erf_type *type;
	uint32_t record_bytes;
	uint32_t before_bytes; // head, extensions and other bytes before the frame
	uint32_t wire_bytes;
	uint64_t stamp;
};

// Parses the record at data, which has its head and as many bytes as that says; false if it is not
// one.
static bool parse(const uint8_t *data, struct record *record)
{
	unsigned type = data[8];

	if ((type & ~MORE) > TYPE_MAX)
		return false;
	record->type = &types[type & ~MORE];
	record->stamp = pk_u64(data, false);
	record->record_bytes = pk_be16(data + 10);
	record->wire_bytes = pk_be16(data + 14);
	record->before_bytes = HEAD_BYTES;
	while (type & MORE) {
		if (record->before_bytes + EXTENSION_BYTES > record->record_bytes)
			return false;
		type = data[record->before_bytes];
		record->before_bytes += EXTENSION_BYTES;
	}
	record->before_bytes += record->type->sub_bytes;
	if (record->type->form == UNKNOWN || record->record_bytes < record->before_bytes)
		return false;
	return record->type->form != OTHER || record->before_bytes / 4 < OTHER_LINKS;
}

// ---- whether it is ERF

// Whether a stamp may follow another: at most a second back (records of several ports may be out of
// order), a year ahead.
static bool may_follow(uint64_t stamp, uint64_t before)
{
	return stamp < before ? (before - stamp) >> 32 <= 1 : (stamp - before) >> 32 <= YEAR_S;
}

static enum tr_status erf_claims(struct pk_input *in, struct tr_error *err)
{
	size_t at = 0;
	bool stamped = false;
	uint64_t before = 0;

	for (unsigned i = 0; i < CHECKED_RECORDS; i++) {
		struct record record;
		enum tr_status status = pk_input_need(in, at + HEAD_BYTES, err);

		if (status == TR_END && in->left == at && i > 0)
			return TR_OK;
		if (status == TR_OK)
			status = pk_input_need(in, at + pk_be16(in->at + at + 10), err);
		if (status == TR_ERROR)
			return TR_ERROR;
		if (status == TR_END)
			return i >= SURE_RECORDS ? TR_OK : TR_END;
		if (!parse(in->at + at, &record))
			return TR_END;
		at += record.record_bytes;
		if (record.type->form == PASSED) // its stamp may be anything
			continue;
		if (stamped && !may_follow(record.stamp, before))
			return TR_END;
		stamped = true;
		before = record.stamp;
	}
	return TR_OK;
}

static void *erf_open(struct pk_input *in, struct tr_error *err)
{
	struct erf *erf = calloc(1, sizeof(*erf));

	if (!erf) {
		(void)tr_no_memory(err, "%s", pk_input_name(in));
		return NULL;
	}
	erf->ethernet = pk_link_of(PK_LINK_ETHERNET, true);
	erf->hdlc = pk_link_of(50, true); // PPP or Cisco's, by the frame's first byte
	erf->infiniband = pk_link_of(247, true);
	erf->ipv4 = pk_link_of(228, true);
	erf->ipv6 = pk_link_of(229, true);
	for (unsigned i = 0; i < OTHER_LINKS; i++) {
		erf->others[i] = pk_link_of(LINK_ERF, true);
		erf->others[i].decode = NULL;
		erf->others[i].pseudo_bytes = (uint8_t)(4 * i);
	}
	return erf;
}

// ---- records

static const struct pk_link *link_of(const struct erf *erf, const struct record *record)
{
	switch (record->type->form) {
	case ETHERNET: return &erf->ethernet;
	case HDLC: return &erf->hdlc;
	case INFINIBAND: return &erf->infiniband;
	case IPV4: return &erf->ipv4;
	case IPV6: return &erf->ipv6;
	default: return &erf->others[record->before_bytes / 4];
	}
}

// To the nearest nanosecond, as Wireshark does.
static int64_t erf_time_ns(uint64_t stamp)
{
	const uint64_t fraction = stamp & UINT32_MAX;

	return (int64_t)(stamp >> 32) * TR_NS_PER_S +
	       (int64_t)((fraction * TR_NS_PER_S + (UINT64_C(1) << 31)) >> 32);
}

static void erf_set_frame(const struct erf *erf, const struct record *record, const uint8_t *data,
			  struct pk_frame *frame)
{
	uint32_t captured_bytes = record->record_bytes - record->before_bytes;
	uint32_t before_bytes = record->before_bytes;

	if (captured_bytes > record->wire_bytes && record->wire_bytes) // the rest is padding
		captured_bytes = record->wire_bytes;
	*frame = (struct pk_frame){
		.time_ns = erf_time_ns(record->stamp),
		.data = data + before_bytes,
		.link = link_of(erf, record),
		.captured_bytes = captured_bytes,
		.wire_bytes = record->wire_bytes,
		.time_state = PK_TIME_KNOWN,
		.interface = data[9] & 3,
		.after_loss = !record->type->colored && pk_be16(data + 12) > 0,
	};
	if (record->type->form != OTHER)
		return;
	// An undecoded record is lent with its head, as captures of link type ERF have it.
	frame->data -= before_bytes;
	frame->captured_bytes += before_bytes;
	if (frame->wire_bytes)
		frame->wire_bytes += before_bytes;
}

static enum tr_status erf_fail_at(const struct pk_input *in, const char *what, struct tr_error *err)
{
	return tr_fail(err, "%s: offset %llu: %s", pk_input_name(in),
		       (unsigned long long)in->offset_bytes, what);
}

// Buffers the whole next record. TR_END: there is none.
static enum tr_status erf_need_record(struct pk_input *in, struct tr_error *err)
{
	enum tr_status status = pk_input_need(in, HEAD_BYTES, err);

	if (status == TR_OK)
		status = pk_input_need(in, pk_be16(in->at + 10), err);
	if (status == TR_END && in->left)
		return erf_fail_at(in, "the file ends inside an ERF record", err);
	return status;
}

static bool erf_is_whole(const struct pk_input *in)
{
	return in->left >= HEAD_BYTES && in->left >= pk_be16(in->at + 10);
}

// Reads the record at in->at; increments *count if it is a frame.
static enum tr_status erf_take_record(struct erf *erf, struct pk_input *in, struct pk_frame *frames,
				      size_t *count, struct tr_error *err)
{
	struct record record;

	if (!parse(in->at, &record))
		return erf_fail_at(
			in, "not an ERF record: unknown type, or shorter than its headers", err);
	if (record.type->form != PASSED) {
		if (record.record_bytes == record.before_bytes)
			return erf_fail_at(in, "an ERF record without a frame", err);
		if (!record.type->colored) {
			erf->lost += pk_be16(in->at + 12);
			erf->lost_known = true;
		}
		erf_set_frame(erf, &record, in->at, &frames[(*count)++]);
	}
	pk_input_skip(in, record.record_bytes);
	return TR_OK;
}

static enum tr_status erf_read(void *state, struct pk_input *in, struct pk_frame *frames,
			       size_t max, size_t *count, struct tr_error *err)
{
	enum tr_status status;

	do {
		status = erf_need_record(in, err);
		if (status == TR_OK)
			status = erf_take_record(state, in, frames, count, err);
	} while (status == TR_OK && (!*count || (*count < max && erf_is_whole(in))));
	return status;
}

static bool erf_lost(const void *state, uint64_t *frames)
{
	const struct erf *erf = state;

	*frames = erf->lost;
	return erf->lost_known;
}

const struct pk_format pk_format_erf = {
	"erf", erf_claims, erf_open, erf_read, erf_lost, free,
};
