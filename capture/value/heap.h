// SPDX-License-Identifier: GPL-3.0-or-later
// Binary heaps of any type, the first first.
//
//	static bool event_before(const struct event *a, const struct event *b);
//	HEAP(event, struct event, event_before);
//
//	event_put(heap, count++, event);       // there is room
//	first = event_take(heap, --count);     // there is one
//	event_sink(heap, count);               // heap[0] has changed, to a later place if to any
//
// Items of which none is before the other come in an order that depends only on what was put and
// taken.
// The last line of the macro takes the semicolon behind it.
#ifndef VALUE_HEAP_H
#define VALUE_HEAP_H

#include <stddef.h>

#define HEAP(name, type, before) \
	static inline __attribute__((unused)) void name##_put(type *heap, size_t count, type item) \
	{ \
		for (; count > 0 && before(&item, &heap[(count - 1) / 2]); \
		     count = (count - 1) / 2) \
			heap[count] = heap[(count - 1) / 2]; \
		heap[count] = item; \
	} \
	static inline \
		__attribute__((unused)) void name##_settle(type *heap, size_t count, type item) \
	{ \
		size_t at = 0; \
		for (size_t child; (child = 2 * at + 1) < count; at = child) { \
			child += child + 1 < count && before(&heap[child + 1], &heap[child]); \
			if (!before(&heap[child], &item)) \
				break; \
			heap[at] = heap[child]; \
		} \
		heap[at] = item; \
	} \
	static inline __attribute__((unused)) void name##_sink(type *heap, size_t count) \
	{ \
		name##_settle(heap, count, heap[0]); \
	} \
	static inline __attribute__((unused)) type name##_take(type *heap, size_t last) \
	{ \
		type first = heap[0]; \
		name##_settle(heap, last, heap[last]); \
		return first; \
	} \
	static inline __attribute__((unused)) type name##_take(type *heap, size_t last)

#endif
