// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#include <math.h>
#include <stdlib.h>

#include "net/topologies/topologies.h"
#include "net/topology/adapters.h"
#include "net/topology/switch_facts.h"
#include "net/topology/topology_facts.h"
#include "table/table_rows.h"

#define DIGITS 5

TABLE_ROW(net_counts, (text, network), (count, hosts), (count, switches), (count, ports),
	  (count, ports_used), (count, widest), (count, cables), (count, between), (count, parts),
	  (some, longest), (real, mean_switches, DIGITS));
TABLE_ROW(net_bisection, (count, bisection), (count, bisection_switches), (text, bisection_is),
	  (count, bisection_least), (count, switches_least));
TABLE_ROW(host_ports, (text, network), (count, hosts), (count, host_ports), (count, ports_least),
	  (count, ports_most), (count, hosts_apart));
TABLE_ROW(net_lengths, (text, network), (count, switches), (count, pairs), (real, share, DIGITS));
TABLE_ROW(switch_graph, (text, network), (count, switches), (count, cables), (count, parallel),
	  (count, degree_min), (count, degree_max), (count, odd), (text, trail), (some, diameter),
	  (real, mean_distance, DIGITS), (real, mean_host_distance, DIGITS));
TABLE_ROW(switch_cables, (text, network), (text, switch_name, 0, "switch"), (count, ports),
	  (count, hosts), (count, degree));

void network_tables_open(struct network_tables *tables, struct network_tables_wanted wanted)
{
	*tables = (struct network_tables){
		.networks = table_of("networks", "Networks", net_counts_fields),
		.routes = table_of("routes", "Shortest routes by the switches on them",
				   net_lengths_fields),
		.wanted = wanted};
	if (wanted.bisect)
		table_heads(tables->networks, net_bisection_fields);
	if (!wanted.switches)
		return;
	tables->graphs = table_of("switch_graphs", "Switches and the cables between them",
				  switch_graph_fields);
	tables->switches = table_of("switches", "Cables of each switch to others",
				    switch_cables_fields);
}

static void add_routes(struct table *table, const char *name, const struct net_topology *topology,
		       const struct net_facts *facts)
{
	const uint64_t all = facts->pairs_joined + facts->pairs_apart;
	const bool several = net_has_adapters(topology);

	for (uint32_t i = 0; i <= facts->longest; i++)
		if (facts->pairs[i] > 0)
			TABLE_PUT(table, net_lengths, .network = name, .switches = i,
				  .pairs = facts->pairs[i],
				  .share = (double)facts->pairs[i] / (double)all);
	if (facts->pairs_apart > 0)
		table_note(table, "%s: %llu of %llu pairs%s have no route", name,
			   (unsigned long long)facts->pairs_apart, (unsigned long long)all,
			   several ? " of ports of hosts" : "");
	else if (several)
		table_note(table, "%s: pairs of ports of hosts", name);
}

// How the hosts are joined, where some have several ports. *apart: pairs that are not.
static enum tr_status add_host_ports(struct network_tables *tables, const char *name,
				     const struct net_topology *topology, uint64_t *apart,
				     struct tr_error *err)
{
	uint32_t least = UINT32_MAX, most = 0, parts;
	uint32_t *of = net_parts_find(topology, NULL, &parts, err);

	if (!of)
		return TR_ERROR;
	*apart = net_hosts_apart(topology, of);
	free(of);
	if (*apart == UINT64_MAX)
		return tr_no_memory(err, "the hosts of the network");
	for (uint32_t host = 0; host < net_host_count(topology); host++) {
		const uint32_t ports = net_host_ports(topology, host);

		least = ports < least ? ports : least;
		most = ports > most ? ports : most;
	}
	if (!tables->host_ports)
		tables->host_ports = table_of(
			"host_ports", "Ports of hosts, where some have several", host_ports_fields);
	TABLE_PUT(tables->host_ports, host_ports, .network = name,
		  .hosts = net_host_count(topology), .host_ports = topology->hosts,
		  .ports_least = least, .ports_most = most, .hosts_apart = *apart);
	return TR_OK;
}

static void network_tables_add_network(struct table *table, const char *name,
				       const struct net_topology *topology,
				       const struct net_facts *facts)
{
	const bool any = facts->pairs_joined > 0;

	TABLE_PUT(table, net_counts, .network = name, .hosts = net_host_count(topology),
		  .switches = topology->switches, .ports = facts->ports,
		  .ports_used = facts->ports_used, .widest = facts->widest, .cables = facts->cables,
		  .between = facts->cables_between, .parts = facts->parts,
		  .longest = any ? (int64_t)facts->longest : -1,
		  .mean_switches = any ? net_facts_mean_switches(facts) : NAN);
}

static void add_graph(struct table *table, const char *name, const struct net_switch_facts *facts)
{
	static const char *const trails[] = {[NET_TRAIL_NONE] = "none",
					     [NET_TRAIL_OPEN] = "open",
					     [NET_TRAIL_CLOSED] = "closed"};

	TABLE_PUT(table, switch_graph, .network = name, .switches = facts->switches,
		  .cables = facts->cables, .parallel = facts->parallel,
		  .degree_min = facts->degree_min, .degree_max = facts->degree_max,
		  .odd = facts->odd, .trail = trails[facts->trail],
		  .diameter = facts->joined && facts->switches > 0 ? (int64_t)facts->diameter : -1,
		  .mean_distance = net_switch_facts_mean(facts),
		  .mean_host_distance = net_switch_facts_host_mean(facts));
}

static enum tr_status network_tables_add_switches(struct network_tables *tables, const char *name,
						  const struct net_topology *topology,
						  struct tr_error *err)
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

		TABLE_PUT(tables->switches, switch_cables, .network = name,
			  .switch_name = net_topology_name(topology, topology->hosts + i, text,
							   sizeof(text)),
			  .ports = topology->ports[i], .hosts = facts.hosts[i],
			  .degree = facts.degree[i]);
	}
	net_switch_facts_close(&facts);
	net_graph_close(&graph);
	return status;
}

enum tr_status network_tables_add(struct network_tables *tables, const char *name,
				  const struct net_topology *topology,
				  const struct net_facts_watch *watch, bool *whole,
				  struct tr_error *err)
{
	struct net_facts facts;
	struct bisection found;
	uint64_t apart;

	if (net_facts_find(&facts, topology, watch, err) != TR_OK)
		return TR_ERROR;
	apart = facts.pairs_apart;
	if ((net_has_adapters(topology) &&
	     add_host_ports(tables, name, topology, &apart, err) != TR_OK) ||
	    (tables->wanted.bisect && bisection_find(topology, &found, err) != TR_OK) ||
	    (tables->wanted.switches &&
	     network_tables_add_switches(tables, name, topology, err) != TR_OK)) {
		net_facts_clear(&facts);
		return TR_ERROR;
	}
	*whole = apart == 0;
	network_tables_add_network(tables->networks, name, topology, &facts);
	if (tables->wanted.bisect)
		TABLE_PUT(tables->networks, net_bisection, .bisection = found.hosts,
			  .bisection_switches = found.switches,
			  .bisection_is = found.hosts == found.least_hosts &&
							  found.switches == found.least_switches
						  ? "exact"
						  : "bound",
			  .bisection_least = found.least_hosts,
			  .switches_least = found.least_switches);
	add_routes(tables->routes, name, topology, &facts);
	net_facts_clear(&facts);
	return TR_OK;
}

enum tr_status network_tables_print(struct network_tables *tables, struct table_style style,
				    FILE *out, struct tr_error *err)
{
	struct table *all[5];
	size_t count = 0;

	all[count++] = tables->networks;
	if (tables->host_ports)
		all[count++] = tables->host_ports;
	if (tables->wanted.switches) {
		all[count++] = tables->graphs;
		all[count++] = tables->switches;
	}
	all[count++] = tables->routes;
	return tables_print(all, count, style, "flitnet", out, err);
}

void network_tables_close(struct network_tables *tables)
{
	table_free(tables->networks);
	table_free(tables->host_ports);
	table_free(tables->graphs);
	table_free(tables->switches);
	table_free(tables->routes);
}
