// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of runs against a plain array of starts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/myrinet/runs/list.h"
#include "trace/random.h"

#define MOST 400u
#define FIRST UINT32_MAX - 50 // numbers go round

struct pair {
	struct run_list list;
	struct run store[MOST];
	int64_t starts[MOST]; // of the characters FIRST ..
	uint32_t count;
	uint32_t trimmed; // no longer in the list, at most
};

static uint64_t below(struct tr_random *random, uint64_t n)
{
	return tr_random_below(random, n);
}

static void open_pair(struct pair *pair)
{
	pair->count = pair->trimmed = 0;
	run_list_start(&pair->list, pair->store, MOST);
	pair->list.end = FIRST;
}

static void append(struct pair *pair, struct tr_random *random)
{
	uint32_t count = 1 + (uint32_t)below(random, 4);
	int64_t spacing = 1 + (int64_t)below(random, 3);
	int64_t ticks = (pair->count > 0 ? pair->starts[pair->count - 1] : 0) + 1 +
			(int64_t)below(random, 4);

	if (pair->count + count > MOST)
		return;
	run_append(&pair->list, ticks, spacing, count);
	for (uint32_t i = 0; i < count; i++)
		pair->starts[pair->count++] = ticks + i * spacing;
}

static void check(const struct pair *pair)
{
	const struct run_list *list = &pair->list;
	uint32_t first = list->count > 0 ? list->items[0].index - (FIRST) : pair->count;
	int64_t last = pair->count > 0 ? pair->starts[pair->count - 1] : RUN_LONG_AGO;

	assert_int_equal(list->end - (FIRST), pair->count);
	assert_true(first <= pair->trimmed || list->count == 0);
	assert_int_equal(run_last(list), last);
	for (uint32_t i = first; i < pair->count; i++) {
		assert_int_equal(run_start(list, (FIRST) + i), pair->starts[i]);
		if (i > 0)
			assert_int_equal(run_start_before(list, (FIRST) + i), pair->starts[i - 1]);
	}
	if (first == pair->count)
		return;
	for (int64_t ticks = pair->starts[first] - 2; ticks < last + 3; ticks++) {
		uint32_t i = first;

		while (i < pair->count && pair->starts[i] < ticks)
			i++;
		assert_int_equal(run_from(list, ticks) - (FIRST), i);
	}
}

static void lists_are_their_characters(void **state)
{
	struct tr_random random;
	struct pair pair;

	(void)state;
	tr_random_open(&random, 3, "lists");
	for (int round = 0; round < 60; round++) {
		open_pair(&pair);
		for (int step = 0; step < 60; step++) {
			uint32_t inside = pair.count - pair.trimmed;

			if (below(&random, 5) != 0) {
				append(&pair, &random);
			} else if (inside > 1 && below(&random, 2)) {
				pair.count -= (uint32_t)below(&random, inside);
				run_cut(&pair.list, (FIRST) + pair.count);
			} else if (inside > 1) {
				pair.trimmed += (uint32_t)below(&random, inside);
				run_trim(&pair.list, (FIRST) + pair.trimmed);
			}
			check(&pair);
		}
	}
}

static void characters_that_continue_a_run_are_of_it(void **state)
{
	struct pair pair;

	(void)state;
	open_pair(&pair);
	run_append(&pair.list, 100, 7, 1);
	run_append(&pair.list, 140, 40, 3); // the first one's spacing was open
	run_append(&pair.list, 260, 1, 1);
	assert_int_equal(pair.list.count, 1);
	assert_int_equal(run_start(&pair.list, (FIRST) + 4), 260);
	run_append(&pair.list, 300, 30, 2);
	assert_int_equal(pair.list.count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_their_characters),
		cmocka_unit_test(characters_that_continue_a_run_are_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
