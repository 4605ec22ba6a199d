// SPDX-License-Identifier: GPL-3.0-or-later
// GROW and its like keep what an array has, give the room that was asked for, zero what is new
// where that is asked for, and leave the array alone where the room cannot be had.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "value/grow.h"

#define ITEMS 5000u

static void appends(void **state)
{
	uint64_t *wide = NULL;
	uint16_t *counted = NULL;
	uint32_t room = 0;
	unsigned grown = 0;

	(void)state;
	for (uint32_t i = 0; i < ITEMS; i++) {
		const uint32_t before = room;

		assert_true(GROW(wide, room, i));
		assert_true(room > i);
		grown += room != before;
		wide[i] = i * UINT64_C(0x100000001);
		assert_true(GROW_BY_COUNT(counted, i));
		counted[i] = (uint16_t)i;
	}
	assert_true(grown <= 13);
	for (uint32_t i = 0; i < ITEMS; i++)
		assert_true(wide[i] == i * UINT64_C(0x100000001) && counted[i] == i);
	free(wide);
	free(counted);
}

static void zeroes_what_is_new(void **state)
{
	uint32_t *items = NULL;
	size_t room = 0;

	(void)state;
	for (size_t index = 0; index < ITEMS; index = 3 * index + 1) {
		const size_t before = room;

		assert_true(GROW_ZEROED(items, room, index));
		for (size_t i = before; i < room; i++) {
			assert_int_equal(items[i], 0);
			items[i] = UINT32_MAX;
		}
	}
	for (size_t i = 0; i < room; i++)
		assert_int_equal(items[i], UINT32_MAX);
	free(items);
}

static void gives_as_much_as_needed(void **state)
{
	char *text = NULL;
	size_t room = 0, needed = ITEMS;

	(void)state;
	assert_true(GROW_TO(text, room, needed));
	assert_true(room >= ITEMS);
	text[ITEMS - 1] = 'x';
	free(text);
}

static void refuses_more_than_can_be_counted(void **state)
{
	uint64_t *items = NULL;
	uint32_t room = 0;
	size_t wide_room = 0;
	uint64_t most = UINT32_MAX, all = SIZE_MAX / 4;

	(void)state;
	assert_false(GROW(items, room, most));
	assert_false(GROW_TO(items, room, most + 1));
	assert_false(GROW_TO(items, wide_room, all));
	assert_true(items == NULL && room == 0 && wide_room == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appends),
		cmocka_unit_test(zeroes_what_is_new),
		cmocka_unit_test(gives_as_much_as_needed),
		cmocka_unit_test(refuses_more_than_can_be_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
