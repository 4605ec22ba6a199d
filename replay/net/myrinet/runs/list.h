// SPDX-License-Identifier: GPL-3.0-or-later
// Runs: characters that follow one another at an equal spacing, and lists of them in the order of
// their coming. Characters of a link are numbered from its first one on, modulo 2^32; numbers are
// compared by their difference, which stays below 2^31.
#ifndef NET_MYRINET_RUNS_LIST_H
#define NET_MYRINET_RUNS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#define RUN_LONG_AGO (INT64_MIN / 4)

struct run {
	int64_t first_ticks;
	uint32_t index; // of its first character
	uint32_t spacing_ticks;
};

// A list of few runs, as most are, stands in the place of its own; a longer one in its store.
#define RUN_FEW 6u

// A run ends where the next begins, the last one at end.
struct run_list {
	struct run *items;
	uint32_t count;
	uint32_t capacity; // of the store
	uint32_t end;         // number of the first character beyond the list
	int64_t before_ticks; // start of the last character that was trimmed
	struct run *store;
	struct run few[RUN_FEW];
};

// a - b of two numbers.
static inline int32_t run_ahead(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

// Whether one more run surely finds room.
static inline bool run_has_room(const struct run_list *list)
{
	return list->count + 1 < list->capacity;
}

// Number of the first character that is not in item's run.
static inline uint32_t run_item_end(const struct run_list *list, uint32_t item)
{
	return item + 1 < list->count ? list->items[item + 1].index : list->end;
}

// Makes an empty list; store has room for capacity runs, more than RUN_FEW, and is lent.
void run_list_start(struct run_list *list, struct run *store, uint32_t capacity);

// Moves a list of RUN_FEW runs to its store.
void run_list_spill(struct run_list *list);

// Place of the run of character index, which must be in the list.
static inline uint32_t run_find(const struct run_list *list, uint32_t index)
{
	uint32_t item = list->count - 1;

	while (run_ahead(list->items[item].index, index) > 0)
		item--;
	return item;
}

static inline int64_t run_start_in(const struct run *run, uint32_t index)
{
	return run->first_ticks + (int64_t)((uint64_t)(index - run->index) * run->spacing_ticks);
}

// Start of character index, which must be in the list.
static inline int64_t run_start(const struct run_list *list, uint32_t index)
{
	return run_start_in(&list->items[run_find(list, index)], index);
}

// Number of the first character that starts at ticks or later; end where there is none.
uint32_t run_from(const struct run_list *list, int64_t ticks);

// Start of the last character, or of the last that was trimmed.
static inline int64_t run_last(const struct run_list *list)
{
	if (list->count == 0)
		return list->before_ticks;
	return run_start_in(&list->items[list->count - 1], list->end - 1);
}

// Whether count characters continue the last run, whose spacing is open where it has but one.
static inline bool run_continues(struct run_list *list, int64_t first_ticks, int64_t spacing_ticks,
				 uint32_t count)
{
	struct run *last = &list->items[list->count - 1];
	int64_t step = first_ticks - run_last(list);

	if (count > 1 && spacing_ticks != step)
		return false;
	if (step == last->spacing_ticks)
		return true;
	if (list->end - last->index > 1 || step > UINT32_MAX)
		return false;
	last->spacing_ticks = (uint32_t)step;
	return true;
}

// Appends count > 0 characters from first_ticks on, and joins them to the last run where they
// continue it. There must be room.
static inline void run_append(struct run_list *list, int64_t first_ticks, int64_t spacing_ticks,
			      uint32_t count)
{
	if (list->count == 0 || !run_continues(list, first_ticks, spacing_ticks, count)) {
		if (list->count == RUN_FEW && list->items == list->few)
			run_list_spill(list);
		list->items[list->count++] =
			(struct run){first_ticks, list->end, (uint32_t)spacing_ticks};
	}
	list->end += count;
}

// Start of the last character before index (which is in the list, or its end).
int64_t run_start_before(const struct run_list *list, uint32_t index);

// Removes the characters from index on.
void run_cut(struct run_list *list, uint32_t index);

// Removes the characters from index to end - 1; those behind them move up. There must be room.
void run_remove(struct run_list *list, uint32_t index, uint32_t end);

// Removes whole runs of characters before index; the last run stays.
void run_trim(struct run_list *list, uint32_t index);

#endif
