// SPDX-License-Identifier: GPL-3.0-or-later
// One frame of any link type and any bytes: the decoder, and that the quick one agrees with it. The
// first four bytes of the input are the link type and how much longer the frame was on the wire.
#include <stdlib.h>
#include <string.h>

#include "packet/decode.h"
#include "packet/quick.h"

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
	promise(packet->flow.src_port == pk_be16(ip + 20) &&
		packet->flow.dst_port == pk_be16(ip + 22));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct pk_packet packet;
	char key[PK_WHY_KEY_BYTES];
	struct pk_link link;
	struct pk_frame frame;
	uint32_t why;

	if (size_bytes < 4)
		return 0;
	link = pk_link_of(pk_be16(data), false);
	frame = (struct pk_frame){
		.data = data + 4, .captured_bytes = (uint32_t)(size_bytes - 4),
		.wire_bytes = (uint32_t)(size_bytes - 4) + pk_be16(data + 2), .link = &link,
	};
	why = pk_decode(&frame, &packet);
	promise(strlen(pk_why_key(why, key)) > 0);
	if (why == PK_DECODED)
		promise(packet.payload_bytes <= frame.wire_bytes);
	if (link.number == PK_LINK_ETHERNET)
		compare_quick(&frame, why, &packet);
	return 0;
}
