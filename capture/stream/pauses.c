// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/pauses.h"

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
