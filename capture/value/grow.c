// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 4u

// Resizes the array whose pointer is at items; false, and unchanged, if out of memory.
static bool grow_resize(void *items, size_t item_bytes, uint64_t room)
{
	void *array;

	if (room > SIZE_MAX / item_bytes)
		return false;
	memcpy(&array, items, sizeof(array));
	array = realloc(array, room * item_bytes);
	if (array)
		memcpy(items, &array, sizeof(array));
	return array;
}

bool grow_to(void *items, size_t item_bytes, void *room, size_t room_bytes, uint64_t needed,
	     bool zeroed)
{
	const bool narrow = room_bytes == sizeof(uint32_t);
	const uint64_t most = narrow ? UINT32_MAX : SIZE_MAX;
	const uint64_t before = narrow ? *(const uint32_t *)room : *(const uint64_t *)room;
	uint64_t larger = before > most / 2 ? most : 2 * before;
	char *array;

	larger = larger < FIRST_ROOM ? FIRST_ROOM : larger;
	larger = larger < needed ? needed : larger;
	if (larger > most || !grow_resize(items, item_bytes, larger))
		return false;
	memcpy(&array, items, sizeof(array));
	if (zeroed)
		memset(array + before * item_bytes, 0, (larger - before) * item_bytes);
	if (narrow)
		*(uint32_t *)room = (uint32_t)larger;
	else
		*(uint64_t *)room = larger;
	return true;
}

bool grow_by_count(void *items, size_t item_bytes, uint64_t count)
{
	return grow_resize(items, item_bytes, count > 0 ? 2 * count : 1);
}
