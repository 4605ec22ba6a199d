// SPDX-License-Identifier: GPL-3.0-or-later
// Large files of the kinds used to measure speed: TCP over IPv4 and Ethernet.
#include "captures/cases.h"
#include "captures/container.h"

#include <string.h>

#define BIG true
#define NS_PER_S 1000000000
#define PIECE_BYTES (1u << 20)

static const struct kind {
	const char *name;
	uint32_t magic;
	uint32_t snap_bytes;
	uint32_t size_min, size_max; // of a frame
	unsigned hosts, flows;
} kinds[] = {
	{"small", 0, 0, 64, 64, 8, 56},	     {"mpi", 0xa1b23c4d, 96, 66, 8246, 8, 56},
	{"full", 0, 0, 64, 1500, 8, 56},     {"short", 0, 0, 64, 100, 8, 200},
	{"flows", 0, 0, 64, 100, 64, 10000},
};

// Who sends to whom, by the number of the flow: each pair of hosts in turn.
struct ends {
	unsigned src, dst, port;
};

static struct ends ends_of(const struct kind *kind, unsigned flow)
{
	const unsigned src = flow % kind->hosts, others = kind->hosts - 1;
	const unsigned turn = flow / kind->hosts;

	return (struct ends){src, (src + 1 + turn % others) % kind->hosts,
			     20000 + src + kind->hosts * (turn / others)};
}

static void frame_make(struct cm_frame *frame, struct tr_random *random, const struct kind *kind)
{
	const uint64_t dice = tr_random_u64(random);
	const struct ends ends = ends_of(kind, (unsigned)((dice >> 24) % kind->flows));
	uint32_t size = kind->size_min;
	struct cm_buffer *b = &frame->bytes;

	if (kind->size_max > size && dice >> 60) // one in sixteen is an acknowledgement
		size += (uint32_t)((dice >> 8) % (kind->size_max - size + 1));
	b->size = 0;
	cm_fill(b, 2, 12);
	cm_u16(b, BIG, 0x0800);
	cm_u16(b, BIG, 0x4500);
	cm_u16(b, BIG, (uint16_t)(size - 14));
	cm_u16(b, BIG, (uint16_t)(dice >> 40)); // identification
	cm_u16(b, BIG, 0x4000);
	cm_u32(b, BIG, 0x40060000);
	cm_u32(b, BIG, 0x0a4d0001 + ends.src);
	cm_u32(b, BIG, 0x0a4d0001 + ends.dst);
	cm_u16(b, BIG, (uint16_t)ends.port);
	cm_u16(b, BIG, (uint16_t)(20000 + ends.dst));
	cm_fill(b, 0, 8);
	cm_u32(b, BIG, 0x5010ffff);
	cm_fill(b, 0, 4);
	cm_fill(b, (uint8_t)dice, size - b->size);
	frame->captured_bytes = kind->snap_bytes && size > kind->snap_bytes ? kind->snap_bytes
									    : size;
}

bool cm_bench_make(const char *name, uint64_t size_bytes,
		   void (*write)(void *context, const void *data, size_t size), void *context)
{
	const struct kind *kind = NULL;
	struct cm_buffer piece = {NULL, 0, 0};
	struct cm_frame frame = {.time_ns = (int64_t)1700000000 * NS_PER_S, .link = 1};
	struct tr_random random;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			kind = &kinds[i];
	if (!kind)
		return false;
	struct cm_layout layout = {.format = CM_PCAP, .magic = kind->magic};

	tr_random_open(&random, 1, name);
	cm_begin(&piece, &layout, 1, kind->snap_bytes);
	for (uint64_t made = 0; made < size_bytes;) {
		frame_make(&frame, &random, kind);
		frame.time_ns += (int64_t)tr_random_below(&random, 20000);
		cm_add_frame(&piece, &layout, 0, &frame);
		if (piece.size < PIECE_BYTES && made + piece.size < size_bytes)
			continue;
		write(context, piece.data, piece.size);
		made += piece.size;
		piece.size = 0;
	}
	cm_clear(&piece);
	cm_clear(&frame.bytes);
	return true;
}
