// SPDX-License-Identifier: GPL-3.0-or-later
// Which source speaks next: a tree of losers (Knuth, volume 3, 5.4.1) over (time, source), so that the
// merge of many sources is in order of time and, within a tick, of the source's number. A source that
// has spoken plays again up its own path: log2 of the sources comparisons, none of which branches. Times are 0 or later.
//
// Time and source are one number of 64 bits: the time since a base above, the source below. A time too far from the base has the
// largest that fits; when such a source is the next one, a new base is taken and the tree filled again. That happens at most once
// every 2^62 / sources ticks.
#ifndef GEN_AGENDA_H
#define GEN_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGENDA_SOURCES_MAX (UINT32_C(1) << 31)
#define AGENDA_SOURCE_BYTES 32u // of memory for each source, at most

// The source next speaks next, at next_ticks. Made by agenda_open.
struct agenda {
	size_t next;
	int64_t next_ticks;
	uint64_t *losers; // 1 .. leaves - 1: who lost there; a power of two
	int64_t *ticks;   // of each leaf
	size_t leaves;
	unsigned bits; // of a source's number
	uint64_t most; // that a time may be after the base
	int64_t base_ticks;
};

// The source's time and number as one.
static inline uint64_t agenda_key(const struct agenda *agenda, size_t source, int64_t ticks)
{
	const uint64_t since = (uint64_t)(ticks - agenda->base_ticks);

	return (since < agenda->most ? since : agenda->most) << agenda->bits | source;
}

// Takes a new base, and fills the tree from the times.
void agenda_rebase(struct agenda *agenda);

// Gives the source that speaks next its time after that, which is not before it.
static inline void agenda_postpone(struct agenda *agenda, int64_t ticks)
{
	const size_t source = agenda->next;
	uint64_t key = agenda_key(agenda, source, ticks);

	agenda->ticks[source] = ticks;
	for (size_t at = (agenda->leaves + source) / 2; at > 0; at /= 2) {
		const uint64_t held = agenda->losers[at];

		agenda->losers[at] = held < key ? key : held;
		key = held < key ? held : key;
	}
	if (__builtin_expect(key >> 63 != 0, 0)) {
		agenda_rebase(agenda);
		return;
	}
	agenda->next = key & (agenda->leaves - 1);
	agenda->next_ticks = (int64_t)((uint64_t)agenda->base_ticks + (key >> agenda->bits));
}

// Puts the sources 0 .. count - 1 (at most AGENDA_SOURCES_MAX) with their first times, none of them below 0, in; INT64_MAX: never.
// False without memory; it is to be closed all the same.
bool agenda_open(struct agenda *agenda, const int64_t *first_ticks, size_t count);

// Frees it; a zero one is accepted.
void agenda_close(struct agenda *agenda);

#endif
