// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/packet_source.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

int64_t source_end_ticks(const struct generator_settings *settings, double duration_s)
{
	return settings->end_ticks ? settings->end_ticks
				   : (int64_t)fmin(SOURCE_FAR_TICKS,
						   duration_s * (double)settings->ticks_per_s);
}

#define SUMMED 64u // gaps; each is below FAR, so their sum stays in range
#define FAR 0x1p50

// Each step depends on the remainder of the previous one, so the loop does nothing else.
static inline __attribute__((always_inline)) void sum_by_floor(double *part, int64_t ticks,
							       const double *gap_ticks,
							       int64_t *out, size_t count)
{
	double exact[SUMMED], rest = *part;

	for (size_t i = 0; i < count; i++) {
		exact[i] = rest + gap_ticks[i];
		rest = exact[i] - floor(exact[i]);
	}
	for (size_t i = 0; i < count; i++)
		out[i] = ticks += (int64_t)exact[i];
	*part = rest;
}

#ifdef __x86_64__

// floor is one instruction here.
__attribute__((target("sse4.1"))) static void sum_gaps_sse41(double *part, int64_t ticks,
							     const double *gap_ticks, int64_t *out,
							     size_t count)
{
	sum_by_floor(part, ticks, gap_ticks, out, count);
}

#endif

static void sum_gaps(double *part, int64_t ticks, const double *gap_ticks, int64_t *out,
		     size_t count)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.1")) {
		sum_gaps_sse41(part, ticks, gap_ticks, out, count);
		return;
	}
#endif
	sum_by_floor(part, ticks, gap_ticks, out, count);
}

void source_later_many(double *part, int64_t ticks, const double *gap_ticks, int64_t *out,
		       size_t count)
{
	for (size_t done = 0, some; done < count; done += some) {
		bool near = ticks < INT64_C(1) << 61;

		some = count - done < SUMMED ? count - done : SUMMED;
		for (size_t i = 0; i < some; i++)
			near &= gap_ticks[done + i] < FAR;
		if (near) {
			sum_gaps(part, ticks, gap_ticks + done, out + done, some);
			ticks = out[done + some - 1];
			continue;
		}
		for (size_t i = 0; i < some; i++)
			out[done + i] = ticks = source_later(part, ticks, gap_ticks[done + i]);
	}
}

void source_draw_others(struct tr_random *random, uint32_t nodes, uint32_t self, uint32_t *out,
			size_t count)
{
	tr_random_below_fill(random, nodes - (self < nodes), out, count);
	for (size_t i = 0; i < count; i++)
		out[i] += out[i] >= self;
}

void source_streams_open(const struct source_stream *streams, size_t count, uint64_t seed,
			 const char *who, ...)
{
	char source[64], name[96];
	va_list values;

	va_start(values, who);
	(void)vsnprintf(source, sizeof(source), who, values);
	va_end(values);
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(name, sizeof(name), "%s/%s", source, streams[i].name);
		tr_random_open(streams[i].random, seed, name);
	}
}

enum tr_role source_worker(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES])
{
	(void)state;
	(void)snprintf(address, GENERATOR_NAME_BYTES, "node%u", id);
	return TR_ROLE_WORKER;
}
