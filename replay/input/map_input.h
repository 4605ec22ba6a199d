// SPDX-License-Identifier: GPL-3.0-or-later
// The map from nodes to hosts of a run whose traffic may be known beforehand: as node_map_open,
// "least", and "round-robin", which deals the hosts, in order, to the jobs in turn.
#ifndef REPLAY_MAP_INPUT_H
#define REPLAY_MAP_INPUT_H

#include "input/node_map.h"
#include "input/placement.h"
#include "net/routes/routes.h"
#include "table/table.h"
#include "tool/tool.h"

struct map_request {
	const char *text;
	const char *network; // as the user named it
	const struct net_topology *topology;
	const struct net_routes *routes; // NULL: worms do not go over links by routes
	enum tr_status (*ways)(struct net_routes *routes, const void *params,
			       const struct net_topology *topology,
			       struct tr_error *err); // instead, as that of net_fabric; NULL: none
	const void *params;			      // of the kind
	const struct place_pattern *pattern;	      // of the traffic; NULL: unknown
	const uint32_t *job_first; // the first node of each of the jobs, and the end of the last;
				   // NULL: there are none
	uint32_t jobs;
	bool ignore_unmapped; // of a matrix
};

// What "least" found.
struct map_result {
	const char *how; // static; NULL: the map is another
	struct place_cost cost;
	double bound; // of cost.load; 0: none known
};

// The words that are such maps, for options.
extern const struct opt_choice map_input_words[];

// Opens the map, which is closed in any case; its file is added to the provenance. Returns false
// after reporting an error.
bool map_input_open(struct tool *tool, const struct map_request *request, struct node_map *map,
		    struct map_result *result);

// The caller frees it.
struct table *map_result_table(const struct map_result *result);

#endif
