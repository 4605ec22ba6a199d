// SPDX-License-Identifier: GPL-3.0-or-later
#include "switched_case.h"

#include "net/switched/switched_run.h"

#include <stdlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "value/random.h"

const struct switched_fate switched_no_fate = {INT64_MIN, -1, -1, -1, 0, 0};

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

static uint32_t free_port(struct switched_case *c, struct tr_random *random, uint32_t at)
{
	uint32_t port = below(random, CASE_PORTS);

	for (uint32_t i = 0; i < CASE_PORTS; i++, port = (port + 1) % CASE_PORTS)
		if (!c->used[at][port]) {
			c->used[at][port] = true;
			return port;
		}
	return CASE_PORTS;
}

static void lay(struct switched_case *c, struct tr_random *random, struct net_end a,
		struct net_end b)
{
	static const struct num_ratio rates[] = {
		{0, 0}, {0, 0}, {16000000, 1}, {12000000, 1}, {80000000, 1}};
	struct net_cable *cable = &c->cables[c->topology.cable_count++];

	*cable = (struct net_cable){.ends = {a, b}, .rate_bps = rates[below(random, 5)]};
}

// Joins two switches where both have a port left; one stays free for the tree.
static void join(struct switched_case *c, struct tr_random *random, uint32_t a, uint32_t b)
{
	const uint32_t port = free_port(c, random, a);
	const uint32_t other = free_port(c, random, b);

	if (port < CASE_PORTS && other < CASE_PORTS) {
		lay(c, random, (struct net_end){a + c->topology.hosts, port},
		    (struct net_end){b + c->topology.hosts, other});
		return;
	}
	if (port < CASE_PORTS)
		c->used[a][port] = false;
	if (other < CASE_PORTS)
		c->used[b][other] = false;
}

// A ring, or a random tree and some more cables; one to three hosts on each switch.
static void draw_network(struct switched_case *c, struct tr_random *random)
{
	uint32_t hosts_at[CASE_SWITCHES];
	uint32_t host = 0;
	const bool ring = below(random, 3) == 0;

	c->topology = (struct net_topology){.ports = c->ports, .cables = c->cables};
	c->topology.switches = 1 + below(random, CASE_SWITCHES);
	for (uint32_t i = 0; i < c->topology.switches; i++) {
		c->ports[i] = CASE_PORTS;
		hosts_at[i] = (i == 0 ? 2 : 1) + below(random, 2);
		c->topology.hosts += hosts_at[i];
	}
	for (uint32_t i = 0; i < c->topology.switches; i++)
		for (uint32_t n = 0; n < hosts_at[i]; n++, host++)
			lay(c, random, (struct net_end){host, 0},
			    (struct net_end){i + c->topology.hosts, free_port(c, random, i)});
	for (uint32_t i = 1; i < c->topology.switches; i++)
		join(c, random, i, ring ? i - 1 : below(random, i));
	if (ring && c->topology.switches > 2)
		join(c, random, 0, c->topology.switches - 1);
	for (uint32_t i = ring ? 0 : below(random, 10); i > 0 && c->topology.switches > 1; i--) {
		const uint32_t a = below(random, c->topology.switches),
			       b = below(random, c->topology.switches);

		if (a != b)
			join(c, random, a, b);
	}
	if (below(random, 2) == 0)
		for (size_t i = 0; i < c->topology.cable_count; i++)
			c->cables[i].rate_bps = (struct num_ratio){0, 0};
}

// Cables from each switch to another, by relaxing.
static void measure(const struct switched_case *c, uint32_t far[CASE_SWITCHES][CASE_SWITCHES])
{
	const uint32_t switches = c->topology.switches, hosts = c->topology.hosts;

	for (uint32_t a = 0; a < switches; a++)
		for (uint32_t b = 0; b < switches; b++)
			far[a][b] = a == b ? 0 : 1000;
	for (uint32_t round = 0; round < switches; round++)
		for (size_t i = 0; i < c->topology.cable_count; i++)
			for (uint32_t end = 0; end < 2; end++)
				for (uint32_t to = 0; to < switches; to++) {
					const uint32_t a = c->cables[i].ends[end].node,
						       b = c->cables[i].ends[1 - end].node;

					if (a >= hosts && b >= hosts &&
					    far[b - hosts][to] + 1 < far[a - hosts][to])
						far[a - hosts][to] = far[b - hosts][to] + 1;
				}
}

// Some of the ports of a switch that are nearer to another, in random order.
static uint32_t draw_options(const struct switched_case *c, struct tr_random *random, uint32_t at,
			     const uint32_t *far_of, uint32_t hosts, struct net_option *options)
{
	uint32_t count = 0;

	(void)c;
	for (uint32_t port = 0; port < CASE_PORTS; port++) {
		const uint32_t node = net_graph_peer(&c->graph, at + hosts, port)->node;

		if (net_graph_is_switch(&c->graph, node) && far_of[node - hosts] < far_of[at]) {
			const uint32_t place = below(random, count + 1);

			options[count++] = options[place];
			options[place] = (struct net_option){.port = (uint16_t)port};
		}
	}
	return below(random, 3) == 0 && count > 0 ? 1 + below(random, count) : count;
}

static void draw_choices(struct switched_case *c, struct tr_random *random)
{
	uint32_t far[CASE_SWITCHES][CASE_SWITCHES];
	uint32_t far_of[CASE_SWITCHES];
	struct net_choices *choices = net_choices_open(&c->graph, 1, NULL);

	assert_non_null(choices);
	measure(c, far);
	for (uint32_t input = 0; input < net_choices_inputs(choices); input++)
		for (uint32_t to = 0; to < c->topology.switches; to++) {
			struct net_option options[CASE_PORTS];
			const uint32_t at = net_choices_what(choices, input).at;
			uint32_t count;

			for (uint32_t i = 0; i < c->topology.switches; i++)
				far_of[i] = far[i][to];
			count = draw_options(c, random, at, far_of, c->topology.hosts, options);
			assert_int_equal(net_choices_put(choices, input, to, options, count, NULL),
					 TR_OK);
		}
	net_choices_need_empty(choices, below(random, 2) == 0);
	assert_int_equal(net_choices_routes(&c->routes, choices, NULL), TR_OK);
}

static void draw_params(struct switched_case *c, struct tr_random *random, uint32_t largest)
{
	struct switched_params *params = &c->params;

	*params = switched_params_usual;
	params->switching = (enum switched_switching)below(random, 3);
	params->header_B = 1 + below(random, 8);
	params->buffer_B = (params->switching == SWITCHED_WORMHOLE ? params->header_B : largest) +
			   below(random, 2) * below(random, 100);
	if (params->buffer_B < params->header_B)
		params->buffer_B = params->header_B;
	if (params->switching == SWITCHED_STORE && below(random, 2) == 0)
		params->pool_B = 1 + below(random, 4 * largest);
	params->first_come = below(random, 2) == 0;
	params->finite = below(random, 3) == 0;
	params->grant = (enum switched_grant)below(random, 4);
	if (params->grant == SWITCHED_GRANT_PACKET && params->buffer_B < largest)
		params->grant = SWITCHED_GRANT_ROOM;
}

static void draw_packets(struct switched_case *c, struct tr_random *random, uint32_t largest)
{
	const uint64_t most = 1 + c->ticks_per_s / 1000000 * below(random, 2 * largest) /
					  (1 + below(random, 20));
	const uint64_t gap = below(random, 4) == 0 ? 1 : most;
	int64_t time_ticks = (int64_t)below(random, 100) - 50;

	c->count = 1 + below(random, CASE_PACKETS);
	for (uint32_t i = 0; i < c->count; i++) {
		c->packets[i] = (struct switched_packet){
			.source = below(random, c->topology.hosts),
			.destination = below(random, c->topology.hosts),
			.size_bytes = 1 + below(random, largest),
			.time_ticks = time_ticks};
		time_ticks += (int64_t)tr_random_below(random, gap);
	}
}

void switched_case_draw(struct switched_case *c, uint64_t number)
{
	static const char *const rules[] = {"updown", "shortest:tie=lowest", "shortest:tie=hash",
					    "shortest:tie=source"};
	const uint32_t sizes[] = {1, 4, 20, 60};
	struct tr_random random;
	uint32_t largest;

	memset(c, 0, sizeof(*c));
	tr_random_open(&random, number, "switched case");
	draw_network(c, &random);
	assert_int_equal(net_graph_open(&c->graph, &c->topology, NULL), TR_OK);
	largest = sizes[below(&random, 4)];
	draw_params(c, &random, largest);
	if (below(&random, 2) == 0)
		draw_choices(c, &random);
	else
		assert_int_equal(
			net_routing_make(&c->routes, &c->topology, rules[below(&random, 4)], NULL),
			TR_OK);
	assert_int_equal(switched_clock(&c->params, &c->topology, 1000000, &c->ticks_per_s, NULL),
			 TR_OK);
	c->ticks_per_s *= 1 + below(&random, 3);
	draw_packets(c, &random, largest);
	c->width_ticks = (int64_t)c->ticks_per_s / 1000000 * (1 + below(&random, 200));
}

void switched_case_close(struct switched_case *c)
{
	net_routes_clear(&c->routes);
	net_graph_close(&c->graph);
}

struct feed {
	const struct switched_case *c;
	uint32_t next;
	struct switched_fates *fates;
	uint32_t turns;
};

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct feed *feed = context;
	const struct switched_packet *packet = &feed->c->packets[feed->next];

	(void)err;
	if (feed->next == feed->c->count)
		return TR_END;
	*offer = (struct net_offer){
		.packet = {.time_ticks = packet->time_ticks, .id = feed->next++},
		.source = packet->source,
		.destination = packet->destination,
		.size_bytes = packet->size_bytes};
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct feed *feed = context;
	const bool delivered = delivery->status == TR_DELIVERED;

	(void)err;
	feed->fates->packets[worm->packet.id] = (struct switched_fate){
		.created_ticks = worm->created_ticks,
		.injected_ticks = worm->injected_ticks,
		.head_ticks = worm->head_ticks,
		.received_ticks = delivered ? delivery->packet.time_ticks : -1,
		.hops = delivered ? delivery->hops : 0,
		.turn = delivered ? ++feed->turns : 0,
	};
	return TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	const struct feed *feed = context;
	const int64_t number = CASE_INTERVAL(link->start_ticks, feed->c->width_ticks);
	struct switched_work *work = &feed->fates->work[link->link];

	(void)err;
	work->busy += link->busy_ticks * number;
	work->stopped += link->blocked_stop_ticks * number;
	work->asks += link->blocked_port_ticks * number;
	work->area += (int64_t)link->occupancy_area * number;
	work->bytes += (int64_t)link->characters * number;
	work->peak += (int64_t)link->occupancy_peak * number;
	return TR_OK;
}

bool switched_case_run(const struct switched_case *c, const struct net_engine *engine,
		       uint64_t shuffle, struct switched_fates *fates, struct net_totals *totals)
{
	struct feed feed = {.c = c, .fates = fates};
	const struct net_setup setup = {
		.topology = &c->topology,
		.routes = &c->routes,
		.params = &c->params,
		.ticks_per_s = c->ticks_per_s,
		.traffic = {.next = next, .context = &feed},
		.results = {.done = done, .sample = sample, .context = &feed},
		.sampling = {.width_ticks = c->width_ticks},
		.shuffle = shuffle,
		.finite_sources = c->params.finite};
	struct tr_error err = {.text = ""};
	enum tr_status status;

	memset(fates, 0, sizeof(*fates));
	for (uint32_t i = 0; i < c->count; i++)
		fates->packets[i] = switched_no_fate;
	status = engine->run(&setup, totals, &err);
	fates->deadlocked = totals->deadlocked;
	if (fates->deadlocked)
		memset(fates->work, 0, sizeof(fates->work));
	if (status != TR_OK)
		print_message("%s\n", err.text);
	return status == TR_OK;
}
