// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <stdlib.h>

#include "net/lone_worm.h"
#include "table/table_rows.h"
#include "value/ticks.h"

#define LEAST_USUAL_B 4u
#define MOST_USUAL_B 8192u
#define MOST_B ((int64_t)1 << 28)
#define DIGITS 8
#define COLUMNS_MAX 16u // specific to a kind

static enum tr_status add_size(void *context, char *text, struct tr_error *err)
{
	struct formula_request *request = context;
	struct num_ratio size;

	if (request->size_count == FORMULA_SIZES_MAX)
		return tr_fail(err, "--worm: more than %u sizes", FORMULA_SIZES_MAX);
	if (num_parse(text, NUM_SIZE, &size, err) != TR_OK)
		return TR_ERROR;
	if (size.den != 1 || size.num < 1 || size.num > MOST_B)
		return tr_fail(err, "--worm %s: expected a whole number of bytes, 1 B to 256 MiB",
			       text);
	request->sizes_B[request->size_count++] = (uint32_t)size.num;
	return TR_OK;
}

enum tr_status formula_sizes_read(const struct opt_list *words, struct formula_request *request,
				  struct tr_error *err)
{
	for (size_t i = 0; i < words->count; i++)
		if (opt_each_item(words->words[i], add_size, request, err) != TR_OK)
			return TR_ERROR;
	if (words->count == 0 && !request->fabric->kind->tables)
		for (uint32_t size = LEAST_USUAL_B; size <= MOST_USUAL_B; size *= 2)
			request->sizes_B[request->size_count++] = size;
	return TR_OK;
}

TABLE_ROW(worm_time, (count, size_B), (count, switches), (real, sum_us, DIGITS),
	  (real, worm_MBps, DIGITS), (us, simulated_us, DIGITS), (real, residual_ns, DIGITS));

TABLE_ROW(worm_term, (count, size_B), (count, switches), (text, term), (whole, ticks),
	  (real, time_ns, 9));

static struct table *formula_sizes_new_table(const struct formula_request *request)
{
	const struct net_formula *formula = request->fabric->kind->formula;
	struct table *table = table_of(
		"sizes", "Time of one worm in an empty network, by formula and in simulation",
		worm_time_fields);

	table_set_clock(table, request->setup.ticks_per_s);
	for (size_t i = 0; formula->columns && formula->columns[i]; i++)
		table_column(table, formula->columns[i]);
	table_note(table, "residual: simulated minus sum");
	if (request->senders > 1)
		table_note(table, "%s; %llu senders", formula->note,
			   (unsigned long long)request->senders);
	else
		table_note(table, "%s", formula->note);
	return table;
}

// The columns specific to the kind.
static void formula_sizes_put_own(struct table *table, const struct formula_request *request,
				  uint32_t switches, uint32_t size)
{
	const struct net_formula *formula = request->fabric->kind->formula;
	double values[COLUMNS_MAX];

	if (!formula->columns)
		return;
	formula->values(&request->setup, (uint32_t)request->senders, switches, size, values);
	for (size_t i = 0; formula->columns[i]; i++)
		table_real(table, values[i], DIGITS);
}

static void formula_sizes_put_row(struct table *table, const struct formula_request *request,
				  uint32_t switches, uint32_t size, int64_t sum_ticks,
				  int64_t simulated_ticks)
{
	const uint64_t ticks_per_s = request->setup.ticks_per_s;
	double sum_s = tr_ticks_seconds(sum_ticks, ticks_per_s);

	TABLE_PUT(table, worm_time, .size_B = size, .switches = switches, .sum_us = 1e6 * sum_s,
		  .worm_MBps = size / sum_s / 1e6, .simulated_us = simulated_ticks,
		  .residual_ns = 1e9 * tr_ticks_seconds(simulated_ticks - sum_ticks, ticks_per_s));
	formula_sizes_put_own(table, request, switches, size);
}

static void formula_sizes_put_term(struct table *table, struct worm_term_row row, const char *term,
				   int64_t ticks, uint64_t ticks_per_s)
{
	row.term = term;
	row.ticks = ticks;
	row.time_ns = 1e9 * tr_ticks_seconds(ticks, ticks_per_s);
	table_row(table, worm_term_fields, &row);
}

// The terms of the sum for the worm of which formula was last asked.
static void formula_sizes_put_terms(struct table *table, const struct fabric_formula *formula,
				    struct worm_term_row row, int64_t sum_ticks,
				    int64_t simulated_ticks, uint64_t ticks_per_s)
{
	for (size_t i = 0; formula->of->terms[i]; i++)
		formula_sizes_put_term(table, row, formula->of->terms[i], formula->terms_ticks[i],
				       ticks_per_s);
	formula_sizes_put_term(table, row, "sum", sum_ticks, ticks_per_s);
	formula_sizes_put_term(table, row, "simulated", simulated_ticks, ticks_per_s);
	formula_sizes_put_term(table, row, "residual", simulated_ticks - sum_ticks, ticks_per_s);
}

// The rows of all sizes from host 0 to destination.
static enum tr_status formula_sizes_put_rows(struct table *const tables[FORMULA_SIZES_TABLES],
					     const struct formula_request *request,
					     struct fabric_formula *formula, uint32_t destination,
					     struct tr_error *err)
{
	const struct net_engine *engine = fabric_engine(request->fabric, NULL, err);

	for (uint32_t i = 0; i < request->size_count; i++) {
		uint32_t size = request->sizes_B[i];
		struct worm_term_row term = {.size_B = size};
		uint32_t switches;
		int64_t simulated;
		int64_t sum;

		if (lone_worm_send(&request->setup, engine, destination, size, &simulated,
				   &switches, err) != TR_OK)
			return TR_ERROR;
		sum = fabric_formula_ticks(formula, switches, size);
		formula_sizes_put_row(tables[0], request, switches, size, sum, simulated);
		term.switches = switches;
		formula_sizes_put_terms(tables[1], formula, term, sum, simulated,
					request->setup.ticks_per_s);
	}
	return TR_OK;
}

// For each number of switches the first host at that distance from host 0.
static enum tr_status formula_sizes_put_distances(struct table *const tables[FORMULA_SIZES_TABLES],
						  const struct formula_request *request,
						  struct fabric_formula *formula,
						  struct tr_error *err)
{
	const struct net_routes *routes = request->setup.routes;
	bool *seen = calloc(routes->longest + 1, sizeof(*seen));
	uint16_t *ports = calloc(routes->longest + 1, sizeof(*ports));
	enum tr_status status = TR_OK;

	if (!seen || !ports)
		status = tr_no_memory(err, "the distances");
	for (uint32_t host = 1; status == TR_OK && host < routes->hosts; host++) {
		uint32_t switches = net_routes_get(routes, 0, host, ports);

		if (switches == NET_NO_ROUTE || seen[switches])
			continue;
		seen[switches] = true;
		status = formula_sizes_put_rows(tables, request, formula, host, err);
	}
	free(ports);
	free(seen);
	return status;
}

enum tr_status formula_sizes_tables(const struct formula_request *request,
				    struct table *tables[FORMULA_SIZES_TABLES],
				    struct tr_error *err)
{
	struct fabric_formula formula;
	enum tr_status status;

	if (request->setup.topology->hosts < 2)
		return tr_fail(err, "a worm needs two hosts");
	status = fabric_formula_open(&formula, request->fabric->kind, &request->setup, err);
	if (status == TR_OK) {
		tables[0] = formula_sizes_new_table(request);
		tables[1] = table_of("terms", "Terms of the time of one worm", worm_term_fields);
		status = request->fabric->kind->linked
				 ? formula_sizes_put_distances(tables, request, &formula, err)
				 : formula_sizes_put_rows(tables, request, &formula, 1, err);
		for (size_t i = 0; status != TR_OK && i < FORMULA_SIZES_TABLES; i++)
			table_free(tables[i]);
	}
	fabric_formula_close(&formula);
	return status;
}
