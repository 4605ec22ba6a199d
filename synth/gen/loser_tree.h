// SPDX-License-Identifier: GPL-3.0-or-later
// Which source speaks next: a tree of losers (Knuth, volume 3, 5.4.1) over (time, source), so that the
// merge of many sources is in order of time and, within a tick, of the source's number. A source that
// has spoken plays again up its own path: log2 of the sources comparisons, none of which branches. Times are 0 or later.
//
// Time, source and the source's place (a number for the caller, as where its packet stands) are one number of 64 bits: the time
// since a base above, then source and place, so that who wins is known with its place, without a look into memory. A time too far
// from the base has the largest that fits; when such a source is the next one, a new base is taken and the tree filled again. That
// happens at most once every 2^(62 - place bits) / sources ticks.
#ifndef GEN_LOSER_TREE_H
#define GEN_LOSER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGENDA_SOURCES_MAX (UINT32_C(1) << 31)
#define AGENDA_SOURCE_BYTES 32u // of memory for each source, at most

// next speaks next, at next_ticks: source << place_bits | place. Made by agenda_open.
struct agenda {
	size_t next;
	int64_t next_ticks;
	uint64_t *losers; // 1 .. leaves - 1: who lost there; a power of two
	size_t leaves, count;
	const int64_t *ticks; // of each place
	int64_t *own_ticks;   // the same, where there is one place for a source
	uint8_t *places;      // of each source, while the tree is filled
	unsigned place_bits;
	unsigned bits; // of source and place
	uint64_t most; // that a time may be after the base
	int64_t base_ticks;
};

// Time and place of a source as one.
static inline uint64_t agenda_key(const struct agenda *agenda, size_t place, int64_t ticks)
{
	const uint64_t since = (uint64_t)(ticks - agenda->base_ticks);

	return (since < agenda->most ? since : agenda->most) << agenda->bits | place;
}

static inline size_t agenda_place(const struct agenda *agenda, uint64_t key)
{
	return key & (((size_t)1 << agenda->bits) - 1);
}

// Gives the source that speaks next its next place, whose time is ticks and not before that. Returns the key of the one that speaks
// next then, to be passed to agenda_settle.
static inline uint64_t agenda_play(const struct agenda *agenda, size_t place, int64_t ticks)
{
	uint64_t *losers = agenda->losers, key = agenda_key(agenda, place, ticks);

	for (size_t at = (agenda->leaves + (place >> agenda->place_bits)) / 2; at > 0; at /= 2) {
		const uint64_t held = losers[at];

		losers[at] = held < key ? key : held;
		key = held < key ? held : key;
	}
	return key;
}

// Takes a new base, and fills the tree from the times; the key is of the one that came out of the tree.
void agenda_rebase(struct agenda *agenda, uint64_t key);

// Whether the key's time is beyond what the base reaches: agenda_rebase tells who speaks next.
static inline bool agenda_is_far(uint64_t key)
{
	return __builtin_expect(key >> 63 != 0, 0);
}

// Gives the source that speaks next its time after that, which is not before it; of an agenda without places.
static inline void agenda_postpone(struct agenda *agenda, int64_t ticks)
{
	uint64_t key;

	agenda->own_ticks[agenda->next] = ticks;
	key = agenda_play(agenda, agenda->next, ticks);
	if (agenda_is_far(key)) {
		agenda_rebase(agenda, key);
		return;
	}
	agenda->next = agenda_place(agenda, key);
	agenda->next_ticks = (int64_t)((uint64_t)agenda->base_ticks + (key >> agenda->bits));
}

// Puts the sources 0 .. count - 1 (at most AGENDA_SOURCES_MAX) with their first times, none of them below 0, in; INT64_MAX: never.
// Returns false without memory; it is to be closed all the same.
bool agenda_open(struct agenda *agenda, const int64_t *first_ticks, size_t count);

// The same where each source has 2^place_bits places (at most 8 bits) and begins at place 0. ticks: of all places, lent; the time of the
// place where a source is must not be changed.
bool agenda_open_places(struct agenda *agenda, const int64_t *ticks, size_t count, unsigned place_bits);

// Frees it; a zero one is accepted.
void agenda_close(struct agenda *agenda);

#endif
