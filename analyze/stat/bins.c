// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bins.h"

#include <stdlib.h>
#include <string.h>

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
	const size_t capacity = bins->page_capacity ? 2 * bins->page_capacity : 16;
	struct bins_page *pages = realloc(bins->pages, capacity * sizeof(*pages));

	if (!pages)
		return tr_no_memory(err, "%zu pages of bins", capacity);
	bins->pages = pages;
	bins->page_capacity = capacity;
	return TR_OK;
}

static enum tr_status insert_page(struct bins *bins, size_t position, int64_t number, struct tr_error *err)
{
	struct bin *made;

	if (bins->max_bins && (bins->page_count + 1) * BINS_PAGE > bins->max_bins)
		return tr_fail(err, "more than %llu bins are needed", (unsigned long long)bins->max_bins);
	if (bins->page_count == bins->page_capacity && grow_directory(bins, err) != TR_OK)
		return TR_ERROR;
	made = calloc(BINS_PAGE, sizeof(*made));
	if (!made)
		return tr_no_memory(err, "page %zu of bins", bins->page_count + 1);
	memmove(bins->pages + position + 1, bins->pages + position, (bins->page_count - position) * sizeof(*bins->pages));
	bins->pages[position] = (struct bins_page){number, made};
	bins->page_count++;
	return TR_OK;
}

enum tr_status bins_reserve(struct bins *bins, int64_t index, struct tr_error *err)
{
	const int64_t number = page_number(index);

	if (bins->recent < bins->page_count && bins->pages[bins->recent].number == number)
		return TR_OK;
	bins->recent = page_position(bins, number);
	if (bins->recent < bins->page_count && bins->pages[bins->recent].number == number)
		return TR_OK;
	return insert_page(bins, bins->recent, number, err);
}

void bins_add(struct bins *bins, const struct bin_run *run)
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

static enum tr_status visit_page(const struct bins_page *page, bin_sink *sink, void *context, struct tr_error *err)
{
	for (int64_t i = 0; i < BINS_PAGE; i++) {
		const struct bin *bin = &page->bins[i];
		const struct bin_run run = {page->number * BINS_PAGE + i, bin->count, bin->size_bytes};

		if (bin->count > 0 && sink(context, &run, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status bins_visit(const struct bins *bins, bin_sink *sink, void *context, struct tr_error *err)
{
	for (size_t i = 0; i < bins->page_count; i++)
		if (visit_page(&bins->pages[i], sink, context, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

void bins_clear(struct bins *bins)
{
	for (size_t i = 0; i < bins->page_count; i++)
		free(bins->pages[i].bins);
	free(bins->pages);
	*bins = (struct bins){.max_bins = bins->max_bins};
}
