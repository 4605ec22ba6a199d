// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/id_map.h"

#include <stddef.h>

uint32_t tr_id_get(const struct tr_id_array *array, uint32_t id)
{
	const uint32_t *value = tr_id_pages_at(&array->pages, id, sizeof(*value));

	return value ? *value - 1 : UINT32_MAX;
}

enum tr_status tr_id_set(struct tr_id_array *array, uint32_t id, uint32_t value,
			 struct tr_error *err)
{
	uint32_t *at = tr_id_pages_make(&array->pages, id, sizeof(*at));

	if (!at)
		return tr_no_memory(err, "ids");
	*at = value + 1;
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
	tr_id_pages_clear(&array->pages);
}

void tr_id_map_clear(struct tr_id_map *map)
{
	tr_id_array_clear(&map->to);
	tr_id_array_clear(&map->back);
}
