// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#include "net/topologies/topologies.h"
#include "net/topology/switch_facts.h"
#include "net/topology/topology_facts.h"

#define DIGITS 5

void network_tables_open(struct network_tables *tables, struct network_tables_wanted wanted)
{
	*tables = (struct network_tables){.networks = table_new("networks", "Networks"),
					  .routes = table_new("routes", "Shortest routes by the switches on them"),
					  .wanted = wanted};
	table_columns(tables->networks,
		      "network hosts switches ports ports_used widest cables between parts longest mean_switches");
	if (wanted.bisect)
		table_columns(tables->networks, "bisection bisection_switches bisection_is");
	table_columns(tables->routes, "network switches pairs share");
	if (!wanted.switches)
		return;
	tables->graphs = table_new("switch_graphs", "Switches and the cables between them");
	table_columns(tables->graphs, "network switches cables parallel degree_min degree_max odd trail diameter "
				      "mean_distance mean_host_distance");
	tables->switches = table_new("switches", "Cables of each switch to others");
	table_columns(tables->switches, "network switch ports hosts degree");
}

static void add_routes(struct table *table, const char *name, const struct net_facts *facts)
{
	const uint64_t all = facts->pairs_joined + facts->pairs_apart;

	for (uint32_t i = 0; i <= facts->longest; i++) {
		if (facts->pairs[i] == 0)
			continue;
		table_text(table, name);
		table_count(table, i);
		table_count(table, facts->pairs[i]);
		table_real(table, (double)facts->pairs[i] / (double)all, DIGITS);
	}
	if (facts->pairs_apart > 0)
		table_note(table, "%s: %llu of %llu pairs have no route", name, (unsigned long long)facts->pairs_apart,
			   (unsigned long long)all);
}

static void network_tables_add_network(struct table *table, const char *name, const struct net_topology *topology,
				       const struct net_facts *facts)
{
	table_text(table, name);
	table_count(table, topology->hosts);
	table_count(table, topology->switches);
	table_count(table, facts->ports);
	table_count(table, facts->ports_used);
	table_count(table, facts->widest);
	table_count(table, facts->cables);
	table_count(table, facts->cables_between);
	table_count(table, facts->parts);
	if (facts->pairs_joined > 0) {
		table_count(table, facts->longest);
		table_real(table, net_facts_mean_switches(facts), DIGITS);
	} else {
		table_none(table);
		table_none(table);
	}
}

static void add_graph(struct table *table, const char *name, const struct net_switch_facts *facts)
{
	static const char *const trails[] = {
		[NET_TRAIL_NONE] = "none", [NET_TRAIL_OPEN] = "open", [NET_TRAIL_CLOSED] = "closed"};

	table_text(table, name);
	table_count(table, facts->switches);
	table_count(table, facts->cables);
	table_count(table, facts->parallel);
	table_count(table, facts->degree_min);
	table_count(table, facts->degree_max);
	table_count(table, facts->odd);
	table_text(table, trails[facts->trail]);
	if (facts->joined && facts->switches > 0)
		table_count(table, facts->diameter);
	else
		table_none(table);
	table_real(table, net_switch_facts_mean(facts), DIGITS);
	table_real(table, net_switch_facts_host_mean(facts), DIGITS);
}

static enum tr_status network_tables_add_switches(struct network_tables *tables, const char *name,
						  const struct net_topology *topology, struct tr_error *err)
{
	struct net_switch_facts facts = {0};
	struct net_graph graph;
	enum tr_status status = net_graph_open(&graph, topology, err);

	if (status == TR_OK)
		status = net_switch_facts_find(&facts, &graph, err);
	if (status == TR_OK)
		add_graph(tables->graphs, name, &facts);
	for (uint32_t i = 0; i < facts.switches; i++) {
		char text[NET_NAME_MAX + 1];

		table_text(tables->switches, name);
		table_text(tables->switches, net_topology_name(topology, topology->hosts + i, text, sizeof(text)));
		table_count(tables->switches, topology->ports[i]);
		table_count(tables->switches, facts.hosts[i]);
		table_count(tables->switches, facts.degree[i]);
	}
	net_switch_facts_close(&facts);
	net_graph_close(&graph);
	return status;
}

static void add_bisection(struct table *table, const struct bisection *found)
{
	table_count(table, found->hosts);
	table_count(table, found->switches);
	table_text(table, found->exact ? "exact" : "bound");
}

enum tr_status network_tables_add(struct network_tables *tables, const char *name, const struct net_topology *topology,
				  const struct net_facts_watch *watch, bool *whole, struct tr_error *err)
{
	struct net_facts facts;
	struct bisection found;

	if (net_facts_find(&facts, topology, watch, err) != TR_OK)
		return TR_ERROR;
	if ((tables->wanted.bisect && bisection_find(topology, &found, err) != TR_OK) ||
	    (tables->wanted.switches && network_tables_add_switches(tables, name, topology, err) != TR_OK)) {
		net_facts_clear(&facts);
		return TR_ERROR;
	}
	*whole = facts.pairs_apart == 0;
	network_tables_add_network(tables->networks, name, topology, &facts);
	if (tables->wanted.bisect)
		add_bisection(tables->networks, &found);
	add_routes(tables->routes, name, &facts);
	net_facts_clear(&facts);
	return TR_OK;
}

enum tr_status network_tables_print(struct network_tables *tables, struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *const all[] = {tables->networks, tables->graphs, tables->switches, tables->routes};
	struct table *const usual[] = {tables->networks, tables->routes};

	return tables->wanted.switches ? tables_print(all, 4, style, "flitnet", out, err)
				       : tables_print(usual, 2, style, "flitnet", out, err);
}

void network_tables_close(struct network_tables *tables)
{
	table_free(tables->networks);
	table_free(tables->graphs);
	table_free(tables->switches);
	table_free(tables->routes);
}
