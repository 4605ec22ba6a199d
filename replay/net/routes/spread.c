// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to one switch are followed channel by channel in layers, from all hosts at once: packets
// that have come to a place by the same channel go on alike. What they do apart from their
// destination, on the way to a waypoint, is followed once for all destinations, from one switch at
// a time; where that ends, at arrivals, is where packets to each destination go on.
#include "net/routes/spread_visit.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"

#define SPREAD_MOST ((uint64_t)1 << 32) // steps: hours where each looks at the ports of a switch

// Ways that begin at many places are followed from each: to each switch with hosts, on all others.
static enum tr_status spread_check(const struct spread_visit *visit, struct tr_error *err)
{
	const struct net_routes *routes = visit->routes;
	const struct net_routes_ways *ways = routes->form->ways;
	const uint32_t switches = net_graph_switches(visit->graph);
	const uint32_t starts = ways->starts ? ways->starts(routes->state) : 1;
	uint64_t ends = 0;

	for (uint32_t i = 0; i < switches; i++)
		ends += visit->first_host[i] != NET_NOBODY;
	if (starts == 1 || ends == 0 ||
	    (uint64_t)starts * (ways->apart ? 8 : routes->longest) <= SPREAD_MOST / ends / switches)
		return TR_OK;
	return tr_fail(err,
		       "ways from each of %u switches over each of %u to each of %llu, of up to "
		       "%u switches, are too many to follow; try a smaller network of this kind",
		       switches, starts, (unsigned long long)ends, routes->longest);
}

static enum tr_status spread_open(struct spread_visit *visit, struct tr_error *err)
{
	const struct net_graph *graph = visit->graph;
	const size_t switches = (size_t)net_graph_switches(graph) + 1;

	visit->table_size = 1024;
	visit->table = calloc(visit->table_size, sizeof(*visit->table));
	visit->first_host = malloc(switches * sizeof(*visit->first_host));
	visit->next_host = calloc((size_t)graph->hosts + 1, sizeof(*visit->next_host));
	if (!visit->table || !visit->first_host || !visit->next_host)
		return tr_no_memory(err, "the ways of packets");
	memset(visit->first_host, 0xff, switches * sizeof(*visit->first_host));
	for (uint32_t host = graph->hosts; host-- > 0;) {
		const uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (!net_graph_is_switch(graph, node))
			continue;
		visit->next_host[host] = visit->first_host[node - graph->hosts];
		visit->first_host[node - graph->hosts] = host;
	}
	return spread_check(visit, err);
}

static void spread_close(struct spread_visit *visit)
{
	free(visit->now.entries);
	free(visit->next.entries);
	free(visit->table);
	free(visit->first_host);
	free(visit->next_host);
	free(visit->flows);
	free(visit->arrivals);
}

// The place in the table of an entry like this one, or the free one for it.
static uint32_t *spread_find(const struct spread_visit *visit, const struct spread_entry *like)
{
	uint64_t hash = ((uint64_t)like->link << 32 | like->place) + like->lane;
	size_t at;

	hash = (hash ^ hash >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	for (at = (size_t)(hash >> 20) & (visit->table_size - 1); visit->table[at] != 0;
	     at = (at + 1) & (visit->table_size - 1)) {
		const struct spread_entry *there = &visit->next.entries[visit->table[at] - 1];

		if (there->link == like->link && there->place == like->place &&
		    there->lane == like->lane)
			break;
	}
	return &visit->table[at];
}

static bool spread_grow_table(struct spread_visit *visit)
{
	uint32_t *larger = calloc(4 * visit->table_size, sizeof(*larger));

	if (!larger)
		return false;
	free(visit->table);
	visit->table = larger;
	visit->table_size *= 4;
	for (size_t i = 0; i < visit->next.count; i++)
		*spread_find(visit, &visit->next.entries[i]) = (uint32_t)i + 1;
	return true;
}

enum tr_status spread_add(struct spread_visit *visit, const struct spread_entry *entry,
			  struct tr_error *err)
{
	struct spread_layer *next = &visit->next;
	uint32_t *place;

	if (2 * (next->count + 1) > visit->table_size && !spread_grow_table(visit))
		return tr_no_memory(err, "the ways of packets");
	place = spread_find(visit, entry);
	if (*place > 0) {
		next->entries[*place - 1].amount += entry->amount;
		next->entries[*place - 1].pairs += entry->pairs;
		return TR_OK;
	}
	if (!GROW(next->entries, next->room, next->count))
		return tr_no_memory(err, "the ways of packets");
	next->entries[next->count++] = *entry;
	*place = (uint32_t)next->count;
	return TR_OK;
}

static enum tr_status spread_step(struct spread_visit *visit, const struct spread_entry *from,
				  struct net_spread_step step, struct tr_error *err)
{
	step.source = from->source;
	step.before = from->link;
	step.before_lane = from->lane;
	return visit->visit(visit->context, &step, err);
}

// Packets that are at the destination's switch, one of whose hosts is given, go to its hosts.
static enum tr_status spread_end(struct spread_visit *visit, const struct spread_entry *from,
				 uint32_t host, struct tr_error *err)
{
	const uint32_t own = net_graph_peer(visit->graph, from->source, 0)->link;
	double pairs = from->pairs;
	enum tr_status status = TR_OK;

	for (; host != NET_NOBODY && status == TR_OK; host = visit->next_host[host]) {
		if (host == from->source && from->link == own)
			continue;
		// A host's cable has a link each way.
		status = spread_step(
			visit, from,
			(struct net_spread_step){
				.destination = host,
				.link = net_graph_peer(visit->graph, host, 0)->link ^ 1u,
				.lane = from->lane,
				.pairs = pairs,
				.switches = visit->depth},
			err);
		pairs = 0;
	}
	return status;
}

enum tr_status spread_go(struct spread_visit *visit, const struct spread_entry *from, uint32_t host,
			 struct tr_error *err)
{
	struct net_branch branches[NET_PORTS_MAX];
	const uint32_t count = visit->routes->form->ways->branches(visit->routes->state,
								   from->place, host, branches);
	enum tr_status status = TR_OK;

	if (count == 0)
		return spread_end(visit, from, host, err);
	for (uint32_t i = 0; i < count && status == TR_OK; i++) {
		const struct spread_entry entry = {branches[i].link,	 branches[i].lane,
						   branches[i].next,	 from->source,
						   from->amount / count, from->pairs / count};

		status = spread_add(visit, &entry, err);
		if (status == TR_OK)
			status = spread_step(visit, from,
					     (struct net_spread_step){.destination = host,
								      .link = entry.link,
								      .lane = entry.lane,
								      .amount = entry.amount},
					     err);
	}
	return status;
}

// From an entry, and from where its packets may turn to.
static enum tr_status spread_go_all(struct spread_visit *visit, const struct spread_entry *from,
				    uint32_t host, struct tr_error *err)
{
	const struct net_routes_ways *ways = visit->routes->form->ways;
	enum tr_status status = spread_go(visit, from, host, err);

	for (uint32_t n = 0;
	     ways->turns && status == TR_OK && n < ways->starts(visit->routes->state); n++) {
		struct spread_entry turned = {from->link, from->lane, 0, from->source, 0, 0};

		turned.place = ways->turns(visit->routes->state, from->place, host, n);
		if (turned.place != NET_NO_ROUTE)
			status = spread_go(visit, &turned, host, err);
	}
	return status;
}

// Puts a source's packets, so many pairs, where they may start for a switch with this host.
static enum tr_status spread_start(struct spread_visit *visit, uint32_t source, uint32_t host,
				   double amount, double pairs, struct tr_error *err)
{
	const struct net_routes_ways *ways = visit->routes->form->ways;
	const void *state = visit->routes->state;
	const uint32_t starts = ways->starts ? ways->starts(state) : 1;
	struct spread_entry entry = {.link = net_graph_peer(visit->graph, source, 0)->link,
				     .source = source};
	uint32_t valid = 0;
	enum tr_status status = TR_OK;

	for (uint32_t n = 0; n < starts && !visit->flows; n++)
		valid += ways->start(state, source, host, n) != NET_NO_ROUTE;
	if (visit->flows)
		valid = spread_flow_of(visit, source, host)->valid;
	if (ways->adapts)
		valid = 1;
	for (uint32_t n = 0; n < starts && status == TR_OK; n++) {
		entry.place = ways->start(state, source, host, n);
		entry.amount = ways->adapts && n > 0 ? 0 : amount / valid;
		entry.pairs = ways->adapts && n > 0 ? 0 : pairs / valid;
		if (entry.place != NET_NO_ROUTE &&
		    !(visit->flows && ways->apart(state, entry.place, host)))
			status = spread_add(visit, &entry, err);
	}
	return status;
}

// The step of a pair; TR_END where it has no route.
static enum tr_status spread_pair(struct spread_visit *visit, uint32_t source, uint32_t destination,
				  struct tr_error *err)
{
	const struct net_routes_ways *ways = visit->routes->form->ways;
	const struct net_peer *own = net_graph_peer(visit->graph, source, 0);
	const struct net_spread_step step = {
		.source = source,
		.destination = destination,
		.before = NET_NOBODY,
		.link = own->link,
		.last = net_graph_peer(visit->graph, destination, 0)->link ^ 1u,
		.amount = spread_weight(visit, source, destination)};
	bool joined = own->node == destination;

	for (uint32_t n = 0; !joined && n < (ways->starts ? ways->starts(visit->routes->state) : 1);
	     n++)
		joined = ways->start(visit->routes->state, source, destination, n) != NET_NO_ROUTE;
	return joined ? visit->visit(visit->context, &step, err) : TR_END;
}

// All ways from a source to the hosts of a switch, of which this is the first.
static enum tr_status spread_source(struct spread_visit *visit, uint32_t source, uint32_t first,
				    uint64_t *missing, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	double amount = 0, pairs = 0;

	for (uint32_t to = first; to != NET_NOBODY && status != TR_ERROR;
	     to = visit->next_host[to]) {
		if (to == source)
			continue;
		status = spread_pair(visit, source, to, err);
		if (status == TR_END) {
			(*missing)++;
			continue;
		}
		amount += spread_weight(visit, source, to);
		pairs++;
	}
	if (status == TR_ERROR)
		return TR_ERROR;
	return pairs > 0 ? spread_start(visit, source, first, amount, pairs, err) : TR_OK;
}

void spread_begin(struct spread_visit *visit)
{
	visit->next.count = 0;
	visit->depth = 0;
	memset(visit->table, 0, visit->table_size * sizeof(*visit->table));
}

void spread_descend(struct spread_visit *visit)
{
	const struct spread_layer done = visit->now;

	visit->now = visit->next;
	visit->next = done;
	visit->next.count = 0;
	visit->depth++;
	memset(visit->table, 0, visit->table_size * sizeof(*visit->table));
}

static enum tr_status spread_to(struct spread_visit *visit, uint32_t first, uint64_t *missing,
				struct tr_error *err)
{
	enum tr_status status = TR_OK;
	size_t at = 0;

	spread_begin(visit);
	for (uint32_t source = 0; source < visit->graph->hosts && status == TR_OK; source++)
		status = spread_source(visit, source, first, missing, err);
	while ((visit->next.count > 0 || at < visit->arrival_count) && status == TR_OK) {
		status = spread_arrive(visit, first, &at, err);
		spread_descend(visit);
		for (size_t i = 0; i < visit->now.count && status == TR_OK; i++)
			status = spread_go_all(visit, &visit->now.entries[i], first, err);
	}
	return status;
}

// A host that is on no switch.
static enum tr_status spread_to_lone(struct spread_visit *visit, uint32_t host, uint64_t *missing,
				     struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t from = 0; from < visit->graph->hosts && status != TR_ERROR; from++) {
		status = from == host ? TR_OK : spread_pair(visit, from, host, err);
		*missing += status == TR_END;
	}
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

enum tr_status net_spread_visit(const struct net_graph *graph, const struct net_routes *routes,
				const double *weights, uint64_t *missing,
				enum tr_status (*visitor)(void *context,
							  const struct net_spread_step *step,
							  struct tr_error *err),
				void *context, struct tr_error *err)
{
	struct spread_visit visit = {.graph = graph,
				     .routes = routes,
				     .weights = weights,
				     .visit = visitor,
				     .context = context};
	enum tr_status status = spread_open(&visit, err);
	uint64_t apart = 0;

	if (status == TR_OK && routes->form->ways->apart)
		status = spread_ahead_all(&visit, err);
	for (uint32_t to = 0; to < graph->hosts && status == TR_OK; to++) {
		const uint32_t node = net_graph_peer(graph, to, 0)->node;

		if (!net_graph_is_switch(graph, node))
			status = spread_to_lone(&visit, to, &apart, err);
		else if (visit.first_host[node - graph->hosts] == to)
			status = spread_to(&visit, to, &apart, err);
	}
	if (missing)
		*missing += apart;
	spread_close(&visit);
	return status;
}
