// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper_options.h"

#include <math.h>
#include <string.h>

#include "trace/ticks.h"

size_t mapper_options_start(struct mapper_options *options, struct opt *rows)
{
	const struct opt table[] = {
		OPT_TIME(0, "mapper", &options->period_s, "a host maps the network in this period"),
		OPT_TIME(0, "mapper-timeout", &options->timeout_s,
			 "mapper: then nothing answers a scout"),
		OPT_COUNT(0, "mapper-tries", &options->tries,
			  "mapper: scouts of one question at most"),
		OPT_SIZE(0, "scout", &options->scout_B, "mapper: data of a scout, and of an answer"),
	};

	_Static_assert(sizeof(table) / sizeof(*table) == MAPPER_OPTION_ROWS, "rows");
	*options = (struct mapper_options){.period_s = {0, 1}, .timeout_s = {1, 2000}, .tries = 3,
					   .scout_B = {64, 1}};
	memcpy(rows, table, sizeof(table));
	return MAPPER_OPTION_ROWS;
}

static enum tr_status settle_time(const char *name, struct num_ratio time_s, uint64_t ticks_per_s,
				  int64_t *ticks, struct tr_error *err)
{
	struct tr_error why;

	if (tr_ticks_exact(time_s, ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(err, "--%s: %s", name, why.text);
	if (*ticks <= 0 || *ticks > INT64_MAX / 4)
		return tr_fail(err, "--%s: expected a time above zero", name);
	return TR_OK;
}

enum tr_status mapper_options_settle(const struct mapper_options *options, uint64_t ticks_per_s,
				     uint32_t mtu_bytes, struct mapper_params *params,
				     struct tr_error *err)
{
	*params = (struct mapper_params){.mtu_bytes = mtu_bytes,
					 .tries = (uint32_t)options->tries,
					 .scout_bytes = (uint32_t)options->scout_B.num};
	if (options->tries < 1 || options->tries > 1000)
		return tr_fail(err, "--mapper-tries: expected 1 to 1000");
	if (options->scout_B.den != 1 || options->scout_B.num < 1 ||
	    options->scout_B.num > mtu_bytes)
		return tr_fail(err, "--scout: expected 1 B to the largest worm, whole");
	if (settle_time("mapper", options->period_s, ticks_per_s, &params->period_ticks, err) !=
	    TR_OK)
		return TR_ERROR;
	return settle_time("mapper-timeout", options->timeout_s, ticks_per_s,
			   &params->timeout_ticks, err);
}

static void put_time(struct table *table, int64_t ticks, uint64_t ticks_per_s)
{
	table_real(table, ticks < 0 ? NAN : tr_ticks_seconds(ticks, ticks_per_s), 6);
}

static double share(uint64_t part, uint64_t rest)
{
	return part + rest > 0 ? 100 * (double)part / ((double)part + (double)rest) : NAN;
}

struct table *mapper_table(const struct mapper_totals *totals, uint64_t ticks_per_s)
{
	static const char *const keys[] = {
		"maps", "changes", "failed", "takeovers", "hosts", "switches", "cables", "first_map_s",
		"scouts", "scouts_lost", "answers", "late", "route_worms", "worms_percent",
		"bytes_percent", "unroutable"};
	const uint64_t worms = totals->scouts + totals->answers + totals->route_worms;
	struct table *table = table_new("mapper", "mapper");

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		table_column(table, keys[i]);
	table_count(table, totals->maps);
	table_count(table, totals->changes);
	table_count(table, totals->failed);
	table_count(table, totals->takeovers);
	table_count(table, totals->hosts);
	table_count(table, totals->switches);
	table_count(table, totals->cables);
	put_time(table, totals->first_ticks, ticks_per_s);
	table_count(table, totals->scouts);
	table_count(table, totals->scouts_lost);
	table_count(table, totals->answers);
	table_count(table, totals->late);
	table_count(table, totals->route_worms);
	table_real(table, share(worms, totals->other_worms), 4);
	table_real(table, share(totals->mapper_bytes, totals->other_bytes), 4);
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
