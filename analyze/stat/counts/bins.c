// SPDX-License-Identifier: GPL-3.0-or-later
// From records to bins.
#include "stat/counts/bins.h"
#include "value/grow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static __int128 floor_div(__int128 a, int64_t b)
{
	__int128 q;

	if ((int64_t)a == a) // usually, and then the division is much faster
		return (int64_t)a / b - ((int64_t)a % b < 0);
	q = a / b;
	return a % b < 0 ? q - 1 : q;
}

// Beyond it sums of indices, such as ends of segments in scales.c, could overflow 64 bits.
#define INDEX_MAX ((__int128)1 << 61)

const struct opt_choice bin_origin_words[] = {
	{"first", 0, "at the first packet; else at a time since the Unix epoch"},
	{NULL, 0}};

__int128 epoch_ticks(const struct tr_header *header, int64_t time_ticks)
{
	const __int128 whole = (__int128)header->origin_s * (__int128)header->ticks_per_s;
	const __int128 part = (__int128)header->origin_ns * (__int128)header->ticks_per_s;

	return whole + part / 1000000000 + time_ticks;
}

enum tr_status bin_grid_set(struct bin_grid *grid, int64_t width_ticks,
			    const struct tr_header *header, __int128 anchor_ticks,
			    struct tr_error *err)
{
	const __int128 zero = epoch_ticks(header, 0) - anchor_ticks;

	if (zero / width_ticks >= INDEX_MAX || zero / width_ticks <= -INDEX_MAX)
		return tr_fail(
			err, "bins of %lld ticks are too narrow for their distance from the origin",
			(long long)width_ticks);
	grid->width_ticks = width_ticks;
	grid->zero_index = (int64_t)floor_div(zero, width_ticks);
	grid->phase_ticks = (int64_t)(zero - (__int128)grid->zero_index * width_ticks);
	return TR_OK;
}

enum tr_status bin_grid_index(const struct bin_grid *grid, int64_t time_ticks, int64_t *index,
			      struct tr_error *err)
{
	const __int128 offset = (__int128)time_ticks + grid->phase_ticks;
	const __int128 found = grid->zero_index + floor_div(offset, grid->width_ticks);

	if (found >= INDEX_MAX || found <= -INDEX_MAX)
		return tr_fail(err, "tick %lld is too far from the origin for bins of %lld ticks",
			       (long long)time_ticks, (long long)grid->width_ticks);
	*index = (int64_t)found;
	return TR_OK;
}

int64_t bin_grid_start(const struct bin_grid *grid, int64_t index)
{
	return (int64_t)((__int128)(index - grid->zero_index) * grid->width_ticks -
			 grid->phase_ticks);
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

// Opens the run of the bin that contains the time. The next bin needs no division, and those near
// it one of 32 bits, which processors do faster.
static enum tr_status bins_move_to(struct binner *binner, int64_t time_ticks, struct tr_error *err)
{
	const uint64_t width = (uint64_t)binner->grid.width_ticks;
	const uint64_t since = (uint64_t)time_ticks - binner->start_ticks;

	if (binner_flush(binner, err) != TR_OK)
		return TR_ERROR;
	if (since - width < width) {
		binner->run.index++;
		binner->start_ticks += width;
		return TR_OK;
	}
	if ((since | width) <= UINT32_MAX && binner->run.index < INDEX_MAX - UINT32_MAX) {
		const uint32_t bins = (uint32_t)since / (uint32_t)width;

		binner->run.index += bins;
		binner->start_ticks += bins * width;
		return TR_OK;
	}
	if (bin_grid_index(&binner->grid, time_ticks, &binner->run.index, err) != TR_OK)
		return TR_ERROR;
	binner->start_ticks = (uint64_t)(binner->run.index - binner->grid.zero_index) * width -
			      (uint64_t)binner->grid.phase_ticks;
	return TR_OK;
}

enum tr_status binner_add(struct binner *binner, const void *records, size_t stride_bytes,
			  size_t size_offset, size_t count, struct tr_error *err)
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
		if (count > 0 && bins_move_to(binner, time_ticks, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status binner_add_one(struct binner *binner, int64_t time_ticks, uint64_t count,
			      uint64_t size_bytes, struct tr_error *err)
{
	const uint64_t width = (uint64_t)binner->grid.width_ticks;

	if ((uint64_t)time_ticks - binner->start_ticks >= width &&
	    bins_move_to(binner, time_ticks, err) != TR_OK)
		return TR_ERROR;
	binner->run.count += count;
	binner->run.size_bytes += size_bytes;
	return TR_OK;
}

// ---- pages of bins

static int64_t page_number(int64_t index)
{
	return index >= 0 ? index / BINS_PAGE : -1 - (-1 - index) / BINS_PAGE;
}

// First page whose number is not below number.
static size_t page_position(const struct bins *bins, int64_t number)
{
	size_t lo = 0, hi = bins->page_count;

	if (hi > 0 && bins->pages[hi - 1].number < number)
		return hi;
	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;

		if (bins->pages[middle].number < number)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

static enum tr_status grow_directory(struct bins *bins, struct tr_error *err)
{
	return GROW(bins->pages, bins->page_capacity, bins->page_capacity)
		       ? TR_OK
		       : tr_no_memory(err, "%zu pages of bins", bins->page_capacity);
}

static enum tr_status insert_page(struct bins *bins, size_t position, int64_t number,
				  struct tr_error *err)
{
	struct bin *made;

	if (bins->max_bins && (bins->page_count + 1) * BINS_PAGE > bins->max_bins)
		return tr_fail(
			err,
			"more than %llu bins of %zu B are needed (--memory); use wider bins (-b)",
			(unsigned long long)bins->max_bins, sizeof(struct bin));
	if (bins->page_count == bins->page_capacity && grow_directory(bins, err) != TR_OK)
		return TR_ERROR;
	made = calloc(BINS_PAGE, sizeof(*made));
	if (!made)
		return tr_no_memory(err, "page %zu of bins", bins->page_count + 1);
	memmove(bins->pages + position + 1, bins->pages + position,
		(bins->page_count - position) * sizeof(*bins->pages));
	bins->pages[position] = (struct bins_page){number, made};
	bins->page_count++;
	return TR_OK;
}

// Makes the page for a bin. TR_ERROR (with the bins unchanged) beyond max_bins or if out of memory.
static enum tr_status bins_reserve(struct bins *bins, int64_t index, struct tr_error *err)
{
	const int64_t number = page_number(index);

	if (bins->recent < bins->page_count && bins->pages[bins->recent].number == number)
		return TR_OK;
	bins->recent = page_position(bins, number);
	if (bins->recent < bins->page_count && bins->pages[bins->recent].number == number)
		return TR_OK;
	return insert_page(bins, bins->recent, number, err);
}

// Adds to a bin whose page exists.
static void bins_add(struct bins *bins, const struct bin_run *run)
{
	const int64_t number = page_number(run->index);
	struct bin *bin;

	if (bins->pages[bins->recent].number != number)
		bins->recent = page_position(bins, number);
	bin = &bins->pages[bins->recent].bins[run->index - number * BINS_PAGE];
	bin->count += run->count;
	bin->size_bytes += run->size_bytes;
}

enum tr_status bins_take(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct bins *bins = context;

	if (bins_reserve(bins, run->index, err) != TR_OK)
		return TR_ERROR;
	bins_add(bins, run);
	return TR_OK;
}

enum tr_status bins_merge(struct bins *into, const struct bins *from, struct tr_error *err)
{
	return bins_visit(from, bins_take, into, err);
}

static enum tr_status visit_page(const struct bins_page *page, bin_sink *sink, void *context,
				 struct tr_error *err)
{
	for (int64_t i = 0; i < BINS_PAGE; i++) {
		const struct bin *bin = &page->bins[i];
		const struct bin_run run = {page->number * BINS_PAGE + i, bin->count,
					    bin->size_bytes};

		if (bin->count > 0 && sink(context, &run, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status bins_visit(const struct bins *bins, bin_sink *sink, void *context,
			  struct tr_error *err)
{
	for (size_t i = 0; i < bins->page_count; i++)
		if (visit_page(&bins->pages[i], sink, context, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Where the writing of bins is.
struct bins_written {
	struct partial *partial;
	int64_t next; // index after the last bin
};

static enum tr_status count_bin(void *context, const struct bin_run *run, struct tr_error *err)
{
	(void)run;
	(void)err;
	++*(uint64_t *)context;
	return TR_OK;
}

static enum tr_status write_bin(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct bins_written *written = context;
	int64_t step = run->index - written->next;
	struct bin_run copy = *run;

	(void)err;
	partial_i64(written->partial, &step);
	partial_u64(written->partial, &copy.count, PARTIAL_COUNT_MAX);
	partial_u64(written->partial, &copy.size_bytes, PARTIAL_COUNT_MAX);
	written->next = run->index + 1;
	return TR_OK;
}

static void read_bins(struct bins *bins, struct partial *partial, uint64_t count)
{
	struct bin_run run = {0, 0, 0};
	struct tr_error err;
	int64_t step = 0;

	for (; count > 0 && partial_ok(partial); count--) {
		partial_i64(partial, &step);
		partial_u64(partial, &run.count, PARTIAL_COUNT_MAX);
		partial_u64(partial, &run.size_bytes, PARTIAL_COUNT_MAX);
		if (__builtin_add_overflow(run.index, step, &run.index) ||
		    run.index >= (int64_t)INDEX_MAX || run.index <= -(int64_t)INDEX_MAX)
			partial_refuse(partial, "a bin is too far from the origin");
		else if (partial_ok(partial) && bins_take(bins, &run, &err) != TR_OK)
			partial_refuse(partial, "%s", err.text);
		run.index++;
	}
}

void bins_exchange(struct bins *bins, struct partial *partial)
{
	struct bins_written written = {partial, 0};
	uint64_t count = 0;

	if (!partial_reads(partial))
		(void)bins_visit(bins, count_bin, &count, NULL);
	partial_u64(partial, &count, UINT64_MAX);
	if (partial_reads(partial))
		read_bins(bins, partial, count);
	else
		(void)bins_visit(bins, write_bin, &written, NULL);
}

void bins_clear(struct bins *bins)
{
	for (size_t i = 0; i < bins->page_count; i++)
		free(bins->pages[i].bins);
	free(bins->pages);
	*bins = (struct bins){.max_bins = bins->max_bins};
}
