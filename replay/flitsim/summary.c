// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_rows.h"
#include "value/ticks.h"

#define ALL (SUMMARY_CLASSES - 1)

static const char *const class_names[SUMMARY_CLASSES] = {"unclassed", "data", "overhead", "all"};

// Link throughput of a delivered worm, size / (last character received - first one sent), in 1e-3
// B/s.
static int64_t link_mBps(const struct outcome *outcome, uint64_t ticks_per_s)
{
	return outcome_mBps(outcome, outcome->received_ticks - outcome->injected_ticks,
			    ticks_per_s);
}

// A worm that took no time, or was on no link, has no throughput.
static inline bool summary_has_speed(const struct outcome *outcome)
{
	return outcome->time_ticks > outcome->started_ticks;
}

static inline bool summary_has_link_speed(const struct outcome *outcome)
{
	return outcome->injected_ticks >= 0 && outcome->received_ticks > outcome->injected_ticks;
}

// The speeds of a delivered worm; -1: it has none.
struct summary_speeds {
	int64_t worm_mBps;
	int64_t link_mBps;
};

static void summary_add_to_class(struct summary_class *class, const struct outcome *outcome,
				 const struct summary_speeds *speeds)
{
	int64_t latency = outcome->time_ticks - outcome->created_ticks;

	class->worms++;
	class->size_bytes += outcome->size_bytes;
	batches_add(&class->latency_ticks, latency);
	quantile_add(&class->latency_distribution, (uint64_t)latency);
	if (speeds->worm_mBps >= 0)
		batches_add(&class->worm_mBps, speeds->worm_mBps);
	if (speeds->link_mBps >= 0)
		batches_add(&class->link_mBps, speeds->link_mBps);
}

static void add_lag(struct summary *summary, const struct outcome *outcome, uint64_t times)
{
	int64_t lag = outcome->created_ticks - outcome->planned_ticks;

	if (lag <= 0)
		return;
	summary->lagged += times;
	summary->lag_ticks += (__int128)lag * times;
	if (lag > summary->lag_max_ticks)
		summary->lag_max_ticks = lag;
}

static unsigned summary_class_of(const struct outcome *outcome)
{
	return outcome->class < ALL ? outcome->class : TR_CLASS_NONE;
}

void summary_count(struct summary *summary, const struct outcome *outcome)
{
	struct summary_class *const classes[] = {&summary->classes[summary_class_of(outcome)],
						 &summary->classes[ALL]};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		classes[i]->ended++;
		classes[i]->delivered += outcome->status == TR_DELIVERED;
	}
	if (outcome->created_ticks >= 0)
		add_lag(summary, outcome, 1);
	if (outcome->status == TR_DROPPED)
		summary->dropped[outcome->reason]++;
	else if (outcome->status == TR_IN_FLIGHT)
		summary->in_flight++;
}

void summary_measure(struct summary *summary, const struct outcome *outcome)
{
	const uint64_t ticks_per_s = summary->ticks_per_s;
	const struct summary_speeds speeds = {
		summary_has_speed(outcome) ? outcome_worm_mBps(outcome, ticks_per_s) : -1,
		summary_has_link_speed(outcome) ? link_mBps(outcome, ticks_per_s) : -1};

	if (summary->classes[ALL].worms == 0 || outcome->created_ticks < summary->first_ticks)
		summary->first_ticks = outcome->created_ticks;
	summary->last_ticks = outcome->time_ticks;
	summary_add_to_class(&summary->classes[summary_class_of(outcome)], outcome, &speeds);
	summary_add_to_class(&summary->classes[ALL], outcome, &speeds);
}

// ---- worms that are measured once more

// The sums of a series of samples; room for one more than there are worms.
struct summary_series {
	__int128 *sums;
	uint64_t count;
};

static void summary_extend(struct summary_series *series, int64_t value)
{
	series->sums[series->count + 1] = series->sums[series->count] + value;
	series->count++;
}

static void summary_repeat_class(struct summary *summary, unsigned number,
				 const struct outcome *outcomes, size_t count, uint64_t times,
				 struct summary_series series[3])
{
	struct summary_class *class = &summary->classes[number];

	for (size_t i = 0; i < 3; i++)
		series[i].count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct outcome *outcome = &outcomes[i];
		const int64_t latency = outcome->time_ticks - outcome->created_ticks;

		if (number != ALL && number != summary_class_of(outcome))
			continue;
		class->ended += times;
		class->delivered += times;
		class->worms += times;
		class->size_bytes += times * outcome->size_bytes;
		quantile_add_repeated(&class->latency_distribution, (uint64_t)latency, times);
		summary_extend(&series[0], latency);
		if (summary_has_speed(outcome))
			summary_extend(&series[1],
				       outcome_worm_mBps(outcome, summary->ticks_per_s));
		if (summary_has_link_speed(outcome))
			summary_extend(&series[2], link_mBps(outcome, summary->ticks_per_s));
	}
	batches_add_series(&class->latency_ticks, series[0].sums, series[0].count, times);
	batches_add_series(&class->worm_mBps, series[1].sums, series[1].count, times);
	batches_add_series(&class->link_mBps, series[2].sums, series[2].count, times);
}

bool summary_repeat(struct summary *summary, const struct outcome *outcomes, size_t count,
		    uint64_t times, int64_t period_ticks)
{
	struct summary_series series[3] = {{NULL, 0}};
	bool fits = true;

	for (size_t i = 0; i < 3; i++) {
		series[i].sums = calloc(count + 1, sizeof(*series[i].sums));
		fits = fits && series[i].sums;
	}
	for (unsigned number = 0; number < SUMMARY_CLASSES && fits; number++)
		summary_repeat_class(summary, number, outcomes, count, times, series);
	for (size_t i = 0; i < count; i++)
		add_lag(summary, &outcomes[i], times);
	if (count > 0)
		summary->last_ticks += (int64_t)times * period_ticks;
	for (size_t i = 0; i < 3; i++)
		free(series[i].sums);
	return fits;
}

// What intervals are worth that are not like those of independent worms.
static void note_long_memory(struct table *table, const char *class,
			     const struct known_mean *latency, const struct known_mean *worm)
{
	const struct known_mean *const means[] = {latency, worm};
	static const char *const names[] = {"latency", "worm throughput"};
	const double longer = fmax(latency->error.known ? 0 : latency->error.longer,
				   worm->error.known ? 0 : worm->error.longer);
	const char *both = !latency->error.known && !worm->error.known
				   ? "latency and worm throughput"
				   : NULL;

	if (longer > 0)
		table_note(table,
			   "%s of class %s: no interval, the run is too short for its memory; it "
			   "needs %.3g worms or more, or replications",
			   both ? both : names[latency->error.known], class,
			   longer * (double)latency->n);
	for (size_t i = 0; i < 2; i++)
		if (means[i]->error.known && means[i]->error.h > .5)
			table_note(table,
				   "%s of class %s: long memory (H %.2f), its interval narrows as "
				   "worms^-%.2f",
				   names[i], class, means[i]->error.h, 1 - means[i]->error.h);
}

// What the means of a run are worth that did not end as it should.
static void summary_note_end(struct table *table, const struct run_end *end)
{
	if (strcmp(end->by, "deadlock") == 0 || strcmp(end->by, "livelock") == 0)
		table_note(table, "%s: these are the worms that came before it, not the traffic",
			   end->by);
	else if (strcmp(end->by, "unfinished") == 0)
		table_note(table, "unfinished: the program waits for ever; these are the worms "
				  "that came before");
	else if (end->saturated == SATURATION_YES)
		table_note(table, "saturated: the network is offered more than it carries: queues "
				  "grow, or drop packets, to the end");
}

TABLE_ROW(delivered, (text, class), (count, worms), (count, bytes), (real, mean_size_B, 8),
	  (real, latency_us, 8), (real, latency_lo_us, 8), (real, latency_hi_us, 8),
	  (real, worm_MBps, 8), (real, worm_lo_MBps, 8), (real, worm_hi_MBps, 8),
	  (real, link_MBps, 8), (real, carried_MBps, 8), (real, delivered_percent, 6),
	  (text, ended_by), (text, saturated), (real, carried_percent, 6));

static void put_class(struct table *table, const struct summary *summary, unsigned number,
		      const struct run_end *end, int level_percent)
{
	const struct summary_class *class = &summary->classes[number];
	const struct known_mean latency = batches_known(&class->latency_ticks,
							level_percent / 100.0);
	const struct known_mean worm = batches_known(&class->worm_mBps, level_percent / 100.0);
	const double span_s = tr_ticks_seconds(summary->last_ticks - summary->first_ticks,
					       summary->ticks_per_s);
	const double us = (double)summary->ticks_per_s / 1e6, bytes = (double)class->size_bytes;

	TABLE_PUT(table, delivered, .class = class_names[number], .worms = class->worms,
		  .bytes = class->size_bytes,
		  .mean_size_B = class->worms > 0 ? bytes / (double)class->worms : NAN,
		  .latency_us = latency.mean / us, .latency_lo_us = latency.interval.lo / us,
		  .latency_hi_us = latency.interval.hi / us, .worm_MBps = worm.mean / 1e9,
		  .worm_lo_MBps = worm.interval.lo / 1e9, .worm_hi_MBps = worm.interval.hi / 1e9,
		  .link_MBps = batches_mean(&class->link_mBps) / 1e9,
		  .carried_MBps = bytes / span_s / 1e6,
		  .delivered_percent = 100 * (double)class->delivered / (double)class->ended,
		  .ended_by = end->by, .saturated = saturation_word(end->saturated),
		  .carried_percent = summary->links_Bps > 0
					     ? 100 * bytes / (span_s * summary->links_Bps)
					     : NAN);
	if (class->worms > 1)
		note_long_memory(table, class_names[number], &latency, &worm);
}

// A row for each class that had worms, even if none was delivered, so that a sweep has a row of
// every run.
static struct table *speed_table(const struct summary *summary, const struct run_end *end,
				 int level_percent)
{
	struct table *table = table_of("classes", "Delivered worms", delivered_fields);

	for (unsigned i = 0; i < SUMMARY_CLASSES; i++)
		if (summary->classes[i].ended > 0)
			put_class(table, summary, i, end, level_percent);
	summary_note_end(table, end);
	table_note(table, "intervals: %d %%, for dependent worms (flitline-intervals(7))",
		   level_percent);
	return table;
}

TABLE_ROW(latency, (text, class), (us, min_us, 6), (us, p50_us, 4), (us, p90_us, 4),
	  (us, p99_us, 4), (us, p99_9_us, 4, "p99.9_us"), (us, p99_99_us, 4, "p99.99_us"),
	  (us, max_us, 6));

// -1: the class has too few worms for it.
static int64_t summary_quantile(const struct quantile *latency, double p)
{
	return (double)latency->n * (1 - p) < 1 - 1e-9 ? -1 : (int64_t)quantile_get(latency, p);
}

static struct table *latency_table(const struct summary *summary)
{
	struct table *table = table_of(
		"latency", "Latency, from the source's queue to the destination's memory",
		latency_fields);

	table_set_clock(table, summary->ticks_per_s);
	for (unsigned i = 0; i < SUMMARY_CLASSES; i++) {
		const struct quantile *latency = &summary->classes[i].latency_distribution;

		if (latency->n > 0)
			TABLE_PUT(table, latency, .class = class_names[i],
				  .min_us = (int64_t)latency->min,
				  .p50_us = summary_quantile(latency, .5),
				  .p90_us = summary_quantile(latency, .9),
				  .p99_us = summary_quantile(latency, .99),
				  .p99_9_us = summary_quantile(latency, .999),
				  .p99_99_us = summary_quantile(latency, .9999),
				  .max_us = (int64_t)latency->max);
	}
	return table;
}

// Adds the columns of the kind's counters, either those of losses or the others.
static void add_own(struct table *table, const struct summary *summary, bool loss)
{
	for (const struct net_column *column = summary->own; column && column->key; column++)
		if (column->loss == loss)
			table_column(table, column->key);
}

static void summary_put_own(struct table *table, const struct summary *summary,
			    const struct net_totals *totals, bool loss)
{
	for (size_t i = 0; summary->own && summary->own[i].key; i++)
		if (summary->own[i].loss == loss)
			table_count(table, totals->own[i]);
}

TABLE_VIEW(books, struct net_totals, (count, offered), (count, delivered), (count, dropped),
	   (count, in_flight));
TABLE_VIEW(held, struct net_hold_counts, (count, waited), (count, acks), (count, acks_lost),
	   (count, sent_on));
TABLE_ROW(lag, (count, lagged), (real, lag_mean_us, 6), (us, lag_max_us, 6));

static struct table *books_table(const struct summary *summary, const struct net_totals *totals)
{
	struct table *table = table_of("books", "Offered = delivered + dropped + in flight",
				       books_fields);
	const double lagged = (double)summary->lagged;

	table_set_clock(table, summary->ticks_per_s);
	table_heads(table, lag_fields);
	add_own(table, summary, false);
	if (totals->held.on)
		table_heads(table, held_fields);
	table_row(table, books_fields, totals);
	TABLE_PUT(table, lag, .lagged = summary->lagged,
		  .lag_mean_us = (double)summary->lag_ticks / lagged /
				 (double)summary->ticks_per_s * 1e6,
		  .lag_max_us = summary->lag_max_ticks);
	summary_put_own(table, summary, totals, false);
	if (totals->held.on)
		table_row(table, held_fields, &totals->held);
	return table;
}

// Worms by the reason of their drop, and other failures. The last reasons are named where they
// occur.
static struct table *lost_table(const struct summary *summary, const struct net_totals *totals)
{
	static const struct {
		const char *key;
		enum tr_drop_reason reason;
	} columns[] = {{"queue", TR_DROP_QUEUE},     {"unmapped", TR_DROP_UNMAPPED},
		       {"timeout", TR_DROP_TIMEOUT}, {"error", TR_DROP_ERROR},
		       {"dead", TR_DROP_DEAD},	     {"route", TR_DROP_ROUTE}},
	  rare[] = {{"deadlock", TR_DROP_DEADLOCK},
		    {"buffer", TR_DROP_BUFFER},
		    {"no_route", TR_DROP_NO_ROUTE}};
	char title[120] = "Dropped = queue + unmapped + timeout + error + dead + route";
	const size_t count = sizeof(columns) / sizeof(*columns),
		     rare_count = sizeof(rare) / sizeof(*rare);
	uint64_t sum = 0;
	struct table *table;

	for (size_t i = 0; summary->own && summary->own[i].key; i++)
		sum += summary->own[i].loss ? totals->own[i] : 0;
	for (size_t i = 0; i < TR_DROP_REASONS; i++)
		sum += summary->dropped[i];
	for (size_t i = 0; i < rare_count; i++)
		if (summary->dropped[rare[i].reason] > 0)
			(void)snprintf(title + strlen(title), sizeof(title) - strlen(title),
				       " + %s", rare[i].key);
	table = table_new("lost", title);
	for (size_t i = 0; i < count; i++)
		table_column(table, columns[i].key);
	for (size_t i = 0; i < rare_count; i++)
		if (summary->dropped[rare[i].reason] > 0)
			table_column(table, rare[i].key);
	add_own(table, summary, true);
	for (size_t i = 0; i < count; i++)
		table_count(table, summary->dropped[columns[i].reason]);
	for (size_t i = 0; i < rare_count; i++)
		if (summary->dropped[rare[i].reason] > 0)
			table_count(table, summary->dropped[rare[i].reason]);
	summary_put_own(table, summary, totals, true);
	if (sum == 0)
		table_set_by_name(table);
	return table;
}

size_t summary_tables(const struct summary *summary, const struct net_totals *totals,
		      const struct run_end *end, int level_percent,
		      struct table *tables[SUMMARY_TABLES])
{
	tables[0] = speed_table(summary, end, level_percent);
	tables[1] = latency_table(summary);
	tables[2] = books_table(summary, totals);
	tables[3] = lost_table(summary, totals);
	return 4;
}
