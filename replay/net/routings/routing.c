// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/routes.h"
#include "net/routings/routing.h"
#include "trace/num.h"

#define TABLE_HOSTS 2048u // up to this number of hosts routes are tabulated

#define ROW(name) &net_routing_##name,

const struct net_routing *const net_routings[] = {NET_ROUTINGS(ROW) NULL};

static const struct {
	const char *word;
	enum net_tie tie;
} ties[] = {
	{"lowest", NET_TIE_LOWEST}, {"hash", NET_TIE_HASH}, {"destination", NET_TIE_DESTINATION},
	{"source", NET_TIE_SOURCE}, {"load", NET_TIE_LOAD},
};

static const struct net_routing *find(const char *text)
{
	size_t length = strcspn(text, ":");

	for (size_t i = 0; net_routings[i]; i++)
		if (strlen(net_routings[i]->name) == length && memcmp(net_routings[i]->name, text, length) == 0)
			return net_routings[i];
	return NULL;
}

bool net_routing_is_rule(const char *text)
{
	return find(text);
}

static enum tr_status read_tie(const char *word, enum net_tie *tie, struct tr_error *err)
{
	for (size_t i = 0; i < sizeof(ties) / sizeof(*ties); i++)
		if (strcmp(ties[i].word, word) == 0) {
			*tie = ties[i].tie;
			return TR_OK;
		}
	return tr_fail(err, "tie=%s: expected lowest, hash, destination, source or load", word);
}

static enum tr_status read_choice(const struct net_routing *rule, const char *word, struct net_routing_choices *choices,
				  struct tr_error *err)
{
	struct tr_error why;

	if ((rule->choices & NET_ROUTING_TIE) != 0 && strncmp(word, "tie=", 4) == 0)
		return read_tie(word + 4, &choices->tie, err);
	if ((rule->choices & NET_ROUTING_TIE) != 0 && strncmp(word, "seed=", 5) == 0) {
		if (num_parse_count(word + 5, 0, UINT64_MAX, &choices->seed, &why) == TR_OK)
			return TR_OK;
		return tr_fail(err, "seed: %s", why.text);
	}
	if ((rule->choices & NET_ROUTING_ROOT) != 0 && strncmp(word, "root=", 5) == 0 &&
	    strlen(word + 5) < sizeof(choices->root)) {
		memcpy(choices->root, word + 5, strlen(word + 5) + 1);
		return TR_OK;
	}
	return tr_fail(err, "\"%s\" is no choice of %s", word, rule->name);
}

static enum tr_status read_choices(const struct net_routing *rule, const char *text, struct net_routing_choices *choices,
				   struct tr_error *err)
{
	char *words = strdup(text);
	char *rest = words;
	enum tr_status status = TR_OK;

	if (!words)
		return tr_no_memory(err, "the rule's name");
	while (rest && *words != '\0' && status == TR_OK)
		status = read_choice(rule, strsep(&rest, ","), choices, err);
	free(words);
	return status;
}

// Writes the names of all rules, "shortest, updown or nca", to out; returns it.
static const char *name_all(char *out, size_t out_bytes)
{
	size_t used = 0;

	for (size_t i = 0; net_routings[i] && used < out_bytes; i++) {
		const char *between = i == 0 ? "" : net_routings[i + 1] ? ", " : " or ";

		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", between, net_routings[i]->name);
	}
	return out;
}

// The rule of text, with its choices; NULL if it is none.
static const struct net_routing *parse(const char *text, struct net_routing_choices *choices, struct tr_error *err)
{
	const struct net_routing *rule = find(text);
	struct tr_error why;

	*choices = (struct net_routing_choices){.tie = NET_TIE_DEFAULT};
	if (!rule) {
		char names[256];

		(void)tr_fail(err, "routes \"%s\": expected %s", text, name_all(names, sizeof(names)));
		return NULL;
	}
	text += strlen(rule->name);
	if (read_choices(rule, text + (*text == ':'), choices, &why) == TR_OK)
		return rule;
	(void)tr_fail(err, "%s: %s", rule->name, why.text);
	return NULL;
}

static enum net_tie default_tie(const struct net_routing *rule, const struct net_topology *topology)
{
	if ((rule->choices & NET_ROUTING_GRID_ORDER) != 0 && net_routing_is_grid(topology))
		return NET_TIE_LOWEST;
	return NET_TIE_DESTINATION;
}

static enum tr_status make(struct net_routes *routes, const struct net_topology *topology, const struct net_routing *rule,
			   struct net_routing_choices *choices, uint32_t table_hosts, struct tr_error *err)
{
	struct tr_error why;

	if (choices->tie == NET_TIE_DEFAULT)
		choices->tie = default_tie(rule, topology);
	if (rule->make(routes, topology, choices, &why) == TR_OK &&
	    (routes->hosts > table_hosts || choices->tie == NET_TIE_LOAD || net_route_table_make(routes, &why) == TR_OK))
		return TR_OK;
	net_routes_clear(routes);
	return tr_fail(err, "%s: %s", rule->name, why.text);
}

enum tr_status net_routing_make(struct net_routes *routes, const struct net_topology *topology, const char *text,
				struct tr_error *err)
{
	struct net_routing_choices choices;
	const struct net_routing *rule = parse(text, &choices, err);

	*routes = (struct net_routes){0};
	return rule ? make(routes, topology, rule, &choices, TABLE_HOSTS, err) : TR_ERROR;
}

enum tr_status net_routes_shortest(struct net_routes *routes, const struct net_topology *topology, struct tr_error *err)
{
	return net_routing_make(routes, topology, "shortest:tie=lowest", err);
}

const char *net_tie_name(enum net_tie tie)
{
	size_t i = 0;

	while (ties[i].tie != tie)
		i++;
	return ties[i].word;
}

bool net_routing_has_tie(const char *text, const struct net_topology *topology, enum net_tie *tie)
{
	struct net_routing_choices choices;
	const struct net_routing *rule = parse(text, &choices, NULL);

	*tie = rule && choices.tie == NET_TIE_DEFAULT ? default_tie(rule, topology) : choices.tie;
	return rule && (rule->choices & NET_ROUTING_TIE) != 0;
}

enum tr_status net_routing_make_tied(struct net_routes *routes, const struct net_topology *topology, const char *text,
				     enum net_tie tie, struct tr_error *err)
{
	struct net_routing_choices choices;
	const struct net_routing *rule = parse(text, &choices, err);

	*routes = (struct net_routes){0};
	choices.tie = tie;
	return rule ? make(routes, topology, rule, &choices, 0, err) : TR_ERROR;
}
