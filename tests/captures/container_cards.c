// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/container_cards.h"

#define NS_PER_S 1000000000
#define SNOOP_RECORD_BYTES 24u
#define ERF_HEAD_BYTES 16u

void cm_snoop_begin(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link)
{
	cm_bytes(file, "snoop\0\0", 8);
	cm_u32(file, true, 2);
	cm_u32(file, true, link == 1 ? layout->surveyor ? 12 : 4 : 18); // else SunATM
}

void cm_snoop_frame(struct cm_buffer *file, const struct cm_layout *layout,
		    const struct cm_frame *frame)
{
	const uint32_t padding = (-frame->captured_bytes & 3u) + (layout->surveyor ? 16 : 0);

	cm_u32(file, true, cm_length_held(layout, frame));
	cm_u32(file, true, frame->captured_bytes);
	cm_u32(file, true, SNOOP_RECORD_BYTES + frame->captured_bytes + padding);
	cm_u32(file, true, layout->drops);
	cm_u32(file, true, (uint32_t)(frame->time_ns / NS_PER_S));
	cm_u32(file, true, (uint32_t)(frame->time_ns % NS_PER_S / 1000));
	cm_bytes(file, frame->bytes.data, frame->captured_bytes);
	cm_fill(file, 0x5a, padding);
}

static void erf_head(struct cm_buffer *file, int64_t time_ns, unsigned type, uint32_t record_bytes,
		     uint16_t losses, uint32_t wire_bytes)
{
	const uint64_t fraction = ((uint64_t)(time_ns % NS_PER_S) << 32) / NS_PER_S;

	cm_u64(file, false, (uint64_t)(time_ns / NS_PER_S) << 32 | fraction);
	cm_u8(file, type);
	cm_u8(file, 4); // of varying length
	cm_u16(file, true, (uint16_t)record_bytes);
	cm_u16(file, true, losses);
	cm_u16(file, true, (uint16_t)wire_bytes);
}

static unsigned erf_type(uint16_t link, bool colored)
{
	return link == 1 ? colored ? 11 : 2 : link == 228 ? 22 : link == 229 ? 23 : 1;
}

void cm_erf_frame(struct cm_buffer *file, const struct cm_layout *layout,
		  const struct cm_frame *frame)
{
	const bool odd = layout->options && frame->bytes.size % 2;
	const unsigned type = erf_type(frame->link, odd);
	const uint32_t before = ERF_HEAD_BYTES + (odd ? 16 : 0) + (frame->link == 1 ? 2 : 0);
	const uint32_t padding = -(before + frame->captured_bytes) & 7u;

	if (odd) { // metadata and padding between
		erf_head(file, frame->time_ns, 27, ERF_HEAD_BYTES + 8, 0, 8);
		cm_fill(file, 0, 8);
		erf_head(file, 0, 48, ERF_HEAD_BYTES, 0, 0);
	}
	erf_head(file, frame->time_ns, type | (odd ? 0x80 : 0),
		 before + frame->captured_bytes + padding, odd ? 0x1234 : (uint16_t)layout->drops,
		 cm_length_held(layout, frame));
	if (odd) { // two extension headers: more, and the last
		cm_u64(file, true, UINT64_C(0x8300000000000001));
		cm_u64(file, true, UINT64_C(0x0400000000000002));
	}
	if (frame->link == 1)
		cm_u16(file, true, 0);
	cm_bytes(file, frame->bytes.data, frame->captured_bytes);
	cm_fill(file, 0, padding);
}
