// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/binner.h"

#include <stdbool.h>
#include <string.h>

static __int128 floor_div(__int128 a, int64_t b)
{
	__int128 q;

	if ((int64_t)a == a) // as is usual, and then divided much faster
		return (int64_t)a / b - ((int64_t)a % b < 0);
	q = a / b;
	return a % b < 0 ? q - 1 : q;
}

// Beyond it sums of indices, as of the ends of segments in scales.c, could leave 64 bits.
#define INDEX_MAX ((__int128)1 << 61)

__int128 epoch_ticks(const struct tr_header *header, int64_t time_ticks)
{
	const __int128 whole = (__int128)header->origin_s * (__int128)header->ticks_per_s;
	const __int128 part = (__int128)header->origin_ns * (__int128)header->ticks_per_s;

	return whole + part / 1000000000 + time_ticks;
}

enum tr_status bin_grid_set(struct bin_grid *grid, int64_t width_ticks, const struct tr_header *header, __int128 anchor_ticks,
			    struct tr_error *err)
{
	const __int128 zero = epoch_ticks(header, 0) - anchor_ticks;

	if (zero / width_ticks >= INDEX_MAX || zero / width_ticks <= -INDEX_MAX)
		return tr_fail(err, "bins of %lld ticks are too narrow to be numbered from their origin",
			       (long long)width_ticks);
	grid->width_ticks = width_ticks;
	grid->zero_index = (int64_t)floor_div(zero, width_ticks);
	grid->phase_ticks = (int64_t)(zero - (__int128)grid->zero_index * width_ticks);
	return TR_OK;
}

enum tr_status bin_grid_index(const struct bin_grid *grid, int64_t time_ticks, int64_t *index, struct tr_error *err)
{
	const __int128 offset = (__int128)time_ticks + grid->phase_ticks;
	const __int128 found = grid->zero_index + floor_div(offset, grid->width_ticks);

	if (found >= INDEX_MAX || found <= -INDEX_MAX)
		return tr_fail(err, "tick %lld is too far away for bins of %lld ticks", (long long)time_ticks,
			       (long long)grid->width_ticks);
	*index = (int64_t)found;
	return TR_OK;
}

int64_t bin_grid_start(const struct bin_grid *grid, int64_t index)
{
	return (int64_t)((__int128)(index - grid->zero_index) * grid->width_ticks - grid->phase_ticks);
}

void binner_open(struct binner *binner, const struct bin_grid *grid, bin_sink *sink, void *context)
{
	memset(binner, 0, sizeof(*binner));
	binner->grid = *grid;
	binner->sink = sink;
	binner->context = context;
	binner->run.index = grid->zero_index;
	binner->start_ticks = (uint64_t)0 - (uint64_t)grid->phase_ticks;
}

enum tr_status binner_flush(struct binner *binner, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (binner->run.count > 0)
		status = binner->sink(binner->context, &binner->run, err);
	binner->run.count = 0;
	binner->run.size_bytes = 0;
	return status;
}

// Opens the run of the bin that holds the time. Its neighbour needs no division.
static enum tr_status move_to(struct binner *binner, int64_t time_ticks, struct tr_error *err)
{
	const uint64_t width = (uint64_t)binner->grid.width_ticks;

	if (binner_flush(binner, err) != TR_OK)
		return TR_ERROR;
	if ((uint64_t)time_ticks - binner->start_ticks - width < width) {
		binner->run.index++;
		binner->start_ticks += width;
		return TR_OK;
	}
	if (bin_grid_index(&binner->grid, time_ticks, &binner->run.index, err) != TR_OK)
		return TR_ERROR;
	binner->start_ticks = (uint64_t)(binner->run.index - binner->grid.zero_index) * width -
			      (uint64_t)binner->grid.phase_ticks;
	return TR_OK;
}

enum tr_status binner_add(struct binner *binner, const void *records, size_t stride_bytes, size_t size_offset, size_t count,
			  struct tr_error *err)
{
	const uint64_t width = (uint64_t)binner->grid.width_ticks;
	const unsigned char *at = records;

	while (count > 0) {
		const uint64_t start = binner->start_ticks;
		uint64_t in_run = 0, size_bytes = 0;
		int64_t time_ticks = 0;

		for (; in_run < count; in_run++, at += stride_bytes) {
			uint32_t size;

			memcpy(&time_ticks, at, sizeof(time_ticks));
			if ((uint64_t)time_ticks - start >= width)
				break;
			memcpy(&size, at + size_offset, sizeof(size));
			size_bytes += size;
		}
		binner->run.count += in_run;
		binner->run.size_bytes += size_bytes;
		count -= in_run;
		if (count > 0 && move_to(binner, time_ticks, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status binner_add_one(struct binner *binner, int64_t time_ticks, uint64_t count, uint64_t size_bytes,
			      struct tr_error *err)
{
	const uint64_t width = (uint64_t)binner->grid.width_ticks;

	if ((uint64_t)time_ticks - binner->start_ticks >= width && move_to(binner, time_ticks, err) != TR_OK)
		return TR_ERROR;
	binner->run.count += count;
	binner->run.size_bytes += size_bytes;
	return TR_OK;
}
