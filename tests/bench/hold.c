// SPDX-License-Identifier: GPL-3.0-or-later
// bench_hold wheels|heap|ladder PENDING exp|set|wide STEPS: the hold model on the event set of sim, and on two
// others. PENDING events wait; each step takes the first, touches two words of its component's 64
// bytes, and pushes it again some ticks later: exponentially distributed with mean 1000; one of 24,
// 40, 96, 3400; or 1 to 10^8, all magnitudes alike. Prints a sum that is the same for all three.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "ladder.h"
#include "sim/events.h"
#include "trace/num.h"
#include "trace/random.h"

#define DELAYS 4096u

struct line {
	uint64_t words[8];
};

static void draw_delays(int64_t *delays, const char *law)
{
	static const int64_t set[] = {24, 40, 96, 3400};
	struct tr_random random;

	tr_random_open(&random, 1, "hold");
	for (unsigned i = 0; i < DELAYS; i++) {
		double u = tr_random_unit(&random);

		delays[i] = strcmp(law, "exp") == 0 ? 1 + (int64_t)(-1000 * log(u)) :
			    strcmp(law, "set") == 0 ? set[(int)(4 * u)] : (int64_t)pow(1e8, u);
	}
}

static bool heap_first(struct heap *heap, struct sim_event *out)
{
	struct heap_item item;

	if (heap->count == 0)
		return false;
	heap_pop(heap, &item);
	*out = (struct sim_event){item.time_ticks, item.key, item.aux};
	return true;
}

// The same loop for each set, so that all calls are direct. The sum knows the order.
#define HOLD(name, set_type, push, pop)                                                            \
	static uint64_t name(set_type *set, struct line *lines, const int64_t *delays,             \
			     uint32_t pending, uint64_t steps)                                     \
	{                                                                                          \
		struct sim_event event;                                                            \
		uint64_t sum = 0;                                                                  \
		for (uint32_t i = 0; i < pending; i++)                                             \
			push(set, delays[(i * 7 + i / DELAYS) % DELAYS], SIM_KEY(i % 3, i), 0);    \
		for (uint64_t i = 0; i < steps && pop(set, &event); i++) {                         \
			struct line *line = &lines[SIM_KEY_COMPONENT(event.key)];                  \
			line->words[0] += (uint64_t)event.time_ticks;                              \
			sum = sum * 31 + ++line->words[5] + event.key;                             \
			push(set, event.time_ticks + delays[i % DELAYS], event.key, event.aux);    \
		}                                                                                  \
		return sum;                                                                        \
	}

HOLD(hold_wheels, struct sim_events, sim_events_push, sim_events_pop)
HOLD(hold_heap, struct heap, heap_push, heap_first)
HOLD(hold_ladder, struct ladder, ladder_push, ladder_pop)

struct sets {
	struct sim_events wheels;
	struct heap heap;
	struct ladder ladder;
};

static void layout(struct sets *sets, const char *which, struct sim_arena *arena, uint32_t pending)
{
	if (strcmp(which, "wheels") == 0)
		sim_events_layout(&sets->wheels, arena, pending, 0);
	else if (strcmp(which, "heap") == 0)
		heap_layout(&sets->heap, arena, pending);
	else
		ladder_layout(&sets->ladder, arena, pending);
}

static int run(const char *which, uint32_t pending, const char *law, uint64_t steps)
{
	struct line *lines = calloc(pending, sizeof(*lines));
	struct sim_arena arena = {0};
	struct sets sets = {0};
	int64_t delays[DELAYS];
	uint64_t sum;

	layout(&sets, which, &arena, pending);
	if (lines == NULL || sim_arena_open(&arena, NULL) != TR_OK)
		return 2;
	layout(&sets, which, &arena, pending);
	draw_delays(delays, law);
	if (strcmp(which, "wheels") == 0)
		sum = hold_wheels(&sets.wheels, lines, delays, pending, steps);
	else if (strcmp(which, "heap") == 0)
		sum = hold_heap(&sets.heap, lines, delays, pending, steps);
	else
		sum = hold_ladder(&sets.ladder, lines, delays, pending, steps);
	printf("%llu\n", (unsigned long long)sum);
	sim_arena_close(&arena);
	free(lines);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t pending, steps;

	if (argc == 5 && num_parse_count(argv[2], 1, 10000000, &pending, NULL) == TR_OK &&
	    num_parse_count(argv[4], 1, UINT64_MAX, &steps, NULL) == TR_OK)
		return run(argv[1], (uint32_t)pending, argv[3], steps);
	fprintf(stderr, "usage: bench_hold wheels|heap|ladder PENDING exp|set|wide STEPS\n");
	return 2;
}
