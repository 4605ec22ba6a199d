// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/pauses.h"

#include <stdlib.h>
#include <string.h>

#include "stream/record.h"

void tr_pauses_take_out(const struct tr_pauses *pauses, const struct tr_names *names,
			const uint8_t **at, size_t stride, uint8_t *to, size_t *left)
{
	const size_t count = *left;
	const uint8_t *from = *at;

	if (!pauses->any || pauses->keep)
		return;
	*at = to;
	*left = 0;
	for (size_t i = 0; i < count; i++, from += stride) {
		const struct tr_packet *packet = (const void *)from;

		if (tr_names_pause(names, packet->flow))
			continue;
		memmove(to, from, stride);
		to += stride;
		++*left;
	}
}

bool *tr_pauses_ends(const struct tr_names *names)
{
	bool *ends = calloc((size_t)names->node_count + 1, sizeof(*ends));

	for (int pauses = 1; ends && pauses >= 0; pauses--)
		for (uint32_t i = 0; i < names->flow_count; i++) {
			const struct tr_flow *flow = tr_names_find_flow(names, i);

			if (!flow || (flow->protocol == TR_PROTOCOL_PAUSE) != pauses)
				continue;
			if (flow->src < names->node_count)
				ends[flow->src] = pauses;
			if (flow->dst < names->node_count)
				ends[flow->dst] = pauses;
		}
	return ends;
}
