// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/scales.h"

#include <stdlib.h>
#include <string.h>

#include "value/num.h"

static int64_t ceil_div(int64_t a, int64_t b)
{
	return -num_floor_div(-a, b);
}

static void sort_by_factor(struct scales *scales)
{
	for (size_t i = 0; i < scales->count; i++) {
		size_t at = i;

		for (; at > 0 &&
		       scales->scales[scales->order[at - 1]].factor > scales->scales[i].factor;
		     at--)
			scales->order[at] = scales->order[at - 1];
		scales->order[at] = i;
	}
}

// The coarsest finer width that divides it.
static void find_parent(struct scales *scales, size_t position)
{
	struct scale *scale = &scales->scales[scales->order[position]];

	scale->parent = -1;
	for (size_t i = 0; i < position; i++) {
		const int64_t finer = scales->scales[scales->order[i]].factor;

		if (scale->factor % finer == 0)
			scale->parent = (int)scales->order[i];
	}
	if (scale->parent < 0)
		scales->fed_by_grid |= UINT64_C(1) << scales->order[position];
	else
		scales->scales[scale->parent].feeds |= UINT64_C(1) << scales->order[position];
}

// Of the k finest widths, for each k.
static void find_sets(struct scales *scales)
{
	uint64_t fed = scales->fed_by_grid;

	for (size_t k = 0;; k++) {
		const uint64_t bit = k < scales->count ? UINT64_C(1) << scales->order[k] : 0;

		scales->fed_above[k] = fed & ~scales->finest[k];
		if (!bit)
			return;
		scales->finest[k + 1] = scales->finest[k] | bit;
		fed |= scales->scales[scales->order[k]].feeds;
	}
}

enum tr_status scales_open(struct scales *scales, const int64_t *factors, size_t count,
			   struct tr_error *err)
{
	memset(scales, 0, sizeof(*scales));
	if (count == 0 || count > SCALES_MAX)
		return tr_fail(err,
			       "between 1 and %d widths of bins can be counted at once, not %zu",
			       SCALES_MAX, count);
	scales->scales = calloc(count, sizeof(*scales->scales));
	if (!scale_sums_open(&scales->sums, count) || !scales->scales) {
		scales_close(scales);
		return tr_no_memory(err, "%zu widths of bins", count);
	}
	scales->count = count;
	for (size_t i = 0; i < count; i++)
		scales->scales[i].factor = factors[i];
	sort_by_factor(scales);
	for (size_t i = 0; i < count; i++)
		scales->rising[i] = scales->scales[scales->order[i]].factor;
	scales->rising[count] = INT64_MAX;
	for (size_t i = 0; i < count; i++)
		find_parent(scales, i);
	find_sets(scales);
	return TR_OK;
}

static void scales_start(struct scales *scales, int64_t index)
{
	const int64_t coarsest = scales->scales[scales->order[scales->count - 1]].factor;

	scales->started = true;
	scales->sums.values = scales->values;
	scale_sums_start(&scales->sums, index, coarsest);
	for (size_t i = 0; i < scales->count; i++) {
		struct scale *scale = &scales->scales[i];

		scale->first = num_floor_div(index, scale->factor) * scale->factor;
		scale->open.index = scale->first;
	}
	scales->open = scales->finest[scales->count];
}

static int64_t scales_last(const struct scales *scales, size_t scale)
{
	return num_floor_div(scales->last_index, scales->scales[scale].factor);
}

// Whether the open bin is the first, or the last, which completes only at the end.
static bool is_edge(const struct scales *scales, const struct scale *scale)
{
	if (!scales->from_start && scale->open.index == scale->first)
		return true;
	return scales->finishing && scales->last_index - scale->open.index < scale->factor;
}

static enum tr_status call_hook(const struct scales *scales, size_t which, struct tr_error *err)
{
	const struct scale *scale = &scales->scales[which];
	struct bin_run bin = scale->open;

	bin.index = num_floor_div(bin.index, scale->factor);
	return scales->hook(scales->context, which, &bin, err);
}

// Completes a width's open bin: into its segment, or the edges, and to the hook.
static enum tr_status scales_complete(struct scales *scales, size_t which, struct tr_error *err)
{
	struct scale *scale = &scales->scales[which];

	if (is_edge(scales, scale)) {
		moments_add(&scale->edges.count, (int64_t)scale->open.count);
		moments_add(&scale->edges.size_bytes, (int64_t)scale->open.size_bytes);
	} else if ((!scale_sums_is_recent(&scales->sums, scale->open.index) &&
		    scale_sums_turn_to(&scales->sums, scales->order, scale->open.index, err) !=
			    TR_OK) ||
		   scale_sums_put(&scales->sums, which, &scale->open, err) != TR_OK) {
		return TR_ERROR;
	}
	return scales->hook ? call_hook(scales, which, err) : TR_OK;
}

static enum tr_status feed(struct scales *scales, uint64_t which, const struct bin_run *run,
			   struct tr_error *err);

// The largest multiple of factor in 0 <= since. Processors divide 32 bits faster.
static inline int64_t whole_widths(int64_t since, int64_t factor)
{
	if ((since | factor) <= UINT32_MAX)
		return since - (int64_t)((uint32_t)since % (uint32_t)factor);
	return since - since % factor;
}

// Completes the open bin, if there is anything in it, and passes it on to the widths that it feeds.
static enum tr_status pass_on(struct scales *scales, size_t which, struct tr_error *err)
{
	const struct scale *scale = &scales->scales[which];

	if (scale->open.count == 0)
		return TR_OK;
	if (scales_complete(scales, which, err) != TR_OK)
		return TR_ERROR;
	return scale->feeds ? feed(scales, scale->feeds, &scale->open, err) : TR_OK;
}

// Adds a run, or a bin that begins with bin run->index of the finest grid, to each width of the set
// which.
static enum tr_status feed(struct scales *scales, uint64_t which, const struct bin_run *run,
			   struct tr_error *err)
{
	for (; which; which &= which - 1) {
		const size_t i = (size_t)__builtin_ctzll(which);
		struct scale *scale = &scales->scales[i];
		const int64_t since = run->index - scale->open.index;

		if (since < scale->factor) {
			scale->open.count += run->count;
			scale->open.size_bytes += run->size_bytes;
			continue;
		}
		if (pass_on(scales, i, err) != TR_OK)
			return TR_ERROR;
		scale->open.index += whole_widths(since, scale->factor);
		scale->open.count = run->count;
		scale->open.size_bytes = run->size_bytes;
		scales->open |= UINT64_C(1) << i;
	}
	return TR_OK;
}

// In how many of the finest widths the last run is alone, judging by the silences: two bins a width
// apart are in different bins of that width. A hook needs every bin in its turn.
static size_t widths_alone(const struct scales *scales, int64_t gap_behind)
{
	const int64_t gap = scales->gap < gap_behind ? scales->gap : gap_behind;
	size_t k = 0;

	if (scales->hook || scales->last.count == 0)
		return 0;
	while (scales->rising[k] <= gap)
		k++;
	return k;
}

// Completes the open bins of the k finest widths.
static enum tr_status pass_finest(struct scales *scales, size_t k, struct tr_error *err)
{
	for (size_t i = 0; i < k && (scales->open & scales->finest[k]); i++) {
		const size_t which = scales->order[i];

		if (!(scales->open >> which & 1))
			continue;
		if (pass_on(scales, which, err) != TR_OK)
			return TR_ERROR;
		scales->scales[which].open.count = 0;
		scales->open &= ~(UINT64_C(1) << which);
	}
	return TR_OK;
}

// Whether the bins of the k finest widths with the last run all begin in the recent segment.
// None of them is at an edge: the first run is alone nowhere, and neither is the last.
static bool in_recent(const struct scales *scales, size_t k)
{
	const int64_t at = scales->last.index - scales->sums.recent_begin;

	return at < scales->sums.width && at >= scales->rising[k - 1] - 1;
}

// Adds the last run, now that the next one is known to follow after gap_behind bins.
static enum tr_status place_last(struct scales *scales, int64_t gap_behind, struct tr_error *err)
{
	const size_t k = widths_alone(scales, gap_behind);

	if (k > 0 && pass_finest(scales, k, err) != TR_OK)
		return TR_ERROR;
	if (k == 0 || !in_recent(scales, k))
		return feed(scales, scales->fed_by_grid, &scales->last, err);
	if (scale_sums_put(&scales->sums, scales->count + k, &scales->last, err) != TR_OK)
		return TR_ERROR;
	return feed(scales, scales->fed_above[k], &scales->last, err);
}

enum tr_status scales_take(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct scales *scales = context;

	if (!scales->started) {
		scales_start(scales, run->index);
	} else if (run->index < scales->last_index) {
		return tr_fail(err, "the packets go back in time");
	} else if (run->index == scales->last_index) {
		scales->last.count += run->count;
		scales->last.size_bytes += run->size_bytes;
		return TR_OK;
	} else {
		const int64_t gap = run->index - scales->last_index;

		if (place_last(scales, gap, err) != TR_OK)
			return TR_ERROR;
		scales->gap = gap;
	}
	scales->last = *run;
	scales->last_index = run->index;
	return TR_OK;
}

enum tr_status scales_pass(struct scales *scales, int64_t index, struct tr_error *err)
{
	const struct bin_run silence = {.index = index};

	if (!scales->started || index <= scales->last_index)
		return TR_OK;
	if (scales_take(scales, &silence, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < scales->count; i++)
		if (feed(scales, UINT64_C(1) << scales->order[i], &silence, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status scales_finish(struct scales *scales, struct tr_error *err)
{
	if (scales->started && place_last(scales, 0, err) != TR_OK)
		return TR_ERROR;
	scales->finishing = true;
	if (scales->started && !scale_sums_is_recent(&scales->sums, scales->last_index) &&
	    scale_sums_turn_to(&scales->sums, scales->order, scales->last_index, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < scales->count; i++)
		if (pass_on(scales, scales->order[i], err) != TR_OK)
			return TR_ERROR;
	return scale_sums_finish(&scales->sums, scales->order, err);
}

int64_t scales_first(const struct scales *scales, size_t scale)
{
	return num_floor_div(scales->scales[scale].first, scales->scales[scale].factor);
}

// The first bin of a width that is complete.
static int64_t first_whole(const struct scales *scales, size_t scale)
{
	return scales_first(scales, scale) + (scales->from_start ? 0 : 1);
}

static void add_empty(struct scale_moments *moments, uint64_t count)
{
	moments_add_repeated(&moments->count, 0, count);
	moments_add_repeated(&moments->size_bytes, 0, count);
}

struct scale_moments scales_segment(const struct scales *scales, size_t scale, size_t segment)
{
	const int64_t factor = scales->scales[scale].factor;
	const int64_t begin = (scales->sums.first + (int64_t)segment) * scales->sums.width;
	const int64_t first = first_whole(scales, scale);
	int64_t from = ceil_div(begin, factor);
	int64_t to = ceil_div(begin + scales->sums.width, factor) - 1;
	struct scale_moments moments = scales->sums.segments[scale].moments[segment];

	from = from < first ? first : from;
	to = to >= scales_last(scales, scale) ? scales_last(scales, scale) - 1 : to;
	if (scales->started && from <= to)
		add_empty(&moments, (uint64_t)(to - from + 1) - moments.count.n);
	return moments;
}

struct scale_moments scales_edges(const struct scales *scales, size_t scale)
{
	return scales->scales[scale].edges;
}

struct scale_moments scales_get(const struct scales *scales, size_t scale)
{
	const int64_t first = first_whole(scales, scale), end = scales_last(scales, scale);
	struct scale_moments sum = {0};

	for (size_t i = 0; i < SCALE_SEGMENTS; i++)
		scale_moments_merge(&sum, &scales->sums.segments[scale].moments[i]);
	if (scales->started && first < end)
		add_empty(&sum, (uint64_t)(end - first) - sum.count.n);
	return sum;
}

enum tr_status scales_copy(struct scales *to, const struct scales *from, struct tr_error *err)
{
	*to = *from;
	to->values = NULL;
	if (!from->scales)
		return TR_OK;
	to->scales = malloc(from->count * sizeof(*to->scales));
	if (!scale_sums_copy(&to->sums, &from->sums) || !to->scales) {
		scales_close(to);
		return tr_no_memory(err, "%zu widths of bins", from->count);
	}
	memcpy(to->scales, from->scales, from->count * sizeof(*to->scales));
	return TR_OK;
}

void scales_close(struct scales *scales)
{
	free(scales->scales);
	scale_sums_close(&scales->sums);
	memset(scales, 0, sizeof(*scales));
}
