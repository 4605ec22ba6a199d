// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of on/off sources (on_off.h).
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/families/family.h"
#include "gen/families/on_off/on_off.h"
#include "gen/fit/streams_fit.h"
#include "gen/interval_law.h"
#include "gen/size_bins.h"
#include "stat/intervals/ranks.h"

#define RUNS_LEAST 20
#define SAME 1.02    // ratio of gaps counted as equal
#define ENDS 1.5     // ratio of a gap that ends an on time
#define CONSTANT 0.9 // share of shorter gaps that are equal if the gap is constant
#define GAPS_MOST ((size_t)1 << 20)
#define DIGITS 6

// On and off times as observed: intervals in ticks.
struct runs {
	double gap;    // between packets while on
	bool constant; // and all are equal
	struct interval_value *on, *off;
	size_t on_count, off_count;
	struct on_off_follows follows;
};

// Every n-th gap, to have at most most.
static size_t on_off_fit_take_gaps(const struct arrival_sample *sample, double *gaps,
				   size_t packets)
{
	const size_t every = 1 + packets / GAPS_MOST;
	size_t count = 0, seen = 0;

	for (size_t r = 0; r < sample->count; r++)
		for (size_t i = 1; i < sample->each[r].count; i++)
			if (seen++ % every == 0)
				gaps[count++] = (double)(sample->each[r].ticks[i] -
							 sample->each[r].ticks[i - 1]);
	return count;
}

// The mean of the most frequent equal gaps, and whether most of the shorter ones are equal to it.
// gaps of n is sorted.
static void on_off_fit_find_gap(struct runs *runs, double *gaps, size_t n)
{
	size_t low = 0, best = 0, best_low = 0, shorter = 0;
	double sum = 0;

	rising_sort(gaps, n);
	for (size_t high = 0; high < n; high++) {
		while (gaps[high] > SAME * gaps[low] + 1)
			low++;
		if (high - low + 1 > best) {
			best = high - low + 1;
			best_low = low;
		}
	}
	for (size_t i = best_low; i < best_low + best; i++)
		sum += gaps[i];
	runs->gap = best ? sum / (double)best : 0;
	while (shorter < n && gaps[shorter] <= ENDS * runs->gap)
		shorter++;
	runs->constant = (double)best >= CONSTANT * (double)shorter;
}

static bool on_off_fit_goes_on(const struct runs *runs, double gap)
{
	if (runs->constant)
		return fabs(gap - runs->gap) <= (SAME - 1) * runs->gap + 1;
	return gap <= ENDS * runs->gap;
}

// k packets: the source was on for longer than k - 1 gaps and at most k; or, at the sample's end,
// for longer. Of the next gap, the rest of the last one belongs to the on time.
static void add_run(struct runs *runs, double packets, double next_gap)
{
	const double gap = runs->gap;

	runs->on[runs->on_count++] = (struct interval_value){
		(packets - 1) * gap, isinf(next_gap) ? INFINITY : packets * gap, 1};
	if (!isinf(next_gap))
		runs->off[runs->off_count++] = (struct interval_value){fmax(next_gap - gap, 0),
								       next_gap, 1};
}

static void add_source(struct runs *runs, const struct arrival_times *times)
{
	double packets = 1;
	bool whole = false; // the run's begin was observed

	for (size_t i = 1; i <= times->count && times->count > 0; i++) {
		const bool last = i == times->count;
		const double here = last ? INFINITY
					 : (double)(times->ticks[i] - times->ticks[i - 1]);

		if (!last && on_off_fit_goes_on(runs, here)) {
			packets++;
			runs->follows.all += times->to != NULL;
			runs->follows.kept += times->to && times->to[i] == times->to[i - 1];
			continue;
		}
		if (whole)
			add_run(runs, packets, here);
		whole = true;
		packets = 1;
	}
}

static enum tr_status find_runs(struct runs *runs, const struct arrival_sample *sample,
				struct tr_error *err)
{
	const size_t packets = stretches_packets(sample);
	double *gaps = calloc(packets + 1, sizeof(*gaps));
	size_t count;

	runs->on = calloc(2 * packets + 2, sizeof(*runs->on));
	if (!gaps || !runs->on) {
		free(gaps);
		return tr_no_memory(err, "%zu packets", packets);
	}
	runs->off = runs->on + packets + 1;
	count = on_off_fit_take_gaps(sample, gaps, packets);
	on_off_fit_find_gap(runs, gaps, count);
	free(gaps);
	for (size_t r = 0; r < sample->count && runs->gap > 0; r++)
		add_source(runs, &sample->each[r]);
	return runs->off_count >= RUNS_LEAST
		       ? TR_OK
		       : tr_fail(err, "%zu on times are too few: %d are needed", runs->off_count,
				 RUNS_LEAST);
}

static int on_off_fit_by_low(const void *left, const void *right)
{
	const struct interval_value *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

// Merges equal values; of many different ones, every n-th represents its neighbours.
static size_t on_off_fit_gather(struct interval_value *values, size_t count)
{
	const size_t most = 5000, every = 1 + count / most;
	size_t kept = 0;

	qsort(values, count, sizeof(*values), on_off_fit_by_low);
	for (size_t i = 0; i < count; i++) {
		struct interval_value *last = kept ? &values[kept - 1] : NULL;

		if (last && ((values[i].low == last->low && values[i].high == last->high) ||
			     (i % every != 0 && !isinf(values[i].high))))
			last->count += values[i].count;
		else
			values[kept++] = values[i];
	}
	return kept;
}

static void on_off_fit_fit_time(struct interval_value *values, size_t count,
				const struct arrival_sample *sample, double *mean_s, double *shape,
				double mean_ends_s[2], double shape_ends[2])
{
	struct interval_law law;

	interval_law_fit(values, on_off_fit_gather(values, count), sample->level, &law);
	*mean_s = model_settle(MODEL_TIME, law.mean / sample->ticks_per_s, DIGITS);
	*shape = model_settle(MODEL_REAL, law.shape, DIGITS);
	for (int end = 0; end < 2; end++) {
		mean_ends_s[end] = law.mean_ends[end] / sample->ticks_per_s;
		shape_ends[end] = law.shape_ends[end];
	}
}

// The model draws a new destination from all other nodes, so that one of them keeps it. The
// interval is Wilson's (J. Am. Stat. Assoc. 22 (1927) 209-212).
static void fit_stay(struct on_off_model *out, const struct on_off_follows *follows, double level,
		     double ends[2])
{
	const double by_chance = out->nodes > 1 ? 1 / ((double)out->nodes - 1) : 1,
		     all = follows->all;
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2),
		     share = all > 0 ? follows->kept / all : 1;
	double half, middle;

	out->stay = 1;
	if (!(share < 1) || !(by_chance < 1))
		return;
	middle = (share + z * z / (2 * all)) / (1 + z * z / all);
	half = z / (1 + z * z / all) * sqrt(share * (1 - share) / all + z * z / (4 * all * all));
	out->stay = model_settle(MODEL_SHARE, fmax(share - by_chance, 0) / (1 - by_chance), DIGITS);
	ends[0] = fmax(middle - half - by_chance, 0) / (1 - by_chance);
	ends[1] = fmax(middle + half - by_chance, 0) / (1 - by_chance);
}

// For distinguished sources; the off times follow from how often one starts.
static enum tr_status fit_several(struct on_off_model *out, const struct on_off_sources *sources,
				  const struct arrival_sample *sample, struct on_off_fitted *found,
				  struct tr_error *err)
{
	struct interval_value *on = calloc(sources->count + 1, sizeof(*on));
	size_t count = 0;

	if (!on)
		return tr_no_memory(err, "%zu times on", sources->count);
	for (size_t i = 0; i < sources->count; i++) {
		const struct on_off_run *run = &sources->runs[i];

		if (run->whole && !run->unsure)
			on[count++] = (struct interval_value){
				(run->packets - 1) * sources->gap,
				run->ended ? run->packets * sources->gap : INFINITY, 1};
	}
	found->runs = (double)count;
	found->sources[0] = sources->sources_ends[0];
	found->sources[1] = sources->sources_ends[1];
	found->sources_at_bound = sources->at_bound;
	out->sources = (uint64_t)sources->sources;
	out->gap_s = model_settle(MODEL_TIME, sources->gap / sample->ticks_per_s, DIGITS);
	out->off_s = model_settle(MODEL_TIME, sources->off / sample->ticks_per_s, DIGITS);
	out->off_shape = model_settle(MODEL_REAL, sources->off_shape, DIGITS);
	fit_stay(out, &sources->follows, sample->level, found->stay);
	if (count >= RUNS_LEAST)
		on_off_fit_fit_time(on, count, sample, &out->on_s, &out->on_shape, found->on_s,
				    found->on_shape);
	free(on);
	return count >= RUNS_LEAST
		       ? TR_OK
		       : tr_fail(err, "%zu on times are too few: %d are needed", count, RUNS_LEAST);
}

enum tr_status on_off_fit(struct on_off_model *out, const struct arrival_sample *sample,
			  struct on_off_fitted *found, struct tr_error *err)
{
	struct runs runs = {.gap = 0};
	struct on_off_sources sources;
	enum tr_status status = on_off_sources_find(&sources, sample, err);

	*found = (struct on_off_fitted){.runs = 0};
	if (status == TR_OK)
		status = fit_several(out, &sources, sample, found, err);
	on_off_sources_clear(&sources);
	if (status != TR_END)
		return status;
	out->sources = 1;
	if (find_runs(&runs, sample, err) != TR_OK) {
		free(runs.on);
		return TR_ERROR;
	}
	found->runs = (double)runs.on_count;
	out->gap_s = model_settle(MODEL_TIME, runs.gap / sample->ticks_per_s, DIGITS);
	on_off_fit_fit_time(runs.on, runs.on_count, sample, &out->on_s, &out->on_shape, found->on_s,
			    found->on_shape);
	on_off_fit_fit_time(runs.off, runs.off_count, sample, &out->off_s, &out->off_shape,
			    found->off_s, found->off_shape);
	fit_stay(out, &runs.follows, sample->level, found->stay);
	free(runs.on);
	return TR_OK;
}

// ---- On/off sources as a family: those of each node (gen/families/on_off/on_off.h), whatever the
// grouping.

static void put_value(struct model *text, const char *key, enum model_type type, double value)
{
	char number[MODEL_NUMBER_BYTES];

	model_key(text, key, model_format(type, value, number), NULL);
}

// A time and its shape, with their intervals.
static void put_law(struct model *text, const char *key, const char *shape_key, double mean_s,
		    double shape, const double mean_ends_s[2], const double shape_ends[2],
		    double level)
{
	char number[MODEL_NUMBER_BYTES], note[MODEL_INTERVAL_BYTES];

	(void)model_interval(MODEL_TIME, mean_ends_s[0], mean_ends_s[1], level, note);
	model_key(text, key, model_format(MODEL_TIME, mean_s, number),
		  mean_ends_s[1] > 0 ? note : NULL);
	if (shape == 0)
		return;
	(void)model_interval(MODEL_REAL, shape_ends[0], shape_ends[1], level, note);
	model_key(text, shape_key, model_format(MODEL_REAL, shape, number),
		  shape_ends[1] > 0 ? note : NULL);
}

static void on_off_fit_put(struct model *text, const struct on_off_model *on_off,
			   const struct on_off_fitted *found, double level)
{
	char nodes[MODEL_NUMBER_BYTES], sources[MODEL_NUMBER_BYTES], number[MODEL_NUMBER_BYTES];
	char note[MODEL_INTERVAL_BYTES] = "";

	(void)snprintf(nodes, sizeof(nodes), "%llu", (unsigned long long)on_off->nodes);
	model_key(text, "family", "on-off", NULL);
	model_key(text, "nodes", nodes, NULL);
	put_value(text, "duration", MODEL_TIME, on_off->duration_s);
	(void)snprintf(sources, sizeof(sources), "%llu", (unsigned long long)on_off->sources);
	if (found->sources[1] > 0)
		(void)model_interval(MODEL_REAL, found->sources[0], found->sources[1], level, note);
	if (on_off->sources > 1)
		model_key(text, "sources", sources, *note ? note : NULL);
	put_law(text, "on", "on-shape", on_off->on_s, on_off->on_shape, found->on_s,
		found->on_shape, level);
	put_law(text, "off", "off-shape", on_off->off_s, on_off->off_shape, found->off_s,
		found->off_shape, level);
	put_value(text, "inter-packet", MODEL_TIME, on_off->gap_s);
	if (on_off->stay < 1) {
		(void)model_interval(MODEL_SHARE, found->stay[0], found->stay[1], level, note);
		model_key(text, "stay", model_format(MODEL_SHARE, on_off->stay, number),
			  level > 0 ? note : NULL);
	}
	put_value(text, "header", MODEL_SIZE, on_off->header_B);
	size_bins_or_size_put(text, on_off->bins, on_off->bin_count);
}

static enum tr_status on_off_fit_fit_times(const struct packet_sample *sample, double level,
					   struct on_off_model *on_off, struct on_off_fitted *found,
					   struct tr_error *err)
{
	struct streams_groups groups;
	enum tr_status status = streams_groups_make(sample, FIT_BY_ALL, level, &groups, err);
	uint32_t *to;

	if (status != TR_OK)
		return status;
	to = calloc(sample->count + 1, sizeof(*to));
	for (size_t i = 0; to && !sample->bin_ticks && i < groups.list[0].count; i++)
		to[i] = sample->dst[groups.list[0].packets[i]];
	for (size_t s = 0; to && !sample->bin_ticks && s < groups.list[0].times.count; s++)
		groups.each[s].to = to + (groups.each[s].ticks - groups.ticks);
	status = to ? on_off_fit(on_off, &groups.list[0].times, found, err)
		    : tr_no_memory(err, "%zu packets", sample->count);
	free(to);
	streams_groups_clear(&groups);
	return status;
}

static void on_off_fit_note_bound(struct fit_notes *notes, const char *key, double shape)
{
	if (shape > 0 && shape <= INTERVAL_LAW_SHAPE_LEAST)
		(void)snprintf(notes->bound, sizeof(notes->bound), "%s is at its bound, %g", key,
			       shape);
}

static enum tr_status on_off_fit_family_fit(const struct family *family,
					    const struct packet_sample *sample,
					    const struct fit_options *options, struct model *text,
					    struct fit_notes *notes, struct tr_error *err)
{
	struct on_off_model on_off = {.nodes = sample->people.senders,
				      .duration_s = packet_sample_seconds(sample)};
	struct on_off_fitted found;
	enum tr_status status;

	(void)family;
	status = on_off_fit_fit_times(sample, options->pulse.level, &on_off, &found, err);
	if (status == TR_OK)
		status = packet_sizes(sample, NULL, sample->count, &on_off.bins, &on_off.bin_count,
				      &on_off.header_B, err);
	if (status == TR_OK) {
		on_off_fit_put(text, &on_off, &found, options->pulse.level);
		on_off_fit_note_bound(notes, "on-shape", on_off.on_shape);
		on_off_fit_note_bound(notes, "off-shape", on_off.off_shape);
		if (found.sources_at_bound)
			(void)snprintf(notes->bound, sizeof(notes->bound),
				       "sources is at its bound, %llu",
				       (unsigned long long)on_off.sources);
		notes->freedom = 3u + (on_off.sources > 1) + (on_off.stay < 1) +
				 (on_off.on_shape > 0) + (on_off.off_shape > 0);
		(void)snprintf(notes->method, sizeof(notes->method),
			       "by likelihood of %.0f on times, each known to within one gap",
			       found.runs);
	}
	on_off_model_clear(&on_off);
	return status;
}

const struct family_fit on_off_family_fit = {
	.by = 1u << FIT_BY_ALL | 1u << FIT_BY_ROLE,
	.always = "all",
	.fit = on_off_fit_family_fit,
};
