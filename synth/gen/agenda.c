// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/agenda.h"

#include <stdlib.h>

// Who wins at this place of the tree while it is filled: the losers' places hold winners then.
static uint64_t winner(const struct agenda *agenda, size_t at)
{
	if (at < agenda->leaves)
		return agenda->losers[at];
	return agenda_key(agenda, at - agenda->leaves, agenda->ticks[at - agenda->leaves]);
}

static void fill(struct agenda *agenda)
{
	uint64_t first;

	for (size_t at = agenda->leaves - 1; at > 0; at--) {
		const uint64_t a = winner(agenda, 2 * at), b = winner(agenda, 2 * at + 1);

		agenda->losers[at] = a < b ? a : b;
	}
	first = winner(agenda, 1);
	for (size_t at = 1; at < agenda->leaves; at++) { // downwards, so that winners are still below
		const uint64_t a = winner(agenda, 2 * at), b = winner(agenda, 2 * at + 1);

		agenda->losers[at] = a < b ? b : a;
	}
	agenda->next = first & (agenda->leaves - 1);
	agenda->next_ticks = agenda->ticks[agenda->next];
}

void agenda_rebase(struct agenda *agenda)
{
	agenda->base_ticks = INT64_MAX;
	for (size_t i = 0; i < agenda->leaves; i++)
		if (agenda->ticks[i] < agenda->base_ticks)
			agenda->base_ticks = agenda->ticks[i];
	fill(agenda);
}

bool agenda_open(struct agenda *agenda, const int64_t *first_ticks, size_t count)
{
	*agenda = (struct agenda){.leaves = 1};
	while (agenda->leaves < count) {
		agenda->leaves *= 2;
		agenda->bits++;
	}
	agenda->most = (uint64_t)1 << (63 - agenda->bits);
	agenda->ticks = malloc(agenda->leaves * sizeof *agenda->ticks);
	agenda->losers = malloc(agenda->leaves * sizeof *agenda->losers);
	if (!agenda->ticks || !agenda->losers)
		return false;
	for (size_t i = 0; i < agenda->leaves; i++)
		agenda->ticks[i] = i < count ? first_ticks[i] : INT64_MAX;
	agenda_rebase(agenda);
	return true;
}

void agenda_close(struct agenda *agenda)
{
	free(agenda->ticks);
	free(agenda->losers);
	*agenda = (struct agenda){0};
}
