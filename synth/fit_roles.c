// SPDX-License-Identifier: GPL-3.0-or-later
// Who is the controller: as the trace names it, or as it is found by who scatters and gathers.
#include <stdlib.h>

#include "flitfit.h"

bool fit_roles_told(const struct tr_names *names)
{
	for (uint32_t i = 0; i < names->node_count; i++)
		if (tr_names_role(names, i) != TR_ROLE_UNKNOWN)
			return true;
	return false;
}

enum tr_status fit_note_role(struct role_finder *finder, const struct tr_packet *packet, const struct tr_names *names,
			     struct tr_error *err)
{
	if (packet->class == TR_CLASS_OVERHEAD)
		return TR_OK;
	if (role_reserve(finder, names->node_count, err) != TR_OK)
		return TR_ERROR;
	role_add(finder, packet->time_ticks, packet->src, packet->dst, packet->payload_bytes);
	return TR_OK;
}

// Where no node has a role: the node that scatters and gathers, if there is one, becomes the
// controller.
static void guess_roles(struct tool *tool, const struct role_finder *finder, const struct tr_names *names, enum tr_role *roles)
{
	struct role_finding finding = role_find(finder);

	if (finding.basis == ROLE_NOT_FOUND || finding.node >= names->node_count) {
		tool_warn(tool, "no node has a role, and none scatters and gathers: all are taken "
				"for workers");
		return;
	}
	roles[finding.node] = TR_ROLE_CONTROLLER;
	tool_warn(tool,
		  "no node has a role: %s is taken for the controller, by %s (a node among "
		  "equals would look so with probability %.2g)",
		  tr_names_node(names, finding.node),
		  finding.basis == ROLE_BY_SHARE ? "its share of the bytes" : "the order of giving and taking", finding.chance);
}

void fit_warn_lone(struct tool *tool)
{
	tool_warn(tool, "one node alone sends: the model has it for its controller, and a second node that is silent");
}

enum tr_role *fit_roles(struct tool *tool, const struct role_finder *finder, const struct tr_names *names, uint64_t packets)
{
	enum tr_role *roles = calloc((size_t)names->node_count + 1, sizeof(*roles));
	unsigned controllers = 0, known = 0;

	for (uint32_t i = 0; roles && i < names->node_count; i++) {
		roles[i] = tr_names_role(names, i);
		known += roles[i] != TR_ROLE_UNKNOWN;
		controllers += roles[i] == TR_ROLE_CONTROLLER;
	}
	if (!roles)
		tool_no_memory(tool, "the roles of %u nodes", names->node_count);
	else if (known == 0 && packets > 0)
		guess_roles(tool, finder, names, roles);
	else if (controllers > 1)
		tool_warn(tool,
			  "%u controllers: generated traffic will have one, as they are on "
			  "average",
			  controllers);
	return roles;
}
