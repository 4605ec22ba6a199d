// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/zoom.h"

#include <string.h>

void zoom_open(struct zoom *zoom, int64_t factor)
{
	memset(zoom, 0, sizeof(*zoom));
	for (size_t i = 0; i < ZOOM_DECADES; i++, factor *= 10)
		zoom->decades[i].factor = factor;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

// Ends the window under way, of which all bins are known, and begins the one that holds the bin.
static void restart(struct zoom_decade *decade, int64_t bin)
{
	struct zoom_window *open = &decade->open;
	const int64_t begin = bin - (bin - open->begin) % ZOOM_BINS;

	if (!decade->has_whole || open->packets > decade->fullest.packets)
		decade->fullest = *open;
	decade->has_whole = true;
	memset(open, 0, sizeof(*open));
	open->begin = begin;
}

static void add(struct zoom_decade *decade, int64_t bin, uint64_t count)
{
	struct zoom_window *open = &decade->open;

	decade->last = bin;
	if (bin >= open->begin + ZOOM_BINS)
		restart(decade, bin);
	if (bin < open->begin)
		return;
	open->counts[bin - open->begin] += (double)count;
	open->packets += count;
}

void zoom_add(struct zoom *zoom, const struct bin_run *run)
{
	int64_t bin = floor_div(run->index, zoom->decades[0].factor);

	for (size_t i = 0; i < ZOOM_DECADES; i++, bin = floor_div(bin, 10)) {
		struct zoom_decade *decade = &zoom->decades[i];

		if (!zoom->started) {
			decade->first = bin;
			decade->open.begin = bin + 1;
		}
		add(decade, bin, run->count);
	}
	zoom->started = true;
}

size_t zoom_get(const struct zoom *zoom, size_t index, int64_t *begin, double counts[ZOOM_BINS])
{
	const struct zoom_decade *decade = &zoom->decades[index];
	const struct zoom_window *window = decade->has_whole ? &decade->fullest : &decade->open;
	const int64_t bins = decade->has_whole ? ZOOM_BINS : decade->last - window->begin;

	if (!zoom->started || bins <= 0)
		return 0;
	*begin = window->begin;
	memcpy(counts, window->counts, sizeof(window->counts));
	return (size_t)bins;
}
