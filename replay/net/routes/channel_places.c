// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/immunity_point.h"

#include <stdlib.h>

void channel_places_close(struct channel_places *places)
{
	free(places->first);
	free(places->input_of);
	free(places->place_of);
	free(places->from);
	free(places->to);
	free(places->bit);
	free(places->outputs);
	free(places->place_at);
	free(places->masks);
	*places = (struct channel_places){0};
}

uint32_t channel_of_option(const struct channel_places *places, uint32_t at,
			   struct net_option option)
{
	return places
		->place_at[places->outputs[at] +
			   option.port * (size_t)net_choices_lanes(places->choices) + option.lane];
}

// Words of a mask with all outputs that any option takes.
static uint32_t count_words(const struct net_choices *choices)
{
	uint32_t most = 0;

	for (uint32_t list = 0; list < net_choices_lists(choices); list++) {
		uint32_t count;
		const struct net_option *options = net_choices_options(choices, list, &count);

		for (uint32_t i = 0; i < count; i++)
			if (options[i].port > most)
				most = options[i].port;
	}
	return (most + 1) * net_choices_lanes(choices) / 64 + 1;
}

static bool channel_places_take_memory(struct channel_places *places)
{
	const struct net_graph *graph = net_choices_graph(places->choices);
	const size_t switches = (size_t)places->switches + 2;
	const size_t channels = (size_t)places->count + 1;
	const size_t ports = graph->first[graph->nodes] - graph->first[graph->hosts];

	places->first = calloc(switches, sizeof(*places->first));
	places->input_of = calloc(channels, sizeof(*places->input_of));
	places->place_of = calloc(channels + switches, sizeof(*places->place_of));
	places->from = calloc(channels, sizeof(*places->from));
	places->to = calloc(channels, sizeof(*places->to));
	places->bit = calloc(channels, sizeof(*places->bit));
	places->outputs = calloc(switches, sizeof(*places->outputs));
	places->place_at = calloc(ports * net_choices_lanes(places->choices) + 1,
				  sizeof(*places->place_at));
	places->masks = calloc((size_t)net_choices_lists(places->choices) * places->words,
			       sizeof(*places->masks));
	return places->first && places->input_of && places->place_of && places->from &&
	       places->to && places->bit && places->outputs && places->place_at && places->masks;
}

static void place_inputs(struct channel_places *places)
{
	const uint32_t inputs = places->count + places->switches;

	for (uint32_t input = places->switches; input < inputs; input++)
		places->first[net_choices_what(places->choices, input).at + 2]++;
	for (uint32_t at = 0; at < places->switches; at++)
		places->first[at + 1] += places->first[at];
	for (uint32_t input = places->switches; input < inputs; input++) {
		const uint32_t at = net_choices_what(places->choices, input).at;
		const uint32_t place = places->first[at + 1]++;

		places->input_of[place] = input;
		places->place_of[input] = place;
		places->to[place] = at;
	}
}

static void place_outputs(struct channel_places *places)
{
	const struct net_graph *graph = net_choices_graph(places->choices);
	const uint32_t lanes = net_choices_lanes(places->choices);

	for (uint32_t at = 0; at < places->switches; at++) {
		const uint32_t node = at + graph->hosts;

		places->outputs[at] = (graph->first[node] - graph->first[graph->hosts]) * lanes;
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(graph, node, port);

			if (!net_graph_is_switch(graph, peer->node))
				continue;
			for (uint32_t lane = 0; lane < lanes; lane++) {
				const uint32_t place = places->place_of[net_choices_input(
					places->choices, peer->link, lane)];

				places->from[place] = at;
				places->bit[place] = port * lanes + lane;
				places->place_at[places->outputs[at] + places->bit[place]] = place;
			}
		}
	}
}

static void fill_masks(struct channel_places *places)
{
	const uint32_t lanes = net_choices_lanes(places->choices);

	for (uint32_t list = 0; list < net_choices_lists(places->choices); list++) {
		uint64_t *mask = places->masks + (size_t)list * places->words;
		uint32_t count;
		const struct net_option *options = net_choices_options(places->choices, list,
								       &count);

		for (uint32_t i = 0; i < count; i++) {
			const uint32_t bit = options[i].port * lanes + options[i].lane;

			mask[bit / 64] |= UINT64_C(1) << bit % 64;
		}
	}
}

enum tr_status channel_places_open(struct channel_places *places, const struct net_choices *choices,
				   struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(net_choices_graph(choices));

	*places = (struct channel_places){.choices = choices,
					  .switches = switches,
					  .count = net_choices_inputs(choices) - switches,
					  .words = count_words(choices)};
	if (!channel_places_take_memory(places))
		return tr_no_memory(err, "the channels of routes with a choice");
	place_inputs(places);
	place_outputs(places);
	fill_masks(places);
	return TR_OK;
}
