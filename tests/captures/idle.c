// SPDX-License-Identifier: GPL-3.0-or-later
// Many TCP connections that send one segment and are idle then, among a few that go on, whose
// packets are as far apart as in silence.
#include "captures/cases.h"
#include "captures/container.h"

#define BIG true
#define GAP_NS 200000
#define BUSY 4u	    // connections that go on
#define BUSY_OF 16u // one frame in so many is theirs
#define BUSY_PORT 9000u
#define PORTS 100u // of each host of the idle ones
#define IDLE_BYTES 100u
#define HEADER_BYTES 40u

struct segment {
	uint32_t src;
	uint16_t src_port, dst_port;
	uint32_t sequence;
	uint32_t payload_bytes;
};

static void make(struct cm_frame *frame, const struct segment *segment, uint16_t number)
{
	struct cm_buffer *b = &frame->bytes;

	b->size = 0;
	cm_u16(b, BIG, 0x4500);
	cm_u16(b, BIG, (uint16_t)(HEADER_BYTES + segment->payload_bytes));
	cm_u16(b, BIG, number);
	cm_u16(b, BIG, 0x4000);
	cm_u32(b, BIG, 0x40060000);
	cm_u32(b, BIG, segment->src);
	cm_u32(b, BIG, 0xc0a80001);
	cm_u16(b, BIG, segment->src_port);
	cm_u16(b, BIG, segment->dst_port);
	cm_u32(b, BIG, segment->sequence);
	cm_u32(b, BIG, 0);
	cm_u32(b, BIG, 0x5018ffff);
	cm_u32(b, BIG, 0);
	cm_fill(b, 'x', segment->payload_bytes);
	frame->captured_bytes = (uint32_t)b->size;
}

void cm_idle_make(uint32_t count, void (*write)(void *context, const void *data, size_t size),
		  void *context)
{
	const struct cm_layout layout = {.format = CM_PCAP, .magic = 0xa1b23c4d};
	struct cm_frame frame = {.time_ns = (int64_t)1700000000 * 1000000000, .link = 101};
	struct cm_buffer piece = {NULL, 0, 0};
	uint32_t sent[BUSY] = {0};

	cm_begin(&piece, &layout, 101, 0);
	for (uint64_t made = 0, idle = 0; idle < count; made++) {
		const uint32_t busy = (uint32_t)(made / BUSY_OF % BUSY);
		struct segment segment = {0x0a000001 + busy, (uint16_t)(BUSY_PORT + busy), 80,
					  sent[busy], 150 * busy + 157};

		if (made % BUSY_OF) {
			segment = (struct segment){0x0a010001 + (uint32_t)(idle / PORTS),
						   (uint16_t)(10000 + idle % PORTS), 80, 1,
						   IDLE_BYTES};
			idle++;
		} else {
			sent[busy] += segment.payload_bytes;
		}
		make(&frame, &segment, (uint16_t)made);
		frame.time_ns += GAP_NS;
		cm_add_frame(&piece, &layout, 0, &frame);
		write(context, piece.data, piece.size);
		piece.size = 0;
	}
	cm_clear(&piece);
	cm_clear(&frame.bytes);
}
