// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/lost_bins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream/record.h"
#include "value/grow.h"
#include "value/num.h"

void lost_bins_begin(struct lost_bins *lost)
{
	lost->any = false;
}

static enum tr_status append_lost_run(struct lost_bins *lost, int64_t first, int64_t last,
				      struct tr_error *err)
{
	struct lost_run *before = lost->count > 0 ? &lost->runs[lost->count - 1] : NULL;

	if (before && first >= before->first && first <= before->last) {
		before->last = last > before->last ? last : before->last;
		return TR_OK;
	}
	if (!GROW(lost->runs, lost->capacity, lost->count))
		return tr_no_memory(err, "%zu losses of the capture", lost->count);
	lost->runs[lost->count++] = (struct lost_run){first, last};
	return TR_OK;
}

enum tr_status lost_bins_take(struct lost_bins *lost, const struct bin_grid *grid,
			      int64_t time_ticks, bool after_loss, struct tr_error *err)
{
	const int64_t before_ticks = lost->last_ticks;
	const bool between = after_loss && lost->any;
	int64_t first, last;

	lost->last_ticks = time_ticks;
	lost->any = true;
	if (!between)
		return TR_OK;
	if (bin_grid_index(grid, before_ticks < time_ticks ? before_ticks : time_ticks, &first,
			   err) != TR_OK ||
	    bin_grid_index(grid, before_ticks < time_ticks ? time_ticks : before_ticks, &last,
			   err) != TR_OK)
		return TR_ERROR;
	return append_lost_run(lost, first, last, err);
}

enum tr_status lost_bins_add(struct lost_bins *lost, const struct bin_grid *grid,
			     const void *packets, size_t stride_bytes, size_t count,
			     struct tr_error *err)
{
	const char *at = packets;
	unsigned flags = 0;

	if (count == 0)
		return TR_OK;
	for (size_t i = 0; i < count; i++)
		flags |= ((const struct tr_packet *)(const void *)(at + i * stride_bytes))->flags;
	for (size_t i = flags & TR_FLAG_AFTER_LOSS ? 0 : count - 1; i < count; i++) {
		const struct tr_packet *packet = (const void *)(at + i * stride_bytes);

		if (lost_bins_take(lost, grid, packet->time_ticks,
				   packet->flags & TR_FLAG_AFTER_LOSS, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static int by_first(const void *a, const void *b)
{
	const struct lost_run *one = a, *other = b;

	return (one->first > other->first) - (one->first < other->first);
}

// Marks the points of n that have such bins in x, if that is not NULL, as not a number. Returns how
// many there are. The runs are in order.
static size_t mark_lost(const struct lost_bins *lost, int64_t first, int64_t join, double *x,
			size_t n)
{
	int64_t next = 0;
	size_t count = 0;

	for (size_t i = 0; i < lost->count; i++) {
		const int64_t begin = num_floor_div(lost->runs[i].first, join) - first;
		const int64_t end = num_floor_div(lost->runs[i].last, join) - first;

		for (next = begin > next ? begin : next; next <= end && next < (int64_t)n;
		     next++, count++)
			if (x)
				x[next] = NAN;
	}
	return count;
}

struct lost_points lost_bins_cut(struct lost_bins *lost, int64_t first, int64_t join, double *x,
				 size_t *n)
{
	struct lost_points points = {0};
	size_t left = 0;

	if (lost->count == 0)
		return points;
	qsort(lost->runs, lost->count, sizeof(*lost->runs), by_first);
	points.count = mark_lost(lost, first, join, NULL, *n);
	points.kept = 2 * points.count > *n;
	if (points.kept)
		return points;
	(void)mark_lost(lost, first, join, x, *n);
	for (size_t i = 0; i < *n; i++)
		if (!isnan(x[i]))
			x[left++] = x[i];
	*n = left;
	return points;
}

void lost_bins_clear(struct lost_bins *lost)
{
	free(lost->runs);
	*lost = (struct lost_bins){0};
}

const char *lost_points_note(const struct lost_points *lost, size_t left, char *text)
{
	text[0] = '\0';
	if (lost->kept)
		(void)snprintf(text, LOST_POINTS_BYTES,
			       "the capture lost packets in %zu of %zu bins, too many to leave "
			       "out: the series is too low there",
			       lost->count, left);
	else if (lost->count > 0)
		(void)snprintf(text, LOST_POINTS_BYTES,
			       "the capture lost packets in %zu of %zu bins, which are left out",
			       lost->count, left + lost->count);
	return text;
}
