// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "net/routings/routing.h"
#include "net/topologies/topologies.h"
#include "value/random.h"

#define CYCLIC "shortest:tie=lowest"
#define LATE_US 20000 // from one of these to the next: longer than any of the crowd stays

const struct fault_kind fault_kinds[] = {
	{"switched:buffer=300", "switch:4 line:4 mesh:3x3 ring:4", "updown", 250, 4000},
	{"switched:switching=wormhole,buffer=20", "line:4 mesh:3x3 ring:4", "updown", 250, 4000},
	{"switched:switching=store,buffer=300,pool=700", "line:4 mesh:3x3", "updown", 250, 4000},
	{"switched:buffer=300,arbitration=first-come", "line:4 mesh:3x3", "updown:adaptive=yes",
	 250, 4000},
	{"switched:switching=wormhole,buffer=9,source=finite", "line:4 mesh:3x3 ring:4", "updown",
	 100, 4000},
	{"lanes", "switch:4 line:4 mesh:3x3 ring:4", "updown", 250, 4000},
	{"lanes:lanes=3,buffer=3,crossbar=lane", "line:4 mesh:3x3 ring:4", "updown:adaptive=yes",
	 200, 4000},
	{"lanes:switching=cut-through,buffer=300,lanes=2,link-order=age", "line:4 mesh:3x3",
	 "updown", 250, 4000},
	{"lanes:switching=store,buffer=300,sends=3", "line:4 mesh:3x3", "updown", 250, 4000},
	{"lanes:switching=circuit,hosts=switch", "line:4 mesh:3x3", "updown", 100, 4000},
	{"lanes:hosts=switch,ejection=none,flow=direct,iterations=0", "line:4 mesh:3x3", "updown",
	 250, 4000},
	{"lanes:reuse=empty,buffer=4,lanes=2,lane-order=first-come", "line:4 ring:4", "dateline",
	 100, 4000},
	{"lanes:share=yes,reuse=empty,recover=eject,search=64,lanes=2", "line:4 mesh:3x3", "updown",
	 100, 4000},
	{"lanes:queues=virtual,lanes=2,buffer=20,iterations=2", "switch:4 line:4 mesh:3x3 ring:4",
	 "updown:adaptive=yes", 200, 4000},
	{"lanes:queues=output,switching=cut-through,buffer=600,hosts=switch", "line:4 mesh:3x3",
	 "updown", 250, 4000},
	{"sci", "ring:4 torus:3x3 torus:2x3x2", NULL, 400, 60},
	{"sci:fairness=go,overhead=0s,overhead-byte=0s", "ring:5 torus:3x3", NULL, 400, 60},
	{"sci:delivered=transaction,agents=cut-through", "ring:5 torus:3x3", NULL, 400, 60},
	{"ethernet:buffer=0,rate=100Mb/s", "switch:4 line:4 mesh:3x3 ring:4", "updown", 1500, 3000},
	{"ethernet:buffer=0,rate=100Mb/s,priority=host1-2:5/host0:7", "switch:4 line:4", "updown",
	 1500, 3000},
	{"ethernet:buffer=0,rate=100Mb/s,cut-through=64", "line:4 mesh:3x3 ring:4", "updown", 1500,
	 3000},
	{"cppe:technique=store", "line:4 mesh:3x3", "updown", 1000, 4000},
	{"lanes:source=finite,lanes=2,buffer=3", "line:4 mesh:3x3", "updown", 100, 4000},
	{"sci:reads=40,directions=both", "ring:4 torus:3x3 torus:2x3x2", NULL, 400, 60},
	{"sci:source=finite,reads=70,directions=both", "ring:4 torus:3x3", NULL, 400, 60},
	{"sci:pci=80Mb/s,blink=400Mb/s,reads=30", "ring:4 torus:3x3", NULL, 400, 100},
	{"sci:source=finite,overhead=0s", "ring:4 torus:3x3", NULL, 400, 60},
	{"ethernet:source=finite,buffer=0,rate=100Mb/s", "switch:4 line:4", "updown", 1500, 3000},
	{"cppe:technique=store,source=finite,links=each", "line:4 mesh:3x3", "updown", 1000, 4000},
	{"cppe:technique=packet,source=finite", "line:4 mesh:3x3", "updown", 1000, 4000},
	{"myrinet:source=finite", "switch:4 line:4 mesh:3x3", "updown", 1000, 150},
	{"myrinet:source=finite,gap=after,dma-in=0,dma-out=0,flit=1us,link-rate=8Mb/s",
	 "switch:4 line:4 mesh:3x3", "updown", 100, 2000},
	{"switched:buffer=600", "ring:5 ring:7", CYCLIC, 250, 1000, true},
	{"switched:switching=wormhole,buffer=70", "ring:5 ring:7", CYCLIC, 250, 500, true},
	{"switched:switching=store,buffer=200,arbitration=first-come", "ring:5 ring:7", CYCLIC, 99,
	 400, true},
	{"lanes:buffer=20", "ring:5 ring:7", CYCLIC, 250, 500, true},
	{"lanes:queues=virtual,buffer=20", "ring:5 ring:7", CYCLIC, 250, 500, true},
	{"lanes:switching=store,buffer=300,hosts=switch", "ring:5 ring:7", CYCLIC, 250, 500, true},
};
const uint64_t fault_kind_count = sizeof(fault_kinds) / sizeof(*fault_kinds);

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

// One of the words of a list.
static void draw_word(struct tr_random *random, const char *list, char *out, size_t out_bytes)
{
	uint32_t words = 1;

	for (const char *at = list; (at = strchr(at, ' ')) != NULL; at++)
		words++;
	for (uint32_t skip = below(random, words); skip > 0; skip--)
		list = strchr(list, ' ') + 1;
	snprintf(out, out_bytes, "%.*s", (int)strcspn(list, " "), list);
}

static void draw_packets(struct fault_case *c, struct tr_random *random,
			 const struct fault_kind *kind)
{
	const int64_t us = (int64_t)c->ticks_per_s / 1000000;
	const uint32_t crowd = 1 + below(random, 4);
	int64_t time_ticks = 0;

	for (uint32_t i = 0; i < CROWD + LATE; i++) {
		if (i >= CROWD)
			time_ticks = (kind->span_us + LATE_US * (int64_t)(5 + i - CROWD)) * us;
		else if (below(random, crowd) == 0)
			time_ticks += (int64_t)below(random,
						     (uint32_t)(2 * kind->span_us * us / CROWD));
		c->offers[i] = (struct net_offer){.packet = {.time_ticks = time_ticks, .id = i},
						  .source = below(random, c->topology.hosts),
						  .destination = below(random, c->topology.hosts),
						  .size_bytes = 1 + below(random, kind->largest_B)};
		if (kind->deadlocks)
			c->offers[i].destination = (c->offers[i].source + 2) % c->topology.hosts;
	}
}

static void draw_faults(struct fault_case *c, struct tr_random *random, uint32_t span_us)
{
	const int64_t us = (int64_t)c->ticks_per_s / 1000000;

	c->fault_count = 1 + below(random, FAULTS);
	for (uint32_t i = 0; i < c->fault_count; i++) {
		const uint32_t what = below(random, c->topology.switches > 1 ? 5 : 4);
		const enum net_fault_kind kind = what == 0   ? NET_FAULT_HOST
						 : what == 3 ? NET_FAULT_LOSS
						 : what == 4 ? NET_FAULT_SWITCH
							     : NET_FAULT_CABLE;
		const size_t targets = what == 0   ? c->topology.hosts
				       : what == 4 ? c->topology.switches
						   : c->topology.cable_count;
		const int64_t from_ticks = (int64_t)below(random, (uint32_t)(span_us * us));

		c->faults[i] = (struct net_fault){
			.kind = kind,
			.number = below(random, (uint32_t)targets),
			.from_ticks = from_ticks,
			.to_ticks = from_ticks + 1 +
				    (int64_t)below(random, (uint32_t)(span_us * us)),
			.loss = {.packets = below(random, 4) / 3.0,
				 .bits = below(random, 2) / 1000.0,
				 .seed = below(random, 3)},
		};
		if (below(random, 2) == 0) {
			c->faults[i].loss.good_ticks = 1 + below(random, (uint32_t)(10 * us));
			c->faults[i].loss.bad_ticks = 1 + below(random, (uint32_t)(10 * us));
		}
	}
}

// Half of the cases have timeouts, and half of these no faults. A time need not be of whole cycles.
// Those of Myrinet are its own, in its keys.
static void draw_timeout(struct fault_case *c, struct tr_random *random,
			 const struct fault_kind *kind)
{
	const int64_t us = (int64_t)c->ticks_per_s / 1000000;

	if (strcmp(c->fabric.kind->name, "myrinet") == 0 ||
	    (!kind->deadlocks && below(random, 2) == 0))
		return;
	c->timeout_ticks = 1 + (int64_t)below(random, kind->span_us / (1 + below(random, 9)) *
							      (uint32_t)us);
	if (below(random, 2) == 0)
		c->fault_count = 0;
}

void fault_case_draw(struct fault_case *c, uint64_t number, const struct fault_kind *kind)
{
	struct tr_error err = {""};
	struct tr_random random;
	char network[64];

	*c = (struct fault_case){.told = 0};
	tr_random_open(&random, number, "faults");
	draw_word(&random, kind->networks, network, sizeof(network));
	if (fabric_read(&c->fabric, kind->fabric, &err) != TR_OK ||
	    fabric_settle(&c->fabric, &err) != TR_OK ||
	    net_topology_make(&c->topology, network, &err) != TR_OK ||
	    (kind->rule && net_routing_make(&c->routes, &c->topology, kind->rule, &err) != TR_OK) ||
	    c->fabric.kind->clock(c->fabric.params, &c->topology, 1000000, &c->ticks_per_s, &err) !=
		    TR_OK)
		fail_msg("case %llu: %s", (unsigned long long)number, err.text);
	draw_packets(c, &random, kind);
	draw_faults(c, &random, kind->span_us);
	c->width_ticks = (int64_t)c->ticks_per_s / 1000000 *
				 (1 + (int64_t)below(&random, kind->span_us / 3)) +
			 below(&random, 2);
	draw_timeout(c, &random, kind);
	c->rule = kind->rule;
	c->delay_ticks = -1;
	if (kind->rule && below(&random, 2) == 0)
		c->delay_ticks = (int64_t)below(&random, kind->span_us) *
				 ((int64_t)c->ticks_per_s / 1000000) / (1 + below(&random, 20));
}

void fault_case_close(struct fault_case *c)
{
	fabric_close(&c->fabric);
	net_routes_clear(&c->routes);
	net_topology_clear(&c->topology);
}
