// SPDX-License-Identifier: GPL-3.0-or-later
// How a program gets a network: its topology, the routes over it, and its kind with keys.
#ifndef REPLAY_INPUT_NETWORK_INPUT_H
#define REPLAY_INPUT_NETWORK_INPUT_H

#include "net/fabric.h"
#include "net/routes/routes.h"
#include "net/topology/topology.h"
#include "table/opt.h"
#include "table/table.h"
#include "tool/tool.h"

// The network of a program: a generator's name with its arguments, or a file.

// The row of an option whose value topology_input_open reads.
#define OPT_NETWORK(letter, name, value) \
	{ \
		OPT_TYPE_STRING, letter, name, "NETWORK", OPT_NETWORK_HELP, \
			(const char **){value}, NUM_PLAIN, NULL, OPT_PATH | OPT_WORD | OPT_OPEN, \
			0, topology_input_list \
	}

// Prints the generators.
enum tr_status topology_input_list(struct table_style style, FILE *out, struct tr_error *err);

// Makes the topology if the word before the colon in text is a generator's name; otherwise reads
// the file text ("-": standard input), which is added to the provenance. The caller clears it.
// Returns false after reporting an error; the topology is empty then.
bool topology_input_open(struct tool *tool, const char *text, struct net_topology *topology);

// The same for programs that know no hosts with several ports, which it refuses.
bool topology_input_open_single(struct tool *tool, const char *text, struct net_topology *topology);

// The routes of a program: a rule with its choices, or a file.

// The row of an option whose value routes_input_open reads.
#define OPT_ROUTES(letter, name, value) \
	{ \
		OPT_TYPE_STRING, letter, name, "ROUTES", "routes: a rule (list), or a file", \
			(const char **){value}, NUM_PLAIN, NULL, OPT_PATH | OPT_WORD | OPT_OPEN, \
			0, routes_input_list \
	}

// Prints the rules.
enum tr_status routes_input_list(struct table_style style, FILE *out, struct tr_error *err);

// Writes the names of the rules with blanks between them, for messages. Returns out.
const char *routes_input_rules(char *out, size_t out_bytes);

// Routes the network if the word before the colon in text is a rule; otherwise reads the file text
// ("-": standard input), which is added to the provenance. The caller clears *routes. Returns false
// after reporting an error; the routes are empty then.
bool routes_input_open(struct tool *tool, const char *text, const struct net_topology *topology,
		       struct net_routes *routes);

// The kind of network of a program: its name with its keys, or a file of these.

// The row of an option whose value fabric_input_open reads.
#define OPT_FABRIC(value) \
	{ \
		OPT_TYPE_LIST, 0, "fabric", "KIND[:KEYS]", OPT_FABRIC_HELP, \
			(struct opt_list *)(value), NUM_PLAIN, NULL, \
			OPT_PATH | OPT_WORD | OPT_SILENT | OPT_OPEN, 0, fabric_input_list \
	}

// Prints the list of kinds, keys and presets.
enum tr_status fabric_input_list(struct table_style style, FILE *out, struct tr_error *err);

// Opens the fabric from the words, in order: each begins with a kind's name, or is a file with such
// a text ("-": standard input), which is added to the provenance, as is the fabric's own text. No
// words: the first kind. The caller closes the fabric. Returns false after reporting an error.
bool fabric_input_open(struct tool *tool, const struct opt_list *words, struct fabric *fabric);

// The row of an option for fabric_input_print.
#define OPT_PRINT_FABRIC(value) \
	OPT_SILENT_FLAG(0, "print-fabric", value, \
			"print the values of all keys, as a file for --fabric")

// Prints the fabric as a file that --fabric reads.
void fabric_input_print(struct tool *tool, const struct fabric *fabric);

// For tool_spec.hint: the key of --fabric that has the name of an unknown option.
const char *fabric_input_hint(const char *name, char *out, size_t out_bytes);

#endif
