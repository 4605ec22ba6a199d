// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/on_off/on_off.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "stat/intervals/ranks.h"

#define AHEAD 256u	    // packets that a gap may span
#define PACKETS_TRIED 4000u // used to search for gaps
#define GAP_LEAST 4.0	    // ticks; shorter ones cannot be told from random ones
#define GAP_OFF 1.0	    // error of a packet's time by rounding to ticks
#define FOLLOWED 0.5	    // share of packets followed by another one after the gap
#define IN_RUNS 0.8	    // share of packets in on times of two packets or more
#define TOGETHER 0.01	    // of the time that any is on, with two or more on
#define RUNS_LEAST 20u
#define SOURCES_MOST(on) (20.0 * (on) + 20) // sought
#define SHAPE_MOST 6.0
#define SHAPE_COSTS 4.0 // gain of log likelihood required for Pareto's law of the off times
#define LAGS 24

void on_off_sources_clear(struct on_off_sources *sources)
{
	free(sources->runs);
	*sources = (struct on_off_sources){.gap = 0};
}

// The times from some packets to later ones; *tried: the number of such packets.
static size_t take_lags(const struct arrival_sample *sample, double *lags, size_t *tried)
{
	const size_t every = 1 + stretches_packets(sample) / PACKETS_TRIED;
	size_t count = 0;

	*tried = 0;
	for (size_t r = 0; r < sample->count; r++) {
		const struct arrival_times *times = &sample->each[r];

		for (size_t i = 0; i < times->count; i += every) {
			(*tried)++;
			for (size_t j = i + 1; j < times->count && j <= i + AHEAD; j++)
				lags[count++] = (double)(times->ticks[j] - times->ticks[i]);
		}
	}
	return count;
}

// The shortest of the very frequent lags: its multiples are as frequent if on times are long. 0:
// none.
static double on_off_sources_find_gap(double *lags, size_t count, size_t tried)
{
	size_t low = 0, most = 0;
	double gap = 0;

	rising_sort(lags, count);
	for (size_t high = 0; high < count; high++) {
		while (lags[high] > lags[low] + 2 * GAP_OFF)
			low++;
		if (lags[low] > GAP_LEAST && high - low + 1 > most)
			most = high - low + 1;
	}
	if ((double)most < FOLLOWED * (double)tried)
		return 0;
	low = 0;
	for (size_t high = 0, best = 0; high < count; high++) {
		double sum = 0;

		while (lags[high] > lags[low] + 2 * GAP_OFF)
			low++;
		if (gap > 0 && lags[low] > gap + 2 * GAP_OFF)
			break;
		if (lags[low] <= GAP_LEAST || (double)(high - low + 1) < 0.6 * (double)most ||
		    high - low + 1 <= best)
			continue;
		best = high - low + 1;
		for (size_t i = low; i <= high; i++)
			sum += lags[i];
		gap = sum / (double)best;
	}
	return gap;
}

// Assigns each packet to the on time that waits for it, in the order in which they wait.
static void part_runs(struct on_off_sources *out, const struct arrival_times *times,
		      size_t realisation, size_t *open)
{
	size_t first = 0, end = 0; // of the open ones, ordered by their last packets

	for (size_t i = 0; i < times->count; i++) {
		const double at = (double)(times->ticks[i] - times->begin_ticks);

		while (first < end && out->runs[open[first]].last + out->gap < at - GAP_OFF)
			out->runs[open[first++]].ended = true;
		if (first < end && out->runs[open[first]].last + out->gap <= at + GAP_OFF) {
			const size_t run = open[first++];

			if (first < end &&
			    out->runs[open[first]].last + out->gap <= at + 2 * GAP_OFF)
				out->runs[run].unsure = out->runs[open[first]].unsure = true;
			if (times->to && !out->runs[run].unsure) {
				out->follows.all++;
				out->follows.kept += times->to[i] == out->runs[run].to;
			}
			out->runs[run].last = at;
			out->runs[run].to = times->to ? times->to[i] : 0;
			out->runs[run].packets++;
			open[end++] = run;
			continue;
		}
		out->runs[out->count] = (struct on_off_run){
			.begin = at,
			.last = at,
			.packets = 1,
			.realisation = realisation,
			.whole = at > out->gap + GAP_OFF,
			.to = times->to ? times->to[i] : 0,
		};
		open[end++] = out->count++;
	}
	for (; first < end; first++)
		out->runs[open[first]].ended = out->runs[open[first]].last + out->gap + GAP_OFF <
					       (double)(times->end_ticks - times->begin_ticks);
}

// Time at each number on, and how often one more starts then.
struct levels {
	double *time, *starts;
	size_t count;
};

// The begins and ends of one realisation's on times, sorted.
struct edges {
	double *begins, *ends;
	size_t begin_count, end_count;
};

static void take_edges(const struct on_off_sources *sources, size_t realisation,
		       struct edges *edges)
{
	edges->begin_count = edges->end_count = 0;
	for (size_t i = 0; i < sources->count; i++) {
		const struct on_off_run *run = &sources->runs[i];

		if (run->realisation != realisation)
			continue;
		edges->begins[edges->begin_count++] = run->begin;
		if (run->ended)
			edges->ends[edges->end_count++] = run->last + sources->gap / 2;
	}
	rising_sort(edges->ends, edges->end_count);
	rising_sort(edges->begins, edges->begin_count);
}

// From the end of the first gap, before which it is unknown who is on, to the last one's begin.
static void on_off_sources_add_levels(const struct edges *edges, double from, double to,
				      struct levels *levels)
{
	size_t begin = 0, end = 0, on = 0;
	double at = from;

	while (begin < edges->begin_count) {
		const bool ends = end < edges->end_count && edges->ends[end] < edges->begins[begin];
		const double event = ends ? edges->ends[end] : edges->begins[begin];

		if (event > to)
			break;
		if (event > from) {
			levels->time[on] += event - at;
			levels->starts[on] += !ends;
			at = event;
		}
		on = ends ? on - (on > 0) : on + 1;
		end += ends;
		begin += !ends;
		levels->count = on + 1 > levels->count ? on + 1 : levels->count;
	}
}

// Log likelihood of the starts for this number of sources, and the mean off time.
static double likelihood(const struct levels *levels, double sources, double *off)
{
	double starts = 0, exposed = 0, sum = 0;

	for (size_t m = 0; m < levels->count; m++) {
		starts += levels->starts[m];
		exposed += (sources - (double)m) * levels->time[m];
		sum += levels->starts[m] > 0 ? levels->starts[m] * log(sources - (double)m) : 0;
	}
	*off = exposed / starts;
	return sum - starts * log(*off);
}

static void on_off_sources_count_sources(struct on_off_sources *out, const struct levels *levels,
					 double level)
{
	const double least = (double)levels->count - 1, most = SOURCES_MOST(least);
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
	double best = -INFINITY, off;

	for (double k = least; k <= most; k++) {
		const double here = likelihood(levels, k, &off);

		if (here > best) {
			best = here;
			out->sources = k;
			out->off = off;
		}
	}
	out->at_bound = out->sources >= most;
	out->sources_ends[0] = out->sources_ends[1] = out->sources;
	for (double k = least; k <= most; k++)
		if (likelihood(levels, k, &off) > best - z * z / 2) {
			out->sources_ends[0] = fmin(out->sources_ends[0], k);
			out->sources_ends[1] = fmax(out->sources_ends[1], k);
		}
}

// Starts after ends, at several lags, and those by the sources that did not end then.
struct after {
	double lag[LAGS + 1], seen[LAGS], others[LAGS], ends;
};

static void add_after(const struct edges *edges, double to, struct after *after)
{
	const double most = after->lag[LAGS];
	size_t first = 0;

	for (size_t e = 0; e < edges->end_count && edges->ends[e] + most < to; e++) {
		int bin = 0;

		after->ends++;
		while (first < edges->begin_count && edges->begins[first] <= edges->ends[e])
			first++;
		for (size_t b = first;
		     b < edges->begin_count && edges->begins[b] - edges->ends[e] < most; b++) {
			while (edges->begins[b] - edges->ends[e] >= after->lag[bin + 1])
				bin++;
			after->seen[bin]++;
		}
	}
}

// Log likelihood of Poisson counts in the lags: of the source that ended by its law of off times,
// of others at their mean rate.
static double likelihood_after(const struct after *after, double off, double shape)
{
	double sum = 0, below = 0;

	for (int i = 0; i < LAGS; i++) {
		const double u = after->lag[i + 1], least = off * (shape - 1) / shape;
		const double reached = shape == 0  ? -expm1(-u / off)
				       : u > least ? 1 - pow(least / u, shape)
						   : 0;
		const double expected = after->ends * (reached - below) + after->others[i] + 1e-9;

		sum += after->seen[i] * log(expected) - expected;
		below = reached;
	}
	return sum;
}

static void find_off_shape(struct on_off_sources *out, const struct arrival_sample *sample,
			   struct edges *edges, double starts_a_tick)
{
	struct after after = {.ends = 0};
	double best;

	for (int i = 1; i <= LAGS; i++)
		after.lag[i] = out->off * pow(2, (i - LAGS) / 3.0);
	for (size_t r = 0; r < sample->count; r++) {
		take_edges(out, r, edges);
		add_after(edges,
			  (double)(sample->each[r].end_ticks - sample->each[r].begin_ticks) -
				  out->gap,
			  &after);
	}
	for (int i = 0; i < LAGS; i++)
		after.others[i] = after.ends * starts_a_tick * (1 - 1 / out->sources) *
				  (after.lag[i + 1] - after.lag[i]);
	best = likelihood_after(&after, out->off, 0) + SHAPE_COSTS;
	for (double shape = 1.02; shape < SHAPE_MOST; shape *= 1.01) {
		const double here = likelihood_after(&after, out->off, shape);

		if (here <= best)
			continue;
		best = here;
		out->off_shape = shape;
	}
}

// The number of sources, and their off times. TR_END: two are hardly ever on together.
static enum tr_status judge_levels(struct on_off_sources *out, const struct arrival_sample *sample,
				   struct edges *edges, struct levels *levels)
{
	double any = 0, together = 0, starts = 0, time = 0;

	for (size_t r = 0; r < sample->count; r++) {
		take_edges(out, r, edges);
		on_off_sources_add_levels(
			edges, out->gap + GAP_OFF,
			(double)(sample->each[r].end_ticks - sample->each[r].begin_ticks) -
				out->gap,
			levels);
	}
	for (size_t m = 0; m < levels->count; m++) {
		time += levels->time[m];
		starts += levels->starts[m];
		any += m > 0 ? levels->time[m] : 0;
		together += m > 1 ? levels->time[m] : 0;
	}
	if (!(together > TOGETHER * any) || starts < RUNS_LEAST)
		return TR_END;
	out->most_on = (unsigned)levels->count - 1;
	on_off_sources_count_sources(out, levels, sample->level);
	find_off_shape(out, sample, edges, starts / time);
	if (out->off_shape > 0) // starts depend on those long before: the interval is too narrow
		out->sources_ends[0] = out->sources_ends[1] = 0;
	return TR_OK;
}

static enum tr_status count_and_time(struct on_off_sources *out,
				     const struct arrival_sample *sample, struct tr_error *err)
{
	const size_t room = out->count + 2;
	double *numbers = calloc(4 * room, sizeof(*numbers));
	struct edges edges = {numbers, numbers + room, 0, 0};
	struct levels levels = {numbers + 2 * room, numbers + 3 * room, 0};
	double in_runs = 0, packets = 0;

	if (!numbers)
		return tr_no_memory(err, "%zu times on", out->count);
	for (size_t i = 0; i < out->count; i++) {
		packets += out->runs[i].packets;
		in_runs += out->runs[i].packets > 1 ? out->runs[i].packets : 0;
	}
	const enum tr_status status = in_runs >= IN_RUNS * packets
					      ? judge_levels(out, sample, &edges, &levels)
					      : TR_END;

	free(numbers);
	return status;
}

enum tr_status on_off_sources_find(struct on_off_sources *out, const struct arrival_sample *sample,
				   struct tr_error *err)
{
	const size_t packets = stretches_packets(sample);
	double *lags = malloc(((size_t)2 * PACKETS_TRIED + sample->count) * AHEAD * sizeof(*lags));
	size_t *open = calloc(2 * packets + 1, sizeof(*open)), tried;

	*out = (struct on_off_sources){.gap = 0};
	out->runs = calloc(packets + 1, sizeof(*out->runs));
	if (!lags || !open || !out->runs) {
		free(lags);
		free(open);
		return tr_no_memory(err, "%zu packets", packets);
	}
	const size_t count = take_lags(sample, lags, &tried);

	out->gap = count ? on_off_sources_find_gap(lags, count, tried) : 0;
	for (size_t r = 0; r < sample->count && out->gap > 0; r++)
		part_runs(out, &sample->each[r], r, open);
	free(lags);
	free(open);
	return out->gap > 0 ? count_and_time(out, sample, err) : TR_END;
}
