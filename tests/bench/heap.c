// SPDX-License-Identifier: GPL-3.0-or-later
#include "heap.h"

#define ARITY 4u

static bool before(const struct heap_item *a, const struct heap_item *b)
{
	if (a->time_ticks != b->time_ticks)
		return a->time_ticks < b->time_ticks;
	if (a->key != b->key)
		return a->key < b->key;
	return a->sequence < b->sequence;
}

void heap_layout(struct heap *heap, struct sim_arena *arena, uint32_t capacity)
{
	*heap = (struct heap){.capacity = capacity};
	heap->items = sim_arena_take(arena, capacity, sizeof(*heap->items));
}

bool heap_push(struct heap *heap, int64_t time_ticks, uint32_t key, uint32_t aux)
{
	const struct heap_item item = {time_ticks, heap->sequence++, key, aux};
	uint32_t hole = heap->count;

	if (heap->count == heap->capacity)
		return false;
	heap->count++;
	while (hole > 0 && before(&item, &heap->items[(hole - 1) / ARITY])) {
		heap->items[hole] = heap->items[(hole - 1) / ARITY];
		hole = (hole - 1) / ARITY;
	}
	heap->items[hole] = item;
	return true;
}

static uint32_t first_child(const struct heap *heap, uint32_t hole)
{
	uint32_t child = hole * ARITY + 1;
	uint32_t end = child + ARITY < heap->count ? child + ARITY : heap->count;
	uint32_t least = child;

	while (++child < end)
		if (before(&heap->items[child], &heap->items[least]))
			least = child;
	return least;
}

void heap_pop(struct heap *heap, struct heap_item *out)
{
	const struct heap_item item = heap->items[--heap->count];
	uint32_t hole = 0;

	*out = heap->items[0];
	while (hole * ARITY + 1 < heap->count) {
		uint32_t child = first_child(heap, hole);

		if (before(&item, &heap->items[child]))
			break;
		heap->items[hole] = heap->items[child];
		hole = child;
	}
	heap->items[hole] = item;
}
