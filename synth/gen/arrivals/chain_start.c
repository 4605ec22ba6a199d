// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define WINDOWS_LEAST 20u // per state
#define WINDOWS_MOST 2000000.0
#define ROUNDS 20

// Square roots of the counts of all windows; NAN ends a realisation.
struct windows {
	double *roots;
	size_t count;
};

static size_t windows_of(const struct arrival_times *times, double window_ticks)
{
	return (size_t)((double)(times->end_ticks - times->begin_ticks) / window_ticks);
}

static void chain_start_add_windows(struct windows *windows, const struct arrival_times *times,
				    double window_ticks)
{
	const size_t whole = windows_of(times, window_ticks);
	size_t next = 0;

	for (size_t w = 0; w < whole; w++) {
		const double end = (double)times->begin_ticks + (double)(w + 1) * window_ticks;
		const size_t first = next;

		while (next < times->count && (double)times->ticks[next] < end)
			next++;
		windows->roots[windows->count++] = sqrt((double)(next - first));
	}
	windows->roots[windows->count++] = NAN;
}

static unsigned chain_start_nearest(const double *levels, unsigned n, double root)
{
	unsigned best = 0;

	for (unsigned i = 1; i < n; i++)
		if (fabs(levels[i] - root) < fabs(levels[best] - root))
			best = i;
	return best;
}

// Levels evenly between the least and the greatest, then k-means. False where a cluster is empty.
static bool chain_start_find_levels(const struct windows *windows, double *levels, unsigned n)
{
	double least = INFINITY, most = 0;

	for (size_t w = 0; w < windows->count; w++) {
		least = fmin(least, windows->roots[w]);
		most = fmax(most, windows->roots[w]);
	}
	for (unsigned i = 0; i < n; i++)
		levels[i] = least + (most - least) * (i + 0.5) / n;
	for (int round = 0; round < ROUNDS; round++) {
		double sums[CHAIN_STATES_MAX] = {0};
		size_t counts[CHAIN_STATES_MAX] = {0};

		for (size_t w = 0; w < windows->count; w++) {
			if (isnan(windows->roots[w]))
				continue;
			const unsigned i = chain_start_nearest(levels, n, windows->roots[w]);

			sums[i] += windows->roots[w];
			counts[i]++;
		}
		for (unsigned i = 0; i < n; i++) {
			if (counts[i] == 0)
				return false;
			levels[i] = sums[i] / (double)counts[i];
		}
	}
	return most > least;
}

static void chain_start_set_chain(struct chain *out, const struct windows *windows,
				  const double *levels, double window_s)
{
	const unsigned n = out->states;
	double moves[CHAIN_STATES_MAX * CHAIN_STATES_MAX] = {0}, stays[CHAIN_STATES_MAX] = {0};

	for (size_t w = 0; w + 1 < windows->count; w++) {
		if (isnan(windows->roots[w]) || isnan(windows->roots[w + 1]))
			continue;
		const unsigned from = chain_start_nearest(levels, n, windows->roots[w]);

		moves[from * n + chain_start_nearest(levels, n, windows->roots[w + 1])]++;
		stays[from]++;
	}
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			// Half a transition more, so that none is impossible.
			out->d0[i * n + j] = i == j ? 0
						    : (moves[i * n + j] + 0.5) / (stays[i] + 1) /
							      window_s;
			out->d1[i * n + j] = i != j ? 0
						    : fmax(levels[i] * levels[i],
							   0.05 * levels[n - 1]) /
							      window_s;
		}
	chain_balance(out);
}

enum tr_status chain_start(struct chain *out, const struct arrival_sample *sample,
			   double window_ticks, struct tr_error *err)
{
	double levels[CHAIN_STATES_MAX], total = 0;
	struct windows windows = {0};
	bool found;

	for (size_t r = 0; r < sample->count; r++)
		total += (double)(sample->each[r].end_ticks - sample->each[r].begin_ticks) /
				 window_ticks +
			 1;
	if (total < WINDOWS_LEAST * out->states || total > WINDOWS_MOST)
		return TR_END;
	windows.roots = calloc((size_t)total + 1, sizeof(*windows.roots));
	if (!windows.roots)
		return tr_no_memory(err, "%.0f windows", total);
	for (size_t r = 0; r < sample->count; r++)
		chain_start_add_windows(&windows, &sample->each[r], window_ticks);
	found = chain_start_find_levels(&windows, levels, out->states);
	if (found)
		chain_start_set_chain(out, &windows, levels, window_ticks / sample->ticks_per_s);
	free(windows.roots);
	return found ? TR_OK : TR_END;
}
