// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic_roles.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

// The node whose name is the first length bytes of word.
static uint32_t node_named(const struct tr_names *names, const char *word, size_t length)
{
	for (uint32_t node = 0; node < names->node_count; node++) {
		const char *name = tr_names_node(names, node);

		if (strlen(name) == length && memcmp(name, word, length) == 0)
			return node;
	}
	return NOBODY;
}

static bool role_named(const char *word, enum tr_role *role)
{
	for (int i = TR_ROLE_UNKNOWN; i <= TR_ROLE_WORKER; i++) {
		*role = (enum tr_role)i;
		if (strcmp(word, tr_role_name(*role)) == 0)
			return true;
	}
	return false;
}

static bool put_given(struct tool *tool, const struct opt_list *given, struct traffic_view *view)
{
	for (size_t i = 0; i < given->count; i++) {
		const char *word = given->words[i], *equals = strrchr(word, '=');
		const uint32_t node = equals ? node_named(view->names, word, (size_t)(equals - word)) : NOBODY;
		enum tr_role role;

		if (node == NOBODY || !role_named(equals + 1, &role)) {
			tool_error(tool,
				   "--role %s: expected NODE=controller, worker or unknown, "
				   "of a node in the trace",
				   word);
			return false;
		}
		if (node < view->traffic->node_count)
			view->roles[node] = (uint8_t)role;
	}
	return true;
}

// Every node that exchanges data with a controller that was found is a worker.
static void put_found(struct traffic_view *view)
{
	const struct role_finder *finder = &view->traffic->roles;

	if (view->finding.basis == ROLE_NOT_FOUND)
		return;
	for (size_t i = 0; i < finder->node_count; i++)
		if (finder->nodes[i].whole.sent_bytes + finder->nodes[i].whole.received_bytes > 0)
			view->roles[i] = TR_ROLE_WORKER;
	view->roles[view->finding.node] = TR_ROLE_CONTROLLER;
}

bool traffic_roles(struct tool *tool, const struct opt_list *given, struct traffic_view *view)
{
	const size_t count = view->traffic->node_count;
	bool named = given->count > 0;

	view->finding = role_find(&view->traffic->roles);
	view->roles = calloc(count + 1, sizeof(*view->roles));
	if (!view->roles) {
		tool_no_memory(tool, "the roles of %zu nodes", count);
		return false;
	}
	for (uint32_t i = 0; i < view->names->node_count && i < count; i++) {
		view->roles[i] = (uint8_t)tr_names_role(view->names, i);
		named |= view->roles[i] != TR_ROLE_UNKNOWN;
	}
	if (!named)
		put_found(view);
	return put_given(tool, given, view);
}
