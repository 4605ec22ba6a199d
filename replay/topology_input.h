// SPDX-License-Identifier: GPL-3.0-or-later
// The network that a program is given: a generator's name with its arguments, or a file.
#ifndef REPLAY_TOPOLOGY_INPUT_H
#define REPLAY_TOPOLOGY_INPUT_H

#include "net/topology.h"
#include "trace/opt.h"
#include "trace/tool.h"

// The row of an option whose value topology_input_open takes.
#define OPT_NETWORK(letter, name, value) \
	{ \
		OPT_TYPE_STRING, letter, name, "NETWORK", "generator (flitnet --list) or file", (const char **){value}, \
			NUM_PLAIN, NULL, OPT_PATH | OPT_WORD, 0 \
	}

// Makes the topology that text names where the word before its colon is a generator's name; else reads the file
// text ("-": standard input), which is added to the provenance. The caller clears it. False, with an empty
// one, where that fails, which is printed and remembered.
bool topology_input_open(struct tool *tool, const char *text, struct net_topology *topology);

#endif
