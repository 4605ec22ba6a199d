// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/node_names.h"

#include <stdbool.h>
#include <stdlib.h>

const char *node_label(const struct tr_names *names, uint32_t node, size_t max, char out[TEXT_LABEL_BYTES])
{
	if (!names) {
		(void)snprintf(out, TEXT_LABEL_BYTES, "node%u", node);
		return out;
	}
	return text_shorten(tr_names_node(names, node), max, out);
}

struct node_bytes {
	uint32_t node;
	uint64_t size_bytes;
};

static int by_node(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static int by_bytes(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	if (x->size_bytes != y->size_bytes)
		return x->size_bytes < y->size_bytes ? 1 : -1;
	return by_node(a, b);
}

// One row for each end of each pair.
static size_t list_ends(const struct matrix *matrix, struct node_bytes *ends)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		ends[count++] = (struct node_bytes){cell->src, cell->size_bytes};
		ends[count++] = (struct node_bytes){cell->dst, cell->size_bytes};
	}
	return count;
}

// Joins the rows of a node; returns how many nodes there are.
static size_t join_ends(struct node_bytes *ends, size_t count)
{
	size_t nodes = 0;

	qsort(ends, count, sizeof(*ends), by_node);
	for (size_t i = 0; i < count; i++)
		if (nodes > 0 && ends[nodes - 1].node == ends[i].node)
			ends[nodes - 1].size_bytes += ends[i].size_bytes;
		else
			ends[nodes++] = ends[i];
	return nodes;
}

size_t nodes_choose(const struct matrix *matrix, uint32_t chosen[NODES_SHOWN], size_t *all)
{
	struct node_bytes *ends = calloc(2 * matrix->pairs + 1, sizeof(*ends));
	size_t count;

	*all = 0;
	if (!ends)
		return 0;
	*all = join_ends(ends, list_ends(matrix, ends));
	qsort(ends, *all, sizeof(*ends), by_bytes);
	count = *all < NODES_SHOWN ? *all : NODES_SHOWN;
	qsort(ends, count, sizeof(*ends), by_node);
	for (size_t i = 0; i < count; i++)
		chosen[i] = ends[i].node;
	free(ends);
	return count;
}

static bool is_before(const struct matrix_cell *a, const struct matrix_cell *b)
{
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes;
	if (a->packets != b->packets)
		return a->packets > b->packets;
	return a->src != b->src ? a->src < b->src : a->dst < b->dst;
}

size_t pairs_choose(const struct matrix *matrix, const struct matrix_cell **chosen, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];
		size_t at;

		if (count == max && !is_before(cell, chosen[count - 1]))
			continue;
		count += count < max;
		for (at = count - 1; at > 0 && is_before(cell, chosen[at - 1]); at--)
			chosen[at] = chosen[at - 1];
		chosen[at] = cell;
	}
	return count;
}
