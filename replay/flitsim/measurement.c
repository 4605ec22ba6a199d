// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "packet_feed.h"
#include "stream/record.h"
#include "table/table_rows.h"
#include "value/grow.h"
#include "value/ticks.h"

static enum tr_status measurement_fail(struct tr_error *err)
{
	return tr_fail(err, "the temporary file of --warmup auto: %s", strerror(errno));
}

enum tr_status warmup_open(struct warmup *warmup, struct tr_error *err)
{
	if (!warmup->automatic)
		return TR_OK;
	warmup->kept = tmpfile();
	return warmup->kept ? TR_OK : measurement_fail(err);
}

enum tr_status warmup_take(struct warmup *warmup, const struct outcome *outcome, bool *measured,
			   struct tr_error *err)
{
	*measured = false;
	if (outcome->status != TR_DELIVERED)
		return TR_OK;
	if (warmup->automatic) {
		run_mean_add(&warmup->mean, outcome);
		return fwrite(outcome, sizeof(*outcome), 1, warmup->kept) == 1
			       ? TR_OK
			       : measurement_fail(err);
	}
	if (warmup->skip > 0) {
		warmup->skip--;
		warmup->left_out++;
		warmup->begin_ticks = outcome->time_ticks;
		return TR_OK;
	}
	*measured = !warmup->given || outcome->time_ticks >= warmup->begin_ticks;
	warmup->left_out += !*measured;
	return TR_OK;
}

// Whether the worm is before the begin; skip: samples of the series still to be skipped.
static bool measurement_before(struct warmup *warmup, const struct outcome *outcome, uint64_t *skip)
{
	const uint8_t class = warmup->mean.class;

	if (*skip == 0)
		return false;
	if (class == RUN_MEAN_ALL || class == outcome->class)
		--*skip;
	warmup->left_out++;
	warmup->begin_ticks = outcome->time_ticks + 1;
	warmup->given = true;
	return true;
}

enum tr_status warmup_finish(struct warmup *warmup,
			     void (*add)(void *context, const struct outcome *outcome),
			     void *context, struct tr_error *err)
{
	uint64_t skip;
	struct outcome outcome;

	if (!warmup->automatic)
		return TR_OK;
	skip = steady_begin(&warmup->mean.samples, &warmup->settled);
	if (skip > 0 && warmup->mean.kind == RUN_MEAN_CARRIED)
		skip++; // the first sample begins with the first delivery
	if (fseek(warmup->kept, 0, SEEK_SET) != 0)
		return measurement_fail(err);
	while (fread(&outcome, sizeof(outcome), 1, warmup->kept) == 1)
		if (!measurement_before(warmup, &outcome, &skip))
			add(context, &outcome);
	return ferror(warmup->kept) ? measurement_fail(err) : TR_OK;
}

void warmup_close(struct warmup *warmup)
{
	if (warmup->kept)
		fclose(warmup->kept);
	warmup->kept = NULL;
}

static enum tr_status measurement_set_time(const char *option, struct num_ratio time_s,
					   uint64_t ticks_per_s, int64_t *ticks,
					   struct tr_error *err)
{
	if (time_s.num < 0)
		return tr_fail(err, "--%s: expected a time of at least 0", option);
	if (tr_ticks_round(time_s, ticks_per_s, ticks, err) == TR_OK)
		return TR_OK;
	return tr_fail_in(err, "--%s", option);
}

static enum tr_status set_warmup(struct warmup *warmup, const char *text, uint64_t ticks_per_s,
				 struct tr_error *err)
{
	struct num_ratio time_s;
	struct tr_error why;

	if (!text)
		return TR_OK;
	warmup->automatic = strcmp(text, "auto") == 0;
	if (warmup->automatic)
		return warmup_open(warmup, err);
	warmup->given = true;
	if (strncmp(text, "worms", 5) == 0 && (text[5] == ' ' || text[5] == '=')) {
		warmup->begin_ticks = INT64_MIN;
		if (num_parse_count(text + 6, 1, UINT64_MAX, &warmup->skip, &why) != TR_OK)
			return tr_fail(err, "--warmup: %s", why.text);
		return TR_OK;
	}
	if (num_parse(text, NUM_TIME, &time_s, &why) != TR_OK)
		return tr_fail(err, "--warmup: %s, and neither auto nor worms N", why.text);
	return measurement_set_time("warmup", time_s, ticks_per_s, &warmup->begin_ticks, err);
}

static enum tr_status set_stop(struct measurement *measurement, const struct sim_options *options,
			       uint64_t ticks_per_s, uint32_t hosts, struct tr_error *err)
{
	struct stop_rule *stop = &measurement->stop;

	stop_rule_start(stop);
	if (options->run.stop && stop_rule_read(stop, options->run.stop, hosts, err) != TR_OK)
		return tr_fail_in(err, "--stop");
	stop->mean.ticks_per_s = ticks_per_s;
	stop->level = options->output.level_percent / 100.0;
	measurement->has_end = stop->has_time;
	return stop->has_time ? measurement_set_time("stop", stop->time_s, ticks_per_s,
						     &measurement->end_ticks, err)
			      : TR_OK;
}

enum tr_status measurement_open(struct measurement *measurement, const struct sim_options *options,
				const struct fabric *fabric, const struct net_setup *setup,
				const struct sim_ports *ports, struct tr_error *err)
{
	const uint64_t ticks_per_s = setup->ticks_per_s;
	const uint32_t hosts = sim_ports_hosts(ports, setup->topology)->hosts;
	struct warmup *warmup = &measurement->warmup;
	struct num_ratio rate_bps = {0, 0};

	if (fabric->kind->host_rate)
		rate_bps = fabric->kind->host_rate(fabric->params);
	if (shares_open(&measurement->shares, hosts, rate_bps, err) != TR_OK)
		return TR_ERROR;
	measurement->order.wanted = sim_ports_vary(ports) ||
				    (setup->routes &&
				     (setup->routes->choices || setup->routes->spread));
	measurement->summary.own = fabric->kind->columns;
	measurement->summary.ticks_per_s = ticks_per_s;
	measurement->summary.links_Bps = setup->topology->hosts *
					 num_value(packet_cut_line_rate(fabric, setup->topology)) /
					 8;
	if (set_stop(measurement, options, ticks_per_s, hosts, err) != TR_OK ||
	    set_warmup(warmup, options->run.warmup, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	measurement->stop.settles = warmup->automatic;
	warmup->mean = measurement->stop.mean;
	if (measurement->stop.mean.percent == 0)
		warmup->mean.class = RUN_MEAN_ALL;
	return TR_OK;
}

static void measurement_add(void *context, const struct outcome *outcome)
{
	struct measurement *measurement = context;

	summary_measure(&measurement->summary, outcome);
	shares_add(&measurement->shares, outcome, 1);
}

void measurement_offer(struct measurement *measurement, int64_t time_ticks)
{
	saturation_arrive(&measurement->saturation, time_ticks);
}

// Whether the network had neither room nor time for the worm. What faults and wrong routes take
// says nothing of its load.
static bool was_crowded_out(const struct outcome *outcome)
{
	return outcome->reason == TR_DROP_QUEUE || outcome->reason == TR_DROP_BUFFER ||
	       outcome->reason == TR_DROP_TIMEOUT;
}

static void depart(struct measurement *measurement, const struct outcome *outcome)
{
	if (outcome->status == TR_DELIVERED ||
	    (outcome->status == TR_DROPPED && !was_crowded_out(outcome)))
		saturation_depart(&measurement->saturation, outcome->time_ticks);
}

static bool period_add(struct period *period, const struct outcome *outcome)
{
	if (!GROW(period->outcomes, period->room, period->count))
		return false;
	period->outcomes[period->count++] = *outcome;
	return true;
}

enum tr_status measurement_repeat(struct measurement *measurement, uint64_t times,
				  int64_t period_ticks, struct tr_error *err)
{
	struct period *period = &measurement->period;

	period->records = times == 0;
	order_repeat(&measurement->order, times, period_ticks);
	if (times == 0) {
		period->count = 0;
		return TR_OK;
	}
	for (size_t i = 0; i < period->count; i++)
		shares_add(&measurement->shares, &period->outcomes[i], times);
	return summary_repeat(&measurement->summary, period->outcomes, period->count, times,
			      period_ticks)
		       ? TR_OK
		       : tr_no_memory(err, "the packets of an iteration");
}

enum tr_status measurement_take(struct measurement *measurement, const struct net_worm *worm,
				const struct tr_delivery *delivery, struct tr_error *err)
{
	const struct outcome outcome = outcome_of(worm, delivery);
	bool measured;

	if (measurement->period.records && !period_add(&measurement->period, &outcome))
		return tr_no_memory(err, "the packets of an iteration");
	summary_count(&measurement->summary, &outcome);
	depart(measurement, &outcome);
	if (outcome.status == TR_DELIVERED && order_add(&measurement->order, worm, err) != TR_OK)
		return TR_ERROR;
	if (warmup_take(&measurement->warmup, &outcome, &measured, err) != TR_OK)
		return TR_ERROR;
	if (measured)
		measurement_add(measurement, &outcome);
	return stop_rule_add(&measurement->stop, &outcome,
			     measured || measurement->warmup.automatic);
}

enum tr_status measurement_finish(struct measurement *measurement, const struct net_totals *totals,
				  struct tr_error *err)
{
	struct summary *summary = &measurement->summary;
	const struct warmup *warmup = &measurement->warmup;

	if (warmup_finish(&measurement->warmup, measurement_add, measurement, err) != TR_OK)
		return TR_ERROR;
	if (warmup->given && warmup->begin_ticks > summary->first_ticks)
		summary->first_ticks = warmup->begin_ticks;
	if (measurement->has_end && totals->end_ticks == measurement->end_ticks)
		summary->last_ticks = totals->end_ticks;
	if (summary->last_ticks < summary->first_ticks)
		summary->last_ticks = summary->first_ticks;
	return TR_OK;
}

static const char *cause(const struct measurement *measurement, const struct net_totals *totals)
{
	static const char *const causes[] = {
		[STOP_WORMS] = "worms", [STOP_BYTES] = "bytes", [STOP_MEAN] = "mean"};

	if (totals->deadlocked)
		return "deadlock";
	if (totals->livelocked)
		return "livelock";
	if (measurement->unfinished)
		return "unfinished";
	if (measurement->stop.cause != STOP_NONE)
		return causes[measurement->stop.cause];
	return measurement->has_end && totals->end_ticks == measurement->end_ticks ? "time"
										   : "traffic";
}

struct run_end measurement_end(const struct measurement *measurement,
			       const struct net_totals *totals)
{
	const bool stood = totals->deadlocked || totals->livelocked || measurement->unfinished;

	return (struct run_end){.by = cause(measurement, totals),
				.saturated = stood ? SATURATION_UNKNOWN
						   : saturation_find(&measurement->saturation)};
}

TABLE_ROW(measured, (seconds, from_s), (seconds, to_s), (count, left_out), (text, ended_by));

static struct table *run_table(const struct measurement *measurement,
			       const struct net_totals *totals)
{
	const struct summary *summary = &measurement->summary;
	const struct warmup *warmup = &measurement->warmup;
	struct table *table = table_of("run", "What was measured", measured_fields);
	char name[40];

	table_set_clock(table, summary->ticks_per_s);
	TABLE_PUT(table, measured, .from_s = summary->first_ticks, .to_s = summary->last_ticks,
		  .left_out = warmup->left_out, .ended_by = cause(measurement, totals));
	if (warmup->automatic && !warmup->settled)
		table_note(table,
			   "the %s does not settle within half of the worms: the run is too "
			   "short",
			   run_mean_name(&warmup->mean, name, sizeof(name)));
	if (measurement->stop.mean.percent > 0 && !measurement->stop.mean_known)
		table_note(table, "the run ended before the %s was known to %g %%",
			   run_mean_name(&measurement->stop.mean, name, sizeof(name)),
			   measurement->stop.mean.percent);
	return table;
}

bool measurement_cut(const struct measurement *measurement, const struct net_totals *totals)
{
	return measurement->stop.cause != STOP_NONE ||
	       (measurement->has_end && totals->end_ticks == measurement->end_ticks);
}

enum tr_status measurement_print(const struct measurement *measurement,
				 const struct net_totals *totals, struct table *const *before,
				 size_t before_count, const struct sim_output_options *options,
				 FILE *out, struct tr_error *err)
{
	const struct summary *summary = &measurement->summary;
	const struct run_end end = measurement_end(measurement, totals);
	struct table *tables[MEASUREMENT_BEFORE_MAX + SUMMARY_TABLES + 3];
	struct table *shares = shares_table(
		&measurement->shares,
		tr_ticks_seconds(summary->last_ticks - summary->first_ticks, summary->ticks_per_s),
		strcmp(end.by, "traffic") == 0);
	struct table *order = order_table(&measurement->order);
	size_t count = before_count;
	enum tr_status status;

	for (size_t i = 0; i < before_count; i++)
		tables[i] = before[i];
	count += summary_tables(&measurement->summary, totals, &end, options->level_percent,
				tables + before_count);
	if (shares)
		tables[count++] = shares;
	if (order)
		tables[count++] = order;
	tables[count++] = run_table(measurement, totals);
	status = tables_print(tables, count, options->style, "flitsim", out, err);
	for (size_t i = before_count; i < count; i++)
		table_free(tables[i]);
	return status;
}

void measurement_close(struct measurement *measurement)
{
	if (!measurement)
		return;
	warmup_close(&measurement->warmup);
	shares_close(&measurement->shares);
	order_close(&measurement->order);
	free(measurement->period.outcomes);
}
