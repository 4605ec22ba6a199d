// SPDX-License-Identifier: GPL-3.0-or-later
#include "summary.h"

#include <math.h>

#include "trace/ticks.h"

#define ALL (SUMMARY_CLASSES - 1)

static const char *const class_names[SUMMARY_CLASSES] = {"unclassed", "data", "overhead", "all"};

// size_bytes over a time, in 1e-3 B/s.
static int64_t rate_mBps(uint32_t size_bytes, int64_t ticks, uint64_t ticks_per_s)
{
	return (int64_t)((__int128)size_bytes * 1000 * ticks_per_s / (uint64_t)ticks);
}

static void add_to_class(struct summary_class *class, const struct net_worm *worm,
			 const struct tr_delivery *delivery, uint64_t ticks_per_s)
{
	int64_t now = delivery->packet.time_ticks;

	if (class->worms == 0 || now - worm->created_ticks < class->latency_min_ticks)
		class->latency_min_ticks = now - worm->created_ticks;
	class->worms++;
	class->size_bytes += worm->size_bytes;
	batches_add(&class->latency_ticks, now - worm->created_ticks);
	quantile_add(&class->latency_distribution, (uint64_t)(now - worm->created_ticks));
	batches_add(&class->worm_mBps,
		    rate_mBps(worm->size_bytes, now - worm->started_ticks, ticks_per_s));
	batches_add(&class->link_mBps,
		    rate_mBps(worm->size_bytes, worm->received_ticks - worm->injected_ticks,
			      ticks_per_s));
}

static void add_lag(struct summary *summary, const struct net_worm *worm)
{
	int64_t lag = worm->created_ticks - worm->packet.time_ticks;

	if (lag <= 0)
		return;
	summary->lagged++;
	summary->lag_ticks += lag;
	if (lag > summary->lag_max_ticks)
		summary->lag_max_ticks = lag;
}

void summary_add(struct summary *summary, const struct net_worm *worm,
		 const struct tr_delivery *delivery)
{
	unsigned class = worm->packet.class < ALL ? worm->packet.class : TR_CLASS_NONE;

	if (worm->created_ticks >= 0)
		add_lag(summary, worm);
	if (delivery->status == TR_DROPPED)
		summary->dropped[delivery->reason]++;
	else if (delivery->status == TR_IN_FLIGHT)
		summary->in_flight++;
	if (delivery->status != TR_DELIVERED)
		return;
	if (summary->classes[ALL].worms == 0 || worm->created_ticks < summary->first_ticks)
		summary->first_ticks = worm->created_ticks;
	summary->last_ticks = delivery->packet.time_ticks;
	add_to_class(&summary->classes[class], worm, delivery, summary->ticks_per_s);
	add_to_class(&summary->classes[ALL], worm, delivery, summary->ticks_per_s);
}

static void add_columns(struct table *table, const char *const *keys)
{
	for (; *keys != NULL; keys++)
		table_column(table, *keys);
}

// A mean with its interval, in a unit of which per stand for one of the samples'.
static void put_mean(struct table *table, const struct batches *batches, double per, double level,
		     int digits)
{
	const struct interval interval = batches_interval(batches, level);

	table_real(table, batches_mean(batches) / per, digits);
	table_real(table, interval.lo / per, digits);
	table_real(table, interval.hi / per, digits);
}

static void warn_correlated(struct table *table, const char *class, const char *what,
			    const struct batches *batches)
{
	if (batches_correlate(batches))
		table_note(table, "%s of class %s varies slowly: its interval is too narrow", what,
			   class);
}

static struct table *speed_table(const struct summary *summary, int level_percent)
{
	static const char *const keys[] = {
		"class",	 "worms",	  "bytes",     "mean_size_B",  "latency_us",
		"latency_lo_us", "latency_hi_us", "worm_MBps", "worm_lo_MBps", "worm_hi_MBps",
		"link_MBps",	 "carried_MBps",  NULL};
	struct table *table = table_new("classes", "Delivered worms");
	double span = tr_ticks_seconds(summary->last_ticks - summary->first_ticks,
				       summary->ticks_per_s);

	add_columns(table, keys);
	for (unsigned i = 0; i < SUMMARY_CLASSES; i++) {
		const struct summary_class *class = &summary->classes[i];

		if (class->worms == 0)
			continue;
		table_text(table, class_names[i]);
		table_count(table, class->worms);
		table_count(table, class->size_bytes);
		table_real(table, (double)class->size_bytes / (double)class->worms, 6);
		put_mean(table, &class->latency_ticks, (double)summary->ticks_per_s / 1e6,
			 level_percent / 100.0, 6);
		put_mean(table, &class->worm_mBps, 1e9, level_percent / 100.0, 6);
		table_real(table, batches_mean(&class->link_mBps) / 1e9, 6);
		table_real(table, (double)class->size_bytes / span / 1e6, 6);
		warn_correlated(table, class_names[i], "latency", &class->latency_ticks);
		warn_correlated(table, class_names[i], "worm throughput", &class->worm_mBps);
	}
	table_note(table,
		   "intervals: %d %%, from the means of up to 64 batches of consecutive worms",
		   level_percent);
	return table;
}

static const struct { const char *key; double p; } percentiles[] = {
	{"p50_us", .5}, {"p90_us", .9}, {"p99_us", .99}, {"p99.9_us", .999}, {"p99.99_us", .9999}};

#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static struct table *latency_table(const struct summary *summary)
{
	struct table *table = table_new(
		"latency", "Latency, from the source's queue to the destination's memory");

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
		table_real(table, 1e6 * tr_ticks_seconds(summary->classes[i].latency_min_ticks,
							 summary->ticks_per_s), 6);
		for (size_t k = 0; k < PERCENTILES; k++)
			if ((double)latency->n * (1 - percentiles[k].p) < 1 - 1e-9)
				table_none(table);
			else
				table_real(
					table,
					1e6 * tr_ticks_seconds((int64_t)quantile_get(
								       latency, percentiles[k].p),
							       summary->ticks_per_s),
					4);
		table_real(table,
			   1e6 * tr_ticks_seconds((int64_t)latency->max, summary->ticks_per_s), 6);
	}
	return table;
}

static struct table *books_table(const struct summary *summary, const struct net_totals *totals)
{
	static const char *const keys[] = {
		"offered", "delivered", "dropped_queue", "dropped_unmapped", "in_flight", "lagged",
		"lag_mean_us", "lag_max_us", "slack_peak_B", "characters", NULL};
	struct table *table = table_new("books", "Offered = delivered + dropped + in flight");

	add_columns(table, keys);
	table_count(table, totals->offered);
	table_count(table, totals->delivered);
	table_count(table, summary->dropped[TR_DROP_QUEUE]);
	table_count(table, summary->dropped[TR_DROP_UNMAPPED]);
	table_count(table, totals->in_flight);
	table_count(table, summary->lagged);
	if (summary->lagged > 0)
		table_real(table, (double)summary->lag_ticks / (double)summary->lagged /
			   (double)summary->ticks_per_s * 1e6, 6);
	else
		table_none(table);
	table_real(table, 1e6 * tr_ticks_seconds(summary->lag_max_ticks, summary->ticks_per_s), 6);
	table_count(table, totals->slack_peak);
	table_count(table, totals->characters);
	return table;
}

enum tr_status summary_print(const struct summary *summary, const struct net_totals *totals,
			     int level_percent, struct table_style style, FILE *out,
			     struct tr_error *err)
{
	struct table *tables[] = {
		speed_table(summary, level_percent),
		latency_table(summary),
		books_table(summary, totals),
	};
	const size_t count = sizeof(tables) / sizeof(*tables);
	enum tr_status status = tables_print(tables, count, style, "flitsim", out, err);

	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}
