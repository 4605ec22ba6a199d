// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "gen/draw.h"

int64_t source_end_ticks(const struct generator_settings *settings, double duration_s)
{
	return settings->end_ticks ? settings->end_ticks
				   : (int64_t)fmin(SOURCE_FAR_TICKS, duration_s * (double)settings->ticks_per_s);
}

void source_draw_others(struct tr_random *random, uint32_t nodes, uint32_t self, uint32_t *out, size_t count)
{
	const uint32_t others = nodes - (self < nodes);
	uint64_t bits[DRAW_BLOCK];

	// Of the numbers below it a share of less than others / 2^64 is drawn again (tr_random_below): one by one then.
	for (size_t n = 0, some; n < count; n += some) {
		const struct tr_random before = *random;
		bool again = false;

		some = count - n < DRAW_BLOCK ? count - n : DRAW_BLOCK;
		tr_random_fill(random, bits, some);
		for (size_t i = 0; i < some; i++) {
			const unsigned __int128 product = (unsigned __int128)bits[i] * others;
			const uint32_t node = (uint32_t)(product >> 64);

			again |= (uint64_t)product < others;
			out[n + i] = node + (node >= self);
		}
		if (!__builtin_expect(again, 0))
			continue;
		*random = before;
		for (size_t i = 0; i < some; i++)
			out[n + i] = source_draw_other(random, 0, nodes, self);
	}
}

void source_streams_open(const struct source_stream *streams, size_t count, uint64_t seed, const char *who, ...)
{
	char source[64], name[96];
	va_list values;

	va_start(values, who);
	(void)vsnprintf(source, sizeof source, who, values);
	va_end(values);
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(name, sizeof name, "%s/%s", source, streams[i].name);
		tr_random_open(streams[i].random, seed, name);
	}
}

enum tr_role source_worker(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES])
{
	(void)state;
	(void)snprintf(address, GENERATOR_NAME_BYTES, "node%u", id);
	return TR_ROLE_WORKER;
}
