// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/routes.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

uint32_t net_routes_get(const struct net_routes *routes, uint32_t source, uint32_t destination,
			uint16_t *steps)
{
	const struct net_routes_form *form = routes->form;

	return form->get ? form->get(routes->state, source, destination, steps)
			 : form->ways->get(routes->state, source, destination, 0, steps);
}

uint32_t net_routes_get_way(const struct net_routes *routes, uint32_t source, uint32_t destination,
			    uint32_t way, uint16_t *steps)
{
	return routes->spread
		       ? routes->form->ways->get(routes->state, source, destination, way, steps)
		       : net_routes_get(routes, source, destination, steps);
}

enum tr_status net_routes_need_one(const struct net_routes *routes, const char *what,
				   struct tr_error *err)
{
	if (!routes->spread)
		return TR_OK;
	if (routes->form->ways->starts)
		return tr_fail(err,
			       "%s one route for each pair of hosts, and these routes draw one for "
			       "each %s",
			       what, routes->spread == NET_SPREAD_FLOW ? "flow" : "packet");
	return tr_fail(err,
		       "%s one route for each pair of hosts, and tie=%s gives several: tie=hash "
		       "draws one",
		       what, routes->spread == NET_SPREAD_FLOW ? "flow" : "packet");
}

void net_routes_clear(struct net_routes *routes)
{
	if (routes->form)
		routes->form->clear(routes->state);
	*routes = (struct net_routes){0};
}

#define UNSET 0u // otherwise the length + 1

struct routes_pair {
	uint32_t first; // in steps
	uint32_t length_and_1;
};

// Pair (source, destination) is at source * hosts + destination.
struct route_table {
	uint32_t hosts;
	struct routes_pair *pairs;
	uint16_t *steps;
	size_t used;
	size_t room;
};

static struct routes_pair *pair_of(const struct route_table *table, uint32_t source,
				   uint32_t destination)
{
	return &table->pairs[(size_t)source * table->hosts + destination];
}

static uint32_t routes_get(const void *state, uint32_t source, uint32_t destination,
			   uint16_t *steps)
{
	const struct route_table *table = state;
	const struct routes_pair *pair = pair_of(table, source, destination);

	if (pair->length_and_1 == UNSET)
		return NET_NO_ROUTE;
	for (uint32_t i = 0; i < pair->length_and_1 - 1; i++)
		steps[i] = table->steps[pair->first + i];
	return pair->length_and_1 - 1;
}

static void routes_clear(void *state)
{
	struct route_table *table = state;

	free(table->pairs);
	free(table->steps);
	free(table);
}

static const struct net_routes_form form = {routes_get, routes_clear};

enum tr_status net_route_table_open(struct net_routes *routes, uint32_t hosts, struct tr_error *err)
{
	struct route_table *table;

	*routes = (struct net_routes){0};
	if (hosts > NET_ROUTE_TABLE_HOSTS_MAX)
		return tr_fail(err, "a table holds the routes of at most %u hosts, not of %u",
			       NET_ROUTE_TABLE_HOSTS_MAX, hosts);
	table = calloc(1, sizeof(*table));
	if (!table)
		return tr_no_memory(err, "routes");
	*routes = (struct net_routes){.hosts = hosts, .longest = 1, .form = &form, .state = table};
	table->hosts = hosts;
	table->pairs = calloc((size_t)hosts * hosts + 1, sizeof(*table->pairs));
	return table->pairs ? TR_OK : tr_no_memory(err, "routes");
}

static enum tr_status routes_make_room(struct route_table *table, uint32_t count,
				       struct tr_error *err)
{

	if (table->used + count > UINT32_MAX)
		return tr_fail(err, "too many routes for a table: %u hosts", table->hosts);
	return GROW_TO(table->steps, table->room, table->used + count)
		       ? TR_OK
		       : tr_no_memory(err, "routes");
}

enum tr_status net_route_table_put(struct net_routes *routes, uint32_t source, uint32_t destination,
				   const uint16_t *steps, uint32_t count, struct tr_error *err)
{
	struct route_table *table = routes->state;

	if (count > NET_ROUTE_LENGTH_MAX)
		return tr_fail(err, "a route through %u switches; at most %u", count,
			       NET_ROUTE_LENGTH_MAX);
	if (routes_make_room(table, count, err) != TR_OK)
		return TR_ERROR;
	*pair_of(table, source, destination) = (struct routes_pair){.first = (uint32_t)table->used,
								    .length_and_1 = count + 1};
	if (count > 0)
		memcpy(table->steps + table->used, steps, count * sizeof(*steps));
	for (uint32_t i = 1; i < count; i++)
		routes->changes_lane |= net_step_lane(steps[i]) != net_step_lane(steps[0]);
	table->used += count;
	if (count > routes->longest)
		routes->longest = count;
	return TR_OK;
}

bool net_route_table_has(const struct net_routes *routes, uint32_t source, uint32_t destination)
{
	const struct route_table *table = routes->state;

	return pair_of(table, source, destination)->length_and_1 != UNSET;
}

static enum tr_status routes_copy(struct net_routes *to, const struct net_routes *from,
				  struct tr_error *err)
{
	uint16_t *steps = calloc(from->longest, sizeof(*steps));
	enum tr_status status = TR_OK;

	if (!steps)
		return tr_no_memory(err, "routes");
	for (uint32_t source = 0; source < from->hosts && status == TR_OK; source++)
		for (uint32_t to_host = 0; to_host < from->hosts && status == TR_OK; to_host++) {
			uint32_t count = net_routes_get(from, source, to_host, steps);

			if (count != NET_NO_ROUTE)
				status = net_route_table_put(to, source, to_host, steps, count,
							     err);
		}
	free(steps);
	return status;
}

enum tr_status net_route_table_make(struct net_routes *routes, struct tr_error *err)
{
	struct net_routes table;
	enum tr_status status;

	if (net_route_memo_fits(routes))
		return net_route_memo_make(routes, err);
	status = net_route_table_open(&table, routes->hosts, err);

	if (status == TR_OK)
		status = routes_copy(&table, routes, err);
	if (status != TR_OK) {
		net_routes_clear(&table);
		return TR_ERROR;
	}
	table.by_switch = routes->by_switch;
	table.acyclic = routes->acyclic;
	table.lanes = routes->lanes;
	net_routes_clear(routes);
	*routes = table;
	return TR_OK;
}
