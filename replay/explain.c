// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain.h"

#include "lone_worm.h"
#include "net/myrinet/formula.h"
#include "trace/ticks.h"

static void put_row(struct table *table, const char *term, int64_t ticks, uint64_t ticks_per_s)
{
	table_text(table, term);
	table_signed(table, ticks);
	table_real(table, 1e9 * tr_ticks_seconds(ticks, ticks_per_s), 9);
}

static struct table *term_table(const struct myr_formula *formula, int64_t simulated_ticks,
				uint32_t size_bytes, uint64_t ticks_per_s)
{
	struct table *table = table_new("terms", "Time of one worm");
	double size_MB = size_bytes / 1e6;

	table_column(table, "term");
	table_column(table, "ticks");
	table_column(table, "time_ns");
	for (int i = 0; i < MYR_TERMS; i++)
		put_row(table, myr_term_name((enum myr_term)i), formula->ticks[i], ticks_per_s);
	put_row(table, "sum", formula->sum_ticks, ticks_per_s);
	put_row(table, "simulated", simulated_ticks, ticks_per_s);
	put_row(table, "residual", simulated_ticks - formula->sum_ticks, ticks_per_s);
	table_note(table, "worm throughput: %.6f MB/s by the sum, %.6f MB/s simulated",
		   size_MB / tr_ticks_seconds(formula->sum_ticks, ticks_per_s),
		   size_MB / tr_ticks_seconds(simulated_ticks, ticks_per_s));
	return table;
}

enum tr_status explain_print(const struct net_setup *setup, const struct net_engine *engine,
			     uint32_t size_bytes, struct table_style style, FILE *out,
			     struct tr_error *err)
{
	const struct myr_params *params = setup->params;
	struct myr_formula formula;
	struct num_ratio delay;
	struct myr_times times;
	struct table *table;
	enum tr_status status;
	int64_t delay_ticks;
	int64_t simulated_ticks;
	uint32_t switches;

	if (setup->topology->hosts < 2)
		return tr_fail(err, "a worm needs two hosts");
	if (myr_times_make(&times, params, setup->ticks_per_s, err) != TR_OK ||
	    lone_worm_send(setup, engine, 1, size_bytes, &simulated_ticks, &switches, err) != TR_OK)
		return TR_ERROR;
	if (!myr_cable_delay(&params->link, &setup->topology->cables[0], &delay) ||
	    tr_ticks_exact(delay, setup->ticks_per_s, &delay_ticks, err) != TR_OK)
		return TR_ERROR;
	myr_formula(&times, delay_ticks, switches, size_bytes, &formula);
	table = term_table(&formula, simulated_ticks, size_bytes, setup->ticks_per_s);
	status = tables_print(&table, 1, style, "flitsim", out, err);
	table_free(table);
	return status;
}
