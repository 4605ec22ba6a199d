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

// Copies to a place what is left of a run that ends at run_end when the characters from index to
// end - 1 are not there; returns the next place.
static struct run *keep(struct run run, uint32_t run_end, uint32_t index, uint32_t end,
			struct run *to)
{
	if (run_ahead(index, run.index) > 0)
		*to++ = run;
	if (run_ahead(run_end, end) <= 0)
		return to;
	if (run_ahead(end, run.index) > 0) {
		run.first_ticks = run_start_in(&run, end);
		run.index = end;
	}
	run.index -= end - index;
	*to++ = run;
	return to;
}

void run_remove(struct run_list *list, uint32_t index, uint32_t end)
{
	int64_t last_ticks = run_last(list);
	uint32_t count = list->count;
	struct run *to;

	if (count == RUN_FEW && list->items == list->few)
		run_list_spill(list);
	to = list->items;
	memmove(to + 1, to, count * sizeof(*to)); // a run may be cut in two
	for (uint32_t i = 1; i <= count; i++)
		to = keep(list->items[i], i < count ? list->items[i + 1].index : list->end, index,
			  end, to);
	list->count = (uint32_t)(to - list->items);
	list->end -= end - index;
	if (list->count == 0)
		list->before_ticks = last_ticks;
	settle_few(list);
}
