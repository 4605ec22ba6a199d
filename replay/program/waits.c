// SPDX-License-Identifier: GPL-3.0-or-later
// For which messages the ranks' processors have waited: by rank, source and tag.
#include <stdlib.h>

#include "program/state.h"

static int by_time(const void *a, const void *b)
{
	const struct program_wait *x = a;
	const struct program_wait *y = b;
	int64_t x_ticks = x->sender_ticks + x->network_ticks;
	int64_t y_ticks = y->sender_ticks + y->network_ticks;

	if (x_ticks != y_ticks)
		return x_ticks < y_ticks ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

size_t program_waits(const struct program *program, struct program_wait **out)
{
	const struct matching *matching = &program->matching;
	size_t count = 0;

	*out = NULL;
	if (!matching->waits)
		return 0;
	for (uint32_t i = 0; i <= matching->mask; i++)
		count += matching->waits[i].messages > 0;
	*out = calloc(count + 1, sizeof(**out));
	if (!*out)
		return SIZE_MAX;
	count = 0;
	for (uint32_t i = 0; i <= matching->mask; i++) {
		if (matching->waits[i].messages == 0)
			continue;
		(*out)[count] = matching->waits[i];
		(*out)[count].rank = matching->buckets[i].rank;
		(*out)[count].source = matching->buckets[i].source;
		(*out)[count++].tag = matching->buckets[i].tag;
	}
	qsort(*out, count, sizeof(**out), by_time);
	return count;
}
