// SPDX-License-Identifier: GPL-3.0-or-later
// One frame of any link type and any bytes: decodes with and without entering tunnels, checks that
// the quick decoder agrees, and that a truncated capture of the frame is decoded alike or reported
// as cut. The first four bytes of the input are the link type and how much longer the frame was on
// the wire.
#include <stdlib.h>
#include <string.h>

#include "packet/decode.h"
#include "packet/decoders.h"
#include "packet/quick.h"
#include "stream/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void compare_quick(const struct pk_frame *frame, uint32_t why,
			  const struct pk_packet *packet)
{
	struct pk_quick quick;
	const uint8_t *ip = frame->data + PK_QUICK_IP;

	if (!pk_quick_decode(frame, &quick))
		return;
	promise(why == PK_DECODED && packet->flow.family == 4);
	promise(quick.payload_bytes == packet->payload_bytes && quick.flags == packet->flags);
	promise(packet->flow.protocol == ip[9]);
	promise(memcmp(packet->flow.src, ip + 12, 4) == 0 &&
		memcmp(packet->flow.dst, ip + 16, 4) == 0);
	promise(packet->tunnels == 0 && packet->opcode == 0);
	promise(packet->flow.src_port == pk_be16(ip + 20) &&
		packet->flow.dst_port == pk_be16(ip + 22));
}

// What is known without the bytes that a shorter capture lacks must be what it is with them.
static void compare_cut(const struct pk_frame *frame, uint32_t why, const struct pk_packet *packet)
{
	struct pk_frame cut = *frame;
	struct pk_packet less;
	uint32_t cut_why;

	if (frame->captured_bytes < 2 || frame->wire_bytes < frame->captured_bytes)
		return;
	// On the heap, so that a sanitizer sees one too many.
	cut.captured_bytes = frame->data[frame->captured_bytes - 1] % frame->captured_bytes;
	cut.data = malloc(cut.captured_bytes + 1u);
	promise(cut.data);
	memcpy((void *)cut.data, frame->data, cut.captured_bytes);
	cut_why = pk_decode(&cut, false, &less);
	promise(cut_why == pk_why(PK_CUT, 0) || cut_why == why);
	if (cut_why == PK_DECODED) {
		promise(memcmp(&less.flow, &packet->flow, sizeof(less.flow)) == 0);
		promise(less.payload_bytes == packet->payload_bytes);
		promise(less.flags == (packet->flags | TR_FLAG_SNAPPED));
		promise(less.tunnels == packet->tunnels && less.opcode == packet->opcode);
		promise(less.sequence == packet->sequence);
	}
	free((void *)cut.data);
}

static void check(uint32_t why, const struct pk_packet *packet)
{
	char key[PK_WHY_KEY_BYTES];

	promise(strlen(pk_why_key(why, key)) > 0);
	if (why != PK_DECODED)
		return;
	promise(packet->payload_bytes <= packet->wire_bytes);
	promise(packet->sequence <= 0xffffff && packet->tunnels <= PK_TUNNELS_MAX);
	promise(packet->flow.protocol == TR_PROTOCOL_IB ||
		(packet->flow.src_port <= UINT16_MAX && packet->flow.dst_port <= UINT16_MAX));
}

// Each class that a frame of flow control enables is in one of its records.
static void check_pauses(struct pk_packet packet)
{
	unsigned classes = packet.classes | packet.opcode, taken = packet.opcode;

	while (pk_pause_take(&packet)) {
		promise(packet.opcode && !(taken & packet.opcode));
		promise(packet.flow.dst_port <= UINT16_MAX);
		taken |= packet.opcode;
	}
	promise(taken == classes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct pk_packet packet, outer;
	struct pk_link link;
	struct pk_frame frame;
	uint32_t why;

	if (size_bytes < 4)
		return 0;
	link = pk_link_of(pk_be16(data), false);
	frame = (struct pk_frame){
		.data = data + 4,
		.captured_bytes = (uint32_t)(size_bytes - 4),
		.wire_bytes = (uint32_t)(size_bytes - 4) + pk_be16(data + 2),
		.link = &link,
	};
	check(pk_decode(&frame, true, &outer), &outer);
	why = pk_decode(&frame, false, &packet);
	check(why, &packet);
	if (why == PK_DECODED && packet.flow.protocol == TR_PROTOCOL_PAUSE)
		check_pauses(packet);
	compare_cut(&frame, why, &packet);
	if (link.number == PK_LINK_ETHERNET)
		compare_quick(&frame, why, &packet);
	return 0;
}
