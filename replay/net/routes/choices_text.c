// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice in the text form of routes: "choice SWITCH IN[,IN...] DESTINATION
// OPTION...".
#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routes/routes_reading.h"
#include "value/num.h"

#define INPUTS_OF_A_LINE 1024u // so that it stays below TR_LINE_MAX

// PORT[.LANE]; false if word has another form.
static bool choices_text_read_port(char *word, uint32_t *port, uint32_t *lane)
{
	char *dot = strchr(word, '.');
	uint64_t numbers[2] = {0, 0};
	bool read;

	if (dot)
		*dot = '\0';
	read = num_parse_count(word, 0, NET_PORTS_MAX - 1, &numbers[0], NULL) == TR_OK &&
	       (!dot || num_parse_count(dot + 1, 0, NET_LANES_MAX - 1, &numbers[1], NULL) == TR_OK);
	if (dot)
		*dot = '.';
	*port = (uint32_t)numbers[0];
	*lane = (uint32_t)numbers[1];
	return read;
}

// The input that word names at a switch.
static enum tr_status choices_text_read_input(const struct net_routes_reading *reading,
					      const struct net_choices *choices, uint32_t at,
					      char *word, uint32_t *input, struct tr_error *err)
{
	const struct net_graph *graph = &reading->graph;
	const uint32_t node = at + graph->hosts;
	uint32_t port;
	uint32_t lane;

	if (strcmp(word, "host") == 0) {
		*input = net_choices_host_input(at);
		return TR_OK;
	}
	if (!choices_text_read_port(word, &port, &lane))
		return net_reading_fail(
			reading, err, "expected host or PORT[.LANE] as the input, found \"%.40s\"",
			word);
	if (port >= net_graph_ports(graph, node) ||
	    !net_graph_is_switch(graph, net_graph_peer(graph, node, port)->node))
		return net_reading_fail(reading, err,
					"port %u of switch %u has no cable to a switch", port, at);
	if (lane >= net_choices_lanes(choices))
		return net_reading_fail(reading, err, "lane %u; the routes have %u", lane,
					net_choices_lanes(choices));
	*input = net_choices_input(choices, net_graph_peer(graph, node, port)->link ^ 1, lane);
	return TR_OK;
}

static enum tr_status read_options(const struct net_routes_reading *reading, char *rest,
				   struct net_option *options, uint32_t *count,
				   struct tr_error *err)
{
	char *word;

	*count = 0;
	while ((word = net_reading_word(&rest)) != NULL) {
		const size_t bytes = strlen(word);
		const bool escape = word[bytes - 1] == '!';
		uint32_t port;
		uint32_t lane;

		if (*count == NET_OPTIONS_MAX)
			return net_reading_fail(reading, err, "more than %u options",
						NET_OPTIONS_MAX);
		if (escape)
			word[bytes - 1] = '\0';
		if (!choices_text_read_port(word, &port, &lane))
			return net_reading_fail(
				reading, err,
				"expected PORT[.LANE][!] as an option, found \"%.40s%s\"", word,
				escape ? "!" : "");
		options[(*count)++] = (struct net_option){(uint16_t)port, (uint8_t)lane, escape};
	}
	return *count > 0 ? TR_OK
			  : net_reading_fail(reading, err,
					     "expected \"choice SWITCH IN DESTINATION OPTION...\"");
}

enum tr_status net_choice_read(const struct net_routes_reading *reading,
			       struct net_choices *choices, char *rest, struct tr_error *err)
{
	const char *name = net_reading_word(&rest);
	char *inputs = net_reading_word(&rest);
	const char *to = net_reading_word(&rest);
	struct net_option options[NET_OPTIONS_MAX];
	struct tr_error why;
	uint32_t at, destination, count;

	if (!to)
		return net_reading_fail(reading, err,
					"expected \"choice SWITCH IN DESTINATION OPTION...\"");
	if (net_reading_switch(reading, name, &at, err) != TR_OK ||
	    net_reading_switch(reading, to, &destination, err) != TR_OK ||
	    read_options(reading, rest, options, &count, err) != TR_OK)
		return TR_ERROR;
	if (at == destination)
		return net_reading_fail(reading, err,
					"a choice of switch %u for worms that have come to it", at);
	while (inputs) {
		char *word = strsep(&inputs, ",");
		uint32_t input = NET_NOBODY;

		if (choices_text_read_input(reading, choices, at, word, &input, err) != TR_OK)
			return TR_ERROR;
		if (net_choices_list(choices, input, destination) != 0)
			return net_reading_fail(
				reading, err,
				"a second choice of switch %u for this input and switch %u", at,
				destination);
		if (net_choices_put(choices, input, destination, options, count, &why) != TR_OK)
			return net_reading_fail(reading, err, "%s", why.text);
	}
	return TR_OK;
}

// What the writer works with. Inputs of a switch are in the order hosts, then by port and lane.
struct choice_writing {
	const struct net_choices *choices;
	const struct net_topology *topology;
	struct net_line *line;
	FILE *out;
	uint32_t *inputs; // of the switch at work
	uint32_t *ports;  // by which they come in
	uint32_t count;
	uint32_t *next;	      // the next of these, by its place, with the same options
	uint32_t *last_and_1; // of a list of options: the last of these with it
};

static void gather_inputs(struct choice_writing *writing, uint32_t at)
{
	const struct net_graph *graph = net_choices_graph(writing->choices);
	const uint32_t node = at + graph->hosts;

	writing->count = 1;
	writing->inputs[0] = net_choices_host_input(at);
	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(graph, node, port);

		if (!net_graph_is_switch(graph, peer->node))
			continue;
		for (uint32_t lane = 0; lane < net_choices_lanes(writing->choices); lane++) {
			writing->ports[writing->count] = port;
			writing->inputs[writing->count++] = net_choices_input(writing->choices,
									      peer->link ^ 1, lane);
		}
	}
}

static void put_port(struct net_line *line, char before, uint32_t port, uint32_t lane)
{
	net_line_number(line, before, port);
	if (lane > 0)
		net_line_number(line, '.', lane);
}

// A line for the inputs from place on that have its options, up to INPUTS_OF_A_LINE. Returns the
// first behind these, 0: none.
static uint32_t choices_text_write_line(struct choice_writing *writing, uint32_t at, uint32_t place,
					uint32_t destination)
{
	const struct net_graph *graph = net_choices_graph(writing->choices);
	struct net_line *line = writing->line;
	char name[NET_NAME_MAX + 1];
	const struct net_option *options;
	char before = ' ';
	uint32_t count;

	options = net_choices_get(writing->choices, writing->inputs[place], destination, &count);
	net_line_put(line, "choice ");
	net_line_put(line,
		     net_topology_name(writing->topology, at + graph->hosts, name, sizeof(name)));
	if (place == 0) {
		net_line_put(line, " host");
		before = ',';
		place = writing->next[place];
	}
	for (uint32_t written = 0; place != 0 && written < INPUTS_OF_A_LINE;
	     written++, place = writing->next[place]) {
		put_port(line, before, writing->ports[place],
			 net_choices_what(writing->choices, writing->inputs[place]).lane);
		before = ',';
	}
	net_line_put(line, " ");
	net_line_put(line, net_topology_name(writing->topology, destination + graph->hosts, name,
					     sizeof(name)));
	for (uint32_t i = 0; i < count; i++) {
		put_port(line, ' ', options[i].port, options[i].lane);
		if (options[i].escape)
			net_line_put(line, "!");
	}
	net_line_end(line, writing->out);
	return place;
}

// The lines of a switch for a destination: inputs with equal options share one.
static void choices_text_write_entry(struct choice_writing *writing, uint32_t at,
				     uint32_t destination)
{
	const struct net_choices *choices = writing->choices;

	for (uint32_t i = 0; i < writing->count; i++) {
		const uint32_t list = net_choices_list(choices, writing->inputs[i], destination);

		writing->next[i] = 0;
		if (list != 0 && writing->last_and_1[list] != 0)
			writing->next[writing->last_and_1[list] - 1] = i;
		writing->last_and_1[list] = i + 1;
	}
	// Each list's chain begins at the place that none before it has; last_and_1 is 0 again once
	// it is written.
	for (uint32_t i = 0; i < writing->count; i++) {
		const uint32_t list = net_choices_list(choices, writing->inputs[i], destination);
		uint32_t place = i;

		if (writing->last_and_1[list] == 0)
			continue;
		writing->last_and_1[list] = 0;
		if (list == 0)
			continue;
		do
			place = choices_text_write_line(writing, at, place, destination);
		while (place != 0);
	}
}

enum tr_status net_choices_write(struct net_routes_writing *writing, struct net_line *line,
				 struct tr_error *err)
{
	const struct net_choices *choices = writing->routes->choices;
	const uint32_t switches = net_graph_switches(&writing->graph);
	const size_t most = 1 + (size_t)NET_PORTS_MAX * net_choices_lanes(choices);
	uint32_t *places = calloc(3 * most, sizeof(*places));
	struct choice_writing work = {choices, writing->topology, line, writing->out,
				      places,  places + most,	  0,	places + 2 * most,
				      NULL};

	work.last_and_1 = calloc(net_choices_lists(choices), sizeof(*work.last_and_1));
	if (places && work.last_and_1) {
		fprintf(writing->out, "buffers %s\n",
			net_choices_empty_needed(choices) ? "empty" : "any");
		for (uint32_t at = 0; at < switches; at++) {
			gather_inputs(&work, at);
			for (uint32_t to = 0; to < switches; to++)
				if (to != at)
					choices_text_write_entry(&work, at, to);
		}
	}
	const bool whole = places && work.last_and_1;

	free(places);
	free(work.last_and_1);
	return whole ? TR_OK : tr_no_memory(err, "the choices of routes");
}
