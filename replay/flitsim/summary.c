// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "value/ticks.h"

#define ALL (SUMMARY_CLASSES - 1)

static const char *const class_names[SUMMARY_CLASSES] = {"unclassed", "data", "overhead", "all"};

// Link throughput of a delivered worm, size / (last character received - first one sent), in 1e-3 B/s.
static int64_t link_mBps(const struct outcome *outcome, uint64_t ticks_per_s)
{
	return (int64_t)((__int128)outcome->size_bytes * 1000 * ticks_per_s /
			 (uint64_t)(outcome->received_ticks - outcome->injected_ticks));
}

// A worm that took no time has no throughput.
static void summary_add_to_class(struct summary_class *class, const struct outcome *outcome, uint64_t ticks_per_s)
{
	int64_t latency = outcome->time_ticks - outcome->created_ticks;

	class->worms++;
	class->size_bytes += outcome->size_bytes;
	batches_add(&class->latency_ticks, latency);
	quantile_add(&class->latency_distribution, (uint64_t)latency);
	if (outcome->time_ticks > outcome->started_ticks)
		batches_add(&class->worm_mBps, outcome_worm_mBps(outcome, ticks_per_s));
	if (outcome->received_ticks > outcome->injected_ticks)
		batches_add(&class->link_mBps, link_mBps(outcome, ticks_per_s));
}

static void add_lag(struct summary *summary, const struct outcome *outcome)
{
	int64_t lag = outcome->created_ticks - outcome->planned_ticks;

	if (lag <= 0)
		return;
	summary->lagged++;
	summary->lag_ticks += lag;
	if (lag > summary->lag_max_ticks)
		summary->lag_max_ticks = lag;
}

static unsigned summary_class_of(const struct outcome *outcome)
{
	return outcome->class < ALL ? outcome->class : TR_CLASS_NONE;
}

void summary_count(struct summary *summary, const struct outcome *outcome)
{
	struct summary_class *const classes[] = {&summary->classes[summary_class_of(outcome)], &summary->classes[ALL]};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		classes[i]->ended++;
		classes[i]->delivered += outcome->status == TR_DELIVERED;
	}
	if (outcome->created_ticks >= 0)
		add_lag(summary, outcome);
	if (outcome->status == TR_DROPPED)
		summary->dropped[outcome->reason]++;
	else if (outcome->status == TR_IN_FLIGHT)
		summary->in_flight++;
}

void summary_measure(struct summary *summary, const struct outcome *outcome)
{
	if (summary->classes[ALL].worms == 0 || outcome->created_ticks < summary->first_ticks)
		summary->first_ticks = outcome->created_ticks;
	summary->last_ticks = outcome->time_ticks;
	summary_add_to_class(&summary->classes[summary_class_of(outcome)], outcome, summary->ticks_per_s);
	summary_add_to_class(&summary->classes[ALL], outcome, summary->ticks_per_s);
}

static void summary_add_columns(struct table *table, const char *const *keys)
{
	for (; *keys; keys++)
		table_column(table, *keys);
}

// A mean with its interval; per: units of the table per unit of the samples.
static void put_mean(struct table *table, const struct known_mean *known, double per)
{
	table_real(table, known->mean / per, 8);
	table_real(table, known->interval.lo / per, 8);
	table_real(table, known->interval.hi / per, 8);
}

// What intervals are worth that are not like those of independent worms.
static void note_long_memory(struct table *table, const char *class, const struct known_mean *latency,
			     const struct known_mean *worm)
{
	const struct known_mean *const means[] = {latency, worm};
	static const char *const names[] = {"latency", "worm throughput"};
	const double longer = fmax(latency->error.known ? 0 : latency->error.longer,
				   worm->error.known ? 0 : worm->error.longer);
	const char *both = !latency->error.known && !worm->error.known ? "latency and worm throughput" : NULL;

	if (longer > 0)
		table_note(
			table,
			"%s of class %s: no interval, the run is too short for its memory; it needs %.3g worms or more, or replications",
			both ? both : names[latency->error.known], class, longer * (double)latency->n);
	for (size_t i = 0; i < 2; i++)
		if (means[i]->error.known && means[i]->error.h > .5)
			table_note(table, "%s of class %s: long memory (H %.2f), its interval narrows as worms^-%.2f", names[i],
				   class, means[i]->error.h, 1 - means[i]->error.h);
}

// What the means of a run are worth that did not end as it should.
static void summary_note_end(struct table *table, const struct run_end *end)
{
	if (strcmp(end->by, "deadlock") == 0 || strcmp(end->by, "livelock") == 0)
		table_note(table, "%s: these are the worms that came before it, not the traffic", end->by);
	else if (strcmp(end->by, "unfinished") == 0)
		table_note(table, "unfinished: the program waits for ever; these are the worms that came before");
	else if (end->saturated == SATURATION_YES)
		table_note(table,
			   "saturated: the network is offered more than it carries: queues grow, or drop packets, to the end");
}

static void put_class(struct table *table, const struct summary *summary, unsigned number, double span_s, int level_percent)
{
	const struct summary_class *class = &summary->classes[number];
	const struct known_mean latency = batches_known(&class->latency_ticks, level_percent / 100.0);
	const struct known_mean worm = batches_known(&class->worm_mBps, level_percent / 100.0);

	table_text(table, class_names[number]);
	table_count(table, class->worms);
	table_count(table, class->size_bytes);
	table_real(table, class->worms > 0 ? (double)class->size_bytes / (double)class->worms : NAN, 8);
	put_mean(table, &latency, (double)summary->ticks_per_s / 1e6);
	put_mean(table, &worm, 1e9);
	table_real(table, batches_mean(&class->link_mBps) / 1e9, 8);
	table_real(table, (double)class->size_bytes / span_s / 1e6, 8);
	if (class->worms > 1)
		note_long_memory(table, class_names[number], &latency, &worm);
}

// A row for each class that had worms, even if none was delivered, so that a sweep has a row of every run.
static struct table *speed_table(const struct summary *summary, const struct run_end *end, int level_percent)
{
	static const char *const keys[] = {"class",
					   "worms",
					   "bytes",
					   "mean_size_B",
					   "latency_us",
					   "latency_lo_us",
					   "latency_hi_us",
					   "worm_MBps",
					   "worm_lo_MBps",
					   "worm_hi_MBps",
					   "link_MBps",
					   "carried_MBps",
					   "delivered_percent",
					   "ended_by",
					   "saturated",
					   "carried_percent",
					   NULL};
	const double span_s = tr_ticks_seconds(summary->last_ticks - summary->first_ticks, summary->ticks_per_s);
	struct table *table = table_new("classes", "Delivered worms");

	summary_add_columns(table, keys);
	for (unsigned i = 0; i < SUMMARY_CLASSES; i++) {
		const struct summary_class *class = &summary->classes[i];

		if (class->ended == 0)
			continue;
		put_class(table, summary, i, span_s, level_percent);
		table_real(table, 100 * (double)class->delivered / (double)class->ended, 6);
		table_text(table, end->by);
		table_text(table, saturation_word(end->saturated));
		table_real(table,
			   summary->links_Bps > 0 ? 100 * (double)class->size_bytes / (span_s * summary->links_Bps) : NAN, 6);
	}
	summary_note_end(table, end);
	table_note(table, "intervals: %d %%, for dependent worms (flitline-intervals(7))", level_percent);
	return table;
}

static const struct {
	const char *key;
	double p;
} percentiles[] = {{"p50_us", .5}, {"p90_us", .9}, {"p99_us", .99}, {"p99.9_us", .999}, {"p99.99_us", .9999}};

#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static struct table *latency_table(const struct summary *summary)
{
	struct table *table = table_new("latency", "Latency, from the source's queue to the destination's memory");

	table_column(table, "class");
	table_column(table, "min_us");
	for (size_t k = 0; k < PERCENTILES; k++)
		table_column(table, percentiles[k].key);
	table_column(table, "max_us");
	for (unsigned i = 0; i < SUMMARY_CLASSES; i++) {
		const struct quantile *latency = &summary->classes[i].latency_distribution;

		if (latency->n == 0)
			continue;
		table_text(table, class_names[i]);
		table_real(table, 1e6 * tr_ticks_seconds((int64_t)latency->min, summary->ticks_per_s), 6);
		for (size_t k = 0; k < PERCENTILES; k++)
			if ((double)latency->n * (1 - percentiles[k].p) < 1 - 1e-9)
				table_none(table);
			else
				table_real(table,
					   1e6 * tr_ticks_seconds((int64_t)quantile_get(latency, percentiles[k].p),
								  summary->ticks_per_s),
					   4);
		table_real(table, 1e6 * tr_ticks_seconds((int64_t)latency->max, summary->ticks_per_s), 6);
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

static void summary_put_own(struct table *table, const struct summary *summary, const struct net_totals *totals, bool loss)
{
	for (size_t i = 0; summary->own && summary->own[i].key; i++)
		if (summary->own[i].loss == loss)
			table_count(table, totals->own[i]);
}

static struct table *books_table(const struct summary *summary, const struct net_totals *totals)
{
	static const char *const keys[] = {"offered", "delivered",   "dropped",	   "in_flight",
					   "lagged",  "lag_mean_us", "lag_max_us", NULL};
	struct table *table = table_new("books", "Offered = delivered + dropped + in flight");

	summary_add_columns(table, keys);
	add_own(table, summary, false);
	table_count(table, totals->offered);
	table_count(table, totals->delivered);
	table_count(table, totals->dropped);
	table_count(table, totals->in_flight);
	table_count(table, summary->lagged);
	if (summary->lagged > 0)
		table_real(table, (double)summary->lag_ticks / (double)summary->lagged / (double)summary->ticks_per_s * 1e6, 6);
	else
		table_none(table);
	table_real(table, 1e6 * tr_ticks_seconds(summary->lag_max_ticks, summary->ticks_per_s), 6);
	summary_put_own(table, summary, totals, false);
	return table;
}

// Worms by the reason of their drop, and other failures; NULL if there were none. The last reasons are named where they occur.
static struct table *lost_table(const struct summary *summary, const struct net_totals *totals)
{
	static const struct {
		const char *key;
		enum tr_drop_reason reason;
	} columns[] = {{"queue", TR_DROP_QUEUE}, {"unmapped", TR_DROP_UNMAPPED}, {"timeout", TR_DROP_TIMEOUT},
		       {"error", TR_DROP_ERROR}, {"dead", TR_DROP_DEAD},	 {"route", TR_DROP_ROUTE}},
	  rare[] = {{"deadlock", TR_DROP_DEADLOCK}, {"buffer", TR_DROP_BUFFER}};
	char title[120] = "Dropped = queue + unmapped + timeout + error + dead + route";
	const size_t count = sizeof(columns) / sizeof(*columns), rare_count = sizeof(rare) / sizeof(*rare);
	uint64_t sum = 0;
	struct table *table;

	for (size_t i = 0; summary->own && summary->own[i].key; i++)
		sum += summary->own[i].loss ? totals->own[i] : 0;
	for (size_t i = 0; i < TR_DROP_REASONS; i++)
		sum += summary->dropped[i];
	if (sum == 0)
		return NULL;
	for (size_t i = 0; i < rare_count; i++)
		if (summary->dropped[rare[i].reason] > 0)
			(void)snprintf(title + strlen(title), sizeof(title) - strlen(title), " + %s", rare[i].key);
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
	return table;
}

size_t summary_tables(const struct summary *summary, const struct net_totals *totals, const struct run_end *end,
		      int level_percent, struct table *tables[SUMMARY_TABLES])
{
	tables[0] = speed_table(summary, end, level_percent);
	tables[1] = latency_table(summary);
	tables[2] = books_table(summary, totals);
	tables[3] = lost_table(summary, totals);
	return tables[3] ? 4 : 3;
}

static void summary_put_time(struct table *table, int64_t ticks, uint64_t ticks_per_s)
{
	table_real(table, ticks < 0 ? NAN : tr_ticks_seconds(ticks, ticks_per_s), 6);
}

static double summary_share(uint64_t part, uint64_t rest)
{
	return part + rest > 0 ? 100 * (double)part / ((double)part + (double)rest) : NAN;
}

struct table *mapper_table(const struct mapper_totals *totals, uint64_t ticks_per_s)
{
	static const char *const columns[] = {
		"maps",	  "changes",	 "failed",  "takeovers", "hosts",	"switches",	 "cables",	  "first_map_s",
		"scouts", "scouts_lost", "answers", "late",	 "route_worms", "worms_percent", "bytes_percent", "unroutable"};
	const uint64_t worms = totals->scouts + totals->answers + totals->route_worms;
	struct table *table = table_new("mapper", "mapper");

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(table, columns[i]);
	table_count(table, totals->maps);
	table_count(table, totals->changes);
	table_count(table, totals->failed);
	table_count(table, totals->takeovers);
	table_count(table, totals->hosts);
	table_count(table, totals->switches);
	table_count(table, totals->cables);
	summary_put_time(table, totals->first_ticks, ticks_per_s);
	table_count(table, totals->scouts);
	table_count(table, totals->scouts_lost);
	table_count(table, totals->answers);
	table_count(table, totals->late);
	table_count(table, totals->route_worms);
	table_real(table, summary_share(worms, totals->other_worms), 4);
	table_real(table, summary_share(totals->mapper_bytes, totals->other_bytes), 4);
	table_count(table, totals->unroutable);
	return table;
}

void mapper_leave_books(const struct mapper_totals *mapper, struct net_totals *totals)
{
	totals->offered -= mapper->delivered + mapper->dropped + mapper->in_flight;
	totals->delivered -= mapper->delivered;
	totals->dropped -= mapper->dropped;
	totals->in_flight -= mapper->in_flight;
}
