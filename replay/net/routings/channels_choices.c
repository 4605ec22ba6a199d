// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice from the turns that are allowed.
#include "net/routings/channels.h"

#include <stdlib.h>
#include <string.h>

struct turning {
	const struct net_channels *channels;
	const struct net_turning *rule;
	struct net_choices *choices;
	uint32_t *inputs;   // of a channel: its input
	uint16_t *distance; // of a channel: hops to the destination, its own included
	uint32_t *queue;
	struct net_option *options;
	uint16_t *lengths; // of the options
};

// Hops from each channel to the end of those that lead into a switch, against the worms' direction.
static void measure(struct turning *turning, uint32_t to)
{
	const struct net_channels *channels = turning->channels;
	uint16_t *distance = turning->distance;
	uint32_t tail = 0;

	memset(distance, 0xff, channels->count * sizeof(*distance));
	for (uint32_t c = channels->first[to]; c < channels->first[to + 1]; c++) {
		turning->queue[tail] = channels->all[c].back;
		distance[turning->queue[tail++]] = 1;
	}
	for (uint32_t head = 0; head < tail; head++) {
		const uint32_t next = turning->queue[head];
		const uint32_t at = channels->all[next].from;
		const uint32_t place = next - channels->first[at];

		for (uint32_t c = channels->first[at]; c < channels->first[at + 1] && distance[next] < NET_CHANNELS_FAR - 1;
		     c++) {
			const uint32_t before = channels->all[c].back;

			if (distance[before] != NET_CHANNELS_FAR || !turning->rule->allowed[channels->turn[before] + place])
				continue;
			distance[before] = (uint16_t)(distance[next] + 1);
			turning->queue[tail++] = before;
		}
	}
}

// Puts an option in its place among count; the number is then one more.
static void insert(struct turning *turning, uint32_t count, uint32_t port, uint16_t length)
{
	while (count > 0 && turning->lengths[count - 1] > length) {
		turning->lengths[count] = turning->lengths[count - 1];
		turning->options[count] = turning->options[count - 1];
		count--;
	}
	turning->lengths[count] = length;
	turning->options[count] = (struct net_option){.port = (uint16_t)port};
}

// Options of an input at a switch; allowed is that of its turns, NULL for all.
static enum tr_status put(struct turning *turning, uint32_t input, uint32_t at, const uint8_t *allowed, uint32_t to,
			  struct tr_error *err)
{
	const struct net_channels *channels = turning->channels;
	const uint32_t first = channels->first[at];
	uint32_t count = 0;

	for (uint32_t c = first; c < channels->first[at + 1]; c++)
		if ((!allowed || allowed[c - first]) && turning->distance[c] != NET_CHANNELS_FAR)
			insert(turning, count++, channels->all[c].port, turning->distance[c]);
	while (turning->rule->prune && count > 0 && turning->lengths[count - 1] > 2 &&
	       turning->lengths[count - 1] >= 2 * turning->lengths[0])
		count--;
	return count > 0 ? net_choices_put(turning->choices, input, to, turning->options, count, err) : TR_OK;
}

static enum tr_status put_all(struct turning *turning, uint32_t to, struct tr_error *err)
{
	const struct net_channels *channels = turning->channels;
	enum tr_status status = TR_OK;

	measure(turning, to);
	for (uint32_t at = 0; at < channels->switches && status == TR_OK; at++) {
		uint32_t options;

		if (at == to || channels->hosts_at[at] == 0)
			continue;
		status = put(turning, net_choices_host_input(at), at, NULL, to, err);
		if (status == TR_OK && !net_choices_get(turning->choices, net_choices_host_input(at), to, &options))
			status = tr_fail(err, "no route from switch %u to switch %u", at, to);
	}
	for (uint32_t c = 0; c < channels->count && status == TR_OK; c++)
		if (channels->all[c].to != to && channels->all[c].from != to && turning->distance[c] != NET_CHANNELS_FAR)
			status = put(turning, turning->inputs[c], channels->all[c].to,
				     turning->rule->allowed + channels->turn[c], to, err);
	return status;
}

static enum tr_status open_turning(struct turning *turning, struct tr_error *err)
{
	const struct net_channels *channels = turning->channels;
	const struct net_graph *graph = &channels->graph;

	turning->inputs = calloc((size_t)channels->count + 1, sizeof(*turning->inputs));
	turning->distance = calloc((size_t)channels->count + 1, sizeof(*turning->distance));
	turning->queue = calloc((size_t)channels->count + 1, sizeof(*turning->queue));
	turning->options = calloc(NET_PORTS_MAX, sizeof(*turning->options));
	turning->lengths = calloc(NET_PORTS_MAX, sizeof(*turning->lengths));
	if (!turning->inputs || !turning->distance || !turning->queue || !turning->options || !turning->lengths)
		return tr_no_memory(err, "the choices of routes");
	turning->choices = net_choices_open(graph, 1, err);
	for (uint32_t c = 0; turning->choices && c < channels->count; c++)
		turning->inputs[c] = net_choices_input(
			turning->choices,
			net_graph_peer(graph, channels->all[c].from + graph->hosts, channels->all[c].port)->link, 0);
	return turning->choices ? TR_OK : TR_ERROR;
}

enum tr_status net_channels_choices(struct net_routes *routes, const struct net_channels *channels,
				    const struct net_turning *rule, struct tr_error *err)
{
	struct turning turning = {.channels = channels, .rule = rule};
	enum tr_status status = open_turning(&turning, err);

	*routes = (struct net_routes){0};
	for (uint32_t to = 0; to < channels->switches && status == TR_OK; to++)
		if (channels->hosts_at[to] > 0)
			status = put_all(&turning, to, err);
	if (status == TR_OK)
		status = net_choices_routes(routes, turning.choices, err);
	else
		net_choices_close(turning.choices);
	free(turning.inputs);
	free(turning.distance);
	free(turning.queue);
	free(turning.options);
	free(turning.lengths);
	return status;
}
