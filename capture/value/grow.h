// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef VALUE_GROW_H
#define VALUE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Arrays that grow. Each is an expression that is false if out of memory, or if the type of
// room cannot count as many; the array is unchanged then. items: the array, an lvalue of a pointer,
// NULL at first. room: how many items it has room for, an lvalue of an unsigned type of 32 or 64
// bits. Room at least doubles, so that appending one by one takes linear time.

// Room for an item at this index, so that GROW(items, room, count) && (items[count++] = ...).
#define GROW(items, room, index) GROW_TO(items, room, (uint64_t)(index) + 1)

// Room for this many items.
#define GROW_TO(items, room, needed) \
	((needed) <= (room) || \
	 grow_to(&(items), sizeof(*(items)), &(room), sizeof(room), needed, false))

// As GROW; items beyond the former room are zeroed.
#define GROW_ZEROED(items, room, index) \
	((index) < (room) || \
	 grow_to(&(items), sizeof(*(items)), &(room), sizeof(room), (uint64_t)(index) + 1, true))

// Room for one item more in an array of count items that only this grows: the room is the least
// power of two that is not below count, so it need not be kept.
#define GROW_BY_COUNT(items, count) \
	(((count) & ((count)-1)) != 0 || grow_by_count(&(items), sizeof(*(items)), count))

// What the macros call; items and room point at their variables.
bool grow_to(void *items, size_t item_bytes, void *room, size_t room_bytes, uint64_t needed,
	     bool zeroed);
bool grow_by_count(void *items, size_t item_bytes, uint64_t count);

#endif
