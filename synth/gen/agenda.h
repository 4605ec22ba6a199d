// SPDX-License-Identifier: GPL-3.0-or-later
// Which source speaks next: a tree of losers (Knuth, volume 3, 5.4.1) over (time, source), so that the
// merge of many sources is in order of time and, within a tick, of the source's number. A source that
// has spoken plays again up its own path: log2 of the sources comparisons, none of which branches. Times are 0 or later.
#ifndef GEN_AGENDA_H
#define GEN_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct agenda_item {
	uint64_t source;
	int64_t ticks;
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

// Time, then source, as one number.
static inline unsigned __int128 agenda_key(struct agenda_item item)
{
	return (unsigned __int128)(uint64_t)item.ticks << 64 | item.source;
}

// All ones where a comes before b, else 0.
static inline uint64_t agenda_before(struct agenda_item a, struct agenda_item b)
{
	return -(uint64_t)(agenda_key(a) < agenda_key(b));
}

// The source's next time is ticks: plays it up from its leaf.
static inline void agenda_play(struct agenda *agenda, struct agenda_item item)
{
	for (size_t at = (agenda->leaves + item.source) / 2; at > 0; at /= 2) {
		struct agenda_item *held = &agenda->items[at];
		const uint64_t mask = agenda_before(*held, item); // they change places
		const int64_t ticks = (held->ticks ^ item.ticks) & (int64_t)mask;
		const uint64_t source = (held->source ^ item.source) & mask;

		held->ticks ^= ticks;
		held->source ^= source;
		item.ticks ^= ticks;
		item.source ^= source;
	}
	agenda->items[0] = item;
}

// Who has won at this place of the tree: a source, or who is held there while the tree is filled.
static inline struct agenda_item agenda_winner(const struct agenda *agenda, const int64_t *first_ticks, size_t count,
					       size_t at)
{
	const size_t i = at - agenda->leaves;

	if (at < agenda->leaves)
		return agenda->items[at];
	return (struct agenda_item){i, i < count ? first_ticks[i] : INT64_MAX};
}

// Puts the sources 0 .. count - 1 with their first times, none of them below 0, in. Sources beyond never speak.
static inline void agenda_fill(struct agenda *agenda, const int64_t *first_ticks, size_t count)
{
	for (size_t at = agenda->leaves - 1; at > 0; at--) { // those who win
		const struct agenda_item a = agenda_winner(agenda, first_ticks, count, 2 * at);
		const struct agenda_item b = agenda_winner(agenda, first_ticks, count, 2 * at + 1);

		agenda->items[at] = agenda_before(b, a) ? b : a;
	}
	agenda->items[0] = agenda_winner(agenda, first_ticks, count, 1);
	for (size_t at = 1; at < agenda->leaves; at++) { // those who lose there instead
		const struct agenda_item a = agenda_winner(agenda, first_ticks, count, 2 * at);
		const struct agenda_item b = agenda_winner(agenda, first_ticks, count, 2 * at + 1);

		agenda->items[at] = agenda->items[at].source == a.source ? b : a;
	}
}

// As agenda_fill, in memory of its own: items is to be freed. False without memory.
static inline bool agenda_open(struct agenda *agenda, const int64_t *first_ticks, size_t count)
{
	agenda->leaves = agenda_leaves(count);
	agenda->items = calloc(agenda->leaves, sizeof *agenda->items);
	if (agenda->items)
		agenda_fill(agenda, first_ticks, count);
	return agenda->items;
}

// Gives the source that speaks next its time after that.
static inline void agenda_postpone(struct agenda *agenda, int64_t ticks)
{
	agenda_play(agenda, (struct agenda_item){agenda->items[0].source, ticks});
}

#endif
