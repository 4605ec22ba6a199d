// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/common_counts.h"

#include <stdbool.h>

#define BINS_MIN 100u
#define EDGES 2u // bins at the ends, which are not complete

static bool all_fit(const struct counts *const *list, size_t count, size_t number, size_t bins)
{
	for (size_t i = 0; i < count; i++) {
		const struct counts_series *series = &list[i]->series[number];

		if (!list[i]->open || series->full || series->count < bins + EDGES)
			return false;
	}
	return count > 0;
}

static size_t find_series(const struct counts *const *list, size_t count)
{
	static const size_t bins[] = {BINS_MIN, 1};

	for (size_t i = 0; i < sizeof(bins) / sizeof(*bins); i++)
		for (size_t number = COUNTS_SERIES; number-- > 0;)
			if (all_fit(list, count, number, bins[i]))
				return number;
	return COUNTS_SERIES;
}

struct common_width common_width_of(const struct counts *const *list, size_t count)
{
	struct common_width width = {.series = find_series(list, count)};

	if (width.series == COUNTS_SERIES)
		return width;
	for (size_t i = 0; i < count; i++)
		if (list[i]->series[width.series].shift > width.shift)
			width.shift = list[i]->series[width.series].shift;
	width.seconds = num_value(list[0]->widths.seconds[list[0]->series[width.series].scale]) *
			(double)((uint64_t)1 << width.shift);
	return width;
}

void common_counts_add(const struct common_width *width, const struct counts *counts, struct batches *batches,
		       struct quantile *quantile)
{
	const struct counts_series *series = &counts->series[width->series];
	const unsigned shift = width->shift - series->shift;
	const int64_t each = (int64_t)1 << shift;
	double sum = 0;

	// Without the bins at the ends, which the packets may fill only in part, and what they would share a joined bin with.
	for (int64_t i = 1; i + 1 < (int64_t)series->count; i++) {
		const int64_t bin = series->first + i;

		sum = (bin & (each - 1)) == 0 ? series->values[i] : sum + series->values[i];
		if ((bin & (each - 1)) == each - 1 && i >= each) {
			batches_add(batches, (int64_t)sum);
			quantile_add(quantile, (uint64_t)sum);
		}
	}
}
