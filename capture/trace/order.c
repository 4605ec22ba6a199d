// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/order.h"

#include <stdbool.h>

static bool goes_before(const struct tr_order_item *a, const struct tr_order_item *b)
{
	return a->time_ticks < b->time_ticks || (a->time_ticks == b->time_ticks && a->number < b->number);
}

void tr_order_sift(struct tr_order_item *items, size_t count)
{
	struct tr_order_item moved = items[0];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && goes_before(&items[child + 1], &items[child]))
			child++;
		if (!goes_before(&items[child], &moved))
			break;
		items[at] = items[child];
	}
	items[at] = moved;
}

void tr_order_add(struct tr_order_item *items, size_t *count, struct tr_order_item item)
{
	size_t at = (*count)++;

	for (; at && goes_before(&item, &items[(at - 1) / 2]); at = (at - 1) / 2)
		items[at] = items[(at - 1) / 2];
	items[at] = item;
}
