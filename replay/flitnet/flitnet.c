// SPDX-License-Identifier: GPL-3.0-or-later
// flitnet: makes, reads, measures and draws networks.
#include <string.h>

#include "draw/picture.h"
#include "flitnet.h"
#include "input/network_input.h"
#include "net/topology_text.h"
#include "trace/provenance.h"

struct request {
	const char *output;
	const char *links;
	bool list;
	bool dot;
	bool svg;
	bool bisect;
	struct table_style style;
};

// Makes or reads a network and checks it. Returns false after reporting an error.
static bool open_network(struct tool *tool, const char *text, struct net_topology *topology)
{
	struct tr_error err;

	if (!topology_input_open(tool, text, topology))
		return false;
	if (net_topology_check(topology, &err) == TR_OK)
		return true;
	tool_error(tool, "%s: %s", text, err.text);
	net_topology_clear(topology);
	return false;
}

static const char *operand(const struct tool *tool, size_t index)
{
	return tool_operand_count(tool) > 0 ? tool_operand(tool, index) : "-";
}

static size_t operand_count(const struct tool *tool)
{
	return tool_operand_count(tool) > 0 ? tool_operand_count(tool) : 1;
}

static void show_progress(void *context, uint32_t searched, uint32_t switches)
{
	tool_progress(context, "distances from switch %u of %u", searched, switches);
}

// Measures all networks; returns whether all hosts of each reach each other.
static bool measure(struct tool *tool, const struct request *request)
{
	const struct net_facts_watch watch = {show_progress, tool};
	struct network_tables tables;
	struct net_topology topology;
	struct tr_error err;
	bool all_whole = true;

	network_tables_open(&tables, request->bisect);
	for (size_t i = 0; i < operand_count(tool); i++) {
		const char *text = operand(tool, i);
		bool whole = true;

		if (!open_network(tool, text, &topology)) {
			if (tool_keep_going(tool))
				continue;
			break;
		}
		if (network_tables_add(&tables, tr_provenance_base(text), &topology, &watch, &whole, &err) != TR_OK)
			tool_error(tool, "%s: %s", text, err.text);
		all_whole = all_whole && whole;
		net_topology_clear(&topology);
	}
	if ((tool_ok(tool) || tool_keep_going(tool)) &&
	    network_tables_print(&tables, request->style, tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	network_tables_close(&tables);
	return all_whole;
}

static void write_network(struct tool *tool, const struct request *request, const char *text,
			  const struct net_topology *topology)
{
	const char *title = tr_provenance_base(text);
	const struct network_drawing drawing = {.title = title, .links = request->links};
	struct tr_error err = {""};
	FILE *out;

	if (request->svg) {
		network_drawing_write(tool, topology, &drawing, request->output);
		return;
	}
	out = tool_printable_output(tool, request->output);
	if (out && request->dot)
		draw_dot(topology, title, tool_provenance(tool), out);
	else if (out && net_topology_write(topology, tool_provenance(tool), out, &err) != TR_OK)
		tool_error(tool, "%s: %s", text, err.text);
}

// Writes the one requested network.
static void write_one(struct tool *tool, const struct request *request)
{
	struct net_topology topology;

	if (operand_count(tool) > 1)
		tool_error(tool, "-o, --dot and --svg accept only one network");
	else if (open_network(tool, operand(tool, 0), &topology)) {
		write_network(tool, request, operand(tool, 0), &topology);
		net_topology_clear(&topology);
	}
}

int main(int argc, char **argv)
{
	struct request request = {.output = NULL};
	const struct opt opts[] = {
		OPT_SILENT_FILE('o', "output", &request.output, "write the network as text"),
		OPT_FLAG(0, "dot", &request.dot, "write the network for Graphviz"),
		OPT_FLAG(0, "svg", &request.svg, "write a drawing of the network"),
		OPT_FILE(0, "links", &request.links, "colour the drawing by link samples of flitsim --links"),
		OPT_FLAG('l', "list", &request.list, "list the generators"),
		OPT_SILENT_FLAG(0, "bisection", &request.bisect, "add the size of a bisection"),
		TABLE_OPTIONS(&request.style),
		OPT_ONLY_WITH("links", "svg"),
		OPT_NOT_WITH("dot", "svg"),
		OPT_NOT_WITH("bisection,json,format", "output,dot,svg"),
		OPT_NOT_WITH("output,dot,svg,links,bisection", "list"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitnet", "[--bisection] [NETWORK ...] | [-o FILE] [--dot | --svg [--links FILE]] [NETWORK] | --list",
		"Generates, reads, measures and draws networks.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	enum tool_status status = TOOL_OK;
	struct tr_error err;

	if (request.list && tool_operand_count(tool) > 0)
		tool_error(tool, "--list takes no network");
	else if (request.list && network_list_print(request.style, stdout, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (request.list)
		status = TOOL_OK;
	else if (request.output || request.dot || request.svg || request.links)
		write_one(tool, &request);
	else if (!measure(tool, &request))
		status = TOOL_NO;
	return tool_finish(tool, status);
}
