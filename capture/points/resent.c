// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/resent.h"

#include <stdlib.h>
#include <string.h>

#include "packet/identity.h"
#include "trace/names.h"

#define STEP_BACK_MAX (UINT32_C(1) << 30)

// The place of a flow; NULL if out of memory.
static uint64_t *next_of(struct pt_resent *resent, uint32_t flow)
{
	size_t more = resent->capacity ? resent->capacity : 64;
	uint64_t *larger;

	if (flow < resent->capacity)
		return &resent->next[flow];
	while (more <= flow)
		more *= 2;
	larger = realloc(resent->next, more * sizeof(*larger));
	if (!larger) {
		resent->failed = true;
		return NULL;
	}
	memset(larger + resent->capacity, 0, (more - resent->capacity) * sizeof(*larger));
	resent->next = larger;
	resent->capacity = (uint32_t)more;
	return &larger[flow];
}

static bool take_tcp(struct pt_resent *resent, uint32_t flow, const struct pk_packet *packet)
{
	uint32_t begin, end, back;
	uint64_t *next;

	if (!pk_tcp_range(packet, &begin, &end) || !(next = next_of(resent, flow)))
		return false;
	back = *next ? (uint32_t)(*next - 1) - begin : 0;
	if (*next && back && back <= STEP_BACK_MAX && !(packet->flags & TR_FLAG_SETUP && back != end - begin)) {
		if ((uint32_t)(end - begin) > back)
			*next = (uint64_t)end + 1;
		return true;
	}
	*next = (uint64_t)end + 1;
	return false;
}

bool pt_resent_take(struct pt_resent *resent, uint32_t flow, const struct pk_packet *packet)
{
	bool again;

	if (flow == TR_FLOW_NONE)
		return false;
	if (packet->flow.protocol != TR_PROTOCOL_IB)
		return take_tcp(resent, flow, packet);
	again = pk_sequence_resent(&resent->queue_pairs, flow, packet);
	resent->failed |= resent->queue_pairs.failed;
	return again;
}

void pt_resent_clear(struct pt_resent *resent)
{
	free(resent->next);
	pk_sequences_clear(&resent->queue_pairs);
	*resent = (struct pt_resent){.next = NULL};
}
