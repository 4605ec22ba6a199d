// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/list.h"

#include <string.h>

void run_list_start(struct run_list *list, struct run *store, uint32_t capacity)
{
	*list = (struct run_list){
		.capacity = capacity, .before_ticks = RUN_LONG_AGO, .store = store};
	list->items = list->few;
}

void run_list_spill(struct run_list *list)
{
	memcpy(list->store, list->few, sizeof(list->few));
	list->items = list->store;
}

// Few runs go back to their own place.
static void settle_few(struct run_list *list)
{
	if (list->items == list->few || list->count > RUN_FEW / 2)
		return;
	memcpy(list->few, list->store, list->count * sizeof(*list->few));
	list->items = list->few;
}

uint32_t run_from(const struct run_list *list, int64_t ticks)
{
	uint32_t item = list->count;
	const struct run *run;
	uint64_t passed;

	while (item > 0 && list->items[item - 1].first_ticks >= ticks)
		item--;
	if (item == 0)
		return list->count > 0 ? list->items[0].index : list->end;
	run = &list->items[item - 1];
	passed = (uint64_t)ticks - (uint64_t)run->first_ticks - 1;
	if (passed / run->spacing_ticks + 1 >= run_item_end(list, item - 1) - run->index)
		return run_item_end(list, item - 1);
	return run->index + (uint32_t)(passed / run->spacing_ticks) + 1;
}

int64_t run_start_before(const struct run_list *list, uint32_t index)
{
	if (list->count == 0 || list->items[0].index == index)
		return list->before_ticks;
	return run_start(list, index - 1);
}

void run_cut(struct run_list *list, uint32_t index)
{
	while (list->count > 0 && run_ahead(list->items[list->count - 1].index, index) >= 0)
		list->count--;
	list->end = index;
	settle_few(list);
}

void run_trim(struct run_list *list, uint32_t index)
{
	uint32_t gone = 0;

	while (gone + 1 < list->count && run_ahead(list->items[gone + 1].index, index) <= 0)
		gone++;
	if (gone == 0)
		return;
	list->before_ticks =
		run_start_in(&list->items[gone - 1], list->items[gone].index - 1);
	list->count -= gone;
	memmove(list->items, list->items + gone, list->count * sizeof(*list->items));
	settle_few(list);
}
