// SPDX-License-Identifier: GPL-3.0-or-later
// The network that is planned: one that is given, or a block design for a budget of switches and
// ports.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flitplan.h"
#include "input/network_input.h"
#include "net/studies/designs/design.h"
#include "net/routings/routing.h"

#define RESTARTS 30u

static enum tr_status parse_budget(const char *text, uint64_t *switches, uint64_t *ports,
				   struct tr_error *err)
{
	char *words = strdup(text), *rest = words;
	const char *first;
	enum tr_status status = TR_OK;

	if (!words)
		return tr_no_memory(err, "a budget");
	first = strsep(&rest, ",");
	if (!rest)
		status = tr_fail(err, "--budget %s: expected SWITCHES,PORTS, as 6,16", text);
	else if (num_parse_count(first, 2, PLAN_SWITCHES_MAX, switches, err) != TR_OK ||
		 num_parse_count(rest, 1, NET_PORTS_MAX - 1, ports, err) != TR_OK)
		status = tr_fail_in(err, "--budget %s", text);
	free(words);
	return status;
}

// As many objects in a block as the ports allow; no more than it takes for all differences, nor
// than there are switches.
static enum tr_status design(uint32_t switches, uint32_t objects, struct net_base *base,
			     struct tr_error *err)
{
	const struct net_base_search search = {.restarts = RESTARTS, .seed = 1};

	if (objects > switches)
		objects = switches;
	for (uint32_t r = 2; r <= objects; r++) {
		*base = (struct net_base){.switches = switches, .parts = 1, .lengths = {r}};
		if (net_base_find(base, &search, err) != TR_OK)
			return TR_ERROR;
	}
	net_base_arrange(base);
	return TR_OK;
}

static enum tr_status name_hosts(struct net_topology *topology, const struct plan_names *names,
				 struct tr_error *err)
{
	struct tr_error why;

	if (!names->names)
		return TR_OK;
	topology->names = calloc((size_t)topology->hosts + topology->switches + 1,
				 sizeof(*topology->names));
	for (uint32_t i = 0; topology->names && i < names->count; i++) {
		bool is_host;
		uint32_t number;

		if (net_name_is_usual(names->names[i], &is_host, &number) && is_host && number == i)
			continue;
		if (net_name_check(names->names[i], &why) != TR_OK)
			return tr_fail(err, "%s", why.text);
		if (!(topology->names[i] = strdup(names->names[i])))
			return tr_no_memory(err, "names");
	}
	return topology->names ? TR_OK : tr_no_memory(err, "names");
}

static enum tr_status spend(const char *budget, const struct plan_names *names,
			    struct plan_network *network, struct tr_error *err)
{
	uint64_t switches, ports;
	uint32_t degree, objects;
	struct net_base base;
	char text[NET_BASE_TEXT_BYTES];

	if (parse_budget(budget, &switches, &ports, err) != TR_OK)
		return TR_ERROR;
	if (net_base_budget(switches, ports, names->count, &degree, &objects, err) != TR_OK)
		return tr_fail_in(err, "--budget %s", budget);
	network->is_design = true;
	if (design((uint32_t)switches, objects, &base, err) != TR_OK ||
	    net_blocks_develop(&network->blocks, &base, err) != TR_OK ||
	    net_blocks_lay(&network->blocks, names->count, (uint32_t)ports, &network->topology,
			   err) != TR_OK)
		return TR_ERROR;
	if (asprintf(&network->what,
		     "bbd:%u,base=%s,hosts=%g,ports=%u: k = %u, r = %u; %u of %u differences",
		     base.switches, net_base_format(&base, text, sizeof(text)),
		     (double)names->count / base.switches, (unsigned)ports, degree, objects,
		     net_base_differences(&base), base.switches - 1) < 0) {
		network->what = NULL;
		return tr_no_memory(err, "the budget");
	}
	return name_hosts(&network->topology, names, err);
}

static bool is_file_of(const char *path, const char *magic)
{
	struct tr_source *source;
	struct tr_error err;
	bool is;

	if (!path || net_routing_is_rule(path) || strcmp(path, "-") == 0 ||
	    tr_source_open(&source, path, &err) != TR_OK)
		return false;
	is = tr_source_begins(source, magic, strlen(magic));
	tr_source_close(source);
	return is;
}

// Blocks that the routes name: a file, or the rule's base block.
static bool open_blocks(struct tool *tool, const char *routes, struct plan_network *network)
{
	static const char rule[] = "blocks:base=";
	struct tr_error err = {""};
	struct net_base base;
	struct tr_source *source;
	enum tr_status status = TR_OK;
	char names[200];

	if (routes && strncmp(routes, rule, sizeof(rule) - 1) == 0) {
		network->is_design = true;
		status = net_base_parse(&base, network->topology.switches,
					routes + sizeof(rule) - 1, &err);
		if (status == TR_OK)
			status = net_blocks_develop(&network->blocks, &base, &err);
	} else if (is_file_of(routes, NET_BLOCKS_MAGIC)) {
		network->is_design = true;
		source = tool_open_source(tool, routes);
		if (!source)
			return false;
		status = net_blocks_read(&network->blocks, source, &err);
		tr_source_close(source);
	} else if (is_file_of(routes, "flitline-routes ")) {
		status = tr_fail(&err,
				 "routes \"%s\": finished routes, which would not fit other "
				 "cables; expected a rule (%s) "
				 "or a file of blocks (flitnet --design)",
				 routes, routes_input_rules(names, sizeof(names)));
	} else if (routes && !net_routing_is_rule(routes)) {
		status = tr_fail(&err,
				 "routes \"%s\": neither a rule (%s) nor a file of blocks (flitnet "
				 "--design)",
				 routes, routes_input_rules(names, sizeof(names)));
	}
	if (status == TR_OK && network->is_design &&
	    network->blocks.switches != network->topology.switches)
		status = tr_fail(&err, "%s: blocks of %u switches; the network has %u", routes,
				 network->blocks.switches, network->topology.switches);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	return status == TR_OK;
}

// A generator's design keeps its blocks.
static bool open_given(struct tool *tool, const struct plan_network_request *request,
		       struct plan_network *network)
{
	struct net_design made = {0};
	struct tr_error err = {""};
	enum tr_status status;

	if (!topology_input_open_single(tool, request->network, &network->topology))
		return false;
	if (net_topology_check(&network->topology, &err) != TR_OK) {
		tool_error(tool, "%s: %s", request->network, err.text);
		return false;
	}
	if (request->routes || !net_design_is(request->network))
		return open_blocks(tool, request->routes, network);
	status = net_design_open(&made, request->network, &err);
	if (status == TR_OK) {
		network->blocks = made.blocks;
		network->is_design = true;
		made.blocks = (struct net_blocks){0};
	} else {
		tool_error(tool, "%s", err.text);
	}
	net_design_close(&made);
	return status == TR_OK;
}

bool plan_network_open(struct tool *tool, const struct plan_network_request *request,
		       const struct plan_text *text, struct plan_network *network)
{
	struct plan_names names = {NULL, 0};
	struct tr_error err = {""};
	enum tr_status status;

	*network = (struct plan_network){.what = NULL};
	if (!request->budget)
		return open_given(tool, request, network);
	status = plan_names_find(text, &names, &err);
	if (status == TR_OK)
		status = spend(request->budget, &names, network, &err);
	plan_names_close(&names);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	return status == TR_OK && (!request->routes || open_blocks(tool, request->routes, network));
}

void plan_network_close(struct plan_network *network)
{
	net_topology_clear(&network->topology);
	net_blocks_close(&network->blocks);
	free(network->what);
	*network = (struct plan_network){.what = NULL};
}

const char *plan_network_rule(const struct plan_network_request *request,
			      const struct plan_network *network)
{
	if (request->routes && strncmp(request->routes, "blocks:", 7) != 0 &&
	    net_routing_is_rule(request->routes))
		return request->routes;
	return network->is_design ? NULL : "updown";
}
