// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/matrix.h"

#include <stdlib.h>

#define CAPACITY_MIN 64

// Fibonacci hashing (Knuth, volume 3, section 6.4).
static size_t slot_of(const struct matrix *matrix, uint32_t src, uint32_t dst)
{
	const uint64_t key = ((uint64_t)src << 32 | dst) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(key ^ key >> 32) & (matrix->capacity - 1);
}

// The pair's cell, or the free one where it would stand.
static struct matrix_cell *cell_of(const struct matrix *matrix, uint32_t src, uint32_t dst)
{
	size_t slot = slot_of(matrix, src, dst);

	while (matrix->cells[slot].packets > 0 &&
	       (matrix->cells[slot].src != src || matrix->cells[slot].dst != dst))
		slot = (slot + 1) & (matrix->capacity - 1);
	return &matrix->cells[slot];
}

enum tr_status matrix_reserve(struct matrix *matrix, struct tr_error *err)
{
	struct matrix larger = *matrix;

	if (2 * (matrix->pairs + 1) <= matrix->capacity)
		return TR_OK;
	larger.capacity = matrix->capacity ? 2 * matrix->capacity : CAPACITY_MIN;
	larger.cells = calloc(larger.capacity, sizeof *larger.cells);
	if (!larger.cells)
		return tr_no_memory(err, "%zu pairs of nodes", larger.capacity / 2);
	for (size_t i = 0; i < matrix->capacity; i++)
		if (matrix->cells[i].packets > 0)
			*cell_of(&larger, matrix->cells[i].src, matrix->cells[i].dst) =
				matrix->cells[i];
	free(matrix->cells);
	*matrix = larger;
	return TR_OK;
}

void matrix_add(struct matrix *matrix, uint32_t src, uint32_t dst, uint64_t packets,
		uint64_t size_bytes)
{
	struct matrix_cell *cell = cell_of(matrix, src, dst);

	if (packets == 0)
		return;
	if (cell->packets == 0 && matrix->max_pairs && matrix->pairs >= matrix->max_pairs) {
		cell = &matrix->rest;
	} else if (cell->packets == 0) {
		cell->src = src;
		cell->dst = dst;
		matrix->pairs++;
	}
	cell->packets += packets;
	cell->size_bytes += size_bytes;
}

const struct matrix_cell *matrix_find(const struct matrix *matrix, uint32_t src, uint32_t dst)
{
	const struct matrix_cell *cell = matrix->capacity ? cell_of(matrix, src, dst) : NULL;

	return cell && cell->packets > 0 ? cell : NULL;
}

enum tr_status matrix_merge(struct matrix *into, const struct matrix *from, struct tr_error *err)
{
	for (size_t i = 0; i < from->capacity; i++) {
		const struct matrix_cell *cell = &from->cells[i];

		if (cell->packets == 0)
			continue;
		if (matrix_reserve(into, err) != TR_OK)
			return TR_ERROR;
		matrix_add(into, cell->src, cell->dst, cell->packets, cell->size_bytes);
	}
	into->rest.packets += from->rest.packets;
	into->rest.size_bytes += from->rest.size_bytes;
	return TR_OK;
}

// Pairs before free cells, then by source and destination.
static int compare(const void *a, const void *b)
{
	const struct matrix_cell *p = a, *q = b;

	if ((p->packets == 0) != (q->packets == 0))
		return p->packets == 0 ? 1 : -1;
	if (p->src != q->src)
		return p->src < q->src ? -1 : 1;
	return p->dst < q->dst ? -1 : p->dst > q->dst;
}

void matrix_sort(struct matrix *matrix)
{
	if (matrix->capacity > 0)
		qsort(matrix->cells, matrix->capacity, sizeof *matrix->cells, compare);
}

void matrix_clear(struct matrix *matrix)
{
	free(matrix->cells);
	*matrix = (struct matrix){.max_pairs = matrix->max_pairs};
}
