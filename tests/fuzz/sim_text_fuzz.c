// SPDX-License-Identifier: GPL-3.0-or-later
// The texts that flitsim reads, from any bytes: a map of nodes, the name of a network, an order of
// ports, a fault. The first byte chooses. Rejected with a message, or accepted with a valid result.
#include <stdlib.h>
#include <string.h>

#include "flitsim/flitsim.h"
#include "input/node_map.h"
#include "net/myrinet/params.h"
#include "net/routes/routes.h"

#define HOSTS 8u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void try_map(const uint8_t *data, size_t size_bytes)
{
	FILE *file = fmemopen((void *)(uintptr_t)data, size_bytes, "r");
	struct tr_error err = {""};
	bool taken[HOSTS] = {false};
	struct net_topology topology;
	struct node_map map;

	if (!file)
		return;
	promise(net_topology_make(&topology, "switch:8", &err) == TR_OK && topology.hosts == HOSTS);
	if (node_map_read(&map, file, "fuzz", &topology, &err) != TR_OK)
		promise(*err.text != '\0');
	for (uint32_t i = 0; i < map.line_count; i++) {
		promise(map.lines[i].host < HOSTS && !taken[map.lines[i].host]);
		taken[map.lines[i].host] = true;
	}
	node_map_close(&map);
	net_topology_clear(&topology);
	fclose(file);
}

static void try_network(const char *text)
{
	struct net_topology topology;
	struct tr_error err = {""};

	if (net_topology_make(&topology, text, &err) == TR_OK)
		promise(net_topology_check(&topology, &err) == TR_OK);
	else
		promise(*err.text != '\0' && !topology.cables);
	net_topology_clear(&topology);
}

static void try_order(const char *text)
{
	uint16_t order[HOSTS];
	struct tr_error err = {""};
	unsigned seen = 0;

	if (myr_order_make(order, HOSTS, text, &err) != TR_OK) {
		promise(*err.text != '\0');
		return;
	}
	for (uint32_t i = 0; i < HOSTS; i++)
		seen |= 1u << order[i];
	promise(seen == (1u << HOSTS) - 1);
}

static void try_fault(const char *text)
{
	const struct sim_options options = {.faults = {&text, 1}, .routes = "shortest"};
	struct net_topology topology;
	const struct net_routes routes = {.hosts = 0};
	struct net_setup setup = {
		.topology = &topology, .routes = &routes, .ticks_per_s = 36000000000};
	struct fault_list list;
	struct tr_error err = {""};

	promise(net_topology_make(&topology, "triangle16", &err) == TR_OK);
	if (fault_list_open(&list, &options, &net_fabric_lanes, &setup, &err) != TR_OK)
		promise(*err.text != '\0');
	for (uint32_t i = 0; i < list.count; i++) {
		promise(list.faults[i].from_ticks < list.faults[i].to_ticks);
		promise(list.faults[i].number <
			(list.faults[i].kind == NET_FAULT_HOST	   ? topology.hosts
			 : list.faults[i].kind == NET_FAULT_SWITCH ? topology.switches
								   : topology.cable_count));
	}
	fault_list_close(&list);
	net_topology_clear(&topology);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	char *text;

	if (size_bytes < 2)
		return 0;
	text = strndup((const char *)data + 1, size_bytes - 1);
	promise(text);
	switch (data[0]) {
	case 'm': try_map(data + 1, size_bytes - 1); break;
	case 'n': try_network(text); break;
	case 'o': try_order(text); break;
	case 'f': try_fault(text); break;
	default: break;
	}
	free(text);
	return 0;
}
