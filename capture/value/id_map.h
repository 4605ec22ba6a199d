// SPDX-License-Identifier: GPL-3.0-or-later
// Maps ids of an input to ids of the output, and back.
#ifndef VALUE_ID_MAP_H
#define VALUE_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "value/id_pages.h"
#include "value/status.h"

// An array indexed by id; unset entries read as UINT32_MAX. Zero is a valid empty one.
struct tr_id_array {
	struct tr_id_pages pages; // of values, plus one
};

// One input's ids of one kind. Zero is valid; changed: some id maps to a different one.
struct tr_id_map {
	struct tr_id_array to;	 // by the input's id
	struct tr_id_array back; // by the output's id
	bool changed;
};

// The value of an id; UINT32_MAX if none was set.
uint32_t tr_id_get(const struct tr_id_array *array, uint32_t id);

// TR_ERROR: out of memory.
enum tr_status tr_id_set(struct tr_id_array *array, uint32_t id, uint32_t value,
			 struct tr_error *err);

// Maps the input's id to the output's, replacing an earlier mapping.
enum tr_status tr_id_map_set(struct tr_id_map *map, uint32_t id, uint32_t output_id,
			     struct tr_error *err);

// Frees what it holds; it is empty then.
void tr_id_array_clear(struct tr_id_array *array);
void tr_id_map_clear(struct tr_id_map *map);

#endif
