// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/nodes/matrix.h"
#include "value/grow.h"

#include <stdlib.h>

static uint64_t hash_of(const struct matrix *matrix, uint32_t src, uint32_t dst)
{
	return tr_hash_fold((uint64_t)src << 32 | dst, matrix->places.seed | 1);
}

static struct matrix_cell *cell_of(const struct matrix *matrix, uint32_t src, uint32_t dst,
				   uint64_t value)
{
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&matrix->places, value, &at)) != TR_HASH_NONE)
		if (matrix->cells[place].src == src && matrix->cells[place].dst == dst)
			return &matrix->cells[place];
	return NULL;
}

size_t matrix_add(struct matrix *matrix, uint32_t src, uint32_t dst, uint64_t packets,
		  uint64_t size_bytes)
{
	const uint64_t value = hash_of(matrix, src, dst);
	struct matrix_cell *cell;

	if (packets == 0)
		return SIZE_MAX;
	cell = cell_of(matrix, src, dst, value);
	if (!cell && matrix->max_pairs && matrix->pairs >= matrix->max_pairs) {
		cell = &matrix->rest;
	} else if (!cell) {
		tr_hash_add(&matrix->places, value, (uint32_t)matrix->pairs);
		cell = &matrix->cells[matrix->pairs++];
		*cell = (struct matrix_cell){.src = src, .dst = dst};
	}
	cell->packets += packets;
	cell->size_bytes += size_bytes;
	return cell == &matrix->rest ? SIZE_MAX : (size_t)(cell - matrix->cells);
}

const struct matrix_cell *matrix_find(const struct matrix *matrix, uint32_t src, uint32_t dst)
{
	return cell_of(matrix, src, dst, hash_of(matrix, src, dst));
}

enum tr_status matrix_merge(struct matrix *into, const struct matrix *from, struct tr_error *err)
{
	for (size_t i = 0; i < from->pairs; i++) {
		const struct matrix_cell *cell = &from->cells[i];

		if (matrix_reserve(into, err) != TR_OK)
			return TR_ERROR;
		matrix_add(into, cell->src, cell->dst, cell->packets, cell->size_bytes);
	}
	into->rest.packets += from->rest.packets;
	into->rest.size_bytes += from->rest.size_bytes;
	return TR_OK;
}

void matrix_exchange(struct matrix *matrix, struct partial *partial)
{
	const bool reads = partial_reads(partial);
	uint64_t pairs = matrix->pairs;
	struct tr_error err;

	if (matrix->rest.packets > 0)
		partial_refuse(partial, "more than %llu pairs of nodes (--memory)",
			       (unsigned long long)matrix->max_pairs);
	partial_u64(partial, &pairs, PARTIAL_COUNT_MAX);
	if (matrix->max_pairs && pairs > matrix->max_pairs)
		partial_refuse(partial, "more than %llu pairs of nodes (--memory)",
			       (unsigned long long)matrix->max_pairs);
	for (size_t i = 0; i < pairs && partial_ok(partial); i++) {
		struct matrix_cell cell = reads ? (struct matrix_cell){0} : matrix->cells[i];
		uint64_t src = cell.src, dst = cell.dst;

		partial_u64(partial, &src, UINT32_MAX);
		partial_u64(partial, &dst, UINT32_MAX);
		partial_u64(partial, &cell.packets, PARTIAL_COUNT_MAX);
		partial_u64(partial, &cell.size_bytes, PARTIAL_COUNT_MAX);
		if (reads && matrix_reserve(matrix, &err) != TR_OK)
			partial_refuse(partial, "%s", err.text);
		else if (reads)
			matrix_add(matrix, (uint32_t)src, (uint32_t)dst, cell.packets,
				   cell.size_bytes);
	}
}

bool matrix_is_before(const struct matrix_cell *a, const struct matrix_cell *b)
{
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes;
	if (a->packets != b->packets)
		return a->packets > b->packets;
	return a->src != b->src ? a->src < b->src : a->dst < b->dst;
}

static int compare_matrix_cells(const void *a, const void *b)
{
	return matrix_is_before(a, b) ? -1 : matrix_is_before(b, a);
}

void matrix_sort(struct matrix *matrix)
{
	if (matrix->pairs > 0)
		qsort(matrix->cells, matrix->pairs, sizeof(*matrix->cells), compare_matrix_cells);
}

static int by_node_id(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static int by_node_bytes(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	if (x->size_bytes != y->size_bytes)
		return x->size_bytes < y->size_bytes ? 1 : -1;
	return by_node_id(a, b);
}

// One row for each node of each pair.
static size_t list_ends(const struct matrix *matrix, struct node_bytes *ends)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		ends[count++] = (struct node_bytes){cell->src, cell->size_bytes};
		if (cell->dst != cell->src)
			ends[count++] = (struct node_bytes){cell->dst, cell->size_bytes};
	}
	return count;
}

// Joins the rows of a node; returns how many nodes there are.
static size_t join_same_nodes(struct node_bytes *ends, size_t count)
{
	size_t nodes = 0;

	qsort(ends, count, sizeof(*ends), by_node_id);
	for (size_t i = 0; i < count; i++)
		if (nodes > 0 && ends[nodes - 1].node == ends[i].node)
			ends[nodes - 1].size_bytes += ends[i].size_bytes;
		else
			ends[nodes++] = ends[i];
	return nodes;
}

struct node_bytes *matrix_nodes(const struct matrix *matrix, size_t *count)
{
	struct node_bytes *ends = calloc(2 * matrix->pairs + 1, sizeof(*ends));

	*count = 0;
	if (!ends)
		return NULL;
	*count = join_same_nodes(ends, list_ends(matrix, ends));
	qsort(ends, *count, sizeof(*ends), by_node_bytes);
	return ends;
}

void matrix_clear(struct matrix *matrix)
{
	free(matrix->cells);
	tr_hash_clear(&matrix->places);
	*matrix = (struct matrix){.max_pairs = matrix->max_pairs};
}
