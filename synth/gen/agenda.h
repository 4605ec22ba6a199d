// SPDX-License-Identifier: GPL-3.0-or-later
// Which source speaks next: a binary heap of (time, source), so that the merge of many sources is
// in order of time and, within a tick, of the source's number.
#ifndef GEN_AGENDA_H
#define GEN_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agenda_item {
	int64_t ticks;
	uint32_t source;
};

// The caller gives room for as many items as there are sources and sets count.
struct agenda {
	struct agenda_item *items;
	size_t count;
};

static inline bool agenda_before(struct agenda_item a, struct agenda_item b)
{
	return a.ticks < b.ticks || (a.ticks == b.ticks && a.source < b.source);
}

// Lets the item at index sink to where it belongs.
static inline void agenda_sink(struct agenda *agenda, size_t index, struct agenda_item item)
{
	size_t child;

	while ((child = 2 * index + 1) < agenda->count) {
		if (child + 1 < agenda->count &&
		    agenda_before(agenda->items[child + 1], agenda->items[child]))
			child++;
		if (!agenda_before(agenda->items[child], item))
			break;
		agenda->items[index] = agenda->items[child];
		index = child;
	}
	agenda->items[index] = item;
}

// Orders items given in any order.
static inline void agenda_order(struct agenda *agenda)
{
	for (size_t i = agenda->count / 2; i-- > 0;)
		agenda_sink(agenda, i, agenda->items[i]);
}

// Gives the first source its next time.
static inline void agenda_postpone(struct agenda *agenda, int64_t ticks)
{
	agenda_sink(agenda, 0, (struct agenda_item){ticks, agenda->items[0].source});
}

#endif
