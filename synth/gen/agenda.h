// SPDX-License-Identifier: GPL-3.0-or-later
// Which source speaks next: a tree of losers (Knuth, volume 3, 5.4.1) over (time, source), so that the
// merge of many sources is in order of time and, within a tick, of the source's number. A source that
// has spoken plays again up its own path: log2 of the sources comparisons, none of which branches.
#ifndef GEN_AGENDA_H
#define GEN_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agenda_item {
	int64_t ticks;
	uint32_t source;
};

// items has room for leaves items, a power of two: items[0] speaks next, the others lost at their place in
// the tree. Filled by agenda_fill.
struct agenda {
	struct agenda_item *items;
	size_t leaves;
};

// The leaves that count sources need.
static inline size_t agenda_leaves(size_t count)
{
	size_t leaves = 1;

	while (leaves < count)
		leaves *= 2;
	return leaves;
}

static inline bool agenda_before(struct agenda_item a, struct agenda_item b)
{
	return (a.ticks < b.ticks) | ((a.ticks == b.ticks) & (a.source < b.source));
}

// The source's next time is ticks: plays it up from its leaf.
static inline void agenda_play(struct agenda *agenda, struct agenda_item item)
{
	for (size_t at = (agenda->leaves + item.source) / 2; at > 0; at /= 2) {
		struct agenda_item *held = &agenda->items[at];
		uint64_t mask = -(uint64_t)agenda_before(*held, item); // all ones: they change places
		int64_t ticks = (held->ticks ^ item.ticks) & (int64_t)mask;
		uint32_t source = (held->source ^ item.source) & (uint32_t)mask;

		held->ticks ^= ticks;
		held->source ^= source;
		item.ticks ^= ticks;
		item.source ^= source;
	}
	agenda->items[0] = item;
}

// Puts the sources 0 .. count - 1 with their first times in. Sources beyond never speak.
static inline void agenda_fill(struct agenda *agenda, const int64_t *first_ticks, size_t count)
{
	for (size_t i = 0; i < agenda->leaves; i++) // whoever meets these stays below them
		agenda->items[i] = (struct agenda_item){INT64_MIN, 0};
	for (size_t i = 0; i < agenda->leaves; i++)
		agenda_play(agenda, (struct agenda_item){i < count ? first_ticks[i] : INT64_MAX,
							 (uint32_t)i});
}

// Gives the source that speaks next its time after that.
static inline void agenda_postpone(struct agenda *agenda, int64_t ticks)
{
	agenda_play(agenda, (struct agenda_item){ticks, agenda->items[0].source});
}

#endif
