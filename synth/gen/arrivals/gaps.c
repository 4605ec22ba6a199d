// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/gaps.h"

#include <math.h>
#include <stdlib.h>

#include "stat/gamma.h"

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
			gaps[(*count)++] = (double)(sample->each[i].ticks[k] - sample->each[i].ticks[k - 1]);
	return gaps;
}

void arrival_poisson_interval(double count, double time, double level, double *low, double *high)
{
	*low = time / gamma_quantile(count + 1, 0.5 + level / 2);
	*high = time / gamma_quantile(count, 0.5 - level / 2);
}
