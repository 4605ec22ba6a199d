// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic matrix: packets and bytes from each node to each other. Only pairs with traffic take
// memory, at most 80 bytes a pair.
#ifndef STAT_MATRIX_H
#define STAT_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/counts/partial.h"
#include "value/grow.h"
#include "value/hash.h"
#include "value/status.h"

struct matrix_cell {
	uint32_t src;
	uint32_t dst;
	uint64_t packets;
	uint64_t size_bytes;
};

// Zero is a valid empty one with no bound.
struct matrix {
	uint64_t max_pairs; // 0 for no bound
	size_t pairs, capacity;
	struct matrix_cell *cells; // of the pairs, in order of appearance
	struct tr_hash places;	   // of the cells
	struct matrix_cell rest;   // of the pairs beyond the bound
};

// Makes room for a pair that may be new. TR_ERROR if out of memory; beyond max_pairs it succeeds,
// and the pair will count in rest.
static inline enum tr_status matrix_reserve(struct matrix *matrix, struct tr_error *err)
{
	return GROW(matrix->cells, matrix->capacity, matrix->pairs) &&
			       tr_hash_reserve(&matrix->places)
		       ? TR_OK
		       : tr_no_memory(err, "%zu pairs of nodes", matrix->pairs);
}

// Adds packets; matrix_reserve must have been called since the last new pair. Returns the place of
// the pair's cell, SIZE_MAX for rest's.
size_t matrix_add(struct matrix *matrix, uint32_t src, uint32_t dst, uint64_t packets,
		  uint64_t size_bytes);

// The pair's cell, NULL if it has none.
const struct matrix_cell *matrix_find(const struct matrix *matrix, uint32_t src, uint32_t dst);

// Adds all of from. TR_ERROR as matrix_reserve; into then has a part.
enum tr_status matrix_merge(struct matrix *into, const struct matrix *from, struct tr_error *err);

// Writes one to a partial, or adds one that is read. Failures are the partial's: also of one with a
// rest, as which pairs are beyond the bound depends on the order of the packets.
void matrix_exchange(struct matrix *matrix, struct partial *partial);

// Whether a comes before b: most bytes first, then most packets, then by source and destination.
bool matrix_is_before(const struct matrix_cell *a, const struct matrix_cell *b);

// Sorts the pairs in that order. Nothing may be added or looked up afterwards.
void matrix_sort(struct matrix *matrix);

// A node of a matrix and the bytes that it sends or receives.
struct node_bytes {
	uint32_t node;
	uint64_t size_bytes;
};

// The nodes of a matrix, that with most bytes first, in a list for the caller to free; *count of
// them. NULL if out of memory.
struct node_bytes *matrix_nodes(const struct matrix *matrix, size_t *count);

// Frees what it holds; it is empty then, with the same bound.
void matrix_clear(struct matrix *matrix);

#endif
