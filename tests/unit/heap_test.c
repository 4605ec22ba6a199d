// SPDX-License-Identifier: GPL-3.0-or-later
// HEAP: what is taken is the first of what is there, after any puts, takes and changes of the
// first.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "value/heap.h"
#include "value/random.h"

#define ROUNDS 20000
#define ROOM 64

static bool number_before(const uint64_t *a, const uint64_t *b)
{
	return *a < *b;
}

HEAP(number, uint64_t, number_before);

static uint64_t least_of(const uint64_t *numbers, size_t count)
{
	uint64_t least = numbers[0];

	for (size_t i = 1; i < count; i++)
		least = numbers[i] < least ? numbers[i] : least;
	return least;
}

static void first_is_taken(void **state)
{
	struct tr_random random;
	uint64_t heap[ROOM];
	size_t count = 0;

	(void)state;
	tr_random_open(&random, 1, "heap");
	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t what = tr_random_below(&random, 3);

		if (count == 0 || (what == 0 && count < ROOM)) {
			number_put(heap, count++, tr_random_below(&random, 100));
		} else if (what == 1) {
			heap[0] += tr_random_below(&random, 50);
			number_sink(heap, count);
		} else {
			const uint64_t least = least_of(heap, count);

			assert_int_equal(number_take(heap, --count), least);
		}
		assert_true(count == 0 || heap[0] == least_of(heap, count));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
