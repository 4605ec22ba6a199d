// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/agenda.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WAYS 4u

void agenda_layout(struct agenda *agenda, struct sim_arena *arena, size_t capacity)
{
	*agenda = (struct agenda){.capacity = capacity};
	agenda->entries = sim_arena_take(arena, capacity, sizeof(*agenda->entries));
}

// As one number, which takes no branch: which of two is earlier cannot be guessed.
static inline __int128 agenda_entry_key(const struct entry *entry)
{
	return (__int128)((unsigned __int128)entry->time_ticks << 64 | entry->order);
}

static inline bool agenda_is_earlier(const struct entry *a, const struct entry *b)
{
	return agenda_entry_key(a) < agenda_entry_key(b);
}

// Puts an entry at a place without one, or above it, behind what is earlier.
static void agenda_raise(struct agenda *agenda, size_t place, const struct entry *entry)
{
	while (place > 0 && agenda_is_earlier(entry, &agenda->entries[(place - 1) / WAYS])) {
		agenda->entries[place] = agenda->entries[(place - 1) / WAYS];
		place = (place - 1) / WAYS;
	}
	agenda->entries[place] = *entry;
}

void agenda_push(struct agenda *agenda, const struct entry *entry)
{
	agenda_raise(agenda, agenda->count++, entry);
}

// The earliest of the entries from a place on, WAYS of them or to the end.
static size_t agenda_first(const struct agenda *agenda, size_t place)
{
	const struct entry *at = &agenda->entries[place];

	if (place + WAYS <= agenda->count) {
		const size_t left = agenda_is_earlier(&at[1], &at[0]) ? 1 : 0;
		const size_t right = agenda_is_earlier(&at[3], &at[2]) ? 3 : 2;

		return place + (agenda_is_earlier(&at[right], &at[left]) ? right : left);
	}
	for (size_t i = place + 1; i < agenda->count; i++)
		if (agenda_is_earlier(&agenda->entries[i], &agenda->entries[place]))
			place = i;
	return place;
}

// The last mostly belongs to the bottom: the place of the first goes there, and then it up.
void agenda_pop(struct agenda *agenda, struct entry *out)
{
	size_t place = 0;

	*out = agenda->entries[0];
	agenda->count--;
	while (WAYS * place + 1 < agenda->count) {
		const size_t child = agenda_first(agenda, WAYS * place + 1);

		agenda->entries[place] = agenda->entries[child];
		place = child;
	}
	agenda_raise(agenda, place, &agenda->entries[agenda->count]);
}

static int agenda_by_time(const void *a, const void *b)
{
	return agenda_is_earlier(a, b) ? -1 : agenda_is_earlier(b, a);
}

void agenda_list(const struct agenda *agenda, struct entry *out)
{
	if (agenda->count == 0)
		return;
	memcpy(out, agenda->entries, agenda->count * sizeof(*out));
	qsort(out, agenda->count, sizeof(*out), agenda_by_time);
}
