// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a trail given as text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/trail.h"
#include "value/num.h"

struct trail_text_reading {
	const struct net_graph *graph;
	struct net_trail *trail;
	uint32_t *ports;     // of each step: NET_NOBODY where none is named
	unsigned char *used; // of each cable
};

// One word of the trail, "5" or "5.3".
static enum tr_status trail_text_read_word(struct trail_text_reading *reading, const char *word,
					   size_t length, uint32_t step, struct tr_error *err)
{
	const struct net_graph *graph = reading->graph;
	char text[32];
	char *dot;
	uint64_t at = 0;
	uint64_t port = NET_NOBODY;

	(void)snprintf(text, sizeof(text), "%.*s", (int)length, word);
	dot = strchr(text, '.');
	if (dot)
		*dot++ = '\0';
	if (length >= sizeof(text) ||
	    num_parse_count(text, 0, net_graph_switches(graph) - 1, &at, NULL) != TR_OK)
		return tr_fail(err, "the trail's word %u, \"%.*s\": expected a switch, 0 to %u",
			       step + 1, (int)(length < 40 ? length : 40), word,
			       net_graph_switches(graph) - 1);
	if (dot && num_parse_count(dot, 0, net_graph_ports(graph, (uint32_t)at + graph->hosts) - 1,
				   &port, NULL) != TR_OK)
		return tr_fail(err, "the trail's word %u, \"%.*s\": switch %u has no such port",
			       step + 1, (int)length, word, (uint32_t)at);
	reading->trail->at[step] = (uint32_t)at;
	reading->ports[step] = (uint32_t)port;
	return TR_OK;
}

// Takes the cable of a step. TR_ERROR where it is taken.
static enum tr_status trail_text_take(struct trail_text_reading *reading, uint32_t step,
				      const struct net_peer *peer, struct tr_error *err)
{
	if (reading->used[peer->link / 2])
		return tr_fail(err,
			       "the trail's step %u, from switch %u to %u, takes a cable for the "
			       "second time",
			       step + 1, reading->trail->at[step], reading->trail->at[step + 1]);
	reading->used[peer->link / 2] = 1;
	reading->trail->links[step] = peer->link;
	return TR_OK;
}

static enum tr_status take_named(struct trail_text_reading *reading, uint32_t step,
				 struct tr_error *err)
{
	const struct net_graph *graph = reading->graph;
	const uint32_t at = reading->trail->at[step];
	const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
						     reading->ports[step]);

	if (!net_trail_is_edge(graph, at, peer) ||
	    peer->node - graph->hosts != reading->trail->at[step + 1])
		return tr_fail(
			err, "the trail's step %u: port %u of switch %u does not lead to switch %u",
			step + 1, reading->ports[step], at, reading->trail->at[step + 1]);
	return trail_text_take(reading, step, peer, err);
}

static enum tr_status take_lowest(struct trail_text_reading *reading, uint32_t step,
				  struct tr_error *err)
{
	const struct net_graph *graph = reading->graph;
	const uint32_t at = reading->trail->at[step];
	const struct net_peer *found = NULL;

	for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
		const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts, port);

		if (!net_trail_is_edge(graph, at, peer) ||
		    peer->node - graph->hosts != reading->trail->at[step + 1])
			continue;
		if (!reading->used[peer->link / 2])
			return trail_text_take(reading, step, peer, err);
		found = peer;
	}
	if (found)
		return trail_text_take(reading, step, found, err);
	return tr_fail(err, "the trail's step %u: no cable joins switches %u and %u", step + 1, at,
		       reading->trail->at[step + 1]);
}

static enum tr_status trail_text_take_steps(struct trail_text_reading *reading,
					    struct tr_error *err)
{
	for (uint32_t step = 0; step < reading->trail->steps; step++)
		if (reading->ports[step] != NET_NOBODY && take_named(reading, step, err) != TR_OK)
			return TR_ERROR;
	for (uint32_t step = 0; step < reading->trail->steps; step++)
		if (reading->ports[step] == NET_NOBODY && take_lowest(reading, step, err) != TR_OK)
			return TR_ERROR;
	if (reading->ports[reading->trail->steps] != NET_NOBODY)
		return tr_fail(err, "the trail ends at switch %u, so it names no port of it",
			       reading->trail->at[reading->trail->steps]);
	return TR_OK;
}

// Every cable between switches must be in the trail, and so every switch.
static enum tr_status check_whole(const struct trail_text_reading *reading, struct tr_error *err)
{
	const struct net_graph *graph = reading->graph;

	for (uint32_t at = 0; at < net_graph_switches(graph); at++) {
		uint32_t edges = 0;

		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
								     port);

			if (!net_trail_is_edge(graph, at, peer))
				continue;
			if (!reading->used[peer->link / 2])
				return tr_fail(
					err,
					"the trail leaves out a cable between switches %u and %u",
					at, peer->node - graph->hosts);
			edges++;
		}
		if (edges == 0 && net_graph_switches(graph) > 1)
			return tr_fail(err, "no Eulerian trail: switch %u is not joined to another",
				       at);
	}
	return TR_OK;
}

static enum tr_status read_words(struct trail_text_reading *reading, const char *text,
				 struct tr_error *err)
{
	uint32_t step = 0;

	for (const char *word = text;; word++, step++) {
		const size_t length = strcspn(word, "-");

		if (trail_text_read_word(reading, word, length, step, err) != TR_OK)
			return TR_ERROR;
		word += length;
		if (*word == '\0')
			return TR_OK;
	}
}

enum tr_status net_trail_parse(struct net_trail *trail, const struct net_graph *graph,
			       const char *text, struct tr_error *err)
{
	struct trail_text_reading reading = {.graph = graph, .trail = trail};
	enum tr_status status = TR_OK;
	size_t words = 1;

	*trail = (struct net_trail){0};
	if (net_graph_switches(graph) == 0)
		return tr_fail(err, "no Eulerian trail: the network has no switches");
	for (const char *c = text; *c != '\0'; c++)
		words += *c == '-';
	trail->steps = (uint32_t)words - 1;
	trail->at = calloc(words, sizeof(*trail->at));
	trail->links = calloc(words, sizeof(*trail->links));
	reading.ports = calloc(words, sizeof(*reading.ports));
	reading.used = calloc(graph->links / 2 + (size_t)1, 1);
	if (!trail->at || !trail->links || !reading.ports || !reading.used)
		status = tr_no_memory(err, "the trail");
	if (status == TR_OK)
		status = read_words(&reading, text, err);
	if (status == TR_OK)
		status = trail_text_take_steps(&reading, err);
	if (status == TR_OK)
		status = check_whole(&reading, err);
	free(reading.ports);
	free(reading.used);
	return status;
}
