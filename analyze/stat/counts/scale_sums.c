// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/scale_sums.h"

#include <stdlib.h>
#include <string.h>

#include "value/num.h"

bool scale_sums_open(struct scale_sums *sums, size_t count)
{
	sums->count = count;
	sums->segments = calloc(count, sizeof(*sums->segments));
	sums->batches = calloc(2 * count + 1, sizeof(*sums->batches));
	return sums->segments && sums->batches;
}

void scale_sums_start(struct scale_sums *sums, int64_t index, int64_t coarsest)
{
	sums->width = coarsest;
	sums->first = num_floor_div(index - coarsest, coarsest);
	sums->recent_begin = (sums->first + 1) * coarsest;
	sums->recent = 1;
}

void scale_moments_merge(struct scale_moments *into, const struct scale_moments *from)
{
	moments_merge(&into->count, &from->count);
	moments_merge(&into->size_bytes, &from->size_bytes);
}

// Joins neighbouring segments of one width, of which the first has number first, so that each is
// 2^doublings as long.
static void join_segments(struct scale_moments *segments, int64_t first, unsigned doublings)
{
	for (int64_t i = 0; i < SCALE_SEGMENTS; i++) {
		const int64_t at = ((first + i) >> doublings) - (first >> doublings);

		if (at == i || segments[i].count.n == 0)
			continue;
		scale_moments_merge(&segments[at], &segments[i]);
		segments[i] = (struct scale_moments){0};
	}
}

static void lengthen_segments(struct scale_sums *sums, unsigned doublings)
{
	for (size_t i = 0; i < sums->count; i++)
		join_segments(sums->segments[i].moments, sums->first, doublings);
	sums->first >>= doublings;
	sums->width *= INT64_C(1) << doublings;
}

// Gives the widths the values added once for several: those of the k finest also belong to the k -
// 1 finest.
static enum tr_status share_values(struct scale_sums *sums, const size_t *order,
				   struct tr_error *err)
{
	struct bin_values *values = sums->values;

	if (values && bin_values_settle(values, err) != TR_OK)
		return TR_ERROR;
	for (size_t k = values ? sums->count : 0; k > 0; k--) {
		if (bin_values_merge(&values->widths[order[k - 1]], &values->alone[k], err) !=
			    TR_OK ||
		    (k > 1 &&
		     bin_values_merge(&values->alone[k - 1], &values->alone[k], err) != TR_OK))
			return TR_ERROR;
	}
	return TR_OK;
}

static struct scale_moments *recent_of(struct scale_sums *sums, size_t which)
{
	return &sums->segments[which].moments[sums->recent];
}

// Gives the widths the sums added once for several.
static void share_alone(struct scale_sums *sums, const size_t *order)
{
	for (size_t k = 1; k <= sums->count && sums->any_alone; k++) {
		for (size_t i = 0; i < k; i++)
			scale_moments_merge(recent_of(sums, order[i]), &sums->alone[k]);
		sums->alone[k] = (struct scale_moments){0};
	}
	sums->any_alone = false;
}

enum tr_status scale_sums_add(struct scale_sums *sums, size_t number, struct tr_error *err)
{
	const struct bin *bins = sums->batches[number].bins;
	const size_t count = sums->batched[number], k = number - sums->count;
	const bool alone = number >= sums->count;
	struct scale_moments *moments = alone ? &sums->alone[k] : recent_of(sums, number);

	sums->batched[number] = 0;
	if (count == 0)
		return TR_OK;
	moments_add_words(&moments->count, &bins->count, sizeof(*bins) / sizeof(uint64_t), count);
	moments_add_words(&moments->size_bytes, &bins->size_bytes, sizeof(*bins) / sizeof(uint64_t),
			  count);
	sums->any_alone |= alone;
	if (!sums->values)
		return TR_OK;
	return bin_values_add(alone ? &sums->values->alone[k] : &sums->values->widths[number], bins,
			      count, err);
}

// Adds all batches, and what they share.
static enum tr_status add_batches(struct scale_sums *sums, const size_t *order,
				  struct tr_error *err)
{
	for (size_t i = 0; i <= 2 * sums->count; i++)
		if (scale_sums_add(sums, i, err) != TR_OK)
			return TR_ERROR;
	share_alone(sums, order);
	return TR_OK;
}

enum tr_status scale_sums_turn_to(struct scale_sums *sums, const size_t *order, int64_t index,
				  struct tr_error *err)
{
	int64_t segment;
	unsigned doublings = 0;

	if (add_batches(sums, order, err) != TR_OK)
		return TR_ERROR;
	segment = num_floor_div(index, sums->width);
	while ((segment >> doublings) - (sums->first >> doublings) >= SCALE_SEGMENTS)
		doublings++;
	if (doublings > 0)
		lengthen_segments(sums, doublings);
	segment >>= doublings;
	sums->recent = segment - sums->first;
	sums->recent_begin = segment * sums->width;
	return TR_OK;
}

enum tr_status scale_sums_finish(struct scale_sums *sums, const size_t *order, struct tr_error *err)
{
	if (add_batches(sums, order, err) != TR_OK)
		return TR_ERROR;
	return share_values(sums, order, err);
}

bool scale_sums_copy(struct scale_sums *to, const struct scale_sums *from)
{
	const size_t batches = 2 * from->count + 1;

	*to = *from;
	to->values = NULL;
	to->segments = malloc(from->count * sizeof(*to->segments));
	to->batches = malloc(batches * sizeof(*to->batches));
	if (!to->segments || !to->batches)
		return false;
	memcpy(to->segments, from->segments, from->count * sizeof(*to->segments));
	memcpy(to->batches, from->batches, batches * sizeof(*to->batches));
	return true;
}

void scale_sums_close(struct scale_sums *sums)
{
	free(sums->segments);
	free(sums->batches);
}
