// SPDX-License-Identifier: GPL-3.0-or-later
// What flitnet prints of networks: a row for each, and the lengths of its routes.
#ifndef REPLAY_NETWORK_TABLES_H
#define REPLAY_NETWORK_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "net/topology.h"
#include "net/topology_facts.h"
#include "trace/table.h"

// The tables under work; the caller closes them.
struct network_tables {
	struct table *networks;
	struct table *routes;
	bool bisect;
};

// Empty tables, with a column for the bisection if it is wanted.
void network_tables_open(struct network_tables *tables, bool bisect);

// Adds a network; watch sees how far its count is. *whole is whether all its hosts reach each other. TR_ERROR where it cannot be measured.
enum tr_status network_tables_add(struct network_tables *tables, const char *name, const struct net_topology *topology,
				  const struct net_facts_watch *watch, bool *whole, struct tr_error *err);

enum tr_status network_tables_print(struct network_tables *tables, struct table_style style, FILE *out, struct tr_error *err);

void network_tables_close(struct network_tables *tables);

#endif
