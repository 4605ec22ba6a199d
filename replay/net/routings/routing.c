// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/fabric.h"
#include "net/routes/routes.h"
#include "net/routings/network_parts.h"
#include "net/routings/routing.h"
#include "net/topology/adapters.h"

#define TABLE_HOSTS 2048u // up to this number of hosts routes are tabulated

#define ROW(name) &net_routing_##name,

const struct net_routing *const net_routings[] = {NET_ROUTINGS(ROW) NULL};

static const char *const tie_words[] = {
	[NET_TIE_LOWEST] = "lowest", [NET_TIE_HASH] = "hash", [NET_TIE_DESTINATION] = "destination",
	[NET_TIE_SOURCE] = "source", [NET_TIE_LOAD] = "load", [NET_TIE_FLOW] = "flow",
	[NET_TIE_PACKET] = "packet",
};

static const struct key no_keys[] = {{.type = KEY_END}};

static const struct net_routing *routing_find(const char *text)
{
	size_t length = strcspn(text, ":");

	for (size_t i = 0; net_routings[i]; i++)
		if (strlen(net_routings[i]->name) == length &&
		    memcmp(net_routings[i]->name, text, length) == 0)
			return net_routings[i];
	return NULL;
}

bool net_routing_is_rule(const char *text)
{
	return routing_find(text);
}

// The names of all rules, "shortest, updown or nca", into out; returns it.
static const char *name_all(char *out, size_t out_bytes)
{
	size_t used = 0;

	for (size_t i = 0; net_routings[i] && used < out_bytes; i++) {
		const char *between = i == 0 ? "" : net_routings[i + 1] ? ", " : " or ";

		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", between,
					 net_routings[i]->name);
	}
	return out;
}

const struct net_routing *net_routing_parse(const char *text, void **params, struct tr_error *err)
{
	const struct net_routing *rule = routing_find(text);
	struct keys_given given = {0};
	struct key_kind kind;
	struct tr_error why;
	char names[256];

	*params = NULL;
	if (!rule) {
		(void)tr_fail(err, "routes \"%s\": expected %s", text,
			      name_all(names, sizeof(names)));
		return NULL;
	}
	kind = (struct key_kind){rule->name, "flitroute list", rule->keys ? rule->keys : no_keys,
				 net_presets, rule->usual};
	*params = malloc(rule->params_bytes + 1);
	if (!*params) {
		(void)tr_no_memory(err, "the rule");
		return NULL;
	}
	if (rule->params_bytes > 0)
		memcpy(*params, rule->usual, rule->params_bytes);
	text += strlen(rule->name);
	if (keys_read(&kind, text + (*text == ':'), *params, &given, &why) == TR_OK &&
	    keys_check_effect(kind.keys, *params, given.text, &why) == TR_OK)
		return rule;
	(void)tr_fail(err, "%s: %s", rule->name, why.text);
	free(*params);
	*params = NULL;
	return NULL;
}

static enum net_tie default_tie(const struct net_routing *rule, const struct net_topology *topology)
{
	return rule->grid_order && net_routing_is_grid(topology) ? NET_TIE_LOWEST
								 : NET_TIE_DESTINATION;
}

struct routing_use {
	const struct net_routing *rule;
	void *params;
	bool default_tie;
};

static enum tr_status routing_make_one(void *context, struct net_routes *routes,
				       const struct net_topology *topology, struct tr_error *err)
{
	struct routing_use *use = context;

	if (use->default_tie)
		((struct net_tying *)use->params)->tie = default_tie(use->rule, topology);
	return use->rule->make(routes, topology, use->params, err);
}

// The parts of a network, where hosts have ports in several but any two have some in one; else 1.
static enum tr_status routing_find_parts(const struct net_topology *topology, uint32_t **of,
					 uint32_t *parts, struct tr_error *err)
{
	uint64_t apart;

	*of = NULL;
	*parts = 1;
	if (!net_has_adapters(topology))
		return TR_OK;
	*of = net_parts_find(topology, NULL, parts, err);
	if (!*of)
		return TR_ERROR;
	apart = *parts > 1 ? net_hosts_apart(topology, *of) : 0;
	if (apart == UINT64_MAX)
		return tr_no_memory(err, "the parts of the network");
	return apart == 0 ? TR_OK
			  : tr_fail(err, "%llu pairs of hosts have no ports that are joined",
				    (unsigned long long)apart);
}

// Makes the routes and frees params.
static enum tr_status routing_make(struct net_routes *routes, const struct net_topology *topology,
				   const struct net_routing *rule, void *params,
				   uint32_t table_hosts, struct tr_error *err)
{
	struct net_tying *tying = rule->ties ? params : NULL;
	struct routing_use use = {rule, params, tying && tying->tie == NET_TIE_DEFAULT};
	struct tr_error why;
	uint32_t *of, parts;
	enum tr_status status = routing_find_parts(topology, &of, &parts, &why);

	if (status == TR_OK)
		status = parts > 1 ? net_parts_route(routes,
						     &(struct net_parts){.topology = topology,
									 .of = of,
									 .count = parts,
									 .make = routing_make_one,
									 .context = &use},
						     &why)
				   : routing_make_one(&use, routes, topology, &why);
	free(of);
	if (status == TR_OK && routes->hosts <= table_hosts && !routes->choices &&
	    !routes->spread && (!tying || tying->tie != NET_TIE_LOAD))
		status = net_route_table_make(routes, &why);
	free(params);
	if (status == TR_OK)
		return TR_OK;
	net_routes_clear(routes);
	return tr_fail(err, "%s: %s", rule->name, why.text);
}

enum tr_status net_routing_make(struct net_routes *routes, const struct net_topology *topology,
				const char *text, struct tr_error *err)
{
	void *params;
	const struct net_routing *rule = net_routing_parse(text, &params, err);

	*routes = (struct net_routes){0};
	return rule ? routing_make(routes, topology, rule, params, TABLE_HOSTS, err) : TR_ERROR;
}

enum tr_status net_routes_shortest(struct net_routes *routes, const struct net_topology *topology,
				   struct tr_error *err)
{
	return net_routing_make(routes, topology, "shortest:tie=lowest", err);
}

const char *net_tie_name(enum net_tie tie)
{
	return tie_words[tie];
}

bool net_routing_has_tie(const char *text, const struct net_topology *topology, enum net_tie *tie)
{
	void *params;
	const struct net_routing *rule = net_routing_parse(text, &params, NULL);

	*tie = NET_TIE_DEFAULT;
	if (rule && rule->ties)
		*tie = ((const struct net_tying *)params)->tie;
	if (rule && *tie == NET_TIE_DEFAULT)
		*tie = default_tie(rule, topology);
	free(params);
	return rule && rule->ties;
}

enum tr_status net_routing_make_tied(struct net_routes *routes, const struct net_topology *topology,
				     const char *text, enum net_tie tie, struct tr_error *err)
{
	void *params;
	const struct net_routing *rule = net_routing_parse(text, &params, err);

	*routes = (struct net_routes){0};
	if (rule && rule->ties)
		((struct net_tying *)params)->tie = tie;
	return rule ? routing_make(routes, topology, rule, params, 0, err) : TR_ERROR;
}

bool net_routing_shares_lanes(const char *text)
{
	const struct net_routing *rule = routing_find(text);

	return rule && rule->lanes_at != 0;
}

enum tr_status net_routing_make_on(struct net_routes *routes, const struct net_topology *topology,
				   const char *text, uint32_t lanes, struct tr_error *err)
{
	void *params;
	const struct net_routing *rule = net_routing_parse(text, &params, err);

	*routes = (struct net_routes){0};
	if (rule && rule->lanes_at != 0)
		*(uint64_t *)(void *)((char *)params + rule->lanes_at) = lanes;
	return rule ? routing_make(routes, topology, rule, params, 0, err) : TR_ERROR;
}
