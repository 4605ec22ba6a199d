// SPDX-License-Identifier: GPL-3.0-or-later
// The next source to send: a loser tree (Knuth, volume 3, 5.4.1) over (time, source), which merges
// many sources in order of time and, within a tick, of the source's number. A source that has sent
// is replayed along its own path: log2(sources) comparisons without branches. Times are 0 or later.
//
// Time, source and the source's place (a number of the caller's, such as where its packet is
// stored) are packed in one 64-bit number: the time since a base in the high bits, then source and
// place, so that the winner's place is known without a memory access. A time too far from the base
// is stored as the largest that fits; when such a source comes next, the base is moved and the tree
// refilled. That happens at most once every 2^(62 - place bits) / sources ticks.
#ifndef GEN_LOSER_TREE_H
#define GEN_LOSER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGENDA_SOURCES_MAX (UINT32_C(1) << 31)
#define AGENDA_SOURCE_BYTES 32u // of memory for each source, at most

// next sends next, at next_ticks: source << place_bits | place. Made by agenda_open.
struct agenda {
	size_t next;
	int64_t next_ticks;
	uint64_t *losers; // 1 .. leaves - 1: the loser at each node
	size_t leaves, count;
	const int64_t *ticks; // of each place
	int64_t *own_ticks;   // the same, if each source has one place
	uint8_t *places;      // of each source, while the tree is filled
	unsigned place_bits;
	unsigned bits; // of source and place
	uint64_t most; // largest time after the base
	int64_t base_ticks;
};

// Packs time and place of a source.
static inline uint64_t agenda_key(const struct agenda *agenda, size_t place, int64_t ticks)
{
	const uint64_t since = (uint64_t)(ticks - agenda->base_ticks);

	return (since < agenda->most ? since : agenda->most) << agenda->bits | place;
}

// The place that a key has.
static inline size_t agenda_place(const struct agenda *agenda, uint64_t key)
{
	return key & (((size_t)1 << agenda->bits) - 1);
}

// Moves the source that sends next to its next place, whose time is ticks, no earlier than the
// present one. Returns the key of the new next source, for agenda_rebase if agenda_is_far.
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

// Moves the base and refills the tree from the times; key is the one that the tree gave.
void agenda_rebase(struct agenda *agenda, uint64_t key);

// Whether the key's time is out of reach of the base; then agenda_rebase finds the next source.
static inline bool agenda_is_far(uint64_t key)
{
	return __builtin_expect(key >> 63 != 0, 0);
}

// Sets the next time of the source that sends next, no earlier than the present one; for an agenda
// without places.
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

// Inserts the sources 0 .. count - 1 (at most AGENDA_SOURCES_MAX) with their first times, none
// below 0; INT64_MAX: never. Returns false if out of memory; close it all the same.
bool agenda_open(struct agenda *agenda, const int64_t *first_ticks, size_t count);

// The same, where each source has 2^place_bits places (at most 8 bits) and begins at place 0.
// ticks: of all places, lent; the time of a source's present place must not be changed.
bool agenda_open_places(struct agenda *agenda, const int64_t *ticks, size_t count,
			unsigned place_bits);

// Frees it; a zero one is accepted.
void agenda_close(struct agenda *agenda);

#endif
