// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/resent.h"

#include <stdlib.h>
#include <string.h>

#include "packet/identity.h"
#include "stream/names.h"
#include "value/grow.h"

#define STEP_BACK_MAX (UINT32_C(1) << 30)

// The place of a flow; NULL if out of memory.
static union pt_sent *sent_of(struct pt_resent *resent, uint32_t flow)
{
	if (!GROW_ZEROED(resent->sent, resent->capacity, flow)) {
		resent->failed = true;
		return NULL;
	}
	return &resent->sent[flow];
}

static bool take_tcp(uint64_t *next, const struct pk_packet *packet)
{
	uint32_t begin, end, back;

	if (!pk_tcp_range(packet, &begin, &end))
		return false;
	back = *next ? (uint32_t)(*next - 1) - begin : 0;
	if (*next && back && back <= STEP_BACK_MAX &&
	    !(packet->flags & TR_FLAG_SETUP && back != end - begin)) {
		if ((uint32_t)(end - begin) > back)
			*next = (uint64_t)end + 1;
		return true;
	}
	*next = (uint64_t)end + 1;
	return false;
}

bool pt_resent_take(struct pt_resent *resent, uint32_t flow, const struct pk_packet *packet)
{
	union pt_sent *sent = flow == TR_FLOW_NONE ? NULL : sent_of(resent, flow);

	if (!sent)
		return false;
	return packet->flow.protocol == TR_PROTOCOL_IB ? pk_sequence_resent(sent->numbers, packet)
						       : take_tcp(&sent->next, packet);
}

void pt_resent_clear(struct pt_resent *resent)
{
	free(resent->sent);
	*resent = (struct pt_resent){.sent = NULL};
}
