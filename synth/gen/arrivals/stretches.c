// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/stretches.h"

#include <stdlib.h>

#define PIECES 8u // of a realisation that is cut

size_t stretches_packets(const struct arrival_sample *sample)
{
	size_t packets = 0;

	for (size_t r = 0; r < sample->count; r++)
		packets += sample->each[r].count;
	return packets;
}

// Puts the pieces of one realisation, which are together share of it; returns how many.
static size_t cut(const struct arrival_times *times, double share, struct arrival_times *out)
{
	const size_t each = (size_t)(share * (double)times->count / PIECES);

	if (each < 2)
		return 0;
	for (size_t i = 0; i < PIECES; i++) {
		const size_t first = i * (times->count / PIECES);

		out[i] = (struct arrival_times){.ticks = times->ticks + first + 1,
						.count = each - 1,
						.begin_ticks = times->ticks[first],
						.end_ticks = times->ticks[first + each - 1] + 1};
	}
	return PIECES;
}

enum tr_status stretches_take(struct arrival_sample *out, const struct arrival_sample *sample, size_t packets,
			      struct tr_error *err)
{
	const size_t all = stretches_packets(sample);
	struct arrival_times *each = calloc(sample->count * PIECES + 1, sizeof(*each));

	*out = *sample;
	out->each = each;
	if (!each)
		return tr_no_memory(err, "%zu realisations", sample->count);
	out->count = 0;
	for (size_t r = 0; r < sample->count; r++) {
		if (all <= packets)
			each[out->count++] = sample->each[r];
		else
			out->count += cut(&sample->each[r], (double)packets / (double)all, each + out->count);
	}
	return TR_OK;
}
