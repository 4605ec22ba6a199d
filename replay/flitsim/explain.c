// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include "net/lone_worm.h"
#include "table/table_rows.h"
#include "value/ticks.h"

TABLE_ROW(worm_term, (text, term), (whole, ticks), (real, time_ns, 9));

static void explain_put_row(struct table *table, const char *term, int64_t ticks,
			    uint64_t ticks_per_s)
{
	TABLE_PUT(table, worm_term, .term = term, .ticks = ticks,
		  .time_ns = 1e9 * tr_ticks_seconds(ticks, ticks_per_s));
}

static struct table *term_table(const struct fabric_formula *formula, int64_t sum_ticks,
				int64_t simulated_ticks, uint32_t size_bytes, uint64_t ticks_per_s)
{
	struct table *table = table_of("terms", "Time of one worm", worm_term_fields);
	double size_MB = size_bytes / 1e6;

	for (size_t i = 0; formula->of->terms[i]; i++)
		explain_put_row(table, formula->of->terms[i], formula->terms_ticks[i], ticks_per_s);
	explain_put_row(table, "sum", sum_ticks, ticks_per_s);
	explain_put_row(table, "simulated", simulated_ticks, ticks_per_s);
	explain_put_row(table, "residual", simulated_ticks - sum_ticks, ticks_per_s);
	table_note(table, "worm throughput: %.6f MB/s by the sum, %.6f MB/s simulated",
		   size_MB / tr_ticks_seconds(sum_ticks, ticks_per_s),
		   size_MB / tr_ticks_seconds(simulated_ticks, ticks_per_s));
	return table;
}

static enum tr_status print_explain(const struct net_setup *setup, const struct net_engine *engine,
				    struct fabric_formula *formula, uint32_t size_bytes,
				    struct table_style style, FILE *out, struct tr_error *err)
{
	int64_t simulated_ticks;
	struct table *table;
	uint32_t switches;
	int64_t sum_ticks;

	if (lone_worm_send(setup, engine, 1, size_bytes, &simulated_ticks, &switches, err) != TR_OK)
		return TR_ERROR;
	sum_ticks = fabric_formula_ticks(formula, switches, size_bytes);
	table = term_table(formula, sum_ticks, simulated_ticks, size_bytes, setup->ticks_per_s);
	return tables_finish(&table, 1, style, "flitsim", out, err);
}

enum tr_status explain_print(const struct net_setup *setup, const struct fabric *fabric,
			     uint32_t size_bytes, struct table_style style, FILE *out,
			     struct tr_error *err)
{
	struct fabric_formula formula;
	enum tr_status status;

	if (setup->topology->hosts < 2)
		return tr_fail(err, "a worm needs two hosts");
	status = fabric_formula_open(&formula, fabric->kind, setup, err);
	if (status == TR_OK)
		status = print_explain(setup, fabric_engine(fabric, NULL, err), &formula,
				       size_bytes, style, out, err);
	fabric_formula_close(&formula);
	return status;
}
