// SPDX-License-Identifier: GPL-3.0-or-later
// flitmodel: the formulas of a kind of network, compared with its simulation.
#include "flitmodel.h"

#include "input/network_input.h"
#include "net/routings/routing.h"
#include "stat/numeric_errors.h"
#include "trace/tool.h"

#define BASE_TICKS_PER_S UINT64_C(36000000000)

struct formulas {
	struct tool *tool;
	struct formula_request request;
	struct opt_list sizes;
	const char *network;
	struct opt_list hardware;
	bool print_fabric;
	struct fabric fabric;
	struct net_topology topology;
	struct net_routes routes;
	struct table_style style;
};

static enum tr_status settle(struct formulas *f, struct tr_error *err)
{
	struct formula_request *request = &f->request;

	if (!fabric_input_open(f->tool, &f->hardware, &f->fabric))
		return TR_END;
	if (formula_sizes_read(&f->sizes, request, err) != TR_OK)
		return TR_ERROR;
	if (tool_option_given(f->tool, "level") && tool_operand_count(f->tool) == 0)
		return tr_fail(err, "--level needs deliveries");
	if (request->senders < 1 || request->senders > UINT32_MAX)
		return tr_fail(err, "--senders: expected 1 or more");
	if (!topology_input_open(f->tool, f->network, &f->topology))
		return TR_END;
	if (net_routing_make(&f->routes, &f->topology, "shortest", err) != TR_OK)
		return TR_ERROR;
	request->setup.topology = &f->topology;
	request->setup.routes = &f->routes;
	request->setup.params = f->fabric.params;
	request->fabric = &f->fabric;
	return f->fabric.kind->clock(f->fabric.params, &f->topology, BASE_TICKS_PER_S, &request->setup.ticks_per_s, err);
}

static void print(struct formulas *f, struct table *table)
{
	struct tr_error err;

	if (tables_print(&table, 1, f->style, "flitmodel", tool_stdout(f->tool), &err) != TR_OK)
		tool_error(f->tool, "%s", err.text);
	table_free(table);
}

static void print_sizes(struct formulas *f)
{
	struct table *table = NULL;
	struct tr_error err;

	if (formula_sizes_table(&f->request, &table, &err) == TR_OK)
		print(f, table);
	else
		tool_error(f->tool, "%s", err.text);
}

static void compare(struct formulas *f)
{
	struct formula_deliveries *deliveries;
	struct tr_reader *in;
	struct tr_error err;

	if (formula_deliveries_open(&deliveries, &f->request, &err) != TR_OK) {
		tool_error(f->tool, "%s", err.text);
		return;
	}
	while (tool_ok(f->tool) && tool_next_input(f->tool, &in) == TR_OK)
		if (formula_deliveries_read(deliveries, in, &err) == TR_ERROR)
			tool_error(f->tool, "%s", err.text);
	if (tool_ok(f->tool))
		print(f, formula_deliveries_table(deliveries));
	formula_deliveries_close(deliveries);
}

int main(int argc, char **argv)
{
	struct formulas f = {.network = "switch:8", .request = {.senders = 1, .level_percent = 95}};
	const struct opt rows[] = {
		OPT_NETWORK('N', "net", &f.network),
		OPT_FABRIC(&f.hardware),
		OPT_PRINT_FABRIC(&f.print_fabric),
		OPT_LIST(0, "size", "SIZE[,SIZE...]", &f.sizes, "data of a worm (default: 4 B to 8 KiB in powers of two)"),
		OPT_COUNT(0, "senders", &f.request.senders, "number of senders that each choose a random receiver"),
		OPT_LEVEL(&f.request.level_percent, "confidence level, in percent"),
		TABLE_OPTIONS(&f.style),
		OPT_OLD("n", "-N NETWORK"),
		OPT_OLD("s", "--size SIZE"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitmodel", "[-N NETWORK] [option ...] [DELIVERIES ...]",
				       "Compare the formulas of a kind of network with its simulation.", rows,
				       fabric_input_hint};
	struct tr_error err;

	f.tool = tool_start(argc, argv, &spec);
	numeric_errors_give_nan();
	switch (fabric_input_list(f.tool, &f.hardware, f.style) ? TR_END : settle(&f, &err)) {
	case TR_OK:
		if (f.print_fabric)
			fabric_input_print(f.tool, &f.fabric);
		else if (tool_operand_count(f.tool) > 0)
			compare(&f);
		else
			print_sizes(&f);
		break;
	case TR_ERROR: tool_error(f.tool, "%s", err.text); break;
	default: break;
	}
	net_routes_clear(&f.routes);
	net_topology_clear(&f.topology);
	fabric_close(&f.fabric);
	return tool_finish(f.tool, TOOL_OK);
}
