// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/decode.h"
#include "trace/record.h"

uint32_t pk_decode(const struct pk_frame *frame, bool outer, struct pk_packet *packet)
{
	const struct pk_link *link = frame->link;
	struct pk_rest rest = {{frame->data, frame->captured_bytes}, 0, outer};

	if (frame->wire_bytes > frame->captured_bytes)
		rest.beyond_bytes = frame->wire_bytes - frame->captured_bytes;
	*packet = (struct pk_packet){.flags = rest.beyond_bytes ? TR_FLAG_SNAPPED : 0};
	if (!link->decode)
		return pk_why(PK_LINK, link->number);
	if (!pk_take(&rest.bytes, link->pseudo_bytes))
		return pk_missing(&rest);
	return link->decode(&rest, packet);
}
