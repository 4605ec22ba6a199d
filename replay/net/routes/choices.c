// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/choices.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/hash.h"

static_assert(sizeof(struct net_option) == 4, "options are hashed and compared as bytes");

// A list of options: its place in the pool, and how many.
struct choices_list {
	uint32_t first;
	uint32_t count;
};

struct net_choices {
	struct net_graph graph;
	uint32_t lanes;
	uint32_t inputs;
	bool needs_empty;
	uint32_t *first_input;	 // of a link: that of its lane 0; NET_NOBODY where it does not join
				 // switches
	struct net_input *whats; // of an input
	uint32_t *entries;	 // [input * switches + destination]: a list; list 0 is empty
	struct choices_list *lists;
	uint32_t list_count;
	uint32_t list_room;
	struct net_option *pool;
	uint32_t used;
	uint32_t room;
	struct tr_hash *index; // of a switch: its lists; one for all would not fit the caches
	uint64_t puts;	       // so far
	uint64_t *marks;       // of a port and lane: the put that had it last
};

void net_choices_close(struct net_choices *choices)
{
	if (!choices)
		return;
	free(choices->first_input);
	free(choices->whats);
	free(choices->entries);
	free(choices->lists);
	free(choices->pool);
	free(choices->marks);
	for (uint32_t at = 0; choices->index && at < net_graph_switches(&choices->graph); at++)
		tr_hash_clear(&choices->index[at]);
	free(choices->index);
	net_graph_close(&choices->graph);
	free(choices);
}

static enum tr_status copy_graph(struct net_graph *to, const struct net_graph *from,
				 struct tr_error *err)
{
	const size_t ends = from->first[from->nodes];

	*to = *from;
	to->first = malloc((from->nodes + (size_t)1) * sizeof(*to->first));
	to->peers = malloc((ends + 1) * sizeof(*to->peers));
	if (!to->first || !to->peers)
		return tr_no_memory(err, "the choices of routes");
	memcpy(to->first, from->first, (from->nodes + (size_t)1) * sizeof(*to->first));
	if (ends > 0)
		memcpy(to->peers, from->peers, ends * sizeof(*to->peers));
	return TR_OK;
}

// Numbers the links between switches; whats has room for all inputs once they are counted.
static void number_inputs(struct net_choices *choices, bool counted)
{
	const struct net_graph *graph = &choices->graph;
	uint32_t next = net_graph_switches(graph);

	for (uint32_t at = 0; counted && at < next; at++)
		choices->whats[at] = (struct net_input){at, NET_NOBODY, 0};
	for (uint32_t node = graph->hosts; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(graph, node, port);

			if (net_graph_is_switch(graph, peer->node))
				choices->first_input[peer->link] = peer->node;
		}
	for (uint32_t link = 0; link < graph->links; link++) {
		const uint32_t node = choices->first_input[link];

		if (node == NET_NOBODY)
			continue;
		choices->first_input[link] = next;
		for (uint32_t lane = 0; lane < choices->lanes; lane++, next++)
			if (counted)
				choices->whats[next] = (struct net_input){node - graph->hosts, link,
									  lane};
	}
	choices->inputs = next;
}

static enum tr_status choices_take_memory(struct net_choices *choices,
					  const struct net_graph *graph, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);

	choices->first_input = malloc(((size_t)graph->links + 1) * sizeof(*choices->first_input));
	choices->lists = calloc(1, sizeof(*choices->lists));
	if (copy_graph(&choices->graph, graph, err) != TR_OK || !choices->first_input ||
	    !choices->lists)
		return tr_no_memory(err, "the choices of routes");
	choices->list_count = choices->list_room = 1;
	memset(choices->first_input, 0xff,
	       ((size_t)graph->links + 1) * sizeof(*choices->first_input));
	number_inputs(choices, false);
	choices->whats = malloc(((size_t)choices->inputs + 1) * sizeof(*choices->whats));
	choices->entries = calloc((size_t)choices->inputs * switches + 1,
				  sizeof(*choices->entries));
	choices->marks = calloc((size_t)NET_PORTS_MAX * choices->lanes, sizeof(*choices->marks));
	choices->index = calloc((size_t)switches + 1, sizeof(*choices->index));
	if (!choices->whats || !choices->entries || !choices->marks || !choices->index)
		return tr_no_memory(err, "the choices of routes");
	memset(choices->first_input, 0xff,
	       ((size_t)graph->links + 1) * sizeof(*choices->first_input));
	number_inputs(choices, true);
	return TR_OK;
}

struct net_choices *net_choices_open(const struct net_graph *graph, uint32_t lanes,
				     struct tr_error *err)
{
	struct net_choices *choices = calloc(1, sizeof(*choices));

	if (!choices) {
		(void)tr_no_memory(err, "the choices of routes");
		return NULL;
	}
	choices->lanes = lanes;
	if (choices_take_memory(choices, graph, err) == TR_OK)
		return choices;
	net_choices_close(choices);
	return NULL;
}

uint32_t net_choices_inputs(const struct net_choices *choices)
{
	return choices->inputs;
}

uint32_t net_choices_lanes(const struct net_choices *choices)
{
	return choices->lanes;
}

const struct net_graph *net_choices_graph(const struct net_choices *choices)
{
	return &choices->graph;
}

uint32_t net_choices_input(const struct net_choices *choices, uint32_t link, uint32_t lane)
{
	const uint32_t first = choices->first_input[link];

	return first == NET_NOBODY ? NET_NOBODY : first + lane;
}

bool net_choices_has_hosts(const struct net_choices *choices, uint32_t at)
{
	const uint32_t node = at + choices->graph.hosts;

	for (uint32_t port = 0; port < net_graph_ports(&choices->graph, node); port++)
		if (net_graph_peer(&choices->graph, node, port)->node < choices->graph.hosts)
			return true;
	return false;
}

struct net_input net_choices_what(const struct net_choices *choices, uint32_t input)
{
	return choices->whats[input];
}

void net_choices_need_empty(struct net_choices *choices, bool needed)
{
	choices->needs_empty = needed;
}

bool net_choices_empty_needed(const struct net_choices *choices)
{
	return choices->needs_empty;
}

static enum tr_status choices_check(struct net_choices *choices, uint32_t input,
				    const struct net_option *options, uint32_t count,
				    struct tr_error *err)
{
	const struct net_graph *graph = &choices->graph;
	const uint32_t node = choices->whats[input].at + graph->hosts;
	uint64_t *mark;

	choices->puts++;
	if (count > NET_OPTIONS_MAX)
		return tr_fail(err, "%u options; at most %u", count, NET_OPTIONS_MAX);
	for (uint32_t i = 0; i < count; i++) {
		if (options[i].port >= net_graph_ports(graph, node) ||
		    !net_graph_is_switch(graph, net_graph_peer(graph, node, options[i].port)->node))
			return tr_fail(err, "port %u of switch %u leads to no switch",
				       options[i].port, node - graph->hosts);
		if (options[i].lane >= choices->lanes)
			return tr_fail(err, "lane %u; the routes have %u", options[i].lane,
				       choices->lanes);
		mark = &choices->marks[options[i].port * choices->lanes + options[i].lane];
		if (*mark == choices->puts)
			return tr_fail(err, "port %u twice", options[i].port);
		*mark = choices->puts;
	}
	return TR_OK;
}

// Two options a word.
static uint64_t hash_options(const struct tr_hash *index, const struct net_option *options,
			     uint32_t count)
{
	const uint32_t rest = count % 2;
	uint64_t value = tr_hash_words(index, options, count / 2) + count;
	uint32_t last = 0;

	if (rest > 0)
		memcpy(&last, options + count - 1, sizeof(last));
	return tr_hash_fold(value ^ last, 0x9e3779b97f4a7c15u);
}

static enum tr_status choices_make_room(struct net_choices *choices, struct tr_hash *index,
					uint32_t count, struct tr_error *err)
{
	return choices->list_count < TR_HASH_NONE / 2 &&
			       GROW(choices->lists, choices->list_room, choices->list_count) &&
			       GROW_TO(choices->pool, choices->room,
				       (uint64_t)choices->used + count) &&
			       tr_hash_reserve(index)
		       ? TR_OK
		       : tr_no_memory(err, "the choices of routes");
}

enum tr_status net_choices_put(struct net_choices *choices, uint32_t input, uint32_t destination,
			       const struct net_option *options, uint32_t count,
			       struct tr_error *err)
{
	struct tr_hash *index = &choices->index[choices->whats[input].at];
	uint32_t *entry = &choices->entries[(size_t)input * net_graph_switches(&choices->graph) +
					    destination];
	uint32_t place;
	uint32_t at;
	uint64_t value;

	if (choices_check(choices, input, options, count, err) != TR_OK ||
	    choices_make_room(choices, index, count, err) != TR_OK)
		return TR_ERROR;
	if (count == 0) {
		*entry = 0;
		return TR_OK;
	}
	value = hash_options(index, options, count);
	at = tr_hash_first(value);
	while ((place = tr_hash_next(index, value, &at)) != TR_HASH_NONE)
		if (choices->lists[place].count == count &&
		    memcmp(choices->pool + choices->lists[place].first, options,
			   count * sizeof(*options)) == 0) {
			*entry = place;
			return TR_OK;
		}
	place = choices->list_count++;
	choices->lists[place] = (struct choices_list){choices->used, count};
	memcpy(choices->pool + choices->used, options, count * sizeof(*options));
	choices->used += count;
	tr_hash_add(index, value, place);
	*entry = place;
	return TR_OK;
}

enum tr_status net_choices_widen(struct net_choices *choices, uint32_t lanes, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&choices->graph);
	struct net_choices *wide, narrow = *choices;
	enum tr_status status = TR_OK;

	if (lanes <= choices->lanes)
		return TR_OK;
	wide = net_choices_open(&choices->graph, lanes, err);
	for (uint32_t i = 0; wide && status == TR_OK && i < choices->inputs * switches; i++) {
		const struct net_input what = choices->whats[i / switches];
		uint32_t count;
		const struct net_option *options = net_choices_get(choices, i / switches,
								   i % switches, &count);

		status = net_choices_put(wide,
					 what.link == NET_NOBODY
						 ? what.at
						 : net_choices_input(wide, what.link, what.lane),
					 i % switches, options, count, err);
	}
	if (wide && status == TR_OK) {
		wide->needs_empty = choices->needs_empty;
		*choices = *wide;
		*wide = narrow;
	}
	net_choices_close(wide);
	return wide ? status : TR_ERROR;
}

uint32_t net_choices_lists(const struct net_choices *choices)
{
	return choices->list_count;
}

uint32_t net_choices_list(const struct net_choices *choices, uint32_t input, uint32_t destination)
{
	return choices->entries[(size_t)input * net_graph_switches(&choices->graph) + destination];
}

const struct net_option *net_choices_options(const struct net_choices *choices, uint32_t list,
					     uint32_t *count)
{
	*count = choices->lists[list].count;
	return *count > 0 ? choices->pool + choices->lists[list].first : NULL;
}

const struct net_option *net_choices_get(const struct net_choices *choices, uint32_t input,
					 uint32_t destination, uint32_t *count)
{
	return net_choices_options(choices, net_choices_list(choices, input, destination), count);
}

uint32_t net_choices_next(const struct net_choices *choices, uint32_t at, struct net_option option)
{
	const struct net_peer *peer = net_graph_peer(&choices->graph, at + choices->graph.hosts,
						     option.port);

	return net_choices_input(choices, peer->link, option.lane);
}

uint32_t net_choices_hops(const struct net_choices *choices, uint32_t from, uint32_t to)
{
	uint32_t input = net_choices_host_input(from);
	uint32_t hops = 0;

	while (choices->whats[input].at != to) {
		uint32_t count;
		const struct net_option *best = net_choices_get(choices, input, to, &count);

		if (count == 0 || hops++ == choices->inputs)
			return NET_NO_ROUTE;
		input = net_choices_next(choices, choices->whats[input].at, *best);
	}
	return hops;
}

// The lists of the best options.

static uint32_t choices_get(const void *state, uint32_t source, uint32_t destination,
			    uint16_t *ports)
{
	const struct net_choices *choices = state;
	const struct net_peer *out = net_graph_peer(&choices->graph, source, 0);
	const struct net_peer *last = net_graph_peer(&choices->graph, destination, 0);
	uint32_t input;
	uint32_t hops = 0;

	if (out->node == destination)
		return 0;
	if (!net_graph_is_switch(&choices->graph, out->node) ||
	    !net_graph_is_switch(&choices->graph, last->node))
		return NET_NO_ROUTE;
	input = net_choices_host_input(out->node - choices->graph.hosts);
	while (choices->whats[input].at != last->node - choices->graph.hosts) {
		uint32_t count;
		const struct net_option *options = net_choices_get(
			choices, input, last->node - choices->graph.hosts, &count);

		if (count == 0)
			return NET_NO_ROUTE;
		ports[hops++] = options->port;
		input = net_choices_next(choices, choices->whats[input].at, *options);
	}
	ports[hops++] = (uint16_t)last->port;
	return hops;
}

static void choices_clear(void *state)
{
	net_choices_close(state);
}

static const struct net_routes_form form = {choices_get, choices_clear};

#define UNSEEN UINT32_MAX
#define ON_THE_WAY (UINT32_MAX - 1)

// Hops from an input to a destination by the first options into hops[], which holds those that are
// known; trail has room for all inputs.
static enum tr_status choices_follow(const struct net_choices *choices, uint32_t input,
				     uint32_t destination, uint32_t *hops, uint32_t *trail,
				     struct tr_error *err)
{
	uint32_t count = 0;
	uint32_t length;

	while (hops[input] == UNSEEN && choices->whats[input].at != destination) {
		uint32_t options;
		const struct net_option *best = net_choices_get(choices, input, destination,
								&options);

		if (options == 0)
			return tr_fail(err,
				       "switch %u has no option for a worm to switch %u that comes "
				       "from switch %u",
				       choices->whats[input].at, destination,
				       count > 0 ? choices->whats[trail[count - 1]].at
						 : choices->whats[input].at);
		hops[input] = ON_THE_WAY;
		trail[count++] = input;
		input = net_choices_next(choices, choices->whats[input].at, *best);
	}
	if (hops[input] == ON_THE_WAY)
		return tr_fail(err,
			       "the best options to switch %u lead in a cycle through switch %u",
			       destination, choices->whats[input].at);
	length = choices->whats[input].at == destination ? 0 : hops[input];
	while (count > 0)
		hops[trail[--count]] = ++length;
	return TR_OK;
}

static enum tr_status choices_measure(const struct net_choices *choices, uint32_t *longest,
				      struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&choices->graph);
	uint32_t *hops = malloc(2 * ((size_t)choices->inputs + 1) * sizeof(*hops));
	enum tr_status status = hops ? TR_OK : tr_no_memory(err, "the choices of routes");

	*longest = 1;
	for (uint32_t to = 0; to < switches && status == TR_OK; to++) {
		memset(hops, 0xff, choices->inputs * sizeof(*hops));
		for (uint32_t from = 0; from < switches && status == TR_OK; from++) {
			if (from == to || choices->entries[(size_t)from * switches + to] == 0)
				continue;
			status = choices_follow(choices, from, to, hops, hops + choices->inputs,
						err);
			if (status == TR_OK && hops[from] + 1 > *longest)
				*longest = hops[from] + 1;
		}
	}
	free(hops);
	return status;
}

enum tr_status net_choices_routes(struct net_routes *routes, struct net_choices *choices,
				  struct tr_error *err)
{
	*routes = (struct net_routes){.hosts = choices->graph.hosts,
				      .form = &form,
				      .state = choices,
				      .by_switch = true,
				      .choices = choices,
				      .lanes = choices->lanes};
	return choices_measure(choices, &routes->longest, err);
}
