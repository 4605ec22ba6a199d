// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes_case.h"

#include "net/lanes/lanes_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "value/random.h"

#define SWITCHES_MAX 30u

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

static bool coin(struct tr_random *random)
{
	return below(random, 2) == 0;
}

static void draw_network(struct lanes_case *c, struct tr_random *random)
{
	static const char *const forms[][2] = {{"line:", ""},	      {"ring:", ""},
					       {"ring:", ",hosts=2"}, {"mesh:", "x2"},
					       {"mesh:3x", ""},	      {"torus:", "x3"},
					       {"switch:", ""},	      {"mesh:", ",hosts=3"},
					       {"clos:2,2,", ""},     {"dragonfly:1,", ",1"}};
	const char *const *form = forms[below(random, 10)];
	struct tr_error err = {.text = ""};

	snprintf(c->network, sizeof(c->network), "%s%u%s", form[0], 2 + below(random, 4), form[1]);
	if (net_topology_make(&c->topology, c->network, &err) != TR_OK)
		fail_msg("%s: %s", c->network, err.text);
	assert_int_equal(net_graph_open(&c->graph, &c->topology, NULL), TR_OK);
	assert_in_range(c->graph.links, 1, CASE_LINKS);
	assert_in_range(c->graph.hosts, 1, CASE_HOSTS);
	assert_in_range(c->topology.switches, 1, SWITCHES_MAX);
}

// Cables from each switch to another, by relaxing.
static void measure(const struct lanes_case *c, uint32_t far[SWITCHES_MAX][SWITCHES_MAX])
{
	const uint32_t switches = c->topology.switches, hosts = c->topology.hosts;

	for (uint32_t a = 0; a < switches; a++)
		for (uint32_t b = 0; b < switches; b++)
			far[a][b] = a == b ? 0 : 1000;
	for (uint32_t round = 0; round < switches; round++)
		for (size_t i = 0; i < 2 * c->topology.cable_count; i++)
			for (uint32_t to = 0; to < switches; to++) {
				const uint32_t a = c->topology.cables[i / 2].ends[i % 2].node;
				const uint32_t b = c->topology.cables[i / 2].ends[1 - i % 2].node;

				if (a >= hosts && b >= hosts &&
				    far[b - hosts][to] + 1 < far[a - hosts][to])
					far[a - hosts][to] = far[b - hosts][to] + 1;
			}
}

// Minimal ways on any lanes, in random order.
static void draw_choices(struct lanes_case *c, struct tr_random *random, uint32_t lanes)
{
	uint32_t far[SWITCHES_MAX][SWITCHES_MAX];
	struct net_choices *choices = net_choices_open(&c->graph, lanes, NULL);

	assert_non_null(choices);
	measure(c, far);
	for (uint32_t input = 0; input < net_choices_inputs(choices); input++)
		for (uint32_t to = 0; to < c->topology.switches; to++) {
			const uint32_t at = net_choices_what(choices, input).at,
				       node = at + c->topology.hosts;
			struct net_option options[64];
			uint32_t count = 0;

			for (uint32_t port = 0; port < net_graph_ports(&c->graph, node) && at != to;
			     port++) {
				const uint32_t next = net_graph_peer(&c->graph, node, port)->node;

				for (uint32_t lane = 0;
				     lane < lanes && net_graph_is_switch(&c->graph, next); lane++) {
					const uint32_t place = below(random, count + 1);

					if (far[next - c->topology.hosts][to] >= far[at][to])
						continue;
					options[count++] = options[place];
					options[place] = (struct net_option){.port = (uint16_t)port,
									     .lane = (uint8_t)lane};
				}
			}
			if (count > 1 && coin(random))
				count = 1 + below(random, count);
			assert_int_equal(net_choices_put(choices, input, to, options, count, NULL),
					 TR_OK);
		}
	assert_int_equal(net_choices_routes(&c->routes, choices, NULL), TR_OK);
}

static bool is_tree(const struct lanes_case *c)
{
	return strncmp(c->network, "switch", 6) == 0 || strncmp(c->network, "clos", 4) == 0 ||
	       c->topology.group > 0;
}

// The same lists with a lane of its own, of up to CASE_LANES, for each step.
static void draw_step_lanes(struct lanes_case *c, struct tr_random *random)
{
	struct net_routes plain = c->routes;
	uint16_t *steps = calloc(plain.longest, sizeof(*steps));

	assert_int_equal(net_route_table_open(&c->routes, plain.hosts, NULL), TR_OK);
	c->routes.lanes = 1 + below(random, CASE_LANES);
	for (uint32_t pair = 0; pair < plain.hosts * plain.hosts; pair++) {
		const uint32_t from = pair / plain.hosts, to = pair % plain.hosts;
		const uint32_t count = net_routes_get(&plain, from, to, steps);

		for (uint32_t i = 0; count != NET_NO_ROUTE && i < count; i++)
			steps[i] = net_step(net_step_port(steps[i]),
					    below(random, c->routes.lanes));
		if (count != NET_NO_ROUTE)
			assert_int_equal(
				net_route_table_put(&c->routes, from, to, steps, count, NULL),
				TR_OK);
	}
	free(steps);
	net_routes_clear(&plain);
}

// A rule by which packets spread, and may choose.
static void draw_ways(struct lanes_case *c, struct tr_random *random)
{
	static const char *const rules[] = {"minimal:tie=packet",
					    "valiant",
					    "ugal",
					    "ugal:candidates=2,threshold=3",
					    "ugal:decision=global",
					    "ugal:progressive=yes",
					    "ugal:progressive=yes,decision=global"};
	const char *rule = rules[below(random, c->topology.group > 0 ? 7 : 5)];
	struct tr_error err = {.text = ""};

	snprintf(c->rule, sizeof(c->rule), "%s%clanes=%u", rule, strchr(rule, ':') ? ',' : ':',
		 1 + below(random, CASE_LANES));
	if (net_routing_make(&c->routes, &c->topology, c->rule, &err) != TR_OK)
		fail_msg("%s, %s: %s", c->network, c->rule, err.text);
}

static void draw_routes(struct lanes_case *c, struct tr_random *random)
{
	static const char *const rules[] = {"updown",
					    "shortest:tie=lowest",
					    "shortest:tie=hash",
					    "lash",
					    "dfsssp",
					    "escape",
					    "dateline",
					    "dateline:adaptive=yes",
					    "dimension"};
	const char *rule = rules[below(random, 9)];
	struct tr_error err = {.text = ""};

	if (below(random, c->topology.group > 0 ? 2 : 6) == 0) {
		draw_ways(c, random);
		return;
	}
	if (below(random, 3) == 0) {
		draw_choices(c, random, 1 + below(random, 2));
		return;
	}
	if ((strncmp(rule, "dateline", 8) == 0 || strcmp(rule, "dimension") == 0) && is_tree(c))
		rule = coin(random) || c->topology.group > 0 ? "updown" : "nca";
	snprintf(c->rule, sizeof(c->rule), "%s", rule);
	if (net_routing_make(&c->routes, &c->topology, c->rule, &err) != TR_OK)
		fail_msg("%s, %s: %s", c->network, c->rule, err.text);
	if (!c->routes.choices && below(random, 6) == 0)
		draw_step_lanes(c, random);
}

static void draw_pipeline(struct lanes_pipeline *pipeline, struct tr_random *random)
{
	*pipeline = (struct lanes_pipeline){
		.routing = below(random, 3),
		.allocation = below(random, 3),
		.header = 1 + below(random, 3) * below(random, 2),
		.arbitration = below(random, 2),
		.traversal = below(random, 2),
		.link = 1 + below(random, 2),
		.credit = 1 + below(random, 3),
	};
}

// Some hosts have priorities, and with two classes of messages lanes of their own.
static void draw_priorities(struct lanes_case *c, struct tr_random *random, uint32_t least)
{
	struct lanes_params *params = &c->params;
	size_t length = 0;

	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t host = below(random, c->topology.hosts);

		length += (size_t)snprintf(params->priority + length,
					   sizeof(params->priority) - length, "%shost%u:%u",
					   i > 0 ? "/" : "", host, below(random, 4));
	}
	if (params->lanes >= 2 * (least > 1 ? least : 1) && coin(random))
		params->classes = 2;
}

static void draw_params(struct lanes_case *c, struct tr_random *random, uint32_t largest)
{
	static const enum lanes_order orders[] = {LANES_ROUND_ROBIN, LANES_FIRST_COME, LANES_AGE,
						  LANES_PRIORITY, LANES_ISLIP};
	static const enum lanes_queues queues[] = {LANES_FIFO, LANES_FIFO, LANES_FIFO,
						   LANES_VIRTUAL, LANES_OUTPUT};
	struct lanes_params *params = &c->params;
	const uint32_t least = c->routes.choices ? net_choices_lanes(c->routes.choices)
						 : c->routes.lanes;

	*params = lanes_params_usual;
	draw_pipeline(&params->pipeline, random);
	params->switching = (enum lanes_switching)below(random, 3);
	if (least <= 1 && below(random, 6) == 0)
		params->switching = LANES_CIRCUIT;
	params->lanes = least + below(random, CASE_LANES);
	if (params->lanes == 0 || params->lanes > CASE_LANES)
		params->lanes = least > 1 ? least : 1;
	params->buffer_flits = 1 + below(random, 6);
	if (params->switching == LANES_CIRCUIT)
		params->lanes = 1;
	else if (params->switching != LANES_WORMHOLE)
		params->buffer_flits += largest - 1;
	params->flit_B = 1 + below(random, 3);
	params->lane_order = orders[below(random, 4)];
	params->link_order = orders[below(random, 5)];
	params->iterations = below(random, 3);
	params->sends = 1 + below(random, CASE_SENDS / 2);
	params->is.direct = below(random, 6) == 0;
	params->is.empty = coin(random);
	params->is.shared = params->is.empty && coin(random);
	params->search = 5 + below(random, 60);
	params->is.inside = coin(random) || params->switching == LANES_CIRCUIT;
	params->is.quick = params->is.inside && params->switching != LANES_CIRCUIT && coin(random);
	params->is.from_lane = coin(random);
	params->input_speedup = 1u << below(random, 3);
	params->is.eject = coin(random);
	if (params->switching != LANES_CIRCUIT && !params->is.shared)
		params->queues = queues[below(random, 5)];
	if (params->queues == LANES_FIFO && !params->is.shared &&
	    params->switching != LANES_CIRCUIT && below(random, params->is.direct ? 2 : 8) == 0)
		params->output_speedup = 2 + below(random, 3);
	if (params->queues == LANES_FIFO && !params->is.shared && !params->is.from_lane &&
	    below(random, 3) == 0)
		params->link_order = LANES_INPUTS;
	if (coin(random))
		draw_priorities(c, random, least);
}

static void draw_packets(struct lanes_case *c, struct tr_random *random, uint32_t largest)
{
	const uint64_t most = (uint64_t)c->cycle_ticks * (1 + below(random, 2 * largest));
	const uint64_t gap = below(random, 3) == 0 ? 1 : most;
	int64_t time_ticks = (int64_t)below(random, 100) - 50;

	c->count = 1 + below(random, CASE_PACKETS);
	for (uint32_t i = 0; i < c->count; i++) {
		c->packets[i] = (struct lanes_packet){
			.source = below(random, c->topology.hosts),
			.destination = below(random, c->topology.hosts),
			.size_bytes = 1 + below(random, largest * (uint32_t)c->params.flit_B),
			.time_ticks = time_ticks};
		time_ticks += (int64_t)tr_random_below(random, gap);
	}
}

void lanes_case_draw(struct lanes_case *c, uint64_t number)
{
	const uint32_t sizes[] = {1, 3, 8, 20};
	struct tr_random random;
	uint32_t largest;

	memset(c, 0, sizeof(*c));
	tr_random_open(&random, number, "lanes case");
	draw_network(c, &random);
	largest = sizes[below(&random, 4)];
	draw_routes(c, &random);
	draw_params(c, &random, largest);
	assert_int_equal(lanes_clock(&c->params, &c->topology, 1000000, &c->ticks_per_s, NULL),
			 TR_OK);
	c->ticks_per_s *= 1 + below(&random, 3);
	assert_int_equal(lanes_cycle_ticks(&c->params, c->ticks_per_s, &c->cycle_ticks, NULL),
			 TR_OK);
	draw_packets(c, &random, largest);
}

void lanes_case_close(struct lanes_case *c)
{
	net_routes_clear(&c->routes);
	net_graph_close(&c->graph);
	net_topology_clear(&c->topology);
}

struct feed {
	const struct lanes_case *c;
	uint32_t next;
	struct lanes_story *story;
};

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct feed *feed = context;
	const struct lanes_packet *packet = &feed->c->packets[feed->next];

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

static void append(struct lanes_story *story, const void *bytes, size_t size)
{
	story->bytes = realloc(story->bytes, story->size + size);
	assert_non_null(story->bytes);
	memcpy(story->bytes + story->size, bytes, size);
	story->size += size;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	(void)worm;
	(void)err;
	append(((struct feed *)context)->story, delivery, sizeof(*delivery));
	return TR_OK;
}

// Its time, its youngest packet, and for each packet whom it waits for where.
static void found(void *context, const struct net_wait_cycle *cycle)
{
	struct lanes_story *story = ((struct feed *)context)->story;
	const int64_t numbers[] = {cycle->clock_cycle, cycle->from_ticks, cycle->count,
				   cycle->youngest, cycle->ejected};

	append(story, numbers, sizeof(numbers));
	for (uint32_t i = 0; i < cycle->count; i++) {
		const struct net_wait_step *step = &cycle->steps[i];
		const uint32_t row[] = {(uint32_t)step->packet,
					step->source,
					step->destination,
					step->link,
					step->lane,
					step->queued};

		append(story, row, sizeof(row));
	}
	story->cycles++;
	story->longest = cycle->count > story->longest ? cycle->count : story->longest;
}

void lanes_case_run(const struct lanes_case *c, const struct net_engine *engine, uint64_t shuffle,
		    struct lanes_story *story)
{
	struct feed feed = {.c = c, .story = story};
	const struct net_setup setup = {.topology = &c->topology,
					.routes = &c->routes,
					.params = &c->params,
					.ticks_per_s = c->ticks_per_s,
					.traffic = {.next = next, .context = &feed},
					.results = {.done = done, .context = &feed},
					.shuffle = shuffle,
					.regions = shuffle == 0 ? 0 : 2 + (uint32_t)shuffle % 5,
					.threads = shuffle == 0 ? 0 : 1 + (uint32_t)shuffle % 3,
					.cycles = {found, &feed}};
	struct tr_error err = {.text = ""};

	*story = (struct lanes_story){0};
	if (engine->run(&setup, &story->totals, &err) != TR_OK)
		fail_msg("%s: %s", engine->name, err.text);
}

void lanes_story_clear(struct lanes_story *story)
{
	free(story->bytes);
	*story = (struct lanes_story){0};
}
