// SPDX-License-Identifier: GPL-3.0-or-later
// The mapper of a network: its options in ticks, and what it did.
#include "flitsim.h"

#include <math.h>

#include "mapper/mapper.h"
#include "study.h"
#include "table/table_rows.h"
#include "value/ticks.h"

static enum tr_status settle_mapper_time(const char *key, struct num_ratio time_s,
					 uint64_t ticks_per_s, int64_t *ticks, struct tr_error *err)
{
	if (tr_ticks_exact(time_s, ticks_per_s, ticks, err) != TR_OK)
		return tr_fail_in(err, "--mapper: %s", key);
	if (*ticks <= 0 || *ticks > INT64_MAX / 4)
		return tr_fail(err, "--mapper: %s: expected a time above zero", key);
	return TR_OK;
}

static enum tr_status settle_mapper(const struct mapper_options *options, uint64_t ticks_per_s,
				    uint32_t mtu_bytes, struct mapper_params *params,
				    struct tr_error *err)
{
	*params = (struct mapper_params){.mtu_bytes = mtu_bytes,
					 .tries = (uint32_t)options->tries,
					 .scout_bytes = (uint32_t)options->scout_bytes};
	if (options->tries < 1 || options->tries > 1000)
		return tr_fail(err, "--mapper: tries: expected 1 to 1000");
	if (options->scout_bytes < 1 || options->scout_bytes > mtu_bytes)
		return tr_fail(err, "--mapper: scout: expected 1 B to the largest worm");
	if (settle_mapper_time("period", options->period_s, ticks_per_s, &params->period_ticks,
			       err) != TR_OK)
		return TR_ERROR;
	return settle_mapper_time("timeout", options->timeout_s, ticks_per_s,
				  &params->timeout_ticks, err);
}

static enum tr_status open_mapping(struct mapper **mapper, const struct sim_options *options,
				   struct net_setup *setup, struct tr_error *err)
{
	struct mapper_params params;

	if (settle_mapper(&options->mapper.values, setup->ticks_per_s,
			  (uint32_t)options->traffic.mtu_B.num, &params, err) != TR_OK)
		return TR_ERROR;
	return mapper_open(mapper, &params, setup, err);
}

static double share_of_mapper(uint64_t part, uint64_t rest)
{
	return part + rest > 0 ? 100 * (double)part / ((double)part + (double)rest) : NAN;
}

TABLE_VIEW(maps, struct mapper_totals, (count, maps), (count, changes), (count, failed),
	   (count, takeovers), (count, hosts), (count, switches), (count, cables));
TABLE_ROW(map_worms, (real, first_map_s, 6), (count, scouts), (count, scouts_lost),
	  (count, answers), (count, late), (count, route_worms), (real, worms_percent, 4),
	  (real, bytes_percent, 4), (count, unroutable));

static struct table *mapping_table(const struct mapper *mapper, uint64_t ticks_per_s)
{
	const struct mapper_totals *totals = mapper_totals(mapper);
	const uint64_t worms = totals->scouts + totals->answers + totals->route_worms;
	struct table *table = table_of("mapper", "mapper", maps_fields);

	table_heads(table, map_worms_fields);
	table_row(table, maps_fields, totals);
	TABLE_PUT(table, map_worms,
		  .first_map_s = totals->first_ticks < 0
					 ? NAN
					 : tr_ticks_seconds(totals->first_ticks, ticks_per_s),
		  .scouts = totals->scouts, .scouts_lost = totals->scouts_lost,
		  .answers = totals->answers, .late = totals->late,
		  .route_worms = totals->route_worms,
		  .worms_percent = share_of_mapper(worms, totals->other_worms),
		  .bytes_percent = share_of_mapper(totals->mapper_bytes, totals->other_bytes),
		  .unroutable = totals->unroutable);
	return table;
}

static void leave_mapping_out(const struct mapper *mapper, struct net_totals *totals)
{
	const struct mapper_totals *own = mapper_totals(mapper);

	totals->offered -= own->delivered + own->dropped + own->in_flight;
	totals->delivered -= own->delivered;
	totals->dropped -= own->dropped;
	totals->in_flight -= own->in_flight;
}

const struct sim_mapping sim_mapping = {open_mapping, mapping_table, leave_mapping_out,
					mapper_close};
