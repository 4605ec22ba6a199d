// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

int64_t source_end_ticks(const struct generator_settings *settings, double duration_s)
{
	return settings->end_ticks ? settings->end_ticks
				   : (int64_t)fmin(SOURCE_FAR_TICKS, duration_s * (double)settings->ticks_per_s);
}

void source_draw_others(struct tr_random *random, uint32_t nodes, uint32_t self, uint32_t *out, size_t count)
{
	tr_random_below_fill(random, nodes - (self < nodes), out, count);
	for (size_t i = 0; i < count; i++)
		out[i] += out[i] >= self;
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
