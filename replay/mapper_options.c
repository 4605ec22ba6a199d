// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper_options.h"

#include <math.h>
#include <stddef.h>

#include "net/fabric.h"
#include "trace/ticks.h"

#define KEY(name, type, member, meaning) \
	{ \
		name, type, offsetof(struct mapper_options, member), NULL, NULL, meaning \
	}

static const struct key keys[] = {
	KEY("period", KEY_TIME, period_s, "from one map of the network to the next"),
	KEY("timeout", KEY_TIME, timeout_s, "time after which a scout has no answer"),
	KEY("tries", KEY_COUNT, tries, "most scouts of one question"),
	KEY("scout", KEY_BYTES, scout_bytes, "data of a scout, and of an answer"),
	{.type = KEY_END},
};

static const struct mapper_options usual = {.period_s = {1, 1}, .timeout_s = {1, 2000}, .tries = 3, .scout_bytes = 64};

const struct key_kind mapper_keys = {"mapper", "--mapper=list", keys, net_presets, &usual};

static enum tr_status settle_time(const char *key, struct num_ratio time_s, uint64_t ticks_per_s, int64_t *ticks,
				  struct tr_error *err)
{
	struct tr_error why;

	if (tr_ticks_exact(time_s, ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(err, "--mapper: %s: %s", key, why.text);
	if (*ticks <= 0 || *ticks > INT64_MAX / 4)
		return tr_fail(err, "--mapper: %s: expected a time above zero", key);
	return TR_OK;
}

enum tr_status mapper_options_settle(const struct mapper_options *options, uint64_t ticks_per_s, uint32_t mtu_bytes,
				     struct mapper_params *params, struct tr_error *err)
{
	*params = (struct mapper_params){
		.mtu_bytes = mtu_bytes, .tries = (uint32_t)options->tries, .scout_bytes = (uint32_t)options->scout_bytes};
	if (options->tries < 1 || options->tries > 1000)
		return tr_fail(err, "--mapper: tries: expected 1 to 1000");
	if (options->scout_bytes < 1 || options->scout_bytes > mtu_bytes)
		return tr_fail(err, "--mapper: scout: expected 1 B to the largest worm");
	if (settle_time("period", options->period_s, ticks_per_s, &params->period_ticks, err) != TR_OK)
		return TR_ERROR;
	return settle_time("timeout", options->timeout_s, ticks_per_s, &params->timeout_ticks, err);
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
