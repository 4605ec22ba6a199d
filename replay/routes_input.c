// SPDX-License-Identifier: GPL-3.0-or-later
#include "routes_input.h"

#include <string.h>
#include <unistd.h>

#include "net/routes_forms.h"
#include "net/routings/advice.h"

static bool read_file(struct tool *tool, const char *path, const struct net_topology *topology, struct net_routes *routes)
{
	struct tr_source *source = tool_open_source(tool, path);
	struct tr_error err;
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (!source)
		return false;
	status = net_routes_read(routes, topology, source, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	tr_source_close(source);
	return status == TR_OK;
}

static void advise(struct tool *tool, const char *text, const struct net_topology *topology, const struct net_routes *routes)
{
	struct net_tie_advice advice;

	if (net_tie_advice_find(&advice, topology, text, routes))
		tool_warn(tool,
			  "routes %s fill a link at about %.2g of the hosts' rate under uniform traffic, with tie=%s they "
			  "carry %.*f times as much; flit-routes(5) has the choices",
			  text, advice.own, net_tie_name(advice.best_tie), advice.best < 10 * advice.own ? 1 : 0,
			  advice.best / advice.own);
}

bool routes_input_open(struct tool *tool, const char *text, const struct net_topology *topology, struct net_routes *routes)
{
	struct tr_error err;

	*routes = (struct net_routes){0};
	if (!net_routing_is_rule(text) && strcmp(text, "-") != 0 && access(text, F_OK) != 0) {
		tool_error(tool, "routes \"%s\": neither a rule (flitroute --list) nor a file", text);
		return false;
	}
	if (!net_routing_is_rule(text))
		return read_file(tool, text, topology, routes);
	if (net_routing_make(routes, topology, text, &err) == TR_OK) {
		advise(tool, text, topology, routes);
		return true;
	}
	tool_error(tool, "%s", err.text);
	return false;
}
