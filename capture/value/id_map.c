// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/id_map.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u

uint32_t tr_id_get(const struct tr_id_array *array, uint32_t id)
{
	return id < array->capacity ? array->values[id] : UINT32_MAX;
}

enum tr_status tr_id_set(struct tr_id_array *array, uint32_t id, uint32_t value,
			 struct tr_error *err)
{
	uint64_t capacity = array->capacity ? array->capacity : FIRST_CAPACITY;
	uint32_t *larger;

	if (id >= array->capacity) {
		while (capacity <= id)
			capacity *= 2;
		if (capacity > UINT32_MAX)
			capacity = UINT32_MAX;
		larger = reallocarray(array->values, capacity, sizeof(*larger));
		if (!larger || id >= capacity)
			return tr_no_memory(err, "ids");
		memset(larger + array->capacity, 0xff,
		       (capacity - array->capacity) * sizeof(*larger));
		array->values = larger;
		array->capacity = (uint32_t)capacity;
	}
	array->values[id] = value;
	return TR_OK;
}

enum tr_status tr_id_map_set(struct tr_id_map *map, uint32_t id, uint32_t output_id,
			     struct tr_error *err)
{
	uint32_t before = tr_id_get(&map->to, id);

	map->changed |= id != output_id;
	if (before != UINT32_MAX && tr_id_set(&map->back, before, UINT32_MAX, err) != TR_OK)
		return TR_ERROR;
	if (tr_id_set(&map->to, id, output_id, err) != TR_OK)
		return TR_ERROR;
	return tr_id_set(&map->back, output_id, id, err);
}

void tr_id_array_clear(struct tr_id_array *array)
{
	free(array->values);
	*array = (struct tr_id_array){.values = NULL};
}

void tr_id_map_clear(struct tr_id_map *map)
{
	tr_id_array_clear(&map->to);
	tr_id_array_clear(&map->back);
}
