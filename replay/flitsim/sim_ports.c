// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim_ports.h"

#include <stdlib.h>
#include <string.h>

#include "measurement.h"
#include "net/topology/adapters.h"
#include "table/table_rows.h"

// Whether a key of the kind is given and not "no".
static bool sim_ports_has_key(const struct fabric *fabric, const char *name)
{
	return keys_find(fabric->kind->keys, name, strlen(name)) && fabric_given(fabric, name);
}

// What does not go with a choice of ports.
static enum tr_status sim_ports_refuse(const struct sim_options *options,
				       const struct fabric *fabric, enum net_port_choice choice,
				       struct tr_error *err)
{
	const bool turns = choice == NET_PORT_PACKET || choice == NET_PORT_MESSAGE;

	if (options->mapper.words.count > 0)
		return tr_fail(err, "--mapper: not with hosts of several ports; ports=each makes "
				    "each port a host");
	if (node_map_is_word(options->traffic.map, "least"))
		return tr_fail(err,
			       "--map least: not with hosts of several ports; ports=each makes "
			       "each port a host, and ids, random, round-robin and a file place "
			       "nodes on hosts");
	if (fabric_has_finite_sources(fabric))
		return tr_fail(err, "source=finite: not with hosts of several ports; ports=each "
				    "makes each port a source");
	if (sim_ports_has_key(fabric, "multicast") || sim_ports_has_key(fabric, "multicast-by"))
		return tr_fail(err, "multicasts: not with hosts of several ports; ports=each makes "
				    "each port a host");
	if (turns && options->mpi.words.count > 0)
		return tr_fail(err, "--mpi: a connection stays on one pair of ports: ports=flow, "
				    "destination or fixed");
	if (options->program.repeats == 1)
		return tr_fail(err, "--repeat exact: not with hosts of several ports; ports=each "
				    "makes each port a host");
	return TR_OK;
}

static bool sim_ports_make(struct sim_ports *ports, const struct net_topology *topology)
{
	for (uint32_t host = 0; host < net_host_count(topology); host++)
		if (net_host_ports(topology, host) > ports->most)
			ports->most = net_host_ports(topology, host);
	ports->sums = calloc(ports->most, sizeof(*ports->sums));
	return ports->sums;
}

enum tr_status sim_ports_open(struct sim_ports *ports, const struct sim_options *options,
			      const struct fabric *fabric, struct net_setup *setup,
			      struct tr_error *err)
{
	const struct net_port_rule *rule = fabric_port_rule(fabric);
	const struct net_topology *topology = setup->topology;

	*ports = (struct sim_ports){.chooses = false};
	if (!net_has_adapters(topology)) {
		if (rule && (fabric_given(fabric, "ports") || fabric_given(fabric, "port") ||
			     fabric_given(fabric, "failover")))
			return tr_fail(err, "--fabric: ports: the hosts of the network have one "
					    "port each");
		return TR_OK;
	}
	if (!rule && (fabric->kind->linked || fabric->kind->wired))
		return tr_fail(err,
			       "%s: its hosts have one port each; myrinet, switched, lanes and "
			       "ethernet carry hosts with several",
			       fabric->kind->name);
	if (rule && rule->choice == NET_PORT_EACH)
		return TR_OK;
	if (net_hosts_join(&ports->joined, topology, err) != TR_OK)
		return TR_ERROR;
	if (!rule) {
		setup->topology = &ports->joined;
		return TR_OK;
	}
	if (sim_ports_refuse(options, fabric, rule->choice, err) != TR_OK)
		return TR_ERROR;
	if (!sim_ports_make(ports, topology))
		return tr_no_memory(err, "the ports of hosts");
	ports->chooses = true;
	return net_host_ports_open(&ports->choice, topology, setup->routes, *rule, err) == TR_OK
		       ? TR_OK
		       : tr_fail_in(err, "--fabric");
}

const struct net_topology *sim_ports_hosts(const struct sim_ports *ports,
					   const struct net_topology *topology)
{
	return ports->joined.hosts > 0 ? &ports->joined : topology;
}

uint32_t sim_ports_host(const struct sim_ports *ports, uint32_t adapter)
{
	return ports->chooses ? net_host_of(ports->choice.topology, adapter) : adapter;
}

const struct net_host_ports *sim_ports_turns(const struct sim_ports *ports)
{
	return ports->chooses && ports->choice.rule.choice == NET_PORT_PACKET ? &ports->choice
									      : NULL;
}

bool sim_ports_vary(const struct sim_ports *ports)
{
	return ports->chooses && ports->choice.rule.choice != NET_PORT_DESTINATION &&
	       ports->choice.rule.choice != NET_PORT_FIXED;
}

enum tr_status sim_ports_take(struct sim_ports *ports, struct measurement *measurement,
			      const struct net_worm *worm, const struct tr_delivery *delivery,
			      struct tr_error *err)
{
	const struct net_topology *topology = ports->choice.topology;
	struct sim_port_sum *sum;
	struct net_worm between = *worm;

	if (worm->created_ticks < 0) { // it was refused, and took no port
		ports->none++;
		return measurement_take(measurement, worm, delivery, err);
	}
	between.source = net_host_of(topology, worm->source);
	between.destination = net_host_of(topology, worm->destination);
	sum = &ports->sums[worm->source - net_host_first(topology, between.source)];
	sum->packets++;
	sum->delivered += delivery->status == TR_DELIVERED;
	sum->dropped += delivery->status == TR_DROPPED;
	sum->bytes += delivery->status == TR_DELIVERED ? worm->size_bytes : 0;
	return measurement_take(measurement, &between, delivery, err);
}

TABLE_ROW(sim_port, (count, port), (count, packets), (count, delivered), (count, dropped),
	  (count, bytes));

struct table *sim_ports_table(struct sim_ports *ports)
{
	struct table *table;

	if (!ports->chooses)
		return NULL;
	net_host_ports_settle(&ports->choice);
	table = table_of("host_ports", "Packets by the port of the host that sent them",
			 sim_port_fields);
	for (uint32_t i = 0; i < ports->most; i++)
		TABLE_PUT(table, sim_port, .port = i, .packets = ports->sums[i].packets,
			  .delivered = ports->sums[i].delivered, .dropped = ports->sums[i].dropped,
			  .bytes = ports->sums[i].bytes);
	table_note(table, "bytes: of packets delivered");
	if (ports->choice.others > 0)
		table_note(table,
			   "%llu packets took other ports than those that ports= says, which have "
			   "no route or are dead",
			   (unsigned long long)ports->choice.others);
	if (ports->none > 0)
		table_note(table, "%llu packets were dropped before they took a port",
			   (unsigned long long)ports->none);
	return table;
}

void sim_ports_close(struct sim_ports *ports)
{
	net_topology_clear(&ports->joined);
	net_host_ports_close(&ports->choice);
	free(ports->sums);
	*ports = (struct sim_ports){.chooses = false};
}
