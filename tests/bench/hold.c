// SPDX-License-Identifier: GPL-3.0-or-later
// bench_hold PENDING exp|set STEPS: the hold model on the event set. PENDING events wait; each step
// takes the first, touches two words of its component's 64 bytes, and pushes it again some ticks
// later: exponentially distributed with mean 1000, or one of 24, 40, 96, 3400.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/events.h"
#include "trace/num.h"
#include "trace/random.h"

#define DELAYS 4096u

struct line {
	uint64_t words[8];
};

static void draw_delays(int64_t *delays, bool exponential)
{
	static const int64_t set[] = {24, 40, 96, 3400};
	struct tr_random random;

	tr_random_open(&random, 1, "hold");
	for (unsigned i = 0; i < DELAYS; i++)
		delays[i] = exponential ? 1 + (int64_t)(-1000 * log(tr_random_unit(&random)))
					: set[tr_random_below(&random, 4)];
}

static uint64_t hold(struct sim_events *events, struct line *lines, const int64_t *delays,
		     uint64_t steps)
{
	struct sim_event event;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < steps && sim_events_pop(events, &event); i++) {
		struct line *line = &lines[SIM_KEY_COMPONENT(event.key)];

		line->words[0] += (uint64_t)event.time_ticks;
		sum += ++line->words[5];
		sim_events_push(events, event.time_ticks + delays[i % DELAYS], event.key,
				event.aux);
	}
	return sum;
}

int main(int argc, char **argv)
{
	uint64_t pending, steps;
	int64_t delays[DELAYS];
	struct sim_arena arena = {0};
	struct sim_events events;
	struct line *lines;

	if (argc != 4 || num_parse_count(argv[1], 1, 10000000, &pending, NULL) != TR_OK ||
	    num_parse_count(argv[3], 1, UINT64_MAX, &steps, NULL) != TR_OK) {
		fprintf(stderr, "usage: bench_hold PENDING exp|set STEPS\n");
		return 2;
	}
	sim_events_layout(&events, &arena, (uint32_t)pending, 0);
	if (sim_arena_open(&arena, NULL) != TR_OK)
		return 2;
	sim_events_layout(&events, &arena, (uint32_t)pending, 0);
	lines = calloc(pending, sizeof(*lines));
	if (lines == NULL)
		return 2;
	draw_delays(delays, strcmp(argv[2], "exp") == 0);
	for (uint32_t i = 0; i < pending; i++)
		sim_events_push(&events, delays[(i * 7 + i / DELAYS) % DELAYS], SIM_KEY(i % 3, i),
				0);
	printf("%llu\n", (unsigned long long)hold(&events, lines, delays, steps));
	free(lines);
	sim_arena_close(&arena);
	return 0;
}
