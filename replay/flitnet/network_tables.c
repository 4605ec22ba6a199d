// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#include "net/topologies/topologies.h"
#include "net/topology_facts.h"

#define DIGITS 5

void network_tables_open(struct network_tables *tables, bool bisect)
{
	static const char *const columns[] = {"network", "hosts",   "switches", "ports",   "ports_used",   "widest",
					      "cables",	 "between", "parts",	"longest", "mean_switches"};
	static const char *const shares[] = {"network", "switches", "pairs", "share"};

	*tables = (struct network_tables){.networks = table_new("networks", "Networks"),
					  .routes = table_new("routes", "Shortest routes by the switches on them"),
					  .bisect = bisect};
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(tables->networks, columns[i]);
	if (bisect)
		table_column(tables->networks, "bisection");
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		table_column(tables->routes, shares[i]);
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

static void add_network(struct table *table, const char *name, const struct net_topology *topology,
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

enum tr_status network_tables_add(struct network_tables *tables, const char *name, const struct net_topology *topology,
				  const struct net_facts_watch *watch, bool *whole, struct tr_error *err)
{
	struct net_facts facts;
	uint64_t cables;

	if (net_facts_find(&facts, topology, watch, err) != TR_OK)
		return TR_ERROR;
	if (tables->bisect && bisection_find(topology, &cables, err) != TR_OK) {
		net_facts_clear(&facts);
		return TR_ERROR;
	}
	*whole = facts.pairs_apart == 0;
	add_network(tables->networks, name, topology, &facts);
	if (tables->bisect)
		table_count(tables->networks, cables);
	add_routes(tables->routes, name, &facts);
	net_facts_clear(&facts);
	return TR_OK;
}

enum tr_status network_tables_print(struct network_tables *tables, struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *const both[] = {tables->networks, tables->routes};

	return tables_print(both, 2, style, "flitnet", out, err);
}

void network_tables_close(struct network_tables *tables)
{
	table_free(tables->networks);
	table_free(tables->routes);
}

enum tr_status network_list_print(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("generators", "Generators");
	enum tr_status status;

	table_column(table, "name");
	table_column(table, "arguments");
	table_column(table, "makes");
	for (size_t i = 0; net_generators[i]; i++) {
		table_text(table, net_generators[i]->name);
		if (*net_generators[i]->arguments != '\0')
			table_text(table, net_generators[i]->arguments);
		else
			table_none(table);
		table_text(table, net_generators[i]->summary);
	}
	status = tables_print(&table, 1, style, "flitnet", out, err);
	table_free(table);
	return status;
}
