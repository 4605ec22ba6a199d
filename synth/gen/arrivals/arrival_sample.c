// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "stat/intervals/beta_gamma.h"

struct arrival_total arrival_total_of(const struct arrival_sample *sample)
{
	struct arrival_total total = {0, 0};

	for (size_t i = 0; i < sample->count; i++) {
		total.packets += (double)sample->each[i].count;
		total.ticks += (double)(sample->each[i].end_ticks - sample->each[i].begin_ticks);
	}
	return total;
}

double *arrival_gaps_of(const struct arrival_sample *sample, size_t *count)
{
	const double packets = arrival_total_of(sample).packets;
	double *gaps = malloc(((size_t)packets + 1) * sizeof(*gaps));

	*count = 0;
	for (size_t i = 0; gaps && i < sample->count; i++)
		for (size_t k = 1; k < sample->each[i].count; k++)
			gaps[(*count)++] = (double)(sample->each[i].ticks[k] -
						    sample->each[i].ticks[k - 1]);
	return gaps;
}

void arrival_poisson_interval(double count, double time, double level, double *low, double *high)
{
	*low = time / gamma_quantile(count + 1, 0.5 + level / 2);
	*high = time / gamma_quantile(count, 0.5 - level / 2);
}

#define PIECES 8u // per realisation that is cut

size_t stretches_packets(const struct arrival_sample *sample)
{
	size_t packets = 0;

	for (size_t r = 0; r < sample->count; r++)
		packets += sample->each[r].count;
	return packets;
}

// Cuts one realisation into pieces, together share of it; returns how many.
static size_t arrival_sample_cut(const struct arrival_times *times, double share,
				 struct arrival_times *out)
{
	const size_t each = (size_t)(share * (double)times->count / PIECES);

	if (each < 2)
		return 0;
	for (size_t i = 0; i < PIECES; i++) {
		const size_t first = i * (times->count / PIECES);

		out[i] = (struct arrival_times){.ticks = times->ticks + first + 1,
						.count = each - 1,
						.begin_ticks = times->ticks[first],
						.end_ticks = times->ticks[first + each - 1] + 1};
	}
	return PIECES;
}

enum tr_status stretches_take(struct arrival_sample *out, const struct arrival_sample *sample,
			      size_t packets, struct tr_error *err)
{
	const size_t all = stretches_packets(sample);
	struct arrival_times *each = calloc(sample->count * PIECES + 1, sizeof(*each));

	*out = *sample;
	out->each = each;
	if (!each)
		return tr_no_memory(err, "%zu realisations", sample->count);
	out->count = 0;
	for (size_t r = 0; r < sample->count; r++) {
		if (all <= packets)
			each[out->count++] = sample->each[r];
		else
			out->count += arrival_sample_cut(
				&sample->each[r], (double)packets / (double)all, each + out->count);
	}
	return TR_OK;
}

#define FIRST 0.5	 // mean gaps
#define WINDOWS_MOST 4e6 // of the first time

struct arrival_sample_sums {
	double windows, sum, squares;
};

static void arrival_sample_add_windows(const struct arrival_times *times, double width_ticks,
				       struct arrival_sample_sums *sums)
{
	const double windows = floor((double)(times->end_ticks - times->begin_ticks) / width_ticks);
	size_t i = 0;

	sums->windows += windows;
	while (i < times->count) {
		const double window = floor((double)(times->ticks[i] - times->begin_ticks) /
					    width_ticks);
		double count = 0;

		if (window >= windows)
			break;
		for (; i < times->count &&
		       (double)(times->ticks[i] - times->begin_ticks) < (window + 1) * width_ticks;
		     i++)
			count++;
		// A packet that rounding moved to the border is in this window.
		if (count == 0) {
			i++;
			count = 1;
		}
		sums->sum += count;
		sums->squares += count * count;
	}
}

enum tr_status count_dispersion_take(struct count_dispersion *out,
				     const struct arrival_sample *sample, double windows_least,
				     struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double ticks = total.ticks, packets = total.packets;

	*out = (struct count_dispersion){.rate = packets / ticks * sample->ticks_per_s};
	for (double width = fmax(fmax(FIRST * ticks / packets, ticks / WINDOWS_MOST),
				 1); // no widths below a tick
	     packets > 0 && out->count < COUNT_DISPERSION_TIMES; width *= 2) {
		struct arrival_sample_sums sums = {0, 0, 0};

		for (size_t r = 0; r < sample->count; r++)
			arrival_sample_add_windows(&sample->each[r], width, &sums);
		if (sums.windows < windows_least)
			break;
		const double mean = sums.sum / sums.windows;

		out->t_s[out->count] = width / sample->ticks_per_s;
		out->index[out->count] = (sums.squares / sums.windows - mean * mean) / mean;
		out->windows[out->count++] = sums.windows;
	}
	return out->count >= 4
		       ? TR_OK
		       : tr_fail(err,
				 "%.0f packets are too few to estimate their dispersion over time",
				 packets);
}
