// SPDX-License-Identifier: GPL-3.0-or-later
// Which id of the output an id of an input has become, and back.
#ifndef TRACE_ID_MAP_H
#define TRACE_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/status.h"

// An array by id that grows; what was never set reads as UINT32_MAX. Zero is a valid empty one.
struct tr_id_array {
	uint32_t *values;
	uint32_t capacity;
};

// One input's ids of one kind. Zero is valid; changed is whether an id became another.
struct tr_id_map {
	struct tr_id_array to;	 // by the input's id
	struct tr_id_array back; // by the output's id
	bool changed;
};

uint32_t tr_id_get(const struct tr_id_array *array, uint32_t id);

// TR_ERROR: memory ended.
enum tr_status tr_id_set(struct tr_id_array *array, uint32_t id, uint32_t value, struct tr_error *err);

// Says that the input's id is the output's; what the input's id was before is forgotten.
enum tr_status tr_id_map_set(struct tr_id_map *map, uint32_t id, uint32_t output_id, struct tr_error *err);

void tr_id_array_clear(struct tr_id_array *array);
void tr_id_map_clear(struct tr_id_map *map);

#endif
