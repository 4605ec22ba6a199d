// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts with several ports in a run: maps, programs and tables know hosts, the network adapters.
#ifndef FLITSIM_SIM_PORTS_H
#define FLITSIM_SIM_PORTS_H

#include "flitsim.h"
#include "net/host_ports.h"

// What went by a port of a host, by its number.
struct sim_port_sum {
	uint64_t packets, delivered, dropped, bytes;
};

// Zero is a valid closed one: every host has one port.
struct sim_ports {
	struct net_topology joined; // the network whose hosts are one node each; empty: none
	struct net_host_ports choice;
	bool chooses; // a rule chooses among the ports of a host
	struct sim_port_sum *sums;
	uint64_t none; // packets that took no port
	uint32_t most; // ports of a host
};

// For the topology of setup, where hosts have several ports. Of a kind of network without links the
// topology of setup becomes the joined one. TR_ERROR where the kind, a key or an option does not go
// with them. Close it in any case.
enum tr_status sim_ports_open(struct sim_ports *ports, const struct sim_options *options,
			      const struct fabric *fabric, struct net_setup *setup,
			      struct tr_error *err);

// The network as traffic knows it. Lent.
const struct net_topology *sim_ports_hosts(const struct sim_ports *ports,
					   const struct net_topology *topology);

// The host of an adapter, or the adapter where nothing is chosen.
uint32_t sim_ports_host(const struct sim_ports *ports, uint32_t adapter);

// The choice, if packets take turns, so that those of one host leave on all its links; else NULL.
const struct net_host_ports *sim_ports_turns(const struct sim_ports *ports);

// Where ports are chosen, lets the choice see the setup's faults, which are lent. TR_ERROR if out
// of memory.
static inline enum tr_status sim_ports_watch(struct sim_ports *ports, const struct net_setup *setup,
					     struct tr_error *err)
{
	return ports->chooses ? net_host_ports_watch(&ports->choice, setup, err) : TR_OK;
}

// Where ports are chosen, makes traffic between hosts traffic between adapters.
static inline void sim_ports_join(struct sim_ports *ports, struct net_traffic *traffic)
{
	if (ports->chooses)
		net_host_ports_join(&ports->choice, traffic);
}

// Whether packets of one pair of hosts may take different ports.
bool sim_ports_vary(const struct sim_ports *ports);

struct measurement;

// Where ports are chosen: counts a packet's end, and measures it as one between hosts.
enum tr_status sim_ports_take(struct sim_ports *ports, struct measurement *measurement,
			      const struct net_worm *worm, const struct tr_delivery *delivery,
			      struct tr_error *err);

// The caller frees it; NULL: nothing was chosen.
struct table *sim_ports_table(struct sim_ports *ports);

// Frees what it holds; it is empty then.
void sim_ports_close(struct sim_ports *ports);

#endif
