// SPDX-License-Identifier: GPL-3.0-or-later
// What packets do apart from their destinations, on the way to a waypoint.
#include <stdlib.h>

#include "net/routes/spread_visit.h"
#include "value/grow.h"
#include "value/order.h"

// The packets of each pair of switches with hosts.
static enum tr_status spread_measure(struct spread_visit *visit, struct tr_error *err)
{
	const struct net_routes_ways *ways = visit->routes->form->ways;
	const size_t switches = net_graph_switches(visit->graph);

	visit->flows = calloc(switches * switches + 1, sizeof(*visit->flows));
	if (!visit->flows)
		return tr_no_memory(err, "the ways of packets");
	for (size_t i = 0; i < switches * switches; i++) {
		const uint32_t first = visit->first_host[i / switches],
			       end = visit->first_host[i % switches];

		for (uint32_t from = first; from != NET_NOBODY; from = visit->next_host[from])
			for (uint32_t to = end; to != NET_NOBODY; to = visit->next_host[to]) {
				visit->flows[i].pairs += from != to;
				if (from != to)
					visit->flows[i].amount += spread_weight(visit, from, to);
			}
		for (uint32_t n = 0;
		     visit->flows[i].pairs > 0 && n < ways->starts(visit->routes->state); n++)
			visit->flows[i].valid += ways->start(visit->routes->state, first, end, n) !=
						 NET_NO_ROUTE;
	}
	return TR_OK;
}

// What of a flow begins at number n, if it may begin there apart from its destination: as an entry
// without a link; a place of NET_NO_ROUTE else.
static struct spread_entry spread_part(const struct spread_visit *visit, uint32_t source,
				       uint32_t host, uint32_t n)
{
	const struct net_routes_ways *ways = visit->routes->form->ways;
	const void *state = visit->routes->state;
	struct spread_entry part = {.source = source, .place = ways->start(state, source, host, n)};
	const struct spread_flow *flow = spread_flow_of(visit, source, host);
	const uint32_t shares = ways->adapts ? 1 : flow->valid;

	if (part.place != NET_NO_ROUTE && !ways->apart(state, part.place, host))
		part.place = NET_NO_ROUTE;
	if (part.place == NET_NO_ROUTE || (ways->adapts && n > 0))
		return part;
	part.amount = flow->amount / shares;
	part.pairs = flow->pairs / shares;
	return part;
}

// Follows packets of a switch's hosts that begin at number n, of whose destinations host is one.
static enum tr_status spread_ahead(struct spread_visit *visit, struct spread_entry all, uint32_t n,
				   uint32_t host, struct tr_error *err)
{
	const struct net_routes *routes = visit->routes;
	struct spread_entry entry = all;
	enum tr_status status = TR_OK;

	spread_begin(visit);
	for (; entry.source != NET_NOBODY && status == TR_OK;
	     entry.source = visit->next_host[entry.source]) {
		entry.link = net_graph_peer(visit->graph, entry.source, 0)->link;
		status = spread_add(visit, &entry, err);
		entry.amount = entry.pairs = 0;
	}
	while (visit->next.count > 0 && status == TR_OK) {
		spread_descend(visit);
		for (size_t i = 0; i < visit->now.count && status == TR_OK; i++) {
			entry = visit->now.entries[i];
			if (routes->form->ways->apart(routes->state, entry.place, host)) {
				status = spread_go(visit, &entry, host, err);
				continue;
			}
			if (!GROW(visit->arrivals, visit->arrival_room, visit->arrival_count))
				return tr_no_memory(err, "the ways of packets");
			entry.source = all.source;
			entry.pairs = all.pairs > 0 ? entry.pairs / all.pairs : 0;
			visit->arrivals[visit->arrival_count++] = (struct spread_arrival){
				entry, n, visit->depth};
		}
	}
	return status;
}

static int spread_by_depth(const void *a, const void *b)
{
	const struct spread_arrival *one = a, *other = b;

	ORDER_BY(one->depth, other->depth);
	ORDER_BY(one->entry.source, other->entry.source);
	ORDER_BY(one->n, other->n);
	ORDER_BY(one->entry.link, other->entry.link);
	return ORDER(one->entry.lane, other->entry.lane);
}

enum tr_status spread_ahead_all(struct spread_visit *visit, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(visit->graph);
	const uint32_t starts = visit->routes->form->ways->starts(visit->routes->state);
	enum tr_status status = spread_measure(visit, err);

	for (uint64_t i = 0; status == TR_OK && i < (uint64_t)switches * starts; i++) {
		struct spread_entry all = {.source = visit->first_host[i / starts]};
		uint32_t host = NET_NOBODY;

		for (uint32_t to = 0; all.source != NET_NOBODY && to < switches; to++) {
			const uint32_t end = visit->first_host[to];
			struct spread_entry part;

			if (end == NET_NOBODY)
				continue;
			part = spread_part(visit, all.source, end, (uint32_t)(i % starts));
			if (part.place == NET_NO_ROUTE)
				continue;
			all.place = part.place;
			all.amount += part.amount;
			all.pairs += part.pairs;
			host = host == NET_NOBODY ? end : host;
		}
		if (host != NET_NOBODY)
			status = spread_ahead(visit, all, (uint32_t)(i % starts), host, err);
	}
	if (visit->arrival_count > 0)
		qsort(visit->arrivals, visit->arrival_count, sizeof(*visit->arrivals),
		      spread_by_depth);
	return status;
}

enum tr_status spread_arrive(struct spread_visit *visit, uint32_t host, size_t *at,
			     struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (; status == TR_OK && *at < visit->arrival_count &&
	       visit->arrivals[*at].depth <= visit->depth + 1;
	     (*at)++) {
		const struct spread_arrival *arrival = &visit->arrivals[*at];
		const struct spread_entry part = spread_part(visit, arrival->entry.source, host,
							     arrival->n);
		struct spread_entry entry = arrival->entry;

		entry.amount = part.amount * entry.pairs;
		entry.pairs *= part.pairs;
		if (part.place != NET_NO_ROUTE)
			status = spread_add(visit, &entry, err);
	}
	return status;
}
