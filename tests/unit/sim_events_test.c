// SPDX-License-Identifier: GPL-3.0-or-later
// The event set against a plain list that is searched for the least (time, phase, component,
// sequence).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/events.h"
#include "trace/random.h"

struct plain {
	int64_t time_ticks;
	uint32_t key;
	uint32_t aux; // also the sequence
};

struct pair {
	struct sim_arena arena;
	struct sim_events events;
	struct plain list[512];
	uint32_t count;
	uint32_t sequence;
};

static void open_pair(struct pair *pair, uint32_t capacity, int64_t start)
{
	*pair = (struct pair){0};
	sim_events_layout(&pair->events, &pair->arena, capacity, start);
	assert_int_equal(sim_arena_open(&pair->arena, NULL), TR_OK);
	sim_events_layout(&pair->events, &pair->arena, capacity, start);
	assert_false(sim_arena_broken(&pair->arena));
}

static void push(struct pair *pair, int64_t time_ticks, uint32_t key)
{
	sim_events_push(&pair->events, time_ticks, key, pair->sequence);
	pair->list[pair->count++] = (struct plain){time_ticks, key, pair->sequence++};
}

static struct plain pop_plain(struct pair *pair)
{
	uint32_t least = 0;
	struct plain found;

	for (uint32_t i = 1; i < pair->count; i++) {
		const struct plain *a = &pair->list[i], *b = &pair->list[least];

		if (a->time_ticks != b->time_ticks ? a->time_ticks < b->time_ticks :
		    a->key != b->key ? a->key < b->key : a->aux < b->aux)
			least = i;
	}
	found = pair->list[least];
	pair->list[least] = pair->list[--pair->count];
	return found;
}

static void pop_both(struct pair *pair)
{
	struct plain want = pop_plain(pair);
	struct sim_event got;

	assert_true(sim_events_pop(&pair->events, &got));
	assert_int_equal(got.time_ticks, want.time_ticks);
	assert_int_equal(got.key, want.key);
	assert_int_equal(got.aux, want.aux);
	assert_int_equal(pair->events.now_ticks, want.time_ticks);
	assert_int_equal(pair->events.pending, pair->count);
}

// Delays that meet in one tick, lie at the wheel's edges, and beyond it.
static int64_t draw_delay(struct tr_random *random)
{
	static const int64_t delays[] = {0,    0,    1,	    63,	   64,	  225,	 240,	1200,
					 4095, 4096, 16382, 16383, 16384, 16385, 40000, 6392045};

	if (tr_random_below(random, 4) == 0)
		return (int64_t)tr_random_below(random, 20000);
	if (tr_random_below(random, 8) == 0) // across the edges of the upper wheels
		return ((int64_t)1 << tr_random_below(random, 40)) - 1 +
		       (int64_t)tr_random_below(random, 3);
	return delays[tr_random_below(random, sizeof(delays) / sizeof(*delays))];
}

static void random_work_keeps_the_total_order(void **state)
{
	static const int64_t starts[] = {0, -5, 16383, 1234567890123, -1234567890123, INT64_MIN / 2};
	struct tr_random random;
	struct pair *pair = malloc(sizeof(*pair));

	(void)state;
	tr_random_open(&random, 1, "events");
	for (int round = 0; round < 48; round++) {
		open_pair(pair, 512, starts[round % 6]);
		for (int step = 0; step < 4000; step++) {
			if (pair->count < 400 && tr_random_below(&random, 400) >= pair->count)
				push(pair, pair->events.now_ticks + draw_delay(&random),
				     SIM_KEY(tr_random_below(&random, SIM_PHASES),
					     tr_random_below(&random, 6)));
			else
				pop_both(pair);
		}
		while (pair->count > 0)
			pop_both(pair);
		assert_false(sim_events_pop(&pair->events, &(struct sim_event){0}));
		assert_false(pair->events.exhausted);
		sim_arena_close(&pair->arena);
	}
	free(pair);
}

// Hundreds of events in a tick, in any order of keys, and more that are caused while it lasts.
static void crowded_ticks_keep_the_total_order(void **state)
{
	struct tr_random random;
	struct pair *pair = malloc(sizeof(*pair));

	(void)state;
	tr_random_open(&random, 3, "events");
	for (int round = 0; round < 60; round++) {
		uint32_t components = 1 + (uint32_t)tr_random_below(&random, 1000000);
		int64_t later = 1 + draw_delay(&random);

		open_pair(pair, 512, round);
		for (int i = 0; i < 300; i++)
			push(pair, round + later + (int64_t)tr_random_below(&random, 2),
			     SIM_KEY(tr_random_below(&random, SIM_PHASES),
				     tr_random_below(&random, components)));
		while (pair->count > 0) {
			pop_both(pair);
			if (pair->sequence < 450 && tr_random_below(&random, 2))
				push(pair, pair->events.now_ticks,
				     SIM_KEY(tr_random_below(&random, SIM_PHASES),
					     tr_random_below(&random, components)));
		}
		sim_arena_close(&pair->arena);
	}
	free(pair);
}

// What would_be_next says is what happens.
static void would_be_next_foretells_the_next(void **state)
{
	struct tr_random random;
	struct pair *pair = malloc(sizeof(*pair));

	(void)state;
	tr_random_open(&random, 2, "events");
	open_pair(pair, 512, 0);
	for (int step = 0; step < 3000; step++) {
		for (int i = 0; i < 3; i++)
			push(pair, pair->events.now_ticks + (int64_t)tr_random_below(&random, 3),
			     SIM_KEY(tr_random_below(&random, 5), tr_random_below(&random, 3)));
		pop_both(pair);
		unsigned phase = (unsigned)tr_random_below(&random, 5);
		bool next = sim_events_would_be_next(&pair->events, phase);

		push(pair, pair->events.now_ticks, SIM_KEY(phase, 7));
		struct plain first = pop_plain(pair);

		pair->list[pair->count++] = first;
		if (next)
			assert_int_equal(first.aux, pair->sequence - 1);
		while (pair->count > 100)
			pop_both(pair);
	}
	sim_arena_close(&pair->arena);
	free(pair);
}

static void a_full_set_says_so(void **state)
{
	struct pair *pair = malloc(sizeof(*pair));

	(void)state;
	open_pair(pair, 3, 0);
	for (int i = 0; i < 3; i++)
		push(pair, 5, SIM_KEY(0, 1));
	assert_false(pair->events.exhausted);
	sim_events_push(&pair->events, 5, 0, 0);
	assert_true(pair->events.exhausted);
	sim_arena_close(&pair->arena);
	free(pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_work_keeps_the_total_order),
		cmocka_unit_test(crowded_ticks_keep_the_total_order),
		cmocka_unit_test(would_be_next_foretells_the_next),
		cmocka_unit_test(a_full_set_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
