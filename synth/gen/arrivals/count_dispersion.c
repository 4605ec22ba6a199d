// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/count_dispersion.h"

#include <math.h>

#include "gen/arrivals/gaps.h"

#define FIRST 0.5	 // mean gaps
#define WINDOWS_MOST 4e6 // of the first time

struct sums {
	double windows, sum, squares;
};

static void add_windows(const struct arrival_times *times, double width_ticks, struct sums *sums)
{
	const double windows = floor((double)(times->end_ticks - times->begin_ticks) / width_ticks);
	size_t i = 0;

	sums->windows += windows;
	while (i < times->count) {
		const double window = floor((double)(times->ticks[i] - times->begin_ticks) / width_ticks);
		double count = 0;

		if (window >= windows)
			break;
		for (; i < times->count && (double)(times->ticks[i] - times->begin_ticks) < (window + 1) * width_ticks; i++)
			count++;
		// A packet on the border to which rounding brings it is of this window.
		if (count == 0) {
			i++;
			count = 1;
		}
		sums->sum += count;
		sums->squares += count * count;
	}
}

enum tr_status count_dispersion_take(struct count_dispersion *out, const struct arrival_sample *sample, double windows_least,
				     struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double ticks = total.ticks, packets = total.packets;

	*out = (struct count_dispersion){.rate = packets / ticks * sample->ticks_per_s};
	for (double width = fmax(fmax(FIRST * ticks / packets, ticks / WINDOWS_MOST), 1); // below a tick are no times
	     packets > 0 && out->count < COUNT_DISPERSION_TIMES; width *= 2) {
		struct sums sums = {0, 0, 0};

		for (size_t r = 0; r < sample->count; r++)
			add_windows(&sample->each[r], width, &sums);
		if (sums.windows < windows_least)
			break;
		const double mean = sums.sum / sums.windows;

		out->t_s[out->count] = width / sample->ticks_per_s;
		out->index[out->count] = (sums.squares / sums.windows - mean * mean) / mean;
		out->windows[out->count++] = sums.windows;
	}
	return out->count >= 4 ? TR_OK : tr_fail(err, "%.0f packets are too few to see their dispersion over times", packets);
}
