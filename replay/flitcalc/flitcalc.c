// SPDX-License-Identifier: GPL-3.0-or-later
// flitcalc: the formulas of a kind of network, compared with its simulation.
#include "flitcalc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/matrix_input.h"
#include "input/network_input.h"
#include "input/node_map.h"
#include "net/routings/routing.h"
#include "stat/intervals/numeric_errors.h"
#include "tool/tool.h"

#define BASE_TICKS_PER_S UINT64_C(36000000000)

static const struct opt_choice matrix_words[] = {
	{"uniform", 0, "each host sends the same amount to each other"},
	{"deliveries", 0, "the traffic of the deliveries"},
	{NULL, 0},
};

struct formulas {
	struct tool *tool;
	struct formula_request request;
	struct load_request loads;
	struct own_request own;
	struct opt_list sizes;
	const char *network;
	const char *routing;
	const char *matrix; // "uniform", "deliveries" or a file
	const char *map;
	bool ignore_unmapped;
	struct opt_list hardware;
	bool print_fabric;
	struct fabric fabric;
	struct net_topology topology;
	struct net_routes routes;
	struct table_style style;
};

// What only formulas of a load heed, and of these what a run has of its own.
static const char *const load_options[] = {
	"load",	  "mean-size", "duration", "loads",	      "switches",
	"matrix", "self",      "map",	   "ignore-unmapped", NULL};
#define OWN_OPTIONS 5u

// What only a kind's own tables heed, and what they do not.
static const char *const table_options[] = {"nodes", "components", NULL};
static const char *const other_options[] = {"routes", "senders", NULL};

static enum tr_status check_tables(const struct formulas *f, struct tr_error *err)
{
	const bool has = f->fabric.kind->tables != NULL;
	const char *const *options = has ? other_options : table_options;

	for (; *options; options++)
		if (tool_option_given(f->tool, *options))
			return tr_fail(err, "--%s has no effect: the kind %s has %s", *options,
				       f->fabric.kind->name,
				       has ? "only tables of its own" : "no tables of its own");
	if (has && tool_operand_count(f->tool) > 0)
		return tr_fail(err,
			       "the formulas of %s cannot be compared with deliveries; give no "
			       "operand to print them",
			       f->fabric.kind->name);
	return TR_OK;
}

static enum tr_status flitcalc_check_options(const struct formulas *f, struct tr_error *err)
{
	const bool runs = tool_operand_count(f->tool) > 0;
	const char *name = f->fabric.kind->name;

	for (size_t i = 0; load_options[i]; i++) {
		if (!tool_option_given(f->tool, load_options[i]))
			continue;
		if (!f->fabric.kind->load_terms)
			return tr_fail(err, "--%s: %s has no formulas for a load", load_options[i],
				       name);
		if (runs && i < OWN_OPTIONS)
			return tr_fail(err, "--%s has no effect on deliveries", load_options[i]);
	}
	if (strcmp(f->matrix, "deliveries") == 0 && tool_option_given(f->tool, "matrix") && !runs)
		return tr_fail(err, "--matrix deliveries: there are none");
	if (tool_option_given(f->tool, "duration") && f->loads.period_s.num <= 0)
		return tr_fail(err, "--duration: expected a time above zero");
	if (tool_option_given(f->tool, "level") && !runs)
		return tr_fail(err, "--level needs deliveries");
	if (check_tables(f, err) != TR_OK)
		return TR_ERROR;
	return TR_OK;
}

// Those of lone worms need no advice.
static bool flitcalc_open_routes(struct formulas *f)
{
	struct tr_error err;

	if (f->fabric.kind->tables)
		return true;
	if (f->fabric.kind->load_terms || tool_option_given(f->tool, "routes")) {
		if (!routes_input_open(f->tool, f->routing, &f->topology, &f->routes))
			return false;
		if (net_routes_need_one(&f->routes, "formulas need", &err) == TR_OK)
			return true;
	} else if (net_routing_make(&f->routes, &f->topology, f->routing, &err) == TR_OK) {
		return true;
	}
	tool_error(f->tool, "%s", err.text);
	return false;
}

static enum tr_status flitcalc_settle(struct formulas *f, struct tr_error *err)
{
	struct formula_request *request = &f->request;

	if (!fabric_input_open(f->tool, &f->hardware, &f->fabric))
		return TR_END;
	request->fabric = &f->fabric;
	if (formula_sizes_read(&f->sizes, request, err) != TR_OK ||
	    own_request_read(&f->own, err) != TR_OK || flitcalc_check_options(f, err) != TR_OK)
		return TR_ERROR;
	if (!topology_input_open_single(f->tool, f->network, &f->topology) ||
	    !flitcalc_open_routes(f))
		return TR_END;
	request->setup.topology = &f->topology;
	request->setup.routes = &f->routes;
	request->setup.params = f->fabric.params;
	return f->fabric.kind->clock(f->fabric.params, &f->topology, BASE_TICKS_PER_S,
				     &request->setup.ticks_per_s, err);
}

static void flitcalc_print(struct formulas *f, struct table **tables, size_t count)
{
	struct tr_error err;

	if (tool_ok(f->tool) &&
	    tables_print(tables, count, f->style, "flitcalc", tool_stdout(f->tool), &err) != TR_OK)
		tool_error(f->tool, "%s", err.text);
	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
}

// The weights of the matrix; NULL for the words. Returns false after reporting an error.
static bool flitcalc_open_matrix(struct formulas *f, double **weights)
{
	const struct matrix_request matrix = {f->matrix, f->map, f->ignore_unmapped};
	char words[64];

	*weights = NULL;
	for (const struct opt_choice *choice = matrix_words; choice->word; choice++)
		if (strcmp(f->matrix, choice->word) == 0)
			return true;
	if (strcmp(f->matrix, "-") != 0 && access(f->matrix, F_OK) != 0) {
		tool_error(f->tool, "matrix \"%s\": neither one of %s nor a file", f->matrix,
			   opt_words(matrix_words, words, sizeof(words)));
		return false;
	}
	return matrix_input_open(f->tool, &matrix, &f->topology, weights);
}

// Loads, and with --worm lone worms; of kinds without formulas of a load the worms alone.
static void print_formulas(struct formulas *f)
{
	struct loaded_network loaded = {0};
	struct table *tables[LOAD_TABLES + FORMULA_SIZES_TABLES];
	struct tr_error err = {""};
	double *weights = NULL;
	size_t count = 0;
	enum tr_status status = TR_OK;

	if (f->fabric.kind->load_terms && flitcalc_open_matrix(f, &weights)) {
		status = loaded_network_open(&loaded, &f->request, &f->loads, &err);
		if (status == TR_OK)
			status = load_tables(&loaded, weights, tables, &count, &err);
	}
	if (status == TR_OK && tool_ok(f->tool) &&
	    (!f->fabric.kind->load_terms || f->sizes.count > 0)) {
		status = formula_sizes_tables(&f->request, &tables[count], &err);
		if (status == TR_OK)
			count += FORMULA_SIZES_TABLES;
		// The terms, last, are printed when asked for.
		if (status == TR_OK && f->style.only.count == 0)
			table_free(tables[--count]);
	}
	if (status != TR_OK)
		tool_error(f->tool, "%s", err.text);
	flitcalc_print(f, tables, count);
	loaded_network_close(&loaded);
	free(weights);
}

static void print_own(struct formulas *f)
{
	struct table *tables[NET_TABLES_MAX];
	size_t count;

	if (own_tables(f->tool, &f->own, &f->request, tables, &count))
		flitcalc_print(f, tables, count);
}

// What runs are compared with.
struct flitcalc_comparison {
	struct formula_deliveries *worms;
	struct loaded_network loaded;
	struct formula_runs *runs; // NULL: the kind has no formulas of a load
	double *weights;
};

static enum tr_status open_comparison(struct formulas *f, struct flitcalc_comparison *comparison,
				      struct tr_error *err)
{
	struct runs_traffic traffic = {.map = f->map, .ignore_unmapped = f->ignore_unmapped};

	if (formula_deliveries_open(&comparison->worms, &f->request, err) != TR_OK)
		return TR_ERROR;
	if (!f->fabric.kind->load_terms)
		return TR_OK;
	if (!flitcalc_open_matrix(f, &comparison->weights))
		return TR_END;
	traffic.weights = comparison->weights;
	traffic.own = !tool_option_given(f->tool, "matrix") || strcmp(f->matrix, "deliveries") == 0;
	if (loaded_network_open(&comparison->loaded, &f->request, &f->loads, err) != TR_OK)
		return TR_ERROR;
	return formula_runs_open(&comparison->runs, &comparison->loaded, &traffic, err);
}

// A damaged stream has no row unless the part before the damage is used, as its owner says.
static enum tr_status read_run(const struct formulas *f, struct flitcalc_comparison *comparison,
			       struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const union tr_record *record;
	enum tr_status status;

	if (header->kind != TR_DELIVERY)
		return tr_fail(err, "%s: contains %s records, expected deliveries",
			       tr_reader_name(in), tr_kind_find(header->kind)->name);
	if (comparison->runs)
		formula_origin_check(f->tool, in, f->network, f->routing);
	if (formula_deliveries_begin(comparison->worms, in, err) != TR_OK)
		return TR_ERROR;
	if (comparison->runs && formula_runs_begin(comparison->runs, in, err) != TR_OK)
		return TR_ERROR;
	while ((status = tr_next(in, &record)) == TR_OK) {
		if (record->delivery.status != TR_DELIVERED)
			continue;
		formula_deliveries_add(comparison->worms, &record->delivery);
		if (comparison->runs &&
		    formula_runs_add(comparison->runs, &record->delivery, err) != TR_OK)
			return TR_ERROR;
	}
	if (!comparison->runs || (status == TR_ERROR && !tool_keep_going(f->tool)))
		return TR_OK;
	return formula_runs_end(comparison->runs, err);
}

static void close_comparison(struct flitcalc_comparison *comparison)
{
	formula_deliveries_close(comparison->worms);
	formula_runs_close(comparison->runs);
	loaded_network_close(&comparison->loaded);
	free(comparison->weights);
}

static void flitcalc_compare(struct formulas *f)
{
	struct flitcalc_comparison comparison = {0};
	struct tr_error err = {""};
	struct table *tables[2];
	struct tr_reader *in;
	size_t count = 0;
	enum tr_status status = open_comparison(f, &comparison, &err);

	while (status == TR_OK && tool_ok(f->tool) && tool_next_input(f->tool, &in) == TR_OK)
		status = read_run(f, &comparison, in, &err);
	if (status == TR_ERROR)
		tool_error(f->tool, "%s", err.text);
	if (tool_ok(f->tool)) {
		if (comparison.runs)
			tables[count++] = formula_runs_table(comparison.runs);
		tables[count++] = formula_deliveries_table(comparison.worms);
		flitcalc_print(f, tables, count);
	}
	close_comparison(&comparison);
}

static void flitcalc_answer(struct formulas *f)
{
	if (f->print_fabric)
		fabric_input_print(f->tool, &f->fabric);
	else if (tool_operand_count(f->tool) > 0)
		flitcalc_compare(f);
	else if (f->fabric.kind->tables)
		print_own(f);
	else
		print_formulas(f);
}

int main(int argc, char **argv)
{
	struct formulas f = {.network = FORMULA_NETWORK,
			     .routing = FORMULA_ROUTES,
			     .matrix = "uniform",
			     .map = "ids",
			     .loads = {.mean_B = {100, 1}},
			     .request = {.senders = 1, .level_percent = 95}};
	const struct opt rows[] = {
		OPT_NETWORK('N', "net", &f.network),
		OPT_ROUTES(0, "routes", &f.routing),
		OPT_FABRIC(&f.hardware),
		OPT_PRINT_FABRIC(&f.print_fabric),
		OPT_LIST(0, "worm", "SIZE[,SIZE...]", &f.sizes,
			 "print the time of a worm of this size" OPT_DEFAULT(
				 "4B to 8KiB in powers of two")),
		OPT_NUMBER(0, "senders", &f.request.senders, UINT32_MAX,
			   "number of senders that each choose a random receiver"),
		OPT_LEVEL(&f.request.level_percent),
		OPT_GROUP("Loads of the network"),
		OPT_FILE_OR_WORD(0, "matrix", &f.matrix, matrix_words, OPT_MATRIX_HELP),
		OPT_MAP(&f.map, node_map_words),
		OPT_IGNORE_UNMAPPED(&f.ignore_unmapped),
		OPT_FLAG(0, "self", &f.loads.selves,
			 "uniform traffic: each host sends to itself, too"),
		OPT_DURATION(&f.loads.period_s),
		OPT_LIST(0, "load", "LOAD[,LOAD...]", &f.loads.loads, OPT_LOAD_HELP),
		OPT_SIZE(0, "mean-size", &f.loads.mean_B, "mean size of a packet, with its header"),
		OPT_LINK_LOADS(&f.loads.channels),
		OPT_SWITCHES(&f.loads.between),
		OPT_GROUP("Rings and tori (sci)"),
		OPT_LIST('n', "nodes", "N|FROM..TO[,...]", &f.own.nodes, "number of nodes"),
		{OPT_TYPE_LIST, 0, "components", "FILE",
		 "table of ping-pong latencies from which to derive the components",
		 &f.own.measured, NUM_PLAIN, NULL, OPT_PATH, 0},
		OPT_GROUP("Output"),
		TABLE_OPTIONS(&f.style),
		OPT_ONLY_WITH("self", "matrix=uniform"),
		OPT_NOT_WITH("duration", "matrix=uniform,matrix=deliveries"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitcalc", "[-N NETWORK] [option ...] [DELIVERIES ...]",
		"Compare the formulas of a kind of network with its simulation.", rows,
		fabric_input_hint};
	struct tr_error err;

	f.tool = tool_start(argc, argv, &spec);
	numeric_errors_give_nan();
	switch (flitcalc_settle(&f, &err)) {
	case TR_OK: flitcalc_answer(&f); break;
	case TR_ERROR: tool_error(f.tool, "%s", err.text); break;
	default: break;
	}
	net_routes_clear(&f.routes);
	net_topology_clear(&f.topology);
	fabric_close(&f.fabric);
	return tool_finish(f.tool, TOOL_OK);
}
