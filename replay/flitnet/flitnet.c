// SPDX-License-Identifier: GPL-3.0-or-later
// flitnet: makes, reads, measures and draws networks.
#include <stdio.h>
#include <string.h>

#include "draw/picture.h"
#include "flitnet.h"
#include "input/network_input.h"
#include "net/topologies/all_networks.h"
#include "net/topology/topology_text.h"
#include "stream/provenance.h"

enum { FORMAT_DOT = TABLE_WORDS + 1, FORMAT_SVG };

static const struct opt_choice format_words[] = {
	TABLE_FORMAT_WORDS,
	{"dot", FORMAT_DOT, "the network for Graphviz"},
	{"svg", FORMAT_SVG, "a drawing of the network"},
	{NULL, 0},
};

struct flitnet_request {
	const char *output;
	const char *links;
	bool blocks;
	struct network_tables_wanted wanted;
	struct table_style style;
};

// Makes or reads a network and checks it. Returns false after reporting an error.
static bool flitnet_open_network(struct tool *tool, const char *text, struct net_topology *topology)
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

static const char *flitnet_operand(const struct tool *tool, size_t index)
{
	return tool_operand_count(tool) > 0 ? tool_operand(tool, index) : "-";
}

static size_t operand_count(const struct tool *tool)
{
	return tool_operand_count(tool) > 0 ? tool_operand_count(tool) : 1;
}

static void flitnet_show_progress(void *context, uint32_t searched, uint32_t switches)
{
	tool_progress_part(context, (double)searched / switches, "distances from switch %u of %u",
			   searched, switches);
}

// The measures at work.
struct measuring {
	struct tool *tool;
	struct network_tables tables;
	struct net_facts_watch watch;
	bool all_whole; // all hosts of each reach each other
};

static void flitnet_add_network(struct measuring *measuring, const char *text, const char *name,
				struct net_topology *topology)
{
	struct tr_error err;
	bool whole = true;

	if (network_tables_add(&measuring->tables, name, topology, &measuring->watch, &whole,
			       &err) != TR_OK)
		tool_error(measuring->tool, "%s: %s", text, err.text);
	measuring->all_whole = measuring->all_whole && whole;
	net_topology_clear(topology);
}

// All networks that a generator lists, "all:6,12". Returns false after reporting an error.
static bool add_list(struct measuring *measuring, const char *text)
{
	struct tr_error err;
	struct net_all *all = net_all_open(text, &err);
	enum tr_status status = all ? TR_OK : TR_ERROR;
	struct net_topology topology;

	for (unsigned i = 0; status == TR_OK; i++) {
		char name[300];

		status = net_all_next(all, &topology, &err);
		snprintf(name, sizeof(name), "%.250s,index=%u", text, i);
		if (status == TR_OK && i > NET_ALL_LISTED_MAX)
			status = tr_fail(&err, "%s: more than %u networks", text,
					 NET_ALL_LISTED_MAX);
		if (status == TR_OK)
			flitnet_add_network(measuring, text, name, &topology);
		else
			net_topology_clear(&topology);
	}
	net_all_close(all);
	if (status == TR_ERROR)
		tool_error(measuring->tool, "%s", err.text);
	return status == TR_END;
}

// One network, or all that its name lists. Returns false after reporting an error.
static bool add_operand(struct measuring *measuring, const char *text)
{
	struct net_topology topology;

	if (net_all_is_list(text))
		return add_list(measuring, text);
	if (!flitnet_open_network(measuring->tool, text, &topology))
		return false;
	flitnet_add_network(measuring, text, tr_provenance_base(text), &topology);
	return true;
}

// The measures of all networks; whether all hosts of each reach each other.
static bool flitnet_measure(struct tool *tool, const struct flitnet_request *request)
{
	struct measuring measuring = {
		.tool = tool, .watch = {flitnet_show_progress, tool}, .all_whole = true};
	struct tr_error err;

	network_tables_open(&measuring.tables, request->wanted);
	for (size_t i = 0; i < operand_count(tool); i++)
		if (!add_operand(&measuring, flitnet_operand(tool, i)) && !tool_keep_going(tool))
			break;
	if ((tool_ok(tool) || tool_keep_going(tool)) &&
	    network_tables_print(&measuring.tables, request->style, tool_stdout(tool), &err) !=
		    TR_OK)
		tool_error(tool, "%s", err.text);
	network_tables_close(&measuring.tables);
	return measuring.all_whole;
}

static void flitnet_write_network(struct tool *tool, const struct flitnet_request *request,
				  const char *text, const struct net_topology *topology)
{
	const char *title = tr_provenance_base(text);
	const struct network_drawing drawing = {.title = title, .links = request->links};
	struct tr_error err = {""};
	FILE *out;

	if (request->style.format == FORMAT_SVG) {
		network_drawing_write(tool, topology, &drawing, request->output);
		return;
	}
	out = tool_printable_output(tool, request->output);
	if (out && request->style.format == FORMAT_DOT)
		draw_dot(topology, title, tool_provenance(tool), out);
	else if (out && net_topology_write(topology, tool_provenance(tool), out, &err) != TR_OK)
		tool_error(tool, "%s: %s", text, err.text);
}

// Writes the one requested network.
static void flitnet_write_one(struct tool *tool, const struct flitnet_request *request)
{
	struct net_topology topology;

	if (operand_count(tool) > 1)
		tool_error(tool,
			   "-o, --format dot, --format svg and --design accept only one network");
	else if (request->blocks)
		design_blocks_write(tool, flitnet_operand(tool, 0), request->output);
	else if (flitnet_open_network(tool, flitnet_operand(tool, 0), &topology)) {
		flitnet_write_network(tool, request, flitnet_operand(tool, 0), &topology);
		net_topology_clear(&topology);
	}
}

int main(int argc, char **argv)
{
	struct flitnet_request request = {.output = NULL};
	const struct opt opts[] = {
		OPT_ALSO_OUTPUT(&request.output),
		OPT_FILE(0, "shade", &request.links,
			 "colour the drawing by link samples of flitsim --links"),
		OPT_SWITCHES(&request.wanted.switches),
		OPT_SILENT_FLAG(0, "bisection", &request.wanted.bisect,
				"add the sizes of bisections"),
		OPT_SILENT_FLAG(0, "design", &request.blocks, "write the blocks of a block design"),
		TABLE_OPTIONS_WITH(&request.style, format_words),
		OPT_ONLY_WITH("shade", "format=svg"),
		OPT_NOT_WITH("format", "design"),
		OPT_NOT_WITH("switches,bisection,json,table",
			     "output,format=dot,format=svg,design"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitnet",
				       "[--switches] [--bisection] [NETWORK ...] | [-o FILE] "
				       "[--format dot|svg] [--shade FILE] [--design] [NETWORK]",
				       "Generates, reads, measures and draws networks.", opts,
				       .operands = topology_input_list};
	struct tool *tool = tool_start(argc, argv, &spec);
	enum tool_status status = TOOL_OK;
	const int format = request.style.format;

	if (request.output && format > TABLE_TEXT && format < TABLE_WORDS)
		tool_error(tool, "--output writes the network as text, dot or svg, and no table");
	else if (request.output || format > TABLE_WORDS || request.blocks)
		flitnet_write_one(tool, &request);
	else if (!flitnet_measure(tool, &request))
		status = TOOL_NO;
	return tool_finish(tool, status);
}
