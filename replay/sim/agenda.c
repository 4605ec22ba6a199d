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

static bool agenda_is_earlier(const struct entry *a, const struct entry *b)
{
	return a->time_ticks != b->time_ticks ? a->time_ticks < b->time_ticks : a->order < b->order;
}

void agenda_push(struct agenda *agenda, const struct entry *entry)
{
	size_t place = agenda->count++;

	while (place > 0 && agenda_is_earlier(entry, &agenda->entries[(place - 1) / WAYS])) {
		agenda->entries[place] = agenda->entries[(place - 1) / WAYS];
		place = (place - 1) / WAYS;
	}
	agenda->entries[place] = *entry;
}

static size_t first_child(const struct agenda *agenda, size_t place)
{
	size_t child = WAYS * place + 1;
	size_t best = child;

	for (size_t i = child + 1; i < child + WAYS && i < agenda->count; i++)
		if (agenda_is_earlier(&agenda->entries[i], &agenda->entries[best]))
			best = i;
	return best;
}

void agenda_pop(struct agenda *agenda, struct entry *out)
{
	const struct entry last = agenda->entries[agenda->count - 1];
	size_t place = 0;

	*out = agenda->entries[0];
	agenda->count--;
	while (WAYS * place + 1 < agenda->count) {
		size_t child = first_child(agenda, place);

		if (!agenda_is_earlier(&agenda->entries[child], &last))
			break;
		agenda->entries[place] = agenda->entries[child];
		place = child;
	}
	agenda->entries[place] = last;
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
