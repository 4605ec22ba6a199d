// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of trails and shortcuts.
#include <stdlib.h>

#include "net/routings/routing.h"
#include "net/studies/trails/trail_plan.h"
#include "table/table_rows.h"

static const char *name_types(uint8_t types, char out[4])
{
	static const struct {
		uint8_t type;
		char letter;
	} letters[] = {{NET_FREE, 'f'}, {NET_DESTINATION, 'd'}, {NET_SOURCE, 's'}};
	uint32_t count = 0;

	for (uint32_t i = 0; i < 3; i++)
		if (types & letters[i].type)
			out[count++] = letters[i].letter;
	out[count] = '\0';
	return count > 0 ? out : NULL;
}

// Lent from out.
static const char *trail_tables_switch(const struct net_topology *topology, uint32_t at,
				       char out[NET_LINK_NAME_MAX])
{
	return net_topology_name(topology, at + topology->hosts, out, NET_LINK_NAME_MAX);
}

// The port by which a link leaves its switch.
static uint32_t trail_tables_port_of(const struct net_topology *topology, uint32_t link)
{
	return topology->cables[link / 2].ends[link % 2].port;
}

TABLE_ROW(trail_step, (count, position), (text, at, 0, "switch"), (count, port), (text, to));
TABLE_ROW(trail_shortcut, (count, trail), (count, from_position), (count, to_position),
	  (text, at, 0, "switch"), (count, port), (text, to), (text, types), (text, removed));

static struct table *table_trail(const struct net_trail_plan *plan,
				 const struct net_topology *topology)
{
	struct table *table = table_of("trail", "trail", trail_step_fields);
	char at[NET_LINK_NAME_MAX], to[NET_LINK_NAME_MAX];

	for (uint32_t i = 0; i < plan->trail.steps; i++)
		TABLE_PUT(table, trail_step, .position = i,
			  .at = trail_tables_switch(topology, plan->trail.at[i], at),
			  .port = trail_tables_port_of(topology, plan->trail.links[i]),
			  .to = trail_tables_switch(topology, plan->trail.at[i + 1], to));
	return table;
}

static struct table *table_shortcuts(const struct net_trail_plan *plan,
				     const struct net_topology *topology)
{
	struct table *table = table_of("shortcuts", "shortcuts", trail_shortcut_fields);
	char types[4], removed[4], at[NET_LINK_NAME_MAX], to[NET_LINK_NAME_MAX];

	for (uint32_t i = 0; i < plan->strand_count; i++) {
		const struct net_strand *strand = &plan->strands[i];

		for (uint32_t j = 0; j < strand->shortcut_count; j++) {
			const struct net_shortcut *shortcut = &strand->shortcuts[j];

			TABLE_PUT(
				table, trail_shortcut, .trail = i + 1,
				.from_position = shortcut->from, .to_position = shortcut->to,
				.at = trail_tables_switch(topology, strand->at[shortcut->from], at),
				.port = trail_tables_port_of(topology, shortcut->link),
				.to = trail_tables_switch(topology, strand->at[shortcut->to], to),
				.types = name_types(shortcut->types, types),
				.removed = name_types(shortcut->removed, removed));
		}
	}
	return table;
}

enum tr_status net_trails_table(struct table *tables[NET_TRAILS_TABLES],
				const struct net_topology *topology, const char *text,
				struct tr_error *err)
{
	struct net_trail_plan plan = {.number = 0};
	struct net_graph graph;
	enum tr_status status = net_graph_open(&graph, topology, err);

	if (status == TR_OK)
		status = net_trail_plan_make(&plan, &graph, text, err);
	if (status == TR_OK) {
		tables[0] = table_trail(&plan, topology);
		tables[1] = table_shortcuts(&plan, topology);
	}
	net_trail_plan_close(&plan);
	net_graph_close(&graph);
	return status;
}
