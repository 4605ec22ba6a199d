// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/follow.h"

uint32_t run_backlog(const struct run_supply *supply, int64_t earliest_ticks,
		     int64_t character_ticks)
{
	int64_t late = earliest_ticks - supply->ready_ticks;
	int64_t gain = supply->spacing_ticks - character_ticks;

	if (late <= 0)
		return 0;
	if (late > gain * supply->count)
		return supply->count;
	return (uint32_t)((late + gain - 1) / gain);
}

int64_t run_follow(struct run_list *list, const struct run_supply *supply, int64_t earliest_ticks,
		   int64_t character_ticks)
{
	int64_t first = supply->ready_ticks;
	uint32_t back_to_back = supply->count;
	uint32_t rest;

	if (supply->spacing_ticks > character_ticks)
		back_to_back = run_backlog(supply, earliest_ticks, character_ticks);
	else if (earliest_ticks < first)
		earliest_ticks = first;
	rest = supply->count - back_to_back;
	if (back_to_back > 0) {
		run_append(list, earliest_ticks, character_ticks, back_to_back);
		earliest_ticks += back_to_back * character_ticks;
	}
	if (rest == 0)
		return earliest_ticks;
	first += back_to_back * supply->spacing_ticks;
	run_append(list, first, supply->spacing_ticks, rest);
	return first + (rest - INT64_C(1)) * supply->spacing_ticks + character_ticks;
}
