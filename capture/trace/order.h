// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which sorted sequences are merged: by time, at one time by the sequence's number. A binary
// heap.
#ifndef TRACE_ORDER_H
#define TRACE_ORDER_H

#include <stddef.h>
#include <stdint.h>

// What the sequence called number has next.
struct tr_order_item {
	int64_t time_ticks;
	size_t number;
};

// Moves items[0], whose time has grown or that is new there, down to its place, so that the first of the count
// items in the order is items[0] again.
void tr_order_sift(struct tr_order_item *items, size_t count);

// Adds an item at items[*count], for which there is room.
void tr_order_add(struct tr_order_item *items, size_t *count, struct tr_order_item item);

#endif
