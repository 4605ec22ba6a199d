// SPDX-License-Identifier: GPL-3.0-or-later
// Trails and shortcuts as people read them.
#include <stdlib.h>

#include "net/routings/routing.h"
#include "net/studies/trails/trail_plan.h"

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

static void trail_tables_put_switch(struct table *table, const struct net_topology *topology, uint32_t at)
{
	char name[NET_LINK_NAME_MAX];

	table_text(table, net_topology_name(topology, at + topology->hosts, name, sizeof(name)));
}

// The port by which a link leaves its switch.
static uint32_t trail_tables_port_of(const struct net_topology *topology, uint32_t link)
{
	return topology->cables[link / 2].ends[link % 2].port;
}

static struct table *table_trail(const struct net_trail_plan *plan, const struct net_topology *topology)
{
	struct table *table = table_new("trail", "trail");

	table_columns(table, "position switch port to");
	for (uint32_t i = 0; i < plan->trail.steps; i++) {
		table_count(table, i);
		trail_tables_put_switch(table, topology, plan->trail.at[i]);
		table_count(table, trail_tables_port_of(topology, plan->trail.links[i]));
		trail_tables_put_switch(table, topology, plan->trail.at[i + 1]);
	}
	return table;
}

static struct table *table_shortcuts(const struct net_trail_plan *plan, const struct net_topology *topology)
{
	struct table *table = table_new("shortcuts", "shortcuts");
	char types[4];

	table_columns(table, "trail from_position to_position switch port to types removed");
	for (uint32_t i = 0; i < plan->strand_count; i++) {
		const struct net_strand *strand = &plan->strands[i];

		for (uint32_t j = 0; j < strand->shortcut_count; j++) {
			const struct net_shortcut *shortcut = &strand->shortcuts[j];

			table_count(table, i + 1);
			table_count(table, shortcut->from);
			table_count(table, shortcut->to);
			trail_tables_put_switch(table, topology, strand->at[shortcut->from]);
			table_count(table, trail_tables_port_of(topology, shortcut->link));
			trail_tables_put_switch(table, topology, strand->at[shortcut->to]);
			table_text(table, name_types(shortcut->types, types));
			table_text(table, name_types(shortcut->removed, types));
		}
	}
	return table;
}

enum tr_status net_trails_table(struct table *tables[NET_TRAILS_TABLES], const struct net_topology *topology, const char *text,
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
