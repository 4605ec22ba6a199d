// SPDX-License-Identifier: GPL-3.0-or-later
// MAC control frames that ask the other end of a link to send nothing: PAUSE (IEEE 802.3-2022,
// annex 31B) and priority flow control (802.1Qbb; 802.3, annex 31D). Bridges do not forward them.
#include "packet/decoders.h"
#include "stream/names.h"
#include "stream/record.h"

enum { OPCODE_PAUSE = 0x0001, OPCODE_CLASSES = 0x0101 };

#define CLASSES 8u

bool pk_pause_take(struct pk_packet *packet)
{
	unsigned quanta = UINT32_MAX;

	if (!packet->classes)
		return false;
	packet->opcode = 0;
	for (unsigned i = 0; i < CLASSES; i++) {
		const unsigned own = pk_be16(packet->quanta + 2 * (size_t)i);

		if (!(packet->classes >> i & 1) || (quanta != UINT32_MAX && own != quanta))
			continue;
		quanta = own;
		packet->opcode |= (uint8_t)(1u << i);
	}
	packet->classes &= (uint8_t)~packet->opcode;
	packet->flow.dst_port = quanta;
	return true;
}

static uint32_t decode_pause(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *quanta = pk_take(&rest->bytes, 2);

	if (!quanta)
		return pk_missing(rest);
	packet->flow.dst_port = pk_be16(quanta);
	return PK_DECODED;
}

// A vector of enabled classes, whose upper byte is reserved, and the quanta of each class. One that
// enables none asks for nothing.
static uint32_t decode_classes(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *vector = pk_take(&rest->bytes, 2);
	const uint8_t *quanta = vector ? pk_take(&rest->bytes, 2 * CLASSES) : NULL;

	if (!quanta)
		return pk_missing(rest);
	packet->classes = vector[1];
	packet->quanta = quanta;
	return pk_pause_take(packet) ? PK_DECODED : pk_why(PK_CONTROL, OPCODE_CLASSES);
}

uint32_t pk_decode_control(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *opcode = pk_take(&rest->bytes, 2);
	struct pk_flow_key *flow = &packet->flow;

	if (!opcode)
		return pk_missing(rest);
	// Only a frame of the link itself is meant for it; one that a tunnel carries never left it.
	if (!packet->has_macs || packet->tunnels || packet->ip)
		return pk_why(PK_CONTROL, pk_be16(opcode));
	*flow = (struct pk_flow_key){.protocol = TR_PROTOCOL_PAUSE, .family = PK_MAC};
	memcpy(flow->dst, packet->macs, 6);
	memcpy(flow->src, packet->macs + 6, 6);
	switch (pk_be16(opcode)) {
	case OPCODE_PAUSE: return decode_pause(rest, packet);
	case OPCODE_CLASSES: return decode_classes(rest, packet);
	default: return pk_why(PK_CONTROL, pk_be16(opcode));
	}
}
