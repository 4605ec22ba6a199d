// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice from the turns that are allowed.
#include "net/routings/channels.h"

#include <stdlib.h>

#include "net/routings/turn_search.h"

struct turning {
	const struct net_channels *channels;
	const struct net_turning *rule;
	struct net_choices *choices;
	struct net_turn_search search;
	uint32_t *inputs; // of a channel: its input
	uint32_t *ends;	  // switches with hosts
	uint32_t end_count;
	uint16_t *distances; // [end * channels + channel]: hops to the end, its own included
	struct net_option *options;
	uint16_t *lengths; // of the options
	uint32_t
		*sorted; // channels that leave a switch and lead to the end, the shortest way first
	uint32_t count;	 // of them
};

// Sorts the channels that leave a switch by the lengths of their ways, then by port.
static void sort_channels(struct turning *turning, uint32_t at, const uint16_t *distance)
{
	const struct net_channels *channels = turning->channels;

	turning->count = 0;
	for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++) {
		uint32_t place = turning->count;

		if (distance[c] == NET_CHANNELS_FAR)
			continue;
		for (; place > 0 && distance[turning->sorted[place - 1]] > distance[c]; place--)
			turning->sorted[place] = turning->sorted[place - 1];
		turning->sorted[place] = c;
		turning->count++;
	}
}

// Options of an input at a switch, whose channels are sorted; allowed is that of its turns, NULL
// for all. 0: there are none.
static uint32_t list_options(struct turning *turning, uint32_t at, const uint8_t *allowed,
			     const uint16_t *distance)
{
	const struct net_channels *channels = turning->channels;
	uint32_t count = 0;

	for (uint32_t i = 0; i < turning->count; i++) {
		const uint32_t c = turning->sorted[i];

		if (allowed && !allowed[c - channels->first[at]])
			continue;
		turning->lengths[count] = distance[c];
		turning->options[count++] = (struct net_option){
			.port = (uint16_t)channels->all[c].port};
	}
	while (turning->rule->prune && count > 0 && turning->lengths[count - 1] > 2 &&
	       turning->lengths[count - 1] >= 2 * turning->lengths[0])
		count--;
	return count;
}

// Options of all inputs of a switch to an end.
static enum tr_status channels_choices_put_end(struct turning *turning, uint32_t at, uint32_t to,
					       const uint16_t *distance, struct tr_error *err)
{
	const struct net_channels *channels = turning->channels;
	enum tr_status status = TR_OK;
	uint32_t count;

	sort_channels(turning, at, distance);
	if (channels->hosts_at[at] > 0) {
		count = list_options(turning, at, NULL, distance);
		status = count > 0 ? net_choices_put(turning->choices, net_choices_host_input(at),
						     to, turning->options, count, err)
				   : tr_fail(err, "no route from switch %u to switch %u", at, to);
	}
	for (uint32_t out = channels->first[at]; out < channels->first[at + 1] && status == TR_OK;
	     out++) {
		const uint32_t c = channels->all[out].back;

		if (distance[c] == NET_CHANNELS_FAR || channels->all[c].from == to)
			continue;
		count = list_options(turning, at, turning->rule->allowed + channels->turn[c],
				     distance);
		if (count > 0)
			status = net_choices_put(turning->choices, turning->inputs[c], to,
						 turning->options, count, err);
	}
	return status;
}

// Options at a switch, one switch after the other: their lists are found faster so.
static enum tr_status channels_choices_put_switch(struct turning *turning, uint32_t at,
						  struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t end = 0; end < turning->end_count && status == TR_OK; end++)
		if (turning->ends[end] != at)
			status = channels_choices_put_end(
				turning, at, turning->ends[end],
				turning->distances + (size_t)end * turning->channels->count, err);
	return status;
}

static enum tr_status open_turning(struct turning *turning, struct tr_error *err)
{
	const struct net_channels *channels = turning->channels;
	const struct net_graph *graph = &channels->graph;

	turning->inputs = calloc((size_t)channels->count + 1, sizeof(*turning->inputs));
	turning->ends = calloc((size_t)channels->switches + 1, sizeof(*turning->ends));
	for (uint32_t at = 0; turning->ends && at < channels->switches; at++)
		if (channels->hosts_at[at] > 0)
			turning->ends[turning->end_count++] = at;
	turning->distances = malloc(((size_t)turning->end_count * channels->count + 1) *
				    sizeof(*turning->distances));
	turning->sorted = calloc(NET_PORTS_MAX, sizeof(*turning->sorted));
	turning->options = calloc(NET_PORTS_MAX, sizeof(*turning->options));
	turning->lengths = calloc(NET_PORTS_MAX, sizeof(*turning->lengths));
	if (!turning->inputs || !turning->ends || !turning->distances || !turning->sorted ||
	    !turning->options || !turning->lengths)
		return tr_no_memory(err, "the choices of routes");
	if (net_turn_search_open(&turning->search, channels, err) != TR_OK)
		return TR_ERROR;
	turning->choices = net_choices_open(graph, 1, err);
	for (uint32_t c = 0; turning->choices && c < channels->count; c++)
		turning->inputs[c] = net_choices_input(
			turning->choices,
			net_graph_peer(graph, channels->all[c].from + graph->hosts,
				       channels->all[c].port)
				->link,
			0);
	return turning->choices ? TR_OK : TR_ERROR;
}

enum tr_status net_channels_choices(struct net_routes *routes, const struct net_channels *channels,
				    const struct net_turning *rule, struct tr_error *err)
{
	struct turning turning = {.channels = channels, .rule = rule};
	enum tr_status status = open_turning(&turning, err);

	*routes = (struct net_routes){0};
	if (status == TR_OK)
		net_turn_search_allow(&turning.search, rule->allowed);
	for (uint32_t end = 0; end < turning.end_count && status == TR_OK; end++)
		net_turn_search_run(&turning.search, turning.ends[end],
				    turning.distances + (size_t)end * channels->count);
	for (uint32_t at = 0; at < channels->switches && status == TR_OK; at++)
		status = channels_choices_put_switch(&turning, at, err);
	if (status == TR_OK)
		status = net_choices_routes(routes, turning.choices, err);
	else
		net_choices_close(turning.choices);
	net_turn_search_close(&turning.search);
	free(turning.inputs);
	free(turning.ends);
	free(turning.distances);
	free(turning.sorted);
	free(turning.options);
	free(turning.lengths);
	return status;
}
