// SPDX-License-Identifier: GPL-3.0-or-later
// The routes that a program is given: a rule with its choices, or a file.
#ifndef REPLAY_ROUTES_INPUT_H
#define REPLAY_ROUTES_INPUT_H

#include "net/routes.h"
#include "net/topology.h"
#include "trace/opt.h"
#include "trace/tool.h"

// The row of an option whose value routes_input_open takes.
#define OPT_ROUTES(letter, name, value) \
	{ \
		OPT_TYPE_STRING, letter, name, "ROUTES", "rule (flitroute --list) or file", (const char **){value}, NUM_PLAIN, \
			NULL, OPT_PATH | OPT_WORD, 0 \
	}

// Routes the network by the rule that text names, where the word before its colon is one; else reads the
// file text ("-": standard input), which is added to the provenance. The caller clears *routes. False, with
// empty routes, where that fails, which is printed and remembered.
bool routes_input_open(struct tool *tool, const char *text, const struct net_topology *topology, struct net_routes *routes);

#endif
