// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding to fewer leading bits only joins values, so the number of different ones falls with the
// bits kept. Bits are dropped, those at once that no value uses, when that number would exceed the
// bound; the result does not depend on the order of the values: the bits kept are the most that
// stay within the bound.
#include "stat/counts/value_counts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LOG2_SLOTS_MIN 6u
#define AHEAD 64u // values whose slots are fetched together

// The slot of the value, or the free one for it.
static struct value_count *slot_of(struct value_count *slots, unsigned log2_slots, uint64_t value)
{
	const size_t mask = ((size_t)1 << log2_slots) - 1;
	size_t at = value_counts_first(value, log2_slots);

	while (slots[at].times > 0 && slots[at].value != value)
		at = (at + 1) & mask;
	return &slots[at];
}

static size_t most(const struct value_counts *counts)
{
	return (size_t)1 << (counts->log2_max ? counts->log2_max : VALUE_COUNTS_LOG2);
}

// Moves all to a table of 2^log2_slots slots, with dropped bits dropped.
static enum tr_status rebuild(struct value_counts *counts, unsigned log2_slots, unsigned dropped,
			      struct tr_error *err)
{
	const size_t old = counts->slots ? (size_t)1 << counts->log2_slots : 0;
	struct value_count *slots = calloc((size_t)1 << log2_slots, sizeof(*slots));

	if (!slots)
		return tr_no_memory(err, "%zu different values", (size_t)1 << log2_slots);
	counts->used = 0;
	for (size_t i = 0; i < old; i++) {
		const uint64_t value = value_counts_rounded(counts->slots[i].value, dropped);
		struct value_count *slot;

		if (counts->slots[i].times == 0)
			continue;
		slot = slot_of(slots, log2_slots, value);
		counts->used += slot->times == 0;
		slot->value = value;
		slot->times += counts->slots[i].times;
	}
	free(counts->slots);
	counts->slots = slots;
	counts->log2_slots = log2_slots;
	counts->dropped = dropped;
	return TR_OK;
}

// Makes room for one more value: at most half of the slots are in use.
static enum tr_status value_counts_make_room(struct value_counts *counts, struct tr_error *err)
{
	if (!counts->slots)
		return rebuild(counts, LOG2_SLOTS_MIN, counts->dropped, err);
	if (2 * (counts->used + 1) <= (size_t)1 << counts->log2_slots)
		return TR_OK;
	if (counts->used < most(counts))
		return rebuild(counts, counts->log2_slots + 1, counts->dropped, err);
	return TR_OK;
}

// How many bits to drop next: fewer would change no value.
static unsigned next_dropped(const struct value_counts *counts)
{
	const unsigned without = counts->max > 0 ? (unsigned)__builtin_clzll(counts->max) : 0;

	return counts->dropped > without ? counts->dropped + 1 : without + 1;
}

// Adds a value, which may be rounded already and is in the range.
static enum tr_status value_counts_put(struct value_counts *counts, uint64_t value, uint64_t times,
				       struct tr_error *err)
{
	for (;;) {
		struct value_count *slot = NULL;

		value = value_counts_rounded(value, counts->dropped);
		if (counts->slots)
			slot = slot_of(counts->slots, counts->log2_slots, value);
		if (slot && slot->times > 0) {
			slot->times += times;
			return TR_OK;
		}
		if (counts->used < most(counts)) {
			if (value_counts_make_room(counts, err) != TR_OK)
				return TR_ERROR;
			slot = slot_of(counts->slots, counts->log2_slots, value);
			*slot = (struct value_count){value, times};
			counts->used++;
			return TR_OK;
		}
		if (rebuild(counts, counts->log2_slots, next_dropped(counts), err) != TR_OK)
			return TR_ERROR;
	}
}

enum tr_status value_counts_add_anywhere(struct value_counts *counts, uint64_t value,
					 uint64_t times, struct tr_error *err)
{
	if (times == 0)
		return TR_OK;
	counts->min = counts->n == 0 || value < counts->min ? value : counts->min;
	counts->max = value > counts->max ? value : counts->max;
	counts->n += times;
	return value_counts_put(counts, value, times, err);
}

// The slot that adding a value is likely to touch.
static inline struct value_count *value_counts_likely(const struct value_counts *counts,
						      uint64_t rounded)
{
	return &counts->slots[value_counts_first(rounded, counts->log2_slots)];
}

// Tables of several widths do not fit the nearest cache, so the slots are fetched first. What has a
// slot of its value is not counted until the end: it is no new least or largest value but for bits
// that were dropped.
static enum tr_status value_counts_add_some(struct value_counts *counts, const uint64_t *words,
					    size_t step, size_t count, struct tr_error *err)
{
	uint64_t least = UINT64_MAX, largest = 0, found = 0, rounded[AHEAD];
	const unsigned dropped = counts->dropped;

	for (size_t i = 0; i < count; i++) {
		rounded[i] = value_counts_rounded(words[i * step], dropped);
		if (counts->slots)
			__builtin_prefetch(value_counts_likely(counts, rounded[i]), 1);
	}
	for (size_t i = 0; i < count; i++) {
		const uint64_t value = words[i * step];
		struct value_count *slot = counts->slots ? value_counts_likely(counts, rounded[i])
							 : NULL;

		if (!slot || slot->times == 0 || slot->value != rounded[i] ||
		    counts->dropped != dropped) {
			if (value_counts_add_anywhere(counts, value, 1, err) != TR_OK)
				return TR_ERROR;
			continue;
		}
		slot->times++;
		least = value < least ? value : least;
		largest = value > largest ? value : largest;
		found++;
	}
	counts->n += found;
	counts->min = least < counts->min ? least : counts->min;
	counts->max = largest > counts->max ? largest : counts->max;
	return TR_OK;
}

enum tr_status value_counts_add_words(struct value_counts *counts, const uint64_t *words,
				      size_t step, size_t count, struct tr_error *err)
{
	for (size_t some; count > 0; words += some * step, count -= some) {
		some = count < AHEAD ? count : AHEAD;
		if (value_counts_add_some(counts, words, step, some, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status value_counts_merge(struct value_counts *into, const struct value_counts *from,
				  struct tr_error *err)
{
	const size_t slots = from->slots ? (size_t)1 << from->log2_slots : 0;
	unsigned log2_slots, dropped;

	if (from->n == 0)
		return TR_OK;
	into->min = into->n == 0 || from->min < into->min ? from->min : into->min;
	into->max = from->max > into->max ? from->max : into->max;
	into->n += from->n;
	// Values in hash order would all crowd at the front of a smaller table.
	log2_slots = into->slots && into->log2_slots > from->log2_slots ? into->log2_slots
									: from->log2_slots;
	dropped = into->dropped > from->dropped ? into->dropped : from->dropped;
	if ((!into->slots || log2_slots > into->log2_slots || dropped > into->dropped) &&
	    rebuild(into, log2_slots, dropped, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < slots; i++)
		if (from->slots[i].times > 0 &&
		    value_counts_put(into, from->slots[i].value, from->slots[i].times, err) !=
			    TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static int value_counts_rising(const void *left, const void *right)
{
	const struct value_count *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

struct value_count *value_counts_list(const struct value_counts *counts, unsigned dropped,
				      size_t *count, struct tr_error *err)
{
	struct value_count *list = malloc((counts->used + 1) * sizeof(*list));
	size_t kept = 0;

	*count = 0;
	if (!list)
		(void)tr_no_memory(err, "%zu different values", counts->used);
	for (size_t i = 0; list && kept < counts->used; i++) {
		if (counts->slots[i].times == 0)
			continue;
		list[kept++] = (struct value_count){
			value_counts_rounded(counts->slots[i].value, dropped),
			counts->slots[i].times};
	}
	if (list)
		qsort(list, kept, sizeof(*list), value_counts_rising);
	for (size_t i = 0; i < kept; i++) {
		if (*count > 0 && list[*count - 1].value == list[i].value)
			list[*count - 1].times += list[i].times;
		else
			list[(*count)++] = list[i];
	}
	return list;
}

uint64_t value_counts_middle(uint64_t value, unsigned dropped)
{
	if (dropped == 0 || value >> (64 - dropped) == 0)
		return value;
	return value + (UINT64_C(1) << (dropped - (unsigned)__builtin_clzll(value))) / 2;
}

enum tr_status value_counts_percentiles(const struct value_counts *counts,
					const unsigned *thousandths, size_t count, uint64_t *out,
					struct tr_error *err)
{
	size_t kept, at = 0;
	struct value_count *list = value_counts_list(counts, counts->dropped, &kept, err);
	uint64_t below = 0;

	if (!list)
		return TR_ERROR;
	for (size_t i = 0; i < count; i++) {
		const unsigned __int128 rank = ((unsigned __int128)counts->n * thousandths[i] +
						999) /
					       1000;

		while (at < kept && below < rank)
			below += list[at++].times;
		out[i] = counts->n > 0 ? value_counts_middle(list[at - 1].value, counts->dropped)
				       : 0;
		out[i] = out[i] < counts->min	? counts->min
			 : out[i] > counts->max ? counts->max
						: out[i];
	}
	free(list);
	return TR_OK;
}

double value_counts_error(const struct value_counts *counts)
{
	return counts->dropped > 0 ? ldexp(0.5, (int)counts->dropped - 63) : 0;
}

void value_counts_clear(struct value_counts *counts)
{
	free(counts->slots);
	*counts = (struct value_counts){.n = 0};
}
