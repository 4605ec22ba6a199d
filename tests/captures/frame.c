// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/frame.h"

#define BIG true
#define HOSTS 8u
#define ETHERNET_MIN 60u

enum { IPV4 = 0x0800, IPV6 = 0x86dd };

static void ethernet(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	cm_fill(b, 2, 12);
	switch (tr_random_below(random, 8)) {
	case 0: // one tag
		cm_u32(b, BIG, 0x81000064);
		break;
	case 1: // two
		cm_u32(b, BIG, 0x88a80064);
		cm_u32(b, BIG, 0x810000c8);
		break;
	case 2: // 802.3 length, LLC, SNAP
		cm_u16(b, BIG, 1000);
		cm_u32(b, BIG, 0xaaaa0300);
		cm_u16(b, BIG, 0);
		break;
	default: break;
	}
	cm_u16(b, BIG, type);
}

static void sll(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	(void)random;
	cm_u16(b, BIG, 0);
	cm_u16(b, BIG, 1);
	cm_u16(b, BIG, 6);
	cm_fill(b, 2, 8);
	cm_u16(b, BIG, type);
}

static void sll2(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	(void)random;
	cm_u16(b, BIG, type);
	cm_u16(b, BIG, 0);
	cm_u32(b, BIG, 2);
	cm_u16(b, BIG, 1);
	cm_u8(b, 0);
	cm_u8(b, 6);
	cm_fill(b, 2, 8);
}

static void null(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	static const uint32_t families[] = {10, 24, 28, 30};

	cm_u32(b, tr_random_below(random, 2),
	       type == IPV4 ? 2 : families[tr_random_below(random, 4)]);
}

static void loop(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	(void)random;
	cm_u32(b, BIG, type == IPV4 ? 2 : 24);
}

static void raw(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	(void)b;
	(void)type;
	(void)random;
}

static void cisco(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	cm_u16(b, BIG, tr_random_below(random, 2) ? 0x0f00 : 0x8f00);
	cm_u16(b, BIG, type);
}

static void ppp(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	const uint64_t dice = tr_random_below(random, 3);

	if (dice == 2) {
		cisco(b, type, random);
		return;
	}
	if (dice)
		cm_u16(b, BIG, 0xff03);
	cm_u16(b, BIG, type == IPV4 ? 0x0021 : 0x0057);
}

static void pppoe(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	(void)random;
	cm_u16(b, BIG, 0x1100);
	cm_u32(b, BIG, 0x00010064);
	cm_u16(b, BIG, type == IPV4 ? 0x0021 : 0x0057);
}

static void ppp_direction(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	cm_u8(b, 1);
	ppp(b, type, random);
}

static void other(struct cm_buffer *b, uint16_t type, struct tr_random *random)
{
	(void)type;
	(void)random;
	cm_fill(b, 8, 24);
}

static const struct link {
	uint16_t number;
	uint8_t pseudo_bytes;
	bool decodable;
	uint8_t families; // 4, 6, or 0: both
	void (*head)(struct cm_buffer *b, uint16_t type, struct tr_random *random);
} links[] = {
	{1, 0, true, 0, ethernet}, {113, 0, true, 0, sll},    {276, 0, true, 0, sll2},
	{0, 0, true, 0, null},	   {108, 0, true, 0, loop},   {101, 0, true, 0, raw},
	{12, 0, true, 0, raw},	   {14, 0, true, 0, raw},     {228, 0, true, 4, raw},
	{229, 0, true, 6, raw},	   {9, 0, true, 0, ppp},      {50, 0, true, 0, ppp},
	{51, 0, true, 0, pppoe},   {104, 0, true, 0, cisco},  {204, 1, true, 0, ppp_direction},
	{105, 0, false, 0, other}, {147, 0, false, 0, other},
};

static const struct link *find_link(uint16_t number)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (links[i].number == number)
			return &links[i];
	return &links[sizeof(links) / sizeof(*links) - 1];
}

// Ethernet frames without an IP packet.
static void foreign(struct cm_buffer *b, struct tr_random *random)
{
	static const uint16_t types[] = {0x0806, 0x88cc, 0x0026, 0x8847};

	cm_fill(b, 1, 12);
	cm_u16(b, BIG, types[tr_random_below(random, 4)]);
	cm_u32(b, BIG, 0x42420300);
	cm_fill(b, 0, 60);
}

static enum cm_kind choose_kind(struct tr_random *random, unsigned families, bool offload)
{
	const uint64_t dice = tr_random_below(random, 16);

	if (offload)
		return CM_OFFLOAD + (enum cm_kind)tr_random_below(random, CM_KINDS - CM_OFFLOAD);
	if (families == 6)
		return CM_TCP6 + (enum cm_kind)tr_random_below(random, CM_DECODABLE - CM_TCP6);
	if (families == 4)
		return (enum cm_kind)tr_random_below(random, CM_TCP6);
	if (dice == 0)
		return CM_DECODABLE +
		       (enum cm_kind)tr_random_below(random, CM_OFFLOAD - CM_DECODABLE);
	return (enum cm_kind)tr_random_below(random, CM_DECODABLE);
}

void cm_frame_make(struct cm_frame *frame, struct tr_random *random, uint16_t number,
		   uint32_t snap_bytes, uint32_t payload_max)
{
	const struct link *link = find_link(number);
	const enum cm_kind kind = choose_kind(random, link->families, frame->offload);
	struct cm_buffer packet_bytes = {NULL, 0, 0};
	struct cm_packet packet = cm_packet_make(&packet_bytes, random, kind, HOSTS, payload_max);

	frame->bytes.size = 0;
	frame->link = number;
	frame->pseudo_bytes = link->pseudo_bytes;
	frame->decodable = link->decodable && packet.decodable;
	frame->payload_bytes = packet.payload_bytes;
	frame->lost_bytes = packet.lost_bytes;
	if (number == 1 && !frame->offload && tr_random_below(random, 16) == 0) {
		foreign(&frame->bytes, random);
		frame->decodable = false;
	} else {
		link->head(&frame->bytes, packet.ipv6 ? IPV6 : IPV4, random);
		packet.needed_bytes += (uint32_t)frame->bytes.size;
		cm_bytes(&frame->bytes, packet_bytes.data, packet_bytes.size);
	}
	// What pads an Ethernet frame to its least size is not payload.
	if (number == 1 && frame->bytes.size < ETHERNET_MIN && kind < CM_DECODABLE)
		cm_fill(&frame->bytes, 0, ETHERNET_MIN - frame->bytes.size);
	frame->captured_bytes = (uint32_t)frame->bytes.size;
	if (snap_bytes && frame->captured_bytes > snap_bytes)
		frame->captured_bytes = snap_bytes;
	frame->decodable &= frame->captured_bytes >= packet.needed_bytes;
	if (!frame->decodable)
		frame->payload_bytes = frame->lost_bytes = 0;
	cm_clear(&packet_bytes);
}
